/* SPDX-License-Identifier: ISC */
#include "columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "escape.h"
#include "io.h"
#include "number.h"
#include "record.h"
#include "schema.h"

enum { FULL = 64 << 10, MAX_COLUMNS = 256, MAX_PARTS = 3 };

/* Where a column's value comes from. */
enum source {
    UNRESOLVED,
    KIND,
    TICK,
    SLOT,
    WORD,
    FIELD, /* part and field */
    PAIR,  /* of an event, by key */
    COUNT, /* of a state: entities, digest */
    DIGEST,
    ENTITY, /* what follows needs an entity */
    TYPE,
    ID,
    ENTITY_FIELD,
};

struct column {
    const char *name;
    enum source source;
    int part, field;
};

/* Fields that stand in a record, one after another. */
struct part {
    const struct dh_schema *schema;
    const char *prefix;
    const uint8_t *p;
    size_t n;
};

struct dh_columns {
    int fd, kind;
    bool unbuffered, broken, resolved, by_entity, all_entities;
    char *names;
    int ncolumns;
    struct column columns[MAX_COLUMNS];
    int *fields; /* of each entity type, of each column: the field's index or -1 */
    struct dh_buf out;
};

struct dh_columns *dh_columns_new(int fd, const char *names, const char *kind, bool unbuffered, struct dh_err *e)
{
    struct dh_columns *c = calloc(1, sizeof *c);
    char *copy = strdup(names);

    if (!c || !copy) {
        dh_fail(e, DH_TROUBLE, "out of memory");
        goto failed;
    }
    c->fd = fd;
    c->unbuffered = unbuffered;
    c->kind = dh_kind_named(kind, strlen(kind));
    if (c->kind < 0 || c->kind == DH_SCHEMA) {
        dh_fail(e, DH_TROUBLE, "no columns can be made of records of kind '%s'", kind);
        goto failed;
    }
    c->names = copy;
    for (char *name = copy, *comma; name; name = comma ? comma + 1 : NULL) {
        comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        if (*name == '\0' || c->ncolumns == MAX_COLUMNS) {
            dh_fail(e, DH_TROUBLE, "expected 1 to %d names of columns with commas between them, found '%s'",
                    MAX_COLUMNS, names);
            goto failed;
        }
        c->columns[c->ncolumns++].name = name;
    }
    return c;
failed:
    free(copy);
    free(c);
    return NULL;
}

static int flush(struct dh_columns *c, struct dh_err *e)
{
    if (c->out.failed)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    if (c->broken || dh_write_all(c->fd, c->out.p, c->out.n) < 0) {
        c->broken = true;
        return dh_fail(e, DH_TROUBLE, "write failed: %s", strerror(errno));
    }
    dh_buf_clear(&c->out);
    return 0;
}

bool dh_columns_broken(const struct dh_columns *c)
{
    return c->broken;
}

int dh_columns_free(struct dh_columns *c, struct dh_err *e)
{
    int result = flush(c, e);

    dh_buf_free(&c->out);
    free(c->fields);
    free(c->names);
    free(c);
    return result;
}

/* ---- names to places --------------------------------------------------------------------------------------------- */

void dh_columns_stream(struct dh_columns *c)
{
    c->resolved = false;
}

/* The parts of the records of our kind; bytes are set where a record is given. */
static int parts_of(int kind, const struct dh_schemas *s, const struct dh_record *r, struct part parts[MAX_PARTS])
{
    const struct dh_shape *shape = dh_shape_of(kind);
    int n = 0;

    memset(parts, 0, MAX_PARTS * sizeof *parts);
    if (shape->tail == DH_TAIL_STATE) {
        parts[n++] = (struct part){dh_state_schema(s, kind), "", r ? r->block : NULL, r ? r->block_n : 0};
        return n;
    }
    struct dh_cur c = dh_cur(r ? r->payload : NULL, r ? r->len : 0);
    if (r && shape->tick)
        dh_get_u32(&c);
    if (r && shape->word)
        dh_get_str(&c);
    if (r && shape->slot)
        dh_get_u16(&c);
    parts[n++] = (struct part){&shape->own, "", c.p, dh_left(&c)};
    if (shape->tail == DH_TAIL_INPUT || shape->tail == DH_TAIL_JOIN)
        parts[n++] = (struct part){shape->tail == DH_TAIL_INPUT ? s->input : s->join, "", r ? r->block : NULL,
                                   r ? r->block_n : 0};
    if (shape->tail == DH_TAIL_HEADER) {
        parts[n++] = (struct part){s->rule, "rule.", r ? r->u.header.rules : NULL, r ? r->u.header.rules_n : 0};
        parts[n++] = (struct part){s->option, "option.", r ? r->u.header.options : NULL, r ? r->u.header.options_n : 0};
    }
    return n;
}

