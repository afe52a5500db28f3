/* SPDX-License-Identifier: ISC */
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lmp/lmp.h"

enum { OPT_GAME = 256, OPT_DIALECT, OPT_REPAIR };

static const struct option longs[] = {
    {"game", required_argument, NULL, OPT_GAME},
    {"dialect", required_argument, NULL, OPT_DIALECT},
    {"repair", no_argument, NULL, OPT_REPAIR},
    {0},
};

static const struct cmd_tool tool = {
    "lmp2dh",
    "[-bu] [--game GAME] [--dialect NAME] [--repair] [file | wad:LUMP]",
    "Convert a demo of a Doom engine to a record stream.\n"
    "  -b              write the binary encoding\n"
    "  -u              write every record at once\n"
    "  --game GAME     doom, heretic, hexen or strife, where the file does not tell\n"
    "  --dialect NAME  read it as this dialect\n"
    "  --repair        close a demo that was cut short at its last whole tic",
    "bu",
    longs,
};

static void note(void *arg, const char *text)
{
    cmd_warn(arg, "%s", text);
}

static void check_names(const struct lmp_how *how)
{
    static const char *const games[] = {"doom", "heretic", "hexen", "strife"};
    size_t i = 0;

    while (how->game && i < sizeof games / sizeof games[0] && strcmp(how->game, games[i]) != 0)
        i++;
    if (how->game && i == sizeof games / sizeof games[0])
        cmd_usage("--game: expected doom, heretic, hexen or strife, found '%s'", how->game);
    if (how->dialect && !lmp_dialect_known(how->dialect))
        cmd_usage("--dialect: no dialect is called '%s': see dh-dialects(7)", how->dialect);
}

int main(int argc, char **argv)
{
    enum dh_encoding encoding = DH_TEXT;
    struct lmp_how how = {.note = note};
    uint64_t size = LMP_TO_END;
    struct dh_err e;
    int fd = STDIN_FILENO, r, status = DH_OK;

    cmd_start(&tool);
    for (int c; (c = cmd_option(argc, argv)) != -1;) {
        if (c == 'b')
            encoding = DH_BINARY;
        else if (c == 'u')
            how.unbuffered = true;
        else if (c == OPT_GAME)
            how.game = optarg;
        else if (c == OPT_DIALECT)
            how.dialect = optarg;
        else
            how.repair = true;
    }
    check_names(&how);
    if (argc - optind > 1)
        cmd_usage("one demo at a time");

    struct dh_writer *w = cmd_writer(encoding, how.unbuffered);
    char dash[] = "-", *name = optind < argc ? argv[optind] : dash;
    how.arg = name;
    if (strcmp(name, "-") != 0 && (fd = lmp_open(name, &size, &e)) < 0)
        return cmd_finish(cmd_error(name, &e), w);
    r = lmp_to_dh(fd, size, &how, w, &e);
    if (r == -2)
        cmd_write_failed(w);
    if (r < 0)
        status = cmd_error(name, &e);
    return cmd_finish(status, w);
}
