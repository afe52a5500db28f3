/* SPDX-License-Identifier: ISC */
#include "slice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "live.h"
#include "spool.h"

struct slicer {
    struct dh_reader *r;
    const struct dh_slice_opts *o;
    struct dh_err *e;
    const struct dh_schemas *schemas;

    struct dh_kept header;
    struct dh_spool before; /* schemas */
    struct dh_spool after;  /* what stands between the header and the first tick: origin, resources, raw chunks */
    struct dh_live live;
    struct dh_spool base; /* joins, the latest full checkpoint, and everything since */
    bool have_base;
    uint32_t base_tick;
    char why_not[256]; /* why the latest checkpoint cannot start a slice */

    bool begun;  /* the first slice was opened */
    bool middle; /* the open slice's header is another than the stream's, as it starts at a later checkpoint */
    bool moved;  /* its inputs are moved to the stream's start */
    bool full;   /* what belongs into the open slice is in; what comes now is beyond it */
    bool cut;    /* something was left out at or after its until */
    bool has_until;
    uint32_t until;
    struct dh_writer *w;  /* of the open slice */
    struct dh_spool edge; /* leaves and joins at until: wanted where a state at until follows */
    struct dh_buf payload;
};

/* ---- output ------------------------------------------------------------------------------------------------------ */

static int write_failed(struct slicer *s)
{
    *s->e = *dh_writer_error(s->w);
    return DH_SLICE_WRITE_FAILED;
}

static int put(struct slicer *s, int kind, const struct dh_buf *b)
{
    if (b->failed)
        return dh_fail(s->e, DH_TROUBLE, "out of memory");
    return dh_write_payload(s->w, kind, b->p, b->n) < 0 ? write_failed(s) : 0;
}

static int put_record(void *ctx, const struct dh_record *r)
{
    struct slicer *s = ctx;
    int rc = r->kind == DH_RAW ? dh_write(s->w, r) : dh_write_payload(s->w, r->kind, r->payload, r->len);

    return rc < 0 ? write_failed(s) : 0;
}

/* The same without what only a slice from the stream's start can use: with another start there is no way back to the
 * source file. */
static int put_record_of_middle(void *ctx, const struct dh_record *r)
{
    return r->kind == DH_ORIGIN ? 0 : put_record(ctx, r);
}

static int put_join(void *ctx, const struct dh_buf *payload)
{
    return put(ctx, DH_JOIN, payload);
}

__attribute__((format(printf, 2, 3))) static void note(const struct slicer *s, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (s->o->note)
        s->o->note(s->o->ctx, text);
}

static int put_header(struct slicer *s)
{
    struct dh_header h = s->header.rec.u.header;

    if (s->o->inputs_only)
        h.fresh = 1; /* there is no checkpoint to start from */
    else if (s->middle) {
        h.start = s->base_tick;
        h.fresh = 0;
    }
    dh_buf_clear(&s->payload);
    dh_build_header(&s->payload, &h);
    return put(s, DH_HEADER, &s->payload);
}

/* ---- one slice --------------------------------------------------------------------------------------------------- */

static uint32_t start_of(const struct slicer *s)
{
    return s->header.rec.u.header.start;
}

/* Whether a later slice may still need to know where it could begin. */
static bool looks_for_base(const struct slicer *s)
{
    return !s->o->inputs_only && !s->full && (s->o->every > 0 || !s->begun);
}

static int open_slice(struct slicer *s, uint32_t from)
{
    const struct dh_slice_opts *o = s->o;
    int rc;

    bool later = from > start_of(s), from_base = later && !o->inputs_only;
    s->moved = later && o->inputs_only;
    s->middle = from_base && s->have_base && s->base_tick > start_of(s);
    s->begun = true;
    s->full = s->cut = false;
    dh_spool_clear(&s->edge);
    if (from_base && !s->have_base)
        return dh_fail(s->e, DH_TROUBLE, "no checkpoint at or before tick %lu that a slice could start from%s%s",
                       (unsigned long)from, s->why_not[0] ? ": " : " (--inputs cuts the inputs alone)", s->why_not);
    s->w = o->open(o->ctx, s->e);
    if (!s->w)
        return -1;
    if (s->moved)
        note(s, "inputs from tick %lu on, moved to tick %lu: this is another run than the recorded one",
             (unsigned long)from, (unsigned long)start_of(s));
    else if (later)
        note(s, "tick %lu: begins at the checkpoint at tick %lu", (unsigned long)from, (unsigned long)s->base_tick);
    if (dh_writer_stream(s->w) < 0)
        return write_failed(s);
    if ((rc = dh_spool_play(&s->before, put_record, s, s->e)) != 0 || (rc = put_header(s)) != 0)
        return rc;
    rc = dh_spool_play(&s->after, s->middle ? put_record_of_middle : put_record, s, s->e);
    if (rc != 0 || !later)
        return rc;
    if (s->moved)
        return dh_live_joins(&s->live, s->schemas, NULL, start_of(s), put_join, s, s->e);
    rc = dh_spool_play(&s->base, put_record_of_middle, s, s->e);
    if (!looks_for_base(s))
        dh_spool_clear(&s->base);
    return rc;
}

