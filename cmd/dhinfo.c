/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "cmd.h"
#include "info/info.h"

enum { OPT_ALL_LUMPS = 256, OPT_GAME, OPT_DIALECT };

static const struct option longs[] = {
    {"all-lumps", no_argument, NULL, OPT_ALL_LUMPS},
    {"game", required_argument, NULL, OPT_GAME},
    {"dialect", required_argument, NULL, OPT_DIALECT},
    {0},
};

static const struct cmd_tool tool = {
    "dhinfo",
    "[-jt] [--all-lumps] [--game GAME] [--dialect NAME] [file | wad:LUMP | zip:MEMBER ...]",
    "Say what is in demos of any format, a block each.\n"
    "  -j              a JSON object a line\n"
    "  -t              a table, columns split by tabs, with a header\n"
    "  --all-lumps     of a WAD: every demo in it\n"
    "  --game GAME     doom, heretic, hexen or strife, where the file does not tell\n"
    "  --dialect NAME  read demos of the Doom family as this dialect",
    "jt",
    longs,
};

enum { FLUSH_AT = 1 << 16 };

struct output {
    void (*print)(struct dh_buf *out, const struct row *i);
    struct dh_buf text;
    bool parted; /* blocks have an empty line between them */
};

static int give(void *ctx, const struct row *i)
{
    struct output *o = ctx;

    if (o->parted && o->print == row_block)
        dh_put_u8(&o->text, '\n');
    o->parted = true;
    o->print(&o->text, i);
    if (o->text.n >= FLUSH_AT)
        cmd_flush(&o->text);
    return 0;
}

/* What was found before comes out before, where both go to one place. */
static void fail(void *ctx, const char *name, const struct dh_err *e)
{
    struct output *o = ctx;

    cmd_flush(&o->text);
    cmd_error_inside(name, e);
}

static void options(struct info_how *how, struct output *o, int argc, char **argv)
{
    static const char *const games[] = {"doom", "heretic", "hexen", "strife", NULL};
    int k;

    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case 'j':
            o->print = row_json;
            break;
        case 't':
            o->print = row_tsv;
            break;
        case OPT_ALL_LUMPS:
            how->all_lumps = true;
            break;
        case OPT_GAME:
            for (k = 0; games[k] && strcmp(games[k], optarg) != 0;)
                k++;
            if (!games[k])
                cmd_usage("--game: expected doom, heretic, hexen or strife, found '%s'", optarg);
            how->game = optarg;
            break;
        case OPT_DIALECT:
            if (!lmp_dialect_known(optarg))
                cmd_usage("--dialect: no dialect is called '%s': see dh-dialects(7)", optarg);
            how->dialect = optarg;
            break;
        }
}

int main(int argc, char **argv)
{
    struct output o = {.print = row_block};
    struct info_how how = {.give = give, .fail = fail, .ctx = &o};
    int status = DH_OK;

    cmd_start(&tool);
    options(&how, &o, argc, argv);
    if (o.print == row_tsv)
        row_tsv_header(&o.text, &info_shape);
    if (optind == argc)
        status = info_operand("-", &how);
    for (; optind < argc; optind++)
        status = dh_worse(status, info_operand(argv[optind], &how));
    cmd_flush(&o.text);
    dh_buf_free(&o.text);
    return cmd_finish(status, NULL);
}
