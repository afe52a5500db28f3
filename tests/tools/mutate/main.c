/* SPDX-License-Identifier: ISC */
/*
 * mutate [-n N] [-s SEED] [-f FIRST] [-l BYTES] CONVERTER FILE...: N damaged files through a converter and back.
 * mutate -p CONVERTER FILE...: every beginning of every file, which has to be incomplete until it is whole.
 * mutate -t CONVERTER FILE...: every beginning of every file's text, which has to be incomplete and give a beginning of
 * the file.
 *
 * What is accepted, whole or cut short, has to come back byte for byte and with the same status; all else has to be an
 * error, and then nothing is written. Half of the times the stream is damaged, too, before it is converted back: then
 * anything may come of it but a crash. Where one happens, the number of the file is said: -f and -n 1 make it again,
 * and MUTATE_KEEP=FILE keeps it. Files longer than BYTES (3000) are shortened.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dem/dem.h"
#include "lmp/lmp.h"
#include "mutate.h"

enum { BATCH = 500, SECONDS = 60, MAX_FILES = 1024, MEMORY_KIB = 64 << 10 };

struct converter {
    const char *name;
    int (*to)(int fd, struct dh_writer *w, struct dh_err *e);
    int (*from)(struct dh_reader *r, int fd, struct dh_err *e);
};

static int lmp_to(int fd, struct dh_writer *w, struct dh_err *e)
{
    return lmp_to_dh(fd, LMP_TO_END, NULL, w, e);
}

static int lmp_from(struct dh_reader *r, int fd, struct dh_err *e)
{
    return dh_to_lmp(r, fd, NULL, e);
}

static int dem_to(int fd, struct dh_writer *w, struct dh_err *e)
{
    return dem_to_dh(fd, w, NULL, NULL, e);
}

static const struct converter converters[] = {
    {"lmp", lmp_to, lmp_from},
    {"dem", dem_to, dh_to_dem},
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "mutate: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* What the last damaged file was, for whoever looks into it. */
static void keep(const struct dh_buf *b)
{
    const char *path = getenv("MUTATE_KEEP");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;

    if (fd >= 0 && write(fd, b->p, b->n) < 0)
        die(path);
    if (fd >= 0)
        close(fd);
}

static void read_all(int fd, struct dh_buf *b)
{
    uint8_t part[65536];
    ssize_t n;

    dh_buf_clear(b);
    if (lseek(fd, 0, SEEK_SET) < 0)
        die("seek");
    while ((n = read(fd, part, sizeof part)) > 0)
        dh_put_bytes(b, part, (size_t)n);
    if (n < 0 || b->failed)
        die("read");
}

static void replace(int fd, const struct dh_buf *b)
{
    if (ftruncate(fd, 0) < 0 || pwrite(fd, b->p, b->n, 0) != (ssize_t)b->n || lseek(fd, 0, SEEK_SET) < 0)
        die("write");
}

/* The files that one process works with. */
struct place {
    int demo, stream, back;
    struct dh_buf file, text, got;
};

static int convert_back(struct place *p, const struct converter *c, struct dh_err *e)
{
    struct dh_reader *r;
    int status;

    if (lseek(p->stream, 0, SEEK_SET) < 0 || ftruncate(p->back, 0) < 0 || lseek(p->back, 0, SEEK_SET) < 0)
        die("seek");
    r = dh_reader_new(p->stream);
    if (!r)
        die("reader");
    status = c->from(r, p->back, e) < 0 ? e->status : DH_OK;
    dh_reader_free(r);
    return status;
}

