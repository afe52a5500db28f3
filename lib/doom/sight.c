/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sight.c - can one thing see another: the map's reject table first, then a walk through the tree of partitions from
 * eye to target that narrows the window between floors and ceilings at every line it crosses.
 *
 * The executable's side tests work in whole units here, unlike its others, so the partitions and lines are kept in
 * whole units. Differences wrap at 16 bits as the high halves of its 32-bit ones did.
 */
#include <stdlib.h>

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
static int side_of_ray(const struct sight *s, int16_t vx, int16_t vy)
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
static bool shut(const struct seg *seg)
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
static bool see_past(struct sight *s, const struct seg *seg)
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

/* A line is looked at once, in the first subsector that has a part of it: the marks are set even where the ray passes
 * by. *hider: 1 + the seg that ends the view. */
static bool see_through_subsector(struct level *v, struct sight *s, unsigned sub, int32_t *hider)
{
    const int first = v->subsectors[sub].firstseg, end = first + v->subsectors[sub].nsegs;
    for (int i = first; i < end; i++) {
        const struct sightline *l = &v->sightlines[i];
        if (v->sightmarks[l->line] == v->sightcount)
            continue;
        v->sightmarks[l->line] = v->sightcount;
        if (!lines_meet(s, l))
            continue;
        if (shut(&v->segs[i]) || !see_past(s, &v->segs[i])) {
            *hider = i + 1;
            return false;
        }
    }
    return true;
}

/* Which child of a node the ray begins in. */
static inline int near_side(const struct sight *s, const struct node *n)
{
    int side = side_of_start(s, &n->line);
    return side == SIDE_ON ? SIDE_FRONT : side;
}

/* The near side of each partition first. The far sides still to visit wait on a stack that the longest path of a tree
 * fits. */
static bool see_through_tree(struct level *v, struct sight *s, int32_t *hider)
{
    if (v->nnodes == 0)
        return see_through_subsector(v, s, 0, hider);
    uint16_t later[NF_SUBSECTOR];
    int nlater = 0;
    unsigned n = (unsigned)v->nnodes - 1;
    for (;;) {
        while (!(n & NF_SUBSECTOR)) {
            const struct node *node = &v->nodes[n];
            int side = near_side(s, node);
            if (side != side_of_end(s, &node->line))
                later[nlater++] = node->child[side ^ 1];
            n = node->child[side];
        }
        if (!see_through_subsector(v, s, n & ~(unsigned)NF_SUBSECTOR, hider))
            return false;
        if (nlater == 0)
            return true;
        n = later[--nlater];
    }
}

/*
 * Does a seg that ended a view before end this one? It does if the ray meets its line, the line leaves nothing of the
 * window even where nothing else has narrowed it, and the walk would come to it: at each node above, its side is the
 * near one, or the far one is visited too. What the walk would meet on the way can only narrow the window more, or end
 * the view earlier. So the answer is the walk's, for a test a node on one path of the tree.
 */
static bool hides(const struct level *v, const struct sight *s, int32_t seg)
{
    const struct sightline *l = &v->sightlines[seg];
    if (!lines_meet(s, l))
        return false;
    struct sight alone = *s;
    if (!shut(&v->segs[seg]) && see_past(&alone, &v->segs[seg]))
        return false;
    for (uint32_t up = v->subsectorabove[l->subsector]; up != NO_NODE; up = v->nodeabove[up >> 1]) {
        const struct node *n = &v->nodes[up >> 1];
        int side = near_side(s, n);
        if ((int)(up & 1) != side && side == side_of_end(s, &n->line))
            return false;
    }
    return true;
}

/* What hid this player from this thing last, then what hid the player from others lately. */
static bool still_hidden(const struct level *v, const struct sight *s, const struct mobj *from, const struct player *p)
{
    const int32_t own = from->hider[p->slot];
    if (own && hides(v, s, own - 1))
        return true;
    for (int i = 0; i < HIDERS; i++)
        if (p->hiders[i] && p->hiders[i] != own && hides(v, s, p->hiders[i] - 1))
            return true;
    return false;
}

