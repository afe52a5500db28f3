/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * monster.h - the actions of mobj states, by file, and the few decisions that they share.
 *
 * action.c alone calls the actions by number; what one monster does that others do too (face, chase, reach) is in
 * monster.c and chase.c. An action is entered with its mobj already in the state, and may change or remove it.
 */
#ifndef DOOM_MONSTER_H
#define DOOM_MONSTER_H

#include "play.h"

/* ---- monster.c: senses ------------------------------------------------------------------------------------------- */

/* Take the next player in sight as target; false: none is. all_around: behind the back too. */
bool monster_find_player(struct doom *d, struct mobj *mo, bool all_around);
bool monster_reaches(struct doom *d, struct mobj *mo); /* the target is within a blow */
void monster_face(struct doom *d, struct mobj *mo);    /* towards the target; off by chance if that is a shadow */
/* Whether mo is the last of its type: no other is alive. */
bool monster_is_last(struct doom *d, const struct mobj *mo);
static inline const struct thing_info *monster_info(const struct doom *d, const struct mobj *mo)
{
    return &d->things[mo->type];
}
/* What to give in place of a missing target: the executable read zeroed low memory there. Not linked anywhere. */
static inline struct mobj *monster_or_nowhere(struct mobj *mo, struct mobj *nowhere)
{
    if (mo)
        return mo;
    *nowhere = (struct mobj){0};
    return nowhere;
}
/* Point mo's horizontal momentum along angle. */
void monster_head(const struct doom *d, struct mobj *mo, bam angle, fixed speed);
/* Shorten the state just entered by 0 to mask tics, but not to nothing. One draw. */
void monster_stagger(struct doom *d, struct mobj *mo, int mask);
void monster_look(struct doom *d, struct mobj *mo);
void monster_fall(struct doom *d, struct mobj *mo);
void monster_scream(struct doom *d, struct mobj *mo);
void monster_explode(struct doom *d, struct mobj *mo);

/* ---- chase.c: walking -------------------------------------------------------------------------------------------- */

extern const fixed chase_dx[8], chase_dy[8]; /* a step of one unit in each of the eight directions */
void chase_run(struct doom *d, struct mobj *mo);

/* ---- attack.c ---------------------------------------------------------------------------------------------------- */

void attack_zombieman(struct doom *d, struct mobj *mo);
void attack_shotgun_guy(struct doom *d, struct mobj *mo);
void attack_chaingun_guy(struct doom *d, struct mobj *mo);
void attack_chaingun_guy_again(struct doom *d, struct mobj *mo);
void attack_spider_again(struct doom *d, struct mobj *mo);
void attack_arachnotron(struct doom *d, struct mobj *mo);
void attack_imp(struct doom *d, struct mobj *mo);
void attack_demon(struct doom *d, struct mobj *mo);
void attack_cacodemon(struct doom *d, struct mobj *mo);
void attack_baron(struct doom *d, struct mobj *mo);
void attack_cyberdemon(struct doom *d, struct mobj *mo);
void attack_revenant_fist(struct doom *d, struct mobj *mo);

/* ---- vile.c skel.c fatso.c pain.c -------------------------------------------------------------------------------- */

void vile_chase(struct doom *d, struct mobj *mo);
void vile_target(struct doom *d, struct mobj *mo);
void vile_attack(struct doom *d, struct mobj *mo);
void vile_fire(struct doom *d, struct mobj *mo);
void skel_missile(struct doom *d, struct mobj *mo);
void skel_tracer(struct doom *d, struct mobj *mo);
void fatso_attack1(struct doom *d, struct mobj *mo);
void fatso_attack2(struct doom *d, struct mobj *mo);
void fatso_attack3(struct doom *d, struct mobj *mo);
void pain_skull_charge(struct doom *d, struct mobj *mo);
void pain_attack(struct doom *d, struct mobj *mo);
void pain_die(struct doom *d, struct mobj *mo);

/* ---- brain.c boss.c ---------------------------------------------------------------------------------------------- */

void brain_awake(struct doom *d, struct mobj *mo);
void brain_scream(struct doom *d, struct mobj *mo);
void brain_explode(struct doom *d, struct mobj *mo);
void brain_die(struct doom *d, struct mobj *mo);
void brain_spit(struct doom *d, struct mobj *mo);
void brain_cube_fly(struct doom *d, struct mobj *mo);
void boss_death(struct doom *d, struct mobj *mo);
void boss_keen_die(struct doom *d, struct mobj *mo);

/* ---- weapon.c: the one weapon action that a mobj has ------------------------------------------------------------- */

void weapon_bfg_spray(struct doom *d, struct mobj *ball);

#endif
