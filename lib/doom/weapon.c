/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weapon.c - the weapon in a player's hands: its states, the change to another, and what each attack does.
 *
 * A psprite runs through the frame table like a mobj, but what its frames do is done to the player. The weapon's height
 * on the screen counts tics of raising and lowering, so it is part of the world.
 */
#include "monster.h"

#define CHANGE_SPEED FX(6)
#define DOWN FX(128)
#define UP FX(32)
#define CHAIN_LIMIT 100000 /* frames entered in one go, and by what a frame does: a patched table can be a circle */
#define NEST_LIMIT 1000

/* ---- ammunition -------------------------------------------------------------------------------------------------- */

/* The executable did not check the number: past the four kinds come the four limits, "no ammo" is the limit of shells.
 * So a DEHACKED weapon that needs none and still uses some up eats the player's room for shells. */
static int32_t *ammo_slot(struct doom *d, struct player *p, int32_t ammo)
{
    if (ammo >= 0 && ammo < NAMMO)
        return &p->ammo[ammo];
    if (ammo >= NAMMO && ammo < 2 * NAMMO)
        return &p->maxammo[ammo - NAMMO];
    dh_fail(d->err, DH_TROUBLE, "ammunition %d in a weapon: expected 0 to %d", ammo, 2 * NAMMO - 1);
    return &p->ammo[0];
}

static void use_ammo(struct doom *d, struct player *p, int32_t rounds)
{
    int32_t *slot = ammo_slot(d, p, d->weapons[p->ready].ammo);
    *slot = wrap_sub(*slot, rounds);
}

static int32_t rounds_a_shot(const struct doom *d, int32_t weapon)
{
    return weapon == WP_BFG ? d->misc.bfg_cells : weapon == WP_SUPERSHOTGUN ? 2 : 1;
}

/* What to take up when the ammunition is spent: the first row that is owned, loaded with more than `above`, and in the
 * game. The limits are not those of a shot: a super shotgun with its last two shells is left aside, and so is a BFG
 * with 40 cells. */
static const struct {
    int32_t weapon;
    int32_t ammo, above; /* AM_NOAMMO: needs none */
    bool need_owned;     /* nobody looks whether there is a pistol or a fist */
    enum mode from, to;  /* modes that have it */
} preferences[] = {
    {WP_PLASMA, AM_CELL, 0, true, MODE_REGISTERED, MODE_COMMERCIAL},
    {WP_SUPERSHOTGUN, AM_SHELL, 2, true, MODE_COMMERCIAL, MODE_COMMERCIAL},
    {WP_CHAINGUN, AM_CLIP, 0, true, MODE_SHAREWARE, MODE_COMMERCIAL},
    {WP_SHOTGUN, AM_SHELL, 0, true, MODE_SHAREWARE, MODE_COMMERCIAL},
    {WP_PISTOL, AM_CLIP, 0, false, MODE_SHAREWARE, MODE_COMMERCIAL},
    {WP_CHAINSAW, AM_NOAMMO, 0, true, MODE_SHAREWARE, MODE_COMMERCIAL},
    {WP_MISSILE, AM_MISSILE, 0, true, MODE_SHAREWARE, MODE_COMMERCIAL},
    {WP_BFG, AM_CELL, 40, true, MODE_REGISTERED, MODE_COMMERCIAL},
};

static int32_t preferred(const struct doom *d, const struct player *p)
{
    for (size_t i = 0; i < sizeof preferences / sizeof preferences[0]; i++) {
        const int32_t weapon = preferences[i].weapon, ammo = preferences[i].ammo;
        if (preferences[i].need_owned && !p->owned[weapon])
            continue;
        /* Above 0 means not 0: what a DEHACKED patch shot into the negative counts as loaded. */
        const int32_t above = preferences[i].above;
        if (ammo != AM_NOAMMO && (above ? p->ammo[ammo] <= above : !p->ammo[ammo]))
            continue;
        if (d->mode >= preferences[i].from && d->mode <= preferences[i].to)
            return weapon;
    }
    return WP_FIST;
}

/* Enough for a shot? If not, the weapon goes down and another will come up. */
static bool check_ammo(struct doom *d, struct player *p)
{
    const int32_t ammo = d->weapons[p->ready].ammo;

    if (ammo == AM_NOAMMO || *ammo_slot(d, p, ammo) >= rounds_a_shot(d, p->ready))
        return true;
    p->pending = preferred(d, p);
    weapon_set_psprite(d, p, PS_WEAPON, d->weapons[p->ready].down);
    return false;
}

