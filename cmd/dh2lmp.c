/* SPDX-License-Identifier: ISC */
#include <unistd.h>

#include "cmd.h"
#include "lmp/lmp.h"

enum { OPT_DIALECT = 256, OPT_RULE, OPT_VIEWPOINT, OPT_STRIP, OPT_ROUND, OPT_LOSSY, MAX_RULES = 64 };

static const struct option longs[] = {
    {"dialect", required_argument, NULL, OPT_DIALECT},
    {"rule", required_argument, NULL, OPT_RULE},
    {"viewpoint", required_argument, NULL, OPT_VIEWPOINT},
    {"strip-footer", no_argument, NULL, OPT_STRIP},
    {"round", no_argument, NULL, OPT_ROUND},
    {"lossy", no_argument, NULL, OPT_LOSSY},
    {0},
};

static const struct cmd_tool tool = {
    "dh2lmp",
    "[-u] [--dialect NAME] [--rule NAME=N] [--viewpoint SLOT] [--strip-footer]\n"
    "[--round] [--lossy] [file]",
    "Convert a record stream back to a demo of a Doom engine.\n"
    "  -u                write every command at once\n"
    "  --dialect NAME    write another dialect of the same game\n"
    "  --rule NAME=N     a field of the header, over what the stream says\n"
    "  --viewpoint SLOT  the player to look through\n"
    "  --strip-footer    nothing after the end marker\n"
    "  --round           round turns that do not fit\n"
    "  --lossy           drop what the other dialect has no place for",
    "u",
    longs,
};

static void note(void *arg, const char *text)
{
    (void)arg;
    cmd_warn(NULL, "%s", text);
}

static int one(int fd, const char *name, void *arg)
{
    struct dh_reader *in = dh_reader_new(fd);
    struct dh_err e;

    if (!in)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    int r = dh_to_lmp(in, STDOUT_FILENO, arg, &e);
    dh_reader_free(in);
    return r < 0 ? cmd_error(r == -2 ? "standard output" : name, &e) : DH_OK;
}

int main(int argc, char **argv)
{
    const char *rules[MAX_RULES];
    struct lmp_writing how = {.rules = rules, .note = note};

    cmd_start(&tool);
    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case 'u':
            how.unbuffered = true;
            break;
        case OPT_DIALECT:
            how.dialect = optarg;
            break;
        case OPT_RULE:
            if (how.nrules == MAX_RULES)
                cmd_usage("--rule: more than %d", MAX_RULES);
            rules[how.nrules++] = optarg;
            break;
        case OPT_VIEWPOINT:
            how.has_viewpoint = true;
            how.viewpoint = (int64_t)cmd_number("--viewpoint", optarg, 0, LMP_MAX_PLAYERS - 1);
            break;
        case OPT_STRIP:
            how.strip_footer = true;
            break;
        case OPT_ROUND:
            how.round = true;
            break;
        default:
            how.lossy = true;
        }
    if (how.dialect && !lmp_dialect_named(how.dialect))
        cmd_usage("--dialect: no dialect is called '%s': see dh-dialects(7)", how.dialect);
    if (argc - optind > 1)
        cmd_usage("one stream at a time");
    if (isatty(STDOUT_FILENO))
        cmd_die(DH_TROUBLE, "standard output", "not writing binary to a terminal");
    return cmd_finish(cmd_inputs(argc - optind, argv + optind, one, &how), NULL);
}
