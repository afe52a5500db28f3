/* SPDX-License-Identifier: ISC */
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"
#include "row/row.h"

#ifndef DH_VERSION
#define DH_VERSION "unknown"
#endif

enum { OPT_VERSION = 0x7fff, MAX_LONGS = 64 };

static const struct cmd_tool *tool;
static struct option longs[MAX_LONGS];
static char letters[128];

/* Take the number of a closed descriptor with one that cannot do its job: reading standard input or writing standard
 * output then fails with EBADF, and no file that is opened later can be taken for it. */
static void guard(int fd, int flags)
{
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", flags) != fd)
        _exit(DH_TROUBLE);
}

void cmd_start(const struct cmd_tool *t)
{
    int n = 0;

    tool = t;
    guard(STDIN_FILENO, O_WRONLY);
    guard(STDOUT_FILENO, O_RDONLY);
    guard(STDERR_FILENO, O_WRONLY);
    signal(SIGPIPE, SIG_DFL);

    for (const struct option *o = t->longs; o && o->name && n < MAX_LONGS - 3; o++)
        longs[n++] = *o;
    longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
    longs[n++] = (struct option){"version", no_argument, NULL, OPT_VERSION};
    snprintf(letters, sizeof letters, ":h%s", t->options ? t->options : "");
    opterr = 0;
}

static void synopsis(FILE *f)
{
    const char *s = tool->usage;
    const char *lead = "usage:";

    for (;; s++) {
        int n = (int)strcspn(s, "\n");

        fprintf(f, "%s %s %.*s\n", lead, tool->name, n, s);
        lead = "      ";
        s += n;
        if (*s == '\0')
            return;
    }
}

/* Says what is wrong with standard output, for whoever prints through stdio. */
static int flush_stdout(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return DH_OK;
    cmd_warn("standard output", "write failed: %s", strerror(errno));
    return DH_TROUBLE;
}

/* What getopt refused: optopt is 0 for an unknown long option, a long option's val or a letter otherwise. */
_Noreturn static void misused(int c, char **argv)
{
    if (optopt == 0)
        cmd_usage("unknown option %s", argv[optind - 1]);
    for (const struct option *o = longs; o->name; o++)
        if (o->val == optopt && (optopt > 127 || !strchr(letters, optopt)))
            cmd_usage(c == ':' ? "--%s needs an argument" : "--%s takes no argument", o->name);
    cmd_usage(c == ':' ? "-%c needs an argument" : "unknown option -%c", optopt);
}

int cmd_option(int argc, char **argv)
{
    int c = getopt_long(argc, argv, letters, longs, NULL);

    switch (c) {
    case 'h':
        synopsis(stdout);
        printf("%s\n", tool->help);
        exit(cmd_finish(DH_OK, NULL));
    case OPT_VERSION:
        printf("%s %s\n", tool->name, DH_VERSION);
        exit(cmd_finish(DH_OK, NULL));
    case ':':
    case '?':
        misused(c, argv);
    default:
        return c;
    }
}

static void vwarn(const char *file, const char *fmt, va_list ap)
{
    fprintf(stderr, "%s: ", tool->name);
    if (file)
        fprintf(stderr, "%s: ", strcmp(file, "-") == 0 ? "standard input" : file);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
}

void cmd_usage(const char *fmt, ...)
{
    if (fmt) {
        va_list ap;

        va_start(ap, fmt);
        vwarn(NULL, fmt, ap);
        va_end(ap);
    }
    synopsis(stderr);
    exit(DH_TROUBLE);
}

void cmd_warn(const char *file, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vwarn(file, fmt, ap);
    va_end(ap);
}

int cmd_error(const char *file, const struct dh_err *e)
{
    char buf[sizeof e->msg + 64];

    dh_err_format(e, buf, sizeof buf);
    cmd_warn(file, "%s", buf);
    return e->status;
}

