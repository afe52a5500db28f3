/* SPDX-License-Identifier: ISC */
#include "record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "schema.h"

/* ---- the shapes -------------------------------------------------------------------------------------------------- */

#define AT(member) offsetof(struct dh_record, member)
#define OWN(list, offsets) .own = {.nfields = sizeof list / sizeof *list, .fields = list, .size = -1}, .at = offsets

/* The fields are never written to; dh_field has no const for those who build them. */
static char *reasons[] = {"stop", "map-switch", "shutdown", "until", "split"};
static char *parts[] = {"head", "tail"};

static struct dh_field end_own[] = {{"reason", DH_ENUM8, 5, reasons}};
static const size_t end_at[] = {AT(u.end.reason)};

static struct dh_field header_own[] = {
    {"game", DH_STR, 0, NULL},   {"map", DH_STR, 0, NULL},  {"barcode", DH_STR, 0, NULL}, {"closure", DH_STR, 0, NULL},
    {"engine", DH_STR, 0, NULL}, {"git", DH_STR, 0, NULL},  {"rate", DH_F64, 0, NULL},    {"interval", DH_U32, 0, NULL},
    {"start", DH_U32, 0, NULL},  {"fresh", DH_U8, 0, NULL},
};
static const size_t header_at[] = {
    AT(u.header.game), AT(u.header.map),  AT(u.header.barcode),  AT(u.header.closure), AT(u.header.engine),
    AT(u.header.git),  AT(u.header.rate), AT(u.header.interval), AT(u.header.start),   AT(u.header.fresh),
};
enum { HEADER_SHOWN = 1 << 6 | 1 << 7 | 1 << 8 }; /* rate, interval, start */

static struct dh_field join_own[] = {{"wire", DH_U32, 0, NULL}, {"name", DH_STR, 0, NULL}};
static const size_t join_at[] = {AT(u.join.wire), AT(u.join.name)};

static struct dh_field origin_own[] = {{"part", DH_ENUM8, 2, parts}};
static const size_t origin_at[] = {AT(u.origin.part)};

static struct dh_field log_own[] = {{"text", DH_STR, 0, NULL}};
static const size_t log_at[] = {AT(u.log.text)};

static struct dh_field resource_own[] = {
    {"role", DH_STR, 0, NULL},      {"name", DH_STR, 0, NULL},   {"size", DH_U64, 0, NULL},
    {"sha256", DH_HASH32, 0, NULL}, {"md5", DH_HASH16, 0, NULL},
};
static const size_t resource_at[] = {
    AT(u.resource.role), AT(u.resource.name), AT(u.resource.size), AT(u.resource.sha256), AT(u.resource.md5),
};
enum { RESOURCE_SHOWN = 1 << 0 | 1 << 1 | 1 << 2 }; /* a hash that nobody took is zero, and left out */

static struct dh_field state_own[] = {{"entities", DH_U32, 0, NULL}, {"digest", DH_HEX64, 0, NULL}};
static const size_t state_at[] = {AT(u.state.count), AT(u.state.digest)};

#define ALL UINT32_MAX

static const struct dh_shape shapes[DH_KINDS] = {
    [DH_END] = {"end", .tick = true, OWN(end_own, end_at), .shown = ALL},
    [DH_HEADER] = {"header", OWN(header_own, header_at), .shown = HEADER_SHOWN, .tail = DH_TAIL_HEADER},
    [DH_JOIN] = {"join", .tick = true, .slot = DH_SLOT_ALWAYS, OWN(join_own, join_at), .shown = ALL,
                 .tail = DH_TAIL_JOIN},
    [DH_LEAVE] = {"leave", .tick = true, .slot = DH_SLOT_ALWAYS},
    [DH_INPUT] = {"input", .tick = true, .slot = DH_SLOT_ALWAYS, .tail = DH_TAIL_INPUT},
    [DH_CHECKPOINT] = {"checkpoint", .tick = true, OWN(state_own, state_at), .shown = ALL, .tail = DH_TAIL_STATE},
    [DH_SNAPSHOT] = {"snapshot", .tick = true, OWN(state_own, state_at), .shown = ALL, .tail = DH_TAIL_STATE},
    [DH_ORIGIN] = {"origin", OWN(origin_own, origin_at), .shown = ALL, .tail = DH_TAIL_HEX},
    [DH_EVENT] = {"event", .tick = true, .word = AT(u.event.what), .slot = DH_SLOT_MAYBE, .tail = DH_TAIL_PAIRS},
    [DH_SCHEMA] = {"schema", .tail = DH_TAIL_SCHEMA},
    [DH_LOG] = {"log", .tick = true, .word = AT(u.log.topic), OWN(log_own, log_at), .shown = ALL},
    [DH_RESOURCE] = {"resource", OWN(resource_own, resource_at), .shown = RESOURCE_SHOWN},
};

