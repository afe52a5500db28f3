/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sight.h - one look along a ray, and how it meets lines: what sight.c, hider.c and glance.c share.
 *
 * The executable's side tests work in whole units here, unlike its others, so the partitions and lines are kept in
 * whole units. Differences wrap at 16 bits as the high halves of its 32-bit ones did.
 */
#ifndef DOOM_SIGHT_H
#define DOOM_SIGHT_H

#include "play.h"

enum { SIDE_FRONT, SIDE_BACK, SIDE_ON };

struct sight {
    struct divline ray;
    fixed endx, endy;
    int16_t x, y, ex, ey;   /* start and end, rounded down to whole units */
    int16_t minusx, minusy; /* the start negated, then rounded down */
    int16_t dx, dy;         /* the ray's, rounded down */
    fixed eyez;
    fixed top, bottom; /* slopes of what is still seen; for a distance of 1, so really heights */
};

/* The side of a partition for the point (x, y), which is (wx, wy) in whole units; a point on the line has a side of its
 * own. */
static inline int side_of(const struct partition *l, fixed x, fixed y, int16_t wx, int16_t wy)
{
    if (l->dx == 0) {
        if (x == l->x * FX_ONE)
            return SIDE_ON;
        return x > l->x * FX_ONE ? l->dy < 0 : l->dy > 0;
    }
    if (l->dy == 0) {
        if (x == l->y * FX_ONE) /* x with y: a slip in the executable, and part of its behaviour */
            return SIDE_ON;
        return y > l->y * FX_ONE ? l->dx > 0 : l->dx < 0;
    }
    int32_t left = l->dy * (int16_t)(wx - l->x);
    int32_t right = (int16_t)(wy - l->y) * l->dx;
    if (right < left)
        return SIDE_FRONT;
    return left == right ? SIDE_ON : SIDE_BACK;
}

static inline int side_of_start(const struct sight *s, const struct partition *l)
{
    return side_of(l, s->ray.x, s->ray.y, s->x, s->y);
}

static inline int side_of_end(const struct sight *s, const struct partition *l)
{
    return side_of(l, s->endx, s->endy, s->ex, s->ey);
}

/* The same of a ray along an axis, for a vertex. */
static inline int side_of_ray(const struct sight *s, int16_t vx, int16_t vy)
{
    const struct divline *r = &s->ray;
    if (r->dx == 0) {
        if (vx * FX_ONE == r->x)
            return SIDE_ON;
        return vx * FX_ONE > r->x ? r->dy < 0 : r->dy > 0;
    }
    if (vx * FX_ONE == r->y) /* the same slip */
        return SIDE_ON;
    return vy * FX_ONE > r->y ? r->dx > 0 : r->dx < 0;
}

/* Whether both ends of a line are on one side of a ray that runs along no axis: nearly all lines that are looked at are
 * done with here. */
static inline bool aside(const struct sight *s, const struct sightline *l)
{
    int64_t a = (int64_t)s->dx * (int16_t)(l->y1 + s->minusy) - (int64_t)s->dy * (int16_t)(l->x1 + s->minusx);
    int64_t b = (int64_t)s->dx * (int16_t)(l->y2 + s->minusy) - (int64_t)s->dy * (int16_t)(l->x2 + s->minusx);
    return (a < 0) == (b < 0) && (a > 0) == (b > 0);
}

static inline bool lines_meet(const struct sight *s, const struct sightline *l)
{
    if (s->ray.dx != 0 && s->ray.dy != 0 ? aside(s, l) : side_of_ray(s, l->x1, l->y1) == side_of_ray(s, l->x2, l->y2))
        return false;
    const struct partition wall = {l->x1, l->y1, (int16_t)(l->x2 - l->x1), (int16_t)(l->y2 - l->y1)};
    return side_of_start(s, &wall) != side_of_end(s, &wall);
}

/* Whether nothing is seen past a seg's line from anywhere: a wall, or a closed door. */
static inline bool shut(const struct seg *seg)
{
    if (!seg->line->back || !(seg->line->flags & ML_TWOSIDED))
        return true;
    const struct sector *front = seg->front, *back = seg->back;
    if (front->floor == back->floor && front->ceiling == back->ceiling)
        return false; /* even where the two are shut themselves */
    fixed top = front->ceiling < back->ceiling ? front->ceiling : back->ceiling;
    fixed bottom = front->floor > back->floor ? front->floor : back->floor;
    return bottom >= top;
}

/* Look through one seg's line, which is not shut; false: nothing is seen past it. */
static inline bool see_past(struct sight *s, const struct seg *seg)
{
    const struct sector *front = seg->front, *back = seg->back;
    bool floors = front->floor != back->floor, ceilings = front->ceiling != back->ceiling;
    if (!floors && !ceilings)
        return true;
    struct divline wall;
    geo_divline(seg->line, &wall);
    fixed frac = geo_intercept(&s->ray, &wall);
    if (floors) {
        fixed bottom = front->floor > back->floor ? front->floor : back->floor;
        fixed slope = fx_div(wrap_sub(bottom, s->eyez), frac);
        if (slope > s->bottom)
            s->bottom = slope;
    }
    if (ceilings) {
        fixed top = front->ceiling < back->ceiling ? front->ceiling : back->ceiling;
        fixed slope = fx_div(wrap_sub(top, s->eyez), frac);
        if (slope < s->top)
            s->top = slope;
    }
    return s->top > s->bottom;
}

/* Which child of a node the ray begins in. */
static inline int near_side(const struct sight *s, const struct node *n)
{
    int side = side_of_start(s, &n->line);
    return side == SIDE_ON ? SIDE_FRONT : side;
}

/*
 * A walk with the ray through a tree of partitions, the near side of each first: leaf is called for each one that the
 * walk comes to, and ends it by false. The far sides still to visit wait on a stack that the longest path of a tree
 * fits. Inline, so that the leaf becomes part of the loop.
 */
static inline bool walk_tree(struct level *v, const struct node *nodes, struct sight *s,
                             bool (*leaf)(struct level *, struct sight *, unsigned, int32_t *), int32_t *hider)
{
    uint16_t later[NF_SUBSECTOR];
    int nlater = 0;
    unsigned n = (unsigned)v->nnodes - 1; /* the root comes last */
    for (;;) {
        while (!(n & NF_SUBSECTOR)) {
            const struct node *node = &nodes[n];
            int side = near_side(s, node);
            if (side != side_of_end(s, &node->line))
                later[nlater++] = node->child[side ^ 1];
            n = node->child[side];
        }
        if (!leaf(v, s, n & ~(unsigned)NF_SUBSECTOR, hider))
            return false;
        if (nlater == 0)
            return true;
        n = later[--nlater];
    }
}

/* glance.c: true where nothing is in the way of a ray, as the walk would find; false where that is not known, and then
 * *hider is 1 + the seg that seems to be in the way, or what it was before. */
bool glance_clear(struct level *v, const struct sight *s, int32_t *hider);

/* hider.c: true where the walk would end, at this seg or before; false where that is not known */
bool hider_hides(const struct level *v, const struct sight *s, int32_t seg);
int hider_init(struct level *v); /* by the lines of sight.c; -1: out of memory */

#endif
