/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plat.c - lifts: floors that go down, wait and come back, or rise for good. */
#include "play.h"

#define PLAT_WAIT (3 * TICRATE)

static void plat_add(struct doom *d, struct plat *t)
{
    for (int i = 0; i < MAXPLATS; i++) {
        if (!d->activeplats[i]) {
            d->activeplats[i] = t;
            return;
        }
    }
    dh_fail(d->err, DH_TROUBLE, "more than %d lifts at once, where the executable stops", MAXPLATS);
}

static void plat_end(struct doom *d, struct plat *t)
{
    for (int i = 0; i < MAXPLATS; i++) {
        if (d->activeplats[i] == t) {
            t->sector->specialdata = NULL;
            thinker_remove(d, &t->th);
            d->activeplats[i] = NULL;
            return;
        }
    }
    dh_fail(d->err, DH_TROUBLE, "sector %d: a lift that is in no list ended", t->sector->index);
}

static void plat_arrived(struct plat *t)
{
    t->count = t->wait;
    t->status = PLAT_WAITING;
}

/* A lift that is up leaves the list, but for one that goes on. Up to 1.1 one that rose to the next floor stays in it,
 * and nothing moves its sector any more (recreated, T_PlatRaise; 1207 says so of the ones that rise by a number, too):
 * it waits for a time that was never set, here without end. */
static bool ends(const struct doom *d, const struct plat *t)
{
    return t->type != PLAT_PERPETUAL && (t->type != PLAT_RAISETONEAREST || d->version >= VERSION_DOOM_1_2);
}

void plat_think(struct doom *d, struct plat *t)
{
    enum plane_result r;
    switch (t->status) {
    case PLAT_UP:
        r = sector_move_plane(d, t->sector, t->speed, t->high, t->crush, false, 1);
        if (r == PLANE_CRUSHED && !t->crush) {
            t->count = t->wait;
            t->status = PLAT_DOWN;
        } else if (r == PLANE_PASTDEST) {
            plat_arrived(t);
            if (ends(d, t))
                plat_end(d, t);
        }
        break;
    case PLAT_DOWN:
        r = sector_move_plane(d, t->sector, t->speed, t->low, CRUSH_NO, false, -1);
        if (r == PLANE_PASTDEST)
            plat_arrived(t);
        break;
    case PLAT_WAITING:
        if (!--t->count)
            t->status = t->sector->floor == t->low ? PLAT_UP : PLAT_DOWN;
        break;
    case PLAT_STASIS:
        break;
    }
}

/* Lifts that were stopped go on when their tag is triggered again, before new ones are made. */
static void plat_wake(struct doom *d, int tag)
{
    for (int i = 0; i < MAXPLATS; i++) {
        struct plat *t = d->activeplats[i];
        if (t && t->tag == tag && t->status == PLAT_STASIS) {
            t->status = t->oldstatus;
            t->th.stasis = false;
        }
    }
}

void plat_stop(struct doom *d, struct line *l)
{
    for (int i = 0; i < MAXPLATS; i++) {
        struct plat *t = d->activeplats[i];
        if (t && t->tag == l->tag && t->status != PLAT_STASIS) {
            t->oldstatus = t->status;
            t->status = PLAT_STASIS;
            t->th.stasis = true;
        }
    }
}

static fixed lower(fixed a, fixed b)
{
    return a < b ? a : b;
}

bool plat_do(struct doom *d, struct line *l, enum plat_type type, int amount)
{
    bool moved = false;
    d->higher = 0;
    if (type == PLAT_PERPETUAL)
        plat_wake(d, l->tag);

    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;) {
        struct sector *s = &d->lev.sectors[n];
        if (s->specialdata)
            continue;
        moved = true;
        struct plat *t = thinker_new(d, TK_PLAT);
        s->specialdata = &t->th;
        t->type = type;
        t->sector = s;
        t->tag = l->tag;
        /* The executable leaves this unset for the kinds that only rise; one that is blocked then goes down to it. */
        t->low = s->floor;

        switch (type) {
        case PLAT_RAISETONEAREST:
            t->speed = FX_ONE / 2;
            s->floorpic = d->lev.sides[l->sidenum[0]].sector->floorpic;
            t->high = sector_next_floor(d, s, s->floor);
            t->status = PLAT_UP;
            s->special = 0; /* whatever the new floor looks like, it does not hurt */
            break;
        case PLAT_RAISEANDCHANGE:
            t->speed = FX_ONE / 2;
            s->floorpic = d->lev.sides[l->sidenum[0]].sector->floorpic;
            t->high = wrap_add(s->floor, FX(amount));
            t->status = PLAT_UP;
            break;
        case PLAT_DOWNWAITUP:
        case PLAT_BLAZE:
            t->speed = type == PLAT_BLAZE ? FX(8) : FX(4);
            t->low = lower(sector_lowest_floor(s), s->floor);
            t->high = s->floor;
            t->wait = PLAT_WAIT;
            t->status = PLAT_DOWN;
            break;
        case PLAT_PERPETUAL:
            t->speed = FX_ONE;
            t->low = lower(sector_lowest_floor(s), s->floor);
            t->high = sector_highest_floor(s);
            if (t->high < s->floor)
                t->high = s->floor;
            t->wait = PLAT_WAIT;
            t->status = rng_next(d) & 1 ? PLAT_DOWN : PLAT_UP;
            break;
        }
        plat_add(d, t);
    }
    return moved;
}