const struct dh_shape *dh_shape_of(int kind)
{
    return &shapes[kind];
}

const char *dh_kind_name(int kind)
{
    return kind >= 0 && kind < DH_KINDS ? shapes[kind].name : "raw";
}

int dh_kind_named(const char *p, size_t n)
{
    for (int k = 0; k < DH_KINDS; k++)
        if (strlen(shapes[k].name) == n && memcmp(shapes[k].name, p, n) == 0)
            return k;
    return -1;
}

uint32_t dh_payload_cap(uint8_t kind)
{
    return kind == DH_CHECKPOINT || kind == DH_SNAPSHOT ? UINT32_C(256) << 20 : UINT32_C(16) << 20;
}

/* ---- members to bytes and back ----------------------------------------------------------------------------------- */

static void put_member(struct dh_buf *b, enum dh_type t, const void *m)
{
    static const uint8_t zeros[32];

    switch (t) {
    case DH_U8:
    case DH_ENUM8:
        dh_put_u8(b, *(const uint8_t *)m);
        break;
    case DH_U32:
        dh_put_u32(b, *(const uint32_t *)m);
        break;
    case DH_U64:
        dh_put_u64(b, *(const uint64_t *)m);
        break;
    case DH_F64:
        dh_put_f64(b, *(const double *)m);
        break;
    case DH_STR:
        dh_put_strn(b, ((const struct dh_str *)m)->p, ((const struct dh_str *)m)->n);
        break;
    default: { /* a hash */
        const uint8_t *p = *(const uint8_t *const *)m;

        dh_put_bytes(b, p ? p : zeros, (size_t)dh_type_size(t));
    }
    }
}

static void get_member(struct dh_cur *c, enum dh_type t, void *m)
{
    switch (t) {
    case DH_U8:
    case DH_ENUM8:
        *(uint8_t *)m = dh_get_u8(c);
        break;
    case DH_U32:
        *(uint32_t *)m = dh_get_u32(c);
        break;
    case DH_U64:
        *(uint64_t *)m = dh_get_u64(c);
        break;
    case DH_F64:
        *(double *)m = dh_get_f64(c);
        break;
    case DH_STR:
        *(struct dh_str *)m = dh_get_str(c);
        break;
    default:
        *(const uint8_t **)m = dh_get_bytes(c, (size_t)dh_type_size(t));
    }
}

