/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move.c - may a thing be at a place, and what happens when it goes there: collision, pick-ups, crossed lines,
 * stomping, crushing.
 *
 * d->tm is the check's result, and stays for whoever comes next: a move that is tried inside another's consequences (a
 * teleport on a crossed line) overwrites it, and the outer one goes on with what is there then. The executable did so,
 * and that is relied on.
 */
#include "lanes.h"
#include "space.h"

#define STOMP_DAMAGE 10000 /* kills anything, invulnerable players too */
#define BOSS_MAP 30        /* the only map where monsters stomp what is in their way */
#define CRUSH_DAMAGE 10

/* Column by column from the west, each from the south. */
static inline bool each_thing_near(struct doom *d, bool (*fn)(struct doom *, struct mobj *))
{
    struct block_range r = block_range(d, d->tm.bbox, MAXRADIUS);
    for (int bx = r.x0; bx <= r.x1; bx++)
        for (int by = r.y0; by <= r.y1; by++)
            if (!block_each_thing(d, bx, by, fn))
                return false;
    return true;
}

/* Begin a check of a place: nothing is known. */
static void look_at(struct doom *d, struct mobj *mo, fixed x, fixed y)
{
    struct trymove *tm = &d->tm;
    tm->thing = mo;
    tm->flags = mo->flags;
    tm->x = x;
    tm->y = y;
    tm->bbox[BOXTOP] = wrap_add(y, mo->radius);
    tm->bbox[BOXBOTTOM] = wrap_sub(y, mo->radius);
    tm->bbox[BOXRIGHT] = wrap_add(x, mo->radius);
    tm->bbox[BOXLEFT] = wrap_sub(x, mo->radius);

    tm->under = NULL;
    tm->ceilingline = NULL;
    tm->nspechit = 0;
    tm->ended = CHECK_NOTHING;
    tm->bumped = NULL;
    tm->met = false;
    d->validcount++;
}

void move_look_under(struct doom *d)
{
    struct trymove *tm = &d->tm;
    tm->under = bsp_subsector(d, tm->x, tm->y);
    tm->floorz = tm->dropoffz = tm->under->sector->floor;
    tm->ceilingz = tm->under->sector->ceiling;
}

static void take_place(struct doom *d, struct mobj *mo, fixed x, fixed y)
{
    const struct trymove *tm = &d->tm;
    block_unlink(d, mo);
    mo->floorz = tm->floorz;
    mo->ceilingz = tm->ceilingz;
    mo->x = x;
    mo->y = y;
    block_link_in(d, mo, tm->under && tm->x == x && tm->y == y ? tm->under : bsp_subsector(d, x, y));
}

/* ---- checking a place -------------------------------------------------------------------------------------------- */

static void note_special(struct doom *d, struct line *l)
{
    struct trymove *tm = &d->tm;
    if (tm->nspechit < (int)(sizeof tm->spechit / sizeof tm->spechit[0]))
        tm->spechit[tm->nspechit] = l;
    tm->nspechit++;
    if (tm->nspechit > MAXSPECHIT)
        overrun_spechit(d, l);
}

/* The boxes meet. */
static bool check_line(struct doom *d, struct line *l)
{
    struct trymove *tm = &d->tm;
    if (geo_box_side(tm->bbox, l) != -1)
        return true;

    tm->met = true;
    if (!l->back)
        return false;
    if (!(tm->thing->flags & MF_MISSILE)) {
        if (l->flags & ML_BLOCKING)
            return false;
        if (!tm->thing->player && (l->flags & ML_BLOCKMONSTERS))
            return false;
    }

    geo_opening(d, l);
    if (d->open.top < tm->ceilingz) {
        tm->ceilingz = d->open.top;
        tm->ceilingline = l;
    }
    if (d->open.bottom > tm->floorz)
        tm->floorz = d->open.bottom;
    if (d->open.lowfloor < tm->dropoffz)
        tm->dropoffz = d->open.lowfloor;
    if (l->special)
        note_special(d, l);
    return true;
}

