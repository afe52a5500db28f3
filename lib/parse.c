/* SPDX-License-Identifier: ISC */
/*
 * Lines of text as payloads. A line is taken in two steps: its KEY=VALUE words are sorted to the fields they name, in
 * whatever order they come; then the payload is written in the order of the record's shape, a missing value as zero.
 */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "escape.h"
#include "number.h"
#include "record.h"

#define SHOW(s) (int)((s).n > 80 ? 80 : (s).n), (s).p

/* ---- words ------------------------------------------------------------------------------------------------------- */

struct words {
    const char *p, *end;
    bool more;
};

/* The next word. Words have exactly one space between them, so an empty one is an error. */
static int next_word(struct words *w, struct dh_str *word, struct dh_err *e)
{
    const char *space = memchr(w->p, ' ', (size_t)(w->end - w->p));
    const char *end = space ? space : w->end;

    *word = dh_str(w->p, (size_t)(end - w->p));
    w->more = space != NULL;
    w->p = space ? space + 1 : w->end;
    if (word->n == 0)
        return dh_fail(e, DH_TROUBLE, "expected one space between words and none at the end, found one too many");
    return 0;
}

static int need_word(struct words *w, struct dh_str *word, const char *what, struct dh_err *e)
{
    if (!w->more)
        return dh_fail(e, DH_TROUBLE, "expected %s, found the end of the line", what);
    return next_word(w, word, e);
}

static int need_number(struct words *w, uint64_t max, const char *what, uint64_t *v, struct dh_err *e)
{
    struct dh_str word;

    if (need_word(w, &word, what, e) < 0)
        return -1;
    if (!dh_parse_unsigned(word.p, word.n, max, v))
        return dh_fail(e, DH_TROUBLE, "expected %s from 0 to %llu, found '%.*s'", what, (unsigned long long)max,
                       SHOW(word));
    return 0;
}

/* Whether the next word is one without a key. */
static bool next_is_plain(const struct words *w)
{
    const char *space = memchr(w->p, ' ', (size_t)(w->end - w->p));

    return w->more && !memchr(w->p, '=', (size_t)((space ? space : w->end) - w->p));
}

static int next_pair(struct words *w, struct dh_str *key, struct dh_str *value, struct dh_err *e)
{
    struct dh_str word;

    if (next_word(w, &word, e) < 0)
        return -1;
    const char *equal = memchr(word.p, '=', word.n);
    if (!equal || equal == word.p)
        return dh_fail(e, DH_TROUBLE, "expected KEY=VALUE, found '%.*s'", SHOW(word));
    *key = dh_str(word.p, (size_t)(equal - word.p));
    *value = dh_str(equal + 1, (size_t)(word.p + word.n - equal - 1));
    return 0;
}

/* ---- keys to fields ---------------------------------------------------------------------------------------------- */

/* Schemas whose fields a line can name; their values stand one after another in the parser's values. */
struct group {
    const struct dh_schema *schema;
    const char *prefix;
};

enum { MAX_GROUPS = 3 };

struct target {
    struct group groups[MAX_GROUPS];
    int ngroups, nvalues;
    int hint_group, hint; /* the field after the last one found: where canonical text has the next */
};

static void add_group(struct target *t, const struct dh_schema *schema, const char *prefix)
{
    if (!schema || schema->nfields == 0)
        return;
    t->groups[t->ngroups++] = (struct group){schema, prefix};
    t->nvalues += schema->nfields;
}

static bool key_is(const struct group *g, int field, struct dh_str key)
{
    size_t n = strlen(g->prefix);
    const char *name = g->schema->fields[field].name;

    return key.n > n && memcmp(key.p, g->prefix, n) == 0 && strncmp(name, key.p + n, key.n - n) == 0 &&
           name[key.n - n] == '\0';
}

/* The index of the value that a key names, -1 for none. */
static int find(struct target *t, struct dh_str key)
{
    int base = 0;

    for (int g = 0; g < t->ngroups; base += t->groups[g++].schema->nfields) {
        const struct group *group = &t->groups[g];
        int n = group->schema->nfields;
        int from = g == t->hint_group && t->hint < n ? t->hint : 0;

        for (int i = 0; i < n; i++) {
            int field = from + i < n ? from + i : from + i - n;

            if (!key_is(group, field, key))
                continue;
            t->hint_group = field + 1 < n ? g : g + 1;
            t->hint = field + 1 < n ? field + 1 : 0;
            return base + field;
        }
    }
    return -1;
}

