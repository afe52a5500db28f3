/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sight.c - can one thing see another: the map's reject table first, then a walk through the tree of partitions from
 * eye to target that narrows the window between floors and ceilings at every line it crosses.
 */
#include "play.h"

struct sight {
    struct divline ray;
    fixed endx, endy;
    fixed eyez;
    fixed top, bottom; /* slopes of what is still seen; for a distance of 1, so really heights */
};

enum { SIDE_FRONT, SIDE_BACK, SIDE_ON };

/* In whole units throughout, unlike the other side tests, and with a side of its own for points on the line. */
static inline int side_of(const struct divline *l, fixed x, fixed y)
{
    if (l->dx == 0) {
        if (x == l->x)
            return SIDE_ON;
        return x > l->x ? l->dy < 0 : l->dy > 0;
    }
    if (l->dy == 0) {
        if (x == l->y) /* x with y: a slip in the executable, and part of its behaviour */
            return SIDE_ON;
        return y > l->y ? l->dx > 0 : l->dx < 0;
    }
    int32_t left = (l->dy >> FX_BITS) * (wrap_sub(x, l->x) >> FX_BITS);
    int32_t right = (wrap_sub(y, l->y) >> FX_BITS) * (l->dx >> FX_BITS);
    if (right < left)
        return SIDE_FRONT;
    return left == right ? SIDE_ON : SIDE_BACK;
}

static bool lines_meet(const struct sight *s, const struct line *l, struct divline *wall)
{
    if (side_of(&s->ray, l->v1->x, l->v1->y) == side_of(&s->ray, l->v2->x, l->v2->y))
        return false;
    geo_divline(l, wall);
    return side_of(wall, s->ray.x, s->ray.y) != side_of(wall, s->endx, s->endy);
}

/* Look through one seg's line; false: nothing is seen past it. */
static bool see_past(struct sight *s, const struct seg *seg, const struct divline *wall)
{
    if (!seg->line->back || !(seg->line->flags & ML_TWOSIDED))
        return false;
    const struct sector *front = seg->front, *back = seg->back;
    bool floors = front->floor != back->floor, ceilings = front->ceiling != back->ceiling;
    if (!floors && !ceilings)
        return true;
    fixed top = front->ceiling < back->ceiling ? front->ceiling : back->ceiling;
    fixed bottom = front->floor > back->floor ? front->floor : back->floor;
    if (bottom >= top) /* a closed door */
        return false;

    fixed frac = geo_intercept(&s->ray, wall);
    if (floors) {
        fixed slope = fx_div(wrap_sub(bottom, s->eyez), frac);
        if (slope > s->bottom)
            s->bottom = slope;
    }
    if (ceilings) {
        fixed slope = fx_div(wrap_sub(top, s->eyez), frac);
        if (slope < s->top)
            s->top = slope;
    }
    return s->top > s->bottom;
}

/* A line is looked at once, in the first subsector that has a part of it: the marks are set even where the ray passes
 * by. */
static bool see_through_subsector(struct doom *d, struct sight *s, const struct subsector *sub)
{
    const struct seg *seg = &d->lev.segs[sub->firstseg];
    for (int n = sub->nsegs; n > 0; n--, seg++) {
        struct line *l = seg->line;
        if (l->validcount == d->validcount)
            continue;
        l->validcount = d->validcount;
        struct divline wall;
        if (lines_meet(s, l, &wall) && !see_past(s, seg, &wall))
            return false;
    }
    return true;
}

/* The near side of each partition first. The far sides still to visit wait on a stack that the longest path of a tree
 * fits. */
static bool see_through_tree(struct doom *d, struct sight *s)
{
    const struct level *v = &d->lev;
    if (v->nnodes == 0)
        return see_through_subsector(d, s, v->subsectors);
    uint16_t later[NF_SUBSECTOR];
    int nlater = 0;
    unsigned n = (unsigned)v->nnodes - 1;
    for (;;) {
        while (!(n & NF_SUBSECTOR)) {
            const struct node *node = &v->nodes[n];
            int side = side_of(&node->line, s->ray.x, s->ray.y);
            if (side == SIDE_ON)
                side = SIDE_FRONT;
            if (side != side_of(&node->line, s->endx, s->endy))
                later[nlater++] = node->child[side ^ 1];
            n = node->child[side];
        }
        if (!see_through_subsector(d, s, &v->subsectors[n & ~(unsigned)NF_SUBSECTOR]))
            return false;
        if (nlater == 0)
            return true;
        n = later[--nlater];
    }
}

bool sight_check(struct doom *d, struct mobj *from, struct mobj *to)
{
    size_t pair =
        (size_t)from->subsector->sector->index * (size_t)d->lev.nsectors + (size_t)to->subsector->sector->index;
    if (d->lev.reject[pair >> 3] & 1u << (pair & 7))
        return false;
    if (d->version <= VERSION_DOOM_1_2)
        return sight_check_1_2(d, from, to);

    d->validcount++;
    struct sight s = {
        .ray = {from->x, from->y, wrap_sub(to->x, from->x), wrap_sub(to->y, from->y)},
        .endx = to->x,
        .endy = to->y,
        .eyez = wrap_sub(wrap_add(from->z, from->height), from->height >> 2),
    };
    s.top = wrap_sub(wrap_add(to->z, to->height), s.eyez);
    s.bottom = wrap_sub(to->z, s.eyez);
    return see_through_tree(d, &s);
}