static void remember(struct mobj *from, struct player *p, int32_t hider)
{
    from->hider[p->slot] = hider;
    for (int i = 0; i < HIDERS; i++)
        if (p->hiders[i] == hider)
            return;
    p->hiders[p->nexthider++ % HIDERS] = hider;
}

bool sight_check(struct doom *d, struct mobj *from, struct mobj *to)
{
    struct level *v = &d->lev;
    size_t pair = (size_t)from->subsector->sector->index * (size_t)v->nsectors + (size_t)to->subsector->sector->index;
    if (v->reject[pair >> 3] & 1u << (pair & 7))
        return false;
    if (d->version <= VERSION_DOOM_1_2)
        return sight_check_1_2(d, from, to);

    struct sight s = {
        .ray = {from->x, from->y, wrap_sub(to->x, from->x), wrap_sub(to->y, from->y)},
        .endx = to->x,
        .endy = to->y,
        .x = (int16_t)(from->x >> FX_BITS),
        .y = (int16_t)(from->y >> FX_BITS),
        .ex = (int16_t)(to->x >> FX_BITS),
        .ey = (int16_t)(to->y >> FX_BITS),
        .minusx = (int16_t)(wrap_neg(from->x) >> FX_BITS),
        .minusy = (int16_t)(wrap_neg(from->y) >> FX_BITS),
        .eyez = wrap_sub(wrap_add(from->z, from->height), from->height >> 2),
    };
    s.dx = (int16_t)(s.ray.dx >> FX_BITS);
    s.dy = (int16_t)(s.ray.dy >> FX_BITS);
    s.top = wrap_sub(wrap_add(to->z, to->height), s.eyez);
    s.bottom = wrap_sub(to->z, s.eyez);
    struct player *p = to->player;
    if (p && still_hidden(v, &s, from, p))
        return false;
    v->sightcount++;
    int32_t hider = 0;
    bool seen = see_through_tree(v, &s, &hider);
    if (p && hider)
        remember(from, p, hider);
    return seen;
}

/* ---- once a map ------------------------------------------------------------------------------------------------- */

static void fill_above(struct level *v)
{
    for (int i = 0; i < v->nnodes; i++)
        v->nodeabove[i] = NO_NODE;
    for (int i = 0; i < v->nsubsectors; i++)
        v->subsectorabove[i] = NO_NODE;
    for (int i = 0; i < v->nnodes; i++)
        for (unsigned k = 0; k < 2; k++) {
            unsigned child = v->nodes[i].child[k];
            uint32_t *above =
                child & NF_SUBSECTOR ? &v->subsectorabove[child & ~(unsigned)NF_SUBSECTOR] : &v->nodeabove[child];
            *above = (uint32_t)i * 2 + k;
        }
}

static void fill_lines(struct level *v)
{
    for (int i = 0; i < v->nsegs; i++) {
        const struct line *l = v->segs[i].line;
        v->sightlines[i] = (struct sightline){
            .line = l->index,
            .x1 = (int16_t)(l->v1->x >> FX_BITS),
            .y1 = (int16_t)(l->v1->y >> FX_BITS),
            .x2 = (int16_t)(l->v2->x >> FX_BITS),
            .y2 = (int16_t)(l->v2->y >> FX_BITS),
        };
    }
    for (int i = 0; i < v->nsubsectors; i++)
        for (int k = 0; k < v->subsectors[i].nsegs; k++)
            v->sightlines[v->subsectors[i].firstseg + k].subsector = (uint16_t)i;
}

int sight_init(struct level *v)
{
    v->sightlines = calloc((size_t)v->nsegs + 1, sizeof *v->sightlines);
    v->sightmarks = calloc((size_t)v->nlines + 1, sizeof *v->sightmarks);
    v->nodeabove = calloc((size_t)v->nnodes + 1, sizeof *v->nodeabove);
    v->subsectorabove = calloc((size_t)v->nsubsectors + 1, sizeof *v->subsectorabove);
    if (!v->sightlines || !v->sightmarks || !v->nodeabove || !v->subsectorabove)
        return -1;
    fill_above(v);
    fill_lines(v);
    return 0;
}
