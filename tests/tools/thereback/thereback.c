/* SPDX-License-Identifier: ISC */
/*
 * thereback: a demo through the two converters and back.
 *
 *   thereback TO FROM STATUS FILE MODE...
 *
 * Each MODE is `text`, `-b`, or `pipe` (text, with the demo on standard input through a pipe, which has no size). TO
 * and FROM are looked up on PATH. Both have to end with STATUS, and the bytes have to be those of FILE. What they write
 * is left in the current folder: rt.dh, rt.back, and in rt.err what FROM said. Status 1, and what is wrong on standard
 * output.
 *
 * For the tests, which do this by the hundred: a shell's forks cost them more than the converters.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct bytes {
    char *p;
    size_t n;
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "thereback: %s: %s\n", what, strerror(errno));
    exit(2);
}

static struct bytes load(const char *path)
{
    struct stat st;
    struct bytes b;
    size_t at = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) < 0)
        die(path);
    b.n = (size_t)st.st_size;
    b.p = malloc(b.n + 1);
    while (b.p && at < b.n) {
        ssize_t n = read(fd, b.p + at, b.n - at);
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    if (!b.p || at < b.n)
        die(path);
    b.p[b.n] = 0;
    close(fd);
    return b;
}

/* Runs a converter with these bytes on a pipe, or with nothing; its status, that of a shell where a signal ended it. */
static int convert(const char *const argv[], const char *out, const struct bytes *in)
{
    posix_spawn_file_actions_t files;
    int ends[2] = {-1, -1}, status;
    pid_t pid;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&files, 2, "rt.err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (in) {
        if (pipe(ends) < 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) < 0)
            die("pipe");
        posix_spawn_file_actions_adddup2(&files, ends[0], 0);
        posix_spawn_file_actions_addclose(&files, ends[0]);
    }
    errno = posix_spawnp(&pid, argv[0], &files, NULL, (char *const *)argv, environ);
    if (errno)
        die(argv[0]);
    posix_spawn_file_actions_destroy(&files);
    if (in) {
        close(ends[0]);
        for (size_t at = 0; at < in->n;) {
            ssize_t n = write(ends[1], in->p + at, in->n - at);
            if (n <= 0)
                break; /* it wants no more */
            at += (size_t)n;
        }
        close(ends[1]);
    }
    if (waitpid(pid, &status, 0) < 0)
        die("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool is_status(int got, int want, const char *what, const char *mode, const char *file)
{
    if (got != want)
        printf("%s%s (%s): status %d, want %d: %s", what, file, mode, got, want, load("rt.err").p);
    return got == want;
}

/* The first difference; diff tells the rest. */
static bool is_same(const struct bytes *got, const struct bytes *want, const char *mode, const char *file)
{
    size_t at = 0, n = got->n < want->n ? got->n : want->n;

    while (at < n && got->p[at] == want->p[at])
        at++;
    if (at == n && got->n == want->n)
        return true;
    printf("%s (%s): %zu bytes come back as %zu; the first difference is at byte %zu", file, mode, want->n, got->n, at);
    if (at < n)
        printf(": 0x%02x, want 0x%02x", (unsigned char)got->p[at], (unsigned char)want->p[at]);
    printf("\n");
    return false;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: thereback TO FROM STATUS FILE text|-b|pipe...\n");
        return 2;
    }
    const char *to = argv[1], *from = argv[2], *file = argv[4];
    int want = atoi(argv[3]);
    struct bytes demo = load(file);

    signal(SIGPIPE, SIG_IGN);
    for (int i = 5; i < argc; i++) {
        const char *mode = argv[i];
        bool piped = strcmp(mode, "pipe") == 0, binary = strcmp(mode, "-b") == 0;
        const char *there[] = {to, piped ? NULL : binary ? "-b" : file, binary ? file : NULL, NULL};
        const char *back[] = {from, "rt.dh", NULL};

        if (!piped && !binary && strcmp(mode, "text") != 0) {
            fprintf(stderr, "thereback: no such mode: %s\n", mode);
            return 2;
        }
        if (!is_status(convert(there, "rt.dh", piped ? &demo : NULL), want, to, mode, file) ||
            !is_status(convert(back, "rt.back", NULL), want, from, mode, file))
            return 1;
        struct bytes got = load("rt.back");
        if (!is_same(&got, &demo, mode, file))
            return 1;
        free(got.p);
    }
    return 0;
}
