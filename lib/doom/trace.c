/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - what a straight line meets, block by block, nearest first.
 *
 * Where the walk through the blocks steps past a corner, or a thing stands in a block that the line does not enter,
 * there is no hit, though geometry would have one. That is the executable's behaviour too.
 */
#include "space.h"

#define MAX_BLOCKS 64           /* however far it is still to go */
#define SHORT_TRACE FX(16)      /* lines no longer than this have their sides tested the other way round */
#define BLOCK_UNIT (FX_ONE - 1) /* fraction of a block's side, in 1/65536 of it */
#define BLOCK_FRAC (MAPBLOCKSHIFT - FX_BITS)
#define NOT_STEPPING (256 * FX_ONE)

/* ---- collecting -------------------------------------------------------------------------------------------------- */

static void meet(struct doom *d, fixed frac, struct line *l, struct mobj *mo)
{
    struct trace *t = &d->trace;
    if (t->n == t->cap) {
        int cap = t->cap > 0 ? t->cap * 2 : 2 * MAXINTERCEPTS;
        struct intercept *v = realloc(t->v, (size_t)cap * sizeof *v);
        if (!v) {
            dh_fail(d->err, DH_TROUBLE, "out of memory for what a line of sight meets");
            return;
        }
        t->v = v;
        t->cap = cap;
    }
    t->v[t->n] = (struct intercept){frac, l, mo};
    if (t->n > MAXINTERCEPTS) /* one past the end went unnoticed */
        overrun_intercepts(d, &t->v[t->n], t->n);
    t->n++;
}

static bool far_trace(const struct divline *t)
{
    return t->dx > SHORT_TRACE || t->dy > SHORT_TRACE || t->dx < -SHORT_TRACE || t->dy < -SHORT_TRACE;
}

/* The distance along the trace where it crosses a line, negative if it does not or only behind its start. */
static fixed line_crossing(const struct divline *t, const struct line *l)
{
    int a, b;
    if (far_trace(t)) {
        a = geo_divline_side(t, l->v1->x, l->v1->y);
        b = geo_divline_side(t, l->v2->x, l->v2->y);
    } else {
        a = geo_line_side(l, t->x, t->y);
        b = geo_line_side(l, wrap_add(t->x, t->dx), wrap_add(t->y, t->dy));
    }
    if (a == b)
        return -1;
    struct divline wall;
    geo_divline(l, &wall);
    return geo_intercept(t, &wall);
}

static bool collect_line(struct doom *d, struct line *l)
{
    fixed frac = line_crossing(&d->trace.line, l);
    if (frac >= 0)
        meet(d, frac, l, NULL);
    return true;
}

/* The same, but a wall in the way ends it all. */
static bool collect_line_or_stop(struct doom *d, struct line *l)
{
    fixed frac = line_crossing(&d->trace.line, l);
    if (frac < 0)
        return true;
    if (frac < FX_ONE && !l->back)
        return false;
    meet(d, frac, l, NULL);
    return true;
}

/* A thing is as wide as that diagonal of its square which lies more across the trace. An axis-parallel trace counts as
 * falling. */
