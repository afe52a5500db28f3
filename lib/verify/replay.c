/* SPDX-License-Identifier: ISC */
#include "verify/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmp/command.h"

void replay_kit_free(struct replay_kit *kit)
{
    for (int i = 0; i < kit->events.cap; i++)
        dh_buf_free(&kit->events.bufs[i]);
    free(kit->events.bufs);
    dh_schemas_free(kit->schemas);
    dh_state_free(&kit->state);
    levels_free(&kit->levels);
    memset(kit, 0, sizeof *kit);
}

/* The schemas of a world's states are always the same. */
static int prepare(struct replay_kit *kit, const struct dh_world_ops *ops, struct dh_err *e)
{
    kit->events.n = 0;
    if (kit->ops == ops)
        return 0;
    dh_schemas_free(kit->schemas);
    kit->ops = NULL;
    kit->schemas = dh_schemas_new();
    if (!kit->schemas)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    if (ops->schemas(kit->schemas, e) < 0)
        return -1;
    kit->ops = ops;
    return 0;
}

/* ---- the tics ---------------------------------------------------------------------------------------------------- */

static int join(const struct replay *r, struct dh_world *w, struct dh_err *e)
{
    for (int i = 0; i < r->demo->nplayers; i++) {
        const struct dh_record join = {.kind = DH_JOIN, .has_tick = true, .slot = r->demo->present[i]};
        if (r->ops->join(w, &join, e) < 0)
            return -1;
    }
    return 0;
}

static void take_events(const struct replay *r, struct replay_kit *kit)
{
    struct dh_record event;

    for (int i = 0; i < kit->events.n; i++)
        if (dh_decode(r->begin->schemas, DH_EVENT, kit->events.bufs[i].p, kit->events.bufs[i].n, &event, NULL) == 0 &&
            event.kind == DH_EVENT)
            levels_event(&kit->levels, &event);
    kit->events.n = 0;
}

/* The whole tics: inputs of one that is not whole are not run. */
static int run(struct replay *r, struct dh_world *w, struct replay_kit *kit, struct dh_err *e)
{
    uint8_t block[LMP_MAX_COMMAND];
    struct dh_record input = {.kind = DH_INPUT, .has_tick = true, .block = block};
    struct lmp_walk walk = lmp_walk(r->demo);
    bool more = lmp_next(&walk);

    for (; r->tics < r->demo->ticks; r->tics++) {
        for (; more && walk.tick == r->tics; more = lmp_next(&walk)) {
            input.tick = walk.tick;
            input.slot = walk.slot;
            input.block_n = lmp_command_block(r->demo->command, walk.v, block);
            if (r->ops->input(w, &input, e) < 0)
                return -1;
        }
        if (r->ops->tick(w, r->tics, &kit->events, e) < 0)
            return -1;
        if (kit->events.n > 0)
            take_events(r, kit);
    }
    return 0;
}

/* ---- the last state ---------------------------------------------------------------------------------------------- */

static int finish(struct replay *r, struct dh_world *w, struct replay_kit *kit, struct dh_err *e)
{
    struct dh_record state = {.kind = DH_SNAPSHOT, .has_tick = true, .tick = r->tics};
    struct level_last last;

    dh_state_begin(&kit->state);
    if (r->ops->snapshot(w, r->tics, 0, &kit->state, e) < 0)
        return -1;
    if (kit->state.head.failed || kit->state.body.failed)
        return dh_fail(e, DH_TROUBLE, "out of memory for a state");
    state.block = kit->state.head.p;
    state.block_n = kit->state.head.n;
    state.u.state.count = kit->state.count;
    state.u.state.entities = kit->state.body.p;
    state.u.state.entities_n = kit->state.body.n;
    if (!levels_look(&last, kit->schemas, &state))
        return dh_fail(e, DH_TROUBLE, "game=%s: its states do not say how a run ended", r->ops->game);
    if (dh_state_digest(kit->schemas, &state, &r->digest, NULL, NULL) < 0)
        return dh_fail(e, DH_TROUBLE, "out of memory for a digest");
    r->verdict = levels_end(&kit->levels, &last);
    return 0;
}

int replay_run(struct replay *r, struct replay_kit *kit, struct dh_err *e)
{
    const struct dh_world_args args = {
        .header = &r->begin->header,
        .schemas = r->begin->schemas,
        .files = r->files,
        .nfiles = r->nfiles,
        .settings = r->settings,
    };
    struct dh_world *w = NULL;
    const char *map = NULL;

    *e = (struct dh_err){.tick = -1, .offset = DH_NOWHERE};
    if (prepare(kit, r->ops, e) < 0 || r->ops->open(&w, &args, &map, e) < 0)
        return -1;
    snprintf(r->map, sizeof r->map, "%s", map ? map : "");
    levels_begin(&kit->levels, r->map);
    if (r->ops->follows)
        snprintf(r->follows, sizeof r->follows, "%s", r->ops->follows(w));
    int rc = join(r, w, e);
    if (rc == 0 && (rc = run(r, w, kit, e)) < 0 && e->tick < 0)
        e->tick = r->tics;
    if (rc == 0)
        rc = finish(r, w, kit, e);
    r->ops->close(w);
    if (rc == 0 && kit->levels.failed)
        rc = dh_fail(e, DH_TROUBLE, "out of memory");
    return rc;
}
