/* SPDX-License-Identifier: GPL-2.0-or-later */
/* game.c - one tic of the game, and the way from level to level. */
#include <stdio.h>
#include <string.h>

#include "play.h"

const char *game_map_name(const struct doom *d, char buf[9])
{
    memset(buf, 0, 9);
    if (d->mode == MODE_COMMERCIAL)
        snprintf(buf, 9, "MAP%02d", d->map & 255); /* a byte: no more than three digits */
    else
        snprintf(buf, 9, "E%dM%d", d->episode & 255, d->map & 15);
    return buf;
}

/* ---- entering a level -------------------------------------------------------------------------------------------- */

/* What the level's memory holds goes away with it; nothing may point there afterwards. */
static void forget_level(struct doom *d)
{
    thinker_free_all(d);
    for (int i = 0; i < MAXPLAYERS; i++) {
        d->players[i].mo = NULL;
        d->players[i].attacker = NULL;
        memset(d->players[i].hiders, 0, sizeof d->players[i].hiders);
    }
    memset(d->bodyque, 0, sizeof d->bodyque);
    d->bodyqueslot = 0;
    memset(d->braintargets, 0, sizeof d->braintargets);
    d->nbraintargets = d->braintargeton = 0;
    memset(d->activeplats, 0, sizeof d->activeplats);
    memset(d->activeceilings, 0, sizeof d->activeceilings);
    memset(d->buttons, 0, sizeof d->buttons);
    d->nscrollers = 0;
    d->linetarget = NULL;
    memset(&d->tm, 0, sizeof d->tm);
}

/* The order is the executable's: things before the sectors' specials, as both draw random numbers. */
static int set_up_level(struct doom *d, struct dh_err *e)
{
    char name[9];
    d->totalkills = d->totalitems = d->totalsecrets = 0;
    d->wi.maxfrags = 0;
    d->wi.partime = 180; /* never read before it is set again; a part of the state all the same */
    for (int i = 0; i < MAXPLAYERS; i++)
        d->players[i].kills = d->players[i].secrets = d->players[i].items = 0;
    d->players[d->consoleplayer].viewz = 1;

    forget_level(d);
    if (level_load(d, game_map_name(d, name), e) != 0)
        return -1;
    d->leveltime = 0;
    d->ndmstarts = 0;
    memset(d->playerstarts0, 0, sizeof d->playerstarts0);
    spawn_map_things(d);
    for (int i = 0; i < MAXPLAYERS && d->deathmatch && !e->status; i++) {
        if (d->playeringame[i]) {
            d->players[i].mo = NULL;
            respawn_deathmatch(d, i);
        }
    }
    for (int i = 0; i < MAXPLAYERS && !e->status; i++)
        if (d->playeringame[i] && !d->players[i].mo)
            dh_fail(e, DH_TROUBLE, "%s: expected a start for player %d, found none", name, i + 1);
    d->iquehead = d->iquetail = 0;
    if (!e->status)
        line_spawn_specials(d);
    return e->status ? -1 : 0;
}

static int load_level(struct doom *d, struct dh_err *e)
{
    d->levelstarttic = (int32_t)d->gametic;
    d->gamestate = GS_LEVEL;
    for (int i = 0; i < MAXPLAYERS; i++) {
        struct player *p = &d->players[i];
        if (d->playeringame[i] && p->state == PST_DEAD)
            p->state = PST_REBORN;
        memset(p->frags, 0, sizeof p->frags);
    }
    if (set_up_level(d, e) != 0)
        return -1;
    d->gameaction = GA_NOTHING;
    d->paused = false;
    event_map(d);
    return 0;
}

/* ---- a new game -------------------------------------------------------------------------------------------------- */

/* Faster demons and fireballs. The tics are halved as they are, so this is done once to a world's tables. */
static void speed_up(struct doom *d)
{
    for (int i = S_SARG_RUN1; i <= S_SARG_PAIN2; i++)
        d->frames[i].tics >>= 1;
    d->things[T_BaronFireball].speed = FX(20);
    d->things[T_CacodemonFireball].speed = FX(20);
    d->things[T_ImpFireball].speed = FX(20);
}

