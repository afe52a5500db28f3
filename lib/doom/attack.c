/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attack.c - the attacks that differ in numbers only: blows that turn into missiles out of reach, and bullets.
 */
#include "monster.h"

/* A blow of (1 to sides) * scale where the target is within reach, else a missile. */
struct strike {
    bool faces;           /* turns to the target first (a draw if that is a shadow) */
    uint8_t sides, scale; /* 0: no blow */
    int16_t missile;      /* enum thing_type, -1: none */
};

static void strike(struct doom *d, struct mobj *mo, const struct strike *s)
{
    if (!mo->target)
        return;
    if (s->faces)
        monster_face(d, mo);
    if (s->sides && monster_reaches(d, mo)) {
        int damage = (rng_next(d) % s->sides + 1) * s->scale;
        damage_mobj(d, mo->target, mo, mo, damage);
        return;
    }
    if (s->missile >= 0)
        missile_spawn(d, mo, mo->target, s->missile);
}

void attack_imp(struct doom *d, struct mobj *mo)
{
    static const struct strike s = {true, 8, 3, T_ImpFireball};
    strike(d, mo, &s);
}

/* In 1.2 a demon's bite was a shot of a blow's reach, at the height that it looks at, which can hit another, miss, and
 * leaves blood and puffs; what it does not reach it bites all the same (chocolate-doom, A_SargAttack). */
void attack_demon(struct doom *d, struct mobj *mo)
{
    static const struct strike s = {true, 10, 4, -1};

    if (d->version > VERSION_DOOM_1_2) {
        strike(d, mo, &s);
        return;
    }
    if (!mo->target)
        return;
    monster_face(d, mo);
    int damage = (rng_next(d) % s.sides + 1) * s.scale;
    trace_attack(d, mo, mo->angle, MELEERANGE, 0, damage);
}

void attack_cacodemon(struct doom *d, struct mobj *mo)
{
    static const struct strike s = {true, 6, 10, T_CacodemonFireball};
    strike(d, mo, &s);
}

/* Barons do not turn: their states do so on their own. */
void attack_baron(struct doom *d, struct mobj *mo)
{
    static const struct strike s = {false, 8, 10, T_BaronFireball};
    strike(d, mo, &s);
}

void attack_cyberdemon(struct doom *d, struct mobj *mo)
{
    static const struct strike s = {true, 0, 0, T_Rocket};
    strike(d, mo, &s);
}

void attack_arachnotron(struct doom *d, struct mobj *mo)
{
    static const struct strike s = {true, 0, 0, T_ArachnotronPlasma};
    strike(d, mo, &s);
}

void attack_revenant_fist(struct doom *d, struct mobj *mo)
{
    static const struct strike s = {true, 10, 6, -1};
    strike(d, mo, &s);
}

/* All bullets of a burst go by one aim; each draws its spread before its damage. */
static void shoot(struct doom *d, struct mobj *mo, int bullets)
{
    if (!mo->target)
        return;
    monster_face(d, mo);
    const bam aim = mo->angle;
    const fixed slope = trace_aim(d, mo, aim, MISSILERANGE);
    while (bullets--) {
        bam angle = aim + ((bam)rng_diff(d) << 20);
        int damage = (rng_next(d) % 5 + 1) * 3;
        trace_attack(d, mo, angle, MISSILERANGE, slope, damage);
    }
}

void attack_zombieman(struct doom *d, struct mobj *mo)
{
    shoot(d, mo, 1);
}

void attack_shotgun_guy(struct doom *d, struct mobj *mo)
{
    shoot(d, mo, 3);
}

void attack_chaingun_guy(struct doom *d, struct mobj *mo)
{
    shoot(d, mo, 1);
}

/* Go on firing by chance, or as long as the target lives and is seen. */
static void refire(struct doom *d, struct mobj *mo, int stubborn)
{
    monster_face(d, mo);
    if (rng_next(d) < stubborn)
        return;
    if (!mo->target || mo->target->health <= 0 || !sight_check(d, mo, mo->target))
        mobj_set_state(d, mo, monster_info(d, mo)->frame.see);
}

void attack_chaingun_guy_again(struct doom *d, struct mobj *mo)
{
    refire(d, mo, 40);
}

void attack_spider_again(struct doom *d, struct mobj *mo)
{
    refire(d, mo, 10);
}
