/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slide.c - a player who runs into a wall goes up to it and along it. */
#include "space.h"

#define TRIES 3
#define GAP 0x800 /* of the move: how far from the wall it is stopped */
#define NOTHING_HIT (FX_ONE + 1)

static bool blocks(struct doom *d, const struct mobj *mo, const struct line *l)
{
    if (!(l->flags & ML_TWOSIDED))
        return !geo_line_side(l, mo->x, mo->y); /* from behind it is no wall */
    geo_opening(d, l);
    return d->open.range < mo->height || wrap_sub(d->open.top, mo->z) < mo->height ||
           wrap_sub(d->open.bottom, mo->z) > STEP_MAX;
}

static bool meet(struct doom *d, struct intercept *in)
{
    struct slide *s = &d->slide;
    if (!blocks(d, s->thing, in->line))
        return true;
    if (in->frac < s->frac) {
        s->frac = in->frac;
        s->line = in->line;
    }
    return false;
}

static void feel(struct doom *d, const struct mobj *mo, fixed x, fixed y)
{
    trace_path(d, x, y, wrap_add(x, mo->momx), wrap_add(y, mo->momy), TRACE_LINES, meet);
}

/* Turn what is left of the move into the line's direction: of its length, the part along the line. */
static void clip_to_line(const struct doom *d, struct slide *s)
{
    const struct line *l = s->line;
    if (l->slope == SLOPE_HORIZONTAL) {
        s->momy = 0;
        return;
    }
    if (l->slope == SLOPE_VERTICAL) {
        s->momx = 0;
        return;
    }
    bam along = trig_angle(d, 0, 0, l->dx, l->dy);
    if (geo_line_side(l, s->thing->x, s->thing->y) == 1)
        along += ANG180;
    bam off = trig_angle(d, 0, 0, s->momx, s->momy) - along;
    if (off > ANG180)
        off += ANG180;
    fixed len = fx_mul(trig_distance(s->momx, s->momy), trig_cos(d, off));
    s->momx = fx_mul(len, trig_cos(d, along));
    s->momy = fx_mul(len, trig_sin(d, along));
}

/* The wall met none of the corners, or is no wall to slide on: one axis at a time, the y axis first. */
static void stairstep(struct doom *d, struct mobj *mo)
{
    if (!move_try(d, mo, mo->x, wrap_add(mo->y, mo->momy)))
        move_try(d, mo, wrap_add(mo->x, mo->momx), mo->y);
}

void slide_move(struct doom *d, struct mobj *mo)
{
    struct slide *s = &d->slide;
    s->thing = mo;
    for (int try = 1; try < TRIES; try++) {
        /* The three corners that lead: the foremost one and its two neighbours. A zero momentum counts as backward. */
        fixed aheadx = mo->momx > 0 ? mo->radius : wrap_neg(mo->radius);
        fixed aheady = mo->momy > 0 ? mo->radius : wrap_neg(mo->radius);
        fixed leadx = wrap_add(mo->x, aheadx), trailx = wrap_sub(mo->x, aheadx);
        fixed leady = wrap_add(mo->y, aheady), traily = wrap_sub(mo->y, aheady);
        s->frac = NOTHING_HIT;
        feel(d, mo, leadx, leady);
        feel(d, mo, trailx, leady);
        feel(d, mo, leadx, traily);
        if (s->frac == NOTHING_HIT)
            break;

        s->frac -= GAP;
        if (s->frac > 0) {
            fixed dx = fx_mul(mo->momx, s->frac), dy = fx_mul(mo->momy, s->frac);
            if (!move_try(d, mo, wrap_add(mo->x, dx), wrap_add(mo->y, dy)))
                break;
        }

        fixed rest = FX_ONE - (s->frac + GAP);
        if (rest > FX_ONE)
            rest = FX_ONE;
        if (rest <= 0)
            return;
        s->momx = fx_mul(mo->momx, rest);
        s->momy = fx_mul(mo->momy, rest);
        clip_to_line(d, s);
        mo->momx = s->momx;
        mo->momy = s->momy;
        if (move_try(d, mo, wrap_add(mo->x, s->momx), wrap_add(mo->y, s->momy)))
            return;
    }
    stairstep(d, mo);
}
