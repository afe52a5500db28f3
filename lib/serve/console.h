/* SPDX-License-Identifier: ISC */
/*
 * console.h - the lines that come in on a descriptor, and those that go out on another.
 *
 * With a clock nothing may wait for whoever reads the console: its lines wait in a buffer and go out as far as
 * the descriptor takes them, and where too many wait the newest are dropped. Without a clock they go out at once,
 * however long it takes.
 */
#ifndef SRV_CONSOLE_H
#define SRV_CONSOLE_H

#include "dh.h"

enum { SRV_CONSOLE_LINE = 8192 };

struct srv_console {
    int in; /* -1: none */
    unsigned long line;
    bool ended, skipping;
    char text[SRV_CONSOLE_LINE];
    size_t n;

    int out; /* -1: nobody reads any more */
    bool patient;
    struct dh_buf waiting;
    size_t sent;
    int error; /* errno of a failed write, where patient */
};

/* Read what there is, once: 0, or -1 with e filled. */
int srv_console_read(struct srv_console *c, struct dh_err *e);

/* The next line, without its end and terminated: 1, 0 where there is none yet, -1 with e filled: it is too long, or the
 * input ended within it. */
int srv_console_line(struct srv_console *c, char line[SRV_CONSOLE_LINE], struct dh_err *e);

/* Write a line, which gets its newline here. */
void srv_console_print(struct srv_console *c, const struct dh_buf *line);
/* Something waits. */
bool srv_console_waits(const struct srv_console *c);
/* Send what the descriptor takes, which poll(2) said takes something. */
void srv_console_send(struct srv_console *c);
/* Send all of it, but do not wait for more than a second. */
void srv_console_finish(struct srv_console *c);

#endif
