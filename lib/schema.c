/* SPDX-License-Identifier: ISC */
/* Schema records in both encodings. What the schemas of a stream are together is in schemas.c. */
#include "schema.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { MAX_NAME = 255, MAX_FIELDS = 4096, MAX_VALUES = 4096 };

const struct dh_type_info dh_types[DH_TYPES] = {
    [DH_I8] = {"i8", 1, 0},
    [DH_I16] = {"i16", 2, 0},
    [DH_I32] = {"i32", 4, 0},
    [DH_I64] = {"i64", 8, 0},
    [DH_U8] = {"u8", 1, 0},
    [DH_U16] = {"u16", 2, 0},
    [DH_U32] = {"u32", 4, 0},
    [DH_U64] = {"u64", 8, 0},
    [DH_F32] = {"f32", 4, 0},
    [DH_F64] = {"f64", 8, 0},
    [DH_VEC3] = {"vec3", 12, 0},
    [DH_QUAT] = {"quat", 16, 0},
    [DH_FIX] = {"fix", 4, 0},
    [DH_BAM] = {"bam", 4, 0},
    [DH_HEX8] = {"hex8", 1, 0},
    [DH_HEX16] = {"hex16", 2, 0},
    [DH_HEX32] = {"hex32", 4, 0},
    [DH_HEX64] = {"hex64", 8, 0},
    [DH_FLAGS8] = {"flags8", 1, 8},
    [DH_FLAGS16] = {"flags16", 2, 16},
    [DH_FLAGS32] = {"flags32", 4, 32},
    [DH_FLAGS64] = {"flags64", 8, 64},
    [DH_ENUM8] = {"enum8", 1, 256},
    [DH_ENUM16] = {"enum16", 2, MAX_VALUES},
    [DH_ENUM32] = {"enum32", 4, MAX_VALUES},
    [DH_ENUM64] = {"enum64", 8, MAX_VALUES},
    [DH_STR] = {"str", -1, 0},
    [DH_BYTES] = {"bytes", -1, 0},
    [DH_REF] = {"ref", -1, 0},
    [DH_HASH16] = {"hash16", 16, 0},
    [DH_HASH32] = {"hash32", 32, 0},
};

/* A name: a letter or _, then letters, digits, _ . -; so that it can stand in a line without escapes and be told from a
 * number. */
static bool is_name(const char *p, size_t n)
{
    if (n == 0 || n > MAX_NAME)
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '.' || c == '-')))
            return false;
    }
    return true;
}

static int name_error(struct dh_err *e, const char *what, const char *p, size_t n)
{
    return dh_fail(
        e, DH_TROUBLE,
        "schema: expected the name of a %s (a letter or _, then letters, digits, _ . -, at most %d), found '%.*s'",
        what, MAX_NAME, (int)(n > 80 ? 80 : n), p);
}

/* ---- building one, whatever it comes from ------------------------------------------------------------------------ */

static int no_memory(struct dh_err *e)
{
    return dh_fail(e, DH_TROUBLE, "out of memory");
}

/* Append a name to a list that doubles at the powers of two. */
static int push(char ***list, int *n, char *name)
{
    if ((*n & (*n - 1)) == 0) {
        char **grown = realloc(*list, (size_t)(*n ? *n * 2 : 1) * sizeof *grown);

        if (!grown)
            return -1;
        *list = grown;
    }
    (*list)[(*n)++] = name;
    return 0;
}

static void schema_free(struct dh_schema *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->nfields; i++)
        free(s->fields[i].names);
    free(s->fields);
    free(s->text);
    free(s->offsets);
    free(s->spans);
    free(s->places);
    free(s);
}

void dh_schema_record_clear(struct dh_schema_record *r)
{
    free(r->subjects);
    schema_free(r->schema);
    *r = (struct dh_schema_record){0};
}

/* Of what a record is read from, n bytes, its names are a part, and each has a byte more there, the length before it or
 * what comes after it: so they fit into n + 1 bytes with a zero after each. */
static int begin(struct dh_schema_record *r, size_t n, struct dh_err *e)
{
    *r = (struct dh_schema_record){0};
    r->schema = calloc(1, sizeof *r->schema);
    if (r->schema)
        r->room = r->schema->text = malloc(n + 1);
    return r->room ? 0 : no_memory(e);
}

static char *keep(struct dh_schema_record *r, struct dh_str name)
{
    char *kept = r->room;

    memcpy(kept, name.p, name.n);
    kept[name.n] = '\0';
    r->room += name.n + 1;
    return kept;
}

static int add_subject(struct dh_schema_record *r, struct dh_str s, struct dh_err *e)
{
    if (!is_name(s.p, s.n))
        return name_error(e, "schema's subject", s.p, s.n);
    return push(&r->subjects, &r->nsubjects, keep(r, s)) < 0 ? no_memory(e) : 0;
}

/* Memory for n fields, or as many as there can be. */
static int expect_fields(struct dh_schema_record *r, uint64_t n, struct dh_err *e)
{
    r->most = n < MAX_FIELDS ? (int)n : MAX_FIELDS;
    r->schema->fields = malloc((size_t)(r->most + 1) * sizeof *r->schema->fields);
    return r->schema->fields ? 0 : no_memory(e);
}