/* A box as those of lines are held against it: touching is not meeting. */
struct reach {
    lanes right, left, top, bottom;
    bool none; /* it ends where numbers begin */
};

static inline struct reach reach_of(const fixed box[4])
{
    return (struct reach){
        .right = (int16_t)(wrap_sub(box[BOXRIGHT], 1) >> FX_BITS) - (lanes){0},
        .left = (int16_t)(box[BOXLEFT] >> FX_BITS) - (lanes){0},
        .top = (int16_t)(wrap_sub(box[BOXTOP], 1) >> FX_BITS) - (lanes){0},
        .bottom = (int16_t)(box[BOXBOTTOM] >> FX_BITS) - (lanes){0},
        .none = box[BOXRIGHT] == INT32_MIN || box[BOXTOP] == INT32_MIN,
    };
}

/* Which of n lines from a word on have a box that meets one, the first one's bit lowest. */
static inline uint32_t lines_in_reach(const struct blocklines *b, int32_t at, int32_t n, const struct reach *r)
{
    const lanes meet = (lanes_read(b->left + at) <= r->right) & (lanes_read(b->right + at) > r->left) &
                       (lanes_read(b->bottom + at) <= r->top) & (lanes_read(b->top + at) > r->bottom);
    const uint32_t bits = lanes_bits(meet);
    return r->none ? 0 : n < LANES ? bits & ((1u << n) - 1) : bits;
}

/* The lines of a block, each at its first turn in a check. What a line does past the end of the list of special ones
 * may be to the check's own box. */
static inline bool check_lines(struct doom *d, int bx, int by, struct reach *r)
{
    const struct level *v = &d->lev;
    if (!block_inside(v, bx, by))
        return true;
    const struct blocklist list = v->bmlists[by * v->bmwidth + bx];
    for (int32_t i = 0; i < list.n; i += LANES) {
        uint32_t bits = lines_in_reach(&v->bm, list.first + i, list.n - i, r);
        while (bits != 0) {
            const int k = __builtin_ctz(bits);
            struct line *l = &v->lines[v->bm.line[list.first + i + k]];
            bits &= bits - 1;
            if (l->validcount == d->validcount)
                continue;
            l->validcount = d->validcount;
            if (!check_line(d, l))
                return false;
            if (d->tm.nspechit > MAXSPECHIT) {
                *r = reach_of(d->tm.bbox);
                bits = lines_in_reach(&v->bm, list.first + i, list.n - i, r) & ~1u << k;
            }
        }
    }
    return true;
}

static int impact(struct doom *d, const struct mobj *mo)
{
    return (rng_next(d) % 8 + 1) * d->things[mo->type].damage;
}

static void slam(struct doom *d, struct mobj *skull, struct mobj *into)
{
    damage_mobj(d, into, skull, skull, impact(d, skull));
    /* What is hit awake from its post takes a step at once, and the executable's one mover is then that one: it is
     * stopped and sent back to its post, and the skull flies on as soon as it can. */
    skull = d->tm.thing;
    skull->flags &= ~MF_SKULLFLY;
    skull->momx = skull->momy = skull->momz = 0;
    mobj_set_state(d, skull, d->things[skull->type].frame.spawn);
}

/* Barons and hell knights count as one species, in this respect only. */
static bool same_species(const struct mobj *a, const struct mobj *b)
{
    return a->type == b->type || (a->type == T_HellKnight && b->type == T_BaronOfHell) ||
           (a->type == T_BaronOfHell && b->type == T_HellKnight);
}

/* true: the missile flies on */
static bool missile_passes(struct doom *d, struct mobj *missile, struct mobj *mo)
{
    if (missile->z > wrap_add(mo->z, mo->height) || wrap_add(missile->z, missile->height) < mo->z)
        return true;
    if (missile->target && same_species(missile->target, mo)) {
        if (mo == missile->target)
            return true;
        if (mo->type != T_Marine && !d->misc.infight) /* goes off without harm; players hurt each other */
            return false;
    }
    if (!(mo->flags & MF_SHOOTABLE))
        return !(mo->flags & MF_SOLID);
    damage_mobj(d, mo, missile, missile->target, impact(d, missile));
    return false;
}

