/* SPDX-License-Identifier: ISC */
/* Records as lines of text. */
#include "text.h"

#include <string.h>

#include "bytes.h"
#include "escape.h"
#include "number.h"
#include "record.h"

static void put_text(struct dh_buf *out, const char *s)
{
    dh_put_bytes(out, s, strlen(s));
}

static void put_key(struct dh_buf *out, const char *prefix, const char *key)
{
    size_t before = strlen(prefix), n = strlen(key);
    uint8_t *to = dh_room(out, before + n + 2);

    if (!to)
        return;
    to[0] = ' ';
    dh_copy(to + 1, prefix, before);
    dh_copy(to + 1 + before, key, n);
    to[1 + before + n] = '=';
    out->n += before + n + 2;
}

static void put_number(struct dh_buf *out, uint64_t v)
{
    dh_put_u8(out, ' ');
    dh_text_unsigned(out, v);
}

static bool all_zero(const uint8_t *p, size_t n)
{
    while (n > 0 && *p == 0)
        p++, n--;
    return n == 0;
}

/* The fields of a block; the zero ones too where bit i of shown is set (fields past the 32nd go with the last bit). */
static void put_fields(struct dh_buf *out, const struct dh_schemas *all, const struct dh_schema *schema,
                       const char *prefix, uint32_t shown, struct dh_cur *c)
{
    for (int i = 0; schema && i < schema->nfields; i++) {
        const struct dh_field *f = &schema->fields[i];
        const uint8_t *p = c->p;

        dh_value_skip(NULL, f->type, 0, c);
        size_t n = (size_t)(c->p - p);
        if (!(shown >> (i < 31 ? i : 31) & 1) && all_zero(p, n))
            continue;
        put_key(out, prefix, f->name);
        dh_value_text(out, all, f, p, n);
    }
}

static void put_pairs(struct dh_buf *out, struct dh_cur c)
{
    struct dh_str key, value;

    while (dh_pair_next(&c, &key, &value)) {
        dh_put_u8(out, ' ');
        dh_text_escaped(out, key.p, key.n);
        dh_put_u8(out, '=');
        dh_text_escaped(out, value.p, value.n);
    }
}

static void put_schema(struct dh_buf *out, const struct dh_record *r)
{
    struct dh_schema_record sr;

    if (dh_schema_from_payload(&sr, r->payload, r->len, NULL) < 0) {
        out->failed = true; /* it did decode: memory is what is missing */
        return;
    }
    dh_put_u8(out, ' ');
    dh_schema_to_text(&sr, out);
    dh_schema_record_clear(&sr);
}

static void put_state(struct dh_buf *out, const struct dh_schemas *s, const struct dh_record *r)
{
    const struct dh_schema *schema = dh_state_schema(s, r->kind);
    struct dh_cur block = dh_cur(r->block, r->block_n);
    struct dh_cur types = dh_cur(r->u.state.types, r->u.state.types_n);
    uint64_t digest = r->u.state.digest;
    struct dh_digest d;

    if (!r->u.state.digest_only)
        dh_state_digest(s, r, &digest, NULL, NULL);
    put_text(out, r->u.state.digest_only ? " digest" : " -");
    put_key(out, "", "entities");
    dh_text_unsigned(out, r->u.state.count);
    put_key(out, "", "digest");
    dh_text_hex(out, digest, 16);
    put_fields(out, s, schema, "", UINT32_MAX, &block);
    while (dh_typedigest_next(&types, &d)) {
        put_key(out, "digest.", s->types[d.type].name);
        dh_text_unsigned(out, d.count);
        dh_put_u8(out, ':');
        dh_text_hex(out, d.digest, 16);
    }
}

void dh_print_entity(struct dh_buf *out, const struct dh_schemas *s, const struct dh_record *r,
                     const struct dh_entity *e)
{
    const struct dh_etype *t = &s->types[e->type];
    struct dh_cur block = dh_cur(e->block, e->n);

    put_text(out, dh_kind_name(r->kind));
    put_number(out, r->tick);
    dh_put_u8(out, ' ');
    put_text(out, t->name);
    dh_put_u8(out, '@');
    dh_text_unsigned(out, e->id);
    put_fields(out, s, t->schema, "", UINT32_MAX, &block);
    dh_put_u8(out, '\n');
}

static void put_raw(struct dh_buf *out, const struct dh_record *r)
{
    put_key(out, "", "kind");
    dh_text_unsigned(out, r->raw_kind);
    put_key(out, "", "hex");
    if (r->len)
        dh_text_hexbytes(out, r->payload, r->len);
}

void dh_print_record(struct dh_buf *out, const struct dh_schemas *s, const struct dh_record *r)
{
    put_text(out, dh_kind_name(r->kind));
    if (r->kind == DH_RAW) {
        put_raw(out, r);
        dh_put_u8(out, '\n');
        return;
    }

    /* The payload has everything in the text's order. */
    const struct dh_shape *shape = dh_shape_of(r->kind);
    struct dh_cur c = dh_cur(r->payload, r->len);
    if (shape->tick)
        put_number(out, dh_get_u32(&c));
    if (shape->word) {
        struct dh_str word = dh_get_str(&c);

        dh_put_u8(out, ' ');
        dh_text_escaped(out, word.p, word.n);
    }
    if (shape->slot) {
        uint16_t slot = dh_get_u16(&c);

        if (shape->slot == DH_SLOT_ALWAYS || slot != DH_NO_SLOT)
            put_number(out, slot);
    }
    if (shape->tail != DH_TAIL_STATE)
        put_fields(out, s, &shape->own, "", shape->shown, &c);
    switch (shape->tail) {
    case DH_TAIL_NONE:
        break;
    case DH_TAIL_INPUT:
        put_fields(out, s, s->input, "", 0, &c);
        break;
    case DH_TAIL_JOIN:
        put_fields(out, s, s->join, "", UINT32_MAX, &c);
        break;
    case DH_TAIL_HEADER:
        put_fields(out, s, s->rule, "rule.", UINT32_MAX, &c);
        put_fields(out, s, s->option, "option.", UINT32_MAX, &c);
        break;
    case DH_TAIL_PAIRS:
        put_pairs(out, dh_cur(r->u.event.pairs, r->u.event.pairs_n));
        break;
    case DH_TAIL_HEX:
        put_key(out, "", "hex");
        dh_text_hexbytes(out, c.p, dh_left(&c));
        break;
    case DH_TAIL_STATE:
        put_state(out, s, r);
        break;
    case DH_TAIL_SCHEMA:
        put_schema(out, r);
        break;
    }
    dh_put_u8(out, '\n');
}
