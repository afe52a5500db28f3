/* SPDX-License-Identifier: ISC */
#include "live.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 65536

static struct dh_player *player(struct dh_live *l, uint16_t slot)
{
    if (!l->slots && !(l->slots = calloc(SLOTS, sizeof *l->slots)))
        return NULL;
    if (l->slots[slot])
        return &l->players[l->slots[slot] - 1];
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 8;
        struct dh_player *p = realloc(l->players, cap * sizeof *p);
        if (!p)
            return NULL;
        memset(p + l->cap, 0, (cap - l->cap) * sizeof *p);
        l->players = p;
        l->cap = cap;
    }
    l->slots[slot] = (int)++l->n;
    return &l->players[l->n - 1];
}

int dh_live_apply(struct dh_live *l, const struct dh_record *r)
{
    struct dh_player *p;

    if (r->kind == DH_LEAVE) {
        if (l->slots && l->slots[r->slot])
            l->players[l->slots[r->slot] - 1].live = false;
        return 0;
    }
    p = player(l, r->slot);
    if (!p || dh_keep(&p->join, r) < 0)
        return -1;
    p->live = true;
    return 0;
}

size_t dh_live_count(const struct dh_live *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++)
        n += l->players[i].live;
    return n;
}

/* ---- a join's fields out of a state ------------------------------------------------------------------------------ */

enum { UNLIKE = -1 };

/* field_map[type * fields + i] is which field of that entity type join field i is; the first is UNLIKE for a type that
 * does not have them all. */
static int make_map(struct dh_live *l, const struct dh_schemas *s)
{
    int fields = s->join->nfields;

    l->field_map = calloc((size_t)s->ntypes + 1, (size_t)fields * sizeof *l->field_map);
    if (!l->field_map)
        return -1;
    l->map_types = s->ntypes;
    l->map_fields = fields;
    for (int t = 0; t < s->ntypes; t++) {
        int *map = l->field_map + (size_t)t * (size_t)fields;
        const struct dh_schema *type = s->types[t].schema;
        for (int i = 0; i < fields; i++) {
            map[i] = dh_schema_find(type, s->join->fields[i].name);
            if (map[i] < 0 || type->fields[map[i]].type != s->join->fields[i].type) {
                map[0] = UNLIKE;
                break;
            }
        }
    }
    return 0;
}

/* The live players by wire id, to look entities up in. */
struct by_wire {
    uint32_t wire;
    size_t player;
    struct dh_entity entity; /* type UNLIKE until it is found */
};

static int by_wire_order(const void *a, const void *b)
{
    const struct by_wire *x = a, *y = b;

    return (x->wire > y->wire) - (x->wire < y->wire);
}

static struct by_wire *find_wire(struct by_wire *list, size_t n, uint64_t id)
{
    struct by_wire key = {.wire = (uint32_t)id};

    return id > UINT32_MAX || n == 0 ? NULL : bsearch(&key, list, n, sizeof *list, by_wire_order);
}

static void find_entities(const struct dh_live *l, const struct dh_schemas *s, const struct dh_record *at,
                          struct by_wire *list, size_t n)
{
    struct dh_cur c = dh_cur(at->u.state.entities, at->u.state.entities_n);

    for (struct dh_entity en; dh_entity_next(s, &c, &en);) {
        if (en.type >= l->map_types || l->field_map[(size_t)en.type * (size_t)l->map_fields] == UNLIKE)
            continue;
        struct by_wire *w = find_wire(list, n, en.id);
        if (w && w->entity.type == UNLIKE)
            w->entity = en;
    }
}

static void put_fields(struct dh_buf *block, const struct dh_live *l, const struct dh_schemas *s,
                       const struct dh_entity *en)
{
    const int *map = l->field_map + (size_t)en->type * (size_t)l->map_fields;

    for (int i = 0; i < l->map_fields; i++) {
        size_t size;
        const uint8_t *p = dh_block_field(s->types[en->type].schema, en->block, en->n, map[i], &size);
        dh_put_bytes(block, p, size);
    }
}

static int join_from(const struct dh_live *l, const struct dh_schemas *s, struct by_wire *list, size_t n,
                     const struct dh_record *join, struct dh_buf *block, struct dh_err *e)
{
    const struct by_wire *w = find_wire(list, n, join->u.join.wire);

    if (!w || w->entity.type == UNLIKE)
        return dh_fail(e, DH_TROUBLE, "no entity of the checkpoint holds the movement state of slot %d (wire %lu)",
                       join->slot, (unsigned long)join->u.join.wire);
    put_fields(block, l, s, &w->entity);
    return block->failed ? dh_fail(e, DH_TROUBLE, "out of memory") : 0;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static int look_up(struct dh_live *l, const struct dh_schemas *s, const struct dh_record *at, struct by_wire **list,
                   size_t *n)
{
    if (!l->field_map && make_map(l, s) < 0)
        return -1;
    *list = calloc(l->n + 1, sizeof **list);
    if (!*list)
        return -1;
    for (size_t i = 0; i < l->n; i++)
        if (l->players[i].live)
            (*list)[(*n)++] =
                (struct by_wire){.wire = l->players[i].join.rec.u.join.wire, .player = i, .entity = {.type = UNLIKE}};
    qsort(*list, *n, sizeof **list, by_wire_order);
    find_entities(l, s, at, *list, *n);
    return 0;
}

int dh_live_joins(struct dh_live *l, const struct dh_schemas *s, const struct dh_record *at, uint32_t tick,
                  int (*fn)(void *ctx, const struct dh_buf *payload), void *ctx, struct dh_err *e)
{
    struct dh_buf payload = {0}, block = {0};
    struct by_wire *list = NULL;
    size_t n = 0;
    int rc = 0;

    if (!s->join || s->join->nfields == 0)
        at = NULL; /* a join says who, and nothing of how they stand */
    if (at && l->n > 0 && look_up(l, s, at, &list, &n) < 0)
        rc = dh_fail(e, DH_TROUBLE, "out of memory");
    for (int slot = 0; l->slots && slot < SLOTS && rc == 0; slot++) {
        const struct dh_player *p = l->slots[slot] ? &l->players[l->slots[slot] - 1] : NULL;
        if (!p || !p->live)
            continue;
        const struct dh_record *join = &p->join.rec;
        dh_buf_clear(&block);
        dh_buf_clear(&payload);
        if (!at || join->tick == tick)
            dh_put_bytes(&block, join->block, join->block_n);
        else if ((rc = join_from(l, s, list, n, join, &block, e)) < 0)
            break;
        dh_build_join(&payload, tick, join->slot, join->u.join.wire, join->u.join.name, block.p, block.n);
        rc = block.failed || payload.failed ? dh_fail(e, DH_TROUBLE, "out of memory") : fn(ctx, &payload);
    }
    free(list);
    dh_buf_free(&payload);
    dh_buf_free(&block);
    return rc;
}

void dh_live_free(struct dh_live *l)
{
    for (size_t i = 0; i < l->cap; i++)
        dh_kept_free(&l->players[i].join);
    free(l->players);
    free(l->slots);
    free(l->field_map);
    memset(l, 0, sizeof *l);
}
