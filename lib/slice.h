/* SPDX-License-Identifier: ISC */
/*
 * slice.h - a stream cut into shorter streams, each a valid demo by itself.
 *
 * Slices are [from, until) for inputs, joins, leaves and logs, and include the checkpoint, snapshot and events at
 * until, so that a slice can check its own last state. (Joins and leaves at until go along where a state at until
 * follows them: it holds what they did.) A slice that begins later than the stream begins at the latest full checkpoint
 * at or before from.
 */
#ifndef DH_SLICE_H
#define DH_SLICE_H

#include "dh.h"

struct dh_slice_opts {
    bool has_from, has_until;
    uint32_t from, until; /* ticks; from < until where both are given */
    uint32_t every;       /* not 0: a slice from each multiple of this many ticks to the next */
    bool inputs_only; /* joins, leaves and inputs alone, moved to the stream's start: another run than the recorded one
                       */

    /* A writer for the next slice, on which no stream has begun; NULL with e filled. */
    struct dh_writer *(*open)(void *ctx, struct dh_err *e);
    /* The slice is done; whole: its end record was written. 0, or -1 with e filled. */
    int (*close)(void *ctx, struct dh_writer *w, bool whole, struct dh_err *e);
    /* What the user should know: where a slice begins. */
    void (*note)(void *ctx, const char *text);
    void *ctx;
};

#define DH_SLICE_WRITE_FAILED (-2)

/* Slice the stream that r stands at the beginning of, to its end. 0; -1 with e filled (e->status DH_INCOMPLETE: the
 * input ended early, and the last slice has no end record); DH_SLICE_WRITE_FAILED where the writer whose turn it was
 * failed, with its error in e. */
int dh_slice(struct dh_reader *r, const struct dh_slice_opts *o, struct dh_err *e);

#endif
