/* SPDX-License-Identifier: ISC */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "verify/expect.h"
#include "verify/verify.h"

enum {
    OPT_IWAD = 0x100,
    OPT_FILE,
    OPT_DEH,
    OPT_NODEH,
    OPT_DEHLUMP,
    OPT_GAME_VERSION,
    OPT_FOOTER,
    OPT_WADS,
    OPT_EXPECT,
    OPT_ALL_LUMPS,
};

static const struct option longs[] = {
    {"iwad", required_argument, NULL, OPT_IWAD},
    {"file", required_argument, NULL, OPT_FILE},
    {"deh", required_argument, NULL, OPT_DEH},
    {"nodeh", no_argument, NULL, OPT_NODEH},
    {"dehlump", no_argument, NULL, OPT_DEHLUMP},
    {"game-version", required_argument, NULL, OPT_GAME_VERSION},
    {"use-footer", no_argument, NULL, OPT_FOOTER},
    {"wads", required_argument, NULL, OPT_WADS},
    {"expect", required_argument, NULL, OPT_EXPECT},
    {"all-lumps", no_argument, NULL, OPT_ALL_LUMPS},
    {0},
};

static const struct cmd_tool tool = {
    .name = "dhverify",
    .usage = "[-jt] [--iwad WAD] [--file WAD]... [--deh FILE]... [--nodeh] [--dehlump]\n"
             "[--game-version NAME] [--use-footer] [--wads DIR]... [-P N]\n"
             "[--expect FILE] [--all-lumps] [file | wad:LUMP | zip | zip:MEMBER ...]",
    .help = "Replay Doom demos, whole archives of them, and give a verdict on each, a line a demo.\n"
            "  -j            a JSON object a line\n"
            "  -t            a table, columns split by tabs, with a header\n"
            "  --iwad WAD    the game's WAD for all demos, by path or name; none: there is none\n"
            "  --file WAD    a WAD on top of it for all, in load order; none: no more\n"
            "  --deh FILE    a DEHACKED patch for all; none: there is none\n"
            "  --nodeh       without the patch that Freedoom's IWADs have in them\n"
            "  --dehlump     with the patches that the WADs on top have in them\n"
            "  --game-version NAME  Doom's executable: 1.0, 1.1, 1.2, 1.5, 1.666, 1.7, 1.8, 1.9, hacx, "
            "ultimate, final, final2, chex\n"
            "  --use-footer  look at demos' footers even where --iwad or --file is given\n"
            "  --wads DIR    look for WADs and patches in this folder first\n"
            "  -P N          N processes; default: as many as there are processors\n"
            "  --expect FILE  compare with what an earlier run printed, as lines or with -t\n"
            "  --all-lumps   of a WAD: every demo in it",
    .options = "jtP:",
    .longs = longs,
};

enum { FLUSH_AT = 1 << 16, MOST_WORKERS = 1024 };

struct job {
    struct verify_how how;
    struct cmd_list wads, dehs, folders;
    const char *settings[4];
    char *version; /* a setting */
    int workers;
    void (*print)(struct dh_buf *out, const struct row *r);
    struct dh_buf text, name;
    const char *expect_name;
    struct expect *expect;
    int status; /* of the comparison */
};

static char *none(char *arg)
{
    return strcmp(arg, "none") == 0 ? NULL : arg;
}

static void options(struct job *j, int argc, char **argv)
{
    bool nodeh = false, dehlump = false;
    int n = 0;

    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case 'j':
            j->print = row_json;
            break;
        case 't':
            j->print = row_tsv;
            break;
        case 'P':
            j->workers = (int)cmd_number("-P", optarg, 1, MOST_WORKERS);
            break;
        case OPT_IWAD:
            j->how.iwad = optarg;
            break;
        case OPT_FILE:
            cmd_list_add(&j->wads, none(optarg));
            break;
        case OPT_DEH:
            cmd_list_add(&j->dehs, none(optarg));
            break;
        case OPT_NODEH:
            nodeh = true;
            break;
        case OPT_DEHLUMP:
            dehlump = true;
            break;
        case OPT_GAME_VERSION:
            free(j->version);
            j->version = cmd_setting("game-version", optarg);
            break;
        case OPT_FOOTER:
            j->how.use_footer = true;
            break;
        case OPT_WADS:
            cmd_list_add(&j->folders, optarg);
            break;
        case OPT_EXPECT:
            j->expect_name = optarg;
            break;
        case OPT_ALL_LUMPS:
            j->how.all_lumps = true;
            break;
        }
    if (nodeh)
        j->settings[n++] = "nodeh=1";
    if (dehlump)
        j->settings[n++] = "dehlump=1";
    if (j->version)
        j->settings[n++] = j->version;
    j->how.wads = j->wads.list;
    j->how.dehs = j->dehs.list;
    j->how.folders = j->folders.list;
    j->how.settings = j->settings;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* What is already escaped, and not too much of it. */
