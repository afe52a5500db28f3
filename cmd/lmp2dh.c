/* SPDX-License-Identifier: ISC */
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lmp/lmp.h"

static const struct cmd_tool tool = {
    "lmp2dh",
    "[-bu] [file | wad:LUMP]",
    "Convert a Doom demo to a record stream.\n"
    "  -b  write the binary encoding\n"
    "  -u  write every record at once",
    "bu",
    NULL,
};

int main(int argc, char **argv)
{
    enum dh_encoding encoding = DH_TEXT;
    bool unbuffered = false;
    uint64_t size = LMP_TO_END;
    struct dh_err e;
    int fd = STDIN_FILENO, r, status = DH_OK;

    cmd_start(&tool);
    for (int c; (c = cmd_option(argc, argv)) != -1;) {
        if (c == 'b')
            encoding = DH_BINARY;
        else
            unbuffered = true;
    }
    if (argc - optind > 1)
        cmd_usage("one demo at a time");

    struct dh_writer *w = cmd_writer(encoding, unbuffered);
    const char *name = optind < argc ? argv[optind] : "-";
    if (strcmp(name, "-") != 0 && (fd = lmp_open(name, &size, &e)) < 0)
        return cmd_finish(cmd_error(name, &e), w);
    r = lmp_to_dh(fd, size, w, &e);
    if (r == -2)
        cmd_write_failed(w);
    if (r < 0)
        status = cmd_error(name, &e);
    return cmd_finish(status, w);
}
