/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skel.c - the Revenant's missile, which follows its target half of the time.
 */
#include "monster.h"

#define TURN 0xc000000u /* by which a tracer can turn each time, about 17 degrees */

void skel_missile(struct doom *d, struct mobj *mo)
{
    if (!mo->target)
        return;
    monster_face(d, mo);
    mo->z = wrap_add(mo->z, FX(16)); /* for the missile to start higher */
    struct mobj *missile = missile_spawn(d, mo, mo->target, T_RevenantMissile);
    mo->z = wrap_sub(mo->z, FX(16));

    block_strays(d, missile);
    missile->x = wrap_add(missile->x, missile->momx); /* not linked anew: its first move does that */
    missile->y = wrap_add(missile->y, missile->momy);
    missile->tracer = mo->target;
}

static void turn_towards(struct mobj *mo, bam wanted)
{
    if (wanted == mo->angle)
        return;
    if (wanted - mo->angle > ANG180) {
        mo->angle -= TURN;
        if (wanted - mo->angle < ANG180)
            mo->angle = wanted;
    } else {
        mo->angle += TURN;
        if (wanted - mo->angle > ANG180)
            mo->angle = wanted;
    }
}

/*
 * The action comes every second tic, and acts on one in four by the game's clock, not by the missile's: one launched on
 * an odd tic never homes. The clock is gametic, the tics run before this one. A demo given on the reference's command
 * line
 * (-timedemo, -playdemo) is opened within the very first tic, and that tic runs the demo's first commands: gametic is 0
 * there, and goes on through pauses, intermissions and finales. (A title screen's demo starts at any gametic; that is
 * why those desync.)
 */
void skel_tracer(struct doom *d, struct mobj *mo)
{
    if (d->gametic & 3)
        return;

    /* The puff takes itself for a punch's where the last attack or aim of anybody was one. */
    missile_puff(d, mo->x, mo->y, mo->z, d->shot.range);
    struct mobj *smoke = mobj_spawn(d, wrap_sub(mo->x, mo->momx), wrap_sub(mo->y, mo->momy), mo->z, T_RevenantSmoke);
    smoke->momz = FX_ONE;
    monster_stagger(d, smoke, 3);

    struct mobj *t = mo->tracer;
    if (!t || t->health <= 0)
        return;

    const int32_t speed = monster_info(d, mo)->speed;
    turn_towards(mo, trig_angle(d, mo->x, mo->y, t->x, t->y));
    monster_head(d, mo, mo->angle, speed);

    const int32_t tics = missile_tics(d, trig_distance(wrap_sub(t->x, mo->x), wrap_sub(t->y, mo->y)), speed);
    fixed slope = wrap_sub(wrap_add(t->z, FX(40)), mo->z) / tics;
    mo->momz = wrap_add(mo->momz, slope < mo->momz ? -FX_ONE / 8 : FX_ONE / 8);
}