static int clear_values(struct dh_parser *p, int n, struct dh_err *e)
{
    if (n > p->nvalues) {
        struct dh_str *grown = realloc(p->values, (size_t)n * sizeof *grown);

        if (!grown)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        p->values = grown;
        p->nvalues = n;
    }
    if (n)
        memset(p->values, 0, (size_t)n * sizeof *p->values);
    return 0;
}

static int add_type_digest(struct dh_parser *p, const struct dh_schemas *s, int kind, struct dh_str key,
                           struct dh_str value, struct dh_err *e);

/* Sort the line's remaining words to their fields. kind is that of a digest form, else -1. */
static int take_pairs(struct dh_parser *p, const struct dh_schemas *s, struct target *t, struct words *w, int digests,
                      struct dh_err *e)
{
    if (clear_values(p, t->nvalues, e) < 0)
        return -1;
    while (w->more) {
        struct dh_str key, value;

        if (next_pair(w, &key, &value, e) < 0)
            return -1;
        if (digests >= 0 && key.n > 7 && memcmp(key.p, "digest.", 7) == 0) {
            if (add_type_digest(p, s, digests, dh_str(key.p + 7, key.n - 7), value, e) < 0)
                return -1;
            continue;
        }
        int i = find(t, key);
        if (i < 0)
            return dh_fail(e, DH_TROUBLE, "unknown key '%.*s'", SHOW(key));
        if (p->values[i].p)
            return dh_fail(e, DH_TROUBLE, "the key '%.*s' is there twice", SHOW(key));
        p->values[i] = value;
    }
    return 0;
}

/* Append the values of a group's fields; first is the index of its first value. */
static int put_group(struct dh_parser *p, const struct dh_schemas *s, const struct dh_schema *schema, int first,
                     int kind, struct dh_err *e)
{
    for (int i = 0; schema && i < schema->nfields; i++) {
        struct dh_str v = p->values[first + i];

        if (!v.p)
            dh_value_zero(&p->payload, &schema->fields[i]);
        else if (dh_value_parse(&p->payload, s, &schema->fields[i], kind, v.p, v.n, e) < 0)
            return -1;
    }
    return 0;
}

static int put_groups(struct dh_parser *p, const struct dh_schemas *s, const struct target *t, int kind,
                      struct dh_err *e)
{
    int first = 0;

    for (int g = 0; g < t->ngroups; first += t->groups[g++].schema->nfields)
        if (put_group(p, s, t->groups[g].schema, first, kind, e) < 0)
            return -1;
    return 0;
}

/* ---- records of one line ----------------------------------------------------------------------------------------- */

static int take_schema(struct dh_parser *p, struct words *w, struct dh_err *e)
{
    struct dh_schema_record sr;

    if (dh_schema_from_text(&sr, w->p, (size_t)(w->end - w->p), e) < 0)
        return -1;
    dh_schema_to_payload(&sr, &p->payload);
    dh_schema_record_clear(&sr);
    return 1;
}

static int hex(struct dh_parser *p, const struct dh_field *f, struct dh_str v, struct dh_err *e)
{
    if (v.n && !dh_parse_hexbytes(v.p, v.n, &p->payload))
        return dh_fail(e, DH_TROUBLE, "%s: expected 0x and two hex digits a byte, found '%.*s'", f->name, SHOW(v));
    return 1;
}

static struct dh_field raw_fields[] = {{"kind", DH_U8, 0, NULL}, {"hex", DH_BYTES, 0, NULL}};
static const struct dh_schema raw_schema = {.nfields = 2, .fields = raw_fields, .size = -1};
static const struct dh_schema hex_schema = {.nfields = 1, .fields = raw_fields + 1, .size = -1};

static int take_raw(struct dh_parser *p, const struct dh_schemas *s, struct words *w, int *kind, struct dh_err *e)
{
    struct target t = {0};
    uint64_t k;

    add_group(&t, &raw_schema, "");
    if (take_pairs(p, s, &t, w, -1, e) < 0)
        return -1;
    if (!p->values[0].p || !dh_parse_unsigned(p->values[0].p, p->values[0].n, 255, &k))
        return dh_fail(e, DH_TROUBLE, "expected kind=0 to kind=255, found '%.*s'", SHOW(p->values[0]));
    *kind = (int)k;
    return hex(p, &raw_fields[1], p->values[1], e);
}

