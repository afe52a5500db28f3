/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * damage.c - what hurts: the push, a player's armour, pain, the wish for revenge; and death, with its counts and what
 * it drops.
 */
#include "monster.h"

#define REVENGE 100        /* for so many steps a monster stays with the one who hurt it */
#define PIERCES 1000       /* from here on neither god mode nor invulnerability helps: a telefrag */
#define SECTOR_LASTEXIT 11 /* the floor that ends a level at low health does not kill */

/* A mass of 0, which only a DEHACKED patch makes, is where the executable divides by it and stops. */
static fixed push_of(struct doom *d, int damage, int32_t mass)
{
    if (!mass)
        dh_fail(d->err, DH_TROUBLE, "a thing without mass was hit, where the executable stops");
    return mass ? (fixed)((int64_t)wrap_mul(wrap_mul(damage, FX_ONE >> 3), 100) / mass) : 0;
}

static void push(struct doom *d, struct mobj *target, const struct mobj *inflictor, int damage)
{
    bam angle = trig_angle(d, inflictor->x, inflictor->y, target->x, target->y);
    fixed thrust = push_of(d, damage, d->things[target->type].mass);

    /* Killed from far below, half of them fall towards the shooter. Only one about to die asks the dice. */
    if (damage < 40 && damage > target->health && wrap_sub(target->z, inflictor->z) > FX(64) && rng_next(d) & 1) {
        angle += ANG180;
        thrust = wrap_mul(thrust, 4);
    }
    thinker_stir(d, &target->th);
    target->momx = wrap_add(target->momx, fx_mul(thrust, trig_cos(d, angle)));
    target->momy = wrap_add(target->momy, fx_mul(thrust, trig_sin(d, angle)));
}

/* The body that falls may leave something behind: enum thing_type, -1 for nothing. */
static int dropped_by(int32_t type)
{
    switch (type) {
    case T_Zombieman:
    case T_WolfensteinSS:
        return T_Clip;
    case T_ShotgunGuy:
        return T_Shotgun;
    case T_ChaingunGuy:
        return T_Chaingun;
    default:
        return -1;
    }
}

static void count_kill(struct doom *d, const struct mobj *target, struct mobj *source)
{
    if (source && source->player) {
        if (target->flags & MF_COUNTKILL)
            source->player->kills++;
        if (target->player)
            source->player->frags[target->player->slot]++;
    } else if (!d->netgame && target->flags & MF_COUNTKILL) {
        /* Alone, a player is credited with what monsters do to each other. */
        d->players[0].kills++;
    }
    if (target->player && !source && d->version >= VERSION_DOOM_1_2) /* recreated, P_KillMobj */
        target->player->frags[target->player->slot]++;               /* the world's kills are one's own frags */
}

/* Also by way of a voodoo doll: the player is dead then, while his own mobj lives on (and may die once more). */
static void player_dies(struct doom *d, struct mobj *target, struct mobj *source)
{
    struct player *p = target->player;
    const bool lived = p->state != PST_DEAD;

    target->flags &= ~(uint32_t)MF_SOLID;
    p->state = PST_DEAD;
    weapon_drop(d, p);
    if (lived)
        event_death(d, p, source);
}

static void kill(struct doom *d, struct mobj *source, struct mobj *target)
{
    const struct thing_info *info = &d->things[target->type];

    target->flags &= ~(uint32_t)(MF_SHOOTABLE | MF_FLOAT | MF_SKULLFLY);
    if (target->type != T_LostSoul)
        target->flags &= ~(uint32_t)MF_NOGRAVITY;
    target->flags |= MF_CORPSE | MF_DROPOFF;
    target->height >>= 2;

    count_kill(d, target, source);
    if (target->player)
        player_dies(d, target, source);

    const bool gibs = target->health < -info->health && info->frame.gib != S_NONE;
    mobj_set_state(d, target, gibs ? info->frame.gib : info->frame.death);
    monster_stagger(d, target, 3);

    int item = dropped_by(target->type);
    if (item >= 0 && d->version != VERSION_CHEX) /* nothing is dropped in Chex Quest */
        mobj_spawn(d, target->x, target->y, ONFLOORZ, item)->flags |= MF_DROPPED;
}

/* What is left of damage after a player's armour and rules; -1: it does not concern him at all. */
static int player_hurt(const struct doom *d, struct player *p, const struct mobj *target, struct mobj *source,
                       int damage)
{
    const bool first = d->version == VERSION_DOOM_1_0; /* nothing pierces, no limit of red (recreated, P_DamageMobj) */

    if (target->subsector->sector->special == SECTOR_LASTEXIT && damage >= target->health)
        damage = target->health - 1;
    if ((first || damage < PIERCES) && (p->cheats & CF_GODMODE || p->powers[PW_INVULNERABILITY]))
        return -1;

    if (p->armortype) {
        int saved = p->armortype == 1 ? damage / 3 : damage / 2;
        if (p->armor <= saved) {
            saved = p->armor;
            p->armortype = 0;
        }
        p->armor -= saved;
        damage -= saved;
    }
    p->health -= damage;
    if (p->health < 0)
        p->health = 0;
    p->attacker = source;
    p->damagecount += damage;
    if (p->damagecount > 100 && !first)
        p->damagecount = 100;
    return damage;
}

/* Whoever is hurt turns on the one who did it, unless it is still busy with another. Nobody turns on an Arch-Vile, and
 * an Arch-Vile always turns. */
static void take_revenge(struct doom *d, struct mobj *target, struct mobj *source)
{
    const struct thing_info *info = &d->things[target->type];

    if (!source || source->type == T_ArchVile)
        return;
    /* before 1.5 also on itself (chocolate-doom, P_DamageMobj): one that is caught in its own blast */
    if (source == target && d->version >= VERSION_DOOM_1_5)
        return;
    if (target->threshold && target->type != T_ArchVile)
        return;
    target->target = source;
    target->threshold = REVENGE;
    if (target->state == info->frame.spawn && info->frame.see != S_NONE)
        mobj_set_state(d, target, info->frame.see);
}

void damage_mobj(struct doom *d, struct mobj *target, struct mobj *inflictor, struct mobj *source, int damage)
{
    if (!(target->flags & MF_SHOOTABLE) || target->health <= 0)
        return;
    if (target->flags & MF_SKULLFLY)
        target->momx = target->momy = target->momz = 0;

    struct player *p = target->player;
    if (p && d->skill == SK_BABY)
        damage >>= 1;

    /* A chainsaw keeps its victim near. Asked of the player's weapon, so that his late rockets do not push either. */
    const bool sawn = source && source->player && source->player->ready == WP_CHAINSAW;
    if (inflictor && !(target->flags & MF_NOCLIP) && !sawn)
        push(d, target, inflictor, damage);

    if (p) {
        damage = player_hurt(d, p, target, source, damage);
        if (damage < 0)
            return;
    }

    target->health -= damage;
    if (target->health <= 0) {
        kill(d, source, target);
        return;
    }
    if (rng_next(d) < d->things[target->type].painchance && !(target->flags & MF_SKULLFLY)) {
        target->flags |= MF_JUSTHIT;
        mobj_set_state(d, target, d->things[target->type].frame.pain);
    }
    target->reactiontime = 0;
    take_revenge(d, target, source);
}
