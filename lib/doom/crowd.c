/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crowd.c - what stands in the way: the solid things of a square of ground, eight side by side.
 *
 * Most moves are those of monsters, which do nothing to what they touch: whether anything solid is in the way is all
 * that they ask of the things around, and in what order these are met does not matter. So beside the lists of four
 * blocks there are the places of their solid things, in whole units, all of them asked at once; what seems near by
 * these is looked at itself.
 *
 * A thing comes and goes with its list. One that ceases to be solid meanwhile, as the dead do, goes when it is next
 * met; one that becomes solid again says so. All of this follows from the lists and is no state. Once a thing may be in
 * the list of another block than its own, it is left as it is and not used.
 */
#include <string.h>

#include "lanes.h"
#include "space.h"

#define WIDER 1         /* a square is two by two blocks, so that few movers ask more than two */
#define AWAY 0x4000     /* taken from each coordinate, so that where nothing stands is far away */
#define RADIUS_MAX 8191 /* in units: things of neighbouring squares are nearer than that anyway */

/* Some solid things of one square; number 0 is empty, and that of squares where nothing has ever stood. */
struct bunch {
    lanes x, y, radius;
    int32_t next;  /* of the same square, 0: none */
    uint32_t used; /* bits */
    uint64_t unused;
};
_Static_assert(sizeof(struct bunch) == CACHE_LINE, "one is read as a whole");

int crowd_init(struct level *v)
{
    struct crowd *c = &v->crowd;
    const int room = 256;
    c->width = (v->bmwidth >> WIDER) + 1;
    c->height = (v->bmheight >> WIDER) + 1;
    c->first = calloc((size_t)c->width * (size_t)c->height, sizeof *c->first);
    c->bunches = aligned_alloc(CACHE_LINE, (size_t)room * sizeof *c->bunches);
    c->faces = malloc((size_t)room * LANES * sizeof *c->faces);
    if (!c->first || !c->bunches || !c->faces)
        return -1;
    c->bunches[0] = (struct bunch){0};
    memset(c->faces, 0, LANES * sizeof *c->faces);
    c->n = 1;
    c->room = room;
    return 0;
}

void crowd_free(struct level *v)
{
    free(v->crowd.first);
    free(v->crowd.bunches);
    free(v->crowd.faces);
}

static bool grow(struct crowd *c)
{
    const int32_t room = c->room * 2;
    struct mobj **faces = realloc(c->faces, (size_t)room * LANES * sizeof *faces);
    if (faces)
        c->faces = faces;
    struct bunch *bunches = faces ? aligned_alloc(CACHE_LINE, (size_t)room * sizeof *bunches) : NULL;
    if (!bunches)
        return false;
    memcpy(bunches, c->bunches, (size_t)c->n * sizeof *bunches);
    free(c->bunches);
    c->bunches = bunches;
    c->room = room;
    return true;
}

/* One with room in it. 0: out of memory. */
static int32_t find_room(struct crowd *c, int32_t *first)
{
    for (int32_t i = *first; i != 0; i = c->bunches[i].next)
        if (c->bunches[i].used != (1u << LANES) - 1)
            return i;
    if (c->n == c->room && !grow(c))
        return 0;
    c->bunches[c->n] = (struct bunch){.next = *first};
    memset(c->faces + (size_t)c->n * LANES, 0, LANES * sizeof *c->faces);
    return *first = c->n++;
}

static int16_t units(fixed x)
{
    return (int16_t)(uint16_t)(((uint32_t)x >> FX_BITS) - AWAY);
}

static int16_t radius_units(fixed radius)
{
    const int32_t r = (int32_t)(((int64_t)radius + FX_ONE - 1) >> FX_BITS);
    return (int16_t)(r < 0 ? 0 : r > RADIUS_MAX ? RADIUS_MAX : r);
}

void crowd_enter(struct doom *d, struct mobj *mo)
{
    struct crowd *c = &d->lev.crowd;
    const int bx = block_x(d, mo->x), by = block_y(d, mo->y);
    if ((mo->flags & (MF_SOLID | MF_NOBLOCKMAP)) != MF_SOLID || !crowd_known(d) || !block_inside(&d->lev, bx, by))
        return;
    const int32_t i = find_room(c, &c->first[(by >> WIDER) * c->width + (bx >> WIDER)]);
    if (i == 0) {
        dh_fail(d->err, DH_TROUBLE, "out of memory for the things of the level");
        return;
    }
    struct bunch *b = &c->bunches[i];
    const int k = __builtin_ctz(~b->used);
    b->used |= 1u << k;
    b->x[k] = units(mo->x);
    b->y[k] = units(mo->y);
    b->radius[k] = radius_units(mo->radius);
    c->faces[i * LANES + k] = mo;
    mo->stand = i * LANES + k;
}