static bool resolve_fixed(const struct dh_columns *c, struct column *col)
{
    const struct dh_shape *shape = dh_shape_of(c->kind);
    bool state = shape->tail == DH_TAIL_STATE;
    const struct {
        const char *name;
        enum source source;
        bool there;
    } fixed[] = {
        {"kind", KIND, true},
        {"tick", TICK, shape->tick},
        {"slot", SLOT, shape->slot != DH_SLOT_NONE},
        {"what", WORD, c->kind == DH_EVENT},
        {"topic", WORD, c->kind == DH_LOG},
        {"entities", COUNT, state},
        {"digest", DIGEST, state},
        {"entity", ENTITY, state},
        {"type", TYPE, state},
        {"id", ID, state},
    };

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].there && strcmp(fixed[i].name, col->name) == 0) {
            col->source = fixed[i].source;
            return true;
        }
    return false;
}

static bool resolve_part(const struct part *parts, int n, struct column *col)
{
    for (int i = 0; i < n; i++) {
        size_t prefix = strlen(parts[i].prefix);
        int field =
            strncmp(col->name, parts[i].prefix, prefix) == 0 ? dh_schema_find(parts[i].schema, col->name + prefix) : -1;

        if (field >= 0) {
            col->source = FIELD;
            col->part = i;
            col->field = field;
            return true;
        }
    }
    return false;
}

/* Look the column up in every entity type: true where one has it. An entity's field hides one of the state of that name
 * when there is any other column of entities: see resolve. */
static bool resolve_entities(struct dh_columns *c, const struct dh_schemas *s, int i)
{
    bool found = false;

    for (int t = 0; t < s->ntypes; t++) {
        int field = dh_schema_find(s->types[t].schema, c->columns[i].name);

        c->fields[t * c->ncolumns + i] = field;
        found |= field >= 0;
    }
    return found;
}