void dh_encode(struct dh_buf *b, int kind, const struct dh_record *r)
{
    const struct dh_shape *shape = &shapes[kind];
    const char *base = (const char *)r;

    if (shape->tick)
        dh_put_u32(b, r->tick);
    if (shape->word)
        put_member(b, DH_STR, base + shape->word);
    if (shape->slot)
        dh_put_u16(b, r->slot);
    for (int i = 0; i < shape->own.nfields; i++)
        put_member(b, shape->own.fields[i].type, base + shape->at[i]);

    switch (shape->tail) {
    case DH_TAIL_INPUT:
    case DH_TAIL_JOIN:
        dh_put_bytes(b, r->block, r->block_n);
        break;
    case DH_TAIL_HEADER:
        dh_put_bytes(b, r->u.header.rules, r->u.header.rules_n);
        dh_put_bytes(b, r->u.header.options, r->u.header.options_n);
        break;
    case DH_TAIL_PAIRS:
        dh_put_leb(b, r->u.event.npairs);
        dh_put_bytes(b, r->u.event.pairs, r->u.event.pairs_n);
        break;
    case DH_TAIL_HEX:
        dh_put_bytes(b, r->u.origin.bytes, r->u.origin.n);
        break;
    default:
        break;
    }
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

bool dh_pair_next(struct dh_cur *c, struct dh_str *key, struct dh_str *value)
{
    if (c->p == c->end)
        return false;
    *key = dh_get_str(c);
    *value = dh_get_str(c);
    return !c->bad;
}

/* The text knows no pair without a key or with an earlier one's. */
static bool pairs_printable(struct dh_cur c)
{
    struct dh_cur all = c;
    struct dh_str key, value;

    for (int n = 0; dh_pair_next(&c, &key, &value); n++) {
        struct dh_cur earlier = all;
        struct dh_str k, v;

        if (key.n == 0)
            return false;
        for (int i = 0; i < n && dh_pair_next(&earlier, &k, &v); i++)
            if (k.n == key.n && memcmp(k.p, key.p, k.n) == 0)
                return false;
    }
    return true;
}

static enum dh_verdict fit(enum dh_fit f, const struct dh_cur *c, struct dh_err *e)
{
    if (f == DH_NO_TYPE) {
        dh_fail(e, DH_TROUBLE, "a reference to an entity type that no schema record names");
        return DH_CORRUPT;
    }
    return f == DH_ODD || c->overlong ? DH_RAW_FORM : DH_CANONICAL; /* short: the cursor knows */
}

static enum dh_verdict block(const struct dh_schemas *s, const struct dh_schema *schema, int kind, struct dh_cur *c,
                             const uint8_t **p, size_t *n, struct dh_err *e)
{
    *p = c->p;
    enum dh_verdict v = fit(dh_block_skip(s, schema, kind, c), c, e);
    *n = (size_t)(c->p - *p);
    return v;
}

static enum dh_verdict decode_tail(const struct dh_schemas *s, int kind, struct dh_cur *c, struct dh_record *r,
                                   struct dh_err *e)
{
    enum dh_verdict v;

    switch (shapes[kind].tail) {
    case DH_TAIL_INPUT:
        return block(s, s->input, kind, c, &r->block, &r->block_n, e);
    case DH_TAIL_JOIN:
        return block(s, s->join, kind, c, &r->block, &r->block_n, e);
    case DH_TAIL_HEADER:
        v = block(s, s->rule, kind, c, &r->u.header.rules, &r->u.header.rules_n, e);
        if (v != DH_CANONICAL)
            return v;
        return block(s, s->option, kind, c, &r->u.header.options, &r->u.header.options_n, e);
    case DH_TAIL_PAIRS: {
        uint64_t n = dh_get_leb(c);

        r->u.event.pairs = c->p;
        for (uint64_t i = 0; i < n && !c->bad; i++) {
            dh_get_str(c);
            dh_get_str(c);
        }
        r->u.event.pairs_n = (size_t)(c->p - r->u.event.pairs);
        r->u.event.npairs = (uint32_t)n;
        if (!c->bad && (n > DH_EVENT_PAIRS || !pairs_printable(dh_cur(r->u.event.pairs, r->u.event.pairs_n))))
            return DH_RAW_FORM;
        return DH_CANONICAL;
    }
    case DH_TAIL_HEX:
        r->u.origin.n = dh_left(c);
        r->u.origin.bytes = dh_get_bytes(c, r->u.origin.n);
        return r->u.origin.n == 0 || r->u.origin.n > DH_ORIGIN_MAX ? DH_RAW_FORM : DH_CANONICAL;
    default:
        return DH_CANONICAL;
    }
}

static enum dh_verdict decode_plain(const struct dh_schemas *s, int kind, struct dh_cur *c, struct dh_record *r,
                                    struct dh_err *e)
{
    const struct dh_shape *shape = &shapes[kind];
    char *base = (char *)r;

    if (shape->word) {
        struct dh_str *word = (struct dh_str *)(base + shape->word);

        get_member(c, DH_STR, word);
        if (!c->bad && word->n == 0)
            return DH_RAW_FORM; /* the text has no empty word */
    }
    if (shape->slot)
        r->slot = dh_get_u16(c);
    for (int i = 0; i < shape->own.nfields && !c->bad; i++)
        get_member(c, shape->own.fields[i].type, base + shape->at[i]);
    return c->bad ? DH_CANONICAL : decode_tail(s, kind, c, r, e);
}

static enum dh_verdict decode(const struct dh_schemas *s, int kind, struct dh_cur *c, struct dh_record *r,
                              struct dh_err *e)
{
    const struct dh_shape *shape = &shapes[kind];
    enum dh_verdict v;

    if (shape->tail == DH_TAIL_SCHEMA) {
        struct dh_schema_record sr;

        if (dh_schema_from_payload(&sr, c->p, dh_left(c), e) < 0)
            return DH_CORRUPT;
        dh_schema_record_clear(&sr);
        return DH_CANONICAL;
    }
    if (shape->tick) {
        r->tick = dh_get_u32(c);
        r->has_tick = !c->bad;
    }
    v = shape->tail == DH_TAIL_STATE ? dh_decode_state(s, kind, c, r, e) : decode_plain(s, kind, c, r, e);
    if (v == DH_CORRUPT)
        return v;
    if (c->bad && !c->overlong) {
        dh_fail(e, DH_TROUBLE, "%s: the record ends inside its fields (%zu bytes)", shape->name, r->len);
        return DH_CORRUPT;
    }
    return c->overlong || c->p != c->end ? DH_RAW_FORM : v;
}

int dh_decode(const struct dh_schemas *s, uint8_t kind, const uint8_t *payload, size_t n, struct dh_record *r,
              struct dh_err *e)
{
    static const struct dh_record empty = {.slot = DH_NO_SLOT};
    struct dh_cur c = dh_cur(payload, n);
    enum dh_verdict v = DH_RAW_FORM;

    *r = empty;
    r->kind = kind;
    r->payload = c.p;
    r->len = n;
    if (kind < DH_KINDS)
        v = decode(s, kind, &c, r, e);
    if (v == DH_CORRUPT) {
        if (e && r->has_tick)
            e->tick = r->tick;
        return -1;
    }
    if (v == DH_RAW_FORM) {
        *r = empty;
        r->kind = DH_RAW;
        r->raw_kind = kind;
        r->payload = dh_cur(payload, n).p;
        r->len = n;
    }
    return 0;
}

/* ---- builders ---------------------------------------------------------------------------------------------------- */

void dh_build_end(struct dh_buf *b, uint32_t tick, int reason)
{
    struct dh_record r = {.tick = tick, .u.end.reason = (uint8_t)reason};

    dh_encode(b, DH_END, &r);
}

void dh_build_header(struct dh_buf *b, const struct dh_header *h)
{
    struct dh_record r = {.u.header = *h};

    dh_encode(b, DH_HEADER, &r);
}

void dh_build_join(struct dh_buf *b, uint32_t tick, uint16_t slot, uint32_t wire, struct dh_str name,
                   const void *fields, size_t n)
{
    struct dh_record r = {.tick = tick, .slot = slot, .block = fields, .block_n = n};

    r.u.join.wire = wire;
    r.u.join.name = name;
    dh_encode(b, DH_JOIN, &r);
}

void dh_build_leave(struct dh_buf *b, uint32_t tick, uint16_t slot)
{
    struct dh_record r = {.tick = tick, .slot = slot};

    dh_encode(b, DH_LEAVE, &r);
}

void dh_build_input(struct dh_buf *b, uint32_t tick, uint16_t slot, const void *fields, size_t n)
{
    struct dh_record r = {.tick = tick, .slot = slot, .block = fields, .block_n = n};

    dh_encode(b, DH_INPUT, &r);
}

void dh_build_origin(struct dh_buf *b, int part, const void *p, size_t n)
{
    struct dh_record r = {0};

    r.u.origin.part = (uint8_t)part;
    r.u.origin.bytes = p;
    r.u.origin.n = n;
    dh_encode(b, DH_ORIGIN, &r);
}

void dh_build_log(struct dh_buf *b, uint32_t tick, struct dh_str topic, struct dh_str text)
{
    struct dh_record r = {.tick = tick};

    r.u.log.topic = topic;
    r.u.log.text = text;
    dh_encode(b, DH_LOG, &r);
}

void dh_build_resource(struct dh_buf *b, struct dh_str role, struct dh_str name, uint64_t size,
                       const uint8_t sha256[32], const uint8_t md5[16])
{
    struct dh_record r = {0};

    r.u.resource.role = role;
    r.u.resource.name = name;
    r.u.resource.size = size;
    r.u.resource.sha256 = sha256;
    r.u.resource.md5 = md5;
    dh_encode(b, DH_RESOURCE, &r);
}

/* The count of pairs is a leb of one byte, right after what is known: u32 tick, the word, u16 slot. */
static size_t count_at(const struct dh_buf *b)
{
    struct dh_cur c = dh_cur(b->p, b->n);

    dh_get_u32(&c);
    dh_get_str(&c);
    dh_get_u16(&c);
    return (size_t)(c.p - b->p);
}

void dh_build_event(struct dh_buf *b, uint32_t tick, const char *what, uint16_t slot)
{
    struct dh_record r = {.tick = tick, .slot = slot};

    r.u.event.what = dh_str(what, strlen(what));
    dh_encode(b, DH_EVENT, &r);
}

void dh_build_event_pair(struct dh_buf *b, const char *key, const char *fmt, ...)
{
    char value[1024]; /* longer ones are cut: an event is a line for people and awk */
    va_list ap;

    if (b->failed || b->n == 0)
        return;
    size_t at = count_at(b);
    if (b->p[at] == DH_EVENT_PAIRS)
        return;
    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    dh_put_str(b, key);
    dh_put_str(b, value);
    if (!b->failed)
        b->p[at]++;
}