/* The record that ends a slice: where the stream ends (end given), or at until. */
static int end_slice(struct slicer *s, uint32_t from, const struct dh_record *end)
{
    bool whole = end && !s->cut && dh_spool_empty(&s->edge) && !s->full && (!s->has_until || end->tick <= s->until);
    uint32_t tick = end && (!s->has_until || end->tick < s->until) ? end->tick : s->until;

    if (s->moved)
        tick = tick - from + start_of(s);
    dh_buf_clear(&s->payload);
    dh_build_end(&s->payload, tick, end && whole ? end->u.end.reason : DH_SPLIT);
    int rc = put(s, DH_END, &s->payload);
    if (rc != 0)
        return rc;
    struct dh_writer *w = s->w;
    s->w = NULL;
    return s->o->close(s->o->ctx, w, true, s->e);
}

/* A leave, join or input with its tick moved by what the slice's first tick was moved. */
static int put_moved(struct slicer *s, const struct dh_record *r, uint32_t from)
{
    uint32_t tick = r->tick - from + start_of(s);

    dh_buf_clear(&s->payload);
    switch (r->kind) {
    case DH_LEAVE:
        dh_build_leave(&s->payload, tick, r->slot);
        break;
    case DH_JOIN:
        dh_build_join(&s->payload, tick, r->slot, r->u.join.wire, r->u.join.name, r->block, r->block_n);
        break;
    case DH_INPUT:
        dh_build_input(&s->payload, tick, r->slot, r->block, r->block_n);
        break;
    default:
        return 0; /* states, events and logs tell of the recorded run */
    }
    return put(s, r->kind, &s->payload);
}

static bool is_state(const struct dh_record *r)
{
    return r->kind == DH_CHECKPOINT || r->kind == DH_SNAPSHOT;
}

/* A record with a tick, for the open slice. */
static int put_ticked(struct slicer *s, const struct dh_record *r, uint32_t from)
{
    bool at_edge = s->has_until && r->tick == s->until;

    if (s->full || (s->o->inputs_only && at_edge)) {
        s->cut |= s->full || r->kind == DH_LEAVE || r->kind == DH_JOIN;
        return 0;
    }
    if (s->o->inputs_only)
        return put_moved(s, r, from > start_of(s) ? from : start_of(s));
    if (at_edge && (r->kind == DH_LEAVE || r->kind == DH_JOIN))
        return dh_spool_add(&s->edge, r, s->e);
    if (at_edge && is_state(r)) {
        int rc = dh_spool_play(&s->edge, put_record, s, s->e);
        dh_spool_clear(&s->edge);
        if (rc != 0)
            return rc;
    }
    return put_record(s, r);
}

/* ---- the base of the next ---------------------------------------------------------------------------------------- */

struct to_spool {
    struct dh_spool *spool;
    struct dh_err *e;
};

static int spool_join(void *ctx, const struct dh_buf *payload)
{
    struct to_spool *t = ctx;
    struct dh_record r = {.kind = DH_JOIN, .payload = payload->p, .len = payload->n};

    return dh_spool_add(t->spool, &r, t->e);
}

/* Keep a checkpoint as the place where a slice could begin, with the joins that belong there. One that says too little
 * leaves the older one in its place. */
static int new_base(struct slicer *s, const struct dh_record *r)
{
    struct dh_spool spool;
    struct dh_err why;
    struct to_spool to = {&spool, &why};

    dh_spool_init(&spool);
    if (dh_live_joins(&s->live, s->schemas, r, r->tick, spool_join, &to, &why) < 0) {
        dh_spool_free(&spool);
        snprintf(s->why_not, sizeof s->why_not, "checkpoint at tick %lu: %.180s", (unsigned long)r->tick, why.msg);
        return 0;
    }
    dh_spool_free(&s->base);
    s->base = spool;
    s->have_base = true;
    s->base_tick = r->tick;
    return dh_spool_add(&s->base, r, s->e);
}

static int watch(struct slicer *s, const struct dh_record *r)
{
    if (r->kind == DH_JOIN || r->kind == DH_LEAVE) {
        if (dh_live_apply(&s->live, r) < 0)
            return dh_fail(s->e, DH_TROUBLE, "out of memory");
    }
    if (!looks_for_base(s))
        return 0;
    if (r->kind == DH_CHECKPOINT && r->u.state.digest_only && !s->have_base)
        snprintf(s->why_not, sizeof s->why_not, "checkpoint at tick %lu holds digests alone", (unsigned long)r->tick);
    if (r->kind == DH_CHECKPOINT && !r->u.state.digest_only) {
        int rc = new_base(s, r);
        if (rc != 0 || (s->have_base && s->base_tick == r->tick))
            return rc;
    }
    return s->have_base ? dh_spool_add(&s->base, r, s->e) : 0;
}

/* ---- the stream -------------------------------------------------------------------------------------------------- */