static int resolve(struct dh_columns *c, const struct dh_schemas *s, struct dh_err *e)
{
    struct part parts[MAX_PARTS];
    int nparts = parts_of(c->kind, s, NULL, parts);
    bool state = dh_shape_of(c->kind)->tail == DH_TAIL_STATE;
    bool wants_fields = false;

    c->resolved = true;
    c->by_entity = false;
    free(c->fields);
    c->fields = state ? calloc((size_t)s->ntypes * (size_t)c->ncolumns + 1, sizeof *c->fields) : NULL;
    if (state && !c->fields)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    for (int i = 0; i < c->ncolumns; i++) {
        struct column *col = &c->columns[i];

        col->source = UNRESOLVED;
        bool found = resolve_fixed(c, col) || resolve_part(parts, nparts, col);
        bool entities = state && (!found || col->source == FIELD) && resolve_entities(c, s, i);
        if (!found && entities)
            col->source = ENTITY_FIELD;
        else if (!found && c->kind == DH_EVENT)
            col->source = PAIR;
        else if (!found)
            return dh_fail(e, DH_TROUBLE, "%s: no column '%s' in this stream", dh_kind_name(c->kind), col->name);
        c->by_entity |= col->source >= ENTITY;
    }
    for (int i = 0; i < c->ncolumns && c->by_entity; i++) {
        struct column *col = &c->columns[i];

        if (col->source == FIELD && resolve_entities(c, s, i))
            col->source = ENTITY_FIELD;
        wants_fields |= col->source == ENTITY_FIELD;
    }
    c->all_entities = !wants_fields;
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void put_field(struct dh_buf *out, const struct dh_schemas *s, const struct part *p, int field)
{
    struct dh_cur c = dh_cur(p->p, p->n);

    for (int i = 0; i < field; i++)
        dh_value_skip(NULL, p->schema->fields[i].type, 0, &c);
    const uint8_t *at = c.p;
    dh_value_skip(NULL, p->schema->fields[field].type, 0, &c);
    if (!c.bad)
        dh_value_text(out, s, &p->schema->fields[field], at, (size_t)(c.p - at));
}

static void put_pair(struct dh_buf *out, const struct dh_record *r, const char *name)
{
    struct dh_cur c = dh_cur(r->u.event.pairs, r->u.event.pairs_n);
    struct dh_str key, value;

    while (dh_pair_next(&c, &key, &value))
        if (key.n == strlen(name) && memcmp(key.p, name, key.n) == 0)
            dh_text_escaped(out, value.p, value.n);
}

/* ent: NULL in rows that have none. */
static void put_column(struct dh_columns *c, const struct dh_schemas *s, const struct dh_record *r,
                       const struct part *parts, const struct dh_entity *ent, int i)
{
    const struct column *col = &c->columns[i];
    const char *name = ent ? s->types[ent->type].name : "";
    struct dh_buf *out = &c->out;

    switch (col->source) {
    case KIND:
        dh_put_bytes(out, dh_kind_name(r->kind), strlen(dh_kind_name(r->kind)));
        break;
    case TICK:
        dh_text_unsigned(out, r->tick);
        break;
    case SLOT:
        if (r->slot != DH_NO_SLOT || dh_shape_of(r->kind)->slot == DH_SLOT_ALWAYS)
            dh_text_unsigned(out, r->slot);
        break;
    case WORD: {
        struct dh_str word = r->kind == DH_EVENT ? r->u.event.what : r->u.log.topic;

        dh_text_escaped(out, word.p, word.n);
        break;
    }
    case FIELD:
        put_field(out, s, &parts[col->part], col->field);
        break;
    case PAIR:
        put_pair(out, r, col->name);
        break;
    case COUNT:
        dh_text_unsigned(out, r->u.state.count);
        break;
    case DIGEST: {
        uint64_t digest = r->u.state.digest;

        if (!r->u.state.digest_only)
            dh_state_digest(s, r, &digest, NULL, NULL);
        dh_text_hex(out, digest, 16);
        break;
    }
    case ENTITY:
    case TYPE:
        dh_put_bytes(out, name, strlen(name));
        if (col->source == TYPE)
            break;
        dh_put_u8(out, '@');
        dh_text_unsigned(out, ent ? ent->id : 0);
        break;
    case ID:
        dh_text_unsigned(out, ent ? ent->id : 0);
        break;
    case ENTITY_FIELD: {
        int field = ent ? c->fields[ent->type * c->ncolumns + i] : -1;

        if (field >= 0)
            put_field(out, s, &(struct part){s->types[ent->type].schema, "", ent->block, ent->n}, field);
        break;
    }
    case UNRESOLVED:
        break;
    }
}

static void put_row(struct dh_columns *c, const struct dh_schemas *s, const struct dh_record *r,
                    const struct part *parts, const struct dh_entity *ent)
{
    for (int i = 0; i < c->ncolumns; i++) {
        if (i)
            dh_put_u8(&c->out, '\t');
        put_column(c, s, r, parts, ent, i);
    }
    dh_put_u8(&c->out, '\n');
}

static bool has_a_field(const struct dh_columns *c, const struct dh_entity *ent)
{
    for (int i = 0; i < c->ncolumns; i++)
        if (c->columns[i].source == ENTITY_FIELD && c->fields[ent->type * c->ncolumns + i] >= 0)
            return true;
    return c->all_entities;
}

int dh_columns_write(struct dh_columns *c, const struct dh_schemas *s, const struct dh_record *r, struct dh_err *e)
{
    struct part parts[MAX_PARTS];

    /* With the header the schemas are complete. */
    if (r->kind == DH_HEADER && resolve(c, s, e) < 0)
        return -1;
    if (r->kind != c->kind || !c->resolved)
        return 0;
    parts_of(c->kind, s, r, parts);
    if (!c->by_entity)
        put_row(c, s, r, parts, NULL);
    else if (!r->u.state.digest_only) {
        struct dh_cur at = dh_cur(r->u.state.entities, r->u.state.entities_n);
        struct dh_entity ent;

        while (dh_entity_next(s, &at, &ent)) {
            if (has_a_field(c, &ent))
                put_row(c, s, r, parts, &ent);
            if (c->out.n >= FULL && flush(c, e) < 0)
                return -1;
        }
    }
    return c->unbuffered || c->out.n >= FULL || c->out.failed ? flush(c, e) : 0;
}