/* What is in p->file, there and back. The status, or -1 after saying what is wrong. */
static int there_and_back(struct place *p, const struct converter *c, enum dh_encoding encoding)
{
    struct dh_err e = {0}, e2 = {0};
    struct dh_writer *w;

    keep(&p->file);
    replace(p->demo, &p->file);
    if (ftruncate(p->stream, 0) < 0 || lseek(p->stream, 0, SEEK_SET) < 0)
        die("seek");
    w = dh_writer_new(p->stream, encoding, false);
    if (!w)
        die("writer");
    int status = c->to(p->demo, w, &e) < 0 ? e.status : DH_OK;
    if (dh_writer_free(w, &e) < 0)
        die("writer");
    read_all(p->stream, &p->text);
    if (p->text.n == 0) {
        if (status == DH_OK)
            fprintf(stderr, "mutate: status 0, and nothing written\n");
        return status == DH_OK ? -1 : status;
    }
    if (status != DH_OK && status != DH_INCOMPLETE) {
        fprintf(stderr, "mutate: status %d (%s), and yet something written\n", status, e.msg);
        return -1;
    }
    int again = convert_back(p, c, &e2);
    read_all(p->back, &p->got);
    if (again != status || p->got.n != p->file.n || memcmp(p->got.p, p->file.p, p->file.n) != 0) {
        fprintf(stderr, "mutate: status %d (%s), back %d (%s), %zu bytes for %zu\n", status, e.msg, again, e2.msg,
                p->got.n, p->file.n);
        return -1;
    }
    return status;
}

static int one(struct place *p, const struct converter *c, struct rng *r)
{
    struct dh_err e;

    damage(r, &p->file);
    if (there_and_back(p, c, rng_below(r, 2) ? DH_TEXT : DH_BINARY) < 0)
        return 1;
    if (p->text.n > 0 && rng_below(r, 2)) {
        damage(r, &p->text);
        replace(p->stream, &p->text);
        convert_back(p, c, &e);
    }
    return 0;
}

static void begin(struct place *p)
{
    *p = (struct place){memfd_create("demo", 0), memfd_create("stream", 0), memfd_create("back", 0), {0}, {0}, {0}};
    if (p->demo < 0 || p->stream < 0 || p->back < 0)
        die("memfd_create");
}

/* Without a version byte a beginning may make no sense, or be whole as another game's. */
static int every_beginning(const struct converter *c, const struct dh_buf *f, const char *name)
{
    struct place p;
    bool whole = false, versioned = f->n > 0 && f->p[0] > 4;

    begin(&p);
    for (size_t n = 0; n <= f->n; n++)
        for (int encoding = DH_TEXT; encoding <= DH_BINARY; encoding++) {
            dh_buf_clear(&p.file);
            dh_put_bytes(&p.file, f->p, n);
            int status = there_and_back(&p, c, (enum dh_encoding)encoding);
            if (status < 0 || (versioned && status != (whole ? DH_OK : DH_INCOMPLETE) && (whole || status != DH_OK))) {
                fprintf(stderr, "mutate: %s: the first %zu bytes: status %d\n", name, n, status);
                return 1;
            }
            whole |= status == DH_OK;
        }
    close(p.demo);
    close(p.stream);
    close(p.back);
    dh_buf_free(&p.file);
    dh_buf_free(&p.text);
    dh_buf_free(&p.got);
    if (!whole)
        fprintf(stderr, "mutate: %s: not whole\n", name);
    return !whole;
}

/* The last byte of the text is a newline, and without it the text is whole. */
static int every_text_beginning(const struct converter *c, const struct dh_buf *f, const char *name)
{
    struct place p;
    struct dh_buf text = {0}, part = {0};

    begin(&p);
    dh_put_bytes(&p.file, f->p, f->n);
    if (there_and_back(&p, c, DH_TEXT) != DH_OK) {
        fprintf(stderr, "mutate: %s: not whole\n", name);
        return 1;
    }
    dh_put_bytes(&text, p.text.p, p.text.n);
    for (size_t n = 0; n + 1 < text.n; n++) {
        struct dh_err e = {0};

        dh_buf_clear(&part);
        dh_put_bytes(&part, text.p, n);
        replace(p.stream, &part);
        int status = convert_back(&p, c, &e);
        read_all(p.back, &p.got);
        if (status != DH_INCOMPLETE || p.got.n > f->n || (p.got.n > 0 && memcmp(p.got.p, f->p, p.got.n) != 0)) {
            fprintf(stderr, "mutate: %s: the first %zu bytes of its text: status %d (%s), %zu bytes back\n", name, n,
                    status, e.msg, p.got.n);
            return 1;
        }
    }
    return 0;
}

