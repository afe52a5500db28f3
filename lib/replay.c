/* SPDX-License-Identifier: ISC */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "graft.h"
#include "live.h"
#include "spool.h"

struct run {
    struct dh_reader *r;
    struct dh_writer *w;
    const struct dh_replay_opts *o;
    struct dh_err *e;

    struct dh_kept header;
    struct dh_keeps recorded; /* resource records */
    struct dh_spool schemas, origin;
    struct dh_content content;
    const struct dh_world_ops *ops;
    struct dh_world *world;
    int first_type;

    struct dh_keeps group; /* the records of one tick, held until it is known whether the tick is run */
    size_t timed;          /* how many of them come up to the last that has a tick */
    uint32_t group_tick;
    struct dh_live live;
    uint32_t start, now; /* now: the boundary that the world stands at */
    uint32_t interval;
    bool restores; /* the checkpoint at start is taken over */
    bool done;     /* the world has been run as far as it is to be */

    struct dh_world_events events;
    struct dh_state state;
    struct dh_buf payload;
};

/* ---- output ------------------------------------------------------------------------------------------------------ */

static int write_failed(struct run *u)
{
    *u->e = *dh_writer_error(u->w);
    return DH_REPLAY_WRITE_FAILED;
}

static int put(struct run *u, int kind, const struct dh_buf *b)
{
    if (b->failed)
        return dh_fail(u->e, DH_TROUBLE, "out of memory");
    return dh_write_payload(u->w, kind, b->p, b->n) < 0 ? write_failed(u) : 0;
}

static int put_record(void *ctx, const struct dh_record *r)
{
    struct run *u = ctx;
    int rc = r->kind == DH_RAW ? dh_write(u->w, r) : dh_write_payload(u->w, r->kind, r->payload, r->len);

    return rc < 0 ? write_failed(u) : 0;
}

static int put_events(struct run *u)
{
    int rc = 0;

    for (int i = 0; i < u->events.n && rc == 0; i++)
        rc = put(u, DH_EVENT, &u->events.bufs[i]);
    u->events.n = 0;
    return rc;
}

static int put_end(struct run *u, uint32_t tick, int reason)
{
    dh_buf_clear(&u->payload);
    dh_build_end(&u->payload, tick, reason);
    return put(u, DH_END, &u->payload);
}

/* The world's errors know no tick; what stands in e is where the run is. */
static int world_failed(struct run *u)
{
    if (u->e->tick < 0)
        u->e->tick = u->now;
    return -1;
}

static bool in_window(const struct run *u)
{
    return u->o->has_window && u->now >= u->o->window && u->now < u->o->window_end;
}

