/* SPDX-License-Identifier: ISC */
#include "keep.h"

#include <stdlib.h>
#include <string.h>

/* A payload that was larger than this once (a checkpoint, an origin) does not hold its memory for good. */
#define LARGE ((size_t)1 << 20)

static int reserve(struct dh_kept *k, size_t n)
{
    if (n <= k->cap && (k->cap <= LARGE || n > LARGE / 2))
        return 0;
    size_t cap = n < 64 ? 64 : n;
    uint8_t *mem = realloc(k->mem, cap);
    if (!mem)
        return -1;
    k->mem = mem;
    k->cap = cap;
    return 0;
}

/* Where the copy has what p points at; a pointer to nothing stays one. */
static const uint8_t *moved(const struct dh_kept *k, const struct dh_record *from, const void *p)
{
    return p ? k->mem + ((const uint8_t *)p - from->payload) : NULL;
}

static void move_str(const struct dh_kept *k, const struct dh_record *from, struct dh_str *s)
{
    s->p = (const char *)moved(k, from, s->p);
}

static void move_header(const struct dh_kept *k, const struct dh_record *from, struct dh_header *h)
{
    move_str(k, from, &h->game);
    move_str(k, from, &h->map);
    move_str(k, from, &h->barcode);
    move_str(k, from, &h->closure);
    move_str(k, from, &h->engine);
    move_str(k, from, &h->git);
    h->rules = moved(k, from, h->rules);
    h->options = moved(k, from, h->options);
}

int dh_keep(struct dh_kept *k, const struct dh_record *r)
{
    struct dh_record *c = &k->rec;

    c->payload = NULL;
    c->len = 0;
    if (reserve(k, r->len) < 0)
        return -1;
    if (r->len > 0)
        memcpy(k->mem, r->payload, r->len);
    *c = *r;
    c->payload = k->mem;
    c->block = moved(k, r, r->block);
    switch (r->kind) {
    case DH_HEADER:
        move_header(k, r, &c->u.header);
        break;
    case DH_JOIN:
        move_str(k, r, &c->u.join.name);
        break;
    case DH_CHECKPOINT:
    case DH_SNAPSHOT:
        c->u.state.entities = moved(k, r, r->u.state.entities);
        c->u.state.types = moved(k, r, r->u.state.types);
        break;
    case DH_ORIGIN:
        c->u.origin.bytes = moved(k, r, r->u.origin.bytes);
        break;
    case DH_EVENT:
        move_str(k, r, &c->u.event.what);
        c->u.event.pairs = moved(k, r, r->u.event.pairs);
        break;
    case DH_LOG:
        move_str(k, r, &c->u.log.topic);
        move_str(k, r, &c->u.log.text);
        break;
    case DH_RESOURCE:
        move_str(k, r, &c->u.resource.role);
        move_str(k, r, &c->u.resource.name);
        c->u.resource.sha256 = moved(k, r, r->u.resource.sha256);
        c->u.resource.md5 = moved(k, r, r->u.resource.md5);
        break;
    default:
        break;
    }
    return 0;
}

int dh_keeps_add(struct dh_keeps *l, const struct dh_record *r)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 8;
        struct dh_kept *items = realloc(l->items, cap * sizeof *items);
        if (!items)
            return -1;
        memset(items + l->cap, 0, (cap - l->cap) * sizeof *items);
        l->items = items;
        l->cap = cap;
    }
    if (dh_keep(&l->items[l->n], r) < 0)
        return -1;
    l->n++;
    return 0;
}

void dh_keeps_clear(struct dh_keeps *l)
{
    l->n = 0;
}

void dh_kept_free(struct dh_kept *k)
{
    free(k->mem);
    memset(k, 0, sizeof *k);
}

void dh_keeps_free(struct dh_keeps *l)
{
    for (size_t i = 0; i < l->cap; i++)
        dh_kept_free(&l->items[i]);
    free(l->items);
    memset(l, 0, sizeof *l);
}
