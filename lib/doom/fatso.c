/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fatso.c - the Mancubus: three pairs of fireballs, of which some are turned aside after their launch.
 */
#include "monster.h"

#define SPREAD (ANG90 / 8)

/* Launch one at the target, and turn it by aside. Its first half step went straight at the target. */
static void launch(struct doom *d, struct mobj *mo, bam aside)
{
    struct mobj nowhere; /* the executable does not ask whether there is a target */
    struct mobj *ball = missile_spawn(d, mo, monster_or_nowhere(mo->target, &nowhere), T_MancubusFireball);

    if (!aside)
        return;
    ball->angle += aside;
    monster_head(d, ball, ball->angle, monster_info(d, ball)->speed);
}

void fatso_attack1(struct doom *d, struct mobj *mo)
{
    monster_face(d, mo);
    mo->angle += SPREAD;
    launch(d, mo, 0);
    launch(d, mo, SPREAD);
}

void fatso_attack2(struct doom *d, struct mobj *mo)
{
    monster_face(d, mo);
    mo->angle -= SPREAD;
    launch(d, mo, 0);
    launch(d, mo, 0u - SPREAD * 2);
}

void fatso_attack3(struct doom *d, struct mobj *mo)
{
    monster_face(d, mo);
    launch(d, mo, 0u - SPREAD / 2);
    launch(d, mo, SPREAD / 2);
}
