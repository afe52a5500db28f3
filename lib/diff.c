/* SPDX-License-Identifier: ISC */
#include "diff.h"

#include <string.h>

#include "setup.h"

/* A stream, and its latest state. */
struct side {
    struct dh_reader *r;
    const struct dh_schemas *schemas;
    uint32_t start, tick;
    double rate;
    bool header, ended;
    struct dh_setup setup; /* of two streams */
    bool failed;           /* ended early */
    bool broken;           /* corrupt, or not to be read */
    struct dh_kept state;  /* kind 0: none */
    bool restored;         /* the state is one that a replay started from */
    struct dh_kept next;   /* the first state of a later tick, already read */
    bool has_next;
    bool restored_at_set;
    uint32_t restored_at;
    bool two, oom;
};

/* Plans are made when two kinds first meet: recorded and replayed side swap with the kinds. */
struct pairing {
    struct dh_plan plan;
    struct dh_comparison comparison;
    bool made;
};

struct diff {
    struct side side[2];
    const struct dh_diff_opts *o;
    struct dh_diff_result *res;
    struct pairing pairs[2][2]
                        [2];    /* [is side 1 the recorded one][recorded kind is snapshot][replayed kind is snapshot] */
    struct dh_diff_place place; /* of the comparison that is under way */
    struct dh_err *e;
};