/* ---- handling ---------------------------------------------------------------------------------------------------- */

void weapon_bring_up(struct doom *d, struct player *p)
{
    int32_t weapon = p->pending;

    if (weapon < 0 || weapon >= NWEAPONS) /* WP_NOCHANGE */
        weapon = p->ready;
    p->pending = WP_NOCHANGE;
    p->psp[PS_WEAPON].sy = DOWN;
    weapon_set_psprite(d, p, PS_WEAPON, d->weapons[weapon].up);
}

void weapon_setup(struct doom *d, struct player *p)
{
    for (int i = 0; i < NPSPRITES; i++)
        p->psp[i].state = S_NONE;
    p->pending = p->ready;
    weapon_bring_up(d, p);
}

void weapon_drop(struct doom *d, struct player *p)
{
    weapon_set_psprite(d, p, PS_WEAPON, d->weapons[p->ready].down);
}

static void fire(struct doom *d, struct player *p)
{
    if (!check_ammo(d, p))
        return;
    mobj_set_state(d, p->mo, S_PLAY_ATK1);
    weapon_set_psprite(d, p, PS_WEAPON, d->weapons[p->ready].attack);
    noise_alert(d, p->mo, p->mo);
}

static void ready(struct doom *d, struct player *p, struct psprite *psp)
{
    if (p->mo->state == S_PLAY_ATK1 || p->mo->state == S_PLAY_ATK2)
        mobj_set_state(d, p->mo, S_PLAY);

    if (p->pending != WP_NOCHANGE || !p->health) {
        weapon_set_psprite(d, p, PS_WEAPON, d->weapons[p->ready].down);
        return;
    }
    if (p->cmd.buttons & BT_ATTACK) {
        /* The two that are dangerous to their owner wait for a new press. */
        if (!p->attackdown || (p->ready != WP_MISSILE && p->ready != WP_BFG)) {
            p->attackdown = true;
            fire(d, p);
            return;
        }
    } else {
        p->attackdown = false;
    }

    if (d->version == VERSION_DOOM_1_0) { /* recreated, A_WeaponReady */
        psp->sx = FX_ONE + fx_mul(p->bob, trig_coarse(4 * d->gametic + COARSEANGLES / 4));
        psp->sy = UP + fx_mul(p->bob, trig_coarse(4 * d->gametic & (COARSEANGLES / 2 - 1)));
        return;
    }
    uint32_t angle = (128u * (uint32_t)d->leveltime) & FINEMASK;
    psp->sx = FX_ONE + fx_mul(p->bob, trig_sine[angle + FINEANGLES / 4]);
    psp->sy = UP + fx_mul(p->bob, trig_sine[angle & (FINEANGLES / 2 - 1)]);
}

static void refire(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    if (p->cmd.buttons & BT_ATTACK && p->pending == WP_NOCHANGE && p->health) {
        p->refire++;
        fire(d, p);
    } else {
        p->refire = 0;
        check_ammo(d, p);
    }
}

static void check_reload(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    check_ammo(d, p);
}

static void lower(struct doom *d, struct player *p, struct psprite *psp)
{
    psp->sy = wrap_add(psp->sy, CHANGE_SPEED);
    if (psp->sy < DOWN)
        return;
    if (p->state == PST_DEAD) {
        psp->sy = DOWN;
        return;
    }
    if (!p->health) {
        weapon_set_psprite(d, p, PS_WEAPON, S_NONE);
        return;
    }
    if (p->pending >= 0 &&
        p->pending < NWEAPONS) /* nothing lowers a weapon without a next one, but a DEHACKED frame could */
        p->ready = p->pending;
    weapon_bring_up(d, p);
}

static void raise(struct doom *d, struct player *p, struct psprite *psp)
{
    psp->sy = wrap_sub(psp->sy, CHANGE_SPEED);
    if (psp->sy > UP)
        return;
    psp->sy = UP;
    weapon_set_psprite(d, p, PS_WEAPON, d->weapons[p->ready].ready);
}

static void light0(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)d, (void)psp;
    p->extralight = 0;
}

static void light1(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)d, (void)psp;
    p->extralight = 1;
}

static void light2(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)d, (void)psp;
    p->extralight = 2;
}

