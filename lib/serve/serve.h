/* SPDX-License-Identifier: ISC */
/*
 * serve.h - the dedicated server of the dh world: a map that ticks, players on a socket, a console, a recorder.
 *
 * One thread, and one place where it waits. See dhserve(1) for what it does, server.h for the parts.
 */
#ifndef SRV_SERVE_H
#define SRV_SERVE_H

#include <signal.h>

#include "dh.h"

struct srv_opts {
    bool lockstep;              /* ticks run when the console says so, and there is no clock */
    const char *socket;         /* path; NULL: there is none */
    unsigned mode;              /* of the socket */
    char *const *pallets;       /* folders to look for pallets in, NULL-terminated; may be NULL */
    const char *pallet_path;    /* more of them, split at colons; may be NULL */
    const char *const *rules;   /* "name=number", NULL-terminated; may be NULL */
    uint64_t seed;              /* of the source of chance */
    int out;                    /* where the console's answers go */
    const sigset_t *waiting;    /* the signal mask to wait with, as in ppoll(2) */
    volatile sig_atomic_t *end; /* set by a signal: shut down */
    void (*warn)(void *ctx, const char *file, const struct dh_err *e); /* what went wrong and is not the end */
    void *ctx;
};

struct srv;

/* NULL with e filled. What o points to has to stay. */
struct srv *srv_new(const struct srv_opts *o, struct dh_err *e);

enum srv_ended {
    SRV_QUIT,    /* the console said quit, or a signal came */
    SRV_CONSOLE, /* the console's input ended */
};

/* Serve with the console's lines from a descriptor (-1: none, until a signal). Gives how that ended; -1 with e filled:
 * the server cannot go on, or in lockstep a line of the console failed. */
int srv_run(struct srv *s, int console, const char *name, struct dh_err *e);

/* Whether a map is loaded. */
bool srv_serves(const struct srv *s);

/* Shut down: recording and connections are closed, the world too. 0, or -1 with e filled: the recording did not go out
 * in full, or a patient console's output. */
int srv_free(struct srv *s, struct dh_err *e);

#endif
