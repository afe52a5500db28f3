/* SPDX-License-Identifier: ISC */
/*
 * Checkpoints and snapshots: u32 tick, u8 form, the state block, then
 * form 0: u32 count, and count entities: leb type, leb id, the block of the type's schema;
 * form 1: u32 count, u64 digest, leb types, and for each in ascending order: leb type, u32 count, u64 digest.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "record.h"
#include "schema.h"
#include "sha.h"

enum { FORM_FULL, FORM_DIGEST };

bool dh_entity_next(const struct dh_schemas *s, struct dh_cur *c, struct dh_entity *e)
{
    if (c->p == c->end)
        return false;
    uint64_t type = dh_take_leb(c);
    e->id = dh_take_leb(c);
    if (c->bad || type >= (uint64_t)s->ntypes)
        return false;
    e->type = (int)type;
    e->block = c->p;
    if (dh_block_skip(NULL, s->types[type].schema, 0, c) != DH_FITS)
        return false;
    e->n = (size_t)(c->p - e->block);
    return true;
}

bool dh_typedigest_next(struct dh_cur *c, struct dh_digest *d)
{
    if (c->p == c->end)
        return false;
    d->type = (int)dh_get_leb(c);
    d->count = dh_get_u32(c);
    d->digest = dh_get_u64(c);
    return !c->bad;
}

static enum dh_verdict no_type(struct dh_err *e, const char *what, uint64_t type, int ntypes)
{
    dh_fail(e, DH_TROUBLE, "%s: entity type %llu, but the schema records name only %d", what, (unsigned long long)type,
            ntypes);
    return DH_CORRUPT;
}

static enum dh_verdict decode_full(const struct dh_schemas *s, int kind, struct dh_cur *c, struct dh_record *r,
                                   struct dh_err *e)
{
    enum dh_verdict v = DH_CANONICAL;

    r->u.state.count = dh_get_u32(c);
    r->u.state.entities = c->p;
    for (uint32_t i = 0; i < r->u.state.count && !c->bad; i++) {
        uint64_t type = dh_take_leb(c);

        dh_take_leb(c);
        if (c->bad)
            break;
        if (type >= (uint64_t)s->ntypes)
            return no_type(e, dh_kind_name(kind), type, s->ntypes);
        if (!dh_type_fits(s, type, kind))
            v = DH_RAW_FORM;
        switch (dh_block_skip(s, s->types[type].schema, kind, c)) {
        case DH_ODD:
            v = DH_RAW_FORM;
            break;
        case DH_NO_TYPE:
            dh_fail(e, DH_TROUBLE, "%s: a reference to an entity type that no schema record names", dh_kind_name(kind));
            return DH_CORRUPT;
        default:
            break;
        }
    }
    r->u.state.entities_n = (size_t)(c->p - r->u.state.entities);
    return v;
}

static enum dh_verdict decode_digests(const struct dh_schemas *s, int kind, struct dh_cur *c, struct dh_record *r,
                                      struct dh_err *e)
{
    enum dh_verdict v = DH_CANONICAL;
    uint64_t above = 0; /* types have to be at least this */

    r->u.state.digest_only = true;
    r->u.state.count = dh_get_u32(c);
    r->u.state.digest = dh_get_u64(c);
    uint64_t n = dh_get_leb(c);
    r->u.state.types = c->p;
    for (uint64_t i = 0; i < n && !c->bad; i++) {
        uint64_t type = dh_get_leb(c);

        dh_get_u32(c);
        dh_get_u64(c);
        if (c->bad)
            break;
        if (type >= (uint64_t)s->ntypes)
            return no_type(e, dh_kind_name(kind), type, s->ntypes);
        if (type < above || !dh_type_fits(s, type, kind))
            v = DH_RAW_FORM;
        above = type + 1;
    }
    r->u.state.ntypes = (uint32_t)n;
    r->u.state.types_n = (size_t)(c->p - r->u.state.types);
    return v;
}

enum dh_verdict dh_decode_state(const struct dh_schemas *s, int kind, struct dh_cur *c, struct dh_record *r,
                                struct dh_err *e)
{
    uint8_t form = dh_get_u8(c);

    if (c->bad)
        return DH_CANONICAL;
    if (form > FORM_DIGEST)
        return DH_RAW_FORM;
    r->block = c->p;
    enum dh_fit fit = dh_block_skip(s, dh_state_schema(s, kind), kind, c);
    r->block_n = (size_t)(c->p - r->block);
    if (fit == DH_NO_TYPE) {
        dh_fail(e, DH_TROUBLE, "%s: a reference to an entity type that no schema record names", dh_kind_name(kind));
        return DH_CORRUPT;
    }
    if (c->bad)
        return DH_CANONICAL;
    enum dh_verdict v = form == FORM_FULL ? decode_full(s, kind, c, r, e) : decode_digests(s, kind, c, r, e);
    return v == DH_CANONICAL && fit == DH_ODD ? DH_RAW_FORM : v;
}

/* ---- digests ----------------------------------------------------------------------------------------------------- */

static uint64_t final(struct dh_sha *sha)
{
    uint8_t sum[32];
    uint64_t v = 0;

    dh_sha_end(sha, sum);
    for (int i = 0; i < 8; i++)
        v = v << 8 | sum[i];
    return v;
}

