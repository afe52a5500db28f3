/* SPDX-License-Identifier: ISC */
/*
 * Which dialect a stream is of, and the header that its rules make: in that dialect, or in another that says the same.
 *
 * A stream does not name its dialect: its game, its version and the names of its rules and input fields do.
 */
#include "lmp/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmp/examine.h"
#include "lmp/header.h"

/* What all of this reads from. */
struct maker {
    const struct dh_schemas *s;
    const struct dh_header *h;
    const struct lmp_writing *how;
    struct lmp_plan *plan;
    const struct lmp_dialect *from_wrapper, *from; /* what the stream is of */
    bool converts;
    struct dh_err *e;
    char filled[256]; /* rules that the stream does not have, for a note */
};

/* ---- rules ------------------------------------------------------------------------------------------------------- */

/* The value that --rule gives, NULL: none. */
static const char * override(const struct maker *m, const char *name)
{
    size_t n = strlen(name);

    for (int i = m->how->nrules - 1; i >= 0; i--)
        if (strncmp(m->how->rules[i], name, n) == 0 && m->how->rules[i][n] == '=')
            return m->how->rules[i] + n + 1;
    return NULL;
}

static int64_t stream_number(const struct maker *m, const char *name)
{
    return dh_block_int(m->s->rule, m->h->rules, m->h->rules_n, dh_schema_find(m->s->rule, name));
}

/* A rule as it is to be written. */
static int64_t number(void *ctx, const char *name)
{
    const struct maker *m = ctx;
    const char *o = override(m, name);

    if (o)
        return strtoll(o, NULL, 10);
    if (m->how->has_viewpoint && strcmp(name, "viewpoint") == 0)
        return m->how->viewpoint;
    if (dh_schema_find(m->s->rule, name) >= 0) {
        int64_t v = stream_number(m, name);
        const struct lmp_layout *l = m->plan->dialect->layout;
        bool fits = !m->converts || strcmp(name, "version") != 0 || l->len || (v >= l->lo && v <= l->hi);
        return fits ? v : l->lo;
    }
    if (strcmp(name, "version") == 0)
        return m->plan->dialect->layout->lo;
    return dh_block_int(m->s->option, m->h->options, m->h->options_n, dh_schema_find(m->s->option, name));
}

static struct dh_str text(const struct maker *m, const char *name)
{
    size_t n;
    int i = dh_schema_find(m->s->rule, name);

    if (i < 0 || (m->s->rule->fields[i].type != DH_STR && m->s->rule->fields[i].type != DH_BYTES))
        return (struct dh_str){"", 0};
    const uint8_t *p = dh_block_field(m->s->rule, m->h->rules, m->h->rules_n, i, &n);
    struct dh_cur c = dh_cur(p, n);
    return dh_get_str(&c);
}

/* ---- which dialect ----------------------------------------------------------------------------------------------- */

static int add_field(void *ctx, const struct lmp_item *item, const char *name)
{
    struct maker *m = ctx;
    struct dh_buf *out = &m->plan->head; /* free until the header is made */
    int type = lmp_item_type(item);

    if (type >= 0) {
        if (out->n)
            dh_put_u8(out, ' ');
        dh_put_bytes(out, name, strlen(name));
        dh_put_u8(out, ':');
        dh_put_bytes(out, lmp_type_name(type), strlen(lmp_type_name(type)));
    }
    return 0;
}

static int64_t plain_number(void *ctx, const char *name)
{
    return stream_number(ctx, name);
}

