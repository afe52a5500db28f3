/* SPDX-License-Identifier: ISC */
/* The header that a stream's rules make: in its dialect, or in another that says the same. */
#include "lmp/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmp/examine.h"
#include "lmp/header.h"
#include "lmp/kin.h"

/* ---- rules ------------------------------------------------------------------------------------------------------- */

/* The value that --rule gives, NULL: none. */
static const char *overriding(const struct lmp_maker *m, const char *name)
{
    size_t n = strlen(name);

    for (int i = m->how->nrules - 1; i >= 0; i--)
        if (strncmp(m->how->rules[i], name, n) == 0 && m->how->rules[i][n] == '=')
            return m->how->rules[i] + n + 1;
    return NULL;
}

/* A rule as it is to be written. */
static int64_t number(void *ctx, const char *name)
{
    const struct lmp_maker *m = ctx;
    const char *o = overriding(m, name);

    if (o)
        return strtoll(o, NULL, 10);
    if (m->how->has_viewpoint && strcmp(name, "viewpoint") == 0)
        return m->how->viewpoint;
    if (dh_schema_find(m->s->rule, name) >= 0) {
        int64_t v = lmp_stream_number(m, name);
        const struct lmp_layout *l = m->plan->dialect->layout;
        bool fits = !m->converts || strcmp(name, "version") != 0 || l->len || (v >= l->lo && v <= l->hi);
        return fits ? v : l->lo;
    }
    if (strcmp(name, "version") == 0)
        return m->plan->dialect->layout->lo;
    return dh_block_int(m->s->option, m->h->options, m->h->options_n, dh_schema_find(m->s->option, name));
}

/* ---- into which dialect ------------------------------------------------------------------------------------------ */

static int choose_target(struct lmp_maker *m)
{
    struct lmp_plan *p = m->plan;
    const char *want = m->how->dialect;

    p->wrapper = m->from_wrapper;
    p->dialect = m->from;
    if (!want || strcmp(want, m->from->id) == 0)
        p->wrapper = want ? NULL : p->wrapper;
    else if (m->from_wrapper && strcmp(want, m->from_wrapper->id) == 0)
        want = NULL;
    else {
        const struct lmp_dialect *to = lmp_dialect_named(want);
        const char *group = m->from->layout->group;
        if (!to)
            return dh_fail(m->e, DH_TROUBLE, "no dialect is called %s: see dh-dialects(7)", want);
        if (to->use != LMP_READ || !group || !to->layout->group || strcmp(group, to->layout->group) != 0)
            return dh_fail(m->e, DH_TROUBLE, "%s cannot be said in %s: the games are not the same", m->from->name,
                           to->name);
        p->wrapper = NULL;
        p->dialect = to;
    }
    m->converts = p->wrapper != m->from_wrapper || p->dialect != m->from;
    return 0;
}

struct seek {
    const char *name;
    bool found;
};

static int compare_name(void *ctx, const struct lmp_item *item, const char *name)
{
    struct seek *s = ctx;

    s->found |= item->lie != LMP_LIE_FIXED && strcmp(name, s->name) == 0;
    return 0;
}

struct both {
    struct lmp_maker *m;
    struct seek s;
};

static int compare_both(void *ctx, const struct lmp_item *item, const char *name)
{
    return compare_name(&((struct both *)ctx)->s, item, name);
}

static int64_t number_both(void *ctx, const char *name)
{
    return number(((struct both *)ctx)->m, name);
}

/* Whether the target has a rule of that name. */
static bool has_rule(struct lmp_maker *m, const char *name)
{
    const struct lmp_plan *p = m->plan;
    struct both b = {m, {name, false}};

    if (p->wrapper)
        lmp_items_walk(p->wrapper->layout->header, compare_both, number_both, &b);
    lmp_items_walk(p->dialect->layout->header, compare_both, number_both, &b);
    if (p->wrapper)
        lmp_items_walk(p->wrapper->layout->after, compare_both, number_both, &b);
    return b.s.found;
}

