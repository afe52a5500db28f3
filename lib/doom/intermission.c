/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intermission.c - the counts between two levels: how many tics they take depends on what was achieved, on the par
 * time, and on the players' buttons.
 *
 * What is drawn draws from the random sequence that no level reads, so it is not here.
 */
#include "play.h"

enum { WI_NOSTATE = -1, WI_STATS, WI_NEXTLOC };
enum { C_KILLS, C_ITEMS, C_SECRETS, C_FRAGS };

/* Every count is a pair of states: an odd one is a pause of a second, the even one after it counts. */
enum { COUNT_KILLS = 2, COUNT_ITEMS = 4, COUNT_SECRETS = 6, COUNT_LAST = 8, COUNT_DONE = 10 };
enum { DM_COUNT = 2, DM_DONE = 4 };

/* Kills of the others less those of oneself. */
static int frag_sum(const struct doom *d, int slot)
{
    int sum = 0;
    for (int i = 0; i < MAXPLAYERS; i++)
        if (d->playeringame[i] && i != slot)
            sum += d->wi.plyr[slot].frags[i];
    return sum - d->wi.plyr[slot].frags[slot];
}

/* What a player's count goes up to: percent, or frags. */
static int goal(const struct doom *d, int slot, int what)
{
    switch (what) {
    case C_KILLS:
        return d->wi.plyr[slot].kills * 100 / d->wi.maxkills;
    case C_ITEMS:
        return d->wi.plyr[slot].items * 100 / d->wi.maxitems;
    case C_SECRETS:
        return d->wi.plyr[slot].secrets * 100 / d->wi.maxsecrets;
    default:
        return frag_sum(d, slot);
    }
}

/* ---- after the counts -------------------------------------------------------------------------------------------- */

static void begin_no_state(struct intermission *wi)
{
    wi->state = WI_NOSTATE;
    wi->accelerate = false;
    wi->count = 10;
}

/* Doom 1 shows the way to the next level first. */
static void leave_stats(struct doom *d)
{
    if (d->mode == MODE_COMMERCIAL) {
        begin_no_state(&d->wi);
        return;
    }
    d->wi.state = WI_NEXTLOC;
    d->wi.accelerate = false;
    d->wi.count = 4 * TICRATE;
}

/* The odd states. */
static void pause_tick(struct intermission *wi, int32_t *state)
{
    if ((*state & 1) && !--wi->pause) {
        ++*state;
        wi->pause = TICRATE;
    }
}

/* ---- one player -------------------------------------------------------------------------------------------------- */

static void single_tick(struct doom *d)
{
    struct intermission *wi = &d->wi;
    const int me = d->consoleplayer;
    const int time = wi->plyr[me].time / TICRATE, par = wi->partime / TICRATE;
    int32_t *count = wi->counters[0]; /* the first player's place, whoever it is */

    if (wi->accelerate && wi->sp_state != COUNT_DONE) {
        wi->accelerate = false;
        for (int what = C_KILLS; what <= C_SECRETS; what++)
            count[what] = goal(d, me, what);
        wi->time = time;
        wi->par = par;
        wi->sp_state = COUNT_DONE;
    }

    switch (wi->sp_state) {
    case COUNT_KILLS:
    case COUNT_ITEMS:
    case COUNT_SECRETS: {
        int what = wi->sp_state / 2 - 1;
        count[what] += 2;
        if (count[what] >= goal(d, me, what)) {
            count[what] = goal(d, me, what);
            wi->sp_state++;
        }
        break;
    }
    case COUNT_LAST:
        wi->time += 3;
        if (wi->time >= time)
            wi->time = time;
        wi->par += 3;
        if (wi->par >= par) {
            wi->par = par;
            if (wi->time >= time)
                wi->sp_state++;
        }
        break;
    case COUNT_DONE:
        if (wi->accelerate)
            leave_stats(d);
        break;
    default:
        pause_tick(wi, &wi->sp_state);
        break;
    }
}

/* ---- several players --------------------------------------------------------------------------------------------- */

static void coop_tick(struct doom *d)
{
    struct intermission *wi = &d->wi;

    if (wi->accelerate && wi->ng_state != COUNT_DONE) {
        wi->accelerate = false;
        for (int i = 0; i < MAXPLAYERS; i++)
            for (int what = C_KILLS; what <= C_FRAGS && d->playeringame[i]; what++)
                if (what != C_FRAGS || wi->dofrags)
                    wi->counters[i][what] = goal(d, i, what);
        wi->ng_state = COUNT_DONE;
    }

    if (wi->ng_state & 1) {
        pause_tick(wi, &wi->ng_state);
    } else if (wi->ng_state >= COUNT_KILLS && wi->ng_state <= COUNT_LAST) {
        int what = wi->ng_state / 2 - 1;
        bool counting = false;
        for (int i = 0; i < MAXPLAYERS; i++) {
            if (!d->playeringame[i])
                continue;
            int32_t *count = &wi->counters[i][what];
            *count += what == C_FRAGS ? 1 : 2;
            if (*count >= goal(d, i, what))
                *count = goal(d, i, what);
            else
                counting = true;
        }
        if (!counting)
            wi->ng_state += what == C_SECRETS && !wi->dofrags ? 3 : 1;
    } else if (wi->ng_state == COUNT_DONE && wi->accelerate) {
        leave_stats(d);
    }
}