static int no_memory(struct diff *d)
{
    return dh_fail(d->e, DH_TROUBLE, "out of memory");
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_state(const struct dh_record *r)
{
    return r->kind == DH_CHECKPOINT || r->kind == DH_SNAPSHOT;
}

static bool is_word(struct dh_str s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

/* The next record: 1, 0 at the end of the stream (also of one that ended early: then failed is set), -1. */
static int next(struct side *s, const struct dh_record **r)
{
    int got = s->ended || s->failed ? 0 : dh_read(s->r, r);

    if (got < 0 && dh_reader_error(s->r)->status == DH_INCOMPLETE) {
        s->failed = true;
        return 0;
    }
    s->broken |= got < 0;
    if (got <= 0)
        return got;
    if (s->two && ((*r)->kind == DH_HEADER || (*r)->kind == DH_RESOURCE) && dh_setup_keep(&s->setup, *r) < 0)
        s->oom = true;
    if ((*r)->kind == DH_HEADER) {
        s->header = true;
        s->start = s->tick = (*r)->u.header.start;
        s->rate = (*r)->u.header.rate;
        s->schemas = dh_reader_schemas(s->r);
    } else if ((*r)->kind == DH_END) {
        s->ended = true;
        s->tick = (*r)->tick;
    } else if ((*r)->has_tick)
        s->tick = (*r)->tick;
    if ((*r)->kind == DH_EVENT && is_word((*r)->u.event.what, "restored")) {
        s->restored_at_set = true;
        s->restored_at = (*r)->tick;
    }
    return 1;
}

static bool was_restored(const struct side *s, uint32_t tick)
{
    return s->restored_at_set && s->restored_at == tick;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static int pass_on(void *ctx, const struct dh_diff *diff)
{
    struct diff *d = ctx;

    return d->o->on_diff ? d->o->on_diff(d->o->ctx, &d->place, diff) : 1;
}

static struct pairing *pairing(struct diff *d, int recorded, const struct dh_record *a, const struct dh_record *b)
{
    struct pairing *p = &d->pairs[recorded][a->kind == DH_SNAPSHOT][b->kind == DH_SNAPSHOT];
    const struct side *sa = &d->side[d->side[1].r ? recorded : 0], *sb = &d->side[d->side[1].r ? !recorded : 0];

    if (p->made)
        return p;
    if (dh_plan_make(&p->plan, sa->schemas, a->kind, sb->schemas, b->kind, &d->o->filter, d->e) < 0)
        return NULL;
    if (dh_comparison_init(&p->comparison, &p->plan, d->o->by_order) < 0) {
        dh_plan_free(&p->plan);
        no_memory(d);
        return NULL;
    }
    p->made = true;
    return p;
}

/* counts: false for a state that a replay started from: its differences are told, but it proves nothing. */
static int compare(struct diff *d, int recorded, const struct dh_record *a, const struct dh_record *b, bool counts)
{
    struct pairing *p = pairing(d, recorded, a, b);
    if (!p)
        return -1;
    d->place = (struct dh_diff_place){
        .tick = a->tick,
        .a = p->plan.a,
        .b = p->plan.b,
        .state_a = a,
        .state_b = b,
        .comparison = &p->comparison,
        .rate = d->side[d->side[1].r ? recorded : 0].rate,
    };
    int outcome = dh_compare(&p->comparison, a, b, pass_on, d, d->e);
    if (outcome < 0) {
        if (d->e->tick < 0)
            d->e->tick = a->tick;
        return -1;
    }
    d->res->fields = p->plan.compared;
    d->res->all_fields = p->plan.all;
    d->res->uncompared += outcome == DH_NOTHING;
    d->res->checked += counts && outcome != DH_NOTHING;
    d->res->different += outcome == DH_DIFFERENT;
    if (d->o->on_state && (outcome == DH_DIFFERENT || (counts && outcome == DH_EQUAL)))
        d->o->on_state(d->o->ctx, &d->place, outcome == DH_DIFFERENT);
    return 0;
}

static void alone(struct diff *d, uint32_t tick, bool recorded)
{
    d->res->alone++;
    if (d->o->on_alone)
        d->o->on_alone(d->o->ctx, tick, recorded);
}

/* ---- one stream -------------------------------------------------------------------------------------------------- */

/* The checkpoint waits for the snapshot of its tick, which comes after it. */
static int one_stream(struct diff *d)
{
    struct side *s = &d->side[0];
    const struct dh_record *r;
    bool waits = false;
    int got;

    while ((got = next(s, &r)) > 0) {
        bool meets = waits && r->kind == DH_SNAPSHOT && r->tick == s->state.rec.tick;
        if (meets && compare(d, 0, &s->state.rec, r, true) < 0)
            return -1;
        bool over =
            (r->has_tick && waits && r->tick > s->state.rec.tick) || r->kind == DH_CHECKPOINT || r->kind == DH_END;
        if (waits && over && !meets && !was_restored(s, s->state.rec.tick))
            alone(d, s->state.rec.tick, true);
        waits = waits && !meets && !over;
        if (r->kind == DH_CHECKPOINT) {
            if (dh_keep(&s->state, r) < 0)
                return no_memory(d);
            waits = true;
        }
    }
    return got;
}

/* ---- two streams ------------------------------------------------------------------------------------------------- */

/* Advance to the next tick that has a state: 1, with the one that stands for it in s->state; 0 at the end; -1. */
static int next_state(struct diff *d, struct side *s)
{
    const struct dh_record *r;
    bool have = s->has_next;
    int got;

    if (have) {
        struct dh_kept swap = s->state;
        s->state = s->next;
        s->next = swap;
        s->has_next = false;
    }
    while ((got = next(s, &r)) > 0) {
        if (have && r->has_tick && r->tick > s->state.rec.tick && !is_state(r))
            return 1;
        if (!is_state(r))
            continue;
        bool later = have && r->tick > s->state.rec.tick;
        /* What comes later at the same tick is the snapshot. */
        if (dh_keep(later ? &s->next : &s->state, r) < 0)
            return no_memory(d);
        s->has_next = later;
        have = true;
        if (later)
            return 1;
    }
    /* Where the input broke off, the state may have been about to be followed by the one that stands for its tick. */
    return got < 0 ? -1 : have;
}

static int meet(struct diff *d)
{
    struct side *x = &d->side[0], *y = &d->side[1];
    bool restored = was_restored(x, x->state.rec.tick) || was_restored(y, y->state.rec.tick);
    int recorded = x->state.rec.kind == DH_CHECKPOINT && y->state.rec.kind == DH_SNAPSHOT ? 0 : 1;

    return compare(d, recorded, &d->side[recorded].state.rec, &d->side[!recorded].state.rec, !restored);
}

static int two_streams(struct diff *d)
{
    struct side *x = &d->side[0], *y = &d->side[1];
    int a = next_state(d, x), b = a < 0 ? -1 : next_state(d, y);

    if (x->oom || y->oom)
        return no_memory(d);
    if (d->o->on_setup && x->header && y->header &&
        dh_setup_compare(&y->setup, y->schemas, &x->setup, x->schemas, d->o->on_setup, d->o->ctx) < 0)
        return no_memory(d);
    while (a > 0 || b > 0) {
        if (a < 0 || b < 0)
            return -1;
        /* Of a stream that ended early nothing is known of the ticks beyond. */
        if ((a == 0 && x->failed) || (b == 0 && y->failed))
            break;
        uint32_t ta = a ? x->state.rec.tick : UINT32_MAX, tb = b ? y->state.rec.tick : UINT32_MAX;
        if (a && b && ta == tb && meet(d) < 0)
            return -1;
        bool step_a = a && (!b || ta <= tb), step_b = b && (!a || tb <= ta);
        if (step_a && !step_b && !was_restored(x, ta))
            alone(d, ta, false);
        if (step_b && !step_a && !was_restored(y, tb))
            alone(d, tb, true);
        a = step_a ? next_state(d, x) : a;
        b = step_b ? next_state(d, y) : b;
    }
    return a < 0 || b < 0 ? -1 : 0;
}

/* Read on to the end, so that whoever writes the stream is not cut off. */
static int drain(struct side *s)
{
    const struct dh_record *r;
    int got;

    while ((got = next(s, &r)) > 0)
        continue;
    return got;
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* A filter is checked against the fields even where no two states ever meet. */
static int check_filter(struct diff *d)
{
    const struct side *a = &d->side[d->side[1].r ? 1 : 0], *b = &d->side[0];
    struct dh_plan plan;

    if ((!d->o->filter.only && !d->o->filter.ignore) || !a->header || !b->header)
        return 0;
    if (dh_plan_make(&plan, a->schemas, DH_CHECKPOINT, b->schemas, DH_SNAPSHOT, &d->o->filter, d->e) < 0)
        return -1;
    dh_plan_free(&plan);
    return 0;
}

static int run(struct diff *d)
{
    bool two = d->side[1].r != NULL;
    int rc = two ? two_streams(d) : one_stream(d);

    for (int i = 0; i < 1 + two && rc == 0; i++)
        rc = drain(&d->side[i]);
    return rc == 0 ? check_filter(d) : rc;
}

static void clean(struct diff *d)
{
    for (int i = 0; i < 2; i++) {
        dh_kept_free(&d->side[i].state);
        dh_kept_free(&d->side[i].next);
        dh_setup_free(&d->side[i].setup);
    }
    for (int i = 0; i < 8; i++) {
        struct pairing *p = &d->pairs[i >> 2][i >> 1 & 1][i & 1];
        if (!p->made)
            continue;
        dh_comparison_free(&p->comparison);
        dh_plan_free(&p->plan);
    }
}

int dh_diff(struct dh_reader *a, struct dh_reader *b, const struct dh_diff_opts *o, struct dh_diff_result *res,
            struct dh_reader **who, struct dh_err *e)
{
    struct diff d = {.side = {{.r = a, .two = b != NULL}, {.r = b, .two = b != NULL}}, .o = o, .res = res, .e = e};

    memset(res, 0, sizeof *res);
    *who = NULL;
    int rc = run(&d);
    res->start = d.side[0].start;
    res->end = d.side[0].tick;
    res->ended = d.side[0].ended && (!b || d.side[1].ended);
    for (int i = 0; i < 2 && !*who; i++) {
        const struct side *x = &d.side[i];
        if (rc < 0 ? x->broken : x->failed) {
            *who = x->r;
            *e = *dh_reader_error(x->r);
        }
    }
    clean(&d);
    return rc < 0 || *who ? -1 : 0;
}
