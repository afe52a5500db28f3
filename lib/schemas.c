/* SPDX-License-Identifier: ISC */
/* The schemas of one stream, and its entity types by name. */
#include "schema.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { MAX_TYPES = 65535, MAX_BYTES = 16 << 20 };

#define SCOPE "snapshot."

struct dh_schemas *dh_schemas_new(void)
{
    struct dh_schemas *s = calloc(1, sizeof *s);

    if (s && !(s->scratch = calloc(1, sizeof *s->scratch))) {
        free(s);
        return NULL;
    }
    return s;
}

void dh_schemas_free(struct dh_schemas *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->nowned; i++)
        dh_schema_record_clear(&(struct dh_schema_record){.schema = s->owned[i]});
    free(s->owned);
    free(s->types);
    free(s->index);
    dh_buf_free(s->scratch);
    free(s->scratch);
    free(s);
}

/* ---- types by name ----------------------------------------------------------------------------------------------- */

static uint32_t hash(const char *p, size_t n, bool scoped)
{
    uint32_t h = scoped ? 0x9e3779b9u : 2166136261u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)p[i]) * 16777619u;
    return h ^ h >> 15;
}

static int lookup(const struct dh_schemas *s, const char *name, size_t n, bool scoped)
{
    if (!s->index_cap)
        return -1;
    for (uint32_t i = hash(name, n, scoped) & (s->index_cap - 1); s->index[i]; i = (i + 1) & (s->index_cap - 1)) {
        const struct dh_etype *t = &s->types[s->index[i] - 1];

        if (t->snapshot_only == scoped && strncmp(t->name, name, n) == 0 && t->name[n] == '\0')
            return (int)s->index[i] - 1;
    }
    return -1;
}

static void enter(struct dh_schemas *s, int type)
{
    const struct dh_etype *t = &s->types[type];
    uint32_t i = hash(t->name, strlen(t->name), t->snapshot_only) & (s->index_cap - 1);

    while (s->index[i])
        i = (i + 1) & (s->index_cap - 1);
    s->index[i] = (uint32_t)type + 1;
}

/* Keep the index at most half full. */
static int grow_index(struct dh_schemas *s)
{
    if ((uint32_t)s->ntypes * 2 < s->index_cap)
        return 0;
    uint32_t cap = s->index_cap ? s->index_cap * 2 : 64;
    uint32_t *index = calloc(cap, sizeof *index);
    if (!index)
        return -1;
    free(s->index);
    s->index = index;
    s->index_cap = cap;
    for (int i = 0; i < s->ntypes; i++)
        enter(s, i);
    return 0;
}

int dh_schemas_type(const struct dh_schemas *s, const char *name, size_t n, int kind)
{
    int t = kind == DH_SNAPSHOT ? lookup(s, name, n, true) : -1;

    return t >= 0 ? t : lookup(s, name, n, false);
}

const struct dh_schema *dh_state_schema(const struct dh_schemas *s, int kind)
{
    return kind == DH_SNAPSHOT && s->snapshot_state ? s->snapshot_state : s->state;
}

