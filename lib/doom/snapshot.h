/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - the whole state of a world out of it, and into it. */
#ifndef DOOM_SNAPSHOT_H
#define DOOM_SNAPSHOT_H

#include "doom.h"

/* The state line: what one looks at first. mobjs counts those in the thinker list. */
struct state_line {
    char map[9];
    int32_t leveltime, rng, gamestate, mobjs;
};

/* Entities that are no structure of their own in a world. */
struct state_ref {
    struct mobj *mobj;
};
struct state_item {
    struct mapthing thing;
    int32_t time;
};

/* Movers. current: the sector's specialdata is this one. */
struct state_door {
    struct door door;
    bool current;
};
struct state_floor {
    struct floormove floor;
    bool current;
};
struct state_plat {
    struct plat plat;
    int32_t slot; /* in doom.activeplats, -1: in none */
    bool current;
};
struct state_ceiling {
    struct ceilmove ceiling;
    int32_t slot;
    bool current;
};

/* blockstate.c: whether the lists of blocks follow from where things stand and from each thing's next one. */
bool block_lists_plain(struct doom *d);

/* Everything that a later tic reads, in a fixed order: the game, players, queues, what differs from the map as loaded,
 * then all thinkers in their list's order (what is gone but pointed at comes last). */
void snapshot_put(struct doom *d, int first_type, struct dh_state *st);

/* plausible.c: is everything in range that the tics take for granted? 0, or -1 with e filled. */
int restore_plausible(struct doom *d, struct dh_err *e);

/* The level and the players that a recorded state names, before it is taken over: what game_start has to start. */
int restore_prepare(struct doom *d, const struct dh_schemas *all, const struct dh_record *r, struct dh_err *e);

/* Take over a recorded full state in a world that has just been started on its level (restore.c). -1 with e filled: the
 * world is of no use. */
int restore_get(struct doom *d, const struct dh_schemas *all, const struct dh_record *r, struct dh_err *e);

#endif
