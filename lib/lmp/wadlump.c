/* SPDX-License-Identifier: ISC */
/* A demo inside a WAD: "IWAD" or "PWAD", i32 number of lumps, i32 offset of the directory; there 16 bytes a lump: i32
 * offset, i32 size, name of up to 8 bytes (doomwiki.org/wiki/WAD). Little-endian. */
#include "lmp/lmp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WAD_HEADER = 12, ENTRY = 16, NAME = 8, BATCH = 256 };

struct lump {
    uint64_t offset, size;
    bool found;
};

/* A file, or one that is in memory. */
struct wad {
    int fd; /* -1: in memory */
    const uint8_t *p;
    uint64_t size;
};

/* All n bytes at an offset; a file that ends before is an error here: the WAD's own lengths said that they are there.
 */
static int read_at(const struct wad *w, void *p, size_t n, uint64_t offset, struct dh_err *e)
{
    size_t done = 0;

    if (w->fd < 0) {
        memcpy(p, w->p + offset, n);
        return 0;
    }
    while (done < n) {
        ssize_t got = pread(w->fd, (char *)p + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            int r = got < 0 ? dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno))
                            : dh_fail(e, DH_TROUBLE, "truncated WAD: %zu bytes expected, %zu found", n, done);
            e->offset = offset + done;
            return r;
        }
        done += (size_t)got;
    }
    return 0;
}

/* ASCII alone: a locale has no say in lump names. */
static uint8_t upper(uint8_t c)
{
    return c >= 'a' && c <= 'z' ? (uint8_t)(c - 'a' + 'A') : c;
}

static bool named(const uint8_t *name, const char *want)
{
    for (int i = 0; i < NAME; i++) {
        if (upper(name[i]) != upper((uint8_t)want[i]))
            return false;
        if (want[i] == '\0')
            return true; /* what follows the NUL is rubbish in many WADs */
    }
    return true;
}

static int from_file(struct wad *w, int fd, struct dh_err *e)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return dh_fail(e, DH_TROUBLE, "cannot look for lumps: not a regular file");
    *w = (struct wad){.fd = fd, .size = (uint64_t)st.st_size};
    return 0;
}

/* The directory's place and length, checked against the file's. */
static int directory(const struct wad *w, uint64_t *at, uint32_t *count, struct dh_err *e)
{
    uint8_t header[WAD_HEADER];

    if (w->size < WAD_HEADER)
        return dh_fail(e, DH_TROUBLE, "not a WAD: %llu bytes, the header alone takes %d", (unsigned long long)w->size,
                       WAD_HEADER);
    if (read_at(w, header, sizeof header, 0, e) < 0)
        return -1;
    if (memcmp(header, "IWAD", 4) != 0 && memcmp(header, "PWAD", 4) != 0)
        return dh_fail(e, DH_TROUBLE, "not a WAD: expected IWAD or PWAD, found bytes %02x %02x %02x %02x", header[0],
                       header[1], header[2], header[3]);

    struct dh_cur c = dh_cur(header + 4, sizeof header - 4);
    *count = dh_get_u32(&c);
    *at = dh_get_u32(&c);
    if (*at > w->size || *count > (w->size - *at) / ENTRY)
        return dh_fail(e, DH_TROUBLE, "truncated WAD: a directory of %lu lumps at byte %lu does not fit in %llu bytes",
                       (unsigned long)*count, (unsigned long)*at, (unsigned long long)w->size);
    return 0;
}

static int check_place(const char *name, uint64_t offset, uint64_t size, uint64_t file, struct dh_err *e)
{
    if (offset <= file && size <= file - offset)
        return 0;
    return dh_fail(e, DH_TROUBLE, "truncated WAD: lump %s is %llu bytes at byte %llu, the file has %llu", name,
                   (unsigned long long)size, (unsigned long long)offset, (unsigned long long)file);
}

/* Walk the directory. 0, -1 with e filled, or what fn gave if not 0. */
static int walk(const struct wad *w, uint64_t at, uint64_t count,
                int (*fn)(void *ctx, const uint8_t *entry, struct dh_err *e), void *ctx, struct dh_err *e)
{
    uint8_t entries[BATCH * ENTRY];
    int rc = 0;

    for (uint64_t i = 0; i < count && rc == 0; i += BATCH) {
        size_t batch = count - i < BATCH ? (size_t)(count - i) : BATCH;
        if (read_at(w, entries, batch * ENTRY, at + i * ENTRY, e) < 0)
            return -1;
        for (size_t k = 0; k < batch && rc == 0; k++)
            rc = fn(ctx, entries + k * ENTRY, e);
    }
    return rc;
}