static void load(const char *path, size_t max, struct dh_buf *b)
{
    int fd = open(path, O_RDONLY);

    if (fd < 0)
        die(path);
    read_all(fd, b);
    close(fd);
    shorten(b, max);
}

/* A batch in a process of its own: a crash ends only that. shown is shared with the parent. */
static int batch(const struct converter *c, const struct dh_buf *files, uint32_t nfiles, uint64_t seed, uint64_t first,
                 uint64_t n, volatile uint64_t *shown)
{
    struct place p;

    begin(&p);
    for (uint64_t i = first; i < first + n; i++) {
        struct rng r = {seed * UINT64_C(0x9e3779b97f4a7c15) + i};
        const struct dh_buf *f;

        *shown = i;
        rng_next(&r);
        f = &files[rng_below(&r, nfiles)];
        dh_buf_clear(&p.file);
        dh_put_bytes(&p.file, f->p, f->n);
        alarm(SECONDS);
        if (one(&p, c, &r))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct dh_buf files[MAX_FILES];
    uint64_t n = 1000, seed = 1, first = 0, max = 3000;
    const struct converter *c = NULL;
    uint32_t nfiles = 0;
    int (*beginnings)(const struct converter *, const struct dh_buf *, const char *) = NULL;

    for (int o; (o = getopt(argc, argv, "ptn:s:f:l:")) != -1;) {
        if (o == 'p' || o == 't') {
            beginnings = o == 'p' ? every_beginning : every_text_beginning;
            continue;
        }
        uint64_t v = o == '?' ? 0 : strtoull(optarg, NULL, 10);
        *(o == 'n' ? &n : o == 's' ? &seed : o == 'f' ? &first : &max) = v;
    }
    for (size_t i = 0; optind < argc && i < sizeof converters / sizeof converters[0]; i++)
        if (strcmp(argv[optind], converters[i].name) == 0)
            c = &converters[i];
    if (!c || argc - optind < 2 || max < 4) {
        fprintf(stderr, "usage: mutate [-p|-t] [-n N] [-s SEED] [-f FIRST] [-l BYTES] lmp|dem FILE...\n");
        return 2;
    }
    for (int i = optind + 1; i < argc && nfiles < MAX_FILES; i++)
        load(argv[i], (size_t)max, &files[nfiles++]);
    for (uint32_t i = 0; beginnings && i < nfiles; i++)
        if (beginnings(c, &files[i], argv[optind + 1 + (int)i]))
            return 1;
    if (beginnings)
        return 0;
    uint64_t *shown = mmap(NULL, sizeof *shown, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shown == MAP_FAILED)
        die("mmap");

    for (uint64_t at = 0; at < n; at += BATCH) {
        int status;
        pid_t pid = fork();
        if (pid == 0)
            _exit(batch(c, files, nfiles, seed, first + at, n - at < BATCH ? n - at : BATCH, shown));
        if (pid < 0 || waitpid(pid, &status, 0) < 0)
            die("fork");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fprintf(stderr, "mutate: file %llu of seed %llu: %s %d\n", (unsigned long long)*shown,
                    (unsigned long long)seed, WIFSIGNALED(status) ? "signal" : "status",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            return 1;
        }
    }
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    printf("%llu damaged files, %ld KiB at most\n", (unsigned long long)n, use.ru_maxrss);
#ifndef __SANITIZE_ADDRESS__
    if (use.ru_maxrss > MEMORY_KIB) {
        fprintf(stderr, "mutate: more than %d KiB\n", MEMORY_KIB);
        return 1;
    }
#endif
    return 0;
}
