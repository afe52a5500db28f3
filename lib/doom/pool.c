/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool.c - the memory of thinkers: cells of one size for each kind, handed out again after use. */
#include <string.h>

#include "thinker.h"

#define CHUNK_CELLS 128

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

_Static_assert(offsetof(struct mobj, x) == CACHE_LINE && offsetof(struct mobj, movecount) == 2 * CACHE_LINE,
               "what is read together lies together");

/* A cell without an owner, and a chunk of cells, begin with the next one's address. */
struct cell {
    struct cell *next;
};

void pool_give(struct doom *d, int kind, void *thinker)
{
    struct cell *c = thinker;
    c->next = d->pools[kind].spare;
    d->pools[kind].spare = c;
}

static bool grow(struct doom *d, int kind)
{
    struct thinker_pool *pool = &d->pools[kind];
    size_t size = cell_size[kind];
    const size_t bytes = MOBJ_CELL + CHUNK_CELLS * size; /* the first part is the chain's */
    struct cell *chunk = aligned_alloc(CACHE_LINE, (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!chunk)
        return false;
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    /* Handed out from the low end up, so that neighbours in the roster are neighbours in memory. */
    for (size_t i = CHUNK_CELLS; i-- > 0;)
        pool_give(d, kind, (char *)chunk + MOBJ_CELL + i * size);
    return true;
}

void *pool_take(struct doom *d, int kind)
{
    struct thinker_pool *pool = &d->pools[kind];
    if (!pool->spare && !grow(d, kind))
        return NULL;
    struct cell *c = pool->spare;
    pool->spare = c->next;
    return memset(c, 0, cell_size[kind]);
}

void pool_free_all(struct doom *d)
{
    for (int kind = 0; kind < TK_KINDS; kind++) {
        struct thinker_pool *pool = &d->pools[kind];
        for (struct cell *c = pool->chunks, *next; c; c = next) {
            next = c->next;
            free(c);
        }
        *pool = (struct thinker_pool){0};
    }
}
