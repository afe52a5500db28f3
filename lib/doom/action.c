/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * action.c - which function a mobj state's action is.
 *
 * An action that only makes a noise is missing, since nothing is heard here. So are the actions of weapons: a DEHACKED
 * patch can put them into a mobj's state, where the executable took the mobj for a player and wrote somewhere into it.
 * There is nothing sound to follow, so they do nothing; weapon.c does the same with a mobj's action in a weapon's
 * state.
 */
#include "monster.h"

static void no_frame(struct doom *d, struct mobj *mo)
{
    dh_fail(d->err, DH_TROUBLE, "a %s came to a frame that there is not: a DEHACKED patch names one beyond %d",
            thing_labels[mo->type], NFRAMES - 1);
}

static void (*const actions[NACTIONS])(struct doom *, struct mobj *) = {
    [ACT_NoFrame] = no_frame,
    [ACT_BFGSpray] = weapon_bfg_spray,
    [ACT_Explode] = monster_explode,
    [ACT_Fall] = monster_fall,
    [ACT_Look] = monster_look,
    [ACT_Chase] = chase_run,
    [ACT_FaceTarget] = monster_face,
    [ACT_PosAttack] = attack_zombieman,
    [ACT_Scream] = monster_scream,
    [ACT_SPosAttack] = attack_shotgun_guy,
    [ACT_VileChase] = vile_chase,
    [ACT_VileTarget] = vile_target,
    [ACT_VileAttack] = vile_attack,
    [ACT_StartFire] = vile_fire,
    [ACT_Fire] = vile_fire,
    [ACT_FireCrackle] = vile_fire,
    [ACT_Tracer] = skel_tracer,
    [ACT_SkelWhoosh] = monster_face, /* and the sound of the swing */
    [ACT_SkelFist] = attack_revenant_fist,
    [ACT_SkelMissile] = skel_missile,
    [ACT_FatRaise] = monster_face, /* and a roar */
    [ACT_FatAttack1] = fatso_attack1,
    [ACT_FatAttack2] = fatso_attack2,
    [ACT_FatAttack3] = fatso_attack3,
    [ACT_BossDeath] = boss_death,
    [ACT_CPosAttack] = attack_chaingun_guy,
    [ACT_CPosRefire] = attack_chaingun_guy_again,
    [ACT_TroopAttack] = attack_imp,
    [ACT_SargAttack] = attack_demon,
    [ACT_HeadAttack] = attack_cacodemon,
    [ACT_BruisAttack] = attack_baron,
    [ACT_SkullAttack] = pain_skull_charge,
    [ACT_Metal] = chase_run, /* a chase with a footstep */
    [ACT_SpidRefire] = attack_spider_again,
    [ACT_BabyMetal] = chase_run,
    [ACT_BspiAttack] = attack_arachnotron,
    [ACT_Hoof] = chase_run,
    [ACT_CyberAttack] = attack_cyberdemon,
    [ACT_PainAttack] = pain_attack,
    [ACT_PainDie] = pain_die,
    [ACT_KeenDie] = boss_keen_die,
    [ACT_BrainScream] = brain_scream,
    [ACT_BrainDie] = brain_die,
    [ACT_BrainAwake] = brain_awake,
    [ACT_BrainSpit] = brain_spit,
    [ACT_SpawnSound] = brain_cube_fly,
    [ACT_SpawnFly] = brain_cube_fly,
    [ACT_BrainExplode] = brain_explode,
    /* Noises: Pain, PlayerScream, XScream, VileStart, BrainPain. */
};

void action_mobj(struct doom *d, struct mobj *mo, int action)
{
    if (action > ACT_None && action < NACTIONS && actions[action])
        actions[action](d, mo);
}
