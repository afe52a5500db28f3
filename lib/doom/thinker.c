/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thinker.c - the list of all that acts each tic, the memory of its members, and what becomes of removed ones.
 *
 * A removed thinker only gets a mark; it leaves the list when its next turn comes, which is part of the behaviour (a
 * removed thing still counts for whoever walks the list in between). Other kinds are freed then. A mobj may still be
 * pointed at by those that hunt it, so it goes to the gone list, unchanged, and its memory is used again only once
 * nothing points at it.
 *
 * A gone mobj's links into its sector's list are free for other uses: snext threads the gone list, sprev marks during a
 * sweep.
 */
#include <string.h>

#include "play.h"

#define CHUNK_CELLS 128
#define GONE_MIN 256 /* so many gone ones are kept without looking who points at them */

/* A mobj begins with a cache line. */
#define MOBJ_CELL ((sizeof(struct mobj) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE)

static const uint16_t cell_size[TK_KINDS] = {
    [TK_MOBJ] = MOBJ_CELL,
    [TK_DOOR] = sizeof(struct door),
    [TK_FLOOR] = sizeof(struct floormove),
    [TK_CEILING] = sizeof(struct ceilmove),
    [TK_PLAT] = sizeof(struct plat),
    [TK_FLICKER] = sizeof(struct flicker),
    [TK_FLASH] = sizeof(struct flash),
    [TK_STROBE] = sizeof(struct strobe),
    [TK_GLOW] = sizeof(struct glow),
};

_Static_assert(offsetof(struct mobj, x) == CACHE_LINE && offsetof(struct mobj, player) == 2 * CACHE_LINE,
               "what is read together lies together");
_Static_assert(sizeof(struct mobj) >= sizeof(struct floormove) && sizeof(struct mobj) >= sizeof(struct ceilmove) &&
                   sizeof(struct mobj) >= sizeof(struct plat) && sizeof(struct mobj) >= sizeof(struct door) &&
                   sizeof(struct mobj) >= sizeof(struct flash),
               "doom.nobody serves as a thinker of any kind");

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* A cell without an owner, and a chunk of cells, begin with the next one's address. */
struct cell {
    struct cell *next;
};

static void cell_free(struct doom *d, int kind, void *p)
{
    struct cell *c = p;
    c->next = d->pools[kind].spare;
    d->pools[kind].spare = c;
}

