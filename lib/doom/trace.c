/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - what a straight line meets, block by block, nearest first.
 *
 * Where the walk through the blocks steps past a corner, or a thing stands in a block that the line does not enter,
 * there is no hit, though geometry would have one. That is the executable's behaviour too.
 */
#include "lanes.h"
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

/*
 * Most lines of a block are off the trace by far; for these a few products of floating point say that line_crossing
 * finds no crossing. Its side tests drop low bits of their operands, here there is rounding: the room that is left for
 * both is several times what they can make. Where 16 bits do not hold the map's differences nothing is claimed, since
 * the tests wrap there.
 */
struct beam {
    float x, y, dx, dy; /* its start and all of it; of a short one its middle and half of it */
    bool claims, far;
};

static struct beam beam_of(const struct level *v, const struct divline *t)
{
    const fixed x2 = wrap_add(t->x, t->dx), y2 = wrap_add(t->y, t->dy), most = FX(MODEST);
    const bool far = far_trace(t);
    const float dx = (float)t->dx / FX_ONE, dy = (float)t->dy / FX_ONE, part = far ? 0.f : .5f;
    return (struct beam){
        .x = (float)t->x / FX_ONE + dx * part,
        .y = (float)t->y / FX_ONE + dy * part,
        .dx = dx * (1.f - part),
        .dy = dy * (1.f - part),
        .claims = v->bm.x && t->x < most && t->x > -most && t->y < most && t->y > -most && x2 < most && x2 > -most &&
                  y2 < most && y2 > -most,
        .far = far,
    };
}

/* Which of four lines from a word on may be crossed. The others have both ends on one side of a far trace; or a short
 * one has both of its ends on one side of them, by products that grow with the line alone. */
static inline uint32_t four_near(const struct beam *b, const struct blocklines *l, int32_t at)
{
    const flanes x = flanes_read(l->x + at) - b->x, y = flanes_read(l->y + at) - b->y, dx = flanes_read(l->dx + at),
                 dy = flanes_read(l->dy + at), across = flanes_abs(dx * b->dy - dy * b->dx),
                 length = flanes_abs(dx) + flanes_abs(dy);
    if (!b->far)
        return ilanes_bits(flanes_abs(dx * y - dy * x) <= across + length * (1.f / 8) + 1);
    const float own = (b->dx < 0 ? -b->dx : b->dx) + (b->dy < 0 ? -b->dy : b->dy);
    const flanes room = (flanes_abs(x) + flanes_abs(y) + length + own) * (1.f / 64) + 1;
    return ilanes_bits(flanes_abs(b->dx * y - b->dy * x) <= across + room);
}

/* Of n lines from a word on, the first one's bit lowest. */
static inline uint32_t lines_near(const struct beam *b, const struct blocklines *l, int32_t at, int32_t n)
{
    uint32_t bits = (1u << LANES) - 1;
    if (b->claims) {
        bits = 0;
        for (int32_t k = 0; k < LANES && k < n; k += LANES / 2)
            bits |= four_near(b, l, at + k) << k;
    }
    return n < LANES ? bits & ((1u << n) - 1) : bits;
}

/* The lines of a block, each at its first turn. stops: false once a wall is in the way. */
static inline bool collect_lines(struct doom *d, const struct beam *b, int bx, int by, bool stops)
{
    const struct level *v = &d->lev;
    if (!block_inside(v, bx, by))
        return true;
    const struct blocklist list = v->bmlists[by * v->bmwidth + bx];
    for (int32_t i = 0; i < list.n; i += LANES)
        for (uint32_t bits = lines_near(b, &v->bm, list.first + i, list.n - i); bits != 0; bits &= bits - 1) {
            struct line *l = &v->lines[v->bm.line[list.first + i + __builtin_ctz(bits)]];
            if (l->validcount == d->validcount)
                continue;
            l->validcount = d->validcount;
            fixed frac = line_crossing(&d->trace.line, l);
            if (frac < 0)
                continue;
            if (stops && frac < FX_ONE && !l->back)
                return false;
            meet(d, frac, l, NULL);
        }
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
    const struct beam b = beam_of(&d->lev, &d->trace.line);
    for (int n = 0; n < MAX_BLOCKS; n++) {
        if ((flags & TRACE_LINES) && !collect_lines(d, &b, x.block, y.block, flags & TRACE_EARLYOUT))
            return false;
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