static int put_state(struct run *u)
{
    dh_state_begin(&u->state);
    if (u->ops->snapshot(u->world, u->now, u->first_type, &u->state, u->e) < 0)
        return world_failed(u);
    if (u->state.head.failed || u->state.body.failed) {
        dh_fail(u->e, DH_TROUBLE, "out of memory for a state");
        return world_failed(u);
    }
    dh_buf_clear(&u->payload);
    if (!u->o->digest || in_window(u))
        dh_build_state(&u->payload, u->now, &u->state);
    else if (dh_build_digest(&u->payload, u->now, dh_writer_schemas(u->w), &u->state) < 0)
        return dh_fail(u->e, DH_TROUBLE, "out of memory for a digest");
    return put(u, u->o->checkpoint ? DH_CHECKPOINT : DH_SNAPSHOT, &u->payload);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static int put_header(struct run *u, const char *map)
{
    struct dh_header h = u->header.rec.u.header;
    char closure[65];

    if (map && *map)
        h.map = (struct dh_str){map, strlen(map)};
    dh_content_closure(&u->content, closure);
    if (*closure)
        h.closure = (struct dh_str){closure, strlen(closure)};
    if (u->o->checkpoint) {
        h.interval = u->interval;
        if (!u->restores) /* or the next replay would take the opening checkpoint for something to restore */
            h.fresh = 1;
    }
    dh_buf_clear(&u->payload);
    dh_build_header(&u->payload, &h);
    return put(u, DH_HEADER, &u->payload);
}

static int put_resources(struct run *u)
{
    const struct dh_content *c = &u->content;
    int rc = 0;

    for (size_t i = 0; c->n == 0 && i < u->recorded.n && rc == 0; i++)
        rc = put_record(u, &u->recorded.items[i].rec);
    for (int i = 0; i < c->n && rc == 0; i++) {
        const struct dh_file *f = &c->files[i];
        dh_buf_clear(&u->payload);
        dh_build_resource(&u->payload, (struct dh_str){f->role, strlen(f->role)},
                          (struct dh_str){f->name, strlen(f->name)}, f->size, c->sums[i].sha256, c->sums[i].md5);
        rc = put(u, DH_RESOURCE, &u->payload);
    }
    return rc;
}

static int open_world(struct run *u)
{
    const struct dh_header *h = &u->header.rec.u.header;
    const struct dh_replay_opts *o = u->o;
    const char *map = NULL;

    u->ops = o->world(h->game);
    if (!u->ops)
        return dh_fail(u->e, DH_TROUBLE, "game=%.*s: there is no world to replay it in", (int)h->game.n, h->game.p);
    if (o->content && o->content(o->ctx, u->ops, &u->recorded, &u->content, u->e) < 0)
        return -1;
    if (o->warn)
        dh_content_compare(&u->content, &u->recorded, h->closure, o->warn, o->ctx);
    struct dh_world_args args = {
        .header = h,
        .schemas = dh_reader_schemas(u->r),
        .files = u->content.files,
        .nfiles = u->content.n,
    };
    if (u->ops->open(&u->world, &args, &map, u->e) < 0)
        return -1;
    if (dh_writer_stream(u->w) < 0)
        return write_failed(u);
    struct dh_graft graft = {.ops = u->ops, .replace = o->checkpoint};
    int rc = dh_graft(&graft, &u->schemas, args.schemas, u->w, &u->first_type, u->e);
    if (rc == DH_REPLAY_WRITE_FAILED)
        return write_failed(u);
    if (rc != 0 || (rc = put_header(u, map)) != 0 || (rc = dh_spool_play(&u->origin, put_record, u, u->e)) != 0)
        return rc;
    return put_resources(u);
}

/* Everything before the first tick; *r is the first record that has one, or the end. 1, or -1. */
static int preamble(struct run *u, const struct dh_record **r)
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

/* Where the run starts: from the map as it is loaded, or from the checkpoint in the first tick's group. */
static int choose_start(struct run *u)
{
    const struct dh_record *checkpoint = NULL;

    for (size_t i = 0; i < u->group.n && u->group_tick == u->start; i++)
        if (u->group.items[i].rec.kind == DH_CHECKPOINT)
            checkpoint = &u->group.items[i].rec;
    if (u->o->fresh || u->header.rec.u.header.fresh)
        return 0;
    u->restores = checkpoint && !checkpoint->u.state.digest_only;
    if (!u->restores && u->start != 0)
        return dh_fail(u->e, DH_TROUBLE, "the recording starts at tick %lu %s", (unsigned long)u->start,
                       checkpoint ? "with a checkpoint of digests alone, which nothing can start from"
                                  : "without a checkpoint to start from (--fresh starts from the map as it is loaded)");
    return 0;
}

/* Called when the first tick's records are all there: only then it is known what the run starts from, and the header
 * can say so. */
static int ready(struct run *u)
{
    int rc = u->world ? 0 : choose_start(u);

    return rc == 0 && !u->world ? open_world(u) : rc;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static bool due(const struct run *u, bool last)
{
    if (last || in_window(u))
        return true;
    return u->interval > 0 && (u->now % u->interval == 0 || u->now == u->start);
}

static int say_restored(struct run *u)
{
    dh_buf_clear(&u->payload);
    dh_build_event(&u->payload, u->now, "restored", DH_NO_SLOT);
    return put(u, DH_EVENT, &u->payload);
}

static int take_checkpoint(struct run *u, const struct dh_record *r, bool restoring, bool *wanted)
{
    if (restoring && u->ops->restore(u->world, r, u->e) < 0)
        return world_failed(u);
    /* In place of a snapshot there is the checkpoint itself; but one that is to be replaced is. */
    *wanted = !restoring || u->o->checkpoint;
    return u->o->checkpoint ? 0 : put_record(u, r);
}

static int take_who(struct run *u, const struct dh_record *r)
{
    int rc = put_record(u, r);

    if (rc != 0)
        return rc;
    if (dh_live_apply(&u->live, r) < 0)
        return dh_fail(u->e, DH_TROUBLE, "out of memory");
    rc = r->kind == DH_JOIN ? u->ops->join(u->world, r, u->e) : u->ops->leave(u->world, r, u->e);
    return rc < 0 ? world_failed(u) : 0;
}

enum how {
    RUN,
    LAST,
    CUT,
    TORN
}; /* RUN: the tick is run afterwards; CUT: and nothing else of it passed on; TORN: input ended early */

/* The boundary that the world stands at: its records in, the world's state out where one is wanted. recs may be NULL.
 */
static int boundary(struct run *u, const struct dh_keeps *recs, size_t n, enum how how)
{
    bool restoring = u->restores && u->now == u->start;
    bool wanted = (due(u, how != RUN) && !restoring), stated = false;
    int rc = restoring ? say_restored(u) : 0;

    if (rc == 0 && (how == LAST || how == CUT) && u->ops->final) {
        u->ops->final(u->world, u->now, &u->events);
        rc = put_events(u);
    }
    for (size_t i = 0; i < n && rc == 0; i++) {
        const struct dh_record *r = &recs->items[i].rec;
        switch (r->kind) {
        case DH_JOIN:
        case DH_LEAVE:
            rc = take_who(u, r);
            break;
        case DH_CHECKPOINT:
            rc = take_checkpoint(u, r, restoring, &wanted);
            break;
        case DH_INPUT:
            if (wanted && !stated && (rc = put_state(u)) != 0)
                break;
            stated = true;
            if (how == CUT || (rc = put_record(u, r)) != 0)
                break;
            if (how == RUN && u->ops->input(u->world, r, u->e) < 0)
                rc = world_failed(u);
            break;
        default:
            if (how != CUT)
                rc = put_record(u, r);
        }
    }
    return rc == 0 && wanted && !stated ? put_state(u) : rc;
}

static int step(struct run *u)
{
    if (u->ops->tick(u->world, u->now, &u->events, u->e) < 0)
        return world_failed(u);
    u->now++;
    return put_events(u);
}

/* Run the ticks before a boundary that nothing was recorded for. */
static int advance(struct run *u, uint32_t tick)
{
    int rc = 0;

    while (u->now < tick && rc == 0)
        if ((rc = boundary(u, NULL, 0, RUN)) == 0)
            rc = step(u);
    return rc;
}

/* The group's tick is known to be run: run it, or what is left before --until. */
static int run_group(struct run *u)
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
        return boundary(u, &u->group, u->group_tick == o->until ? u->group.n : 0, CUT);
    }
    if ((rc = advance(u, u->group_tick)) != 0 || (rc = boundary(u, &u->group, u->group.n, RUN)) != 0)
        return rc;
    return step(u);
}

