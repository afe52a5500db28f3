/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bsp.c - the subsector of a point, by the map's tree of partition lines. */
#include "play.h"

/* As for a hitscan's line, but with the partition in whole units and the point's full precision. */
int bsp_side(const struct divline *l, fixed x, fixed y)
{
    if (l->dx == 0)
        return x > l->x ? l->dy < 0 : l->dy > 0;
    if (l->dy == 0)
        return y > l->y ? l->dx > 0 : l->dx < 0;
    fixed dx = wrap_sub(x, l->x), dy = wrap_sub(y, l->y);
    if ((l->dy ^ l->dx ^ dx ^ dy) < 0)
        return (l->dy ^ dx) < 0;
    fixed left = fx_mul(l->dy >> FX_BITS, dx);
    fixed right = fx_mul(dy, l->dx >> FX_BITS);
    return right >= left;
}

struct subsector *bsp_subsector(struct doom *d, fixed x, fixed y)
{
    const struct level *v = &d->lev;
    if (v->nnodes == 0) /* a map of one convex room has no partition */
        return v->subsectors;
    unsigned n = (unsigned)v->nnodes - 1; /* the root comes last */
    while (!(n & NF_SUBSECTOR))
        n = v->nodes[n].child[bsp_side(&v->nodes[n].line, x, y)];
    return &v->subsectors[n & ~(unsigned)NF_SUBSECTOR];
}
