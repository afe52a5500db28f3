/* SPDX-License-Identifier: ISC */
/* replay.h - a demo in memory run through its world to its end, without a stream between them. */
#ifndef VERIFY_REPLAY_H
#define VERIFY_REPLAY_H

#include "lmp/begin.h"
#include "verify/level.h"
#include "world.h"

/* Memory that is kept from one demo to the next, and the state schemas of the world that it is for. */
struct replay_kit {
    const struct dh_world_ops *ops;
    struct dh_schemas *schemas;
    struct dh_world_events events;
    struct dh_state state;
    struct levels levels;
};

void replay_kit_free(struct replay_kit *kit);

struct replay {
    const struct lmp_demo *demo;
    const struct lmp_beginning *begin;
    const struct dh_world_ops *ops;
    const struct dh_file *files;
    int nfiles;
    const char *const *settings;

    /* what came of it; the levels are in the kit */
    uint32_t tics; /* that were run */
    char map[16], follows[16];
    enum level_verdict verdict;
    uint64_t digest;
};

/* 0; -1 with e filled, and what is known up to there in r. */
int replay_run(struct replay *r, struct replay_kit *kit, struct dh_err *e);

#endif