static bool same_field(const struct dh_field *a, const struct dh_field *b)
{
    if (a->type != b->type || a->nnames != b->nnames)
        return false;
    for (int i = 0; i < a->nnames; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

/* How many fields differ; e tells of the first. Any order will do, but what has no byte would be lost without a word.
 */
static int differences(const char *what, const char *dialect, const struct dh_schema *theirs,
                       const struct dh_schema *ours, struct dh_err *e)
{
    int n = 0;

    for (int i = 0; theirs && i < theirs->nfields; i++)
        if (dh_schema_find(ours, theirs->fields[i].name) < 0 && n++ == 0)
            dh_fail(e, DH_TROUBLE, "%s field %s has no byte in a demo of %s", what, theirs->fields[i].name, dialect);
    for (int i = 0; ours && i < ours->nfields; i++) {
        int k = dh_schema_find(theirs, ours->fields[i].name);
        if (k < 0 && n++ == 0)
            dh_fail(e, DH_TROUBLE,
                    "the %s schema has no field %s, as a demo of %s has: expected a stream as lmp2dh "
                    "writes it",
                    what, ours->fields[i].name, dialect);
        if (k >= 0 && !same_field(&theirs->fields[k], &ours->fields[i]) && n++ == 0)
            dh_fail(e, DH_TROUBLE, "%s field %s is not of the type that lmp2dh writes", what, ours->fields[i].name);
    }
    return n;
}

static bool turns_are_long(const struct lmp_layout *l, int64_t full_version, int64_t player0)
{
    return l->turns == LMP_TURNS_LONG || (l->turns == LMP_TURNS_PLAYER0 && (player0 & 0x10)) ||
           (l->turns == LMP_TURNS_ETERNITY && full_version >= (333 << 8 | 50));
}

static int64_t full_version(int64_t version, int64_t sub)
{
    return version << 8 | sub;
}

/* How far the stream is from one of this dialect: the number of fields that differ, -1 without memory. */
static int distance(struct maker *m, const struct lmp_dialect *w, const struct lmp_dialect *d, struct dh_err *e)
{
    struct dh_buf *rules = &m->plan->head;
    struct lmp_command *c = &m->plan->from;
    struct dh_schemas *ours = dh_schemas_new();
    int n = -1;

    dh_buf_clear(rules);
    if (w)
        lmp_items_walk(w->layout->header, add_field, plain_number, m);
    lmp_items_walk(d->layout->header, add_field, plain_number, m);
    if (w)
        lmp_items_walk(w->layout->after, add_field, plain_number, m);
    dh_put_u8(rules, 0);
    int64_t version = full_version(stream_number(m, "version"), stream_number(m, "subversion"));
    lmp_command_init(c, d->layout, w ? w->layout : NULL, version,
                     turns_are_long(d->layout, version, stream_number(m, "player0")));
    if (!ours || rules->failed) {
        dh_fail(e, DH_TROUBLE, "out of memory");
    } else if (dh_schemas_add(ours, "rule", (const char *)rules->p, e) == 0 &&
               dh_schemas_add(ours, "input", c->schema, e) == 0 &&
               (!d->layout->join || dh_schemas_add(ours, "join", d->layout->join, e) == 0)) {
        n = differences("rule", d->name, m->s->rule, ours->rule, e);
        n += differences("input", d->name, m->s->input, ours->input, n ? NULL : e);
        n += differences("join", d->name, m->s->join, ours->join, n ? NULL : e);
    }
    dh_schemas_free(ours);
    return n;
}

static bool is_game(const struct dh_str game, const char *name)
{
    return game.n == strlen(name) && memcmp(game.p, name, game.n) == 0;
}

/* A row that writes the stream's first byte, and its signature where that is a field. */
static bool has_version(const struct maker *m, const struct lmp_dialect *d)
{
    const struct lmp_layout *l = d->layout;
    int64_t v = stream_number(m, "version");
    struct dh_str signature = text(m, "signature");

    if (signature.n > 0 && (signature.n != l->len || memcmp(signature.p, l->signature, l->len) != 0))
        return false;
    return l->hi == 255 || dh_schema_find(m->s->rule, "version") < 0 || (v >= l->lo && v <= l->hi);
}

/* The dialect that the stream is nearest to; it has to be there, all of it. */
static int find_dialect(struct maker *m)
{
    const struct lmp_dialect *w, *d;
    struct dh_err e = {0};
    int best = -1;
    bool game = false;

    for (int i = -1; i < 0 || (w = lmp_dialect_at(i)); i++) {
        if (i < 0)
            w = NULL;
        else if (w->use != LMP_WRAPPER || !is_game(m->h->game, w->game))
            continue;
        for (int k = 0; (d = lmp_dialect_at(k)); k++) {
            if (d->use != LMP_READ || (w ? d->layout->lo == 255 : !is_game(m->h->game, d->game)))
                continue;
            game = true;
            if (!has_version(m, d))
                continue;
            int n = distance(m, w, d, &e);
            if (n < 0) {
                *m->e = e;
                return -1;
            }
            if (best < 0 || n < best) {
                best = n;
                *m->e = e;
                m->from_wrapper = w;
                m->from = d;
            }
        }
    }
    if (!game)
        return dh_fail(m->e, DH_TROUBLE, "game=%.*s: expected a game of the Doom family (doom, heretic, mbf21, ...)",
                       (int)(m->h->game.n < 64 ? m->h->game.n : 64), m->h->game.p);
    if (best < 0)
        return dh_fail(m->e, DH_TROUBLE, "rule version is %" PRId64 ": expected one that demos of game=%.*s have",
                       stream_number(m, "version"), (int)m->h->game.n, m->h->game.p);
    return best > 0 ? -1 : 0;
}

/* ---- into which dialect ------------------------------------------------------------------------------------------ */

static int choose_target(struct maker *m)
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
    struct maker *m;
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
static bool has_rule(struct maker *m, const char *name)
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
static int check_lost(struct maker *m)
{
    char lost[256] = "";

    for (int i = 0; i < m->s->rule->nfields; i++) {
        const struct dh_field *f = &m->s->rule->fields[i];
        bool is_text = f->type == DH_STR || f->type == DH_BYTES;
        int64_t v = is_text ? (int64_t)text(m, f->name).n : stream_number(m, f->name);
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
    if (stream_number(m, "keyframe"))
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
    struct maker *m = ctx;
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
    if (numeric && dh_schema_find(m->s->rule, name) < 0 && !override(m, name) && strcmp(name, "version") != 0) {
        size_t n = strlen(m->filled);
        snprintf(m->filled + n, sizeof m->filled - n, "%s%s=%" PRId64, n ? " " : "", name, v);
    }
    if (lmp_item_put(item, v, numeric ? (struct dh_str){"", 0} : text(m, name), &p->head) < 0)
        return dh_fail(m->e, DH_TROUBLE, "rule %s: %zu bytes do not fit", name, text(m, name).n);
    return 0;
}

static int check_overrides(struct maker *m)
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
static int read_back(struct maker *m)
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

static int make_header(struct maker *m)
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

static int check_viewpoint(const struct maker *m)
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
    struct maker m = {.s = s, .h = h, .how = how, .plan = plan, .e = e};
    struct dh_err ignored;

    memset(plan, 0, sizeof *plan);
    if (!s->rule || !s->input)
        return dh_fail(e, DH_TROUBLE, "the stream has no rules or no input fields: expected one as lmp2dh writes it");
    if (find_dialect(&m) < 0 || choose_target(&m) < 0 || check_overrides(&m) < 0 || check_lost(&m) < 0 ||
        distance(&m, m.from_wrapper, m.from, &ignored) < 0 || make_header(&m) < 0 || check_viewpoint(&m) < 0)
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