/* The last lump of a name hides the earlier ones, as it does for the engines. */
struct search {
    const char *want;
    struct lump lump;
};

static int compare(void *ctx, const uint8_t *entry, struct dh_err *e)
{
    struct search *s = ctx;
    struct dh_cur c = dh_cur(entry, ENTRY);
    uint32_t offset = dh_get_u32(&c), size = dh_get_u32(&c);

    (void)e;
    if (named(dh_get_bytes(&c, NAME), s->want))
        s->lump = (struct lump){offset, size, true};
    return 0;
}

int lmp_seek_lump(int fd, const char *lump, uint64_t *size, struct dh_err *e)
{
    struct search s = {.want = lump};
    struct wad w;
    uint64_t at;
    uint32_t count;

    if (lump[0] == '\0' || strlen(lump) > NAME)
        return dh_fail(e, DH_TROUBLE, "no lump name: '%s': expected 1 to %d characters", lump, NAME);
    if (from_file(&w, fd, e) < 0 || directory(&w, &at, &count, e) < 0 || walk(&w, at, count, compare, &s, e) < 0)
        return -1;
    if (!s.lump.found)
        return dh_fail(e, DH_TROUBLE, "no lump %s among the %lu of this WAD", lump, (unsigned long)count);
    if (check_place(lump, s.lump.offset, s.lump.size, w.size, e) < 0)
        return -1;
    if (lseek(fd, (off_t)s.lump.offset, SEEK_SET) < 0)
        return dh_fail(e, DH_TROUBLE, "cannot seek: %s", strerror(errno));
    *size = s.lump.size;
    return 0;
}

static int stop_at(void *ctx, const uint8_t *entry, struct dh_err *e)
{
    const struct search *s = ctx;

    compare(ctx, entry, e);
    return s->lump.found;
}

bool lmp_has_lump(const uint8_t *p, size_t n, const char *lump)
{
    const struct wad w = {.fd = -1, .p = p, .size = n};
    struct search s = {.want = lump};
    uint64_t at;
    uint32_t count;

    return directory(&w, &at, &count, NULL) == 0 && walk(&w, at, count, stop_at, &s, NULL) > 0;
}

struct listing {
    uint64_t file;
    lmp_lump_fn *fn;
    void *ctx;
};

static int list(void *ctx, const uint8_t *entry, struct dh_err *e)
{
    const struct listing *l = ctx;
    struct dh_cur c = dh_cur(entry, ENTRY);
    uint32_t offset = dh_get_u32(&c), size = dh_get_u32(&c);
    char name[NAME + 1] = "";

    memcpy(name, dh_get_bytes(&c, NAME), NAME);
    if (size > 0 && check_place(name, offset, size, l->file, e) < 0)
        return -1;
    return l->fn(l->ctx, name, offset, size, e);
}

static int each(const struct wad *w, lmp_lump_fn *fn, void *ctx, struct dh_err *e)
{
    struct listing l = {.file = w->size, .fn = fn, .ctx = ctx};
    uint64_t at;
    uint32_t count;

    if (directory(w, &at, &count, e) < 0)
        return -1;
    return walk(w, at, count, list, &l, e);
}

int lmp_each_lump(int fd, lmp_lump_fn *fn, void *ctx, struct dh_err *e)
{
    struct wad w;

    return from_file(&w, fd, e) < 0 ? -1 : each(&w, fn, ctx, e);
}

int lmp_each_lump_in(const uint8_t *p, size_t n, lmp_lump_fn *fn, void *ctx, struct dh_err *e)
{
    const struct wad w = {.fd = -1, .p = p, .size = n};

    return each(&w, fn, ctx, e);
}

int lmp_open(const char *operand, uint64_t *size, struct dh_err *e)
{
    int fd = open(operand, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        *size = LMP_TO_END;
        return fd;
    }
    int why = errno;
    const char *colon = strrchr(operand, ':');
    if ((why != ENOENT && why != ENOTDIR) || !colon || colon == operand)
        return dh_fail(e, DH_TROUBLE, "cannot open: %s", strerror(why));

    char *wad = strndup(operand, (size_t)(colon - operand));
    if (!wad)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    fd = open(wad, O_RDONLY | O_CLOEXEC);
    why = errno;
    free(wad);
    if (fd < 0)
        return dh_fail(e, DH_TROUBLE, "cannot open the WAD: %s", strerror(why));
    if (lmp_seek_lump(fd, colon + 1, size, e) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}
