/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shoot.c - what goes along a trace: the aim, the shot, the use of a line; and the blast of an explosion. */
#include "space.h"

#define AIM_SLOPE (100 * FX_ONE / 160) /* up and down: the corners of the executable's screen */
#define MUZZLE FX(8)                   /* above the middle of the shooter */
#define PUFF_BACK FX(4)                /* how far before a wall, or before a body, the mark of a hit appears */
#define BLOOD_BACK FX(10)

/* A trace from a thing in a direction. NULL is a thing at the map's origin without size. */
static void trace_from(struct doom *d, struct mobj *mo, bam angle, fixed distance, int flags,
                       bool (*fn)(struct doom *, struct intercept *))
{
    fixed x = mo ? mo->x : 0, y = mo ? mo->y : 0;
    int32_t units = distance >> FX_BITS;
    trace_path(d, x, y, wrap_add(x, wrap_mul(units, trig_cos(d, angle))),
               wrap_add(y, wrap_mul(units, trig_sin(d, angle))), flags, fn);
}

static void take_aim(struct doom *d, struct mobj *mo, fixed distance)
{
    d->shot.who = mo;
    d->shot.z = mo ? wrap_add(wrap_add(mo->z, mo->height >> 1), MUZZLE) : MUZZLE;
    d->shot.range = distance;
}

/* The slope from the muzzle to a height at a part of the range. */
static fixed slope_to(const struct shot *s, fixed z, fixed dist)
{
    return fx_div(wrap_sub(z, s->z), dist);
}

/* Where the floors, the ceilings of a line's sides differ. One without a back has the opening of an earlier line
 * (geo_opening). */
static bool floors_differ(const struct line *l)
{
    return !l->back || l->front->floor != l->back->floor;
}

static bool ceilings_differ(const struct line *l)
{
    return !l->back || l->front->ceiling != l->back->ceiling;
}

/* ---- aim --------------------------------------------------------------------------------------------------------- */

static bool aim_past_line(struct doom *d, const struct intercept *in)
{
    struct shot *s = &d->shot;
    const struct line *l = in->line;
    if (!(l->flags & ML_TWOSIDED))
        return false;
    geo_opening(d, l);
    if (d->open.bottom >= d->open.top)
        return false;
    fixed dist = fx_mul(s->range, in->frac);
    if (floors_differ(l)) {
        fixed slope = slope_to(s, d->open.bottom, dist);
        if (slope > s->bottom)
            s->bottom = slope;
    }
    if (ceilings_differ(l)) {
        fixed slope = slope_to(s, d->open.top, dist);
        if (slope < s->top)
            s->top = slope;
    }
    return s->top > s->bottom;
}

/* Aims at the middle of what is to be seen of the first thing that can be hit. */
static bool aim_at(struct doom *d, struct intercept *in)
{
    if (in->line)
        return aim_past_line(d, in);
    struct shot *s = &d->shot;
    struct mobj *mo = in->thing;
    if (mo == s->who || !(mo->flags & MF_SHOOTABLE))
        return true;
    fixed dist = fx_mul(s->range, in->frac);
    fixed top = slope_to(s, wrap_add(mo->z, mo->height), dist);
    if (top < s->bottom)
        return true;
    fixed bottom = slope_to(s, mo->z, dist);
    if (bottom > s->top)
        return true;
    if (top > s->top)
        top = s->top;
    if (bottom < s->bottom)
        bottom = s->bottom;
    s->slope = wrap_add(top, bottom) / 2;
    d->linetarget = mo;
    return false;
}

fixed trace_aim(struct doom *d, struct mobj *mo, bam angle, fixed distance)
{
    take_aim(d, mo, distance);
    d->shot.top = AIM_SLOPE;
    d->shot.bottom = -AIM_SLOPE;
    d->linetarget = NULL;
    trace_from(d, mo, angle, distance, TRACE_LINES | TRACE_THINGS, aim_at);
    return d->linetarget ? d->shot.slope : 0;
}

/* ---- shot -------------------------------------------------------------------------------------------------------- */

struct point {
    fixed x, y, z;
};

/* Where a hit leaves its mark: a bit before the point itself. */
static struct point mark_of(const struct doom *d, const struct intercept *in, fixed back)
{
    const struct shot *s = &d->shot;
    const struct divline *t = &d->trace.line;
    fixed frac = wrap_sub(in->frac, fx_div(back, s->range));
    return (struct point){
        wrap_add(t->x, fx_mul(t->dx, frac)),
        wrap_add(t->y, fx_mul(t->dy, frac)),
        wrap_add(s->z, fx_mul(s->slope, fx_mul(frac, s->range))),
    };
}

