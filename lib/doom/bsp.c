/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bsp.c - the subsector of a point, by the map's tree of partition lines. */
#include <stdlib.h>

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
 * step or two. A square's walk begins where that of the wide square around it ended.
 */
#define SQUARE_SHIFT (FX_BITS + 4)
#define BLOCK_SHIFT (MAPBLOCKSHIFT - SQUARE_SHIFT) /* squares a block, along each axis; a block's lie together */
#define WIDE_SHIFT (MAPBLOCKSHIFT + 1)             /* of the squares that these are found by */
#define UNKNOWN                                                                                          \
    0 /* children are kept negated, since memory begins so; the subsector 32767 is just never remembered \
       */

int bsp_grid_init(struct level *v)
{
    struct bspgrid *g = &v->grid;
    g->x = v->bmorgx;
    g->y = v->bmorgy;
    g->width = v->bmwidth;
    g->height = v->bmheight;
    g->widewidth = (g->width >> (WIDE_SHIFT - MAPBLOCKSHIFT)) + 1;
    const size_t squares = (size_t)g->width * (size_t)g->height << 2 * BLOCK_SHIFT;
    const size_t wide = (size_t)g->widewidth * (size_t)((g->height >> (WIDE_SHIFT - MAPBLOCKSHIFT)) + 1);
    g->start = calloc(squares + wide, sizeof *g->start);
    if (!g->start)
        return -1;
    g->wide = g->start + squares;
    return 0;
}

/* The side of a partition on which all points from (x, y) to (x + last, y + last) are for bsp_side, or -1. */
static int side_of_square(const struct partition *l, int64_t x, int64_t y, int64_t last)
{
    const int64_t lx = (int64_t)l->x * FX_ONE, ly = (int64_t)l->y * FX_ONE;
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

/* How far down from a node all of a square goes one way. */
static unsigned descend(const struct level *v, unsigned n, int64_t x, int64_t y, int shift)
{
    while (!(n & NF_SUBSECTOR)) {
        int side = side_of_square(&v->nodes[n].line, x, y, ((int64_t)1 << shift) - 1);
        if (side < 0)
            break;
        n = v->nodes[n].child[side];
    }
    return n;
}

static unsigned start_of_square(const struct level *v, uint32_t column, uint32_t row)
{
    const struct bspgrid *g = &v->grid;
    const uint32_t up = WIDE_SHIFT - SQUARE_SHIFT, widecolumn = column >> up, widerow = row >> up;
    uint16_t *wide = &g->wide[widerow * (uint32_t)g->widewidth + widecolumn];
    if (*wide == UNKNOWN) /* the root comes last */
        *wide = (uint16_t)~descend(v, (unsigned)v->nnodes - 1, g->x + ((int64_t)widecolumn << WIDE_SHIFT),
                                   g->y + ((int64_t)widerow << WIDE_SHIFT), WIDE_SHIFT);
    return descend(v, (uint16_t) ~*wide, g->x + ((int64_t)column << SQUARE_SHIFT),
                   g->y + ((int64_t)row << SQUARE_SHIFT), SQUARE_SHIFT);
}

struct subsector *bsp_subsector(struct doom *d, fixed x, fixed y)
{
    struct level *v = &d->lev;
    if (v->nnodes == 0) /* a map of one convex room has no partition */
        return v->subsectors;
    unsigned n = (unsigned)v->nnodes - 1;
    uint32_t column = (uint32_t)wrap_sub(x, v->grid.x) >> SQUARE_SHIFT,
             row = (uint32_t)wrap_sub(y, v->grid.y) >> SQUARE_SHIFT;
    const uint32_t bx = column >> BLOCK_SHIFT, by = row >> BLOCK_SHIFT, within = (1u << BLOCK_SHIFT) - 1;
    if (bx < (uint32_t)v->grid.width && by < (uint32_t)v->grid.height) {
        uint16_t *start = &v->grid.start[((by * (uint32_t)v->grid.width + bx) << 2 * BLOCK_SHIFT) +
                                         ((row & within) << BLOCK_SHIFT) + (column & within)];
        if (*start == UNKNOWN)
            *start = (uint16_t)~start_of_square(v, column, row);
        n = (uint16_t) ~*start;
    }
    while (!(n & NF_SUBSECTOR))
        n = v->nodes[n].child[bsp_side(&v->nodes[n].line, x, y)];
    return &v->subsectors[n & ~(unsigned)NF_SUBSECTOR];
}