int game_start(struct doom *d, struct dh_err *e)
{
    e->status = DH_OK;
    d->err = e;
    version_bound_rules(d);
    /* a demo is of a net game when it has the second player: the third alone makes none */
    d->netgame = d->playeringame[1] || d->solonet;
    switch_init(d);
    d->prndindex = 0;
    d->respawnmonsters = d->skill == SK_NIGHTMARE || d->respawnparm;
    if (d->fastparm || d->skill == SK_NIGHTMARE)
        speed_up(d);
    for (int i = 0; i < MAXPLAYERS; i++) {
        d->players[i].slot = i;
        d->players[i].state = PST_REBORN;
    }
    d->paused = false;
    return load_level(d, e);
}

/* ---- players from level to level --------------------------------------------------------------------------------- */

void game_player_reborn(struct doom *d, int slot)
{
    struct player *p = &d->players[slot];
    struct player fresh = {.slot = slot, .kills = p->kills, .items = p->items, .secrets = p->secrets};

    memcpy(fresh.frags, p->frags, sizeof fresh.frags);
    fresh.usedown = fresh.attackdown = true; /* what is held down while it appears does nothing yet */
    fresh.state = PST_LIVE;
    fresh.health = d->misc.initial_health;
    fresh.ready = fresh.pending = WP_PISTOL;
    fresh.owned[WP_FIST] = fresh.owned[WP_PISTOL] = true;
    fresh.ammo[AM_CLIP] = d->misc.initial_bullets;
    memcpy(fresh.maxammo, d->maxammo, sizeof fresh.maxammo);
    *p = fresh;
}

static void player_finish_level(struct player *p)
{
    memset(p->powers, 0, sizeof p->powers);
    memset(p->cards, 0, sizeof p->cards);
    p->mo->flags &= ~(uint32_t)MF_SHADOW;
    p->extralight = 0;
    p->fixedcolormap = 0;
    p->damagecount = 0;
    p->bonuscount = 0;
}

/* ---- leaving a level --------------------------------------------------------------------------------------------- */

/* The exit itself happens at the start of the next tic: this one goes on to its end. */
void game_exit_level(struct doom *d)
{
    d->secretexit = false;
    d->gameaction = GA_COMPLETED;
}

void game_secret_exit_level(struct doom *d)
{
    /* the German edition of Doom II has no secret levels */
    d->secretexit = d->mode != MODE_COMMERCIAL || wad_find(d->wad, "MAP31") >= 0;
    d->gameaction = GA_COMPLETED;
}

/* The level to come, from 0. A secret exit where Doom II has none leaves the number as it was after the last level. */
static int next_level(const struct doom *d)
{
    static const int8_t after_secret[] = {0, 3, 5, 6, 2}; /* by episode */

    if (d->mode == MODE_COMMERCIAL) {
        if (d->secretexit)
            return d->map == 15 ? 30 : d->map == 31 ? 31 : d->wi.next;
        return d->map == 31 || d->map == 32 ? 15 : d->map;
    }
    if (d->secretexit)
        return 8;
    return d->map == 9 ? after_secret[d->episode] : d->map;
}

static int par_tics(const struct doom *d)
{
    static const int16_t chex[] = {0, 120, 360, 480, 200, 360};
    int seconds = 0;
    if (d->mode == MODE_COMMERCIAL) {
        if (d->map <= 32)
            seconds = d->pars2[d->map];
        else if (d->map == 33) /* reads what lies behind the table */
            seconds = d->par33;
    } else if (d->version == VERSION_CHEX && d->episode == 1 && d->map < 6) {
        seconds = chex[d->map];
    } else if (d->episode < 4 || d->pars1[4][d->map]) {
        seconds = d->pars1[d->episode][d->map];
    } else {
        /* the fourth episode has no times of its own and runs on into Doom II's, a map too far */
        seconds = d->pars2[d->map + 1];
    }
    return wrap_mul(TICRATE, seconds);
}

