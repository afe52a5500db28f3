/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * player.c - what a player's commands do each tic.
 */
#include "play.h"

#define MAXBOB FX(16)
#define LYING FX(6) /* eyes of the dead above the floor */
#define ANG5 (ANG90 / 18)
#define SAW_RUN 100     /* forward move while the chainsaw bites */
#define SAW_PULL 0xc800 /* that of 1.0 and 1.1, no multiple of their unit */
#define UNIT 2048       /* momentum of a move of 1 */
#define UNIT_1_1 900    /* that of 1.0 and 1.1, whose demos hold their moves by it */
#define BLINK (4 * 32)  /* tics before its end from which a power blinks */
#define COLORMAP_INVERSE 32
#define COLORMAP_BRIGHT 1

static bool stands(const struct player *p)
{
    return p->mo->z <= p->mo->floorz;
}

static void thrust(struct doom *d, struct mobj *mo, bam angle, fixed move)
{
    thinker_stir(d, &mo->th); /* a zombie's is no player's any more */
    mo->momx = wrap_add(mo->momx, fx_mul(move, trig_step_cos(d, angle)));
    mo->momy = wrap_add(mo->momy, fx_mul(move, trig_step_sin(d, angle)));
}

/* pulled: by a chainsaw that bites. The units of 1.0 and 1.1: recreated, G_ReadDemoTiccmd and P_PlayerThink; 1207. */
static void move(struct doom *d, struct player *p, bool pulled)
{
    const bool old = d->version < VERSION_DOOM_1_2;
    const fixed unit = old ? UNIT_1_1 : UNIT;
    const struct ticcmd *cmd = &p->cmd;
    struct mobj *mo = p->mo;

    mo->angle += (bam)cmd->turn << 16;
    d->onground = stands(p);
    if (cmd->forward && d->onground)
        thrust(d, mo, mo->angle, old && pulled ? SAW_PULL : cmd->forward * unit);
    if (cmd->side && d->onground)
        thrust(d, mo, mo->angle - ANG90, cmd->side * unit);
    if ((cmd->forward || cmd->side) && mo->state == S_PLAY)
        mobj_set_state(d, mo, S_PLAY_RUN1);
}

/* The knees: after a landing or a step the eyes come back to their height. */
static void settle_view(struct player *p)
{
    p->viewheight = wrap_add(p->viewheight, p->deltaviewheight);
    if (p->viewheight > VIEWHEIGHT) {
        p->viewheight = VIEWHEIGHT;
        p->deltaviewheight = 0;
    }
    if (p->viewheight < VIEWHEIGHT / 2) {
        p->viewheight = VIEWHEIGHT / 2;
        if (p->deltaviewheight <= 0)
            p->deltaviewheight = 1;
    }
    if (p->deltaviewheight) {
        p->deltaviewheight = wrap_add(p->deltaviewheight, FX_ONE / 4);
        if (!p->deltaviewheight)
            p->deltaviewheight = 1;
    }
}

/* d->onground is of whoever moved last, which need not be this player: he does not move for a while after a teleport.
 */
static void calc_height(struct doom *d, struct player *p)
{
    const struct mobj *mo = p->mo;

    p->bob = wrap_add(fx_mul(mo->momx, mo->momx), fx_mul(mo->momy, mo->momy)) >> 2;
    if (p->bob > MAXBOB)
        p->bob = MAXBOB;
    if (p->cheats & CF_NOMOMENTUM || !d->onground) {
        p->viewz = wrap_add(mo->z, p->viewheight); /* through the ceiling if need be */
        return;
    }

    uint32_t angle = (FINEANGLES / 20 * (uint32_t)d->leveltime) & FINEMASK;
    /* 1.0: recreated, P_CalcHeight */
    fixed wave = d->version == VERSION_DOOM_1_0 ? trig_coarse(12 * d->gametic) : trig_sine[angle];
    fixed bob = fx_mul(p->bob / 2, wave);
    if (p->state == PST_LIVE)
        settle_view(p);
    p->viewz = wrap_add(wrap_add(mo->z, p->viewheight), bob);
    fixed top = wrap_sub(mo->ceilingz, FX(4));
    if (p->viewz > top)
        p->viewz = top;
}

