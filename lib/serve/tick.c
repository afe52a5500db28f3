/* SPDX-License-Identifier: ISC */
/*
 * A tick T, in the order of a recording: who has gone leaves and who has come joins at the boundary before it, the
 * recording opens or takes its checkpoint there, then every pawn gets exactly one input, and the world moves on. What
 * is recorded is read off the world afterwards: what was run, never what arrived.
 */
#include <string.h>

#include "server.h"

static void flush_record(struct srv *s)
{
    struct dh_err e = {.tick = s->now, .offset = DH_NOWHERE};

    if (s->rec.w && srv_recorder_flush(&s->rec, &e) < 0)
        srv_record_lost(s, &e);
}

/* ---- who comes and goes ------------------------------------------------------------------------------------------ */

static void tell_leave(struct srv *s, const struct srv_client *c)
{
    const struct srv_queue *q = &c->queue;

    srv_line(&s->text, "leave %u %u", s->now, c->slot);
    srv_add_text(&s->text, "name", c->name);
    srv_add_text(&s->text, "reason", c->why);
    srv_tell_all(s, &s->text);
    srv_add(&s->text, " received=%llu held=%llu neutral=%llu late=%llu duplicate=%llu early=%llu limited=%llu",
            (unsigned long long)q->ran[NAT_RECEIVED], (unsigned long long)q->ran[NAT_HELD],
            (unsigned long long)q->ran[NAT_NEUTRAL], (unsigned long long)q->got[SRV_LATE],
            (unsigned long long)q->got[SRV_DUPLICATE], (unsigned long long)q->got[SRV_EARLY],
            (unsigned long long)q->got[SRV_LIMITED]);
    srv_print(s, &s->text);
}

static int leave_all(struct srv *s, struct dh_err *e)
{
    for (int i = 0; i < NAT_SLOTS; i++) {
        struct srv_client *c = s->slots[i];
        if (!c || !c->gone)
            continue;
        if (srv_game_leave(s->game, s->now, c->slot, e) < 0)
            return -1;
        s->slots[i] = NULL;
        /* A recording that has not opened yet knows of nobody who could leave. */
        if (s->rec.w && s->rec.opened)
            srv_recorder_leave(&s->rec, s->now, c->slot);
        tell_leave(s, c);
        srv_client_free(c);
    }
    return 0;
}

static int free_slot(const struct srv *s)
{
    for (int i = 0; i < NAT_SLOTS; i++)
        if (!s->slots[i])
            return i;
    return -1;
}

static void tell_join(struct srv *s, struct srv_client *c)
{
    srv_line(&s->text, "welcome %u %u wire=%u", s->now, c->slot, c->wire);
    srv_add_text(&s->text, "name", c->name);
    srv_add_text(&s->text, "map", s->game->setup.map);
    srv_add(&s->text, " rate=%d", SRV_RATE);
    srv_tell(s, c, &s->text);
    srv_line(&s->text, "join %u %u wire=%u", s->now, c->slot, c->wire);
    srv_add_text(&s->text, "name", c->name);
    for (int i = 0; i < NAT_SLOTS; i++)
        if (s->slots[i] && s->slots[i] != c && !s->slots[i]->gone)
            srv_tell(s, s->slots[i], &s->text);
    srv_print(s, &s->text);
}

static void join_one(struct srv *s, struct srv_client *c)
{
    struct dh_err e = {.tick = s->now, .offset = DH_NOWHERE};
    int slot = free_slot(s);

    if (slot < 0) {
        srv_client_drop(s, c, "the server is full");
        return;
    }
    dh_buf_clear(&s->block);
    nat_spawn_block(s->game->world, (int)srv_random_below(&s->random, (uint32_t)nat_spawns(s->game->world)), &s->block);
    if (srv_game_join(s->game, s->now, (uint16_t)slot, s->wires + 1, c->name, &s->block, &e) < 0) {
        srv_client_drop(s, c, e.msg);
        return;
    }
    c->slot = (uint16_t)slot;
    c->wire = ++s->wires;
    c->live = true;
    s->slots[slot] = c;
    srv_queue_reset(&c->queue, s->now);
    if (s->rec.w && s->rec.opened)
        srv_recorder_join(&s->rec, s->now, c->slot, c->wire, c->name, &s->block);
    tell_join(s, c);
}

static void join_all(struct srv *s)
{
    for (int i = 0; i < SRV_CLIENTS; i++) {
        struct srv_client *c = &s->clients[i];
        if (c->used && c->wants && !c->live && !c->gone)
            join_one(s, c);
    }
}

/* ---- what they do ------------------------------------------------------------------------------------------------ */

static void give_inputs(struct srv *s)
{
    for (int i = 0; i < NAT_SLOTS; i++) {
        if (!s->slots[i])
            continue;
        struct nat_input in = srv_queue_take(&s->slots[i]->queue, s->set.hold_ticks);
        nat_give(s->game->world, i, &in);
    }
}

static void record_tick(struct srv *s)
{
    struct nat_input in;

    for (int i = 0; i < NAT_SLOTS; i++)
        if (nat_applied(s->game->world, i, &in))
            srv_recorder_input(&s->rec, s->now, (uint16_t)i, &in);
    srv_recorder_events(&s->rec, &s->events);
}

static int run_world(struct srv *s, struct dh_err *e)
{
    s->events.n = 0; /* the memory stays */
    return dh_world_native.tick(s->game->world, s->now, &s->events, e) < 0 ? -1 : 0;
}

static void tell_tick(struct srv *s, struct srv_client *c)
{
    static const char *const sources[] = {"received", "held", "neutral"};
    struct nat_input in;
    float position[3];

    if (c->gone || c->every == 0 || s->now % c->every != 0 || c->out.n - c->out_at > SRV_BACKLOG / 4)
        return;
    if (!nat_position(s->game->world, c->slot, position) || !nat_applied(s->game->world, c->slot, &in))
        return;
    srv_line(&s->text, "tick %u source=%s ready=%u", s->now, sources[in.source < 3 ? in.source : 2],
             srv_queue_ready(&c->queue));
    srv_add_vector(&s->text, "position", position);
    srv_tell(s, c, &s->text);
}

int srv_tick(struct srv *s, struct dh_err *e)
{
    if (s->now == UINT32_MAX)
        return dh_fail(e, DH_TROUBLE, "ticks have no more numbers");
    if (leave_all(s, e) < 0)
        return -1;
    join_all(s);
    if (s->rec.w && !s->rec.opened)
        srv_record_open(s);
    else if (s->rec.w)
        srv_recorder_checkpoint(&s->rec, s->game, s->now);
    give_inputs(s);
    if (run_world(s, e) < 0)
        return -1;
    if (s->rec.w)
        record_tick(s);
    s->now++;
    s->game->ran++;
    flush_record(s);
    for (int i = 0; i < NAT_SLOTS; i++)
        if (s->slots[i])
            tell_tick(s, s->slots[i]);
    return 0;
}
