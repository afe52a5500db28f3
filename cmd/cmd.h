/* SPDX-License-Identifier: ISC */
/*
 * cmd.h - what the mains of all tools share: options, diagnostics, inputs, standard output, statuses.
 *
 * A main is: cmd_start, a loop over cmd_option, cmd_inputs (or cmd_open) for the work, cmd_finish as the last act:
 *
 *     int main(int argc, char **argv)
 *     {
 *         cmd_start(&tool);
 *         for (int c; (c = cmd_option(argc, argv)) != -1;)
 *             switch (c) { case 'b': ... }
 *         struct dh_writer *w = cmd_writer(binary ? DH_BINARY : DH_TEXT, unbuffered);
 *         return cmd_finish(cmd_inputs(argc - optind, argv + optind, one, w), w);
 *     }
 */
#ifndef CMD_H
#define CMD_H

#include <getopt.h>

#include "dh.h"

/* What a tool says about itself. */
struct cmd_tool {
    const char *name;
    const char *usage;          /* the synopsis after the name; further lines for further forms, split by '\n' */
    const char *help;           /* what -h says below the synopsis: a sentence, then the options, one a line */
    const char *options;        /* getopt's option letters, without h */
    const struct option *longs; /* getopt_long's long options, without help and version, ended by zeros; may be NULL */
};

/* First thing in main: SIGPIPE ends the tool quietly whatever was inherited, and a standard descriptor that is closed
 * cannot become one of our files (using it fails as it should). */
void cmd_start(const struct cmd_tool *tool);

/* The next option: its letter (or its long option's val), -1 after the last. -h, --help and --version print to standard
 * output and exit 0; misuse exits 2 through cmd_usage. */
int cmd_option(int argc, char **argv);

/* Misuse: "tool: what" (when fmt is not NULL) and the synopsis to standard error, exit 2. */
_Noreturn void cmd_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "tool: file: what" to standard error; file may be NULL. "-" prints as "standard input". */
void cmd_warn(const char *file, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "tool: file: what: where" from an error of the library; returns its status. */
int cmd_error(const char *file, const struct dh_err *e);

/* Names in archives are anybody's; none is to steer a terminal: escaped as in a row (row/row.h, row_plain), in b until
 * its next use. Ends the tool where there is no memory. */
const char *cmd_plain(struct dh_buf *b, const void *p, size_t n);

/* cmd_error about something inside an archive: the name and what is said are escaped so. */
int cmd_error_inside(const char *file, const struct dh_err *e);

/* cmd_warn, then exit with status. */
_Noreturn void cmd_die(int status, const char *file, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A whole decimal number in [min, max], from an option's argument; anything else is misuse that names the option. */
uint64_t cmd_number(const char *option, const char *arg, uint64_t min, uint64_t max);

/* Words that options collect; NULL-terminated where list is not NULL. The caller frees list. */
struct cmd_list {
    char **list;
    size_t n;
};

/* word NULL: nothing is added, and there is a list. */
void cmd_list_add(struct cmd_list *l, char *word);

/* "KEY=VALUE" for a world, malloc'd. */
char *cmd_setting(const char *key, const char *value);

/* What was put so far to standard output, and clear it: for tools that put rows of text in place of records. Lack of
 * memory on the way, and a failed write, are said, and end the tool with 2. */
void cmd_flush(struct dh_buf *b);

/* Open an operand for reading: "-" is standard input. -1 after saying why. */
int cmd_open(const char *path);

/* Call one(fd, name, arg) for each operand, or for standard input where there is none; gives the worst status. Opens
 * and closes; a file that does not open is said and counts as 2, and the rest are still read. */
int cmd_inputs(int n, char **operands, int (*one)(int fd, const char *name, void *arg), void *arg);

/* A writer on standard output. Binary on a terminal is refused (exit 2), as is lack of memory. */
struct dh_writer *cmd_writer(enum dh_encoding enc, bool unbuffered);

/* Complain and exit 2 if a write failed: for `if (dh_write(w, r) < 0) cmd_write_failed(w);`. */
_Noreturn void cmd_write_failed(const struct dh_writer *w);

/* Last thing in main: frees the writer (may be NULL), checks standard output (stdio's part too) down to its close, and
 * gives the worse of status and what that showed. */
int cmd_finish(int status, struct dh_writer *w);

#endif
