/* SPDX-License-Identifier: ISC */
/*
 * diff.h - the states of one stream, or of two, met and compared.
 *
 * One stream: each checkpoint (recorded) with the snapshot (replayed) of its tick; snapshots without a checkpoint are
 * no matter. Two streams: the states of both tick by tick; where a stream has a checkpoint and a snapshot at a tick,
 * the snapshot stands for it. The recorded side is the one whose state is a checkpoint while the other's is a snapshot,
 * otherwise the second stream. A checkpoint that a replay started from (event `restored`) is not counted, neither as
 * compared nor as missing.
 */
#ifndef DH_DIFF_H
#define DH_DIFF_H

#include "compare.h"

/* Where and between whom a comparison takes place. */
struct dh_diff_place {
    uint32_t tick;
    const struct dh_schemas *a, *b; /* of the recorded and of the replayed side */
    const struct dh_record *state_a, *state_b;
    const struct dh_comparison *comparison; /* on_state: what came out, by type */
    double rate;                            /* ticks a second, by the recorded side's header */
};

struct dh_diff_opts {
    struct dh_filter filter;
    bool by_order;
    /* on_diff is called for every difference until it gives not 0 for the rest of a state; on_state after a state
     * (different: whether it was), on_alone for a state without a partner (recorded: which side has it). All may be
     * NULL. */
    int (*on_diff)(void *ctx, const struct dh_diff_place *at, const struct dh_diff *d);
    void (*on_state)(void *ctx, const struct dh_diff_place *at, bool different);
    void (*on_alone)(void *ctx, uint32_t tick, bool recorded);
    /* Of two streams, before any state: what their runs were given that is not the same (setup.h), as text. May be
     * NULL. */
    void (*on_setup)(void *ctx, const char *what, const char *recorded, const char *replayed);
    void *ctx;
};

struct dh_diff_result {
    uint32_t start, end; /* the replayed side's first tick, and the first that was not run (or the last tick read of a
                            stream that ended early) */
    bool ended;          /* all streams had their end record */
    unsigned long checked, different, alone,
        uncompared;          /* states; uncompared: met, but nothing of them can be compared */
    long fields, all_fields; /* how many fields were compared, of how many */
};

/* Compare what is in the stream (b NULL) or the two streams that the readers stand at the beginning of, to their ends.
 * 0; or -1 with e filled and *who the reader whose input failed (NULL: none). A stream that ended early (DH_INCOMPLETE)
 * is compared as far as it goes. */
int dh_diff(struct dh_reader *a, struct dh_reader *b, const struct dh_diff_opts *o, struct dh_diff_result *res,
            struct dh_reader **who, struct dh_err *e);

#endif