struct account {
    struct dh_sha sha;
    uint32_t count;
};

/* Accounts are opened as types are met. They, and which of them is each type's (the first is 1; 0: none yet), lie in
 * the schemas' scratch: a state after the first is hashed without asking for memory. An entity has at least two bytes.
 */
static int by_type(const struct dh_schemas *s, const struct dh_record *r, struct dh_digest **types, uint32_t *ntypes)
{
    struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);
    size_t n = (size_t)s->ntypes, most = n < dh_left(&c) / 2 ? n : dh_left(&c) / 2;
    struct dh_entity ent;
    uint32_t used = 0;

    dh_buf_clear(s->scratch);
    struct account *accounts = (void *)dh_buf_room(s->scratch, most * sizeof *accounts + (n + 1) * sizeof(uint32_t));
    if (!accounts)
        return -1;
    uint32_t *of = (void *)(accounts + most);
    memset(of, 0, n * sizeof *of);
    for (const uint8_t *p = c.p; dh_entity_next(s, &c, &ent); p = c.p) {
        struct dh_cur head = dh_cur(p, (size_t)(c.p - p));

        if (of[ent.type] == 0) {
            of[ent.type] = ++used;
            accounts[used - 1].count = 0;
            dh_sha_init(&accounts[used - 1].sha);
        }
        struct account *a = &accounts[of[ent.type] - 1];
        dh_take_leb(&head); /* the type's number is the stream's own affair */
        dh_sha_add(&a->sha, head.p, dh_left(&head));
        a->count++;
    }
    *types = malloc((used + 1) * sizeof **types);
    if (!*types)
        return -1;
    *ntypes = 0;
    for (int t = 0; t < s->ntypes; t++)
        if (of[t])
            (*types)[(*ntypes)++] = (struct dh_digest){t, accounts[of[t] - 1].count, final(&accounts[of[t] - 1].sha)};
    return 0;
}

/* The whole's digest is made of the types' digests, so that the bytes are hashed once, and of their names, so that it
 * does not depend on how a stream numbers them. */
int dh_state_digest(const struct dh_schemas *s, const struct dh_record *r, uint64_t *whole, struct dh_digest **types,
                    uint32_t *ntypes)
{
    struct dh_digest *list;
    struct dh_buf name = {0};
    uint32_t n;
    struct dh_sha sha;

    if (by_type(s, r, &list, &n) < 0)
        return -1;
    dh_sha_init(&sha);
    dh_sha_add(&sha, r->block, r->block_n);
    for (uint32_t i = 0; i < n && !name.failed; i++) {
        dh_buf_clear(&name);
        dh_put_str(&name, s->types[list[i].type].name);
        dh_put_u32(&name, list[i].count);
        dh_put_u64(&name, list[i].digest);
        dh_sha_add(&sha, name.p, name.n);
    }
    *whole = final(&sha);
    bool failed = name.failed;
    dh_buf_free(&name);
    if (types && !failed) {
        *types = list;
        *ntypes = n;
    } else {
        free(list);
    }
    return failed ? -1 : 0;
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

void dh_state_begin(struct dh_state *st)
{
    dh_buf_clear(&st->head);
    dh_buf_clear(&st->body);
    st->count = 0;
}

void dh_state_entity(struct dh_state *st, int type, uint64_t id)
{
    uint8_t *to = dh_buf_room(&st->body, 20);

    if (to) {
        to = dh_set_leb(dh_set_leb(to, (uint64_t)type), id);
        st->body.n = (size_t)(to - st->body.p);
    }
    st->count++;
}

void dh_state_free(struct dh_state *st)
{
    dh_buf_free(&st->head);
    dh_buf_free(&st->body);
}

static void begin(struct dh_buf *b, uint32_t tick, int form, const struct dh_state *st)
{
    dh_put_u32(b, tick);
    dh_put_u8(b, (uint8_t)form);
    dh_put_bytes(b, st->head.p, st->head.n);
    dh_put_u32(b, st->count);
    b->failed |= st->head.failed || st->body.failed;
}

void dh_build_state(struct dh_buf *b, uint32_t tick, const struct dh_state *st)
{
    begin(b, tick, FORM_FULL, st);
    dh_put_bytes(b, st->body.p, st->body.n);
}

void dh_build_digest_parts(struct dh_buf *b, uint64_t whole, const struct dh_digest *types, uint32_t ntypes)
{
    dh_put_u64(b, whole);
    dh_put_leb(b, ntypes);
    for (uint32_t i = 0; i < ntypes; i++) {
        dh_put_leb(b, (uint64_t)types[i].type);
        dh_put_u32(b, types[i].count);
        dh_put_u64(b, types[i].digest);
    }
}

int dh_build_digest(struct dh_buf *b, uint32_t tick, const struct dh_schemas *s, const struct dh_state *st)
{
    struct dh_record r = {.block = st->head.p, .block_n = st->head.n};
    struct dh_digest *types;
    uint32_t ntypes;
    uint64_t whole;

    r.u.state.entities = st->body.p;
    r.u.state.entities_n = st->body.n;
    if (dh_state_digest(s, &r, &whole, &types, &ntypes) < 0)
        return -1;
    begin(b, tick, FORM_DIGEST, st);
    dh_build_digest_parts(b, whole, types, ntypes);
    free(types);
    return b->failed ? -1 : 0;
}
