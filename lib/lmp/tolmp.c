/* SPDX-License-Identifier: ISC */
/* A record stream written as a demo file: the inverse of todh.c. */
#include "lmp/lmp.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmp/footer.h"
#include "lmp/plan.h"
#include "lmp/sink.h"

enum { FLUSH_AT = 1 << 16, MAX_TAIL = 1 << 16, MAX_JOIN = 128 };

struct job {
    struct dh_reader *r;
    const struct lmp_writing *how;
    struct lmp_sink out;
    struct lmp_plan plan;
    bool headed; /* the header is there */
    bool begun;  /* and all that comes before the first command */
    uint32_t joined;
    uint8_t joins[LMP_MAX_PLAYERS][MAX_JOIN];
    uint64_t keyframe; /* bytes of the key frame so far */
    uint32_t tick;     /* the command that comes next: this tic's .. */
    int next;          /* .. of present[next] */
    uint64_t ninputs;
    bool marked;        /* the marker is written, the tail may follow */
    struct dh_buf held; /* a first piece of tail that may be the cut part of a command */
    struct dh_buf tail; /* for its signature: not more than MAX_TAIL bytes */
    bool was_invalid;   /* the stream says that the signature did not fit before */
    uint64_t rounded, dropped;
    struct dh_err *e;
};

/* The error is already in e: say where. */
static int fail_at(struct job *j, const struct dh_record *r)
{
    j->e->tick = r->has_tick ? (int64_t)r->tick : -1;
    j->e->offset = dh_reader_is_text(j->r) ? DH_NOWHERE : r->offset;
    j->e->line = r->line;
    return -1;
}

#define FAIL(j, r, ...) (dh_fail((j)->e, DH_TROUBLE, __VA_ARGS__), fail_at(j, r))

__attribute__((format(printf, 2, 3))) static void note(struct job *j, const char *fmt, ...)
{
    char text[512];
    va_list ap;

    if (!j->how->note)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    j->how->note(j->how->arg, text);
}

/* ---- the header and the players ---------------------------------------------------------------------------------- */

static bool says_invalid(const struct dh_schemas *s, const struct dh_header *h)
{
    int i = dh_schema_find(s->option, "signature");
    size_t n;

    if (i < 0 || s->option->fields[i].type != DH_STR)
        return false;
    const uint8_t *p = dh_block_field(s->option, h->options, h->options_n, i, &n);
    struct dh_cur c = dh_cur(p, n);
    struct dh_str v = dh_get_str(&c);
    return v.n == 7 && memcmp(v.p, "invalid", 7) == 0;
}

static int header(struct job *j, const struct dh_record *r)
{
    const struct dh_header *h = &r->u.header;
    const struct dh_schemas *s = dh_reader_schemas(j->r);

    if (lmp_plan_make(&j->plan, s, h, j->how, j->e) < 0)
        return fail_at(j, r);
    if (h->start != 0 || h->fresh != !j->plan.keyframe)
        return FAIL(j, r,
                    "starts from a checkpoint (start=%" PRIu32 " fresh=%d): a demo file can only start with its level",
                    h->start, h->fresh);
    j->headed = true;
    j->was_invalid = says_invalid(s, h);
    lmp_sink_head(&j->out, &j->plan.head, j->plan.end_at, j->plan.tics_at);
    return 0;
}

static bool is_present(const struct job *j, uint16_t slot)
{
    return slot < LMP_MAX_PLAYERS && memchr(j->plan.present, slot, (size_t)j->plan.npresent);
}

static int join(struct job *j, const struct dh_record *r)
{
    if (r->tick != 0)
        return FAIL(j, r, "slot %d joins at tick %" PRIu32 ": a demo file has all its players from tick 0", r->slot,
                    r->tick);
    if (!is_present(j, r->slot))
        return FAIL(j, r, "slot %d joins, but the header has no player there", r->slot);
    if (j->begun)
        return FAIL(j, r, "slot %d joins after what follows the players", r->slot);
    j->joined |= UINT32_C(1) << r->slot;
    if (j->plan.join_size > MAX_JOIN)
        return FAIL(j, r, "slot %d joins with %zu bytes", r->slot, j->plan.join_size);
    for (int i = 0; j->plan.join_size > 0 && i < (int)(j->plan.join_size / 4); i++) {
        const struct dh_schema *s = dh_reader_schemas(j->r)->join;
        /* By the names of the layout's own schema; the stream may have them in another order. */
        int k = lmp_plan_join_field(&j->plan, s, i);
        uint32_t v = (uint32_t)dh_block_int(s, r->block, r->block_n, k);
        for (int b = 0; b < 4; b++)
            j->joins[r->slot][4 * i + b] = (uint8_t)(v >> 8 * b);
    }
    return 0;
}