/* ---- attacks ----------------------------------------------------------------------------------------------------- */

static void flash(struct doom *d, struct player *p, int32_t offset)
{
    weapon_set_psprite(d, p, PS_FLASH, d->weapons[p->ready].flash + offset);
}

static void gun_flash(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    mobj_set_state(d, p->mo, S_PLAY_ATK2);
    flash(d, p, 0);
}

/* A blow a little aside of where the player looks; d->linetarget is whom it found. */
static void swing(struct doom *d, struct mobj *mo, fixed reach, int damage)
{
    bam angle = mo->angle + ((bam)rng_diff(d) << 18);
    fixed slope = trace_aim(d, mo, angle, reach);
    trace_attack(d, mo, angle, reach, slope, damage);
}

static void punch(struct doom *d, struct player *p, struct psprite *psp)
{
    struct mobj *mo = p->mo;
    int damage = (rng_next(d) % 10 + 1) * 2;

    (void)psp;
    if (p->powers[PW_STRENGTH])
        damage *= 10;
    swing(d, mo, MELEERANGE, damage);
    if (d->linetarget)
        mo->angle = trig_angle(d, mo->x, mo->y, d->linetarget->x, d->linetarget->y);
}

/* It pulls towards what it cuts, by at most an eighteenth of a turn or so, and wavers around it once there. */
static void saw(struct doom *d, struct player *p, struct psprite *psp)
{
    const bam most = ANG90 / 20, past = ANG90 / 21;
    struct mobj *mo = p->mo;
    int damage = (rng_next(d) % 10 + 1) * 2;

    (void)psp;
    swing(d, mo, MELEERANGE + 1, damage); /* the 1 lets the puff spark, see missile_puff */
    if (!d->linetarget)
        return;

    bam angle = trig_angle(d, mo->x, mo->y, d->linetarget->x, d->linetarget->y);
    bam off = angle - mo->angle;
    if (off > ANG180)
        mo->angle = off < 0u - most ? angle + past : mo->angle - most;
    else
        mo->angle = off > most ? angle - past : mo->angle + most;
    mo->flags |= MF_JUSTATTACKED; /* player_think makes him run ahead */
}

static void fire_missile(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    use_ammo(d, p, 1);
    missile_spawn_player(d, p->mo, T_Rocket);
}

static void fire_bfg(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    use_ammo(d, p, d->misc.bfg_cells);
    missile_spawn_player(d, p->mo, T_BFGBall);
}

static void fire_plasma(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    use_ammo(d, p, 1);
    flash(d, p, rng_next(d) & 1);
    missile_spawn_player(d, p->mo, T_PlasmaBall);
}

/* The damage is drawn before the spread. */
static void bullet(struct doom *d, struct mobj *mo, bool accurate)
{
    int damage = 5 * (rng_next(d) % 3 + 1);
    bam angle = mo->angle;

    if (!accurate)
        angle += (bam)rng_diff(d) << 18;
    trace_attack(d, mo, angle, MISSILERANGE, d->bulletslope, damage);
}

/* What all guns do first. Bullets take the slope of the aim alone: they fly where the player looks. It is kept in the
 * world, as one bullet can change it for those after it (overrun.c). */
static void pull_trigger(struct doom *d, struct player *p, int32_t rounds, int32_t flash_offset)
{
    bam angle;

    mobj_set_state(d, p->mo, S_PLAY_ATK2);
    use_ammo(d, p, rounds);
    flash(d, p, flash_offset);
    d->bulletslope = missile_aim(d, p->mo, &angle);
}

static void fire_pistol(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    pull_trigger(d, p, 1, 0);
    bullet(d, p->mo, !p->refire);
}

static void fire_shotgun(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    pull_trigger(d, p, 1, 0);
    for (int i = 0; i < 7; i++)
        bullet(d, p->mo, false);
}

static void fire_supershotgun(struct doom *d, struct player *p, struct psprite *psp)
{
    (void)psp;
    pull_trigger(d, p, 2, 0);
    for (int i = 0; i < 20; i++) {
        int damage = 5 * (rng_next(d) % 3 + 1);
        bam angle = p->mo->angle + ((bam)rng_diff(d) << FINESHIFT);
        trace_attack(d, p->mo, angle, MISSILERANGE, wrap_add(d->bulletslope, rng_diff(d) * 32), damage);
    }
}

