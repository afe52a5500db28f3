/* SPDX-License-Identifier: ISC */
#include "cmd.h"
#include "dem/dem.h"

static const struct cmd_tool tool = {
    "dem2dh",
    "[-bu] [file]",
    "Convert a Blood demo to a record stream.\n"
    "  -b  write the binary encoding\n"
    "  -u  write every record at once",
    "bu",
    NULL,
};

static void note(void *name, const char *text)
{
    cmd_warn(name, "%s", text);
}

static int one(int fd, const char *name, void *w)
{
    char *about = (char *)name; /* note only reads it */
    struct dh_err e;
    int r = dem_to_dh(fd, w, note, about, &e);

    if (r == -2)
        cmd_write_failed(w);
    return r < 0 ? cmd_error(name, &e) : DH_OK;
}

int main(int argc, char **argv)
{
    enum dh_encoding encoding = DH_TEXT;
    bool unbuffered = false;

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
    return cmd_finish(cmd_inputs(argc - optind, argv + optind, one, w), w);
}
