/* SPDX-License-Identifier: ISC */
/*
 * run.h - a replay under way: what replay.c, opening.c and boundary.c share.
 *
 * Functions give 0, -1 with the run's error filled, or DH_REPLAY_WRITE_FAILED with the writer's in it.
 */
#ifndef DH_RUN_H
#define DH_RUN_H

#include "live.h"
#include "replay.h"
#include "spool.h"

struct dh_run {
    struct dh_reader *r;
    struct dh_writer *w;
    const struct dh_replay_opts *o;
    struct dh_err *e;

    struct dh_kept header;
    struct dh_keeps recorded; /* resource records */
    struct dh_spool schemas, origin;
    struct dh_content content;
    const struct dh_world_ops *ops;
    struct dh_world *world;
    int first_type;

    struct dh_keeps group; /* the records of one tick, held until it is known whether the tick is run */
    size_t timed;          /* how many of them come up to the last that has a tick */
    uint32_t group_tick;
    struct dh_live live;
    uint32_t start, now; /* now: the boundary that the world stands at */
    uint32_t interval;
    bool restores; /* the checkpoint at start is taken over */
    bool done;     /* the world has been run as far as it is to be */

    struct dh_world_events events, logs;
    struct dh_state state;
    struct dh_buf payload;
};

/* ---- output (boundary.c) ---- */

int dh_run_write_failed(struct dh_run *u);
int dh_run_put(struct dh_run *u, int kind, const struct dh_buf *payload);
int dh_run_put_record(void *run, const struct dh_record *r);

/* ---- opening.c ---- */

/* Find out what the run starts from, open its world and write everything that comes before the first tick. Called when
 * the first tick's records are all there: only then it is known, and the header can say so. */
int dh_run_open(struct dh_run *u);

/* A world of the run's game and files, which nothing has happened in yet: u->world. The schemas are of the records that
 * it will be given. *map is its own name of the map. */
int dh_run_new_world(struct dh_run *u, const struct dh_schemas *s, const char **map);

/* ---- restart.c ---- */

/* Take the world's state, throw the world away, and put another one in its place that starts from that state. */
int dh_run_restart(struct dh_run *u);

/* ---- boundary.c ---- */

enum dh_run_how {
    DH_RUN_ON,   /* the tick is run afterwards */
    DH_RUN_LAST, /* it is not */
    DH_RUN_CUT,  /* nor is anything else of it passed on */
    DH_RUN_TORN, /* the input ended early */
};

/* The boundary that the world stands at: n records in, and the world's state and logs out. recs may be NULL where n is
 * 0. */
int dh_run_boundary(struct dh_run *u, const struct dh_keeps *recs, size_t n, enum dh_run_how how);

/* One tick. */
int dh_run_step(struct dh_run *u);

#endif