const char *cmd_plain(struct dh_buf *b, const void *p, size_t n)
{
    dh_buf_clear(b);
    row_plain(b, p, n);
    dh_put_u8(b, '\0');
    if (b->failed)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    return (const char *)b->p;
}

int cmd_error_inside(const char *file, const struct dh_err *e)
{
    char what[sizeof e->msg + 64];
    struct dh_buf name = {0}, text = {0};

    dh_err_format(e, what, sizeof what);
    cmd_warn(cmd_plain(&name, file, strlen(file)), "%s", cmd_plain(&text, what, strlen(what)));
    dh_buf_free(&name);
    dh_buf_free(&text);
    return e->status;
}

void cmd_die(int status, const char *file, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vwarn(file, fmt, ap);
    va_end(ap);
    exit(status);
}

uint64_t cmd_number(const char *option, const char *arg, uint64_t min, uint64_t max)
{
    uint64_t v = 0;
    const char *p = arg;

    for (; *p >= '0' && *p <= '9' && v <= max / 10; p++)
        v = v * 10 + (uint64_t)(*p - '0');
    if (p == arg || *p != '\0' || v < min || v > max)
        cmd_usage("%s: expected a number from %llu to %llu, found '%s'", option, (unsigned long long)min,
                  (unsigned long long)max, arg);
    return v;
}

void cmd_list_add(struct cmd_list *l, char *word)
{
    char **grown = realloc(l->list, (l->n + 2) * sizeof *grown);

    if (!grown)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    l->list = grown;
    if (word)
        l->list[l->n++] = word;
    l->list[l->n] = NULL;
}

char *cmd_setting(const char *key, const char *value)
{
    const size_t n = strlen(key) + strlen("=") + strlen(value) + 1;
    char *setting = malloc(n);

    if (!setting)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    snprintf(setting, n, "%s=%s", key, value);
    return setting;
}

void cmd_flush(struct dh_buf *b)
{
    if (b->failed)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    if (dh_write_all(STDOUT_FILENO, b->p, b->n) < 0)
        cmd_die(DH_TROUBLE, "standard output", "write failed: %s", strerror(errno));
    dh_buf_clear(b);
}

int cmd_open(const char *path)
{
    int fd;

    if (strcmp(path, "-") == 0)
        return STDIN_FILENO;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        cmd_warn(path, "%s", strerror(errno));
    return fd;
}

int cmd_inputs(int n, char **operands, int (*one)(int fd, const char *name, void *arg), void *arg)
{
    int status = DH_OK;

    if (n == 0)
        return one(STDIN_FILENO, "-", arg);
    for (int i = 0; i < n; i++) {
        int fd = cmd_open(operands[i]);

        status = dh_worse(status, fd < 0 ? DH_TROUBLE : one(fd, operands[i], arg));
        if (fd > STDERR_FILENO)
            close(fd);
    }
    return status;
}

struct dh_writer *cmd_writer(enum dh_encoding enc, bool unbuffered)
{
    struct dh_writer *w;

    if (enc == DH_BINARY && isatty(STDOUT_FILENO))
        cmd_die(DH_TROUBLE, "standard output", "not writing binary to a terminal");
    w = dh_writer_new(STDOUT_FILENO, enc, unbuffered);
    if (!w)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    return w;
}

void cmd_write_failed(const struct dh_writer *w)
{
    cmd_error("standard output", dh_writer_error(w));
    exit(DH_TROUBLE);
}

int cmd_finish(int status, struct dh_writer *w)
{
    struct dh_err e;

    if (w && dh_writer_free(w, &e) < 0) {
        cmd_error("standard output", &e);
        status = DH_TROUBLE;
    }
    status = dh_worse(status, flush_stdout());
    /* Some file systems only say at the close that the disk is full. A closed descriptor that nothing was written to is
     * no failure: cmd_start has put /dev/null there. */
    if (close(STDOUT_FILENO) < 0 && errno != EINTR) {
        cmd_warn("standard output", "close failed: %s", strerror(errno));
        status = DH_TROUBLE;
    }
    return status;
}