void crowd_leave(struct doom *d, struct mobj *mo)
{
    if (mo->stand == 0 || !crowd_known(d))
        return;
    struct bunch *b = &d->lev.crowd.bunches[mo->stand / LANES];
    const int k = mo->stand % LANES;
    b->used &= ~(1u << k);
    b->x[k] = b->y[k] = 0;
    d->lev.crowd.faces[mo->stand] = NULL;
    mo->stand = 0;
}

void crowd_rise(struct doom *d, struct mobj *mo)
{
    crowd_leave(d, mo);
    crowd_enter(d, mo);
}

void crowd_forget(struct level *v)
{
    struct crowd *c = &v->crowd;
    memset(c->first, 0, (size_t)c->width * (size_t)c->height * sizeof *c->first);
    c->n = 1;
}

void crowd_gather(struct doom *d)
{
    crowd_forget(&d->lev);
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo)) {
        mo->stand = 0;
        crowd_enter(d, mo);
    }
}

/* It seemed near, by where it stands; what else is noted of it may be old. A wide one is met from the blocks that the
 * list's walk comes to, and from no other. */
static bool in_the_way(struct doom *d, struct mobj *mo, const struct block_range *r)
{
    const struct trymove *tm = &d->tm;
    if (!mo || mo == tm->thing)
        return false;
    if (!(mo->flags & MF_SOLID)) {
        crowd_leave(d, mo);
        return false;
    }
    const int bx = block_x(d, mo->x), by = block_y(d, mo->y);
    return !space_apart(mo, tm->x, tm->y, wrap_add(mo->radius, tm->thing->radius)) && bx >= r->x0 && bx <= r->x1 &&
           by >= r->y0 && by <= r->y1;
}

/* A mover, in all lanes, and which lane of which bunch is its own. */
struct mover {
    lanes x, y, radius;
    int32_t bunch;
    uint32_t own;
};

/* Radii are rounded up, and two places that are nearer than a whole number of units are at most that number apart in
 * whole units. */
static inline uint32_t near_in(const struct bunch *b, const struct mover *m)
{
    const lanes reach = b->radius + m->radius, dx = b->x - m->x, dy = b->y - m->y;
    return lanes_bits(((dx > reach) | (dy > reach) | (dx < -reach) | (dy < -reach)) == 0);
}

static inline struct mobj *bump_in(struct doom *d, int32_t i, const struct mover *m, const struct block_range *r)
{
    do {
        uint32_t bits = near_in(&d->lev.crowd.bunches[i], m);
        if (i == m->bunch)
            bits &= ~m->own;
        for (; bits != 0; bits &= bits - 1) {
            struct mobj *mo = d->lev.crowd.faces[i * LANES + __builtin_ctz(bits)];
            if (in_the_way(d, mo, r))
                return mo;
        }
        i = d->lev.crowd.bunches[i].next;
    } while (i != 0);
    return NULL;
}

struct mobj *crowd_bump(struct doom *d)
{
    const struct crowd *c = &d->lev.crowd;
    const struct trymove *tm = &d->tm;
    const struct block_range r = block_range(d, tm->bbox, MAXRADIUS);
    const struct mover m = {
        .x = units(tm->x) - (lanes){0},
        .y = units(tm->y) - (lanes){0},
        .radius = radius_units(tm->thing->radius) - (lanes){0},
        .bunch = (int32_t)((uint32_t)tm->thing->stand / LANES),
        .own = 1u << (uint32_t)tm->thing->stand % LANES,
    };
    for (int y = r.y0 >> WIDER; y <= r.y1 >> WIDER; y++)
        for (int x = r.x0 >> WIDER; x <= r.x1 >> WIDER; x++) {
            const bool inside = (uint32_t)x < (uint32_t)c->width && (uint32_t)y < (uint32_t)c->height;
            struct mobj *mo = inside ? bump_in(d, c->first[y * c->width + x], &m, &r) : NULL;
            if (mo)
                return mo;
        }
    return NULL;
}
