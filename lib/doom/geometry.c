/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * geometry.c - sides, crossings and openings of lines.
 *
 * The side tests differ from each other, and from those of bsp.c and sight.c, in how many low bits they drop before
 * they multiply. None can stand in for another: a point near a line is on different sides by different tests, and demos
 * hang on it.
 */
#include "play.h"

int geo_line_side(const struct line *l, fixed x, fixed y)
{
    const struct vertex *v = l->v1;
    if (l->dx == 0)
        return x > v->x ? l->dy < 0 : l->dy > 0;
    if (l->dy == 0)
        return y > v->y ? l->dx > 0 : l->dx < 0;
    fixed left = fx_mul(l->dy >> FX_BITS, wrap_sub(x, v->x));
    fixed right = fx_mul(wrap_sub(y, v->y), l->dx >> FX_BITS);
    return right >= left;
}

int geo_divline_side(const struct divline *l, fixed x, fixed y)
{
    if (l->dx == 0)
        return x > l->x ? l->dy < 0 : l->dy > 0;
    if (l->dy == 0)
        return y > l->y ? l->dx > 0 : l->dx < 0;
    fixed dx = wrap_sub(x, l->x), dy = wrap_sub(y, l->y);
    /* Products of unlike signs need no multiplication: the side is that of the left one's sign. */
    if ((l->dy ^ l->dx ^ dx ^ dy) < 0)
        return (l->dy ^ dx) < 0;
    fixed left = fx_mul(l->dy >> 8, dx >> 8);
    fixed right = fx_mul(dy >> 8, l->dx >> 8);
    return right >= left;
}

int geo_box_side(const fixed box[4], const struct line *l)
{
    int a, b;
    switch (l->slope) {
    case SLOPE_HORIZONTAL:
        a = (box[BOXTOP] > l->v1->y) ^ (l->dx < 0);
        b = (box[BOXBOTTOM] > l->v1->y) ^ (l->dx < 0);
        break;
    case SLOPE_VERTICAL:
        a = (box[BOXRIGHT] < l->v1->x) ^ (l->dy < 0);
        b = (box[BOXLEFT] < l->v1->x) ^ (l->dy < 0);
        break;
    case SLOPE_POSITIVE:
        a = geo_line_side(l, box[BOXLEFT], box[BOXTOP]);
        b = geo_line_side(l, box[BOXRIGHT], box[BOXBOTTOM]);
        break;
    default:
        a = geo_line_side(l, box[BOXRIGHT], box[BOXTOP]);
        b = geo_line_side(l, box[BOXLEFT], box[BOXBOTTOM]);
        break;
    }
    return a == b ? a : -1;
}

void geo_divline(const struct line *l, struct divline *out)
{
    *out = (struct divline){l->v1->x, l->v1->y, l->dx, l->dy};
}

fixed geo_intercept(const struct divline *trace, const struct divline *line)
{
    fixed den = wrap_sub(fx_mul(line->dy >> 8, trace->dx), fx_mul(line->dx >> 8, trace->dy));
    if (den == 0) /* parallel, or too short to tell */
        return 0;
    fixed num = wrap_add(fx_mul(wrap_sub(line->x, trace->x) >> 8, line->dy),
                         fx_mul(wrap_sub(trace->y, line->y) >> 8, line->dx));
    return fx_div(num, den);
}

void geo_opening(struct doom *d, const struct line *l)
{
    struct opening *o = &d->open;
    if (!l->back) {
        /* The other three keep what an earlier line left: a one-sided line that is flagged two-sided is aimed through
         * by those. */
        o->range = 0;
        return;
    }
    const struct sector *front = l->front, *back = l->back;
    o->top = front->ceiling < back->ceiling ? front->ceiling : back->ceiling;
    if (front->floor > back->floor) {
        o->bottom = front->floor;
        o->lowfloor = back->floor;
    } else {
        o->bottom = back->floor;
        o->lowfloor = front->floor;
    }
    o->range = wrap_sub(o->top, o->bottom);
}
