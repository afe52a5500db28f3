/* SPDX-License-Identifier: ISC */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "slice.h"

enum { OPT_FROM = 0x100, OPT_UNTIL, OPT_EVERY, OPT_INPUTS };

static const struct option longs[] = {
    {"from", required_argument, NULL, OPT_FROM},
    {"until", required_argument, NULL, OPT_UNTIL},
    {"every", required_argument, NULL, OPT_EVERY},
    {"inputs", no_argument, NULL, OPT_INPUTS},
    {0},
};

static const struct cmd_tool tool = {
    .name = "dhsplit",
    .usage = "[-bu] [--from T] [--until T] [--inputs] [file]\n"
             "[-bu] [--from T] [--until T] [--inputs] --every N -o PATTERN [file]",
    .help = "Cut a demo stream into slices, each a valid demo: ticks from T up to, not including, T.\n"
            "  --from T    begin at the latest checkpoint at or before tick T\n"
            "  --until T   end before tick T\n"
            "  --every N   a slice from each multiple of N ticks to the next\n"
            "  -o PATTERN  files for --every; %d (or %03d) in it is the slice's number, from 0\n"
            "  --inputs    cut the inputs alone, moved to the stream's start: another run\n"
            "  -b          write the binary encoding\n"
            "  -u          write each record at once",
    .options = "buo:",
    .longs = longs,
};

struct split {
    struct dh_slice_opts opts;
    enum dh_encoding enc;
    bool unbuffered;
    const char *pattern;
    const char *name;      /* of the input */
    struct dh_writer *out; /* on standard output; NULL with a pattern */
    int fd;                /* of the open file */
    int number;            /* of the next file */
    char path[4096];       /* of the open or last file */
};

/* ---- where slices go --------------------------------------------------------------------------------------------- */

/* The pattern up to its conversion and what follows that; the conversion's width, with zeros or not. */
struct pattern {
    size_t before;
    const char *after;
    int width;
    bool zeros;
};

static bool parse_pattern(const char *s, struct pattern *p)
{
    const char *percent = strchr(s, '%'), *d = percent;

    if (!percent)
        return false;
    p->before = (size_t)(percent - s);
    p->zeros = *++d == '0';
    for (p->width = 0; *d >= '0' && *d <= '9' && p->width < 100; d++)
        p->width = p->width * 10 + (*d - '0');
    p->after = d + 1;
    return *d == 'd' && p->width < 100 && !strchr(p->after, '%');
}

static bool make_path(struct split *s)
{
    struct pattern p;
    int n;

    if (!parse_pattern(s->pattern, &p))
        return false;
    n = snprintf(s->path, sizeof s->path, p.zeros ? "%.*s%0*d%s" : "%.*s%*d%s", (int)p.before, s->pattern, p.width,
                 s->number++, p.after);
    return n > 0 && (size_t)n < sizeof s->path;
}

static struct dh_writer *open_slice(void *ctx, struct dh_err *e)
{
    struct split *s = ctx;
    struct dh_writer *w;

    if (!s->pattern)
        return s->out;
    if (!make_path(s))
        dh_fail(e, DH_TROUBLE, "the name of a slice's file is too long");
    else if ((s->fd = open(s->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
        dh_fail(e, DH_TROUBLE, "%.256s: %s", s->path, strerror(errno));
    else if (!(w = dh_writer_new(s->fd, s->enc, s->unbuffered)))
        dh_fail(e, DH_TROUBLE, "out of memory");
    else
        return w;
    return NULL;
}

static int close_slice(void *ctx, struct dh_writer *w, bool whole, struct dh_err *e)
{
    struct split *s = ctx;
    struct dh_err why;
    int rc = 0;

    (void)whole;
    if (!s->pattern)
        return 0;
    if (dh_writer_free(w, &why) < 0)
        rc = dh_fail(e, DH_TROUBLE, "%.256s: %.200s", s->path, why.msg);
    if (close(s->fd) < 0 && errno != EINTR && rc == 0)
        rc = dh_fail(e, DH_TROUBLE, "%.256s: close failed: %s", s->path, strerror(errno));
    s->fd = -1;
    return rc;
}

static void note(void *ctx, const char *text)
{
    const struct split *s = ctx;

    if (s->pattern)
        cmd_warn(s->name, "%s: %s", s->path, text);
    else
        cmd_warn(s->name, "%s", text);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static int one_stream(struct split *s, struct dh_reader *r)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    int rc = dh_slice(r, &s->opts, &e);

    if (rc == DH_SLICE_WRITE_FAILED && !s->pattern)
        cmd_write_failed(s->out);
    if (rc < 0)
        return cmd_error(rc == DH_SLICE_WRITE_FAILED ? s->path : s->name, &e);
    return DH_OK;
}

static int one_input(int fd, const char *name, void *arg)
{
    struct split *s = arg;
    struct dh_reader *r = dh_reader_new(fd);
    int status = DH_OK, got;

    if (!r)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    s->name = name;
    while ((got = dh_reader_stream(r)) > 0 && status != DH_TROUBLE)
        status = dh_worse(status, one_stream(s, r));
    if (got < 0)
        status = dh_worse(status, cmd_error(name, dh_reader_error(r)));
    dh_reader_free(r);
    return status;
}

static void options(struct split *s, int argc, char **argv)
{
    struct dh_slice_opts *o = &s->opts;
    struct pattern p;

    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case 'b':
            s->enc = DH_BINARY;
            break;
        case 'u':
            s->unbuffered = true;
            break;
        case 'o':
            s->pattern = optarg;
            break;
        case OPT_FROM:
            o->has_from = true;
            o->from = (uint32_t)cmd_number("--from", optarg, 0, UINT32_MAX);
            break;
        case OPT_UNTIL:
            o->has_until = true;
            o->until = (uint32_t)cmd_number("--until", optarg, 0, UINT32_MAX);
            break;
        case OPT_EVERY:
            o->every = (uint32_t)cmd_number("--every", optarg, 1, UINT32_MAX);
            break;
        case OPT_INPUTS:
            o->inputs_only = true;
            break;
        }
    if (argc - optind > 1)
        cmd_usage("more than one file");
    if (o->has_from && o->has_until && o->from >= o->until)
        cmd_usage("--from %lu and --until %lu: nothing lies between", (unsigned long)o->from, (unsigned long)o->until);
    if ((o->every != 0) != (s->pattern != NULL))
        cmd_usage("--every and -o go together");
    if (s->pattern && !parse_pattern(s->pattern, &p))
        cmd_usage("-o: expected a pattern with one %%d, found '%s'", s->pattern);
}

int main(int argc, char **argv)
{
    struct split s = {
        .opts = {.open = open_slice, .close = close_slice, .note = note},
        .enc = DH_TEXT,
        .fd = -1,
    };

    cmd_start(&tool);
    options(&s, argc, argv);
    s.opts.ctx = &s;
    if (!s.pattern)
        s.out = cmd_writer(s.enc, s.unbuffered);
    return cmd_finish(cmd_inputs(argc - optind, argv + optind, one_input, &s), s.out);
}