/* ---- deathmatch -------------------------------------------------------------------------------------------------- */

static int32_t clamp99(int32_t n)
{
    return n > 99 ? 99 : n < -99 ? -99 : n;
}

/* One step of every pair of players; false when all are there. More than 99 frags of one player are never reached: only
 * a button ends it. */
static bool count_frags(struct doom *d)
{
    struct intermission *wi = &d->wi;
    bool counting = false;
    for (int i = 0; i < MAXPLAYERS; i++) {
        if (!d->playeringame[i])
            continue;
        for (int k = 0; k < MAXPLAYERS; k++) {
            const int32_t frags = wi->plyr[i].frags[k];
            if (!d->playeringame[k] || wi->dm_frags[i][k] == frags)
                continue;
            wi->dm_frags[i][k] = clamp99(wi->dm_frags[i][k] + (frags < 0 ? -1 : 1));
            counting = true;
        }
        wi->dm_totals[i] = clamp99(frag_sum(d, i));
    }
    return counting;
}

static void deathmatch_tick(struct doom *d)
{
    struct intermission *wi = &d->wi;

    if (wi->accelerate && wi->dm_state != DM_DONE) {
        wi->accelerate = false;
        for (int i = 0; i < MAXPLAYERS; i++) {
            if (!d->playeringame[i])
                continue;
            for (int k = 0; k < MAXPLAYERS; k++)
                if (d->playeringame[k])
                    wi->dm_frags[i][k] = wi->plyr[i].frags[k];
            wi->dm_totals[i] = frag_sum(d, i);
        }
        wi->dm_state = DM_DONE;
    }

    if (wi->dm_state == DM_COUNT) {
        if (!count_frags(d))
            wi->dm_state++;
    } else if (wi->dm_state == DM_DONE) {
        if (wi->accelerate)
            leave_stats(d);
    } else {
        pause_tick(wi, &wi->dm_state);
    }
}

/* ---- start and tic ----------------------------------------------------------------------------------------------- */

static int at_least_one(int n)
{
    return n ? n : 1;
}

/* The executable keeps these in variables that the next intermission finds as they were left: that shows in dofrags. */
void intermission_start(struct doom *d)
{
    struct intermission *wi = &d->wi;

    wi->accelerate = false;
    wi->count = wi->bcount = 0;
    wi->maxkills = at_least_one(wi->maxkills);
    wi->maxitems = at_least_one(wi->maxitems);
    wi->maxsecrets = at_least_one(wi->maxsecrets);
    if (d->version < VERSION_ULTIMATE && wi->epsd > 2)
        wi->epsd -= 3;

    wi->state = WI_STATS;
    wi->pause = TICRATE;
    if (d->deathmatch) {
        wi->dm_state = 1;
        for (int i = 0; i < MAXPLAYERS; i++) {
            if (!d->playeringame[i])
                continue;
            for (int k = 0; k < MAXPLAYERS; k++)
                if (d->playeringame[k])
                    wi->dm_frags[i][k] = 0;
            wi->dm_totals[i] = 0;
        }
    } else if (d->netgame) {
        int frags = wi->dofrags; /* once there were frags, they are counted in every later intermission, unless it
                                    cancels out */
        wi->ng_state = 1;
        for (int i = 0; i < MAXPLAYERS; i++) {
            if (!d->playeringame[i])
                continue;
            for (int what = C_KILLS; what <= C_FRAGS; what++)
                wi->counters[i][what] = 0;
            frags += frag_sum(d, i);
        }
        wi->dofrags = frags != 0;
    } else {
        wi->sp_state = 1;
        wi->counters[0][C_KILLS] = wi->counters[0][C_ITEMS] = wi->counters[0][C_SECRETS] = -1;
        wi->time = wi->par = -1;
    }
}

/* A button that goes down, of any player, skips. What is held since before does not. */
static void read_buttons(struct doom *d)
{
    for (int i = 0; i < MAXPLAYERS; i++) {
        struct player *p = &d->players[i];
        if (!d->playeringame[i])
            continue;
        const bool attack = p->cmd.buttons & BT_ATTACK, use = p->cmd.buttons & BT_USE;
        if ((attack && !p->attackdown) || (use && !p->usedown))
            d->wi.accelerate = true;
        p->attackdown = attack;
        p->usedown = use;
    }
}

void intermission_tick(struct doom *d)
{
    struct intermission *wi = &d->wi;

    wi->bcount++;
    read_buttons(d);
    switch (wi->state) {
    case WI_STATS:
        if (d->deathmatch)
            deathmatch_tick(d);
        else if (d->netgame)
            coop_tick(d);
        else
            single_tick(d);
        break;
    case WI_NEXTLOC:
        if (!--wi->count || wi->accelerate)
            begin_no_state(wi);
        break;
    case WI_NOSTATE:
        if (!--wi->count)
            game_world_done(d);
        break;
    default:
        break;
    }
}