static bool pool_grow(struct doom *d, int kind)
{
    struct thinker_pool *pool = &d->pools[kind];
    size_t size = cell_size[kind];
    const size_t bytes = MOBJ_CELL + CHUNK_CELLS * size; /* the first part is the chain's */
    struct cell *chunk = aligned_alloc(CACHE_LINE, (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!chunk)
        return false;
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    /* Handed out from the low end up, so that neighbours in the list are neighbours in memory. */
    for (size_t i = CHUNK_CELLS; i-- > 0;)
        cell_free(d, kind, (char *)chunk + MOBJ_CELL + i * size);
    return true;
}

static void *cell_take(struct doom *d, int kind)
{
    struct thinker_pool *pool = &d->pools[kind];
    if (!pool->spare && !pool_grow(d, kind))
        return NULL;
    struct cell *c = pool->spare;
    pool->spare = c->next;
    return memset(c, 0, cell_size[kind]);
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

void thinker_init(struct doom *d)
{
    d->cap.prev = d->cap.next = d->cap.awake = d->lastawake = &d->cap;
    d->serial = 0;
    d->gone = NULL;
    d->ngone = 0;
    d->gonelimit = GONE_MIN;
}

void thinker_free_all(struct doom *d)
{
    for (int kind = 0; kind < TK_KINDS; kind++) {
        struct thinker_pool *pool = &d->pools[kind];
        for (struct cell *c = pool->chunks, *next; c; c = next) {
            next = c->next;
            free(c);
        }
        *pool = (struct thinker_pool){0};
    }
    thinker_init(d);
}

/* th comes after one that is awake. */
static void stay_awake(struct doom *d, struct thinker *after, struct thinker *th)
{
    th->awake = after->awake;
    after->awake = th;
    if (d->lastawake == after)
        d->lastawake = th;
}

static void fall_asleep(struct doom *d, struct thinker *before, struct thinker *th)
{
    before->awake = th->awake;
    th->awake = NULL;
    if (d->lastawake == th)
        d->lastawake = before;
}

void thinker_rouse(struct doom *d, struct thinker *th)
{
    struct thinker *before = th->prev;
    while (!before->awake)
        before = before->prev;
    stay_awake(d, before, th);
}

void thinker_rouse_all(struct doom *d)
{
    d->lastawake = &d->cap;
    for (struct thinker *th = d->cap.next; th != &d->cap; th = th->next)
        d->lastawake = d->lastawake->awake = th;
    d->lastawake->awake = &d->cap;
}

void *thinker_new(struct doom *d, enum thinker_kind kind)
{
    struct thinker *th = cell_take(d, (int)kind);
    if (!th) {
        dh_fail(d->err, DH_TROUBLE, "out of memory for the things of the level");
        d->nobody = (struct mobj){0};
        th = &d->nobody.th;
        th->awake = &d->cap;
        th->kind = (uint8_t)kind;
        return th;
    }
    th->kind = (uint8_t)kind;
    th->serial = ++d->serial;
    th->prev = d->cap.prev;
    th->next = &d->cap;
    d->cap.prev->next = th;
    d->cap.prev = th;
    stay_awake(d, d->lastawake, th);
    return th;
}

void thinker_remove(struct doom *d, struct thinker *th)
{
    thinker_stir(d, th);
    th->removed = true;
}

struct thinker *thinker_next(struct doom *d, struct thinker *th)
{
    th = th ? th->next : d->cap.next;
    return th == &d->cap ? NULL : th;
}

struct mobj *thinker_next_mobj(struct doom *d, struct mobj *mo)
{
    struct thinker *th = mo ? mo->th.next : d->cap.next;
    while (th != &d->cap && (th->kind != TK_MOBJ || th->removed))
        th = th->next;
    return th == &d->cap ? NULL : (struct mobj *)th;
}

/* ---- gone mobjs -------------------------------------------------------------------------------------------------- */

/* Chains of gone ones are followed here without recursion: a freshly marked one goes onto the list of those still to
 * look through. */
static void keep(struct mobj **todo, struct mobj *mo)
{
    if (!mo || !mo->th.unlinked || mo->sprev)
        return;
    mo->sprev = *todo ? *todo : mo; /* not NULL is the mark; the list's last points at itself */
    *todo = mo;
}

static void keep_what_is_pointed_at(struct doom *d)
{
    struct mobj *todo = NULL;
    for (struct thinker *th = d->cap.next; th != &d->cap; th = th->next) {
        if (th->kind != TK_MOBJ)
            continue;
        const struct mobj *mo = (struct mobj *)th;
        keep(&todo, mo->target);
        keep(&todo, mo->tracer);
    }
    for (int i = 0; i < MAXPLAYERS; i++) {
        keep(&todo, d->players[i].mo);
        keep(&todo, d->players[i].attacker);
    }
    for (int i = 0; i < d->lev.nsectors; i++)
        keep(&todo, d->lev.sectors[i].soundtarget);
    for (int i = 0; i < BODYQUESIZE; i++)
        keep(&todo, d->bodyque[i]);
    for (int i = 0; i < MAXBRAINTARGETS; i++)
        keep(&todo, d->braintargets[i]);
    keep(&todo, d->linetarget);
    while (todo) {
        struct mobj *mo = todo;
        todo = mo->sprev == mo ? NULL : mo->sprev;
        mo->sprev = mo;
        keep(&todo, mo->target);
        keep(&todo, mo->tracer);
    }
}

static void sweep(struct doom *d)
{
    keep_what_is_pointed_at(d);
    struct mobj **link = &d->gone;
    while (*link) {
        struct mobj *mo = *link;
        if (mo->sprev) {
            mo->sprev = NULL;
            link = &mo->snext;
        } else {
            *link = mo->snext;
            d->ngone--;
            cell_free(d, TK_MOBJ, mo);
        }
    }
    /* Each sweep pays for itself: at least as many have to go as were kept before the next. */
    d->gonelimit = d->ngone * 2 > GONE_MIN ? d->ngone * 2 : GONE_MIN;
}

void thinker_unlink(struct doom *d, struct thinker *th)
{
    th->next->prev = th->prev;
    th->prev->next = th->next;
    th->unlinked = true;
    th->awake = &d->cap; /* whoever may still write into it does not rouse it */
    if (th->kind != TK_MOBJ) {
        cell_free(d, th->kind, th);
        return;
    }
    struct mobj *mo = (struct mobj *)th;
    mo->sprev = NULL;
    mo->snext = d->gone;
    d->gone = mo;
    d->ngone++;
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

/* Nothing but a mobj in the list and in use: its kind and marks are all zero. */
static inline bool plain_mobj(const struct thinker *th)
{
    uint32_t marks;
    _Static_assert(TK_MOBJ == 0 && offsetof(struct thinker, unlinked) == offsetof(struct thinker, kind) + 3,
                   "the kind and the marks are read as one word");
    memcpy(&marks, &th->kind, sizeof marks);
    return marks == 0;
}

/* Most mobjs of most tics lie still and wait for the end of their state, or for nothing: those are done with here, by
 * what mobj_think would do with them. */
static inline bool lies_still(const struct mobj *mo)
{
    return (mo->momx | mo->momy | mo->momz | (mo->z ^ mo->floorz) | (fixed)(mo->flags & MF_SKULLFLY)) == 0;
}

static inline bool only_waits(const struct doom *d, const struct mobj *mo)
{
    return mo->tics == -1 ? !d->respawnmonsters : mo->tics != 1;
}

/*
 * The next one is read after the act: what an act adds at the tail has its turn in the same tic, and what it rouses
 * further on as well.
 *
 * A mobj that lies still in a state without an end sleeps, which is to say that it is passed over, until something is
 * written into it. A player's is moved by the player.
 */
void thinker_run(struct doom *d)
{
    struct thinker *before = &d->cap, *th;
    while ((th = before->awake) != &d->cap) {
        struct mobj *mo = (struct mobj *)th;
        if (plain_mobj(th) && lies_still(mo) && only_waits(d, mo)) {
            if (mo->tics == -1 && !mo->player) {
                fall_asleep(d, before, th);
                continue;
            }
            if (mo->tics != -1)
                mo->tics--;
        } else if (th->removed) {
            fall_asleep(d, before, th);
            thinker_unlink(d, th);
            continue;
        } else if (!th->stasis) {
            act(d, th);
        }
        before = th;
    }
    if (d->ngone > d->gonelimit)
        sweep(d);
}
