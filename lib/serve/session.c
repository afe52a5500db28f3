/* SPDX-License-Identifier: ISC */
/* Maps and recordings: their beginning and their end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

/* ---- recordings -------------------------------------------------------------------------------------------------- */

static void tell_demo(struct srv *s, const char *what)
{
    const struct srv_recorder *r = &s->rec;

    srv_line(&s->text, "demo %s %u ticks=%llu checkpoints=%llu bytes=%llu", what, s->now, (unsigned long long)r->ticks,
             (unsigned long long)r->checkpoints, (unsigned long long)r->good);
    srv_add_text(&s->text, "path", r->path);
    srv_print(s, &s->text);
}

int srv_record(struct srv *s, const char *name, struct dh_err *e)
{
    char path[SRV_PATH_MAX];

    if (s->rec.w)
        return dh_fail(e, DH_TROUBLE, "there is a recording already: %s", s->rec.path);
    if (!s->game) {
        snprintf(s->armed_name, sizeof s->armed_name, "%s", name ? name : "");
        s->armed = true;
        srv_line(&s->text, "demo armed");
        srv_print(s, &s->text);
        return 0;
    }
    int fd = srv_folder_create(name, s->game->setup.map, path, e);
    if (fd < 0)
        return -1;
    if (srv_recorder_begin(&s->rec, s->game, s->now, s->set.checkpoint_ticks, fd, path, e) < 0) {
        unlink(path); /* it was made a moment ago, and there is nothing in it */
        return -1;
    }
    tell_demo(s, "started");
    return 0;
}

void srv_record_open(struct srv *s)
{
    for (int i = 0; i < NAT_SLOTS; i++) {
        struct srv_client *c = s->slots[i];
        if (!c)
            continue;
        dh_buf_clear(&s->block);
        nat_join_block(s->game->world, i, &s->block);
        srv_recorder_join(&s->rec, s->now, c->slot, c->wire, c->name, &s->block);
    }
    srv_recorder_open(&s->rec, s->game, s->now);
}

int srv_record_end(struct srv *s, int reason, struct dh_err *e)
{
    if (!s->rec.w)
        return 0;
    if (!s->rec.opened)
        srv_record_open(s);
    int rc = srv_recorder_end(&s->rec, s->game, s->now, reason, e);
    tell_demo(s, rc < 0 ? "lost" : "stopped");
    return rc;
}

void srv_record_lost(struct srv *s, const struct dh_err *e)
{
    struct dh_err told = *e;
    size_t n = strlen(told.msg);

    snprintf(told.msg + n, sizeof told.msg - n, "; the recording ends here, at its last whole chunk");
    s->o.warn(s->o.ctx, s->rec.path, &told);
    tell_demo(s, "lost");
}

/* ---- maps -------------------------------------------------------------------------------------------------------- */

/* Who was on the old map joins the new one at its first tick. */
static void put_back(struct srv *s)
{
    for (int i = 0; i < NAT_SLOTS; i++) {
        struct srv_client *c = s->slots[i];
        s->slots[i] = NULL;
        if (!c)
            continue;
        c->live = false;
        if (c->gone)
            srv_client_free(c);
    }
}

static void tell_map(struct srv *s)
{
    srv_line(&s->text, "map %u", s->now);
    srv_add_text(&s->text, "name", s->game->setup.map);
    srv_add_text(&s->text, "barcode", s->game->barcode);
    srv_announce(s, &s->text);
}

/* Nobody can come before there is a map, so the socket waits for the first one. */
static int open_socket(struct srv *s, struct dh_err *e)
{
    if (s->listener >= 0 || (s->o.lockstep && !s->o.socket))
        return 0;
    s->broken = true;
    if (!s->o.socket)
        return dh_fail(e, DH_TROUBLE, "no place for the socket: neither --socket nor XDG_RUNTIME_DIR says one");
    if (srv_socket_open(s, e) < 0)
        return -1;
    s->broken = false;
    return 0;
}

static int use(struct srv *s, struct srv_game *next, struct dh_err *e)
{
    struct srv_game *old = s->game;

    s->game = next;
    srv_clock_start(&s->clock, s->time);
    tell_map(s);
    put_back(s);
    if (old)
        srv_game_free(old);
    free(old);
    if (open_socket(s, e) < 0)
        return -1;
    if (!s->armed)
        return 0;
    s->armed = false;
    return srv_record(s, s->armed_name, e);
}

int srv_map(struct srv *s, const char *name, struct dh_err *e)
{
    struct srv_game *next = malloc(sizeof *next);
    struct dh_err lost = {.tick = s->now, .offset = DH_NOWHERE};

    if (!next)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    /* The old map stays until the new one is known to be good. */
    if (srv_game_load(next, s->pallets, name, s->o.rules, s->now, e) < 0) {
        free(next);
        return -1;
    }
    if (srv_record_end(s, DH_MAP_SWITCH, &lost) < 0)
        s->o.warn(s->o.ctx, s->rec.path, &lost);
    return use(s, next, e);
}