static int finish_until(struct run *u)
{
    int rc = run_group(u);

    if (rc == 0 && !u->done && (rc = advance(u, u->o->until)) == 0)
        rc = boundary(u, NULL, 0, CUT);
    return rc != 0 ? rc : put_end(u, u->o->until, DH_UNTIL);
}

/* The records of the group after its last one with a tick: at the end of a stream they stay at its end. */
static int put_rest(struct run *u)
{
    int rc = 0;

    for (size_t i = u->timed; i < u->group.n && rc == 0; i++)
        rc = put_record(u, &u->group.items[i].rec);
    return rc;
}

static int finish(struct run *u, const struct dh_record *end)
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
            rc = boundary(u, NULL, 0, LAST);
    } else if ((rc = advance(u, tick)) == 0) /* what is recorded for the end's tick or later is carried and not run */
        rc = boundary(u, &u->group, u->timed, LAST);
    if (rc != 0 || (rc = put_rest(u)) != 0)
        return rc;
    return put_end(u, tick, end->u.end.reason);
}

/* The input ended early: the group may lack records. Its tick is run where every player has an input. */
static int finish_torn(struct run *u)
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
            rc = boundary(u, NULL, 0, TORN);
    } else
        rc = boundary(u, &u->group, u->timed, TORN);
    u->group.n = all;
    return rc != 0 ? rc : put_rest(u);
}

static int take(struct run *u, const struct dh_record *r)
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

static int run(struct run *u)
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

int dh_replay(struct dh_reader *r, struct dh_writer *w, const struct dh_replay_opts *o, struct dh_err *e)
{
    struct run u = {.r = r, .w = w, .o = o, .e = e};

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
    for (int i = 0; i < u.events.cap; i++)
        dh_buf_free(&u.events.bufs[i]);
    free(u.events.bufs);
    return rc;
}