int dh_schema_find(const struct dh_schema *s, const char *name)
{
    for (int i = 0; s && i < s->nfields; i++)
        if (strcmp(s->fields[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

static int add_type(struct dh_schemas *s, char *name, bool scoped, const struct dh_schema *schema, struct dh_err *e)
{
    size_t n = strlen(name);

    if (n == 0 || lookup(s, name, n, scoped) >= 0)
        return dh_fail(e, DH_TROUBLE, "schema: the entity type '%s%s' is there twice", scoped ? SCOPE : "", name);
    if (s->ntypes == MAX_TYPES)
        return dh_fail(e, DH_TROUBLE, "schema: more than %d entity types", MAX_TYPES);
    if ((s->ntypes & (s->ntypes - 1)) == 0) {
        struct dh_etype *grown = realloc(s->types, (size_t)(s->ntypes ? s->ntypes * 2 : 1) * sizeof *grown);

        if (!grown)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        s->types = grown;
    }
    if (grow_index(s) < 0)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    int twin = lookup(s, name, n, !scoped);
    s->types[s->ntypes] = (struct dh_etype){name, schema, scoped, !scoped && twin >= 0};
    if (scoped && twin >= 0)
        s->types[twin].shadowed = true;
    enter(s, s->ntypes++);
    return 0;
}

/* Keys of the record's own that a field of the block beside them cannot have. */
static int reserved(const char *subject, const struct dh_schema *schema, const char *const *keys, struct dh_err *e)
{
    for (; *keys; keys++)
        for (int i = 0; i < schema->nfields; i++) {
            const char *name = schema->fields[i].name;
            size_t n = strlen(*keys);

            /* a key that ends in a dot keeps all names that begin with it */
            if (strncmp(name, *keys, n) == 0 && ((*keys)[n - 1] == '.' || name[n] == '\0'))
                return dh_fail(e, DH_TROUBLE, "schema: %s: no field can be named '%s'", subject, name);
        }
    return 0;
}

static int add_subject(struct dh_schemas *s, char *subject, const struct dh_schema *schema, struct dh_err *e)
{
    static const char *const join_keys[] = {"wire", "name", NULL};
    static const char *const state_keys[] = {"entities", "digest", "digest.", NULL};
    static const char *const none[] = {NULL};
    const struct {
        const char *name;
        const struct dh_schema **slot;
        const char *const *keys;
    } blocks[] = {
        {"rule", &s->rule, none},         {"option", &s->option, none},
        {"input", &s->input, none},       {"join", &s->join, join_keys},
        {"state", &s->state, state_keys}, {SCOPE "state", &s->snapshot_state, state_keys},
    };

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (strcmp(subject, blocks[i].name) != 0)
            continue;
        if (*blocks[i].slot)
            return dh_fail(e, DH_TROUBLE, "schema: '%s' is there twice", subject);
        if (reserved(subject, schema, blocks[i].keys, e) < 0)
            return -1;
        *blocks[i].slot = schema;
        return 0;
    }
    bool scoped = strncmp(subject, SCOPE, strlen(SCOPE)) == 0;
    return add_type(s, subject + (scoped ? strlen(SCOPE) : 0), scoped, schema, e);
}

static int apply(struct dh_schemas *s, struct dh_schema_record *r, struct dh_err *e)
{
    if ((s->nowned & (s->nowned - 1)) == 0) {
        struct dh_schema **grown =
            realloc(s->owned, (size_t)(s->nowned ? s->nowned * 2 : 1) * sizeof(struct dh_schema *));

        if (!grown)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        s->owned = grown;
    }
    struct dh_schema *schema = s->owned[s->nowned++] = r->schema;
    r->schema = NULL;
    for (int i = 0; i < r->nsubjects; i++)
        if (add_subject(s, r->subjects[i], schema, e) < 0)
            return -1;
    return 0;
}

int dh_schemas_apply(struct dh_schemas *s, struct dh_schema_record *r, struct dh_err *e)
{
    int result = apply(s, r, e);

    dh_schema_record_clear(r);
    return result;
}

int dh_schemas_add(struct dh_schemas *s, const char *subjects, const char *fields, struct dh_err *e)
{
    struct dh_buf text = {0};
    struct dh_schema_record r;
    int result;

    dh_put_bytes(&text, subjects, strlen(subjects));
    if (*fields) {
        dh_put_u8(&text, ' ');
        dh_put_bytes(&text, fields, strlen(fields));
    }
    result = text.failed ? dh_fail(e, DH_TROUBLE, "out of memory")
                         : dh_schema_from_text(&r, (const char *)text.p, text.n, e);
    dh_buf_free(&text);
    return result < 0 ? -1 : dh_schemas_apply(s, &r, e);
}

int dh_schemas_add_payload(struct dh_schemas *s, const uint8_t *p, size_t n, struct dh_err *e)
{
    struct dh_schema_record r;

    /* Each record is bounded by the chunk's cap, but not how many there are. */
    s->bytes += n;
    if (s->bytes > MAX_BYTES)
        return dh_fail(e, DH_TROUBLE, "schema: more than %d bytes of schemas", MAX_BYTES);
    return dh_schema_from_payload(&r, p, n, e) < 0 ? -1 : dh_schemas_apply(s, &r, e);
}
