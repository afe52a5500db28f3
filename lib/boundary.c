/* SPDX-License-Identifier: ISC */
/* One boundary between two ticks: what was recorded for it goes in, what the world is then comes out. */
#include "run.h"

/* ---- output ------------------------------------------------------------------------------------------------------ */

int dh_run_write_failed(struct dh_run *u)
{
    *u->e = *dh_writer_error(u->w);
    return DH_REPLAY_WRITE_FAILED;
}

int dh_run_put(struct dh_run *u, int kind, const struct dh_buf *b)
{
    if (b->failed)
        return dh_fail(u->e, DH_TROUBLE, "out of memory");
    return dh_write_payload(u->w, kind, b->p, b->n) < 0 ? dh_run_write_failed(u) : 0;
}

int dh_run_put_record(void *run, const struct dh_record *r)
{
    struct dh_run *u = run;
    int rc = r->kind == DH_RAW ? dh_write(u->w, r) : dh_write_payload(u->w, r->kind, r->payload, r->len);

    return rc < 0 ? dh_run_write_failed(u) : 0;
}

static int put_events(struct dh_run *u)
{
    int rc = 0;

    for (int i = 0; i < u->events.n && rc == 0; i++)
        rc = dh_run_put(u, DH_EVENT, &u->events.bufs[i]);
    u->events.n = 0;
    return rc;
}

/* The world's errors know no tick; what stands in e is where the run is. */
static int world_failed(struct dh_run *u)
{
    if (u->e->tick < 0)
        u->e->tick = u->now;
    return -1;
}

static int put_logs(struct dh_run *u)
{
    int rc = 0;

    if (!u->o->log || !u->ops->log)
        return 0;
    u->ops->log(u->world, u->now, &u->logs);
    for (int i = 0; i < u->logs.n && rc == 0; i++)
        rc = dh_run_put(u, DH_LOG, &u->logs.bufs[i]);
    u->logs.n = 0;
    return rc;
}

static bool in_window(const struct dh_run *u)
{
    return u->o->has_window && u->now >= u->o->window && u->now < u->o->window_end;
}

static int put_state(struct dh_run *u)
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
    return dh_run_put(u, u->o->checkpoint ? DH_CHECKPOINT : DH_SNAPSHOT, &u->payload);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static bool due(const struct dh_run *u, bool last)
{
    if (last || in_window(u))
        return true;
    return u->interval > 0 && (u->now % u->interval == 0 || u->now == u->start);
}

static int say_restored(struct dh_run *u)
{
    dh_buf_clear(&u->payload);
    dh_build_event(&u->payload, u->now, "restored", DH_NO_SLOT);
    return dh_run_put(u, DH_EVENT, &u->payload);
}

static int take_checkpoint(struct dh_run *u, const struct dh_record *r, bool restoring, bool *wanted)
{
    if (restoring && u->ops->restore(u->world, r, u->e) < 0)
        return world_failed(u);
    /* In place of a snapshot there is the checkpoint itself; but one that is to be replaced is. */
    *wanted = !restoring || u->o->checkpoint;
    return u->o->checkpoint ? 0 : dh_run_put_record(u, r);
}

static int take_who(struct dh_run *u, const struct dh_record *r)
{
    int rc = dh_run_put_record(u, r);

    if (rc != 0)
        return rc;
    if (dh_live_apply(&u->live, r) < 0)
        return dh_fail(u->e, DH_TROUBLE, "out of memory");
    rc = r->kind == DH_JOIN ? u->ops->join(u->world, r, u->e) : u->ops->leave(u->world, r, u->e);
    return rc < 0 ? world_failed(u) : 0;
}

/* After joins, leaves and the checkpoint, before inputs: once a boundary. */
static int settle(struct dh_run *u, bool wanted, bool *settled, enum dh_run_how how)
{
    if (*settled)
        return 0;
    *settled = true;
    int rc = wanted ? put_state(u) : 0;
    if (rc == 0)
        rc = put_logs(u);
    if (rc == 0 && how == DH_RUN_ON && u->o->restart && u->now % u->o->restart == 0 && u->now != u->start)
        rc = dh_run_restart(u);
    return rc;
}

int dh_run_boundary(struct dh_run *u, const struct dh_keeps *recs, size_t n, enum dh_run_how how)
{
    bool restoring = u->restores && u->now == u->start;
    bool wanted = (due(u, how != DH_RUN_ON) && !restoring), settled = false;
    int rc = restoring ? say_restored(u) : 0;

    if (rc == 0 && (how == DH_RUN_LAST || how == DH_RUN_CUT) && u->ops->final) {
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
            if ((rc = settle(u, wanted, &settled, how)) != 0 || how == DH_RUN_CUT ||
                (rc = dh_run_put_record(u, r)) != 0)
                break;
            if (how == DH_RUN_ON && u->ops->input(u->world, r, u->e) < 0)
                rc = world_failed(u);
            break;
        default:
            if (how != DH_RUN_CUT)
                rc = dh_run_put_record(u, r);
        }
    }
    return rc == 0 ? settle(u, wanted, &settled, how) : rc;
}

int dh_run_step(struct dh_run *u)
{
    if (u->ops->tick(u->world, u->now, &u->events, u->e) < 0)
        return world_failed(u);
    u->now++;
    return put_events(u);
}
