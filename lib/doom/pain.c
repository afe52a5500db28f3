/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pain.c - Lost Souls, and the Pain Elemental that spits them.
 */
#include "monster.h"

#define CHARGE_SPEED FX(20)
#define MANY_SKULLS 20 /* with more than that on the level no other is spat */

void pain_skull_charge(struct doom *d, struct mobj *mo)
{
    struct mobj *t = mo->target;

    if (!t)
        return;
    mo->flags |= MF_SKULLFLY;
    monster_face(d, mo);
    monster_head(d, mo, mo->angle, CHARGE_SPEED);

    int32_t tics = trig_distance(wrap_sub(t->x, mo->x), wrap_sub(t->y, mo->y)) / CHARGE_SPEED;
    if (tics < 1)
        tics = 1;
    mo->momz = wrap_sub(wrap_add(t->z, t->height >> 1), mo->z) / tics;
}

static void spit(struct doom *d, struct mobj *mo, bam angle)
{
    int skulls = 0;

    /* Dead ones count as long as their death is shown. */
    for (struct mobj *m = thinker_next_mobj(d, NULL); m; m = thinker_next_mobj(d, m))
        if (m->type == T_LostSoul)
            skulls++;
    if (skulls > MANY_SKULLS)
        return;

    fixed ahead = FX(4) + 3 * (monster_info(d, mo)->radius + d->things[T_LostSoul].radius) / 2;
    struct mobj *skull =
        mobj_spawn(d, wrap_add(mo->x, fx_mul(ahead, trig_cos(d, angle))),
                   wrap_add(mo->y, fx_mul(ahead, trig_sin(d, angle))), wrap_add(mo->z, FX(8)), T_LostSoul);
    if (!move_try(d, skull, skull->x, skull->y)) {
        damage_mobj(d, skull, mo, mo, 10000);
        return;
    }
    skull->target = mo->target;
    pain_skull_charge(d, skull);
}

void pain_attack(struct doom *d, struct mobj *mo)
{
    if (!mo->target)
        return;
    monster_face(d, mo);
    spit(d, mo, mo->angle);
}

void pain_die(struct doom *d, struct mobj *mo)
{
    monster_fall(d, mo);
    spit(d, mo, mo->angle + ANG90);
    spit(d, mo, mo->angle + ANG180);
    spit(d, mo, mo->angle + ANG270);
}