static void level_completed(struct doom *d)
{
    struct intermission *wi = &d->wi;

    d->gameaction = GA_NOTHING;
    for (int i = 0; i < MAXPLAYERS; i++)
        if (d->playeringame[i])
            player_finish_level(&d->players[i]);
    if (d->mode != MODE_COMMERCIAL && (d->map == 8 || (d->version == VERSION_CHEX && d->map == 5))) {
        d->gameaction = GA_VICTORY;
        event_exit(d);
        return;
    }
    if (d->mode != MODE_COMMERCIAL && d->map == 9)
        for (int i = 0; i < MAXPLAYERS; i++)
            d->players[i].didsecret = true;

    wi->didsecret = d->players[d->consoleplayer].didsecret;
    wi->epsd = d->episode - 1;
    wi->last = d->map - 1;
    wi->next = next_level(d);
    wi->maxkills = d->totalkills;
    wi->maxitems = d->totalitems;
    wi->maxsecrets = d->totalsecrets;
    wi->maxfrags = 0;
    wi->partime = par_tics(d);
    for (int i = 0; i < MAXPLAYERS; i++) {
        wi->plyr[i].in = d->playeringame[i];
        wi->plyr[i].kills = d->players[i].kills;
        wi->plyr[i].items = d->players[i].items;
        wi->plyr[i].secrets = d->players[i].secrets;
        wi->plyr[i].time = d->leveltime;
        memcpy(wi->plyr[i].frags, d->players[i].frags, sizeof wi->plyr[i].frags);
    }
    event_exit(d);
    d->gamestate = GS_INTERMISSION;
    intermission_start(d);
}

void game_world_done(struct doom *d)
{
    d->gameaction = GA_WORLDDONE;
    if (d->secretexit)
        d->players[d->consoleplayer].didsecret = true;
    if (d->mode != MODE_COMMERCIAL)
        return;
    switch (d->map) {
    case 15:
    case 31:
        if (d->secretexit)
            finale_start(d);
        break;
    case 6:
    case 11:
    case 20:
    case 30:
        finale_start(d);
        break;
    default:
        break;
    }
}

/* ---- the tic ----------------------------------------------------------------------------------------------------- */

static int run_gameaction(struct doom *d, struct dh_err *e)
{
    switch (d->gameaction) {
    case GA_LOADLEVEL:
        return load_level(d, e);
    case GA_COMPLETED:
        level_completed(d);
        return 0;
    case GA_VICTORY:
        finale_start(d);
        return 0;
    case GA_WORLDDONE:
        d->map = d->wi.next + 1;
        return load_level(d, e);
    case GA_NOTHING:
        break;
    }
    return 0;
}

static void level_tick(struct doom *d)
{
    if (d->paused)
        return;
    for (int i = 0; i < MAXPLAYERS; i++)
        if (d->playeringame[i])
            player_think(d, &d->players[i]);
    thinker_run(d);
    if (!d->lev.oddlines)
        d->open = (struct opening){0}; /* nothing will read the last one measured: no state */
    line_update_specials(d);
    respawn_items(d);
    d->leveltime++;
}

int game_tick(struct doom *d, struct dh_err *e)
{
    /* The commands of this tic are there from the start, while the executable reads them after what may clear a player.
     */
    struct ticcmd cmds[MAXPLAYERS];
    e->status = DH_OK;
    d->err = e;
    for (int i = 0; i < MAXPLAYERS; i++)
        cmds[i] = d->players[i].cmd;

    for (int i = 0; i < MAXPLAYERS && !e->status; i++)
        if (d->playeringame[i] && d->players[i].state == PST_REBORN)
            respawn_player(d, i);
    while (d->gameaction != GA_NOTHING && !e->status)
        if (run_gameaction(d, e) != 0)
            return -1;
    if (e->status)
        return -1;

    for (int i = 0; i < MAXPLAYERS; i++)
        if (d->playeringame[i])
            d->players[i].cmd = cmds[i];
    /* A save changes nothing in the world. It and a pause are special buttons, which the states below see as any
     * others. */
    for (int i = 0; i < MAXPLAYERS; i++) {
        int buttons = d->playeringame[i] ? d->players[i].cmd.buttons : 0;
        if ((buttons & BT_SPECIAL) && (buttons & BT_SPECIALMASK) == BTS_PAUSE)
            d->paused = !d->paused;
    }

    switch (d->gamestate) {
    case GS_LEVEL:
        level_tick(d);
        break;
    case GS_INTERMISSION:
        intermission_tick(d);
        break;
    case GS_FINALE:
        finale_tick(d);
        break;
    case GS_DEMOEND:
        break;
    }
    /* What a player does not press in the next tic is not held: a command is of its own tic alone. */
    for (int i = 0; i < MAXPLAYERS; i++)
        d->players[i].cmd = (struct ticcmd){0};
    d->gametic++;
    return e->status ? -1 : 0;
}
