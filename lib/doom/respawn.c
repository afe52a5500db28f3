/* SPDX-License-Identifier: GPL-2.0-or-later */
/* respawn.c - players who come back after death, and items in deathmatch. */
#include "play.h"

/* ---- players ----------------------------------------------------------------------------------------------------- */

/*
 * Where the fog of a player that appears at a start is: 20 units before it. The executable works with a signed angle:
 * from 180 degrees on its index into the sine table is negative and reaches into the tangent table before it, so that
 * the fog lands far away and is not seen.
 */
static void fog_offset(const struct doom *d, const struct mapthing *mt, fixed *dx, fixed *dy)
{
    const int eighth = mt->angle / 45 & 7; /* the product with an eighth of a circle wraps: 360 degrees are 0 */
    switch (eighth) {
    case 4:
        *dx = trig_tangent[2048];
        *dy = trig_tangent[0];
        break;
    case 5:
        *dx = trig_tangent[3072];
        *dy = trig_tangent[1024];
        break;
    case 6:
        *dx = trig_sine[0];
        *dy = trig_tangent[2048];
        break;
    case 7:
        *dx = trig_sine[1024];
        *dy = trig_tangent[3072];
        break;
    default:
        *dx = trig_cos(d, ANG45 * (uint32_t)eighth);
        *dy = trig_sin(d, ANG45 * (uint32_t)eighth);
        break;
    }
}

/* At the level's start nothing stands anywhere but the players before this one. */
static bool first_spot_free(const struct doom *d, int slot, fixed x, fixed y)
{
    for (int i = 0; i < slot; i++) {
        const struct mobj *mo = d->players[i].mo;
        if (mo && mo->x == x && mo->y == y)
            return false;
    }
    return true;
}

/* Whether a player can appear at a start; if so its old body is put into the queue, and there is a fog. */
static bool take_spot(struct doom *d, int slot, const struct mapthing *mt)
{
    const fixed x = FX(mt->x), y = FX(mt->y);
    struct mobj *body = d->players[slot].mo;
    if (!body)
        return first_spot_free(d, slot, x, y);
    if (!move_check(d, body, x, y))
        return false;

    if (d->bodyqueslot >= BODYQUESIZE)
        mobj_remove(d, d->bodyque[d->bodyqueslot % BODYQUESIZE]);
    d->bodyque[d->bodyqueslot % BODYQUESIZE] = body;
    d->bodyqueslot++;

    fixed dx, dy;
    fog_offset(d, mt, &dx, &dy);
    const struct subsector *ss = bsp_subsector(d, x, y);
    mobj_spawn(d, wrap_add(x, wrap_mul(20, dx)), wrap_add(y, wrap_mul(20, dy)), ss->sector->floor, T_TeleportFog);
    return true;
}

bool respawn_deathmatch(struct doom *d, int slot)
{
    if (d->ndmstarts < 4) {
        dh_fail(d->err, DH_TROUBLE, "deathmatch needs 4 starts, the map has %d", d->ndmstarts);
        return false;
    }
    for (int tries = 0; tries < 20 && !d->err->status; tries++) {
        struct mapthing *mt = &d->dmstarts[rng_next(d) % d->ndmstarts];
        if (take_spot(d, slot, mt)) {
            mt->type = (int16_t)(slot + 1);
            spawn_player(d, mt);
            return true;
        }
    }
    spawn_player(d, &d->playerstarts[slot]); /* likely into somebody */
    return false;
}

/* In single player the level is loaded again; with others the player comes back to a start. */
void respawn_player(struct doom *d, int slot)
{
    if (!d->netgame) {
        d->gameaction = GA_LOADLEVEL;
        return;
    }
    d->players[slot].mo->player = NULL; /* the corpse is nobody's from now on */
    if (d->deathmatch) {
        respawn_deathmatch(d, slot);
        return;
    }
    if (take_spot(d, slot, &d->playerstarts[slot])) {
        spawn_player(d, &d->playerstarts[slot]);
        return;
    }
    for (int i = 0; i < MAXPLAYERS && !d->err->status; i++) {
        if (take_spot(d, slot, &d->playerstarts[i])) {
            struct mapthing borrowed = d->playerstarts[i];
            borrowed.type = (int16_t)(slot + 1);
            spawn_player(d, &borrowed);
            d->playerstarts[i].type = (int16_t)(i + 1);
            return;
        }
    }
    spawn_player(d, &d->playerstarts[slot]);
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

/* At most one a tic, the oldest first, half a minute after it was taken. */
void respawn_items(struct doom *d)
{
    if (d->deathmatch != 2 || d->iquehead == d->iquetail)
        return;
    if (d->leveltime - d->itemtime[d->iquetail] < 30 * TICRATE)
        return;

    const struct mapthing *mt = &d->itemque[d->iquetail];
    const fixed x = FX(mt->x), y = FX(mt->y);
    mobj_spawn(d, x, y, bsp_subsector(d, x, y)->sector->floor, T_ItemFog);

    int type = 0;
    while (type < NTHINGTYPES && d->things[type].doomednum != mt->type)
        type++;
    if (type == NTHINGTYPES) {
        dh_fail(d->err, DH_TROUBLE, "an item of unknown type %d was to come back", mt->type);
        return;
    }
    struct mobj *mo = mobj_spawn(d, x, y, d->things[type].flags & MF_SPAWNCEILING ? ONCEILINGZ : ONFLOORZ, type);
    mo->spawn = *mt;
    mo->angle = ANG45 * (uint32_t)(mt->angle / 45);
    d->iquetail = (d->iquetail + 1) & (ITEMQUESIZE - 1);
}