/* What a wrapper says of itself is not lost with it. */
static bool of_the_form(const char *name)
{
    static const char *const names[] = {"version",   "dsda_end",   "dsda_tics", "dsda_keep",
                                        "dsda_udmf", "um_version", "um_count",  "um_extension"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Rules with a value that the target has no place for. */
static int check_lost(struct lmp_maker *m)
{
    char lost[256] = "";

    for (int i = 0; i < m->s->rule->nfields; i++) {
        const struct dh_field *f = &m->s->rule->fields[i];
        bool is_text = f->type == DH_STR || f->type == DH_BYTES;
        int64_t v = is_text ? (int64_t)lmp_stream_text(m, f->name).n : lmp_stream_number(m, f->name);
        size_t n = strlen(lost);

        if (v == 0 || of_the_form(f->name) || has_rule(m, f->name))
            continue;
        if (is_text)
            snprintf(lost + n, sizeof lost - n, "%s%s", n ? " " : "", f->name);
        else
            snprintf(lost + n, sizeof lost - n, "%s%s=%" PRId64, n ? " " : "", f->name, v);
    }
    if (!*lost)
        return 0;
    if (lmp_stream_number(m, "keyframe"))
        return dh_fail(m->e, DH_TROUBLE, "starts from a key frame: without it the demo would be another");
    if (!m->how->lossy)
        return dh_fail(m->e, DH_TROUBLE, "%s has no place for %s (--lossy drops it)", m->plan->dialect->name, lost);
    if (m->how->note) {
        char note[512];
        snprintf(note, sizeof note, "%s has no place for %s: dropped", m->plan->dialect->name, lost);
        m->how->note(m->how->arg, note);
    }
    return 0;
}

/* ---- the header's bytes ------------------------------------------------------------------------------------------ */

static int put_item(void *ctx, const struct lmp_item *item, const char *name)
{
    struct lmp_maker *m = ctx;
    struct lmp_plan *p = m->plan;
    bool numeric = item->lie != LMP_LIE_FIXED && lmp_item_type(item) != DH_STR && lmp_item_type(item) != DH_BYTES;
    int64_t v = numeric ? number(m, name) : 0;
    int64_t max = item->size >= 4 ? UINT32_MAX : item->size == 2 ? UINT16_MAX : UINT8_MAX;

    if (numeric && (v < 0 || v > max))
        return dh_fail(m->e, DH_TROUBLE, "rule %s=%" PRId64 ": expected 0 to %" PRId64, name, v, max);
    if (strcmp(name, "dsda_end") == 0 && !number(m, "dsda_keep"))
        p->end_at = p->head.n;
    if (strcmp(name, "dsda_tics") == 0 && !number(m, "dsda_keep"))
        p->tics_at = p->head.n;
    if (strcmp(name, "dsda_end") == 0)
        p->has_end = true;
    if (numeric && dh_schema_find(m->s->rule, name) < 0 && !overriding(m, name) && strcmp(name, "version") != 0) {
        size_t n = strlen(m->filled);
        snprintf(m->filled + n, sizeof m->filled - n, "%s%s=%" PRId64, n ? " " : "", name, v);
    }
    if (lmp_item_put(item, v, numeric ? (struct dh_str){"", 0} : lmp_stream_text(m, name), &p->head) < 0)
        return dh_fail(m->e, DH_TROUBLE, "rule %s: %zu bytes do not fit", name, lmp_stream_text(m, name).n);
    return 0;
}

static int check_overrides(struct lmp_maker *m)
{
    if (m->how->has_viewpoint && !has_rule(m, "viewpoint"))
        return dh_fail(m->e, DH_TROUBLE, "a demo of %s has no viewpoint", m->plan->dialect->name);
    for (int i = 0; i < m->how->nrules; i++) {
        const char *sign = strchr(m->how->rules[i], '=');
        char name[64] = "";
        if (sign && (size_t)(sign - m->how->rules[i]) < sizeof name)
            memcpy(name, m->how->rules[i], (size_t)(sign - m->how->rules[i]));
        if (!has_rule(m, name))
            return dh_fail(m->e, DH_TROUBLE, "no rule of a demo of %s: '%s'", m->plan->dialect->name, m->how->rules[i]);
        if (sign[1] == '\0' || strspn(sign + 1, "0123456789") != strlen(sign + 1) || strlen(sign + 1) > 10)
            return dh_fail(m->e, DH_TROUBLE, "--rule %s: expected a number", m->how->rules[i]);
    }
    return 0;
}

/* The header has to be read as what it was written as; and reading it says who plays. */
static int read_back(struct lmp_maker *m)
{
    struct lmp_plan *p = m->plan;
    char id[64];
    const struct lmp_how how = {.dialect = id};
    struct dh_buf copy = {0};
    struct lmp_demo *d = NULL;
    struct dh_err e = {0};

    snprintf(id, sizeof id, "%s%s%s", p->wrapper ? p->wrapper->id : "", p->wrapper ? "/" : "", p->dialect->id);
    dh_put_bytes(&copy, p->head.p, p->head.n);
    for (int i = 0; i < 4 * 128; i++) /* where the players' states will be */
        dh_put_u8(&copy, 0);
    int r =
        copy.failed ? dh_fail(&e, DH_TROUBLE, "out of memory") : lmp_examine_part(&d, copy.p, copy.n, false, &how, &e);
    if (r == 0 && (d->dialect != p->dialect || d->wrapper != p->wrapper))
        r = dh_fail(&e, DH_TROUBLE, "it is one of %s", d->dialect->name);
    if (r == 0) {
        p->join_size = d->join_size;
        p->keyframe = (uint32_t)lmp_rule(d, "keyframe", 0);
        p->npresent = d->nplayers;
        memcpy(p->present, d->present, sizeof p->present);
        p->to = *d->command;
    } else
        dh_fail(m->e, DH_TROUBLE, "no header of %s can say these rules: %s", p->dialect->name, e.msg);
    lmp_demo_free(d);
    dh_buf_free(&copy);
    return r < 0 ? -1 : 0;
}

static int make_header(struct lmp_maker *m)
{
    struct lmp_plan *p = m->plan;
    int r = 0;

    dh_buf_clear(&p->head);
    if (p->wrapper)
        r = lmp_items_walk(p->wrapper->layout->header, put_item, number, m);
    if (r == 0)
        r = lmp_items_walk(p->dialect->layout->header, put_item, number, m);
    if (r == 0 && p->wrapper)
        r = lmp_items_walk(p->wrapper->layout->after, put_item, number, m);
    if (r == 0 && p->head.failed)
        r = dh_fail(m->e, DH_TROUBLE, "out of memory");
    return r < 0 ? -1 : read_back(m);
}

static int check_viewpoint(const struct lmp_maker *m)
{
    const struct lmp_plan *p = m->plan;

    if (!m->how->has_viewpoint)
        return 0;
    for (int i = 0; i < p->npresent; i++)
        if (p->present[i] == m->how->viewpoint)
            return 0;
    return dh_fail(m->e, DH_TROUBLE, "viewpoint %" PRId64 ": the demo has no player there", m->how->viewpoint);
}

int lmp_plan_make(struct lmp_plan *plan, const struct dh_schemas *s, const struct dh_header *h,
                  const struct lmp_writing *how, struct dh_err *e)
{
    struct lmp_maker m = {.s = s, .h = h, .how = how, .plan = plan, .e = e};
    struct dh_err ignored;

    memset(plan, 0, sizeof *plan);
    if (!s->rule || !s->input)
        return dh_fail(e, DH_TROUBLE, "the stream has no rules or no input fields: expected one as lmp2dh writes it");
    if (lmp_find_dialect(&m) < 0 || choose_target(&m) < 0 || check_overrides(&m) < 0 || check_lost(&m) < 0 ||
        lmp_distance(&m, m.from_wrapper, m.from, &ignored) < 0 || make_header(&m) < 0 || check_viewpoint(&m) < 0)
        return -1;
    if (m.filled[0] && how->note) {
        char note[512];
        snprintf(note, sizeof note, "%s does not store %s; --rule sets them", m.from->name, m.filled);
        how->note(how->arg, note);
    }
    for (int i = 0; i < LMP_COLUMNS; i++) {
        const char *name = lmp_column_name(&plan->from, (enum lmp_column)i);
        plan->column[i] = name ? dh_schema_find(s->input, name) : -1;
    }
    return 0;
}

void lmp_plan_free(struct lmp_plan *plan)
{
    dh_buf_free(&plan->head);
}

int lmp_plan_join_field(const struct lmp_plan *plan, const struct dh_schema *s, int i)
{
    const char *p = plan->dialect->layout->join;
    char name[64] = "";

    while (i-- > 0 && (p = strchr(p, ' ')))
        p++;
    if (p && strcspn(p, ":") < sizeof name)
        memcpy(name, p, strcspn(p, ":"));
    return dh_schema_find(s, name);
}
