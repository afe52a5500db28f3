/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sight12.c - the line of sight of Doom 1.0 to 1.2: a trace through the blockmap, as a shot is, in place of the walk
 * through the tree.
 *
 * It differs in what a trace differs in (trace.c): lines that its blocks miss are not there, a wall is met only up to
 * where the trace ends, and the last opening looked through stays behind in d->open. By chocolate-doom's P_CheckSight
 * and PTR_SightTraverse.
 */
#include "space.h"

/* What is still seen beyond a line that is crossed; lines without a back side have ended the trace already, but for one
 * at its very end. */
static bool look_past(struct doom *d, struct intercept *in)
{
    struct window *w = &d->window;
    const struct line *l = in->line;
    if (d->version == VERSION_DOOM_1_0 && !(l->flags & ML_TWOSIDED)) /* recreated, PTR_SightTraverse */
        return false;
    geo_opening(d, l);
    if (d->open.bottom >= d->open.top || !l->back)
        return false;
    if (l->front->floor != l->back->floor) {
        fixed slope = fx_div(wrap_sub(d->open.bottom, w->eyez), in->frac);
        if (slope > w->bottom)
            w->bottom = slope;
    }
    if (l->front->ceiling != l->back->ceiling) {
        fixed slope = fx_div(wrap_sub(d->open.top, w->eyez), in->frac);
        if (slope < w->top)
            w->top = slope;
    }
    return w->top > w->bottom;
}

bool sight_check_1_2(struct doom *d, const struct mobj *from, const struct mobj *to)
{
    struct window *w = &d->window;
    w->eyez = wrap_sub(wrap_add(from->z, from->height), from->height >> 2);
    w->top = wrap_sub(wrap_add(to->z, to->height), w->eyez);
    w->bottom = wrap_sub(to->z, w->eyez);
    return trace_path(d, from->x, from->y, to->x, to->y, TRACE_LINES | TRACE_EARLYOUT, look_past);
}
