/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noise.c - a noise spreads from sector to sector and names its maker as the target of whoever hears it. */
#include "play.h"

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
static void spread(struct doom *d, struct sector *s, struct mobj *target)
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

/* Whether a noise in this sector goes the way of the last one: the same sectors hear it, with as many lines crossed.
 * Not where the last opening measured is read later. */
static bool spreads_again(const struct level *v, const struct sector *s)
{
    return v->noise.from == s && v->noise.heightchange == v->heightchange && !v->oddlines;
}

static void spread_again(struct doom *d, struct mobj *target)
{
    for (int i = 0; i < d->lev.nsectors; i++) {
        struct sector *s = &d->lev.sectors[i];
        if (s->validcount == d->lev.noise.validcount)
            s->soundtarget = target;
    }
}

void noise_alert(struct doom *d, struct mobj *target, struct mobj *emitter)
{
    struct level *v = &d->lev;
    struct sector *from = emitter->subsector->sector;
    if (spreads_again(v, from)) {
        spread_again(d, target);
        return;
    }
    d->validcount++;
    v->noise.from = from;
    v->noise.heightchange = v->heightchange;
    v->noise.validcount = d->validcount;
    spread(d, from, target);
}
