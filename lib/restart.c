/* SPDX-License-Identifier: ISC */
/*
 * A world that is thrown away in the middle of a run, and another that goes on from its state: what the state lacks is
 * found by it.
 */
#include "run.h"

static int failed(struct dh_run *u)
{
    if (u->e->tick < 0)
        u->e->tick = u->now;
    return -1;
}

static int rejoin(void *run, const struct dh_buf *payload)
{
    struct dh_run *u = run;
    struct dh_record r;

    if (dh_decode(dh_writer_schemas(u->w), DH_JOIN, payload->p, payload->n, &r, u->e) < 0)
        return -1;
    return u->ops->join(u->world, &r, u->e);
}

int dh_run_restart(struct dh_run *u)
{
    /* The state goes through its encoding, as it would in a file; the schemas are those of what is written. */
    const struct dh_schemas *s = dh_writer_schemas(u->w);
    struct dh_kept kept = {0};
    struct dh_record r;
    const char *map;
    int rc;

    dh_state_begin(&u->state);
    if (u->ops->snapshot(u->world, u->now, u->first_type, &u->state, u->e) < 0)
        return failed(u);
    dh_buf_clear(&u->payload);
    dh_build_state(&u->payload, u->now, &u->state);
    if (u->payload.failed)
        return dh_fail(u->e, DH_TROUBLE, "out of memory for a state");
    if (dh_decode(s, u->o->checkpoint ? DH_CHECKPOINT : DH_SNAPSHOT, u->payload.p, u->payload.n, &r, u->e) < 0)
        return failed(u);
    if (dh_keep(&kept, &r) < 0)
        return dh_fail(u->e, DH_TROUBLE, "out of memory for a state");

    u->ops->close(u->world);
    u->world = NULL;
    if ((rc = dh_run_new_world(u, s, &map)) == 0)
        rc = dh_live_joins(&u->live, s, NULL, u->now, rejoin, u, u->e);
    if (rc == 0)
        rc = u->ops->restore(u->world, &kept.rec, u->e);
    dh_kept_free(&kept);
    return rc < 0 ? failed(u) : rc;
}