static struct dh_field *add_field(struct dh_schema_record *r, struct dh_str name, enum dh_type type, struct dh_err *e)
{
    struct dh_schema *s = r->schema;

    if (!is_name(name.p, name.n)) {
        name_error(e, "field", name.p, name.n);
        return NULL;
    }
    if (s->nfields == r->most) {
        dh_fail(e, DH_TROUBLE, "schema: more than %d fields", MAX_FIELDS);
        return NULL;
    }
    for (int i = 0; i < s->nfields; i++) {
        const char *other = s->fields[i].name;
        if (other[0] == name.p[0] && strncmp(other, name.p, name.n) == 0 && other[name.n] == '\0') {
            dh_fail(e, DH_TROUBLE, "schema: the field '%s' is there twice", other);
            return NULL;
        }
    }
    struct dh_field *f = &s->fields[s->nfields++];
    *f = (struct dh_field){.name = keep(r, name), .type = type};
    return f;
}

static int add_value(struct dh_schema_record *r, struct dh_field *f, struct dh_str name, struct dh_err *e)
{
    if (f->nnames == dh_types[f->type].names)
        return dh_fail(e, DH_TROUBLE, "schema: field '%s': more than %d names", f->name, dh_types[f->type].names);
    if (name.n && !is_name(name.p, name.n))
        return name_error(e, "value", name.p, name.n);
    for (int i = 0; name.n && i < f->nnames; i++)
        if (strlen(f->names[i]) == name.n && memcmp(f->names[i], name.p, name.n) == 0)
            return dh_fail(e, DH_TROUBLE, "schema: field '%s': the name '%s' is there twice", f->name, f->names[i]);
    return push(&f->names, &f->nnames, keep(r, name)) < 0 ? no_memory(e) : 0;
}

static int end_values(struct dh_field *f, struct dh_err *e)
{
    /* One with names whose last is empty would print like one name fewer. */
    if (f->nnames && f->names[f->nnames - 1][0] == '\0')
        return dh_fail(e, DH_TROUBLE, "schema: field '%s': the last name is empty", f->name);
    return 0;
}

/* Where the fields are. */
static int lay_out(struct dh_schema *s)
{
    int span = 0, at = 0;

    s->offsets = malloc((size_t)(s->nfields + 1) * sizeof *s->offsets);
    s->places = malloc((size_t)(s->nfields + 1) * sizeof *s->places);
    s->spans = malloc((size_t)(s->nfields + 1) * sizeof *s->spans);
    if (!s->offsets || !s->places || !s->spans)
        return -1;
    for (int i = 0; i < s->nfields; i++) {
        enum dh_type t = s->fields[i].type;

        s->offsets[i] = span ? -1 : at;
        s->places[i] = (struct dh_place){span, at};
        if (dh_type_size(t) < 0) {
            s->spans[span++] = (struct dh_span){at, (uint8_t)t};
            at = 0;
        } else
            at += dh_type_size(t);
    }
    s->spans[span] = (struct dh_span){at, 0};
    s->size = span ? -1 : at;
    return 0;
}

static int end(struct dh_schema_record *r, struct dh_err *e)
{
    if (r->nsubjects == 0)
        return dh_fail(e, DH_TROUBLE, "schema: expected a subject, found none");
    return lay_out(r->schema) < 0 ? no_memory(e) : 0;
}

/* ---- payload ----------------------------------------------------------------------------------------------------- */

static int read_payload(struct dh_schema_record *r, struct dh_cur *c, struct dh_err *e)
{
    uint64_t nsubjects = dh_get_leb(c);

    for (uint64_t i = 0; i < nsubjects && !c->bad; i++) {
        struct dh_str s = dh_get_str(c);

        if (!c->bad && add_subject(r, s, e) < 0)
            return -1;
    }
    uint64_t nfields = dh_get_leb(c), fit = dh_left(c) / 3; /* a length, a letter, a type */
    if (expect_fields(r, nfields < fit ? nfields : fit, e) < 0)
        return -1;
    for (uint64_t i = 0; i < nfields && !c->bad; i++) {
        struct dh_str name = dh_get_str(c);
        uint8_t type = dh_get_u8(c);

        if (c->bad)
            break;
        if (type == 0 || type >= DH_TYPES)
            return dh_fail(e, DH_TROUBLE, "schema: field '%.*s': unknown type %d", (int)(name.n > 80 ? 80 : name.n),
                           name.p, type);
        struct dh_field *f = add_field(r, name, type, e);
        if (!f)
            return -1;
        if (!dh_types[type].names)
            continue;
        uint64_t nnames = dh_get_leb(c);
        for (uint64_t k = 0; k < nnames && !c->bad; k++) {
            struct dh_str s = dh_get_str(c);

            if (!c->bad && add_value(r, f, s, e) < 0)
                return -1;
        }
        if (!c->bad && end_values(f, e) < 0)
            return -1;
    }
    if (c->bad)
        return dh_fail(e, DH_TROUBLE, c->overlong ? "schema: overlong number" : "schema: ends inside a field");
    if (c->p != c->end)
        return dh_fail(e, DH_TROUBLE, "schema: %zu bytes too many", dh_left(c));
    return end(r, e);
}

