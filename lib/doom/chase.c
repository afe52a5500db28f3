/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chase.c - a monster that has a target: walk towards it in one of eight directions, and attack when the dice allow.
 */
#include "monster.h"

#define DIAGONAL 47000 /* about sqrt(1/2), the executable's rounding */

const fixed chase_dx[8] = {FX_ONE, DIAGONAL, 0, -DIAGONAL, -FX_ONE, -DIAGONAL, 0, DIAGONAL};
const fixed chase_dy[8] = {0, DIAGONAL, FX_ONE, DIAGONAL, 0, -DIAGONAL, -FX_ONE, -DIAGONAL};

static int32_t opposite(int32_t dir)
{
    return dir >= 0 && dir < DI_NODIR ? dir ^ 4 : DI_NODIR;
}

/* How a missile attack's odds depend on the distance in map units, by type: too far or too near for any, then the
 * divisor. */
struct aim_habit {
    int32_t too_near, too_far, shift, cap;
};

static struct aim_habit habit_of(int32_t type)
{
    switch (type) {
    case T_ArchVile:
        return (struct aim_habit){INT32_MIN, 14 * 64, 0, 200};
    case T_Revenant: /* near by it uses its fists */
        return (struct aim_habit){196, INT32_MAX, 1, 200};
    case T_Cyberdemon:
        return (struct aim_habit){INT32_MIN, INT32_MAX, 1, 160};
    case T_SpiderMastermind:
    case T_LostSoul:
        return (struct aim_habit){INT32_MIN, INT32_MAX, 1, 200};
    default:
        return (struct aim_habit){INT32_MIN, INT32_MAX, 0, 200};
    }
}

/* Whether a shot is out of the question, seen or not. *dist: what the odds go by. */
static bool holds_fire(struct doom *d, const struct mobj *mo, int32_t *dist)
{
    const struct mobj *t = mo->target;

    if (mo->reactiontime)
        return true;
    fixed far = wrap_sub(trig_distance(wrap_sub(mo->x, t->x), wrap_sub(mo->y, t->y)), FX(64));
    if (!monster_info(d, mo)->frame.melee)
        far = wrap_sub(far, FX(128)); /* all it has are missiles, so it is quicker with them */
    *dist = far >> FX_BITS;

    const struct aim_habit h = habit_of(mo->type);
    if (*dist > h.too_far || *dist < h.too_near)
        return true;
    *dist >>= h.shift;
    if (*dist > h.cap)
        *dist = h.cap;
    return false;
}

/* The executable looks first of all; but the look is what costs. */
static bool wants_to_shoot(struct doom *d, struct mobj *mo)
{
    int32_t dist = 0;

    bool holds = !(mo->flags & MF_JUSTHIT) && holds_fire(d, mo, &dist);
    if ((holds && !sight_leaves_traces(d)) || !sight_check(d, mo, mo->target) || holds)
        return false;
    if (mo->flags & MF_JUSTHIT) { /* it hurts: answer at once */
        mo->flags &= ~(uint32_t)MF_JUSTHIT;
        return true;
    }
    return rng_next(d) >= dist;
}

/* One step in movedir. True if it moved, floated up or down, or opened a door that is in the way. */
static bool step(struct doom *d, struct mobj *mo)
{
    if (mo->movedir < 0 || mo->movedir >= DI_NODIR)
        return false;

    int32_t speed = monster_info(d, mo)->speed;
    fixed x = wrap_add(mo->x, wrap_mul(speed, chase_dx[mo->movedir]));
    fixed y = wrap_add(mo->y, wrap_mul(speed, chase_dy[mo->movedir]));

    if (footing_step(d, mo, mo->movedir, x, y)) {
        mo->flags &= ~(uint32_t)MF_INFLOAT;
        if (!(mo->flags & MF_FLOAT))
            mo->z = mo->floorz; /* walkers snap to the floor: they climb and descend steps at once */
        return true;
    }
    if (mo->flags & MF_FLOAT && d->tm.floatok) {
        mo->z = wrap_add(mo->z, mo->z < d->tm.floorz ? FLOATSPEED : -FLOATSPEED);
        mo->flags |= MF_INFLOAT;
        return true;
    }
    if (!d->tm.nspechit)
        return false;

    /* Try every special line that it bumped into, the last one first. The count may run ahead of the array. */
    const int32_t kept = (int32_t)(sizeof d->tm.spechit / sizeof d->tm.spechit[0]);
    bool opened = false;
    mo->movedir = DI_NODIR;
    for (int32_t i = d->tm.nspechit < kept ? d->tm.nspechit : kept; i-- > 0;)
        if (line_use(d, mo, d->tm.spechit[i], 0))
            opened = true;
    return opened;
}