static bool collect_thing(struct doom *d, struct mobj *mo)
{
    const struct divline *t = &d->trace.line;
    fixed r = mo->radius, x1 = wrap_sub(mo->x, r), x2 = wrap_add(mo->x, r);
    bool rising = (t->dx ^ t->dy) > 0;
    fixed y1 = rising ? wrap_add(mo->y, r) : wrap_sub(mo->y, r);
    fixed y2 = rising ? wrap_sub(mo->y, r) : wrap_add(mo->y, r);
    if (geo_divline_side(t, x1, y1) == geo_divline_side(t, x2, y2))
        return true;
    struct divline diagonal = {x1, y1, wrap_sub(x2, x1), wrap_sub(y2, y1)};
    fixed frac = geo_intercept(t, &diagonal);
    if (frac >= 0)
        meet(d, frac, NULL, mo);
    return true;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

/* One axis of the walk: which way its block number goes, and the other axis's coordinate (in blocks) at its next
 * border. */
struct axis {
    int block, last, step;
    fixed crossing, slope;
};

/* from, to: along this axis; from_other, to_other: along the other; all relative to the blockmap's corner. */
static struct axis axis_of(fixed from, fixed to, fixed from_other, fixed to_other)
{
    struct axis a = {.block = from >> MAPBLOCKSHIFT, .last = to >> MAPBLOCKSHIFT};
    fixed part = (from >> BLOCK_FRAC) & BLOCK_UNIT; /* what lies between the start and the border behind it */
    if (a.last == a.block) {
        part = FX_ONE;
        a.slope = NOT_STEPPING;
    } else {
        a.slope = fx_div(wrap_sub(to_other, from_other), wrap_abs(wrap_sub(to, from)));
        a.step = a.last > a.block ? 1 : -1;
        if (a.step > 0)
            part = FX_ONE - part;
    }
    a.crossing = wrap_add(from_other >> BLOCK_FRAC, fx_mul(part, a.slope));
    return a;
}

/* Off the borders of blocks: a start on one is moved by a unit. */
static fixed off_border(fixed v, fixed origin)
{
    return (wrap_sub(v, origin) & ((1 << MAPBLOCKSHIFT) - 1)) == 0 ? wrap_add(v, FX_ONE) : v;
}

static bool collect(struct doom *d, struct axis x, struct axis y, int flags)
{
    for (int n = 0; n < MAX_BLOCKS; n++) {
        if (flags & TRACE_EARLYOUT) {
            if ((flags & TRACE_LINES) && !block_each_line(d, x.block, y.block, NULL, collect_line_or_stop))
                return false;
        } else if (flags & TRACE_LINES) {
            block_each_line(d, x.block, y.block, NULL, collect_line);
        }
        if (flags & TRACE_THINGS)
            block_each_thing(d, x.block, y.block, collect_thing);
        if (x.block == x.last && y.block == y.last)
            break;
        /* Where neither crossing is in this block, it stays here until the count runs out. */
        if (x.crossing >> FX_BITS == y.block) {
            x.crossing = wrap_add(x.crossing, x.slope);
            x.block += x.step;
        } else if (y.crossing >> FX_BITS == x.block) {
            y.crossing = wrap_add(y.crossing, y.slope);
            y.block += y.step;
        }
    }
    return true;
}

/* The nearest again and again: a shot mostly ends at the first. Among equals the one met first. */
static bool visit_in_order(struct doom *d, bool (*fn)(struct doom *, struct intercept *))
{
    struct trace *t = &d->trace;
    for (int left = t->n; left > 0; left--) {
        int best = -1;
        fixed dist = INT32_MAX;
        for (int i = 0; i < t->n; i++) {
            if (t->v[i].frac < dist) {
                dist = t->v[i].frac;
                best = i;
            }
        }
        if (dist > FX_ONE)
            return true;
        if (!fn(d, &t->v[best]))
            return false;
        t->v[best].frac = INT32_MAX;
    }
    return true;
}

bool trace_path(struct doom *d, fixed x1, fixed y1, fixed x2, fixed y2, int flags,
                bool (*fn)(struct doom *, struct intercept *))
{
    fixed ox = d->lev.bmorgx, oy = d->lev.bmorgy;
    d->validcount++;
    d->trace.n = 0;
    x1 = off_border(x1, ox);
    y1 = off_border(y1, oy);
    d->trace.line = (struct divline){x1, y1, wrap_sub(x2, x1), wrap_sub(y2, y1)};
    x1 = wrap_sub(x1, ox);
    y1 = wrap_sub(y1, oy);
    x2 = wrap_sub(x2, ox);
    y2 = wrap_sub(y2, oy);
    if (!collect(d, axis_of(x1, x2, y1, y2), axis_of(y1, y2, x1, x2), flags))
        return false;
    return visit_in_order(d, fn);
}
