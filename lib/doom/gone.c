/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gone.c - mobjs that have left the game and may still be pointed at by those that hunt them: each is kept, unchanged,
 * and its memory is used again only once nothing points at it.
 *
 * A gone mobj's links into its sector's list are free for other uses: snext threads the gone list, sprev marks during a
 * sweep.
 */
#include "thinker.h"

#define GONE_MIN 256 /* so many are kept without looking who points at them */

void gone_init(struct doom *d)
{
    d->gone = NULL;
    d->ngone = 0;
    d->gonelimit = GONE_MIN;
}

void gone_add(struct doom *d, struct mobj *mo)
{
    mo->sprev = NULL;
    mo->snext = d->gone;
    d->gone = mo;
    d->ngone++;
}

/* Chains of gone ones are followed here without recursion: a freshly marked one goes onto the list of those still to
 * look through. */
static void keep(struct mobj **todo, struct mobj *mo)
{
    if (!mo || !mo->th.unlinked || mo->sprev)
        return;
    mo->sprev = *todo ? *todo : mo; /* not NULL is the mark; the list's last points at itself */
    *todo = mo;
}

static void keep_what_is_pointed_at(struct doom *d)
{
    struct mobj *todo = NULL;
    for (struct thinker *th = thinker_next(d, NULL); th; th = thinker_next(d, th)) {
        if (th->kind != TK_MOBJ)
            continue;
        const struct mobj *mo = (struct mobj *)th;
        keep(&todo, mo->target);
        keep(&todo, mo->tracer);
    }
    for (int i = 0; i < MAXPLAYERS; i++) {
        keep(&todo, d->players[i].mo);
        keep(&todo, d->players[i].attacker);
    }
    for (int i = 0; i < d->lev.nsectors; i++)
        keep(&todo, d->lev.sectors[i].soundtarget);
    for (int i = 0; i < BODYQUESIZE; i++)
        keep(&todo, d->bodyque[i]);
    for (int i = 0; i < MAXBRAINTARGETS; i++)
        keep(&todo, d->braintargets[i]);
    keep(&todo, d->linetarget);
    while (todo) {
        struct mobj *mo = todo;
        todo = mo->sprev == mo ? NULL : mo->sprev;
        mo->sprev = mo;
        keep(&todo, mo->target);
        keep(&todo, mo->tracer);
    }
}

void gone_sweep(struct doom *d)
{
    if (d->ngone <= d->gonelimit)
        return;
    keep_what_is_pointed_at(d);
    struct mobj **link = &d->gone;
    while (*link) {
        struct mobj *mo = *link;
        if (mo->sprev) {
            mo->sprev = NULL;
            link = &mo->snext;
        } else {
            *link = mo->snext;
            d->ngone--;
            pool_give(d, TK_MOBJ, mo);
        }
    }
    /* Each sweep pays for itself: at least as many have to go as were kept before the next. */
    d->gonelimit = d->ngone * 2 > GONE_MIN ? d->ngone * 2 : GONE_MIN;
}
