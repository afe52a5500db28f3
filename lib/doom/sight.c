/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sight.c - can one thing see another: the map's reject table first, then a walk through the tree of partitions from
 * eye to target that narrows the window between floors and ceilings at every line it crosses.
 *
 * The walk is long, so two shorter ways are tried before it: what hid the target last may still hide it (hider.c), and
 * a glance (glance.c) may show that nothing does. Each gives the walk's own answer, or none.
 */
#include <stdlib.h>

#include "sight.h"

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

static bool see_through_tree(struct level *v, struct sight *s, int32_t *hider)
{
    return v->nnodes == 0 ? see_through_subsector(v, s, 0, hider)
                          : walk_tree(v, v->nodes, s, see_through_subsector, hider);
}

/* What hid this player from this thing last, then what hid the player from others lately. */
static bool still_hidden(const struct level *v, const struct sight *s, const struct mobj *from, const struct player *p)
{
    const int32_t own = from->hider[p->slot];
    if (own && hider_hides(v, s, own - 1))
        return true;
    for (int i = 0; i < HIDERS; i++)
        if (p->hiders[i] && p->hiders[i] != own && hider_hides(v, s, p->hiders[i] - 1))
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

bool sight_look(struct doom *d, struct mobj *from, struct mobj *to)
{
    struct level *v = &d->lev;
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
    int32_t hider = 0;
    if (glance_clear(v, &s, &hider))
        return true;
    bool seen = false;
    if (!hider || !hider_hides(v, &s, hider - 1)) {
        v->sightcount++;
        hider = 0;
        seen = see_through_tree(v, &s, &hider);
    }
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
    return hider_init(v);
}
