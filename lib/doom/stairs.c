/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stairs.c - a row of sectors that rise to steps. */
#include "play.h"

static void step_begin(struct doom *d, struct sector *s, fixed speed, fixed dest)
{
    struct floormove *t = thinker_new(d, TK_FLOOR);
    s->specialdata = &t->th;
    t->type = FLOOR_LOWER; /* of no consequence: only the kinds that change the floor's look are asked for */
    /* The executable leaves the field unset, so it is neither false nor exactly true: what stands in the way is hurt,
     * and wins. */
    t->crush = CRUSH_STAIRS;
    t->direction = 1;
    t->sector = s;
    t->speed = speed;
    t->dest = dest;
}

/*
 * The next step is behind the first line whose front is this step and whose back has the same flat and does not move. A
 * back that moves is passed over, but it has already counted as a step's height.
 */
static struct sector *next_step(const struct sector *s, int pic, fixed stepsize, fixed *height)
{
    for (int i = 0; i < s->nlines; i++) {
        const struct line *l = s->lines[i];
        if (!(l->flags & ML_TWOSIDED) || l->front != s || !l->back || l->back->floorpic != pic)
            continue;
        *height = wrap_add(*height, stepsize);
        if (!l->back->specialdata)
            return l->back;
    }
    return NULL;
}

bool stairs_build(struct doom *d, struct line *l, enum stair_type type)
{
    const fixed speed = type == STAIR_BUILD8 ? FX_ONE / 4 : FX(4);
    const fixed stepsize = type == STAIR_BUILD8 ? FX(8) : FX(16);
    bool moved = false;

    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;) {
        struct sector *s = &d->lev.sectors[n];
        if (s->specialdata)
            continue;
        moved = true;
        const int pic = s->floorpic;
        fixed height = wrap_add(s->floor, stepsize);
        while (s) {
            step_begin(d, s, speed, height);
            n = s->index; /* the search for further tagged sectors goes on from the last step */
            s = next_step(s, pic, stepsize, &height);
        }
    }
    return moved;
}
