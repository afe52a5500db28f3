/* SPDX-License-Identifier: ISC */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "report.h"

enum { OPT_ALL = 0x100, OPT_ONLY, OPT_IGNORE, OPT_BY_ORDER, OPT_TAP, OPT_BISECT };

static const struct option longs[] = {
    {"all", no_argument, NULL, OPT_ALL},
    {"only", required_argument, NULL, OPT_ONLY},
    {"ignore", required_argument, NULL, OPT_IGNORE},
    {"by-order", no_argument, NULL, OPT_BY_ORDER},
    {"tap", no_argument, NULL, OPT_TAP},
    {"bisect", no_argument, NULL, OPT_BISECT},
    {0},
};

static const struct cmd_tool tool = {
    .name = "dhdiff",
    .usage = "[-q] [--all | --tap] [--only FIELDS] [--ignore FIELDS] [--by-order] [--bisect] [file [file]]",
    .help = "Compare the checkpoints of a demo stream with its snapshots, or the states of two streams.\n"
            "  -q               no report, the status alone\n"
            "  --all            a line for every difference\n"
            "  --tap            report as TAP, a test for every state\n"
            "  --only FIELDS    compare these fields alone: field or Type.field, split by commas\n"
            "  --ignore FIELDS  leave these fields out\n"
            "  --by-order       match entities of a type by their order, not their id\n"
            "  --bisect         statuses for git bisect run: 1 for a difference, 125 where nothing can be told",
    .options = "q",
    .longs = longs,
};

struct input {
    const char *name;
    int fd;
    struct dh_reader *r;
};

static void print(struct dh_report *r)
{
    fwrite(r->out.p, 1, r->out.n, stdout); /* cmd_finish says if that failed */
}

static int open_input(struct input *in, const char *name)
{
    in->name = name;
    in->fd = cmd_open(name);
    if (in->fd < 0)
        return -1;
    in->r = dh_reader_new(in->fd);
    if (!in->r)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    return 0;
}

static int one_comparison(struct input in[2], const struct dh_diff_opts *o, struct dh_report *report)
{
    struct dh_diff_result res;
    struct dh_reader *who;
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    int status = DH_OK;

    if (dh_diff(in[0].r, in[1].r, o, &res, &who, &e) < 0)
        status = cmd_error(!who ? NULL : who == in[0].r ? in[0].name : in[1].name, &e);
    if (res.different > 0)
        status = dh_worse(status, DH_DIVERGED);
    if (res.checked == 0 || res.alone > 0 || res.uncompared > 0)
        status = dh_worse(status, DH_INCOMPLETE);
    dh_report_stream(report, &res, in[1].r != NULL);
    return status;
}

/* Stream by stream; both inputs have to have as many. */
static int compare(struct input in[2], const struct dh_diff_opts *o, struct dh_report *report)
{
    int status = DH_OK;

    for (;;) {
        int got[2] = {dh_reader_stream(in[0].r), 0};
        got[1] = in[1].r ? dh_reader_stream(in[1].r) : got[0];
        for (int i = 0; i < 2; i++)
            if (in[i].r && got[i] < 0)
                status = dh_worse(status, cmd_error(in[i].name, dh_reader_error(in[i].r)));
        if (got[0] <= 0 || got[1] <= 0) {
            if (status != DH_TROUBLE && got[0] + got[1] == 1) {
                cmd_warn(in[got[1]].name, "has more streams than %s", in[got[0]].name);
                status = dh_worse(status, DH_INCOMPLETE);
                while (dh_reader_stream(in[got[1]].r) > 0)
                    continue;
            }
            return status;
        }
        status = dh_worse(status, one_comparison(in, o, report));
        if (status == DH_TROUBLE)
            return status;
    }
}

static int for_bisect(int status)
{
    return status == DH_DIVERGED ? 1 : status == DH_OK ? 0 : 125;
}

int main(int argc, char **argv)
{
    struct dh_report report = {.flush = print};
    struct dh_diff_opts o = {.on_setup = dh_report_setup,
                             .on_diff = dh_report_diff,
                             .on_state = dh_report_state,
                             .on_alone = dh_report_alone,
                             .ctx = &report};
    struct input in[2] = {{.fd = -1}, {.fd = -1}};
    bool quiet = false, all = false, tap = false, bisect = false;
    int status = DH_OK;

    cmd_start(&tool);
    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case 'q':
            quiet = true;
            break;
        case OPT_ALL:
            all = true;
            break;
        case OPT_ONLY:
            o.filter.only = optarg;
            break;
        case OPT_IGNORE:
            o.filter.ignore = optarg;
            break;
        case OPT_BY_ORDER:
            o.by_order = true;
            break;
        case OPT_TAP:
            tap = true;
            break;
        case OPT_BISECT:
            bisect = true;
            break;
        }
    int n = argc - optind;
    if (n > 2)
        cmd_usage("more than two files");
    if (n == 2 && strcmp(argv[optind], "-") == 0 && strcmp(argv[optind + 1], "-") == 0)
        cmd_usage("standard input cannot be both streams");
    if (all && tap)
        cmd_usage("--all and --tap: one of them");
    report.form = quiet ? DH_REPORT_QUIET : all ? DH_REPORT_ALL : tap ? DH_REPORT_TAP : DH_REPORT_FIRST;

    for (int i = 0; i < (n > 1 ? 2 : 1); i++)
        if (open_input(&in[i], n > 0 ? argv[optind + i] : "-") < 0)
            status = DH_TROUBLE;
    if (status == DH_OK)
        status = compare(in, &o, &report);
    dh_report_end(&report);
    for (int i = 0; i < 2; i++) {
        dh_reader_free(in[i].r);
        if (in[i].fd > STDERR_FILENO)
            close(in[i].fd);
    }
    status = cmd_finish(status, NULL);
    return bisect ? for_bisect(status) : status;
}
