/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * original.c - what can change of a map, as it was loaded: a state names what differs from it, and a level that begins
 * again begins with it.
 */
#include <stdlib.h>
#include <string.h>

#include "play.h"

int original_keep(struct level *lev, struct dh_err *e)
{
    lev->sectors0 = malloc(((size_t)lev->nsectors + 1) * sizeof *lev->sectors0);
    lev->sides0 = malloc(((size_t)lev->nsides + 1) * sizeof *lev->sides0);
    lev->lines0 = malloc(((size_t)lev->nlines + 1) * sizeof *lev->lines0);
    if (!lev->sectors0 || !lev->sides0 || !lev->lines0)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    for (int i = 0; i < lev->nsectors; i++) {
        const struct sector *s = &lev->sectors[i];
        lev->sectors0[i] =
            (struct sector0){s->floor, s->ceiling, s->floorpic, s->ceilingpic, s->light, s->special, s->tag};
    }
    for (int i = 0; i < lev->nsides; i++) {
        const struct side *s = &lev->sides[i];
        lev->sides0[i] = (struct side0){s->xoff, s->yoff, s->top, s->bottom, s->mid};
    }
    for (int i = 0; i < lev->nlines; i++) {
        const struct line *l = &lev->lines[i];
        lev->lines0[i] = (struct line0){l->flags, l->special, l->tag};
    }
    return 0;
}

static void restore_sector(struct sector *s, const struct sector0 *t)
{
    s->floor = t->floor;
    s->ceiling = t->ceiling;
    s->floorpic = t->floorpic;
    s->ceilingpic = t->ceilingpic;
    s->light = t->light;
    s->special = t->special;
    s->tag = t->tag;
    s->things = NULL;
    s->soundtarget = NULL;
    s->specialdata = NULL;
}

static void restore_side(struct side *s, const struct side0 *t)
{
    s->xoff = t->xoff;
    s->yoff = t->yoff;
    s->top = t->top;
    s->bottom = t->bottom;
    s->mid = t->mid;
}

static void restore_line(struct line *l, const struct line0 *t)
{
    l->flags = t->flags;
    l->special = t->special;
    l->tag = t->tag;
}

void original_restore(struct level *lev)
{
    for (int i = 0; i < lev->nsectors; i++)
        restore_sector(&lev->sectors[i], &lev->sectors0[i]);
    for (int i = 0; i < lev->nsides; i++)
        restore_side(&lev->sides[i], &lev->sides0[i]);
    for (int i = 0; i < lev->nlines; i++)
        restore_line(&lev->lines[i], &lev->lines0[i]);
    memset(lev->blocklinks, 0, (size_t)block_count(lev) * sizeof *lev->blocklinks);
    crowd_forget(lev);
    lev->ways.from = NULL;
}
