/* SPDX-License-Identifier: ISC */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#define STATE_NAME "state"

/* ---- filters ----------------------------------------------------------------------------------------------------- */

/* Whether one pattern of a filter, n bytes, means a field of a type. */
static bool pattern_matches(const char *p, size_t n, const char *type, const char *field)
{
    size_t t = strlen(type), f = strlen(field);

    if (n == f && memcmp(p, field, n) == 0)
        return true;
    if (n < t + 2 || memcmp(p, type, t) != 0 || p[t] != '.')
        return false;
    return (n == t + 2 && p[t + 1] == '*') || (n == t + 1 + f && memcmp(p + t + 1, field, f) == 0);
}

static bool listed(const char *list, const char *type, const char *field)
{
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (pattern_matches(p, strcspn(p, ","), type, field))
            return true;
    return false;
}

static bool wanted(const struct dh_filter *f, const char *type, const char *field)
{
    return (!f->only || listed(f->only, type, field)) && !(f->ignore && listed(f->ignore, type, field));
}

static bool known_to(const struct dh_schema *s, const char *type, const char *p, size_t n)
{
    for (int i = 0; s && i < s->nfields; i++)
        if (pattern_matches(p, n, type, s->fields[i].name))
            return true;
    return false;
}

/* A misspelt name would compare nothing and say that all is well. */
static int check_names(const struct dh_plan *plan, const char *list, struct dh_err *e)
{
    while (list) {
        size_t n = strcspn(list, ",");
        bool known = known_to(plan->state.sa, STATE_NAME, list, n) || known_to(plan->state.sb, STATE_NAME, list, n);
        for (int i = 0; i < plan->ntypes && !known; i++) {
            const struct dh_plan_type *t = &plan->types[i];
            known = known_to(t->sa, t->name, list, n) || known_to(t->sb, t->name, list, n);
        }
        if (!known)
            return dh_fail(e, DH_TROUBLE, "no state has a field '%.*s'", (int)(n > 80 ? 80 : n), list);
        list = list[n] ? list + n + 1 : NULL;
    }
    return 0;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static bool is_float(enum dh_type t)
{
    return t == DH_F32 || t == DH_F64 || t == DH_VEC3 || t == DH_QUAT;
}

/* Count a type's fields on either side and note the ones that are compared. */
static int meet(struct dh_plan *plan, struct dh_plan_type *t, const struct dh_filter *filter)
{
    const char *name = t->name ? t->name : STATE_NAME;
    int na = t->sa ? t->sa->nfields : 0, nb = t->sb ? t->sb->nfields : 0, met = 0;

    t->fields = calloc((size_t)na + 1, sizeof *t->fields);
    if (!t->fields)
        return -1;
    t->alike = na == nb && (!t->name || (t->a >= 0 && t->b >= 0));
    for (int i = 0; i < na; i++) {
        const struct dh_field *fa = &t->sa->fields[i];
        /* mostly the fields are the same ones in the same order */
        int j = i < nb && strcmp(t->sb->fields[i].name, fa->name) == 0 ? i : dh_schema_find(t->sb, fa->name);
        met += j >= 0;
        bool same = j >= 0 && t->sb->fields[j].type == fa->type;
        t->alike &= same && i == j;
        if (!same || !wanted(filter, name, fa->name))
            continue;
        t->floats |= is_float(fa->type);
        t->refs |= fa->type == DH_REF;
        t->fields[t->nfields++] = (struct dh_meeting){i, j};
    }
    t->whole = t->alike && t->nfields == na;
    plan->compared += t->nfields;
    plan->all += na + nb - met;
    /* A type that one side does not know cannot be missing there; nor is one of interest of which nothing is looked at.
     */
    t->present = t->a >= 0 && t->b >= 0 && (t->nfields > 0 || (na == 0 && nb == 0 && !filter->only));
    return 0;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool serves(const struct dh_etype *t, int kind)
{
    return kind == DH_SNAPSHOT ? !t->shadowed : !t->snapshot_only;
}

static int by_name(const void *x, const void *y)
{
    const struct dh_plan_type *a = x, *b = y;
    int order = strcmp(a->name, b->name);

    return order ? order : (a->a < 0) - (b->a < 0);
}

/* All types of both sides, those of the same name as one. */
static int find_types(struct dh_plan *p, int kind_a, int kind_b)
{
    const struct dh_schemas *a = p->a, *b = p->b;
    int n = 0;

    p->types = calloc((size_t)a->ntypes + (size_t)b->ntypes + 1, sizeof *p->types);
    p->of_a = malloc(((size_t)a->ntypes + 1) * sizeof *p->of_a);
    p->of_b = malloc(((size_t)b->ntypes + 1) * sizeof *p->of_b);
    if (!p->types || !p->of_a || !p->of_b)
        return -1;
    for (int i = 0; i < a->ntypes; i++) {
        p->of_a[i] = -1;
        if (serves(&a->types[i], kind_a))
            p->types[n++] = (struct dh_plan_type){.name = a->types[i].name, .sa = a->types[i].schema, .a = i, .b = -1};
    }
    for (int i = 0; i < b->ntypes; i++) {
        p->of_b[i] = -1;
        if (serves(&b->types[i], kind_b))
            p->types[n++] = (struct dh_plan_type){.name = b->types[i].name, .sb = b->types[i].schema, .a = -1, .b = i};
    }
    if (n > 0)
        qsort(p->types, (size_t)n, sizeof *p->types, by_name);
    for (int i = 0; i < n; i++) {
        struct dh_plan_type *last = p->ntypes > 0 ? &p->types[p->ntypes - 1] : NULL;
        if (last && strcmp(last->name, p->types[i].name) == 0) {
            last->b = p->types[i].b;
            last->sb = p->types[i].sb;
        } else
            p->types[p->ntypes++] = p->types[i];
    }
    for (int i = 0; i < p->ntypes; i++) {
        if (p->types[i].a >= 0)
            p->of_a[p->types[i].a] = i;
        if (p->types[i].b >= 0)
            p->of_b[p->types[i].b] = i;
    }
    return 0;
}

static void sum_up(struct dh_plan *p, const struct dh_filter *filter)
{
    bool floats = p->state.floats, alike = p->state.alike;

    p->same_numbers = true;
    for (int i = 0; i < p->ntypes; i++) {
        const struct dh_plan_type *t = &p->types[i];
        p->same_numbers &= t->a == t->b;
        floats |= t->floats;
        alike &= t->alike;
    }
    p->everything = alike && p->compared == p->all && !filter->only && !filter->ignore;
    /* With a filter the bytes may say more than is asked, but where they are equal so is all of it. NaNs are never
     * equal. */
    p->bytes = alike && p->same_numbers && !floats;
}

int dh_plan_make(struct dh_plan *p, const struct dh_schemas *a, int kind_a, const struct dh_schemas *b, int kind_b,
                 const struct dh_filter *filter, struct dh_err *e)
{
    memset(p, 0, sizeof *p);
    p->a = a;
    p->b = b;
    p->state =
        (struct dh_plan_type){.sa = dh_state_schema(a, kind_a), .sb = dh_state_schema(b, kind_b), .a = -1, .b = -1};
    int rc = find_types(p, kind_a, kind_b);
    if (rc == 0)
        rc = meet(p, &p->state, filter);
    for (int i = 0; i < p->ntypes && rc == 0; i++)
        rc = meet(p, &p->types[i], filter);
    if (rc < 0)
        dh_fail(e, DH_TROUBLE, "out of memory");
    else if (check_names(p, filter->only, e) < 0 || check_names(p, filter->ignore, e) < 0)
        rc = -1;
    if (rc < 0) {
        dh_plan_free(p);
        return -1;
    }
    sum_up(p, filter);
    return 0;
}

void dh_plan_free(struct dh_plan *p)
{
    free(p->state.fields);
    for (int i = 0; p->types && i < p->ntypes; i++)
        free(p->types[i].fields);
    free(p->types);
    free(p->of_a);
    free(p->of_b);
    memset(p, 0, sizeof *p);
}
