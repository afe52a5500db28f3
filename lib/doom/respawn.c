/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * respawn.c - players and items that come back.
 */
#include "play.h"

#define ITEM_WAIT (30 * TICRATE)
#define DM_TRIES 20
#define DM_NEED 4 /* fewer deathmatch starts are an error of the map */

/*
 * Where a player's fog appears, relative to the start, by the start's angle in eighths of a turn: 20 units ahead. The
 * executable took the angle for signed, so that west to south-east ran into the table before the one that it wanted:
 * the tangents. The fog is far off the map there, which also decides what sector it is in.
 */
static const int32_t nought = 0;
static const struct {
    const int32_t *x, *y;
} fog_offset[9] = {
    {&trig_sine[2048], &trig_sine[0]},
    {&trig_sine[3072], &trig_sine[1024]},
    {&trig_sine[4096], &trig_sine[2048]},
    {&trig_sine[5120], &trig_sine[3072]},
    {&trig_tangent[2048], &trig_tangent[0]},
    {&trig_tangent[3072], &trig_tangent[1024]},
    {&trig_sine[0], &trig_tangent[2048]},
    {&trig_sine[1024], &trig_tangent[3072]},
    {&nought, &trig_sine[8192]}, /* 360 degrees: past the cosines come the arctangents */
};

static void fog(struct doom *d, fixed x, fixed y, int16_t angle)
{
    const int eighth = angle / 45;

    if (eighth < 0 || eighth > 8) {
        dh_fail(d->err, DH_TROUBLE, "a player start has the angle %d: expected 0 to 360", angle);
        return;
    }
    mobj_spawn(d, wrap_add(x, wrap_mul(20, *fog_offset[eighth].x)), wrap_add(y, wrap_mul(20, *fog_offset[eighth].y)),
               bsp_subsector(d, x, y)->sector->floor, T_TeleportFog);
}

/* The oldest body goes when the queue is full. */
static void keep_body(struct doom *d, struct mobj *body)
{
    struct mobj **slot = &d->bodyque[d->bodyqueslot % BODYQUESIZE];

    if (d->bodyqueslot >= BODYQUESIZE)
        mobj_remove(d, *slot);
    *slot = body;
    d->bodyqueslot++;
}

/* Is there room at a start? If so, the former body is queued and fog rises. */
static bool try_spot(struct doom *d, int slot, const struct mapthing *spot)
{
    struct mobj *body = d->players[slot].mo;
    const fixed x = FX(spot->x), y = FX(spot->y);

    if (!body) {
        /* The first spawn of a level: nobody moved yet, so it is enough not to share a start. */
        for (int i = 0; i < slot; i++) {
            const struct mobj *other = d->playeringame[i] ? d->players[i].mo : NULL;
            if (other && other->x == x && other->y == y)
                return false;
        }
        return true;
    }
    if (!move_check(d, body, x, y))
        return false;
    keep_body(d, body);
    fog(d, x, y, spot->angle);
    return true;
}

/* False, with d->err filled: the map has too few starts. The start that is taken is the player's from then on. */
bool respawn_deathmatch(struct doom *d, int slot)
{
    if (d->ndmstarts < DM_NEED) {
        dh_fail(d->err, DH_TROUBLE, "the map has %d deathmatch starts: expected %d or more", d->ndmstarts, DM_NEED);
        return false;
    }
    for (int i = 0; i < DM_TRIES; i++) {
        struct mapthing *spot = &d->dmstarts[rng_next(d) % d->ndmstarts];
        if (try_spot(d, slot, spot)) {
            spot->type = (int16_t)(slot + 1);
            spawn_player(d, spot);
            return true;
        }
    }
    spawn_player(d, &d->playerstarts[slot]); /* whoever stands there: they are stuck in each other */
    return true;
}

void respawn_player(struct doom *d, int slot)
{
    if (!d->netgame) {
        d->gameaction = GA_LOADLEVEL;
        return;
    }
    d->players[slot].mo->player = NULL; /* the body is nobody's now */
    if (d->deathmatch) {
        respawn_deathmatch(d, slot);
        return;
    }
    if (try_spot(d, slot, &d->playerstarts[slot])) {
        spawn_player(d, &d->playerstarts[slot]);
        return;
    }
    for (int i = 0; i < MAXPLAYERS; i++) {
        struct mapthing *spot = &d->playerstarts[i];
        if (try_spot(d, slot, spot)) {
            spot->type = (int16_t)(slot + 1); /* lent by its owner */
            spawn_player(d, spot);
            spot->type = (int16_t)(i + 1);
            return;
        }
    }
    spawn_player(d, &d->playerstarts[slot]);
}

static int type_by_doomednum(const struct doom *d, int16_t doomednum)
{
    for (int i = 0; i < NTHINGTYPES; i++)
        if (d->things[i].doomednum == doomednum)
            return i;
    return -1;
}

/* At most one a tic, in the order in which they were taken. */
void respawn_items(struct doom *d)
{
    if (d->deathmatch != 2 || d->iquehead == d->iquetail)
        return;
    if (d->leveltime - d->itemtime[d->iquetail] < ITEM_WAIT)
        return;

    const struct mapthing *spot = &d->itemque[d->iquetail];
    const fixed x = FX(spot->x), y = FX(spot->y);
    mobj_spawn(d, x, y, bsp_subsector(d, x, y)->sector->floor, T_ItemFog);

    const int type = type_by_doomednum(d, spot->type);
    if (type < 0) {
        dh_fail(d->err, DH_TROUBLE, "an item to respawn has no type: no thing has the editor number %d", spot->type);
        return;
    }
    struct mobj *mo = mobj_spawn(d, x, y, d->things[type].flags & MF_SPAWNCEILING ? ONCEILINGZ : ONFLOORZ, type);
    mo->spawn = *spot;
    mo->angle = ANG45 * (bam)(spot->angle / 45);
    d->iquetail = (d->iquetail + 1) & (ITEMQUESIZE - 1);
}
