/* SPDX-License-Identifier: ISC */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "delta.h"

__attribute__((format(printf, 2, 3))) static void add(struct dh_buf *b, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n > 0)
        dh_put_bytes(b, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static void flush(struct dh_report *r)
{
    if (r->out.n > 0 && r->flush)
        r->flush(r);
    dh_buf_clear(&r->out);
}

/* ---- one difference ---------------------------------------------------------------------------------------------- */

static bool is_digest(const struct dh_diff *d)
{
    return d->kind == DH_DIFF_COUNT || d->kind == DH_DIFF_DIGEST;
}

/* "LABEL@id field", what a line and the summary call a difference by. */
static void add_name(struct dh_buf *b, const struct dh_diff *d)
{
    if (!d->type)
        add(b, "-");
    else if (is_digest(d))
        add(b, "%s", d->type);
    else
        add(b, "%s@%llu", d->type, (unsigned long long)d->id);
    if (d->kind == DH_DIFF_FIELD)
        add(b, " %s", d->field->name);
    else if (is_digest(d))
        add(b, d->kind == DH_DIFF_COUNT ? " entities" : " digest");
}

static void add_values(struct dh_buf *b, const struct dh_diff_place *at, const struct dh_diff *d)
{
    switch (d->kind) {
    case DH_DIFF_FIELD:
        add(b, "recorded ");
        dh_show_value(b, at->a, d->field, d->a, d->na);
        add(b, ", replayed ");
        dh_show_value(b, at->b, d->field, d->b, d->nb);
        if (d->na == d->nb)
            dh_show_delta(b, d->field, d->a, d->b, d->na);
        break;
    case DH_DIFF_MISSING:
        add(b, "recorded, not replayed");
        break;
    case DH_DIFF_EXTRA:
        add(b, "replayed, not recorded");
        break;
    case DH_DIFF_COUNT:
        add(b, "recorded %llu, replayed %llu delta %lld", (unsigned long long)d->va, (unsigned long long)d->vb,
            (long long)d->vb - (long long)d->va);
        break;
    case DH_DIFF_DIGEST:
        add(b, "recorded 0x%016llx, replayed 0x%016llx", (unsigned long long)d->va, (unsigned long long)d->vb);
        break;
    }
}

static void add_time(struct dh_buf *b, const char *before, double ticks, double rate)
{
    double hundredths = ticks * 100 / rate; /* a tick is longer than that, so that rounding down names it */

    if (!(hundredths >= 0 && hundredths < 1e15))
        return;
    unsigned long long t = (unsigned long long)hundredths;
    add(b, "%s%llu:%02llu:%02llu.%02llu", before, t / 360000, t / 6000 % 60, t / 100 % 60, t % 100);
}

/* " (MAP07 0:01:23.45)", of a state whose line has a map or a leveltime. */
static void add_level(struct dh_buf *b, const struct dh_diff_place *at)
{
    const struct dh_schema *s = dh_state_schema(at->a, at->state_a->kind);
    const struct dh_record *r = at->state_a;
    int map = dh_schema_find(s, "map"), time = dh_schema_find(s, "leveltime");

    if (map < 0 && time < 0)
        return;
    add(b, " (");
    if (map >= 0) {
        size_t n;
        const uint8_t *p = dh_block_field(s, r->block, r->block_n, map, &n);
        dh_value_text(b, at->a, &s->fields[map], p, n);
    }
    if (time >= 0 && at->rate > 0)
        add_time(b, map >= 0 ? " " : "", (double)dh_block_int(s, r->block, r->block_n, time), at->rate);
    add(b, ")");
}

static void add_diff(struct dh_buf *b, const struct dh_diff_place *at, const struct dh_diff *d)
{
    add(b, "DIVERGED tick %lu ", (unsigned long)at->tick);
    add_name(b, d);
    add(b, ": ");
    add_values(b, at, d);
    add_level(b, at);
    add(b, "\n");
}

int dh_report_diff(void *ctx, const struct dh_diff_place *at, const struct dh_diff *d)
{
    struct dh_report *r = ctx;
    bool first = !r->told_diff, first_here = first || r->told_tick != at->tick;

    r->told_diff = true;
    if (first) {
        add(&r->where, "tick %lu ", (unsigned long)at->tick);
        add_name(&r->where, d);
    }
    if (r->form == DH_REPORT_ALL || (r->form == DH_REPORT_FIRST && first))
        add_diff(&r->out, at, d);
    if (r->form == DH_REPORT_TAP && first_here) {
        dh_buf_clear(&r->line);
        add_diff(&r->line, at, d);
    }
    if (first || r->form != DH_REPORT_FIRST)
        r->told_tick = at->tick;
    if (r->out.n > 65536)
        flush(r);
    /* Of the first state that differs the types that do not are wanted too. */
    return r->form == DH_REPORT_ALL || (r->form == DH_REPORT_FIRST && r->told_tick == at->tick) ? 0 : 1;
}

/* ---- what the runs were given ------------------------------------------------------------------------------------ */

void dh_report_setup(void *ctx, const char *what, const char *recorded, const char *replayed)
{
    struct dh_report *r = ctx;

    if (r->form == DH_REPORT_QUIET)
        return;
    add(&r->out, "%sSETUP %s: recorded %s, replayed %s\n", r->form == DH_REPORT_TAP ? "# " : "", what, recorded,
        replayed);
    flush(r);
}

/* ---- one state --------------------------------------------------------------------------------------------------- */

static void add_equal_types(struct dh_buf *b, const struct dh_diff_place *at)
{
    const struct dh_comparison *c = at->comparison;
    const char *before = "";

    add(b, "still equal at tick %lu: ", (unsigned long)at->tick);
    if (c->plan->state.nfields > 0 && !(c->state & DH_DIFFERS)) {
        add(b, "state");
        before = ", ";
    }
    for (int i = 0; i < c->plan->ntypes; i++) {
        if (c->types[i] != DH_SEEN)
            continue;
        add(b, "%s%s", before, c->plan->types[i].name);
        before = ", ";
    }
    add(b, "%s\n", *before ? "" : "nothing");
}

void dh_report_state(void *ctx, const struct dh_diff_place *at, bool different)
{
    struct dh_report *r = ctx;

    if (r->form == DH_REPORT_TAP) {
        add(&r->out, "%sok %lu - tick %lu\n", different ? "not " : "", ++r->tests, (unsigned long)at->tick);
        if (different) {
            add(&r->out, "# ");
            dh_put_bytes(&r->out, r->line.p, r->line.n);
        }
    } else if (different && (r->form == DH_REPORT_ALL || (r->form == DH_REPORT_FIRST && r->told_tick == at->tick)))
        add_equal_types(&r->out, at);
    flush(r);
}

void dh_report_alone(void *ctx, uint32_t tick, bool recorded)
{
    struct dh_report *r = ctx;
    const char *what = recorded ? "recorded, not replayed" : "replayed, not recorded";

    if (r->form == DH_REPORT_TAP)
        add(&r->out, "not ok %lu - tick %lu: %s\n", ++r->tests, (unsigned long)tick, what);
    else if (r->form == DH_REPORT_ALL || (r->form == DH_REPORT_FIRST && !r->told_alone))
        add(&r->out, "ALONE tick %lu: %s\n", (unsigned long)tick, what);
    r->told_alone = true;
    flush(r);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void add_verdict(struct dh_buf *b, const struct dh_report *r, const struct dh_diff_result *res)
{
    if (res->different > 0) {
        add(b, "DIVERGED at ");
        dh_put_bytes(b, r->where.p, r->where.n);
        if (res->checked > 1)
            add(b, ", %lu of %lu differ", res->different, res->checked);
    } else
        add(b, res->checked > 0 ? "all equal" : "nothing to compare");
    if (res->all_fields > res->fields)
        add(b, "; compared %ld of %ld fields", res->fields, res->all_fields);
    if (res->uncompared > 0)
        add(b, "; %lu state(s) that do not compare", res->uncompared);
    if (res->alone > 0)
        add(b, "; %lu state(s) without a partner", res->alone);
    if (!res->ended)
        add(b, "; incomplete");
}

void dh_report_stream(struct dh_report *r, const struct dh_diff_result *res, bool two)
{
    bool tap = r->form == DH_REPORT_TAP;

    if (tap && res->checked + res->alone == 0)
        add(&r->out, "not ok %lu - nothing to compare\n", ++r->tests);
    if (tap && !res->ended)
        add(&r->out, "not ok %lu - the input ended early\n", ++r->tests);
    if (r->form != DH_REPORT_QUIET) {
        add(&r->out, "%sdemo: replayed %lu tick(s) to %lu, checked %lu %s(s): ", tap ? "# " : "",
            (unsigned long)(res->end - res->start), (unsigned long)res->end, res->checked,
            two ? "state" : "checkpoint");
        add_verdict(&r->out, r, res);
        add(&r->out, "\n");
    }
    flush(r);
    dh_buf_clear(&r->where);
    r->told_diff = r->told_alone = false;
}

void dh_report_end(struct dh_report *r)
{
    if (r->form == DH_REPORT_TAP) {
        add(&r->out, "1..%lu\n", r->tests);
        flush(r);
    }
    dh_buf_free(&r->out);
    dh_buf_free(&r->where);
    dh_buf_free(&r->line);
}
