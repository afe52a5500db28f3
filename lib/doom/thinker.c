/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thinker.c - the roster of all that acts each tic, in order of creation, and the turns of a tic.
 *
 * A removed thinker only gets a mark; it leaves the roster when its next turn comes, which is part of the behaviour (a
 * removed thing still counts for whoever looks through the roster in between).
 *
 * Most mobjs of most tics lie still and wait for the end of their state, or for nothing. Of these the roster knows when
 * they act next, and until then a tic does not look at them. Whatever is written into one from outside makes it act
 * each tic again (thinker_stir). Its tics are counted down when somebody wants to know them.
 */
#include <limits.h>
#include <string.h>

#include "thinker.h"

#define EACH 0            /* due in each run */
#define NEVER INT32_MAX   /* due in none */
#define NOBODYS INT32_MAX /* turn */
#define LONGEST (1 << 20) /* wait; a patch or a state can have longer ones, which are counted down tic by tic */
#define ROOM 1024         /* places, a multiple of PLACES, doubled as needed */

/* The calendar has a row of bits, one a place, for each of so many days, which come round, and one for every day. */
enum { PLACES = 64, DAYS = 64, EACH_DAY = DAYS, ROWS };

_Static_assert(sizeof(struct mobj) >= sizeof(struct floormove) && sizeof(struct mobj) >= sizeof(struct ceilmove) &&
                   sizeof(struct mobj) >= sizeof(struct plat) && sizeof(struct mobj) >= sizeof(struct door) &&
                   sizeof(struct mobj) >= sizeof(struct flash),
               "doom.nobody serves as a thinker of any kind");

/* ---- the roster -------------------------------------------------------------------------------------------------- */

void thinker_init(struct doom *d)
{
    d->roster = (struct roster){.n = 1, .turn = NOBODYS};
    d->serial = 0;
    gone_init(d);
}

void thinker_free_all(struct doom *d)
{
    pool_free_all(d);
    free(d->roster.who);
    free(d->roster.due);
    free(d->roster.calendar);
    thinker_init(d);
}

static inline uint64_t bit(int32_t place)
{
    return (uint64_t)1 << ((uint32_t)place % PLACES);
}

/* The word of a row of the calendar that has a place's bit. */
static inline uint64_t *word(struct roster *r, int32_t row, int32_t place)
{
    return r->calendar + ((uint32_t)row * (uint32_t)r->room + (uint32_t)place) / PLACES;
}

/* One that waits for more days than there are is called upon before it is due, and entered again. */
static inline void enter(struct roster *r, int32_t place)
{
    const int32_t due = r->due[place];
    if (due != NEVER)
        *word(r, due == EACH ? EACH_DAY : due & (DAYS - 1), place) |= bit(place);
}

static void enter_all(struct roster *r)
{
    memset(r->calendar, 0, (size_t)ROWS * (size_t)r->room / CHAR_BIT);
    for (int32_t i = 1; i < r->n; i++)
        enter(r, i);
}

static bool make_room(struct roster *r)
{
    if (r->n < r->room)
        return true;
    const int32_t room = r->room ? r->room * 2 : ROOM;
    struct thinker **who = realloc(r->who, (size_t)room * sizeof *who);
    if (who)
        r->who = who;
    int32_t *due = who ? realloc(r->due, (size_t)room * sizeof *due) : NULL;
    if (due)
        r->due = due;
    uint64_t *calendar = due ? realloc(r->calendar, (size_t)ROWS * (size_t)room / CHAR_BIT) : NULL;
    if (!calendar)
        return false;
    r->calendar = calendar;
    r->room = room;
    enter_all(r);
    return true;
}

void *thinker_new(struct doom *d, enum thinker_kind kind)
{
    struct roster *r = &d->roster;
    struct thinker *th = make_room(r) ? pool_take(d, (int)kind) : NULL;
    if (!th) {
        dh_fail(d->err, DH_TROUBLE, "out of memory for the things of the level");
        d->nobody = (struct mobj){0};
        th = &d->nobody.th;
        th->kind = (uint8_t)kind;
        return th;
    }
    th->kind = (uint8_t)kind;
    th->serial = ++d->serial;
    th->place = r->n++;
    r->who[th->place] = th;
    r->due[th->place] = EACH;
    enter(r, th->place);
    return th;
}

void thinker_rouse(struct doom *d, struct thinker *th)
{
    struct roster *r = &d->roster;
    int32_t *due = &r->due[th->place];
    if (*due != NEVER)
        ((struct mobj *)th)->tics = *due - r->run + (th->place > r->turn);
    *due = EACH;
    enter(r, th->place);
}

void thinker_settle(struct doom *d)
{
    const struct roster *r = &d->roster;
    for (int32_t i = 1; i < r->n; i++)
        if (r->due[i] != EACH && r->due[i] != NEVER)
            ((struct mobj *)r->who[i])->tics = r->due[i] - r->run;
}

