/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hider.c - does a seg that ended a view before end this one?
 *
 * It does if the ray meets its line, the line leaves nothing of the window even where nothing else has narrowed it, and
 * the walk of sight.c would come to it: at each node above, its side is the near one, or the far one is visited too.
 * What the walk would meet on the way can only narrow the window more, or end the view earlier. So the answer is the
 * walk's, for a test a node on one path of the tree.
 *
 * Most of these tests need not be made. A node is not passed only where both ends of the ray are found on the other
 * side of its partition. Such a test works in whole units and errs by less than 1.5 of them, so where a point of the
 * ray lies deeper than that on the seg's side, one end is found there or on the line, and the node is passed. That
 * point is where the ray crosses the seg's line; for the line it is known once and for all which part of it lies deep
 * enough on its side of all partitions above, but for those that run along it or near it, which are asked each time.
 */
#include <math.h>

#include "sight.h"

#define DEEP 2.0 /* units */

/* By seg. */
struct hiding {
    float from, to;      /* the part of the line that lies deep, as fractions of it; nothing is known if from > to */
    float apart;         /* the least product of the line and an end of the ray, if there are partitions along it */
    uint32_t shallow[4]; /* nodes above that are asked, as in nodeabove; NO_NODE where there are no more */
    uint64_t levels;     /* of partitions along x with the seg behind them: the bits of their y's hashes */
    bool made;
};

enum { SHALLOW = sizeof((struct hiding *)0)->shallow / sizeof(uint32_t) };

int hider_init(struct level *v)
{
    v->hidings = calloc((size_t)v->nsegs + 1, sizeof *v->hidings);
    return v->hidings ? 0 : -1;
}

static bool modest(int32_t x)
{
    return x >= -MODEST && x <= MODEST;
}

static unsigned hash(int16_t y)
{
    return (uint16_t)((uint16_t)y * 40503u) >> 10;
}

/* No less than the length, and no more than half as much again: without a root, which is the host's. */
static double length(double dx, double dy)
{
    return fabs(dx) + fabs(dy);
}

/* How deep a point lies on one side of a partition, at the least. */
static double depth(const struct partition *l, unsigned side, double x, double y)
{
    const double front = (l->dy * (x - l->x) - l->dx * (y - l->y)) / length(l->dx, l->dy);
    return side == SIDE_FRONT ? front : -front;
}

static bool along(const struct partition *p, int16_t x, int16_t y)
{
    return (int64_t)p->dy * (x - p->x) == (int64_t)p->dx * (y - p->y);
}

/* Take from a line what does not lie deep on a side of a partition; false: nothing is left of it. */
static bool narrow(struct hiding *h, const struct sightline *l, const struct partition *p, unsigned side)
{
    if (!modest(p->x) || !modest(p->y) || (p->dx == 0 && p->dy == 0))
        return false;
    if (p->dy == 0 && side == SIDE_BACK)
        h->levels |= (uint64_t)1 << hash(p->y);
    if (along(p, l->x1, l->y1) && along(p, l->x2, l->y2)) {
        h->apart = (float)(DEEP * FX_ONE * FX_ONE * length(l->x2 - l->x1, l->y2 - l->y1));
        return true;
    }
    const double a = depth(p, side, l->x1, l->y1), b = depth(p, side, l->x2, l->y2);
    if (a < DEEP && b < DEEP)
        return false;
    if (a < DEEP)
        h->from = fmaxf(h->from, (float)((DEEP - a) / (b - a)));
    if (b < DEEP)
        h->to = fminf(h->to, (float)((DEEP - a) / (b - a)));
    return true;
}

static void make(const struct level *v, struct hiding *h, const struct sightline *l)
{
    int n = 0;
    *h = (struct hiding){.from = 0, .to = 1, .made = true};
    for (uint32_t up = v->subsectorabove[l->subsector]; up != NO_NODE && n <= SHALLOW; up = v->nodeabove[up >> 1])
        if (!narrow(h, l, &v->nodes[up >> 1].line, up & 1)) {
            if (n < SHALLOW)
                h->shallow[n] = up;
            n++;
        }
    if (n > SHALLOW || !modest(l->x1) || !modest(l->y1) || !modest(l->x2) || !modest(l->y2))
        h->from = 2;
    for (; n < SHALLOW; n++)
        h->shallow[n] = NO_NODE;
}

/*
 * Does a ray that meets a line cross it in its deep part? Then both ends of the ray lie on different sides of the line,
 * and both ends of the part on different sides of the ray. What is wrong with the doubles is far less than what a deep
 * point lies deeper than it has to.
 *
 * A start whose x is the y of a partition along x counts as in front (see side_of), wherever it is: then nothing is
 * known.
 */
static bool crosses_deep(const struct hiding *h, const struct sight *s, const struct sightline *l)
{
    if ((s->ray.x & (FX_ONE - 1)) == 0 && h->levels >> hash(s->x) & 1)
        return false;
    if (!modest(s->x) || !modest(s->y) || !modest(s->ex) || !modest(s->ey))
        return false;
    const double x1 = l->x1 * (double)FX_ONE - s->ray.x, y1 = l->y1 * (double)FX_ONE - s->ray.y,
                 x2 = l->x2 * (double)FX_ONE - s->ray.x, y2 = l->y2 * (double)FX_ONE - s->ray.y, dx = s->ray.dx,
                 dy = s->ray.dy;
    const double start = x1 * y2 - y1 * x2, end = (x1 - dx) * (y2 - dy) - (y1 - dy) * (x2 - dx);
    if ((start < 0) == (end < 0) || fabs(start) < h->apart || fabs(end) < h->apart)
        return false;
    const double a = dx * y1 - dy * x1, b = dx * y2 - dy * x2, from = a + (b - a) * h->from, to = a + (b - a) * h->to;
    return (from < 0) != (to < 0);
}

static bool passes(const struct level *v, const struct sight *s, uint32_t up)
{
    const struct node *n = &v->nodes[up >> 1];
    const int side = near_side(s, n);
    return (int)(up & 1) == side || side != side_of_end(s, &n->line);
}

static bool walk_comes_to(const struct level *v, const struct sight *s, int32_t seg)
{
    const struct sightline *l = &v->sightlines[seg];
    struct hiding *h = &v->hidings[seg];
    if (!h->made)
        make(v, h, l);
    if (h->from < h->to && crosses_deep(h, s, l)) {
        for (int i = 0; i < SHALLOW && h->shallow[i] != NO_NODE; i++)
            if (!passes(v, s, h->shallow[i]))
                return false;
        return true;
    }
    for (uint32_t up = v->subsectorabove[l->subsector]; up != NO_NODE; up = v->nodeabove[up >> 1])
        if (!passes(v, s, up))
            return false;
    return true;
}

bool hider_hides(const struct level *v, const struct sight *s, int32_t seg)
{
    if (!lines_meet(s, &v->sightlines[seg]))
        return false;
    struct sight alone = *s;
    if (!shut(&v->segs[seg]) && see_past(&alone, &v->segs[seg]))
        return false;
    return walk_comes_to(v, s, seg);
}
