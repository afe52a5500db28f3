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
void noise_alert(struct doom *d, struct mobj *target, struct mobj *emitter)
{
    d->validcount++;
    struct sector *s = emitter->subsector->sector;
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