static int width(struct dh_str s)
{
    return s.n < 1000 ? (int)s.n : 1000;
}

static void compare(struct job *j, const struct row *r)
{
    struct expect_difference d;
    int rc = expect_compare(j->expect, r, &d);

    if (rc < 0)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    if (rc == EXPECT_EQUAL)
        return;
    cmd_flush(&j->text);
    const char *file = cmd_plain(&j->name, r->v[VERIFY_FILE].p, r->v[VERIFY_FILE].n);
    if (rc == EXPECT_NONE)
        cmd_warn(j->expect_name, "nothing is expected of %s", file);
    else
        cmd_warn(file, "%s: expected '%.*s', found '%.*s'", d.column, width(d.expected), d.expected.p, width(d.found),
                 d.found.p);
    j->status = dh_worse(j->status, rc == EXPECT_NONE ? DH_INCOMPLETE : DH_DIVERGED);
}

static void row(void *ctx, const struct row *r)
{
    struct job *j = ctx;

    j->print(&j->text, r);
    if (j->text.n >= FLUSH_AT || j->text.failed)
        cmd_flush(&j->text);
    if (j->expect)
        compare(j, r);
}

/* What was found before comes out before, where both go to one place. */
static void fail(void *ctx, const char *name, const struct dh_err *e)
{
    struct job *j = ctx;

    cmd_flush(&j->text);
    cmd_error_inside(name, e);
}

static void missing(void *ctx, struct dh_str name)
{
    struct job *j = ctx;

    cmd_warn(j->expect_name, "%.*s: expected, and not among the demos", width(name), name.p);
    j->status = dh_worse(j->status, DH_INCOMPLETE);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void child(void *ctx, struct verify *v, void *worker)
{
    (void)ctx;
    verify_work(v, worker);
    _exit(DH_OK);
}

static void read_expected(struct job *j)
{
    struct dh_err e;
    int fd = cmd_open(j->expect_name);

    if (fd < 0)
        exit(DH_TROUBLE);
    if (!(j->expect = expect_read(fd, &e)))
        exit(cmd_error(j->expect_name, &e));
    if (fd > STDERR_FILENO)
        close(fd);
}

static int processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : n > MOST_WORKERS ? MOST_WORKERS : (int)n;
}

int main(int argc, char **argv)
{
    struct job j = {.workers = processors(), .print = row_line};
    const struct verify_run run = {.row = row, .fail = fail, .child = child, .ctx = &j};
    char dash[] = "-", *alone[] = {dash, NULL};
    struct dh_err e;

    cmd_start(&tool);
    options(&j, argc, argv);
    if (j.expect_name)
        read_expected(&j);
    struct verify *v = verify_new(&j.how, &e);
    if (!v)
        exit(cmd_error(NULL, &e));
    for (char **p = optind < argc ? argv + optind : alone; *p; p++)
        if (verify_add(v, *p, &e) < 0)
            exit(cmd_error(NULL, &e));
    if (j.print == row_tsv)
        row_tsv_header(&j.text, &verify_shape);
    int status = verify_run(v, j.workers, &run, &e);
    if (status < 0)
        status = cmd_error(NULL, &e);
    cmd_flush(&j.text);
    if (j.expect)
        expect_missing(j.expect, missing, &j);
    status = dh_worse(status, j.status);
    verify_free(v);
    expect_free(j.expect);
    dh_buf_free(&j.text);
    dh_buf_free(&j.name);
    free(j.wads.list);
    free(j.dehs.list);
    free(j.folders.list);
    free(j.version);
    return cmd_finish(status, NULL);
}
