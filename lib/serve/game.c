/* SPDX-License-Identifier: ISC */
#include "game.h"

#include <stdlib.h>
#include <string.h>

#ifndef DH_VERSION
#define DH_VERSION "unknown"
#endif

static struct dh_str str(const char *s)
{
    return (struct dh_str){s, strlen(s)};
}

static int load(struct srv_game *g, const struct dh_pallets *pallets, const char *name, const char *const *rules,
                uint32_t start, struct dh_err *e)
{
    const struct dh_world_ops *ops = &dh_world_native;
    const char *map = NULL;

    if (dh_pallets_map(pallets, name, g->barcode, e) < 0 ||
        dh_pallets_load(pallets, str(g->barcode), &g->content, e) < 0 ||
        nat_setup_init(&g->setup, g->content.files, g->content.n, str(g->barcode), rules, e) < 0)
        return -1;
    g->schemas = nat_schemas_new(&g->setup, e);
    if (!g->schemas)
        return -1;
    g->header = (struct dh_header){
        .game = str(NAT_GAME),
        .map = str(g->setup.map),
        .barcode = str(g->barcode),
        .closure = str(g->content.closure),
        .engine = str("dhserve " DH_VERSION),
        .git = str(""),
        .rate = NAT_RATE,
        .start = start,
        .fresh = 1,
        .rules = g->setup.rules.p,
        .rules_n = g->setup.rules.n,
    };
    struct dh_world_args args = {
        .header = &g->header, .schemas = g->schemas, .files = g->content.files, .nfiles = g->content.n};
    return ops->open(&g->world, &args, &map, e);
}

int srv_game_load(struct srv_game *g, const struct dh_pallets *pallets, const char *name, const char *const *rules,
                  uint32_t start, struct dh_err *e)
{
    memset(g, 0, sizeof *g);
    if (load(g, pallets, name, rules, start, e) == 0)
        return 0;
    g->world = NULL;
    srv_game_free(g);
    return -1;
}

void srv_game_free(struct srv_game *g)
{
    if (g->world)
        dh_world_native.close(g->world);
    dh_schemas_free(g->schemas);
    nat_setup_free(&g->setup);
    dh_content_free(&g->content);
    memset(g, 0, sizeof *g);
}

/* The world takes what a replay will read: the record, decoded. */
static int decoded(const struct srv_game *g, int kind, const struct dh_buf *payload, struct dh_record *r,
                   struct dh_err *e)
{
    if (payload->failed)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    if (dh_decode(g->schemas, (uint8_t)kind, payload->p, payload->n, r, e) < 0)
        return -1;
    return r->kind == kind ? 0 : dh_fail(e, DH_TROUBLE, "%s: not what its schema says", dh_kind_name(kind));
}

int srv_game_join(struct srv_game *g, uint32_t tick, uint16_t slot, uint32_t wire, const char *name,
                  const struct dh_buf *block, struct dh_err *e)
{
    struct dh_buf payload = {0};
    struct dh_record r;

    dh_build_join(&payload, tick, slot, wire, str(name), block->p, block->n);
    payload.failed |= block->failed;
    int rc = decoded(g, DH_JOIN, &payload, &r, e);
    if (rc == 0)
        rc = dh_world_native.join(g->world, &r, e);
    dh_buf_free(&payload);
    return rc;
}

int srv_game_leave(struct srv_game *g, uint32_t tick, uint16_t slot, struct dh_err *e)
{
    struct dh_buf payload = {0};
    struct dh_record r;

    dh_build_leave(&payload, tick, slot);
    int rc = decoded(g, DH_LEAVE, &payload, &r, e);
    if (rc == 0)
        rc = dh_world_native.leave(g->world, &r, e);
    dh_buf_free(&payload);
    return rc;
}
