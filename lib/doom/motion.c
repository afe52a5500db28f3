/* SPDX-License-Identifier: GPL-2.0-or-later */
/* motion.c - one tic of a mobj's momentum: along the floor with friction, up and down with gravity. */
#include "space.h"

#define STOPSPEED 0x1000
#define FRICTION 0xe800

static fixed clamp(fixed mom)
{
    return mom > MAXMOVE ? MAXMOVE : mom < -MAXMOVE ? -MAXMOVE : mom;
}

static bool slower_than(const struct mobj *mo, fixed speed)
{
    return mo->momx > -speed && mo->momx < speed && mo->momy > -speed && mo->momy < speed;
}

static void stop_skull(struct doom *d, struct mobj *mo)
{
    mo->flags &= ~MF_SKULLFLY;
    mo->momx = mo->momy = mo->momz = 0;
    mobj_set_state(d, mo, d->things[mo->type].frame.spawn);
}

/* The upper wall between two outdoor sectors is open sky, and swallows a missile. d->tm has the line that the ceiling
 * came from. */
static bool hit_the_sky(const struct doom *d)
{
    const struct line *l = d->tm.ceilingline;
    return l && l->back && l->back->ceilingpic == tex_sky(d->tex);
}

/* A move that is blocked. false: the mobj is gone. */
static bool blocked(struct doom *d, struct mobj *mo)
{
    if (mo->player) {
        slide_move(d, mo);
    } else if (mo->flags & MF_MISSILE) {
        if (hit_the_sky(d)) {
            mobj_remove(d, mo);
            return false;
        }
        mobj_explode_missile(d, mo);
    } else {
        mo->momx = mo->momy = 0;
    }
    return true;
}

static void rub(struct doom *d, struct mobj *mo, struct player *p)
{
    if (p && (p->cheats & CF_NOMOMENTUM)) {
        mo->momx = mo->momy = 0;
        return;
    }
    if (mo->flags & (MF_MISSILE | MF_SKULLFLY))
        return;
    if (mo->z > mo->floorz)
        return;
    /* A corpse that hangs over a step keeps sliding until it is off it, or nearly at rest. */
    if ((mo->flags & MF_CORPSE) && mo->floorz != mo->subsector->sector->floor &&
        (mo->momx > FX_ONE / 4 || mo->momx < -FX_ONE / 4 || mo->momy > FX_ONE / 4 || mo->momy < -FX_ONE / 4))
        return;

    if (slower_than(mo, STOPSPEED) && (!p || (p->cmd.forward == 0 && p->cmd.side == 0))) {
        /* The player's own mobj is stood still here even where a voodoo doll is the one that stops. */
        if (p && p->mo->state >= S_PLAY_RUN1 && p->mo->state < S_PLAY_RUN1 + 4)
            mobj_set_state(d, p->mo, S_PLAY);
        mo->momx = 0;
        mo->momy = 0;
    } else {
        mo->momx = fx_mul(mo->momx, FRICTION);
        mo->momy = fx_mul(mo->momy, FRICTION);
    }
}

void motion_xy(struct doom *d, struct mobj *mo)
{
    if (mo->momx == 0 && mo->momy == 0) {
        if (mo->flags & MF_SKULLFLY) /* it slammed into something */
            stop_skull(d, mo);
        return;
    }

    struct player *p = mo->player;
    mo->momx = clamp(mo->momx);
    mo->momy = clamp(mo->momy);
    fixed dx = mo->momx, dy = mo->momy;
    do {
        fixed x, y;
        /*
         * A fast move goes in two halves, but only one that is fast toward the north or the east: the negative speeds
         * are not looked at. The halves differ in the last bit: the first is rounded toward zero, the rest downward.
         * 1.0 and 1.1 go all the way at once (recreated, P_XYMovement; 1207).
         */
        if (d->version >= VERSION_DOOM_1_2 && (dx > MAXMOVE / 2 || dy > MAXMOVE / 2)) {
            x = wrap_add(mo->x, dx / 2);
            y = wrap_add(mo->y, dy / 2);
            dx >>= 1;
            dy >>= 1;
        } else {
            x = wrap_add(mo->x, dx);
            y = wrap_add(mo->y, dy);
            dx = dy = 0;
        }
        if (!move_try(d, mo, x, y) && !blocked(d, mo))
            return;
    } while (dx != 0 || dy != 0);

    rub(d, mo, p);
}

/* A flier drifts to its target's height when that is near for the difference in height. */
static void drift(struct mobj *mo)
{
    if (!(mo->flags & MF_FLOAT) || !mo->target || (mo->flags & (MF_SKULLFLY | MF_INFLOAT)))
        return;
    const struct mobj *to = mo->target;
    fixed dist = trig_distance(wrap_sub(mo->x, to->x), wrap_sub(mo->y, to->y));
    fixed up = wrap_sub(wrap_add(to->z, mo->height >> 1), mo->z);
    fixed near = wrap_mul(up, 3);
    if (up < 0 && dist < wrap_neg(near))
        mo->z = wrap_sub(mo->z, FLOATSPEED);
    else if (up > 0 && dist < near)
        mo->z = wrap_add(mo->z, FLOATSPEED);
}

/* true: a missile has gone off */
static bool burst(struct doom *d, struct mobj *mo)
{
    if (!(mo->flags & MF_MISSILE) || (mo->flags & MF_NOCLIP))
        return false;
    mobj_explode_missile(d, mo);
    return true;
}

/*
 * The floor turns a charging lost soul's climb round. From the Ultimate executable on it does so before the climb is
 * stopped, and the soul bounces. In 1.9 it comes after, when a fall is zero already: no bounce, but one that rises and
 * is caught by a rising floor is turned down.
 */
static void land(struct doom *d, struct mobj *mo)
{
    bool bounces = d->version >= VERSION_ULTIMATE;
    if (bounces && (mo->flags & MF_SKULLFLY))
        mo->momz = wrap_neg(mo->momz);
    if (mo->momz < 0) {
        if (mo->player && mo->momz < -GRAVITY * 8) /* a hard landing: the view dips */
            mo->player->deltaviewheight = mo->momz >> 3;
        mo->momz = 0;
    }
    mo->z = mo->floorz;
    if (!bounces && (mo->flags & MF_SKULLFLY))
        mo->momz = wrap_neg(mo->momz);
}

void motion_z(struct doom *d, struct mobj *mo)
{
    /* Up a step the body jumps and the view follows smoothly. */
    if (mo->player && mo->z < mo->floorz) {
        struct player *p = mo->player;
        p->viewheight = wrap_sub(p->viewheight, wrap_sub(mo->floorz, mo->z));
        p->deltaviewheight = wrap_sub(VIEWHEIGHT, p->viewheight) >> 3;
    }

    mo->z = wrap_add(mo->z, mo->momz);
    drift(mo);

    if (mo->z <= mo->floorz) {
        land(d, mo);
        if (burst(d, mo))
            return;
    } else if (!(mo->flags & MF_NOGRAVITY)) {
        mo->momz = mo->momz == 0 ? -GRAVITY * 2 : wrap_sub(mo->momz, GRAVITY);
    }

    if (wrap_add(mo->z, mo->height) > mo->ceilingz) {
        if (mo->momz > 0)
            mo->momz = 0;
        mo->z = wrap_sub(mo->ceilingz, mo->height);
        if (mo->flags & MF_SKULLFLY) /* nothing to turn by now, unless it falls */
            mo->momz = wrap_neg(mo->momz);
        burst(d, mo);
    }
}
