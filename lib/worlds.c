/* SPDX-License-Identifier: ISC */
/* The table of worlds: the only place that knows which there are. */
#include "world.h"

#include <string.h>

extern const struct dh_world_ops dh_world_doom, dh_world_native;

static const struct dh_world_ops *const worlds[] = {
    &dh_world_doom,
    &dh_world_native,
};

const struct dh_world_ops *dh_world_find(struct dh_str game)
{
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
        if (strlen(worlds[i]->game) == game.n && memcmp(worlds[i]->game, game.p, game.n) == 0)
            return worlds[i];
    return NULL;
}
