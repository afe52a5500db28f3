/* SPDX-License-Identifier: ISC */
#include <unistd.h>

#include "cmd.h"
#include "lmp/lmp.h"

static const struct cmd_tool tool = {
    "dh2lmp",
    "[-u] [file]",
    "Convert a record stream back to a Doom demo.\n"
    "  -u  write every command at once",
    "u",
    NULL,
};

static int one(int fd, const char *name, void *arg)
{
    struct dh_reader *in = dh_reader_new(fd);
    struct dh_err e;

    if (!in)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    int r = dh_to_lmp(in, STDOUT_FILENO, *(bool *)arg, &e);
    dh_reader_free(in);
    return r < 0 ? cmd_error(r == -2 ? "standard output" : name, &e) : DH_OK;
}

int main(int argc, char **argv)
{
    bool unbuffered = false;

    cmd_start(&tool);
    while (cmd_option(argc, argv) != -1)
        unbuffered = true;
    if (argc - optind > 1)
        cmd_usage("one stream at a time");
    if (isatty(STDOUT_FILENO))
        cmd_die(DH_TROUBLE, "standard output", "not writing binary to a terminal");
    return cmd_finish(cmd_inputs(argc - optind, argv + optind, one, &unbuffered), NULL);
}
