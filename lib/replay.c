/* SPDX-License-Identifier: ISC */
#include "replay.h"

#include <stdlib.h>

#include "run.h"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Everything before the first tick; *r is the first record that has one, or the end. 1, or -1. */
static int preamble(struct dh_run *u, const struct dh_record **r)
{
    bool header = false;

    for (;;) {
        int got = dh_read(u->r, r), rc = 0;
        if (got <= 0) {
            if (got < 0)
                *u->e = *dh_reader_error(u->r);
            return got < 0 ? -1 : dh_fail(u->e, DH_TROUBLE, "a stream without a record");
        }
        if ((*r)->has_tick || (*r)->kind == DH_END)
            return 1;
        if ((*r)->kind == DH_HEADER) {
            header = true;
            rc = dh_keep(&u->header, *r);
        } else if ((*r)->kind == DH_RESOURCE)
            rc = dh_keeps_add(&u->recorded, *r);
        else if (dh_spool_add(header ? &u->origin : &u->schemas, *r, u->e) < 0)
            return -1;
        if (rc < 0)
            return dh_fail(u->e, DH_TROUBLE, "out of memory");
    }
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static int ready(struct dh_run *u)
{
    return u->world ? 0 : dh_run_open(u);
}

static int put_end(struct dh_run *u, uint32_t tick, int reason)
{
    dh_buf_clear(&u->payload);
    dh_build_end(&u->payload, tick, reason);
    return dh_run_put(u, DH_END, &u->payload);
}

/* Run the ticks before a boundary that nothing was recorded for. */
static int advance(struct dh_run *u, uint32_t tick)
{
    int rc = 0;

    while (u->now < tick && rc == 0)
        if ((rc = dh_run_boundary(u, NULL, 0, DH_RUN_ON)) == 0)
            rc = dh_run_step(u);
    return rc;
}

/* The group's tick is known to be run: run it, or what is left before --until. */
static int run_group(struct dh_run *u)
{
    const struct dh_replay_opts *o = u->o;
    int rc;

    if (u->group.n == 0 || u->done)
        return 0;
    if ((rc = ready(u)) != 0)
        return rc;
    if (o->has_until && u->group_tick >= o->until) {
        u->done = true;
        if ((rc = advance(u, o->until)) != 0)
            return rc;
        return dh_run_boundary(u, &u->group, u->group_tick == o->until ? u->group.n : 0, DH_RUN_CUT);
    }
    if ((rc = advance(u, u->group_tick)) != 0 || (rc = dh_run_boundary(u, &u->group, u->group.n, DH_RUN_ON)) != 0)
        return rc;
    return dh_run_step(u);
}

static int finish_until(struct dh_run *u)
{
    int rc = run_group(u);

    if (rc == 0 && !u->done && (rc = advance(u, u->o->until)) == 0)
        rc = dh_run_boundary(u, NULL, 0, DH_RUN_CUT);
    return rc != 0 ? rc : put_end(u, u->o->until, DH_UNTIL);
}

/* The records of the group after its last one with a tick: at the end of a stream they stay at its end. */
static int put_rest(struct dh_run *u)
{
    int rc = 0;

    for (size_t i = u->timed; i < u->group.n && rc == 0; i++)
        rc = dh_run_put_record(u, &u->group.items[i].rec);
    return rc;
}

static int finish(struct dh_run *u, const struct dh_record *end)
{
    uint32_t tick = end->tick;
    int rc = ready(u);

    if (rc != 0)
        return rc;
    if (u->o->has_until && tick > u->o->until)
        return finish_until(u);
    if (u->now > tick)
        return dh_fail(u->e, DH_TROUBLE, "the end is at tick %lu, and tick %lu has records", (unsigned long)tick,
                       (unsigned long)(u->now - 1));
    size_t all = u->group.n;
    if (u->group.n > 0 && u->group_tick < tick) {
        u->group.n = u->timed;
        rc = run_group(u);
        u->group.n = all;
        if (rc == 0 && (rc = advance(u, tick)) == 0)
            rc = dh_run_boundary(u, NULL, 0, DH_RUN_LAST);
    } else if ((rc = advance(u, tick)) == 0) /* what is recorded for the end's tick or later is carried and not run */
        rc = dh_run_boundary(u, &u->group, u->timed, DH_RUN_LAST);
    if (rc != 0 || (rc = put_rest(u)) != 0)
        return rc;
    return put_end(u, tick, end->u.end.reason);
}

/* The input ended early: the group may lack records. Its tick is run where every player has an input. */
static int finish_torn(struct dh_run *u)
{
    size_t inputs = 0, all = u->group.n, live;
    int rc;

    if (u->done || u->group.n == 0)
        return 0;
    if ((rc = ready(u)) != 0)
        return rc;
    if (u->o->has_until && u->group_tick >= u->o->until)
        return run_group(u);
    if ((rc = advance(u, u->group_tick)) != 0)
        return rc;
    live = dh_live_count(&u->live);
    for (size_t i = 0; i < all; i++) {
        int kind = u->group.items[i].rec.kind;
        inputs += kind == DH_INPUT;
        live += kind == DH_JOIN;
        live -= kind == DH_LEAVE && live > 0;
    }
    u->group.n = u->timed;
    if (inputs > 0 && inputs >= live) {
        if ((rc = run_group(u)) == 0)
            rc = dh_run_boundary(u, NULL, 0, DH_RUN_TORN);
    } else
        rc = dh_run_boundary(u, &u->group, u->timed, DH_RUN_TORN);
    u->group.n = all;
    return rc != 0 ? rc : put_rest(u);
}

static int take(struct dh_run *u, const struct dh_record *r)
{
    if (r->kind == DH_SNAPSHOT || r->kind == DH_EVENT || r->kind == DH_LOG)
        return 0; /* an earlier replay's */
    if (r->kind == DH_END)
        return finish(u, r);
    if (u->done)
        return 0;
    if (u->group.n > 0 && r->has_tick && r->tick != u->group_tick) {
        int rc = run_group(u);
        if (rc != 0 || u->done)
            return rc;
        dh_keeps_clear(&u->group);
    }
    if (dh_keeps_add(&u->group, r) < 0)
        return dh_fail(u->e, DH_TROUBLE, "out of memory");
    if (r->has_tick) {
        u->group_tick = r->tick;
        u->timed = u->group.n;
    }
    return 0;
}

static int run(struct dh_run *u)
{
    const struct dh_record *r;
    int got = preamble(u, &r), rc;

    if (got < 0)
        return -1;
    u->start = u->now = u->header.rec.u.header.start;
    u->interval = u->o->has_every ? u->o->every : u->header.rec.u.header.interval;
    if (u->o->has_until && u->o->until < u->start)
        return dh_fail(u->e, DH_TROUBLE, "the recording starts at tick %lu, after tick %lu", (unsigned long)u->start,
                       (unsigned long)u->o->until);
    for (; got > 0; got = dh_read(u->r, &r))
        if ((rc = take(u, r)) != 0)
            return rc;
    if (got < 0) {
        struct dh_err why = *dh_reader_error(u->r);
        if (why.status == DH_INCOMPLETE && (rc = finish_torn(u)) != 0)
            return rc;
        *u->e = why;
    }
    return got;
}

static void free_events(struct dh_world_events *ev)
{
    for (int i = 0; i < ev->cap; i++)
        dh_buf_free(&ev->bufs[i]);
    free(ev->bufs);
}

int dh_replay(struct dh_reader *r, struct dh_writer *w, const struct dh_replay_opts *o, struct dh_err *e)
{
    struct dh_run u = {.r = r, .w = w, .o = o, .e = e};

    dh_spool_init(&u.schemas);
    dh_spool_init(&u.origin);
    int rc = run(&u);
    if (u.world)
        u.ops->close(u.world);
    dh_content_free(&u.content);
    dh_spool_free(&u.schemas);
    dh_spool_free(&u.origin);
    dh_kept_free(&u.header);
    dh_keeps_free(&u.recorded);
    dh_keeps_free(&u.group);
    dh_live_free(&u.live);
    dh_state_free(&u.state);
    dh_buf_free(&u.payload);
    free_events(&u.events);
    free_events(&u.logs);
    return rc;
}