static bool check_thing(struct doom *d, struct mobj *mo)
{
    struct trymove *tm = &d->tm;
    struct mobj *mover = tm->thing;
    if (space_apart(mo, tm->x, tm->y, wrap_add(mo->radius, mover->radius)))
        return true;
    if (!(mo->flags & (MF_SOLID | MF_SPECIAL | MF_SHOOTABLE)))
        return true;
    if (mo == mover)
        return true;

    if (mover->flags & MF_SKULLFLY) { /* into anything, items too */
        slam(d, mover, mo);
        return false;
    }
    if (mover->flags & MF_MISSILE)
        return missile_passes(d, mover, mo);
    /* The answer is that of the flags before the touch, which may remove the thing. */
    bool solid = (mo->flags & MF_SOLID) != 0;
    if (solid)
        tm->bumped = mo;
    if ((mo->flags & MF_SPECIAL) && (tm->flags & MF_PICKUP))
        pickup_touch(d, mo, mover);
    return !solid;
}

/* only: whether it passes is all; nothing is touched, and the order does not matter. */
static bool things_let_pass(struct doom *d, bool only)
{
    if (!only)
        return each_thing_near(d, check_thing);
    d->tm.bumped = crowd_bump(d);
    return !d->tm.bumped;
}

/*
 * Things first, lines after: what is picked up is picked up even where a wall then stops the mover. The floor below
 * comes before both, since what a touch brings about may check other places, and they then look from there; where
 * nothing is touched it can wait.
 */
bool move_check(struct doom *d, struct mobj *mo, fixed x, fixed y)
{
    const bool can_wait = !space_touches(mo) && !(mo->flags & MF_NOCLIP);
    look_at(d, mo, x, y);
    if (!can_wait)
        move_look_under(d);
    if (d->tm.flags & MF_NOCLIP)
        return true;
    if (!things_let_pass(d, can_wait && crowd_known(d))) {
        d->tm.ended = CHECK_THING;
        return false;
    }
    if (can_wait)
        move_look_under(d);
    struct reach reach = reach_of(d->tm.bbox);
    const struct block_range r = block_range(d, d->tm.bbox, 0);
    for (int bx = r.x0; bx <= r.x1; bx++)
        for (int by = r.y0; by <= r.y1; by++)
            if (!check_lines(d, bx, by, &reach)) {
                d->tm.ended = CHECK_WALL;
                return false;
            }
    return true;
}

/* ---- going there ------------------------------------------------------------------------------------------------- */

/* Does the height fit? floatok: it would at another height of the mover. */
static bool fits(struct trymove *tm, const struct mobj *mo)
{
    if (wrap_sub(tm->ceilingz, tm->floorz) < mo->height)
        return false;
    tm->floatok = true;
    if (!(mo->flags & MF_TELEPORT) &&
        (wrap_sub(tm->ceilingz, mo->z) < mo->height || wrap_sub(tm->floorz, mo->z) > STEP_MAX))
        return false;
    return (mo->flags & (MF_DROPOFF | MF_FLOAT)) || wrap_sub(tm->floorz, tm->dropoffz) <= STEP_MAX;
}

bool move_try(struct doom *d, struct mobj *mo, fixed x, fixed y)
{
    struct trymove *tm = &d->tm;
    tm->floatok = false;
    if (!move_check(d, mo, x, y))
        return false;
    if (!(mo->flags & MF_NOCLIP) && !fits(tm, mo))
        return false;

    fixed oldx = mo->x, oldy = mo->y;
    take_place(d, mo, x, y);

    /* Last met, first crossed. The list is the shared one: a teleport empties it, and the thing's place is then the new
     * one. */
    if (!(mo->flags & (MF_TELEPORT | MF_NOCLIP))) {
        if (tm->nspechit > (int)(sizeof tm->spechit / sizeof tm->spechit[0]))
            tm->nspechit = (int)(sizeof tm->spechit / sizeof tm->spechit[0]);
        while (tm->nspechit > 0) {
            struct line *l = tm->spechit[--tm->nspechit];
            int oldside = geo_line_side(l, oldx, oldy);
            if (geo_line_side(l, mo->x, mo->y) != oldside && l->special)
                line_cross(d, l, oldside, mo);
        }
    }
    return true;
}

