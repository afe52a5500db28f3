/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ceiling.c - ceilings that crush, lower and rise; doors are in door.c. */
#include "play.h"

#define CEILING_SPEED FX_ONE

/* One too many is not in the list: it cannot be stopped by its tag, and never ends. */
static void ceiling_add(struct doom *d, struct ceilmove *t)
{
    for (int i = 0; i < MAXCEILINGS; i++) {
        if (!d->activeceilings[i]) {
            d->activeceilings[i] = t;
            return;
        }
    }
}

static void ceiling_end(struct doom *d, struct ceilmove *t)
{
    for (int i = 0; i < MAXCEILINGS; i++) {
        if (d->activeceilings[i] == t) {
            t->sector->specialdata = NULL;
            thinker_remove(d, &t->th);
            d->activeceilings[i] = NULL;
            return;
        }
    }
}

static bool crusher(enum ceiling_type type)
{
    return type == CEIL_CRUSHANDRAISE || type == CEIL_FASTCRUSH || type == CEIL_SILENTCRUSH;
}

static void ceiling_up(struct doom *d, struct ceilmove *t)
{
    if (sector_move_plane(d, t->sector, t->speed, t->top, CRUSH_NO, true, 1) != PLANE_PASTDEST)
        return;
    if (t->type == CEIL_RAISETOHIGHEST)
        ceiling_end(d, t);
    else if (crusher(t->type))
        t->direction = -1;
}

static void ceiling_down(struct doom *d, struct ceilmove *t)
{
    switch (sector_move_plane(d, t->sector, t->speed, t->bottom, t->crush, true, -1)) {
    case PLANE_PASTDEST:
        if (crusher(t->type)) {
            if (t->type != CEIL_FASTCRUSH)
                t->speed = CEILING_SPEED; /* it may have been slowed down by what it crushed */
            t->direction = 1;
        } else if (t->type == CEIL_LOWERANDCRUSH || t->type == CEIL_LOWERTOFLOOR) {
            ceiling_end(d, t);
        }
        break;
    case PLANE_CRUSHED:
        if (t->type == CEIL_SILENTCRUSH || t->type == CEIL_CRUSHANDRAISE || t->type == CEIL_LOWERANDCRUSH)
            t->speed = CEILING_SPEED / 8;
        break;
    case PLANE_OK:
        break;
    }
}

void ceiling_think(struct doom *d, struct ceilmove *t)
{
    if (t->direction > 0)
        ceiling_up(d, t);
    else if (t->direction < 0)
        ceiling_down(d, t);
}

static void ceiling_wake(struct doom *d, const struct line *l)
{
    for (int i = 0; i < MAXCEILINGS; i++) {
        struct ceilmove *t = d->activeceilings[i];
        if (t && t->tag == l->tag && t->direction == 0) {
            t->direction = t->olddirection;
            t->th.stasis = false;
        }
    }
}

bool ceiling_crush_stop(struct doom *d, struct line *l)
{
    bool stopped = false;
    for (int i = 0; i < MAXCEILINGS; i++) {
        struct ceilmove *t = d->activeceilings[i];
        if (t && t->tag == l->tag && t->direction != 0) {
            t->olddirection = t->direction;
            t->direction = 0;
            t->th.stasis = true;
            stopped = true;
        }
    }
    return stopped;
}

bool ceiling_do(struct doom *d, struct line *l, enum ceiling_type type)
{
    bool moved = false;
    if (crusher(type))
        ceiling_wake(d, l);

    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;) {
        struct sector *s = &d->lev.sectors[n];
        if (s->specialdata)
            continue;
        moved = true;
        struct ceilmove *t = thinker_new(d, TK_CEILING);
        s->specialdata = &t->th;
        t->sector = s;
        t->type = type;
        t->tag = s->tag;
        t->speed = type == CEIL_FASTCRUSH ? 2 * CEILING_SPEED : CEILING_SPEED;
        t->crush = crusher(type); /* "lower and crush" does not: it stops above what is in the way */
        if (type == CEIL_RAISETOHIGHEST) {
            t->top = sector_highest_ceiling(s);
            t->direction = 1;
        } else {
            t->top = crusher(type) ? s->ceiling : 0;
            t->bottom = type == CEIL_LOWERTOFLOOR ? s->floor : wrap_add(s->floor, FX(8));
            t->direction = -1;
        }
        ceiling_add(d, t);
    }
    return moved;
}
