/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noise.c - a noise spreads from sector to sector and names its maker as the target of whoever hears it. */
#include "play.h"

/* ---- line by line ------------------------------------------------------------------------------------------------ */

static bool heard(const struct doom *d, const struct sector *s, int crossed)
{
    return s->validcount == d->validcount && s->soundtraversed <= crossed + 1;
}

static void hear(struct doom *d, struct sector *s, int crossed, struct mobj *target, struct sector *from)
{
    s->validcount = d->validcount;
    s->soundtraversed = (int16_t)(crossed + 1);
    s->soundtarget = target;
    s->soundfrom = from;
    s->soundline = 0;
}

/*
 * Depth first, line by line, as a recursion would go (the last opening measured stays in d->open, see geo_opening), but
 * with its stack in the sectors: a sector is entered anew only with fewer lines crossed than before, and the number
 * never falls on the way in, so it is on the stack once at most. The second sound-blocking line on a way stops it.
 */
static void spread_by_lines(struct doom *d, struct sector *s, struct mobj *target)
{
    hear(d, s, 0, target, NULL);
    while (s) {
        if (s->soundline >= s->nlines) {
            s = s->soundfrom;
            continue;
        }
        const struct line *l = s->lines[s->soundline++];
        if (!(l->flags & ML_TWOSIDED))
            continue;
        geo_opening(d, l);
        if (d->open.range <= 0)
            continue;
        struct sector *other = l->front == s ? l->back : l->front;
        int crossed = s->soundtraversed - 1;
        if (l->flags & ML_SOUNDBLOCK) {
            if (crossed > 0)
                continue;
            crossed = 1;
        }
        if (heard(d, other, crossed))
            continue;
        hear(d, other, crossed, target, s);
        s = other;
    }
}

/* ---- by ways ----------------------------------------------------------------------------------------------------- */

/*
 * Where nobody reads the last opening measured, neither the order nor the single lines matter: who hears it is a matter
 * of which sectors have a line in common, one that blocks sound or one that does not, and whether there is a gap
 * between the two.
 */
struct way {
    int32_t to; /* sector */
    bool blocks;
};

static bool has_way(const struct noiseways *w, int32_t from, struct way way)
{
    for (int32_t i = w->first[from]; i < w->first[from + 1]; i++)
        if (w->ways[i].to == way.to && w->ways[i].blocks == way.blocks)
            return true;
    return false;
}

int noise_init(struct level *v)
{
    struct noiseways *w = &v->ways;
    int32_t most = 0;
    for (int32_t i = 0; i < v->nsectors; i++)
        most += v->sectors[i].nlines;
    w->first = malloc(((size_t)v->nsectors + 1) * sizeof *w->first);
    w->ways = malloc(((size_t)most + 1) * sizeof *w->ways);
    w->heard = malloc(((size_t)v->nsectors + 1) * sizeof *w->heard);
    if (!w->first || !w->ways || !w->heard)
        return -1;
    w->first[0] = 0;
    for (int32_t i = 0; i < v->nsectors; i++) {
        const struct sector *s = &v->sectors[i];
        w->first[i + 1] = w->first[i];
        for (int k = 0; k < s->nlines; k++) {
            const struct line *l = s->lines[k];
            if (!(l->flags & ML_TWOSIDED) || !l->back)
                continue;
            const struct way way = {(l->front == s ? l->back : l->front)->index, l->flags & ML_SOUNDBLOCK};
            if (way.to != i && !has_way(w, i, way))
                w->ways[w->first[i + 1]++] = way;
        }
    }
    return 0;
}

void noise_free(struct level *v)
{
    free(v->ways.first);
    free(v->ways.ways);
    free(v->ways.heard);
}

static bool gap(const struct sector *a, const struct sector *b)
{
    const fixed top = a->ceiling < b->ceiling ? a->ceiling : b->ceiling;
    const fixed bottom = a->floor > b->floor ? a->floor : b->floor;
    return wrap_sub(top, bottom) > 0;
}

static int32_t hear_beyond(struct doom *d, const struct sector *s, bool blocks, int32_t n, struct mobj *target)
{
    const struct noiseways *w = &d->lev.ways;
    for (int32_t i = w->first[s->index]; i < w->first[s->index + 1]; i++) {
        struct sector *to = &d->lev.sectors[w->ways[i].to];
        if (w->ways[i].blocks != blocks || to->validcount == d->validcount || !gap(s, to))
            continue;
        to->validcount = d->validcount;
        to->soundtarget = target;
        w->heard[n++] = to->index;
    }
    return n;
}

/* As far as nothing blocks it, then over one line that does from each sector that it came to, and on from there. */
static void spread_by_ways(struct doom *d, struct sector *from, struct mobj *target)
{
    const struct noiseways *w = &d->lev.ways;
    int32_t n = 0, at = 0;
    from->validcount = d->validcount;
    from->soundtarget = target;
    w->heard[n++] = from->index;
    for (; at < n; at++)
        n = hear_beyond(d, &d->lev.sectors[w->heard[at]], false, n, target);
    for (int32_t i = 0, end = n; i < end; i++)
        n = hear_beyond(d, &d->lev.sectors[w->heard[i]], true, n, target);
    for (; at < n; at++)
        n = hear_beyond(d, &d->lev.sectors[w->heard[at]], false, n, target);
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* Who fires again where nothing has opened or shut is heard by those who know it. */
static bool heard_already(struct doom *d, const struct sector *from, const struct mobj *target)
{
    struct noiseways *w = &d->lev.ways;
    if (w->from == from && w->target == target && w->heightchange == d->lev.heightchange)
        return true;
    w->from = from;
    w->target = target;
    w->heightchange = d->lev.heightchange;
    return false;
}

void noise_alert(struct doom *d, struct mobj *target, struct mobj *emitter)
{
    struct sector *from = emitter->subsector->sector;
    d->validcount++;
    if (d->lev.oddlines)
        spread_by_lines(d, from, target);
    else if (!heard_already(d, from, target))
        spread_by_ways(d, from, target);
}