/* Before the first record that follows the players. */
static int begin(struct job *j, const struct dh_record *r)
{
    if (j->begun)
        return 0;
    for (int i = 0; i < j->plan.npresent; i++) {
        int slot = j->plan.present[i];
        if (!(j->joined >> slot & 1))
            return FAIL(j, r, "rule player%d is set, but slot %d does not join", slot, slot);
        dh_put_bytes(&j->out.buf, j->joins[slot], j->plan.join_size);
    }
    j->begun = true;
    return 0;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* The record stands where the command of tick j->tick, present[j->next] should. */
static int missing(struct job *j, const struct dh_record *r)
{
    return FAIL(j, r, "input missing: tick %" PRIu32 " slot %d expected", j->tick, j->plan.present[j->next]);
}

/* What the dialect that is written has no place for, or less of it. */
static int fit(struct job *j, const struct dh_record *r, int32_t *v)
{
    const struct lmp_plan *p = &j->plan;

    for (int i = 0; i < LMP_COLUMNS; i++) {
        if (v[i] == 0 || lmp_column_name(&p->to, (enum lmp_column)i))
            continue;
        if (!j->how->lossy)
            return FAIL(j, r, "slot %d %s=%d: %s has no place for it (--lossy drops it)", r->slot,
                        lmp_column_name(&p->from, (enum lmp_column)i), (int)v[i], p->dialect->name);
        v[i] = 0;
        j->dropped++;
    }
    if (!p->to.long_turns && (v[LMP_TURN] & 0xff) && j->how->round) {
        /* As the engines do when they record. */
        v[LMP_TURN] = (int16_t)((v[LMP_TURN] + 128) & ~0xff);
        j->rounded++;
    }
    return 0;
}

static int input(struct job *j, const struct dh_record *r)
{
    const struct dh_schema *s = dh_reader_schemas(j->r)->input;
    struct lmp_plan *p = &j->plan;
    int32_t v[LMP_COLUMNS] = {0};
    size_t before;

    if (begin(j, r) < 0)
        return -1;
    if (j->keyframe != p->keyframe)
        return FAIL(j, r, "the key frame is %" PRIu64 " bytes, rule keyframe says %" PRIu32, j->keyframe, p->keyframe);
    if (!is_present(j, r->slot))
        return FAIL(j, r, "input for slot %d, but the header has no player there", r->slot);
    if (r->tick != j->tick || r->slot != p->present[j->next])
        return missing(j, r);
    for (int i = 0; i < LMP_COLUMNS; i++)
        if (p->column[i] >= 0)
            v[i] = (int32_t)dh_block_int(s, r->block, r->block_n, p->column[i]);
    if (fit(j, r, v) < 0)
        return -1;
    before = j->out.buf.n;
    if (lmp_command_write(&p->to, v, &j->out.buf, j->e) < 0) {
        struct dh_err e = *j->e;
        return FAIL(j, r, "slot %d: %s%s", r->slot, e.msg,
                    p->to.long_turns || !(v[LMP_TURN] & 0xff) ? "" : " (--round rounds it)");
    }
    if (!p->has_end && !j->out.buf.failed && j->out.buf.p[before] == LMP_MARKER)
        return FAIL(j, r, "slot %d: %s makes the end marker's byte: a demo would end here", r->slot,
                    v[LMP_FORWARD] == -128 ? "forward=-128" : "spare=0x80");
    j->ninputs++;
    if (++j->next == p->npresent) {
        j->next = 0;
        j->tick++;
    }
    return 0;
}

/* ---- what stands before and behind them -------------------------------------------------------------------------- */

static void put_tail(struct job *j, const void *p, size_t n)
{
    if (j->how->strip_footer)
        return;
    dh_put_bytes(&j->out.buf, p, n);
    if (j->tail.n < MAX_TAIL)
        dh_put_bytes(&j->tail, p, n);
}

static void put_marker(struct job *j)
{
    if (j->marked)
        return;
    j->marked = true;
    lmp_sink_end(&j->out, j->ninputs);
    dh_put_u8(&j->out.buf, LMP_MARKER);
    put_tail(j, j->held.p, j->held.n);
    dh_buf_clear(&j->held);
}

/* The tail of a whole demo follows its marker; the tail of a truncated one is the cut part of a command. A piece that
 * is shorter than a command may be either, until the end record or its absence decides. */
static int origin(struct job *j, const struct dh_record *r)
{
    const uint8_t *p = r->u.origin.bytes;
    size_t n = r->u.origin.n;

    if (begin(j, r) < 0)
        return -1;
    if (r->u.origin.part == 0) {
        j->keyframe += n;
        if (j->keyframe > j->plan.keyframe || j->ninputs > 0 || j->marked || j->held.n > 0)
            return FAIL(j, r, "origin part=head: every byte of the header of %s has a name", j->plan.dialect->name);
        dh_put_bytes(&j->out.buf, p, n);
        return 0;
    }
    if (r->u.origin.part != 1)
        return FAIL(j, r, "origin part=%d: expected head or tail", r->u.origin.part);
    if (!j->marked && j->held.n == 0 && n < j->plan.to.longest) {
        dh_put_bytes(&j->held, p, n);
        return 0;
    }
    put_marker(j);
    put_tail(j, p, n);
    return 0;
}

static int end(struct job *j, const struct dh_record *r)
{
    if (begin(j, r) < 0)
        return -1;
    if (j->keyframe != j->plan.keyframe)
        return FAIL(j, r, "the key frame is %" PRIu64 " bytes, rule keyframe says %" PRIu32, j->keyframe,
                    j->plan.keyframe);
    if (r->tick > j->tick)
        return missing(j, r);
    if (r->tick < j->tick)
        return FAIL(j, r,
                    "end at tick %" PRIu32 ", but all inputs of tick %" PRIu32 " are there: a demo file would run it",
                    r->tick, j->tick - 1);
    put_marker(j);
    return 0;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static int record(struct job *j, const struct dh_record *r)
{
    int kind = r->kind == DH_RAW ? r->raw_kind : r->kind;
    bool part = kind == DH_HEADER || kind == DH_JOIN || kind == DH_LEAVE || kind == DH_INPUT || kind == DH_ORIGIN ||
                kind == DH_END;

    if (!part)
        return 0;
    if (r->kind == DH_RAW)
        return FAIL(j, r, "a record of kind %d in a form that only its bytes describe", kind);
    if (!j->headed && kind != DH_HEADER)
        return FAIL(j, r, "no header before the first record");
    if (j->headed && kind == DH_HEADER)
        return FAIL(j, r, "a second header");
    if ((j->marked || j->held.n) && kind == DH_INPUT)
        return FAIL(j, r, "input after origin part=tail");
    switch (kind) {
    case DH_HEADER:
        return header(j, r);
    case DH_JOIN:
        return join(j, r);
    case DH_LEAVE:
        return FAIL(j, r, "slot %d leaves: a demo file has its players to the end", r->slot);
    case DH_INPUT:
        return input(j, r);
    case DH_ORIGIN:
        return origin(j, r);
    default:
        return end(j, r);
    }
}

static void report(struct job *j)
{
    struct lmp_options options = {0};
    struct lmp_signed s = {0};

    if (j->rounded)
        note(j, "%" PRIu64 " turns were rounded", j->rounded);
    if (j->dropped)
        note(j, "%" PRIu64 " fields of inputs were dropped", j->dropped);
    if (j->tail.n > 0 && j->tail.n <= MAX_TAIL && !j->tail.failed)
        lmp_footer_read(j->tail.p, j->tail.n, &options, &s);
    if (s.is_signed && !j->was_invalid && !lmp_signature_fits(&s, lmp_sink_sum(&j->out)))
        note(j, "the footer's signature does not fit the demo: a port will call it invalid (--strip-footer leaves it "
                "out)");
    lmp_options_free(&options);
}

static int convert(struct job *j)
{
    const struct dh_record *r;
    int got = dh_reader_stream(j->r);

    while (got > 0 && (got = dh_read(j->r, &r)) > 0) {
        if (record(j, r) < 0)
            return -1;
        if ((j->how->unbuffered || j->out.buf.n >= FLUSH_AT) && lmp_sink_flush(&j->out, j->e) < 0)
            return -1;
    }
    if (got < 0) {
        *j->e = *dh_reader_error(j->r);
        /* Cut short: what is there goes out without the marker, as it would stand in a demo that was cut. */
        if (j->e->status == DH_INCOMPLETE) {
            struct dh_err cut = *j->e;
            for (int i = 0; !j->begun && i < j->plan.npresent && (j->joined >> j->plan.present[i] & 1); i++)
                dh_put_bytes(&j->out.buf, j->joins[j->plan.present[i]], j->plan.join_size);
            if (!j->how->strip_footer)
                dh_put_bytes(&j->out.buf, j->held.p, j->held.n);
            if (lmp_sink_close(&j->out, j->e) < 0)
                return -1;
            *j->e = cut;
        }
        return -1;
    }
    if (lmp_sink_close(&j->out, j->e) < 0)
        return -1;
    report(j);
    got = dh_reader_stream(j->r);
    if (got > 0)
        return dh_fail(j->e, DH_TROUBLE, "a second stream follows: a demo file holds one (its bytes are written)");
    if (got < 0)
        *j->e = *dh_reader_error(j->r);
    return got;
}

int dh_to_lmp(struct dh_reader *r, int fd, const struct lmp_writing *how, struct dh_err *e)
{
    static const struct lmp_writing plain = {0};
    struct dh_err mine = {0};
    struct job *j = calloc(1, sizeof *j);

    if (!j)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    j->r = r;
    j->how = how ? how : &plain;
    j->e = e ? e : &mine;
    lmp_sink_init(&j->out, fd);
    int ok = convert(j);
    if (j->out.write_failed)
        ok = -2;
    lmp_sink_free(&j->out);
    lmp_plan_free(&j->plan);
    dh_buf_free(&j->held);
    dh_buf_free(&j->tail);
    free(j);
    return ok;
}