static bool flies_through(struct doom *d, const struct intercept *in)
{
    const struct shot *s = &d->shot;
    const struct line *l = in->line;
    if (!(l->flags & ML_TWOSIDED))
        return false;
    geo_opening(d, l);
    fixed dist = fx_mul(s->range, in->frac);
    if (floors_differ(l) && slope_to(s, d->open.bottom, dist) > s->slope)
        return false;
    return !ceilings_differ(l) || slope_to(s, d->open.top, dist) >= s->slope;
}

/* Into the sky, or the wall between two skies: no mark. Only the front's sky counts, even for a shot from the back. */
static bool lost_in_sky(const struct doom *d, const struct line *l, fixed z)
{
    int sky = tex_sky(d->tex);
    return l->front->ceilingpic == sky && (z > l->front->ceiling || (l->back && l->back->ceilingpic == sky));
}

static bool hit(struct doom *d, struct intercept *in)
{
    struct shot *s = &d->shot;
    if (in->line) {
        struct line *l = in->line;
        if (l->special) /* before it is known whether the shot hits it or goes through */
            line_shoot(d, s->who, l);
        if (flies_through(d, in))
            return true;
        struct point p = mark_of(d, in, PUFF_BACK);
        if (!lost_in_sky(d, l, p.z))
            missile_puff(d, p.x, p.y, p.z, s->range);
        return false;
    }

    struct mobj *mo = in->thing;
    if (mo == s->who || !(mo->flags & MF_SHOOTABLE))
        return true;
    fixed dist = fx_mul(s->range, in->frac);
    if (slope_to(s, wrap_add(mo->z, mo->height), dist) < s->slope || slope_to(s, mo->z, dist) > s->slope)
        return true;
    struct point p = mark_of(d, in, BLOOD_BACK);
    if (mo->flags & MF_NOBLOOD)
        missile_puff(d, p.x, p.y, p.z, s->range);
    else
        missile_blood(d, p.x, p.y, p.z, s->damage);
    if (s->damage != 0)
        damage_mobj(d, mo, s->who, s->who, s->damage);
    return false;
}

void trace_attack(struct doom *d, struct mobj *mo, bam angle, fixed distance, fixed slope, int damage)
{
    take_aim(d, mo, distance);
    d->shot.slope = slope;
    d->shot.damage = damage;
    trace_from(d, mo, angle, distance, TRACE_LINES | TRACE_THINGS, hit);
}

/* ---- use --------------------------------------------------------------------------------------------------------- */

/* The first special line within reach, from either side, and no line beyond it; a closed opening is beyond reach. */
static bool use(struct doom *d, struct intercept *in)
{
    struct mobj *mo = d->shot.who;
    if (!in->line->special) {
        geo_opening(d, in->line);
        return d->open.range > 0;
    }
    line_use(d, mo, in->line, geo_line_side(in->line, mo->x, mo->y));
    return false;
}

void trace_use(struct doom *d, struct player *p)
{
    struct mobj *mo = d->shot.who = p->mo;
    const int32_t units = USERANGE >> FX_BITS;
    trace_path(d, mo->x, mo->y, wrap_add(mo->x, wrap_mul(units, trig_step_cos(d, mo->angle))),
               wrap_add(mo->y, wrap_mul(units, trig_step_sin(d, mo->angle))), TRACE_LINES, use);
}

/* ---- blast ------------------------------------------------------------------------------------------------------- */

static bool blast_thing(struct doom *d, struct mobj *mo)
{
    const struct blast *b = &d->blast;
    if (!(mo->flags & MF_SHOOTABLE) || mo->type == T_Cyberdemon || mo->type == T_SpiderMastermind)
        return true;
    fixed dx = wrap_abs(wrap_sub(mo->x, b->spot->x)), dy = wrap_abs(wrap_sub(mo->y, b->spot->y));
    int dist = wrap_sub(dx > dy ? dx : dy, mo->radius) >> FX_BITS; /* from its side; height does not matter */
    if (dist < 0)
        dist = 0;
    if (dist >= b->damage)
        return true;
    if (sight_check(d, mo, b->spot))
        damage_mobj(d, mo, b->spot, b->source, b->damage - dist);
    return true;
}

/* Row by row, unlike the other walks. MAXRADIUS is fixed already, and shifted again it is shifted out: the reach is the
 * damage alone. */
void trace_radius_attack(struct doom *d, struct mobj *spot, struct mobj *source, int damage)
{
    fixed reach = wrap_shl(wrap_add(damage, MAXRADIUS), FX_BITS);
    int y0 = block_y(d, wrap_sub(spot->y, reach)), y1 = block_y(d, wrap_add(spot->y, reach));
    int x0 = block_x(d, wrap_sub(spot->x, reach)), x1 = block_x(d, wrap_add(spot->x, reach));
    d->blast = (struct blast){spot, source, damage};
    for (int by = y0; by <= y1; by++)
        for (int bx = x0; bx <= x1; bx++)
            block_each_thing(d, bx, by, blast_thing);
}