/* Sink, turn to the killer, wait for the use key. */
static void think_dead(struct doom *d, struct player *p)
{
    struct mobj *mo = p->mo;

    weapon_tick(d, p);
    if (p->viewheight > LYING)
        p->viewheight -= FX_ONE;
    if (p->viewheight < LYING)
        p->viewheight = LYING;
    p->deltaviewheight = 0;
    d->onground = stands(p);
    calc_height(d, p);

    bool fades = true; /* the red of the screen, while he does not have to turn */
    if (p->attacker && p->attacker != mo) {
        bam angle = trig_angle(d, mo->x, mo->y, p->attacker->x, p->attacker->y);
        bam off = angle - mo->angle;
        fades = off < ANG5 || off > 0u - ANG5;
        if (fades)
            mo->angle = angle;
        else
            mo->angle += off < ANG180 ? ANG5 : 0u - ANG5;
    }
    if (fades && p->damagecount)
        p->damagecount--;

    if (p->cmd.buttons & BT_USE)
        p->state = PST_REBORN;
}

/* Keys 1 and 3 mean two weapons each: the one not in the hands, by preference the bigger one. */
static void choose_weapon(struct doom *d, struct player *p)
{
    int32_t weapon = (p->cmd.buttons & BT_WEAPONMASK) >> BT_WEAPONSHIFT;

    if (weapon == WP_FIST && p->owned[WP_CHAINSAW] && !(p->ready == WP_CHAINSAW && p->powers[PW_STRENGTH]))
        weapon = WP_CHAINSAW;
    if (d->mode == MODE_COMMERCIAL && weapon == WP_SHOTGUN && p->owned[WP_SUPERSHOTGUN] && p->ready != WP_SUPERSHOTGUN)
        weapon = WP_SUPERSHOTGUN;
    if (!p->owned[weapon] || weapon == p->ready)
        return;
    if (d->mode == MODE_SHAREWARE && (weapon == WP_PLASMA || weapon == WP_BFG))
        return;
    p->pending = weapon;
}

static void count_powers(struct player *p)
{
    if (p->powers[PW_STRENGTH]) /* counts up for the red to fade, and never ends */
        p->powers[PW_STRENGTH]++;
    if (p->powers[PW_INVULNERABILITY])
        p->powers[PW_INVULNERABILITY]--;
    if (p->powers[PW_INVISIBILITY] && --p->powers[PW_INVISIBILITY] == 0)
        p->mo->flags &= ~(uint32_t)MF_SHADOW;
    if (p->powers[PW_INFRARED])
        p->powers[PW_INFRARED]--;
    if (p->powers[PW_IRONFEET])
        p->powers[PW_IRONFEET]--;
    if (p->damagecount)
        p->damagecount--;
    if (p->bonuscount)
        p->bonuscount--;
}

static bool shows(int32_t tics)
{
    return tics > BLINK || tics & 8;
}

static int32_t colormap(const struct player *p)
{
    if (p->powers[PW_INVULNERABILITY])
        return shows(p->powers[PW_INVULNERABILITY]) ? COLORMAP_INVERSE : 0;
    if (p->powers[PW_INFRARED])
        return shows(p->powers[PW_INFRARED]) ? COLORMAP_BRIGHT : 0;
    return 0;
}

void player_think(struct doom *d, struct player *p)
{
    struct ticcmd *cmd = &p->cmd;
    struct mobj *mo = p->mo;

    if (p->cheats & CF_NOCLIP)
        mo->flags |= MF_NOCLIP;
    else
        mo->flags &= ~(uint32_t)MF_NOCLIP;

    const bool pulled = mo->flags & MF_JUSTATTACKED;
    if (pulled) {
        cmd->turn = 0;
        cmd->forward = SAW_RUN;
        cmd->side = 0;
        mo->flags &= ~(uint32_t)MF_JUSTATTACKED;
    }

    if (p->state == PST_DEAD) {
        think_dead(d, p);
        return;
    }
    if (mo->reactiontime)
        mo->reactiontime--;
    else
        move(d, p, pulled);
    calc_height(d, p);
    if (mo->subsector->sector->special)
        sector_player(d, p);

    /* A pause or save has the meaning of its other bits to itself. Only now: the dead have read their use bit out of it
     * already. */
    if (cmd->buttons & BT_SPECIAL)
        cmd->buttons = 0;
    if (cmd->buttons & BT_CHANGE)
        choose_weapon(d, p);
    if (!(cmd->buttons & BT_USE)) {
        p->usedown = false;
    } else if (!p->usedown) {
        trace_use(d, p);
        p->usedown = true;
    }

    weapon_tick(d, p);
    count_powers(p);
    p->fixedcolormap = colormap(p);
}
