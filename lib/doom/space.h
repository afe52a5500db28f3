/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * space.h - what the files of movement, collision and tracing share among themselves.
 *
 * The walks over a block are inline, so that a caller's visitor becomes part of the loop: they are where a tic's time
 * goes.
 */
#ifndef DOOM_SPACE_H
#define DOOM_SPACE_H

#include "play.h"

#define BLOCK_CROWD 100000 /* more things than any block has; a list that an overrun broke can be a circle */
#define STEP_MAX FX(24)    /* the highest step that is walked up or down */

static inline int block_x(const struct doom *d, fixed x)
{
    return wrap_sub(x, d->lev.bmorgx) >> MAPBLOCKSHIFT;
}

static inline int block_y(const struct doom *d, fixed y)
{
    return wrap_sub(y, d->lev.bmorgy) >> MAPBLOCKSHIFT;
}

static inline bool block_inside(const struct level *v, int bx, int by)
{
    return (uint32_t)bx < (uint32_t)v->bmwidth && (uint32_t)by < (uint32_t)v->bmheight;
}

struct block_range {
    int x0, x1, y0, y1;
};

/* The blocks that a box touches; grown by the reach of things, since a thing is listed only in the block of its middle.
 */
static inline struct block_range block_range(const struct doom *d, const fixed box[4], fixed reach)
{
    return (struct block_range){
        block_x(d, wrap_sub(box[BOXLEFT], reach)),
        block_x(d, wrap_add(box[BOXRIGHT], reach)),
        block_y(d, wrap_sub(box[BOXBOTTOM], reach)),
        block_y(d, wrap_add(box[BOXTOP], reach)),
    };
}

/* The next one is read after the visit: a thing that the visit moved leads on in its new block, a removed one in its
 * old. */
static inline bool block_each_thing(struct doom *d, int bx, int by, bool (*fn)(struct doom *, struct mobj *))
{
    if (!block_inside(&d->lev, bx, by))
        return true;
    int n = 0;
    for (struct mobj *mo = d->lev.blocklinks[by * d->lev.bmwidth + bx]; mo; mo = mo->bnext) {
        if (!fn(d, mo))
            return false;
        if (++n > BLOCK_CROWD) {
            dh_fail(d->err, DH_TROUBLE, "the things of block %d, %d lead in a circle: the executable hangs here", bx,
                    by);
            return false;
        }
    }
    return true;
}

/* Is a thing at least so far from a position, along one axis or the other? Heights do not matter. */
static inline bool space_apart(const struct mobj *mo, fixed x, fixed y, fixed reach)
{
    return wrap_abs(wrap_sub(mo->x, x)) >= reach || wrap_abs(wrap_sub(mo->y, y)) >= reach;
}

/* Whether a mobj does something to the things that it touches. */
static inline bool space_touches(const struct mobj *mo)
{
    return mo->flags & (MF_MISSILE | MF_SKULLFLY | MF_PICKUP);
}

/* motion.c: a mobj's momentum, one tic of it; the mobj may be removed in the course */
void motion_xy(struct doom *d, struct mobj *mo);
void motion_z(struct doom *d, struct mobj *mo);

/* overrun.c: writes past the end of a full array, and what they hit in the executable */
void overrun_spechit(struct doom *d, struct line *l);                       /* d->tm.nspechit counts it already */
void overrun_intercepts(struct doom *d, const struct intercept *in, int n); /* n: its index */

#endif
