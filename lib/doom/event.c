/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event.c - what happened, as event records: deaths, exits, new levels. Nothing reads them back. */
#include "../world.h"
#include "play.h"

/* An event becomes visible at the boundary after the tic that runs. NULL: nobody listens, or no memory. */
static struct dh_buf *begin(struct doom *d, const char *what, int slot)
{
    struct dh_buf *b = d->events ? dh_world_event(d->events) : NULL;
    if (b)
        dh_build_event(b, d->gametic + 1, what, slot < 0 ? DH_NO_SLOT : (uint16_t)slot);
    return b;
}

static void put_map(const struct doom *d, struct dh_buf *b)
{
    char name[9];
    dh_build_event_pair(b, "map", "%s", game_map_name(d, name));
}

/* Tics, and the same as h:mm:ss.cc. */
static void put_time(struct dh_buf *b, int tics)
{
    const int s = tics / TICRATE;
    dh_build_event_pair(b, "time", "%d", tics);
    dh_build_event_pair(b, "clock", "%d:%02d:%02d.%02d", s / 3600, s / 60 % 60, s % 60, tics % TICRATE * 100 / TICRATE);
}

void event_death(struct doom *d, struct player *p, struct mobj *source)
{
    struct dh_buf *b = begin(d, "death", p->slot);
    if (!b)
        return;
    put_map(d, b);
    put_time(b, d->leveltime);
    /* the level itself kills through no mobj */
    dh_build_event_pair(b, "by", "%s", source ? thing_labels[source->type] : "-");
    if (source && source->player)
        dh_build_event_pair(b, "byslot", "%d", source->player->slot);
}

void event_exit(struct doom *d)
{
    char next[9] = "-";
    /* the last level of Doom II is followed by the cast */
    if (d->gameaction != GA_VICTORY && !(d->mode == MODE_COMMERCIAL && d->map == 30)) {
        const int32_t map = d->map;
        d->map = d->wi.next + 1;
        game_map_name(d, next);
        d->map = map;
    }
    for (int i = 0; i < MAXPLAYERS; i++) {
        struct dh_buf *b;
        const struct player *p = &d->players[i];
        if (!d->playeringame[i] || !(b = begin(d, "exit", i)))
            continue;
        put_map(d, b);
        dh_build_event_pair(b, "secret", "%d", d->secretexit);
        put_time(b, d->leveltime);
        dh_build_event_pair(b, "kills", "%d", p->kills);
        dh_build_event_pair(b, "totalkills", "%d", d->totalkills);
        dh_build_event_pair(b, "items", "%d", p->items);
        dh_build_event_pair(b, "totalitems", "%d", d->totalitems);
        dh_build_event_pair(b, "secrets", "%d", p->secrets);
        dh_build_event_pair(b, "totalsecrets", "%d", d->totalsecrets);
        for (int k = 0; k < MAXPLAYERS && d->deathmatch; k++) {
            const char key[] = {'f', 'r', 'a', 'g', 's', (char)('0' + k), '\0'};
            if (d->playeringame[k])
                dh_build_event_pair(b, key, "%d", p->frags[k]);
        }
        dh_build_event_pair(b, "next", "%s", next);
    }
}

void event_map(struct doom *d)
{
    struct dh_buf *b = begin(d, "map", -1);
    if (!b)
        return;
    put_map(d, b);
    dh_build_event_pair(b, "skill", "%d", d->skill);
}
