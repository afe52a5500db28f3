/* SPDX-License-Identifier: ISC */
/* Programs of others that read archives, and files without a name. */
#include "info/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io.h"

extern char **environ;

enum { ARCHIVE_FD = 3, MAX_ENVIRONMENT = 1024 };

static int nameless_file(struct dh_err *e)
{
    const char *dir = getenv("TMPDIR");
    char path[4096];

    if (!dir || dir[0] == '\0')
        dir = "/tmp";
    if (snprintf(path, sizeof path, "%s/dh-XXXXXX", dir) >= (int)sizeof path)
        return dh_fail(e, DH_TROUBLE, "TMPDIR is too long");
    int fd = mkstemp(path);
    if (fd < 0)
        return dh_fail(e, DH_TROUBLE, "%s: no temporary file: %s", dir, strerror(errno));
    unlink(path);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

static int copy(int from, int to, uint64_t max, struct dh_err *e)
{
    uint8_t buf[1 << 16];
    uint64_t done = 0;

    for (;;) {
        ssize_t n = read(from, buf, sizeof buf);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno));
        if (n == 0)
            return 0;
        if ((uint64_t)n > max - done)
            return dh_fail(e, DH_TROUBLE, "too large for a demo: more than %llu bytes", (unsigned long long)max);
        if (dh_write_all(to, buf, (size_t)n) < 0)
            return dh_fail(e, DH_TROUBLE, "temporary file: %s", strerror(errno));
        done += (uint64_t)n;
    }
}

int info_put_aside(int fd, uint64_t max, struct dh_err *e)
{
    int to = nameless_file(e);

    if (to < 0)
        return -1;
    if (copy(fd, to, max, e) == 0) {
        if (lseek(to, 0, SEEK_SET) == 0)
            return to;
        dh_fail(e, DH_TROUBLE, "temporary file: %s", strerror(errno));
    }
    close(to);
    return -1;
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

int info_spawn(const char *const *argv, int archive, int *pid)
{
    posix_spawn_file_actions_t a;
    char *env[MAX_ENVIRONMENT];
    int pipes[2], high[2] = {-1, -1};
    pid_t child;

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
            why = posix_spawnp(&child, argv[0], &a, NULL, (char *const *)argv, env);
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
    *pid = (int)child;
    return pipes[0];
}

int info_wait(int pid)
{
    int status;

    while (waitpid((pid_t)pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
