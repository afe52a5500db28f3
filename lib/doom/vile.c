/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vile.c - the Arch-Vile: raises the dead on its way, and burns what it sees.
 */
#include "monster.h"

#define FIRE_GAP FX(24) /* from the target to its fire */

/* block_things' visitor: ends the search at a corpse that the Arch-Vile can reach and that has room to stand. */
static bool no_corpse_here(struct doom *d, struct mobj *mo)
{
    if (!(mo->flags & MF_CORPSE) || mo->tics != -1 || monster_info(d, mo)->frame.raise == S_NONE)
        return true;

    fixed reach = monster_info(d, mo)->radius + d->things[T_ArchVile].radius;
    if (wrap_abs(wrap_sub(mo->x, d->vile.x)) > reach || wrap_abs(wrap_sub(mo->y, d->vile.y)) > reach)
        return true;

    /* It stops sliding even if it cannot be raised. The radius is left as it is: a corpse that was crushed to gibs
     * (radius and height 0) passes the check anywhere and comes back as a ghost. */
    d->vile.corpse = mo;
    mo->momx = mo->momy = 0;
    mo->height = wrap_shl(mo->height, 2);
    bool fits = move_check(d, mo, mo->x, mo->y);
    mo->height >>= 2;
    return !fits;
}

static void raise_corpse(struct doom *d, struct mobj *mo, struct mobj *corpse)
{
    const struct thing_info *info = monster_info(d, corpse);
    struct mobj *target = mo->target;

    mo->target = corpse;
    monster_face(d, mo);
    mo->target = target;

    mobj_set_state(d, mo, S_VILE_HEAL1);
    mobj_set_state(d, corpse, info->frame.raise);
    corpse->height = wrap_shl(corpse->height, 2);
    corpse->flags = info->flags;
    crowd_rise(d, corpse);
    corpse->health = info->health;
    corpse->target = NULL;
}

void vile_chase(struct doom *d, struct mobj *mo)
{
    if (mo->movedir >= 0 && mo->movedir < DI_NODIR) {
        int32_t speed = monster_info(d, mo)->speed;
        d->vile.x = wrap_add(mo->x, wrap_mul(speed, chase_dx[mo->movedir]));
        d->vile.y = wrap_add(mo->y, wrap_mul(speed, chase_dy[mo->movedir]));

        fixed x = wrap_sub(d->vile.x, d->lev.bmorgx), y = wrap_sub(d->vile.y, d->lev.bmorgy);
        int x1 = wrap_sub(x, MAXRADIUS * 2) >> MAPBLOCKSHIFT, x2 = wrap_add(x, MAXRADIUS * 2) >> MAPBLOCKSHIFT;
        int y1 = wrap_sub(y, MAXRADIUS * 2) >> MAPBLOCKSHIFT, y2 = wrap_add(y, MAXRADIUS * 2) >> MAPBLOCKSHIFT;
        for (int bx = x1; bx <= x2; bx++)
            for (int by = y1; by <= y2; by++)
                if (!block_things(d, bx, by, no_corpse_here)) {
                    raise_corpse(d, mo, d->vile.corpse);
                    return;
                }
    }
    chase_run(d, mo);
}

/* The fire stands before its victim's eyes as long as the Arch-Vile sees the victim. */
void vile_fire(struct doom *d, struct mobj *fire)
{
    struct mobj *victim = fire->tracer;

    if (!victim || !fire->target || !sight_check(d, fire->target, victim))
        return;
    thinker_stir(d, &fire->th);
    block_unlink(d, fire);
    fire->x = wrap_add(victim->x, fx_mul(FIRE_GAP, trig_cos(d, victim->angle)));
    fire->y = wrap_add(victim->y, fx_mul(FIRE_GAP, trig_sin(d, victim->angle)));
    fire->z = victim->z;
    block_link(d, fire);
}

void vile_target(struct doom *d, struct mobj *mo)
{
    if (!mo->target)
        return;
    monster_face(d, mo);

    /* x for y is the executable's slip: the fire's floor and ceiling stay those of that spot. */
    struct mobj *fire = mobj_spawn(d, mo->target->x, mo->target->x, mo->target->z, T_ArchVileFire);
    mo->tracer = fire;
    fire->target = mo;
    fire->tracer = mo->target;
    vile_fire(d, fire);
}

void vile_attack(struct doom *d, struct mobj *mo)
{
    struct mobj *t = mo->target, *fire;

    if (!t)
        return;
    monster_face(d, mo);
    if (!sight_check(d, mo, t))
        return;

    damage_mobj(d, t, mo, mo, 20);
    const int32_t mass = monster_info(d, t)->mass;
    if (!mass)
        dh_fail(d->err, DH_TROUBLE, "a thing without mass was thrown up, where the executable stops");
    thinker_stir(d, &t->th);
    t->momz = mass ? FX(1000) / mass : 0;

    fire = mo->tracer;
    if (!fire)
        return;
    /* Between the two, without being linked there: the blast looks at the coordinates only. */
    block_strays(d, fire);
    fire->x = wrap_sub(t->x, fx_mul(FIRE_GAP, trig_cos(d, mo->angle)));
    fire->y = wrap_sub(t->y, fx_mul(FIRE_GAP, trig_sin(d, mo->angle)));
    trace_radius_attack(d, fire, mo, 70);
}