static bool stomp(struct doom *d, struct mobj *mo)
{
    struct trymove *tm = &d->tm;
    if (!(mo->flags & MF_SHOOTABLE))
        return true;
    if (space_apart(mo, tm->x, tm->y, wrap_add(mo->radius, tm->thing->radius)))
        return true;
    if (mo == tm->thing)
        return true;
    if (!tm->thing->player && d->map != BOSS_MAP)
        return false;
    damage_mobj(d, mo, tm->thing, tm->thing, STOMP_DAMAGE);
    return true;
}

/* Lines do not count, so floorz and ceilingz are those of the middle alone until the next move. */
bool move_teleport(struct doom *d, struct mobj *mo, fixed x, fixed y)
{
    look_at(d, mo, x, y);
    move_look_under(d);
    if (!each_thing_near(d, stomp))
        return false;
    take_place(d, mo, x, y);
    return true;
}

/* ---- a sector's height has changed ------------------------------------------------------------------------------- */

/* Find the thing's floor and ceiling anew and take it along; false: it does not fit between them. */
static bool adjust_height(struct doom *d, struct mobj *mo)
{
    bool onfloor = mo->z == mo->floorz;
    footing_heights(d, mo);
    if (onfloor)
        mo->z = mo->floorz;
    else if (wrap_add(mo->z, mo->height) > mo->ceilingz)
        mo->z = wrap_sub(mo->ceilingz, mo->height);
    if (mo->z != mo->floorz)
        thinker_stir(d, &mo->th);
    return wrap_sub(mo->ceilingz, mo->floorz) >= mo->height;
}

static void squeeze(struct doom *d, struct mobj *mo)
{
    damage_mobj(d, mo, NULL, NULL, CRUSH_DAMAGE);
    struct mobj *blood = mobj_spawn(d, mo->x, mo->y, wrap_add(mo->z, mo->height / 2), T_Blood);
    blood->momx = wrap_shl(rng_diff(d), 12);
    blood->momy = wrap_shl(rng_diff(d), 12);
}

static bool crush_thing(struct doom *d, struct mobj *mo)
{
    if (adjust_height(d, mo))
        return true;
    if (mo->health <= 0) { /* a body: gibs, which take no room (and which the arch-vile's raising makes a ghost of) */
        mobj_set_state(d, mo, S_GIBS);
        if (d->version > VERSION_DOOM_1_2) /* there one that was solid stays so (chocolate-doom, PIT_ChangeSector) */
            mo->flags &= ~MF_SOLID;
        mo->height = 0;
        mo->radius = 0;
        return true;
    }
    if (mo->flags & MF_DROPPED) {
        mobj_remove(d, mo);
        return true;
    }
    if (!(mo->flags & MF_SHOOTABLE))
        return true;
    d->tm.nofit = true;
    if (d->tm.crush && !(game_pulse(d) & 3))
        squeeze(d, mo);
    return true;
}

/* All things of the blocks around, whether they touch the sector or not: a thing elsewhere is adjusted by it as well.
 */
bool move_change_sector(struct doom *d, struct sector *s, bool crunch)
{
    d->tm.nofit = false;
    d->tm.crush = crunch;
    d->lev.heightchange++;
    for (int bx = s->blockbox[BOXLEFT]; bx <= s->blockbox[BOXRIGHT]; bx++)
        for (int by = s->blockbox[BOXBOTTOM]; by <= s->blockbox[BOXTOP]; by++)
            block_each_thing(d, bx, by, crush_thing);
    return d->tm.nofit;
}
