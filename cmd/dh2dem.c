/* SPDX-License-Identifier: ISC */
#include <unistd.h>

#include "cmd.h"
#include "dem/dem.h"

static const struct cmd_tool tool = {
    "dh2dem", "[file]", "Convert a record stream back to a Blood demo.", "", NULL,
};

static int one(int fd, const char *name, void *arg)
{
    struct dh_reader *in = dh_reader_new(fd);
    struct dh_err e;

    (void)arg;
    if (!in)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    int r = dh_to_dem(in, STDOUT_FILENO, &e);
    dh_reader_free(in);
    return r < 0 ? cmd_error(r == -2 ? "standard output" : name, &e) : DH_OK;
}

int main(int argc, char **argv)
{
    cmd_start(&tool);
    while (cmd_option(argc, argv) != -1)
        ;
    if (argc - optind > 1)
        cmd_usage("one stream at a time");
    if (isatty(STDOUT_FILENO))
        cmd_die(DH_TROUBLE, "standard output", "not writing binary to a terminal");
    return cmd_finish(cmd_inputs(argc - optind, argv + optind, one, NULL), NULL);
}
