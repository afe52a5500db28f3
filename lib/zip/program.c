/* SPDX-License-Identifier: ISC */
/* What is packed in a way that nothing here knows, by way of a program that does. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io.h"
#include "zip/inner.h"

extern char **environ;

enum { ARCHIVE_FD = 3, MAX_ENVIRONMENT = 1024, MAX_NAME = 4096, MAX_ARGS = 8 };

/* The archive is descriptor 3 whatever its name is; NULL stands for the member's. A password is given, so that nobody
 * is asked for one. */
static const struct program {
    const char *argv[MAX_ARGS];
    int n;
    int warns; /* the status for what came out all the same */
} programs[] = {
    {{"unzip", "-p", "-P", "x", "/dev/fd/3", NULL}, 6, 1},
    {{"bsdtar", "-xO", "-f", "/dev/fd/3", "--", NULL}, 6, 0},
};

/* Both take a member for a pattern: what would mean something there is quoted. false: the name is too long. */
static bool quote(char out[2 * MAX_NAME], const char *name)
{
    size_t n = 0;

    if (strlen(name) >= MAX_NAME)
        return false;
    for (const char *p = name; *p; p++) {
        if (strchr("*?[]\\", *p) || (p == name && *p == '-'))
            out[n++] = '\\';
        out[n++] = *p;
    }
    out[n] = '\0';
    return true;
}

/* Ours without what would change what the programs do. */
static void environment(char *env[MAX_ENVIRONMENT])
{
    static const char *const without[] = {"UNZIP=", "UNZIPOPT=", "ZIPINFO=", "ZIPINFOOPT=", "TAPE="};
    int n = 0;

    for (char **v = environ; *v && n < MAX_ENVIRONMENT - 1; v++) {
        bool keep = true;
        for (size_t k = 0; k < sizeof without / sizeof without[0]; k++)
            keep &= strncmp(*v, without[k], strlen(without[k])) != 0;
        if (keep)
            env[n++] = *v;
    }
    env[n] = NULL;
}

/* Standard input and error go nowhere, standard output to the pipe. Above ARCHIVE_FD nothing of ours is open there: all
 * our descriptors close on exec. The two that are put into their places are moved up first, lest one lands on another.
 */
static int actions(posix_spawn_file_actions_t *a, int output, int archive)
{
    int why = posix_spawn_file_actions_addopen(a, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (why == 0)
        why = posix_spawn_file_actions_addopen(a, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (why == 0)
        why = posix_spawn_file_actions_adddup2(a, output, STDOUT_FILENO);
    if (why == 0)
        why = posix_spawn_file_actions_adddup2(a, archive, ARCHIVE_FD);
    return why;
}

/* A program's standard output as a descriptor; -1 where it does not start: errno says why, ENOENT that there is no such
 * program. */
static int start(const char *const *argv, int archive, pid_t *pid)
{
    posix_spawn_file_actions_t a;
    char *env[MAX_ENVIRONMENT];
    int pipes[2], high[2] = {-1, -1};

    if (pipe(pipes) < 0)
        return -1;
    fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
    high[0] = fcntl(pipes[1], F_DUPFD_CLOEXEC, ARCHIVE_FD + 1);
    high[1] = fcntl(archive, F_DUPFD_CLOEXEC, ARCHIVE_FD + 1);
    int why = high[0] < 0 || high[1] < 0 ? errno : posix_spawn_file_actions_init(&a);
    close(pipes[1]);
    if (why == 0) {
        environment(env);
        why = actions(&a, high[0], high[1]);
        if (why == 0)
            why = posix_spawnp(pid, argv[0], &a, NULL, (char *const *)argv, env);
        posix_spawn_file_actions_destroy(&a);
    }
    for (int k = 0; k < 2; k++)
        if (high[k] >= 0)
            close(high[k]);
    if (why != 0) {
        close(pipes[0]);
        errno = why;
        return -1;
    }
    return pipes[0];
}

/* Its exit status, -1 where it was killed. */
static int finish(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int zip_by_program(const struct zip *z, const char *name, uint64_t max, struct dh_buf *b, struct dh_err *e)
{
    const struct program *p = programs, *end = programs + sizeof programs / sizeof programs[0];
    char pattern[2 * MAX_NAME];
    pid_t pid;
    int out = -1;

    if (!quote(pattern, name))
        return dh_fail(e, DH_TROUBLE, "the name is too long");
    for (; p < end; p++) {
        const char *argv[MAX_ARGS] = {NULL};
        memcpy(argv, p->argv, sizeof argv);
        argv[p->n - 1] = pattern;
        out = start(argv, z->fd, &pid);
        if (out >= 0)
            break;
        if (errno != ENOENT)
            return dh_fail(e, DH_TROUBLE, "%s: %s", p->argv[0], strerror(errno));
    }
    if (p == end)
        return dh_fail(e, DH_TROUBLE,
                       "neither deflated nor stored, and neither unzip nor bsdtar is installed to read it");
    int rc = dh_read_rest(out, b, max, "a demo", e);
    close(out); /* ends a program that has more to say */
    int status = finish(pid);
    if (rc == 0 && status != 0 && status != p->warns)
        rc = dh_fail(e, DH_TROUBLE, "cannot be read: encrypted, damaged, or packed in a way that is not known");
    return rc;
}
