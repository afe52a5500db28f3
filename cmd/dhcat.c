/* SPDX-License-Identifier: ISC */
#include <stddef.h>
#include <unistd.h>

#include "cmd.h"
#include "columns.h"

static const struct cmd_tool tool = {
    .name = "dhcat",
    .usage = "[-bu] [file ...]\n"
             "[-u] -F name[,name]... [-k kind] [file ...]",
    .help = "\n"
            "Print demo streams as text, or write them as binary; reads both encodings.\n"
            "\n"
            "  -b        write the binary encoding\n"
            "  -F NAMES  print these fields of the input records, tab-separated: tick,slot,...\n"
            "  -k KIND   with -F: of the records of this kind; of a checkpoint or snapshot, of its entities\n"
            "  -u        write each record at once",
    .options = "bF:k:u",
};

/* Where records go: to a stream, or to columns. */
struct output {
    struct dh_writer *writer;
    struct dh_columns *columns;
};

static void begin_stream(struct output *out)
{
    if (out->columns)
        dh_columns_stream(out->columns);
    else if (dh_writer_stream(out->writer) < 0)
        cmd_write_failed(out->writer);
}

static int put(struct output *out, const struct dh_reader *r, const struct dh_record *rec, const char *name)
{
    struct dh_err e;

    if (!out->columns) {
        if (dh_write(out->writer, rec) < 0)
            cmd_write_failed(out->writer);
        return DH_OK;
    }
    if (dh_columns_write(out->columns, dh_reader_schemas(r), rec, &e) == 0)
        return DH_OK;
    if (dh_columns_broken(out->columns))
        cmd_die(DH_TROUBLE, "standard output", "%s", e.msg);
    return cmd_error(name, &e);
}

/* All whole records of a file. The end record of a stream that was cut short is not there to be passed on, so whoever
 * reads our output learns of it too. */
static int cat(int fd, const char *name, void *arg)
{
    struct output *out = arg;
    struct dh_reader *r = dh_reader_new(fd);
    const struct dh_record *rec;
    int status = DH_OK, got;

    if (!r)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    while ((got = dh_reader_stream(r)) > 0) {
        begin_stream(out);
        while ((got = dh_read(r, &rec)) > 0) {
            int failed = put(out, r, rec, name);

            if (failed) {
                dh_reader_free(r);
                return dh_worse(status, failed);
            }
        }
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
    const char *names = NULL, *kind = NULL;
    bool unbuffered = false;
    struct output out = {0};
    struct dh_err e;

    cmd_start(&tool);
    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case 'b':
            enc = DH_BINARY;
            break;
        case 'F':
            names = optarg;
            break;
        case 'k':
            kind = optarg;
            break;
        case 'u':
            unbuffered = true;
            break;
        }
    if (kind && !names)
        cmd_usage("-k goes with -F");
    if (names && enc == DH_BINARY)
        cmd_usage("columns are text: -F and -b do not go together");

    if (!names)
        out.writer = cmd_writer(enc, unbuffered);
    else if (!(out.columns = dh_columns_new(STDOUT_FILENO, names, kind ? kind : "input", unbuffered, &e)))
        cmd_usage("%s", e.msg);
    int status = cmd_inputs(argc - optind, argv + optind, cat, &out);
    if (out.columns && dh_columns_free(out.columns, &e) < 0)
        status = dh_worse(status, cmd_error("standard output", &e));
    return cmd_finish(status, out.writer);
}