/* An event's keys are its own: each pair goes straight into the payload. */
static int take_event_pairs(struct dh_parser *p, struct words *w, struct dh_err *e)
{
    struct dh_buf *pairs = &p->scratch;
    uint64_t n = 0;

    dh_buf_clear(pairs);
    for (; w->more; n++) {
        struct dh_str both[2];

        if (next_pair(w, &both[0], &both[1], e) < 0)
            return -1;
        if (n == DH_EVENT_PAIRS)
            return dh_fail(e, DH_TROUBLE, "event: more than %d pairs", DH_EVENT_PAIRS);
        size_t start = pairs->n;
        for (int i = 0; i < 2; i++) {
            static const struct dh_field f = {"event", DH_STR, 0, NULL};

            if (dh_value_parse(pairs, NULL, &f, DH_EVENT, both[i].p, both[i].n, e) < 0)
                return -1;
        }
        if (pairs->failed)
            break;
        struct dh_cur c = dh_cur(pairs->p + start, pairs->n - start), earlier = dh_cur(pairs->p, start);
        struct dh_str key = dh_get_str(&c), k, v;
        while (dh_pair_next(&earlier, &k, &v))
            if (k.n == key.n && memcmp(k.p, key.p, k.n) == 0)
                return dh_fail(e, DH_TROUBLE, "the key '%.*s' is there twice", SHOW(both[0]));
        if (key.n == 0)
            return dh_fail(e, DH_TROUBLE, "event: empty key '%.*s'", SHOW(both[0]));
    }
    dh_put_leb(&p->payload, n);
    dh_put_bytes(&p->payload, pairs->p, pairs->n);
    p->payload.failed |= pairs->failed;
    return 1;
}

