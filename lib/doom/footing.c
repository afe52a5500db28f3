/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * footing.c - checks of a place that need not be made, since what is known of the last one says how they would end.
 *
 * Most checks are those of monsters that crowd before a wall or before each other and try one direction after another,
 * and those of things that lie around where a floor moves. What is remembered is in the mobj (struct footing); that it
 * is forgotten, as by a restore, changes nothing.
 */
#include "space.h"

#define CLIMBS (MF_TELEPORT | MF_DROPOFF | MF_FLOAT) /* what a place's heights are held against (move.c, fits) */

/*
 * The footing that a mobj has where it stands; NULL where a check does more than give an answer: the mobj acts by
 * touching things, the last opening measured is read later (see geo_opening), or things are not where the blockmap has
 * them.
 */
static struct footing *footing_of(const struct doom *d, struct mobj *mo)
{
    struct footing *f = &mo->footing;
    if (d->lev.oddlines || d->lev.nblocks || d->lev.strays || space_touches(mo) || (mo->flags & MF_NOCLIP))
        return NULL;
    if (f->x != mo->x || f->y != mo->y || f->radius != mo->radius) {
        f->x = mo->x;
        f->y = mo->y;
        f->radius = mo->radius;
        f->open = false;
        f->walls = f->ledges = 0;
    }
    return f;
}

/* The thing that ended the step before would end it now: then it does, or one that is met before. One that is wider
 * than MAXRADIUS could reach here from a block that the walk does not come to. */
static bool still_bumps(const struct doom *d, const struct footing *f, const struct mobj *mo, int dir, fixed x, fixed y)
{
    const struct mobj *t = f->bumps[dir];
    return t && !t->th.removed && t != mo && !space_apart(t, x, y, wrap_add(t->radius, mo->radius)) &&
           t->radius <= MAXRADIUS && (t->flags & (MF_SOLID | MF_NOBLOCKMAP)) == MF_SOLID &&
           block_inside(&d->lev, block_x(d, t->x), block_y(d, t->y));
}

static bool same_heights(const struct doom *d, const struct footing *f, const struct mobj *mo)
{
    return f->z == mo->z && f->height == mo->height && f->climbs == (mo->flags & CLIMBS) &&
           f->heightchange == d->lev.heightchange;
}

static bool ends_again(const struct doom *d, const struct footing *f, const struct mobj *mo, int dir, fixed x, fixed y)
{
    const int bit = 1 << dir;
    return (f->walls & bit) || ((f->ledges & bit) && same_heights(d, f, mo)) || still_bumps(d, f, mo, dir, x, y);
}

static void remember_end(const struct doom *d, struct footing *f, struct mobj *mo, int dir)
{
    const struct trymove *tm = &d->tm;
    if (tm->ended == CHECK_THING) {
        f->bumps[dir] = tm->bumped;
    } else if (tm->ended == CHECK_WALL && tm->nspechit == 0) {
        f->walls |= (uint8_t)(1 << dir);
    } else if (tm->ended == CHECK_NOTHING && tm->nspechit == 0 &&
               !(mo->flags & MF_FLOAT)) { /* a flier wants to know whether another height would do */
        if (!same_heights(d, f, mo)) {
            f->ledges = 0;
            f->z = mo->z;
            f->height = mo->height;
            f->climbs = mo->flags & CLIMBS;
            f->heightchange = d->lev.heightchange;
        }
        f->ledges |= (uint8_t)(1 << dir);
    }
}

/* A step that ended at special lines is always tried: a monster goes on to use them. */
bool footing_step(struct doom *d, struct mobj *mo, int dir, fixed x, fixed y)
{
    struct footing *f = footing_of(d, mo);
    if (f && ends_again(d, f, mo, dir, x, y)) {
        d->tm.floatok = false;
        d->tm.nspechit = 0;
        return false;
    }
    if (move_try(d, mo, x, y))
        return true;
    if (f)
        remember_end(d, f, mo, dir);
    return false;
}

/* The floor and ceiling that a check of a thing's own place finds. Where its box meets no line they are those of its
 * middle, whether the check gets as far as to the lines or ends at a thing. */
void footing_heights(struct doom *d, struct mobj *mo)
{
    struct footing *f = footing_of(d, mo);
    if (f && f->open) {
        mo->floorz = mo->subsector->sector->floor;
        mo->ceilingz = mo->subsector->sector->ceiling;
        return;
    }
    move_check(d, mo, mo->x, mo->y); /* whatever it says; items in reach are picked up by it */
    if (!d->tm.under)
        move_look_under(d);
    mo->floorz = d->tm.floorz;
    mo->ceilingz = d->tm.ceilingz;
    if (f)
        f->open = d->tm.ended == CHECK_NOTHING && !d->tm.met;
}