static void fire_chaingun(struct doom *d, struct player *p, struct psprite *psp)
{
    if (!*ammo_slot(d, p, d->weapons[p->ready].ammo)) /* its second shot may be without a round */
        return;
    pull_trigger(d, p, 1, psp->state - S_CHAIN1);
    bullet(d, p->mo, !p->refire);
}

/* The ball has landed: 40 rays over a quarter turn, from where its owner stands now and by where the ball flew. */
void weapon_bfg_spray(struct doom *d, struct mobj *ball)
{
    struct mobj nowhere;
    struct mobj *eye = monster_or_nowhere(ball->target, &nowhere);

    for (uint32_t i = 0; i < 40; i++) {
        trace_aim(d, eye, ball->angle - ANG90 / 2 + ANG90 / 40 * i, FX(16 * 64));
        struct mobj *t = d->linetarget;
        if (!t)
            continue;
        mobj_spawn(d, t->x, t->y, wrap_add(t->z, t->height >> 2), T_BFGSpray);
        int damage = 0;
        for (int j = 0; j < 15; j++)
            damage += (rng_next(d) & 7) + 1;
        damage_mobj(d, t, ball->target, ball->target, damage);
    }
}

/* ---- psprites ---------------------------------------------------------------------------------------------------- */

/* Noises are missing (BFGsound, OpenShotgun2, LoadShotgun2), and so are the actions of mobjs: see action.c. */
static void (*const actions[NACTIONS])(struct doom *, struct player *, struct psprite *) = {
    [ACT_Light0] = light0,
    [ACT_WeaponReady] = ready,
    [ACT_Lower] = lower,
    [ACT_Raise] = raise,
    [ACT_Punch] = punch,
    [ACT_ReFire] = refire,
    [ACT_FirePistol] = fire_pistol,
    [ACT_Light1] = light1,
    [ACT_FireShotgun] = fire_shotgun,
    [ACT_Light2] = light2,
    [ACT_FireShotgun2] = fire_supershotgun,
    [ACT_CheckReload] = check_reload,
    [ACT_CloseShotgun2] = refire, /* and a click */
    [ACT_FireCGun] = fire_chaingun,
    [ACT_GunFlash] = gun_flash,
    [ACT_FireMissile] = fire_missile,
    [ACT_Saw] = saw,
    [ACT_FirePlasma] = fire_plasma,
    [ACT_FireBFG] = fire_bfg,
};

/* Frames of no tics pass at once. An action may set this very psprite: the loop then goes on from where that left it.
 */
void weapon_set_psprite(struct doom *d, struct player *p, int which, int frame)
{
    struct psprite *psp = &p->psp[which];
    int chain = 0;

    do {
        if (frame < S_NONE || frame >= NFRAMES)
            dh_fail(d->err, DH_TROUBLE, "a weapon came to frame %d: expected 0 to %d", frame, NFRAMES - 1);
        if (frame <= S_NONE || frame >= NFRAMES) {
            psp->state = S_NONE;
            return;
        }
        psp->state = frame;
        psp->tics = d->frames[frame].tics;

        const int action = d->frames[frame].action;
        if (action > ACT_None && action < NACTIONS && actions[action]) {
            if (++d->nesting < NEST_LIMIT)
                actions[action](d, p, psp);
            else
                dh_fail(d->err, DH_TROUBLE, "frame %d of a weapon leads back to itself by what it does", frame);
            d->nesting--;
            if (psp->state == S_NONE)
                return;
        }
        if (d->err->status)
            return;
        if (++chain > CHAIN_LIMIT) {
            dh_fail(d->err, DH_TROUBLE, "frames of a weapon lead in a circle without any duration, from frame %d",
                    frame);
            return;
        }
        frame = d->frames[psp->state].next;
    } while (!psp->tics);
}

void weapon_tick(struct doom *d, struct player *p)
{
    for (int i = 0; i < NPSPRITES; i++) {
        struct psprite *psp = &p->psp[i];
        if (psp->state == S_NONE || psp->tics == -1)
            continue;
        if (--psp->tics == 0)
            weapon_set_psprite(d, p, i, d->frames[psp->state].next);
    }
    p->psp[PS_FLASH].sx = p->psp[PS_WEAPON].sx;
    p->psp[PS_FLASH].sy = p->psp[PS_WEAPON].sy;
}