static int take_plain(struct dh_parser *p, const struct dh_schemas *s, struct words *w, int kind, struct dh_err *e)
{
    const struct dh_shape *shape = dh_shape_of(kind);
    struct target t = {0};
    uint64_t v;

    if (shape->tick) {
        if (need_number(w, UINT32_MAX, "a tick", &v, e) < 0)
            return -1;
        p->tick = (uint32_t)v;
        dh_put_u32(&p->payload, (uint32_t)v);
    }
    if (shape->word) {
        static const struct dh_field f = {"word", DH_STR, 0, NULL};
        struct dh_str word;

        if (need_word(w, &word, "a word", e) < 0 || dh_value_parse(&p->payload, s, &f, kind, word.p, word.n, e) < 0)
            return -1;
    }
    if (shape->slot == DH_SLOT_ALWAYS || (shape->slot == DH_SLOT_MAYBE && next_is_plain(w))) {
        if (need_number(w, UINT16_MAX, "a slot", &v, e) < 0)
            return -1;
        dh_put_u16(&p->payload, (uint16_t)v);
    } else if (shape->slot)
        dh_put_u16(&p->payload, DH_NO_SLOT);

    if (shape->tail == DH_TAIL_PAIRS)
        return take_event_pairs(p, w, e);
    add_group(&t, &shape->own, "");
    if (shape->tail == DH_TAIL_INPUT)
        add_group(&t, s->input, "");
    if (shape->tail == DH_TAIL_JOIN)
        add_group(&t, s->join, "");
    if (shape->tail == DH_TAIL_HEADER) {
        add_group(&t, s->rule, "rule.");
        add_group(&t, s->option, "option.");
    }
    if (shape->tail == DH_TAIL_HEX)
        add_group(&t, &hex_schema, "");
    if (take_pairs(p, s, &t, w, -1, e) < 0)
        return -1;
    if (shape->tail != DH_TAIL_HEX)
        return put_groups(p, s, &t, kind, e) < 0 ? -1 : 1;
    return put_group(p, s, &shape->own, 0, kind, e) < 0 ? -1 : hex(p, &raw_fields[1], p->values[shape->own.nfields], e);
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static int add_type_digest(struct dh_parser *p, const struct dh_schemas *s, int kind, struct dh_str key,
                           struct dh_str value, struct dh_err *e)
{
    int type = dh_schemas_type(s, key.p, key.n, kind);
    const char *colon = memchr(value.p, ':', value.n);
    uint64_t count, digest;

    if (type < 0)
        return dh_fail(e, DH_TROUBLE, "unknown entity type '%.*s'", SHOW(key));
    if (!colon || !dh_parse_unsigned(value.p, (size_t)(colon - value.p), UINT32_MAX, &count) ||
        !dh_parse_unsigned(colon + 1, (size_t)(value.p + value.n - colon - 1), UINT64_MAX, &digest))
        return dh_fail(e, DH_TROUBLE, "digest.%.*s: expected COUNT:0xDIGEST, found '%.*s'", SHOW(key), SHOW(value));
    if (p->ntypes == p->types_cap) {
        int cap = p->types_cap ? p->types_cap * 2 : 64;
        struct dh_digest *grown = realloc(p->types, (size_t)cap * sizeof *grown);

        if (!grown)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        p->types = grown;
        p->types_cap = cap;
    }
    p->types[p->ntypes++] = (struct dh_digest){type, (uint32_t)count, digest};
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const struct dh_digest *x = a, *y = b;

    return (x->type > y->type) - (x->type < y->type);
}

static int put_type_digests(struct dh_parser *p, const struct dh_schemas *s, uint64_t digest, struct dh_err *e)
{
    if (p->ntypes)
        qsort(p->types, (size_t)p->ntypes, sizeof *p->types, by_number);
    for (int i = 1; i < p->ntypes; i++)
        if (p->types[i].type == p->types[i - 1].type)
            return dh_fail(e, DH_TROUBLE, "the key 'digest.%s' is there twice", s->types[p->types[i].type].name);
    dh_build_digest_parts(&p->payload, digest, p->types, (uint32_t)p->ntypes);
    return 1;
}

/* The first line of a state. What stands there as digest= of a full state is not read: it follows from the entities,
 * and a text that was edited would otherwise have to be given a new one by hand. */
static int take_state(struct dh_parser *p, const struct dh_schemas *s, struct words *w, int kind, struct dh_err *e)
{
    const struct dh_shape *shape = dh_shape_of(kind);
    const struct dh_schema *state = dh_state_schema(s, kind);
    struct target t = {0};
    struct dh_str word;
    uint64_t tick, count = 0, digest = 0;

    if (need_number(w, UINT32_MAX, "a tick", &tick, e) < 0)
        return -1;
    p->tick = (uint32_t)tick;
    if (need_word(w, &word, "- or digest", e) < 0)
        return -1;
    bool full = word.n == 1 && *word.p == '-';
    if (!full && (word.n != 6 || memcmp(word.p, "digest", 6) != 0))
        return dh_fail(e, DH_TROUBLE, "expected the state's first line, with - or digest, found '%.*s'", SHOW(word));

    p->ntypes = 0;
    add_group(&t, &shape->own, "");
    add_group(&t, state, "");
    if (take_pairs(p, s, &t, w, full ? -1 : kind, e) < 0)
        return -1;
    struct dh_str n = p->values[0], d = p->values[1];
    if (n.p && !dh_parse_unsigned(n.p, n.n, UINT32_MAX, &count))
        return dh_fail(e, DH_TROUBLE, "entities: expected a number, found '%.*s'", SHOW(n));
    if (d.p && !dh_parse_unsigned(d.p, d.n, UINT64_MAX, &digest))
        return dh_fail(e, DH_TROUBLE, "digest: expected 0x and hex digits, found '%.*s'", SHOW(d));

    dh_put_u32(&p->payload, p->tick);
    dh_put_u8(&p->payload, !full);
    if (put_group(p, s, state, shape->own.nfields, kind, e) < 0)
        return -1;
    dh_put_u32(&p->payload, (uint32_t)count);
    if (!full)
        return put_type_digests(p, s, digest, e);
    p->kind = kind;
    p->awaited = (uint32_t)count;
    return count == 0;
}

static int not_an_entity(const struct dh_parser *p, struct dh_str found, struct dh_err *e)
{
    return dh_fail(e, DH_TROUBLE, "expected the next of %lu more entity lines, '%s %lu NAME@ID', found '%.*s'",
                   (unsigned long)p->awaited, dh_kind_name(p->kind), (unsigned long)p->tick, SHOW(found));
}

static int take_entity(struct dh_parser *p, const struct dh_schemas *s, struct words *w, struct dh_str kind,
                       struct dh_err *e)
{
    const char *name = dh_kind_name(p->kind);
    struct target t = {0};
    struct dh_str word = kind;
    uint64_t tick, id;

    if (kind.n != strlen(name) || memcmp(kind.p, name, kind.n) != 0)
        return not_an_entity(p, kind, e);
    if (need_number(w, UINT32_MAX, "a tick", &tick, e) < 0 || need_word(w, &word, "NAME@ID", e) < 0)
        return -1;
    const char *at = memchr(word.p, '@', word.n);
    if (tick != p->tick || !at)
        return not_an_entity(p, dh_str(kind.p, (size_t)(word.p + word.n - kind.p)), e);
    int type = dh_schemas_type(s, word.p, (size_t)(at - word.p), p->kind);
    if (type < 0)
        return dh_fail(e, DH_TROUBLE, "unknown entity type in '%.*s'", SHOW(word));
    if (!dh_parse_unsigned(at + 1, (size_t)(word.p + word.n - at - 1), UINT64_MAX, &id))
        return dh_fail(e, DH_TROUBLE, "expected a number after the @ in '%.*s'", SHOW(word));

    const struct dh_schema *schema = s->types[type].schema;
    add_group(&t, schema, "");
    if (take_pairs(p, s, &t, w, -1, e) < 0)
        return -1;
    dh_put_leb(&p->payload, (uint64_t)type);
    dh_put_leb(&p->payload, id);
    if (put_group(p, s, schema, 0, p->kind, e) < 0)
        return -1;
    if (p->payload.n > dh_payload_cap((uint8_t)p->kind))
        return dh_fail(e, DH_TROUBLE, "%s: more than %lu bytes", name, (unsigned long)dh_payload_cap((uint8_t)p->kind));
    return --p->awaited == 0;
}

/* ---- any line ---------------------------------------------------------------------------------------------------- */

static int take_line(struct dh_parser *p, const struct dh_schemas *s, struct words *w, int *kind, struct dh_err *e)
{
    struct dh_str word;

    if (w->p == w->end)
        return dh_fail(e, DH_TROUBLE, "expected a record, found a blank line");
    if (memchr(w->p, '\0', (size_t)(w->end - w->p)))
        return dh_fail(e, DH_TROUBLE, "a zero byte in a line of text");
    if (next_word(w, &word, e) < 0)
        return -1;
    if (p->awaited) {
        *kind = p->kind;
        return take_entity(p, s, w, word, e);
    }

    dh_buf_clear(&p->payload);
    if (word.n == 3 && memcmp(word.p, "raw", 3) == 0)
        return take_raw(p, s, w, kind, e);
    *kind = dh_kind_named(word.p, word.n);
    if (*kind < 0)
        return dh_fail(e, DH_TROUBLE, "expected a record, found '%.*s'", SHOW(word));
    switch (dh_shape_of(*kind)->tail) {
    case DH_TAIL_SCHEMA:
        return take_schema(p, w, e);
    case DH_TAIL_STATE:
        return take_state(p, s, w, *kind, e);
    default:
        return take_plain(p, s, w, *kind, e);
    }
}

int dh_parse_line(struct dh_parser *p, const struct dh_schemas *s, const char *line, size_t n, int *kind,
                  struct dh_err *e)
{
    struct words w = {line, line + n, true};
    int result = take_line(p, s, &w, kind, e);

    if (result >= 0 && p->payload.failed)
        result = dh_fail(e, DH_TROUBLE, "out of memory");
    if (result == 1 && p->payload.n > dh_payload_cap((uint8_t)*kind))
        result = dh_fail(e, DH_TROUBLE, "%s: %zu bytes, more than %lu", dh_kind_name(*kind), p->payload.n,
                         (unsigned long)dh_payload_cap((uint8_t)*kind));
    return result;
}

void dh_parser_free(struct dh_parser *p)
{
    free(p->values);
    free(p->types);
    dh_buf_free(&p->payload);
    dh_buf_free(&p->scratch);
    *p = (struct dh_parser){0};
}
