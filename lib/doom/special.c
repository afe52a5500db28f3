/* SPDX-License-Identifier: GPL-2.0-or-later */
/* special.c - what sectors and lines do from the level's start, and at each tic. */
#include <string.h>

#include "play.h"

static void spawn_sector(struct doom *d, struct sector *s)
{
    switch (s->special) {
    case 9:
        d->totalsecrets++;
        break;
    case 10:
        door_spawn_close30(d, s);
        break;
    case 14:
        door_spawn_raise5(d, s);
        break;
    case 17: /* came with 1.4 (chocolate-doom, P_SpawnSpecials) */
        if (d->version > VERSION_DOOM_1_2)
            light_spawn(d, s, 17);
        break;
    default:
        light_spawn(d, s, s->special);
        break;
    }
}

/* Sectors in order: their thinkers and random draws follow it. */
void line_spawn_specials(struct doom *d)
{
    d->leveltimer = false; /* a time limit comes from the command line alone; no demo holds it */
    for (int i = 0; i < d->lev.nsectors; i++)
        spawn_sector(d, &d->lev.sectors[i]);

    const int limit = d->version <= VERSION_DOOM_1_2 ? MAXLINEANIMS_1_2 : MAXLINEANIMS;
    d->nscrollers = 0;
    for (int i = 0; i < d->lev.nlines; i++) {
        if (d->lev.lines[i].special != 48)
            continue;
        if (d->nscrollers == limit) {
            dh_fail(d->err, DH_TROUBLE, "line %d: more than %d scrolling walls, which the executable does not survive",
                    i, limit);
            return;
        }
        d->scrollers[d->nscrollers++] = &d->lev.lines[i];
    }

    memset(d->activeceilings, 0, sizeof d->activeceilings);
    memset(d->activeplats, 0, sizeof d->activeplats);
    memset(d->buttons, 0, sizeof d->buttons);
}

void line_update_specials(struct doom *d)
{
    if (d->leveltimer && !--d->leveltimecount)
        game_exit_level(d);
    for (int i = 0; i < d->nscrollers; i++) {
        if (d->scrollers[i]->special == 48) {
            struct side *s = &d->lev.sides[d->scrollers[i]->sidenum[0]];
            s->xoff = wrap_add(s->xoff, FX_ONE);
        }
    }
    switch_tick(d);
}
