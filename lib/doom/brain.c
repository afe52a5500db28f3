/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * brain.c - the last boss: a shooter that spits cubes at spots in turn, cubes that become monsters, a brain that ends
 * the game.
 */
#include "monster.h"

void brain_awake(struct doom *d, struct mobj *mo)
{
    (void)mo;
    d->nbraintargets = 0;
    d->braintargeton = 0;
    for (struct mobj *m = thinker_next_mobj(d, NULL); m; m = thinker_next_mobj(d, m))
        if (m->type == T_BossTarget && d->nbraintargets < MAXBRAINTARGETS)
            d->braintargets[d->nbraintargets++] = m;
}

/* An explosion out of the brain's wall. */
static void burst(struct doom *d, fixed x, fixed y)
{
    fixed z = 128 + rng_next(d) * 2 * FX_ONE;
    struct mobj *m = mobj_spawn(d, x, y, z, T_Rocket);

    m->momz = rng_next(d) * 512;
    mobj_set_state(d, m, S_BRAINEXPLODE1);
    monster_stagger(d, m, 7);
}

void brain_scream(struct doom *d, struct mobj *mo)
{
    for (int32_t off = -196; off < 320; off += 8)
        burst(d, wrap_add(mo->x, FX(off)), wrap_sub(mo->y, FX(320)));
}

void brain_explode(struct doom *d, struct mobj *mo)
{
    fixed x = wrap_add(mo->x, rng_diff(d) * 2048);
    burst(d, x, mo->y);
}

void brain_die(struct doom *d, struct mobj *mo)
{
    (void)mo;
    game_exit_level(d);
}

/* Tics to fly by the way along y alone, counted in changes of the cube's state. */
static int32_t cube_flight(const struct doom *d, const struct mobj *cube, const struct mobj *from,
                           const struct mobj *spot)
{
    int32_t tics = d->frames[cube->state].tics;

    if (!cube->momy || !tics) /* a spot due east or west: the executable divided by zero */
        return 0;
    return (int32_t)((int64_t)wrap_sub(spot->y, from->y) / cube->momy) / tics;
}

void brain_spit(struct doom *d, struct mobj *mo)
{
    d->braineasy ^= 1; /* of the program's life: no level resets it */
    if (d->skill <= SK_EASY && !d->braineasy)
        return;
    if (!d->nbraintargets) {
        dh_fail(d->err, DH_TROUBLE, "a boss shooter spits and the map has no spot for it (thing 87)");
        return;
    }

    struct mobj *spot = d->braintargets[d->braintargeton];
    d->braintargeton = (d->braintargeton + 1) % d->nbraintargets;
    struct mobj *cube = missile_spawn(d, mo, spot, T_SpawnCube);
    cube->target = spot;
    cube->reactiontime = cube_flight(d, cube, mo, spot);
}

/* What a cube turns into: the first row that is above the draw. */
static const struct {
    int below, type;
} hatchlings[] = {
    {50, T_Imp},        {90, T_Demon},       {120, T_Spectre},     {130, T_PainElemental},
    {160, T_Cacodemon}, {162, T_ArchVile},   {172, T_Revenant},    {192, T_Arachnotron},
    {222, T_Mancubus},  {246, T_HellKnight}, {256, T_BaronOfHell},
};

void brain_cube_fly(struct doom *d, struct mobj *cube)
{
    struct mobj nowhere;

    if (--cube->reactiontime)
        return;

    const struct mobj *spot = monster_or_nowhere(cube->target, &nowhere);
    const fixed x = spot->x, y = spot->y, z = spot->z;
    mobj_spawn(d, x, y, z, T_SpawnFire);

    int draw = rng_next(d), i = 0;
    while (draw >= hatchlings[i].below)
        i++;
    struct mobj *m = mobj_spawn(d, x, y, z, hatchlings[i].type);
    if (monster_find_player(d, m, true))
        mobj_set_state(d, m, monster_info(d, m)->frame.see);
    move_teleport(d, m, m->x, m->y); /* whatever is there dies */
    mobj_remove(d, cube);
}
