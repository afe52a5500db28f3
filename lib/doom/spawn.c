/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spawn.c - putting the map's things and the players into a level. */
#include <string.h>

#include "play.h"

/* Things turn in steps of 45 degrees. */
static bam spawn_angle(const struct mapthing *mt)
{
    return ANG45 * (uint32_t)(mt->angle / 45);
}

void spawn_player(struct doom *d, const struct mapthing *mt)
{
    if (mt->type < 1 || mt->type > MAXPLAYERS || !d->playeringame[mt->type - 1])
        return;
    const int slot = mt->type - 1;
    struct player *p = &d->players[slot];
    if (p->state == PST_REBORN)
        game_player_reborn(d, slot);

    /* A second start of the same player makes a second body; the first stays and is the voodoo doll. */
    struct mobj *mo = mobj_spawn(d, FX(mt->x), FX(mt->y), ONFLOORZ, T_Marine);
    mo->flags |= (uint32_t)slot << MF_TRANSSHIFT;
    mo->angle = spawn_angle(mt);
    mo->player = p;
    mo->health = p->health;

    p->mo = mo;
    p->state = PST_LIVE;
    p->refire = 0;
    p->damagecount = 0;
    p->bonuscount = 0;
    p->extralight = 0;
    p->fixedcolormap = 0;
    p->viewheight = VIEWHEIGHT;
    weapon_setup(d, p);
    if (d->deathmatch)
        for (int i = 0; i < NCARDS; i++)
            p->cards[i] = true;
}

static bool wanted_at_skill(const struct doom *d, const struct mapthing *mt)
{
    static const int16_t options[] = {MTF_EASY, MTF_EASY, MTF_NORMAL, MTF_HARD, MTF_HARD};
    return mt->options & options[d->skill];
}

static int type_of(const struct doom *d, int doomednum)
{
    for (int i = 0; i < NTHINGTYPES; i++)
        if (d->things[i].doomednum == doomednum)
            return i;
    return -1;
}

void spawn_map_thing(struct doom *d, const struct mapthing *mt)
{
    if (mt->type == 11) {
        if (d->ndmstarts < MAXDMSTARTS)
            d->dmstarts[d->ndmstarts++] = *mt;
        return;
    }
    if (mt->type <= 0)
        return; /* the executable takes these for players who do not play */
    if (mt->type <= MAXPLAYERS) {
        d->playerstarts[mt->type - 1] = d->playerstarts0[mt->type - 1] = *mt;
        d->playerstart_ok[mt->type - 1] = true;
        if (!d->deathmatch)
            spawn_player(d, mt);
        return;
    }

    if ((!d->netgame && !d->coopspawns && (mt->options & MTF_NOTSINGLE)) || !wanted_at_skill(d, mt))
        return;
    const int type = type_of(d, mt->type);
    if (type < 0) {
        dh_fail(d->err, DH_TROUBLE, "thing of unknown type %d at %d, %d", mt->type, mt->x, mt->y);
        return;
    }
    const uint32_t flags = d->things[type].flags;
    if (d->deathmatch && (flags & MF_NOTDMATCH))
        return;
    if (d->nomonsters && (type == T_LostSoul || (flags & MF_COUNTKILL)))
        return;

    struct mobj *mo = mobj_spawn(d, FX(mt->x), FX(mt->y), flags & MF_SPAWNCEILING ? ONCEILINGZ : ONFLOORZ, type);
    mo->spawn = *mt;
    if (mo->tics > 0)
        mo->tics = 1 + rng_next(d) % mo->tics; /* so that they do not all move at once */
    if (mo->flags & MF_COUNTKILL)
        d->totalkills++;
    if (mo->flags & MF_COUNTITEM)
        d->totalitems++;
    mo->angle = spawn_angle(mt);
    if (mt->options & MTF_AMBUSH)
        mo->flags |= MF_AMBUSH;
}

/* The monsters that came with Doom II, and its boss's parts. */
static bool doom2_only(int doomednum)
{
    switch (doomednum) {
    case 64:
    case 65:
    case 66:
    case 67:
    case 68:
    case 69:
    case 71:
    case 84:
    case 88:
    case 89:
        return true;
    default:
        return false;
    }
}

void spawn_map_things(struct doom *d)
{
    for (int i = 0; i < d->lev.nthings && !d->err->status; i++) {
        /* in Doom 1 the first of those does not stay away alone: with it ends the list */
        if (d->mode != MODE_COMMERCIAL && doom2_only(d->lev.things[i].type))
            break;
        spawn_map_thing(d, &d->lev.things[i]);
    }
    for (int i = 0; i < MAXPLAYERS && !d->deathmatch && !d->err->status; i++) {
        if (d->playeringame[i] && !d->playerstart_ok[i])
            dh_fail(d->err, DH_TROUBLE, "expected a start for player %d in the map, found none", i + 1);
        d->playerstart_ok[i] = false;
    }
}