static bool walk(struct doom *d, struct mobj *mo, int32_t dir)
{
    mo->movedir = dir;
    if (!step(d, mo))
        return false;
    mo->movecount = rng_next(d) & 15;
    return true;
}

/* Choose a direction and take its first step: straight for the target, along one axis, on as before, any, back, none.
 */
static void new_direction(struct doom *d, struct mobj *mo)
{
    static const int32_t diagonals[2][2] = {{DI_NORTHWEST, DI_NORTHEAST}, {DI_SOUTHWEST, DI_SOUTHEAST}};
    const int32_t old = mo->movedir, back = opposite(old);
    const fixed dx = wrap_sub(mo->target->x, mo->x), dy = wrap_sub(mo->target->y, mo->y);
    int32_t first = dx > FX(10) ? DI_EAST : dx < -FX(10) ? DI_WEST : DI_NODIR;
    int32_t second = dy < -FX(10) ? DI_SOUTH : dy > FX(10) ? DI_NORTH : DI_NODIR;

    if (first != DI_NODIR && second != DI_NODIR) {
        int32_t diagonal = diagonals[dy < 0][dx > 0];
        if (diagonal != back && walk(d, mo, diagonal))
            return;
    }

    /* The draw comes first and always. */
    if (rng_next(d) > 200 || wrap_abs(dy) > wrap_abs(dx)) {
        int32_t swap = first;
        first = second;
        second = swap;
    }
    if (first != DI_NODIR && first != back && walk(d, mo, first))
        return;
    if (second != DI_NODIR && second != back && walk(d, mo, second))
        return;
    if (old != DI_NODIR && walk(d, mo, old))
        return;

    const bool clockwise = !(rng_next(d) & 1);
    for (int32_t i = DI_EAST; i <= DI_SOUTHEAST; i++) {
        int32_t dir = clockwise ? DI_SOUTHEAST - i : i;
        if (dir != back && walk(d, mo, dir))
            return;
    }
    if (back != DI_NODIR && walk(d, mo, back))
        return;
    mo->movedir = DI_NODIR;
}

/* Turn by an eighth towards where it walks. */
static void turn_to_movedir(struct mobj *mo)
{
    if (mo->movedir < 0 || mo->movedir >= DI_NODIR)
        return;
    mo->angle &= 7u << 29;
    int32_t off = (int32_t)(mo->angle - ((bam)mo->movedir << 29));
    if (off > 0)
        mo->angle -= ANG45;
    else if (off < 0)
        mo->angle += ANG45;
}

void chase_run(struct doom *d, struct mobj *mo)
{
    const struct thing_info *info = monster_info(d, mo);
    const bool fast = d->skill == SK_NIGHTMARE || d->fastparm;

    if (mo->reactiontime)
        mo->reactiontime--;
    if (mo->threshold) {
        /* 1.2 stays with a victim that is dead until the steps are over (chocolate-doom, A_Chase) */
        if (d->version > VERSION_DOOM_1_2 && (!mo->target || mo->target->health <= 0))
            mo->threshold = 0;
        else
            mo->threshold--;
    }
    turn_to_movedir(mo);

    if (!mo->target || !(mo->target->flags & MF_SHOOTABLE)) {
        if (!monster_find_player(d, mo, true))
            mobj_set_state(d, mo, info->frame.spawn);
        return;
    }

    if (mo->flags & MF_JUSTATTACKED) { /* never twice in a row */
        mo->flags &= ~(uint32_t)MF_JUSTATTACKED;
        if (!fast)
            new_direction(d, mo);
        return;
    }
    if (info->frame.melee && monster_reaches(d, mo)) {
        mobj_set_state(d, mo, info->frame.melee);
        return;
    }
    if (info->frame.missile && (fast || !mo->movecount) && wants_to_shoot(d, mo)) {
        mobj_set_state(d, mo, info->frame.missile);
        mo->flags |= MF_JUSTATTACKED;
        return;
    }

    if (d->netgame && !mo->threshold && !sight_check(d, mo, mo->target) && monster_find_player(d, mo, true))
        return;
    if (--mo->movecount < 0 || !step(d, mo))
        new_direction(d, mo);
    if (info->sound.active)
        rng_next(d); /* whether to make a noise */
}