int dh_schema_from_payload(struct dh_schema_record *r, const uint8_t *p, size_t n, struct dh_err *e)
{
    struct dh_cur c = dh_cur(p, n);

    if (begin(r, n, e) == 0 && read_payload(r, &c, e) == 0)
        return 0;
    dh_schema_record_clear(r);
    return -1;
}

void dh_schema_to_payload(const struct dh_schema_record *r, struct dh_buf *out)
{
    const struct dh_schema *s = r->schema;

    dh_put_leb(out, (uint64_t)r->nsubjects);
    for (int i = 0; i < r->nsubjects; i++)
        dh_put_str(out, r->subjects[i]);
    dh_put_leb(out, (uint64_t)s->nfields);
    for (int i = 0; i < s->nfields; i++) {
        const struct dh_field *f = &s->fields[i];

        dh_put_str(out, f->name);
        dh_put_u8(out, (uint8_t)f->type);
        if (!dh_types[f->type].names)
            continue;
        dh_put_leb(out, (uint64_t)f->nnames);
        for (int k = 0; k < f->nnames; k++)
            dh_put_str(out, f->names[k]);
    }
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* The part of *rest up to the first c (taken away with it), or all of it. */
static struct dh_str split(struct dh_str *rest, char c, bool *found)
{
    const char *at = rest->n ? memchr(rest->p, c, rest->n) : NULL;
    struct dh_str head = dh_str(rest->p, at ? (size_t)(at - rest->p) : rest->n);
    size_t gone = head.n + (at != NULL);

    *found = at != NULL;
    *rest = dh_str(rest->p + gone, rest->n - gone);
    return head;
}

static int read_field(struct dh_schema_record *r, struct dh_str word, struct dh_err *e)
{
    bool found;
    struct dh_str name = split(&word, ':', &found);

    if (!found)
        return dh_fail(e, DH_TROUBLE, "schema: expected NAME:TYPE, found '%.*s'", (int)(name.n > 80 ? 80 : name.n),
                       name.p);
    struct dh_str type = split(&word, '(', &found);
    int t = 1;
    while (t < DH_TYPES && (strlen(dh_types[t].name) != type.n || memcmp(dh_types[t].name, type.p, type.n) != 0))
        t++;
    if (t == DH_TYPES || (found && !dh_types[t].names))
        return dh_fail(e, DH_TROUBLE, "schema: field '%.*s': unknown type '%.*s'", (int)(name.n > 80 ? 80 : name.n),
                       name.p, (int)(type.n > 80 ? 80 : type.n), type.p);
    struct dh_field *f = add_field(r, name, (enum dh_type)t, e);
    if (!f || !found)
        return f ? 0 : -1;
    if (word.n == 0 || word.p[word.n - 1] != ')')
        return dh_fail(e, DH_TROUBLE, "schema: field '%s': expected ')' at the end of its names", f->name);
    word.n--;
    for (bool more = word.n > 0; more;) {
        struct dh_str value = split(&word, ',', &more);

        if (add_value(r, f, value, e) < 0)
            return -1;
    }
    return end_values(f, e);
}

static int read_text(struct dh_schema_record *r, struct dh_str rest, struct dh_err *e)
{
    bool fields;
    struct dh_str subjects = split(&rest, ' ', &fields);

    for (bool more = true; more;)
        if (add_subject(r, split(&subjects, ',', &more), e) < 0)
            return -1;
    size_t words = fields;
    for (size_t i = 0; i < rest.n; i++)
        words += rest.p[i] == ' ';
    if (expect_fields(r, words, e) < 0)
        return -1;
    while (fields)
        if (read_field(r, split(&rest, ' ', &fields), e) < 0)
            return -1;
    return end(r, e);
}

int dh_schema_from_text(struct dh_schema_record *r, const char *p, size_t n, struct dh_err *e)
{
    if (begin(r, n, e) == 0 && read_text(r, dh_str(p, n), e) == 0)
        return 0;
    dh_schema_record_clear(r);
    return -1;
}

static void put_text(struct dh_buf *out, const char *s)
{
    dh_put_bytes(out, s, strlen(s));
}

void dh_schema_to_text(const struct dh_schema_record *r, struct dh_buf *out)
{
    const struct dh_schema *s = r->schema;

    for (int i = 0; i < r->nsubjects; i++) {
        put_text(out, i ? "," : "");
        put_text(out, r->subjects[i]);
    }
    for (int i = 0; i < s->nfields; i++) {
        const struct dh_field *f = &s->fields[i];

        put_text(out, " ");
        put_text(out, f->name);
        put_text(out, ":");
        put_text(out, dh_types[f->type].name);
        for (int k = 0; k < f->nnames; k++) {
            put_text(out, k ? "," : "(");
            put_text(out, f->names[k]);
        }
        put_text(out, f->nnames ? ")" : "");
    }
}
