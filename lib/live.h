/* SPDX-License-Identifier: ISC */
/*
 * live.h - who takes part at a tick, and the joins that would bring them in there.
 */
#ifndef DH_LIVE_H
#define DH_LIVE_H

#include "keep.h"

struct dh_player {
    struct dh_kept join; /* the join record as it came */
    bool live;
};

struct dh_live {
    struct dh_player *players; /* by order of their slot's first join */
    size_t n, cap;
    int *slots;     /* slot -> index into players + 1, 0: never joined; 65536 of them, NULL before the first join */
    int *field_map; /* see live.c */
    int map_types, map_fields;
};

/* Take a join or leave record in. 0, or -1: out of memory. */
int dh_live_apply(struct dh_live *l, const struct dh_record *r);

/* The number of players that are live. */
size_t dh_live_count(const struct dh_live *l);

/* Calls fn with the payload of a join record at tick for every live player, by slot.
 *
 * at is NULL: with the state of their own join record. Otherwise at is a full state at that tick, and each join gets
 * its fields from the entity whose id is the player's wire id and whose type has all the fields of a join, under the
 * same names and types (a player that joined at this very tick keeps its record's). 0; -1 with e filled where a player
 * has no such entity; or what fn gave if not 0. */
int dh_live_joins(struct dh_live *l, const struct dh_schemas *s, const struct dh_record *at, uint32_t tick,
                  int (*fn)(void *ctx, const struct dh_buf *payload), void *ctx, struct dh_err *e);

void dh_live_free(struct dh_live *l);

#endif