void thinker_remove(struct doom *d, struct thinker *th)
{
    thinker_stir(d, th);
    th->removed = true;
}

void thinker_unlink(struct doom *d, struct thinker *th)
{
    struct roster *r = &d->roster;
    r->who[th->place] = NULL;
    r->due[th->place] = NEVER;
    *word(r, EACH_DAY, th->place) &= ~bit(th->place);
    r->left++;
    th->place = 0; /* whoever may still write into it rouses nobody */
    th->unlinked = true;
    if (th->kind == TK_MOBJ)
        gone_add(d, (struct mobj *)th);
    else
        pool_give(d, th->kind, th);
}

/* Once a quarter of the places is empty. */
static void close_ranks(struct roster *r)
{
    if (r->left * 4 <= r->n)
        return;
    int32_t n = 1;
    for (int32_t i = 1; i < r->n; i++) {
        if (!r->who[i])
            continue;
        r->who[n] = r->who[i];
        r->due[n] = r->due[i];
        r->who[n]->place = n;
        n++;
    }
    r->n = n;
    r->left = 0;
    enter_all(r);
}

struct thinker *thinker_next(struct doom *d, struct thinker *th)
{
    const struct roster *r = &d->roster;
    for (int32_t i = th ? th->place + 1 : 1; i < r->n; i++)
        if (r->who[i])
            return r->who[i];
    return NULL;
}

struct mobj *thinker_next_mobj(struct doom *d, struct mobj *mo)
{
    struct thinker *th = mo ? &mo->th : NULL;
    do
        th = thinker_next(d, th);
    while (th && (th->kind != TK_MOBJ || th->removed));
    return (struct mobj *)th;
}

/* ---- one tic ----------------------------------------------------------------------------------------------------- */

static void act(struct doom *d, struct thinker *th)
{
    switch ((enum thinker_kind)th->kind) {
    case TK_MOBJ:
        mobj_think(d, (struct mobj *)th);
        break;
    case TK_DOOR:
        door_think(d, (struct door *)th);
        break;
    case TK_FLOOR:
        floor_think(d, (struct floormove *)th);
        break;
    case TK_CEILING:
        ceiling_think(d, (struct ceilmove *)th);
        break;
    case TK_PLAT:
        plat_think(d, (struct plat *)th);
        break;
    case TK_FLICKER:
        light_flicker(d, (struct flicker *)th);
        break;
    case TK_FLASH:
        light_flash(d, (struct flash *)th);
        break;
    case TK_STROBE:
        light_strobe(d, (struct strobe *)th);
        break;
    case TK_GLOW:
        light_glow(d, (struct glow *)th);
        break;
    case TK_KINDS:
        break;
    }
}

/* The run in which a mobj that has had its turn does something again, other than to count its tics down. A player's is
 * moved by the player. */
static inline int32_t acts_next(const struct doom *d, const struct mobj *mo)
{
    if ((mo->momx | mo->momy | mo->momz | (mo->z ^ mo->floorz) | (fixed)(mo->flags & MF_SKULLFLY)) != 0 || mo->player)
        return EACH;
    if (mo->tics == -1)
        return d->respawnmonsters ? EACH : NEVER;
    return mo->tics > 0 && mo->tics <= LONGEST ? d->roster.run + mo->tics : EACH;
}

static inline void take_turn(struct doom *d, int32_t place)
{
    struct roster *r = &d->roster;
    struct thinker *th = r->who[place];
    if (r->due[place] != EACH) {
        if (r->due[place] > r->run) { /* it waits for longer, or for something else than when it was entered */
            enter(r, place);
            return;
        }
        r->due[place] = EACH; /* the wait is over */
        enter(r, place);
        ((struct mobj *)th)->tics = 1;
    }
    if (th->removed) {
        thinker_unlink(d, th);
        return;
    }
    if (!th->stasis)
        act(d, th);
    if (th->kind == TK_MOBJ && !th->removed && (r->due[place] = acts_next(d, (struct mobj *)th)) != EACH) {
        *word(r, EACH_DAY, place) &= ~bit(place);
        enter(r, place);
    }
}

/* The next one is looked for after the act: what an act adds at the end has its turn in the same tic, and what it
 * rouses further on as well. */
void thinker_run(struct doom *d)
{
    struct roster *r = &d->roster;
    r->run++;
    for (int32_t first = 0; first < r->n; first += PLACES) {
        uint64_t *today = word(r, r->run & (DAYS - 1), first), due = *today | *word(r, EACH_DAY, first);
        *today = 0;
        while (due != 0) {
            const uint64_t later = ~(uint64_t)1 << __builtin_ctzll(due);
            r->turn = first + __builtin_ctzll(due);
            take_turn(d, r->turn);
            due = (due | *word(r, EACH_DAY, first)) & later;
        }
    }
    r->turn = NOBODYS;
    close_ranks(r);
    gone_sweep(d);
}
