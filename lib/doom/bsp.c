/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bsp.c - the subsector of a point, by the map's tree of partition lines. */
#include <stdlib.h>
#include <string.h>

#include "play.h"

/* As for a hitscan's line, but with the partition in whole units and the point's full precision. */
int bsp_side(const struct partition *l, fixed x, fixed y)
{
    if (l->dx == 0)
        return x > l->x * FX_ONE ? l->dy < 0 : l->dy > 0;
    if (l->dy == 0)
        return y > l->y * FX_ONE ? l->dx > 0 : l->dx < 0;
    fixed dx = wrap_sub(x, l->x * FX_ONE), dy = wrap_sub(y, l->y * FX_ONE);
    if ((l->dy ^ l->dx ^ dx ^ dy) < 0)
        return (l->dy ^ dx) < 0;
    fixed left = fx_mul(l->dy, dx);
    fixed right = fx_mul(dy, l->dx);
    return right >= left;
}

/*
 * Where the walk down the tree may begin. The ground is divided into squares; for each the walk from the root is done
 * once for the whole square, down to the first partition line that cuts it or passes so near that bsp_side's rounding
 * could decide. What every point of a square answers alike need not be asked again: most walks that are left have one
 * step or two.
 */
#define SQUARE_SHIFT (FX_BITS + 5)
#define SQUARE (1 << SQUARE_SHIFT)
#define UNKNOWN 0xffff /* as a child it would be the subsector 32767: then it is just never remembered */

int bsp_grid_init(struct level *v)
{
    struct bspgrid *g = &v->grid;
    const int per_block = 1 << (MAPBLOCKSHIFT - SQUARE_SHIFT);
    g->x = v->bmorgx;
    g->y = v->bmorgy;
    g->width = v->bmwidth * per_block;
    g->height = v->bmheight * per_block;
    const size_t bytes = (size_t)g->width * (size_t)g->height * sizeof *g->start;
    g->start = malloc(bytes);
    if (!g->start)
        return -1;
    memset(g->start, 0xff, bytes);
    return 0;
}

/* The side of a partition on which all points from (x, y) to (x + SQUARE - 1, y + SQUARE - 1) are for bsp_side, or -1.
 */
static int side_of_square(const struct partition *l, int64_t x, int64_t y)
{
    const int64_t last = SQUARE - 1, lx = (int64_t)l->x * FX_ONE, ly = (int64_t)l->y * FX_ONE;
    if (l->dx == 0)
        return x > lx ? l->dy < 0 : x + last <= lx ? l->dy > 0 : -1;
    if (l->dy == 0)
        return y > ly ? l->dx > 0 : y + last <= ly ? l->dx < 0 : -1;

    /* bsp_side compares floor(a) with floor(b) of these products; it cannot err where b - a is above 0, or -1 and
     * below. The difference is linear, so the corners speak for the square. Where 32 bits would wrap nothing is
     * claimed. */
    const int64_t a = l->dy, b = l->dx, far = (int64_t)1 << 30;
    int sides = 0;
    for (int corner = 0; corner < 4; corner++) {
        int64_t dx = x + (corner & 1 ? last : 0) - lx, dy = y + (corner & 2 ? last : 0) - ly;
        if (dx > far || dx < -far || dy > far || dy < -far || llabs(a * dx >> FX_BITS) > far ||
            llabs(b * dy >> FX_BITS) > far)
            return -1;
        int64_t difference = b * dy - a * dx;
        sides |= difference > 0 ? 2 : difference <= -FX_ONE ? 1 : 4;
    }
    return sides == 1 ? 0 : sides == 2 ? 1 : -1;
}

static unsigned start_of_square(const struct level *v, int column, int row)
{
    int64_t x = v->grid.x + (int64_t)column * SQUARE, y = v->grid.y + (int64_t)row * SQUARE;
    unsigned n = (unsigned)v->nnodes - 1; /* the root comes last */
    while (!(n & NF_SUBSECTOR)) {
        int side = side_of_square(&v->nodes[n].line, x, y);
        if (side < 0)
            break;
        n = v->nodes[n].child[side];
    }
    return n;
}

struct subsector *bsp_subsector(struct doom *d, fixed x, fixed y)
{
    struct level *v = &d->lev;
    if (v->nnodes == 0) /* a map of one convex room has no partition */
        return v->subsectors;
    unsigned n = (unsigned)v->nnodes - 1;
    uint32_t column = (uint32_t)wrap_sub(x, v->grid.x) >> SQUARE_SHIFT,
             row = (uint32_t)wrap_sub(y, v->grid.y) >> SQUARE_SHIFT;
    if (column < (uint32_t)v->grid.width && row < (uint32_t)v->grid.height) {
        uint16_t *start = &v->grid.start[row * (uint32_t)v->grid.width + column];
        if (*start == UNKNOWN)
            *start = (uint16_t)start_of_square(v, (int)column, (int)row);
        n = *start;
    }
    while (!(n & NF_SUBSECTOR))
        n = v->nodes[n].child[bsp_side(&v->nodes[n].line, x, y)];
    return &v->subsectors[n & ~(unsigned)NF_SUBSECTOR];
}
