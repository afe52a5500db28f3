/* SPDX-License-Identifier: ISC */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

#include "match.h"

/* One comparison on its way. */
struct walk {
    struct dh_comparison *c;
    dh_diff_fn fn;
    void *ctx;
    bool differs, stop, oom;
};

static void report(struct walk *w, const struct dh_diff *d)
{
    w->differs = true;
    if (w->fn && w->fn(w->ctx, d) != 0)
        w->stop = true;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* A vector is a NaN where one of its numbers is. */
static bool is_nan(const struct dh_field *f, const uint8_t *p, size_t n)
{
    struct dh_cur c = dh_cur(p, n);

    if (f->type == DH_F64)
        return (dh_get_u64(&c) & 0x7fffffffffffffff) > 0x7ff0000000000000;
    if (f->type != DH_F32 && f->type != DH_VEC3 && f->type != DH_QUAT)
        return false;
    for (; n >= 4; n -= 4)
        if ((dh_get_u32(&c) & 0x7fffffff) > 0x7f800000)
            return true;
    return false;
}

struct target {
    const char *type; /* NULL: points at nothing */
    int plan_type;
    uint64_t id;
};

static struct target target(const struct dh_schemas *s, const int *of, const uint8_t *p, size_t n)
{
    struct dh_cur c = dh_cur(p, n);
    uint64_t type = dh_get_leb(&c);

    if (type == 0 || type > (uint64_t)s->ntypes)
        return (struct target){.plan_type = -1};
    return (struct target){s->types[type - 1].name, of[type - 1], dh_get_leb(&c)};
}

static bool same_target(struct walk *w, const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
    const struct dh_plan *p = w->c->plan;
    struct target x = target(p->a, p->of_a, a, na), y = target(p->b, p->of_b, b, nb);
    uint64_t px, py;

    if (!x.type || !y.type)
        return x.type == y.type;
    if (strcmp(x.type, y.type) != 0)
        return false;
    if (w->c->by_order && x.plan_type >= 0 && dh_match_place(w->c->match, 0, x.plan_type, x.id, &px, &w->oom) &&
        dh_match_place(w->c->match, 1, y.plan_type, y.id, &py, &w->oom))
        return px == py;
    return x.id == y.id;
}

static bool same_value(struct walk *w, const struct dh_field *f, const uint8_t *a, size_t na, const uint8_t *b,
                       size_t nb)
{
    if (f->type == DH_REF && (w->c->by_order || !w->c->plan->same_numbers))
        return same_target(w, a, na, b, nb);
    return na == nb && memcmp(a, b, na) == 0 && !is_nan(f, a, na);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Offsets of the fields of a block; the one after the last is the block's size. */
static void lay_out(const struct dh_schema *s, const uint8_t *p, size_t n, size_t *offsets)
{
    size_t at = 0;

    for (int i = 0; i < s->nfields; i++) {
        int64_t size = dh_field_size(&s->fields[i], p + at, n - at);
        offsets[i] = at;
        if (size > 0) /* negative cannot be: the reader has checked */
            at += (size_t)size;
    }
    offsets[s->nfields] = at;
}

static void compare_blocks(struct walk *w, const struct dh_plan_type *t, uint64_t id, const uint8_t *a, size_t na,
                           const uint8_t *b, size_t nb, uint8_t *flags)
{
    const struct dh_plan *p = w->c->plan;
    bool plain_refs = !t->refs || (p->same_numbers && !w->c->by_order);

    *flags |= DH_SEEN;
    if (t->nfields == 0 || (t->alike && !t->floats && plain_refs && na == nb && memcmp(a, b, na) == 0))
        return;
    size_t *oa = w->c->offsets, *ob = oa + t->sa->nfields + 1;
    lay_out(t->sa, a, na, oa);
    lay_out(t->sb, b, nb, ob);
    for (int k = 0; k < t->nfields && !w->stop; k++) {
        int i = t->fields[k].a, j = t->fields[k].b;
        struct dh_diff d = {
            .kind = DH_DIFF_FIELD,
            .type = t->name,
            .id = id,
            .field = &t->sa->fields[i],
            .a = a + oa[i],
            .na = oa[i + 1] - oa[i],
            .b = b + ob[j],
            .nb = ob[j + 1] - ob[j],
        };
        if (same_value(w, d.field, d.a, d.na, d.b, d.nb))
            continue;
        *flags |= DH_DIFFERS;
        report(w, &d);
    }
}

/* ---- entities ---------------------------------------------------------------------------------------------------- */

static void alone(struct walk *w, enum dh_diff_kind kind, int type, uint64_t id)
{
    const struct dh_plan_type *t = &w->c->plan->types[type];
    struct dh_diff d = {.kind = kind, .type = t->name, .id = id};

    if (!t->present)
        return;
    w->c->types[type] |= DH_SEEN | DH_DIFFERS;
    report(w, &d);
}

static void compare_pair(struct walk *w, int type, const struct dh_entity *a, const struct dh_entity *b)
{
    const struct dh_plan_type *t = &w->c->plan->types[type];

    if (t->present)
        compare_blocks(w, t, a->id, a->block, a->n, b->block, b->n, &w->c->types[type]);
}

/* What the cursors still have, whatever its order. */
static int compare_rest(struct walk *w, struct dh_cur a, struct dh_cur b)
{
    struct dh_match *m = w->c->match;

    if (dh_match(m, w->c->plan, a, b, w->c->by_order) < 0)
        return -1;
    for (size_t i = 0; i < m->na && !w->stop; i++) {
        const struct dh_matched *x = &m->a[i];
        if (x->type < 0)
            continue;
        if (x->partner == DH_ALONE)
            alone(w, DH_DIFF_MISSING, x->type, x->entity.id);
        else
            compare_pair(w, x->type, &x->entity, &m->b[x->partner].entity);
    }
    for (size_t j = 0; j < m->nb && !w->stop; j++)
        if (m->b[j].type >= 0 && m->b[j].partner == DH_ALONE)
            alone(w, DH_DIFF_EXTRA, m->b[j].type, m->b[j].entity.id);
    return w->oom ? -1 : 0;
}

/* As long as both sides have the same entities in the same order, there is nothing to look up. */
static int compare_entities(struct walk *w, const struct dh_record *ra, const struct dh_record *rb)
{
    const struct dh_plan *p = w->c->plan;
    struct dh_cur a = dh_cur(ra->u.state.entities, ra->u.state.entities_n);
    struct dh_cur b = dh_cur(rb->u.state.entities, rb->u.state.entities_n);

    while (!w->c->by_order && !w->stop) {
        struct dh_cur na = a, nb = b;
        struct dh_entity x, y;
        bool more_a = dh_entity_next(p->a, &na, &x), more_b = dh_entity_next(p->b, &nb, &y);
        if (!more_a && !more_b)
            return 0;
        if (!more_a || !more_b || x.id != y.id || p->of_a[x.type] != p->of_b[y.type] || p->of_a[x.type] < 0)
            break;
        compare_pair(w, p->of_a[x.type], &x, &y);
        a = na;
        b = nb;
    }
    return w->stop ? 0 : compare_rest(w, a, b);
}

/* ---- digests ----------------------------------------------------------------------------------------------------- */

struct digests {
    uint64_t whole;
    struct dh_digest *types;
    uint32_t n;
};

static int digests_of(const struct dh_schemas *s, const struct dh_record *r, struct digests *d)
{
    memset(d, 0, sizeof *d);
    if (!r->u.state.digest_only)
        return dh_state_digest(s, r, &d->whole, &d->types, &d->n);
    d->whole = r->u.state.digest;
    d->types = calloc((size_t)r->u.state.ntypes + 1, sizeof *d->types);
    if (!d->types)
        return -1;
    struct dh_cur c = dh_cur(r->u.state.types, r->u.state.types_n);
    while (d->n < r->u.state.ntypes && dh_typedigest_next(&c, &d->types[d->n]))
        d->n++;
    return 0;
}

static const struct dh_digest *digest_of_type(const struct digests *d, int type)
{
    size_t lo = 0, hi = d->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (d->types[mid].type < type)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < d->n && d->types[lo].type == type ? &d->types[lo] : NULL;
}

static void compare_type_digests(struct walk *w, int i, const struct digests *a, const struct digests *b)
{
    static const struct dh_digest none = {0};
    const struct dh_plan_type *t = &w->c->plan->types[i];
    const struct dh_digest *x = digest_of_type(a, t->a), *y = digest_of_type(b, t->b);

    if (!x && !y)
        return;
    x = x ? x : &none;
    y = y ? y : &none;
    w->c->types[i] |= DH_SEEN;
    struct dh_diff d = {.kind = x->count != y->count ? DH_DIFF_COUNT : DH_DIFF_DIGEST, .type = t->name};
    d.va = x->count != y->count ? x->count : x->digest;
    d.vb = x->count != y->count ? y->count : y->digest;
    if (d.va == d.vb)
        return;
    w->c->types[i] |= DH_DIFFERS;
    report(w, &d);
}

/* What can be told of two states of which one is digests: the state lines, the types that are compared whole, and the
 * whole where everything is. *n counts what was compared. */
static int compare_digests(struct walk *w, const struct digests *a, const struct digests *b, long *n, struct dh_err *e)
{
    const struct dh_plan *p = w->c->plan;
    bool before = w->differs;

    for (int i = 0; i < p->ntypes && !w->stop; i++) {
        const struct dh_plan_type *t = &p->types[i];
        if (t->alike && !t->whole && t->nfields > 0)
            return dh_fail(e, DH_TROUBLE, "%s: there are digests alone, and no field can be left out of a digest",
                           t->name);
        if (!t->whole || !t->present)
            continue;
        ++*n;
        compare_type_digests(w, i, a, b);
    }
    if (p->everything && !w->stop) {
        struct dh_diff d = {.kind = DH_DIFF_DIGEST, .va = a->whole, .vb = b->whole};
        ++*n;
        /* Nothing to say where the parts have said it. */
        if (a->whole != b->whole && !w->differs) {
            w->c->state |= DH_DIFFERS;
            report(w, &d);
        }
    }
    if (w->differs && !before && !p->same_numbers)
        return dh_fail(e, DH_TROUBLE, "the entity types are numbered differently, so digests do not compare");
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------------ */

int dh_comparison_init(struct dh_comparison *c, const struct dh_plan *plan, bool by_order)
{
    int most = 0;

    memset(c, 0, sizeof *c);
    c->plan = plan;
    c->by_order = by_order;
    for (int i = -1; i < plan->ntypes; i++) {
        const struct dh_plan_type *t = i < 0 ? &plan->state : &plan->types[i];
        int n = (t->sa ? t->sa->nfields : 0) + (t->sb ? t->sb->nfields : 0);
        most = n > most ? n : most;
    }
    c->offsets = calloc((size_t)most + 2, sizeof *c->offsets);
    c->types = calloc((size_t)plan->ntypes + 1, sizeof *c->types);
    c->match = calloc(1, sizeof *c->match);
    if (c->offsets && c->types && c->match)
        return 0;
    dh_comparison_free(c);
    return -1;
}

void dh_comparison_free(struct dh_comparison *c)
{
    free(c->offsets);
    free(c->types);
    if (c->match)
        dh_match_free(c->match);
    free(c->match);
    memset(c, 0, sizeof *c);
}

/* Word by word, as not every memcmp does: states are large, and mostly equal. */
static bool same_bytes(const uint8_t *a, const uint8_t *b, size_t n)
{
    for (uint64_t x, y; n >= sizeof x; a += sizeof x, b += sizeof x, n -= sizeof x) {
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        if (x != y)
            return false;
    }
    return n == 0 || memcmp(a, b, n) == 0;
}

static bool same_states(const struct dh_record *a, const struct dh_record *b)
{
    return !a->u.state.digest_only && !b->u.state.digest_only && a->block_n == b->block_n &&
           a->u.state.entities_n == b->u.state.entities_n && a->u.state.count == b->u.state.count &&
           same_bytes(a->block, b->block, a->block_n) &&
           same_bytes(a->u.state.entities, b->u.state.entities, a->u.state.entities_n);
}

static int compare_by_digest(struct walk *w, const struct dh_record *a, const struct dh_record *b, long *n,
                             struct dh_err *e)
{
    struct digests x, y = {0};
    int rc = -1;

    if (digests_of(w->c->plan->a, a, &x) == 0 && digests_of(w->c->plan->b, b, &y) == 0)
        rc = compare_digests(w, &x, &y, n, e);
    else
        dh_fail(e, DH_TROUBLE, "out of memory");
    free(x.types);
    free(y.types);
    return rc;
}

int dh_compare(struct dh_comparison *c, const struct dh_record *a, const struct dh_record *b, dh_diff_fn fn, void *ctx,
               struct dh_err *e)
{
    struct walk w = {.c = c, .fn = fn, .ctx = ctx};
    long n = c->plan->state.nfields;

    memset(c->types, 0, (size_t)c->plan->ntypes);
    c->state = 0;
    if (c->plan->bytes && c->plan->compared > 0 && same_states(a, b))
        return DH_EQUAL;
    compare_blocks(&w, &c->plan->state, 0, a->block, a->block_n, b->block, b->block_n, &c->state);
    if (w.stop)
        return DH_DIFFERENT;
    if (a->u.state.digest_only || b->u.state.digest_only) {
        if (compare_by_digest(&w, a, b, &n, e) < 0)
            return -1;
    } else {
        for (int i = 0; i < c->plan->ntypes; i++)
            n += c->plan->types[i].present;
        if (compare_entities(&w, a, b) < 0)
            return dh_fail(e, DH_TROUBLE, "out of memory");
    }
    return w.differs ? DH_DIFFERENT : n > 0 ? DH_EQUAL : DH_NOTHING;
}
