/* SPDX-License-Identifier: ISC */
#include <stddef.h>

#include "cmd.h"

static const struct cmd_tool tool = {
    .name = "dhcat",
    .usage = "[-bu] [file ...]",
    .help = "Print demo streams as text, or write them as binary; either encoding in.\n"
            "  -b  write the binary encoding\n"
            "  -u  write each record at once",
    .options = "bu",
};

static int one(int fd, const char *name, void *arg)
{
    struct dh_writer *w = arg;
    struct dh_reader *r = dh_reader_new(fd);
    const struct dh_record *rec;
    int status = DH_OK, got;

    if (!r)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    while ((got = dh_reader_stream(r)) > 0) {
        if (dh_writer_stream(w) < 0)
            cmd_write_failed(w);
        while ((got = dh_read(r, &rec)) > 0)
            if (dh_write(w, rec) < 0)
                cmd_write_failed(w);
        if (got < 0)
            status = dh_worse(status, cmd_error(name, dh_reader_error(r)));
    }
    if (got < 0)
        status = dh_worse(status, cmd_error(name, dh_reader_error(r)));
    dh_reader_free(r);
    return status;
}

int main(int argc, char **argv)
{
    enum dh_encoding enc = DH_TEXT;
    bool unbuffered = false;

    cmd_start(&tool);
    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case 'b':
            enc = DH_BINARY;
            break;
        case 'u':
            unbuffered = true;
            break;
        }
    struct dh_writer *w = cmd_writer(enc, unbuffered);
    return cmd_finish(cmd_inputs(argc - optind, argv + optind, one, w), w);
}