/* A slice of --every ends at the next multiple, the last (and a single one) at --until, if that was given. */
static void set_until(struct slicer *s, uint32_t from)
{
    uint64_t next = s->o->every ? ((uint64_t)from / s->o->every + 1) * s->o->every : UINT64_MAX;

    if (s->o->has_until && s->o->until < next)
        next = s->o->until;
    s->has_until = next <= UINT32_MAX;
    s->until = s->has_until ? (uint32_t)next : UINT32_MAX;
}

/* Whether a record shows that everything that belongs at or before a tick's boundary was read. */
static bool beyond(const struct dh_record *r, uint32_t tick)
{
    return r->tick > tick || (r->tick == tick && (r->kind == DH_INPUT || r->kind == DH_LOG));
}

/* Close and open slices up to a record, or (end) up to the stream's end. *from is the first tick of the open one. */
static int turn(struct slicer *s, const struct dh_record *r, uint32_t *from)
{
    bool end = r->kind == DH_END;
    int rc;

    if (!s->begun && (beyond(r, *from) || (end && r->tick >= *from)) && (rc = open_slice(s, *from)) != 0)
        return rc;
    while (s->w && !s->full && s->has_until && beyond(r, s->until)) {
        bool last = !s->o->every || (s->o->has_until && s->until >= s->o->until);
        if (last) { /* its end record waits for the stream's: what follows may show that the input is broken */
            s->full = true;
            break;
        }
        if ((rc = end_slice(s, *from, NULL)) != 0)
            return rc;
        *from = s->until;
        set_until(s, *from);
        if ((rc = open_slice(s, *from)) != 0)
            return rc;
    }
    return 0;
}

static int take_end(struct slicer *s, const struct dh_record *r, uint32_t *from)
{
    int rc = turn(s, r, from);

    if (rc != 0)
        return rc;
    if (!s->begun)
        return dh_fail(s->e, DH_TROUBLE, "the stream ends at tick %lu, before tick %lu", (unsigned long)r->tick,
                       (unsigned long)*from);
    return end_slice(s, *from, r);
}

static int take_untimed(struct slicer *s, const struct dh_record *r)
{
    if (s->w && s->full)
        s->cut = true;
    else if (s->w && !(r->kind == DH_ORIGIN && (s->middle || s->moved)))
        return put_record(s, r);
    if (!s->w && s->have_base && r->kind != DH_ORIGIN)
        return dh_spool_add(&s->base, r, s->e);
    return 0;
}

static int take(struct slicer *s, const struct dh_record *r, uint32_t *from)
{
    int rc;

    if (r->kind == DH_END)
        return take_end(s, r, from);
    if (!r->has_tick)
        return take_untimed(s, r);
    if ((rc = turn(s, r, from)) != 0 || (s->w && (rc = put_ticked(s, r, *from)) != 0))
        return rc;
    return watch(s, r);
}

/* Everything before the first tick; *r is the first record that has one. 1, 0 (no more records), or -1. */
static int preamble(struct slicer *s, const struct dh_record **r)
{
    bool header = false;

    for (;;) {
        int got = dh_read(s->r, r);
        if (got < 0)
            *s->e = *dh_reader_error(s->r);
        if (got <= 0 || (*r)->has_tick || (*r)->kind == DH_END)
            return got;
        if ((*r)->kind == DH_HEADER) {
            if (dh_keep(&s->header, *r) < 0)
                return dh_fail(s->e, DH_TROUBLE, "out of memory");
            s->schemas = dh_reader_schemas(s->r);
            header = true;
        } else if (dh_spool_add(header ? &s->after : &s->before, *r, s->e) < 0)
            return -1;
    }
}

static int run(struct slicer *s)
{
    const struct dh_record *r;
    uint32_t from;
    int got = preamble(s, &r), rc;

    if (got < 0)
        return -1;
    from = s->o->has_from && s->o->from > start_of(s) ? s->o->from : start_of(s);
    set_until(s, from);
    if (s->o->has_until && s->o->until < start_of(s))
        return dh_fail(s->e, DH_TROUBLE, "the stream starts at tick %lu, after tick %lu", (unsigned long)start_of(s),
                       (unsigned long)s->o->until);
    if (from == start_of(s) && (rc = open_slice(s, from)) != 0)
        return rc;
    for (; got > 0; got = dh_read(s->r, &r))
        if ((rc = take(s, r, &from)) != 0)
            return rc;
    if (got < 0)
        *s->e = *dh_reader_error(s->r);
    return got;
}

int dh_slice(struct dh_reader *r, const struct dh_slice_opts *o, struct dh_err *e)
{
    struct slicer s = {.r = r, .o = o, .e = e};

    dh_spool_init(&s.before);
    dh_spool_init(&s.after);
    dh_spool_init(&s.base);
    dh_spool_init(&s.edge);
    int rc = run(&s);
    if (s.w && o->close(o->ctx, s.w, false, rc == 0 ? e : NULL) < 0 && rc == 0)
        rc = -1;
    dh_spool_free(&s.before);
    dh_spool_free(&s.after);
    dh_spool_free(&s.base);
    dh_spool_free(&s.edge);
    dh_live_free(&s.live);
    dh_kept_free(&s.header);
    dh_buf_free(&s.payload);
    return rc;
}
