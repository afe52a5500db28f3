/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * missile.c - what is launched, and what a hit leaves in the air. The order of draws is spawn, aim, time.
 */
#include "monster.h"

#define PLAYER_AIM FX(16 * 64) /* how far a player's weapons look for something to aim at */
#define ASIDE (1u << 26)       /* about 5.6 degrees */

void missile_puff(struct doom *d, fixed x, fixed y, fixed z, fixed attackrange)
{
    z = wrap_add(z, rng_diff(d) * 1024);
    struct mobj *puff = mobj_spawn(d, x, y, z, T_BulletPuff);
    puff->momz = FX_ONE;
    monster_stagger(d, puff, 3);
    if (attackrange ==
        MELEERANGE) /* a fist makes no sparks; a chainsaw reaches one unit of 1/65536 further, for this test */
        mobj_set_state(d, puff, S_PUFF3);
}

void missile_blood(struct doom *d, fixed x, fixed y, fixed z, int damage)
{
    z = wrap_add(z, rng_diff(d) * 1024);
    struct mobj *blood = mobj_spawn(d, x, y, z, T_Blood);
    blood->momz = FX(2);
    monster_stagger(d, blood, 3);
    if (damage < 9)
        mobj_set_state(d, blood, S_BLOOD3);
    else if (damage <= 12)
        mobj_set_state(d, blood, S_BLOOD2);
}

/* Half a step at once, so that one launched into a wall has a direction from which it exploded. */
void missile_check_spawn(struct doom *d, struct mobj *mo)
{
    monster_stagger(d, mo, 3);
    block_strays(d, mo);
    mo->x = wrap_add(mo->x, mo->momx >> 1);
    mo->y = wrap_add(mo->y, mo->momy >> 1);
    mo->z = wrap_add(mo->z, mo->momz >> 1);
    if (!move_try(d, mo, mo->x, mo->y))
        mobj_explode_missile(d, mo);
}

/* How many tics a way takes, at least one. Without speed, which only a DEHACKED patch takes away, the executable
 * divides by it and stops. */
int32_t missile_tics(struct doom *d, fixed way, int32_t speed)
{
    if (!speed)
        dh_fail(d->err, DH_TROUBLE, "a missile without speed was launched, where the executable stops");
    const int64_t tics = speed ? (int64_t)way / speed : 0;
    return tics < 1 ? 1 : (int32_t)tics;
}

static struct mobj *start(struct doom *d, struct mobj *source, int type)
{
    struct mobj *mo = mobj_spawn(d, source->x, source->y, wrap_add(source->z, FX(32)), type);
    mo->target = source; /* who is to blame */
    return mo;
}

struct mobj *missile_spawn(struct doom *d, struct mobj *source, struct mobj *dest, int type)
{
    struct mobj *mo = start(d, source, type);
    const int32_t speed = monster_info(d, mo)->speed;
    bam angle = trig_angle(d, source->x, source->y, dest->x, dest->y);

    if (dest->flags & MF_SHADOW)
        angle += (bam)rng_diff(d) << 20;
    mo->angle = angle;
    monster_head(d, mo, angle, speed);

    const int32_t tics =
        missile_tics(d, trig_distance(wrap_sub(dest->x, source->x), wrap_sub(dest->y, source->y)), speed);
    mo->momz = wrap_sub(dest->z, source->z) / tics;
    missile_check_spawn(d, mo);
    return mo;
}

fixed missile_aim(struct doom *d, struct mobj *mo, bam *angle)
{
    const bam tries[3] = {mo->angle, mo->angle + ASIDE, mo->angle - ASIDE};

    for (int i = 0; i < 3; i++) {
        fixed slope = trace_aim(d, mo, tries[i], PLAYER_AIM);
        if (d->linetarget) {
            *angle = tries[i];
            return slope;
        }
    }
    *angle = mo->angle;
    return 0;
}

void missile_spawn_player(struct doom *d, struct mobj *source, int type)
{
    bam angle;
    const fixed slope = missile_aim(d, source, &angle);
    struct mobj *mo = start(d, source, type);
    const int32_t speed = monster_info(d, mo)->speed;

    mo->angle = angle;
    monster_head(d, mo, angle, speed);
    mo->momz = fx_mul(speed, slope);
    missile_check_spawn(d, mo);
}
