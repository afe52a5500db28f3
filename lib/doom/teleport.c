/* SPDX-License-Identifier: GPL-2.0-or-later */
/* teleport.c - to the teleport destination in a sector of the line's tag. */
#include "play.h"

/* Up to 1.1 a teleport is a move like any other, but for steps and for the lines on its way: what stands there is not
 * crushed but in the way, and what lies there is taken (recreated, EV_Teleport; 1207). */
static bool go(struct doom *d, struct mobj *mo, fixed x, fixed y)
{
    if (d->version >= VERSION_DOOM_1_2)
        return move_teleport(d, mo, x, y);
    mo->flags |= MF_TELEPORT;
    const bool went = move_try(d, mo, x, y);
    mo->flags &= ~(uint32_t)MF_TELEPORT;
    return went;
}

static bool arrive(struct doom *d, struct mobj *mo, const struct mobj *dest)
{
    const fixed x = mo->x, y = mo->y, z = mo->z;
    if (!go(d, mo, dest->x, dest->y))
        return false;
    /* The first executable of Final Doom forgot this: there a monster or player arrives at the height that it had. */
    if (d->version != VERSION_FINAL)
        mo->z = mo->floorz;
    if (mo->player)
        mo->player->viewz = wrap_add(mo->z, mo->player->viewheight);

    mobj_spawn(d, x, y, z, T_TeleportFog);
    mobj_spawn(d, wrap_add(dest->x, 20 * trig_cos(d, dest->angle)), wrap_add(dest->y, 20 * trig_sin(d, dest->angle)),
               mo->z, T_TeleportFog);

    if (mo->player)
        mo->reactiontime = 18; /* tics that the player cannot walk */
    mo->angle = dest->angle;
    mo->momx = mo->momy = mo->momz = 0;
    return true;
}

bool teleport_do(struct doom *d, struct line *l, int side, struct mobj *mo)
{
    if (mo->flags & MF_MISSILE)
        return false;
    if (side == 1)
        return false; /* from behind, so that one can walk off the pad */

    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;)
        for (struct mobj *m = NULL; (m = thinker_next_mobj(d, m));)
            if (m->type == T_TeleportDest && m->subsector->sector->index == n)
                return arrive(d, mo, m); /* the first one decides, even where it is blocked */
    return false;
}
