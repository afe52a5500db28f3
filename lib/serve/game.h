/* SPDX-License-Identifier: ISC */
/*
 * game.h - the map that a server runs, and its world.
 */
#ifndef SRV_GAME_H
#define SRV_GAME_H

#include "native/native.h"
#include "pallet.h"

struct srv_game {
    char barcode[DH_BARCODE_MAX];
    struct dh_content content;
    struct nat_setup setup;
    struct dh_schemas *schemas;
    struct dh_world *world;
    struct dh_header header;
    uint64_t ran; /* ticks since it was loaded */
};

/* Load a map by a name as people give it, with the world at tick start. rules: "name=number", a NULL-terminated list or
 * NULL. 0, or -1 with e filled and nothing to free. A game stays where it is: its header points into it. */
int srv_game_load(struct srv_game *g, const struct dh_pallets *pallets, const char *name, const char *const *rules,
                  uint32_t start, struct dh_err *e);
void srv_game_free(struct srv_game *g);

/* A player comes: the join record for tick, from a block (nat_spawn_block), into the world. */
int srv_game_join(struct srv_game *g, uint32_t tick, uint16_t slot, uint32_t wire, const char *name,
                  const struct dh_buf *block, struct dh_err *e);
int srv_game_leave(struct srv_game *g, uint32_t tick, uint16_t slot, struct dh_err *e);

#endif
