/* SPDX-License-Identifier: ISC */
#include "graft.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "schema.h"
#include "settings.h"

#define SCOPE "snapshot."

enum { WRITE_FAILED = -2 };

struct grafter {
    const struct dh_graft *g;
    const struct dh_schemas *in;
    struct dh_schemas *world;
    struct dh_writer *w;
    struct dh_buf payload;
    struct dh_err *e;
    bool options; /* the settings' schema is still to be written */
};

/* ---- equality ---------------------------------------------------------------------------------------------------- */

static bool same_field(const struct dh_field *a, const struct dh_field *b)
{
    if (a->type != b->type || a->nnames != b->nnames || strcmp(a->name, b->name) != 0)
        return false;
    for (int i = 0; i < a->nnames; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

static bool same_schema(const struct dh_schema *a, const struct dh_schema *b)
{
    int n = a ? a->nfields : 0;

    if (n != (b ? b->nfields : 0))
        return false;
    for (int i = 0; i < n; i++)
        if (!same_field(&a->fields[i], &b->fields[i]))
            return false;
    return true;
}

static bool same_type(const struct dh_etype *a, const struct dh_etype *b)
{
    return strcmp(a->name, b->name) == 0 && same_schema(a->schema, b->schema);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static int put(struct grafter *g, const struct dh_schema_record *r)
{
    dh_buf_clear(&g->payload);
    dh_schema_to_payload(r, &g->payload);
    if (g->payload.failed)
        return dh_fail(g->e, DH_TROUBLE, "out of memory");
    return dh_write_payload(g->w, DH_SCHEMA, g->payload.p, g->payload.n) < 0 ? WRITE_FAILED : 0;
}

static bool is_block(const char *subject)
{
    return strcmp(subject, "rule") == 0 || strcmp(subject, "option") == 0 || strcmp(subject, "input") == 0 ||
           strcmp(subject, "join") == 0;
}

/* The schema of the options with the settings among them, in place of the incoming one. */
static int put_options(struct grafter *g)
{
    static char name[] = "option";
    char *names[] = {name};
    struct dh_schema s;

    g->options = false;
    if (dh_settings_schema(g->in->option, g->g->settings, &s) < 0)
        return dh_fail(g->e, DH_TROUBLE, "out of memory");
    const struct dh_schema_record r = {.nsubjects = 1, .subjects = names, .schema = &s};
    int rc = s.nfields > 0 ? put(g, &r) : 0;
    dh_settings_schema_free(&s);
    return rc;
}

/* An incoming schema record, less the subjects that are dropped. */
static int pass(void *ctx, const struct dh_record *rec)
{
    struct grafter *g = ctx;
    struct dh_schema_record r;
    int rc = 0, kept = 0;

    if (rec->kind != DH_SCHEMA) {
        rc = rec->kind == DH_RAW ? dh_write(g->w, rec) : dh_write_payload(g->w, rec->kind, rec->payload, rec->len);
        return rc < 0 ? WRITE_FAILED : 0;
    }
    if (dh_schema_from_payload(&r, rec->payload, rec->len, g->e) < 0)
        return -1;
    for (int i = 0; i < r.nsubjects; i++) {
        bool options = g->options && strcmp(r.subjects[i], "option") == 0;
        bool drop = g->g->replace ? !is_block(r.subjects[i]) : strncmp(r.subjects[i], SCOPE, strlen(SCOPE)) == 0;
        if (options && rc == 0)
            rc = put_options(g);
        if (!drop && !options)
            r.subjects[kept++] = r.subjects[i];
    }
    r.nsubjects = kept;
    if (kept > 0 && rc == 0)
        rc = put(g, &r);
    dh_schema_record_clear(&r);
    return rc;
}

/* One schema record for names that share a schema. */
static int put_names(struct grafter *g, char **names, int n, bool scoped, const struct dh_schema *schema)
{
    struct dh_schema_record r = {.nsubjects = n, .schema = (struct dh_schema *)(uintptr_t)schema};
    int made = 0, rc = -1;

    r.subjects = calloc((size_t)n, sizeof *r.subjects);
    for (; r.subjects && made < n; made++) {
        size_t size = strlen(SCOPE) + strlen(names[made]) + 1;
        if (!(r.subjects[made] = malloc(size)))
            break;
        strcpy(r.subjects[made], scoped ? SCOPE : "");
        strcat(r.subjects[made], names[made]);
    }
    rc = made == n ? put(g, &r) : dh_fail(g->e, DH_TROUBLE, "out of memory");
    while (made > 0)
        free(r.subjects[--made]);
    free(r.subjects);
    return rc;
}

static int add_types(struct grafter *g, bool scoped)
{
    const struct dh_schemas *s = g->world;
    char **names = calloc((size_t)s->ntypes + 1, sizeof *names);
    int rc = names ? 0 : dh_fail(g->e, DH_TROUBLE, "out of memory");

    for (int i = 0, n; i < s->ntypes && rc == 0; i += n) {
        for (n = 0; i + n < s->ntypes && s->types[i + n].schema == s->types[i].schema; n++)
            names[n] = s->types[i + n].name;
        rc = put_names(g, names, n, scoped, s->types[i].schema);
    }
    free(names);
    return rc;
}

static int add_state(struct grafter *g, bool scoped)
{
    static const struct dh_schema none = {0};
    static char name[] = "state";
    char *names[] = {name};

    if (!g->world->state && !scoped)
        return 0;
    return put_names(g, names, 1, scoped, g->world->state ? g->world->state : &none);
}

/* ---- what is there ----------------------------------------------------------------------------------------------- */

/* How many types are for checkpoints too; -1 where one of them comes after one that is not: dropping the latter would
 * renumber it. */
static int common_types(const struct dh_schemas *s)
{
    int n = 0;

    while (n < s->ntypes && !s->types[n].snapshot_only)
        n++;
    for (int i = n; i < s->ntypes; i++)
        if (!s->types[i].snapshot_only)
            return -1;
    return n;
}

/* The number of the first of the world's types where they all are there, next to each other and in order; -1: they are
 * not. */
static int find_run(const struct dh_schemas *world, const struct dh_schemas *in, int common)
{
    for (int first = 0; first + world->ntypes <= common; first++) {
        int n = 0;
        while (n < world->ntypes && same_type(&world->types[n], &in->types[first + n]))
            n++;
        if (n == world->ntypes)
            return first;
    }
    return -1;
}

static bool clashes(const struct dh_schemas *world, const struct dh_schemas *in)
{
    for (int i = 0; i < world->ntypes; i++)
        if (dh_schemas_type(in, world->types[i].name, strlen(world->types[i].name), DH_CHECKPOINT) >= 0)
            return true;
    return false;
}

static int add_missing(struct grafter *g, int *first_type)
{
    const struct dh_schemas *in = g->in, *world = g->world;
    int common = g->g->replace ? 0 : common_types(in), rc = 0;

    if (common < 0)
        return dh_fail(g->e, DH_TROUBLE,
                       "a schema of snapshots alone stands before one of checkpoints: cannot replace it");
    if (g->g->replace || (common == 0 && !in->state))
        rc = add_state(g, false); /* no recorded state has a state line that this could be taken for */
    else if (!same_schema(world->state, in->state))
        rc = add_state(g, true);
    if (rc != 0)
        return rc;
    int run = g->g->replace ? -1 : find_run(world, in, common);
    *first_type = run >= 0 ? run : common;
    return run >= 0 ? 0 : add_types(g, !g->g->replace && clashes(world, in));
}

int dh_graft(const struct dh_graft *g, struct dh_spool *incoming, const struct dh_schemas *schemas, struct dh_writer *w,
             int *first_type, struct dh_err *e)
{
    struct grafter grafter = {.g = g, .in = schemas, .world = dh_schemas_new(), .w = w, .e = e};
    int rc;

    grafter.options = dh_settings_change(schemas->option, g->settings);
    *first_type = 0;
    if (!grafter.world)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    rc = g->ops->schemas(grafter.world, e);
    if (rc == 0)
        rc = dh_spool_play(incoming, pass, &grafter, e);
    if (rc == 0 && grafter.options)
        rc = put_options(&grafter);
    if (rc == 0)
        rc = add_missing(&grafter, first_type);
    dh_schemas_free(grafter.world);
    dh_buf_free(&grafter.payload);
    return rc;
}
