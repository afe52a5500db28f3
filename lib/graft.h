/* SPDX-License-Identifier: ISC */
/*
 * graft.h - the schemas of a stream together with those of the world that replays it.
 */
#ifndef DH_GRAFT_H
#define DH_GRAFT_H

#include "spool.h"
#include "world.h"

struct dh_graft {
    const struct dh_world_ops *ops;
    /* The world's states take the place of the recorded ones (--checkpoint): no recorded state is passed on, so
     * the recorded schemas of states are dropped. Otherwise they stay, and where the world's are other ones these
     * become `snapshot.NAME`. */
    bool replace;
    const char *const *settings; /* of the world: options of the header that is to follow (settings.h) */
};

/* Write the schema records of the incoming stream (schemas is what they are together) to w and add the world's where
 * they are not there yet. Schemas that an earlier replay added for its snapshots alone are dropped, and its settings
 * give way to these. *first_type is the number that the world's first entity type has got. 0; -1 with e filled; -2
 * where the writer failed. */
int dh_graft(const struct dh_graft *g, struct dh_spool *incoming, const struct dh_schemas *schemas, struct dh_writer *w,
             int *first_type, struct dh_err *e);

#endif
