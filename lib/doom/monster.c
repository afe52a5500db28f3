/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * monster.c - how monsters sense, wake, turn and die; the respawn of nightmare.
 */
#include "monster.h"

/* And not so near that it is felt. */
static bool behind_back(const struct doom *d, const struct mobj *mo, const struct mobj *t)
{
    bam off = trig_angle(d, mo->x, mo->y, t->x, t->y) - mo->angle;
    return off > ANG90 && off < ANG270 && trig_distance(wrap_sub(t->x, mo->x), wrap_sub(t->y, mo->y)) > MELEERANGE;
}

/* Players are tried in turn from where the last look ended, at most two of them a call: that bounds the sight checks,
 * and spreads monsters over the players of a game for several. In 1.0 all of them are, from one drawn by lot
 * (recreated, P_LookForPlayers; 1207 draws as well, but keeps to two). */
bool monster_find_player(struct doom *d, struct mobj *mo, bool all_around)
{
    int looks = 0;
    const bool draws = d->version == VERSION_DOOM_1_0;
    if (draws)
        mo->lastlook = rng_next(d) & 3;
    int32_t stop = (mo->lastlook - 1) & 3;

    /* With anybody in the game the turn ends within 12 steps; the bound is for a world without players. */
    for (int step = 0; step < (draws ? MAXPLAYERS : 16); step++, mo->lastlook = (mo->lastlook + 1) & 3) {
        if (!d->playeringame[mo->lastlook])
            continue;
        if (!draws && (looks++ == 2 || mo->lastlook == stop))
            return false;

        struct player *p = &d->players[mo->lastlook];
        /* The player's own health, not his mobj's: a hurt voodoo doll counts too. */
        if (p->health <= 0 || !p->mo)
            continue;
        if (sight_rejected(d, mo, p->mo)) /* asked first, since most are */
            continue;
        bool unfelt = !all_around && behind_back(d, mo, p->mo);
        if ((unfelt && !sight_leaves_traces(d)) || !sight_look(d, mo, p->mo) || unfelt)
            continue;
        mo->target = p->mo;
        return true;
    }
    return false;
}

bool monster_reaches(struct doom *d, struct mobj *mo)
{
    struct mobj *t = mo->target;

    if (!t)
        return false;
    /* By the type's radius, not the mobj's own: a crushed one that was raised has none left. Before 1.5 the target's
     * width did not count (chocolate-doom, P_CheckMeleeRange). */
    fixed reach = d->version < VERSION_DOOM_1_5 ? MELEERANGE : MELEERANGE - FX(20) + monster_info(d, t)->radius;
    return trig_distance(wrap_sub(t->x, mo->x), wrap_sub(t->y, mo->y)) < reach && sight_check(d, mo, t);
}

void monster_face(struct doom *d, struct mobj *mo)
{
    struct mobj *t = mo->target;

    if (!t)
        return;
    mo->flags &= ~(uint32_t)MF_AMBUSH;
    mo->angle = trig_angle(d, mo->x, mo->y, t->x, t->y);
    if (t->flags & MF_SHADOW)
        mo->angle += (bam)rng_diff(d) << 21;
}

bool monster_is_last(struct doom *d, const struct mobj *mo)
{
    for (struct mobj *m = thinker_next_mobj(d, NULL); m; m = thinker_next_mobj(d, m))
        if (m != mo && m->type == mo->type && m->health > 0)
            return false;
    return true;
}

void monster_head(const struct doom *d, struct mobj *mo, bam angle, fixed speed)
{
    mo->momx = fx_mul(speed, trig_cos(d, angle));
    mo->momy = fx_mul(speed, trig_sin(d, angle));
}

void monster_stagger(struct doom *d, struct mobj *mo, int mask)
{
    mo->tics -= rng_next(d) & mask;
    if (mo->tics < 1 && d->version >= VERSION_DOOM_1_2) /* recreated, P_CheckMissileSpawn: up to 1.1 no such bound */
        mo->tics = 1;
}

/* Sounds come out of families: which member it is takes a draw, although nothing is heard here. */
static void draw_see_sound(struct doom *d, int sound)
{
    switch (sound) {
    case SND_posit1:
    case SND_posit2:
    case SND_posit3:
    case SND_bgsit1:
    case SND_bgsit2:
        rng_next(d);
        break;
    default:
        break;
    }
}

static void draw_death_sound(struct doom *d, int sound)
{
    switch (sound) {
    case SND_podth1:
    case SND_podth2:
    case SND_podth3:
    case SND_bgdth1:
    case SND_bgdth2:
        rng_next(d);
        break;
    default:
        break;
    }
}

/* What the sector heard last, if that can be shot. An ambusher wants to see it as well; it keeps it as target either
 * way. */
static bool hears_target(struct doom *d, struct mobj *mo)
{
    struct mobj *heard = mo->subsector->sector->soundtarget;

    if (!heard || !(heard->flags & MF_SHOOTABLE))
        return false;
    mo->target = heard;
    return !(mo->flags & MF_AMBUSH) || sight_check(d, mo, heard);
}

void monster_look(struct doom *d, struct mobj *mo)
{
    const struct thing_info *info = monster_info(d, mo);

    mo->threshold = 0;
    if (!hears_target(d, mo) && !monster_find_player(d, mo, false))
        return;
    draw_see_sound(d, info->sound.see);
    mobj_set_state(d, mo, info->frame.see);
}

void monster_fall(struct doom *d, struct mobj *mo)
{
    (void)d;
    mo->flags &= ~(uint32_t)MF_SOLID;
}

void monster_scream(struct doom *d, struct mobj *mo)
{
    draw_death_sound(d, monster_info(d, mo)->sound.death);
}

void monster_explode(struct doom *d, struct mobj *mo)
{
    trace_radius_attack(d, mo, mo->target, 128);
}

void monster_nightmare_respawn(struct doom *d, struct mobj *mo)
{
    /* A monster that no map thing stands for (out of a cube, a Pain Elemental) goes to the map's origin: its spawn
     * point is zero. */
    const struct mapthing spot = mo->spawn;
    fixed x = FX(spot.x), y = FX(spot.y);

    if (!move_check(d, mo, x, y))
        return;
    mobj_spawn(d, mo->x, mo->y, mo->subsector->sector->floor, T_TeleportFog);
    mobj_spawn(d, x, y, bsp_subsector(d, x, y)->sector->floor, T_TeleportFog);

    fixed z = monster_info(d, mo)->flags & MF_SPAWNCEILING ? ONCEILINGZ : ONFLOORZ;
    struct mobj *born = mobj_spawn(d, x, y, z, mo->type);
    born->spawn = spot;
    born->angle = ANG45 * (bam)(spot.angle / 45);
    if (spot.options & MTF_AMBUSH)
        born->flags |= MF_AMBUSH;
    born->reactiontime = 18;
    mobj_remove(d, mo);
}
