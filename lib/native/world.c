/* SPDX-License-Identifier: ISC */
/* world.c - the dh world's door: map and rules in, joins and inputs in, events and states out. */
#include <stdlib.h>

#include "member.h"

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static int schemas(struct dh_schemas *s, struct dh_err *e)
{
    for (int i = 0; i < ENT_KINDS; i++)
        if (dh_schemas_add(s, nat_members[i].subject, nat_members[i].fields, e) < 0)
            return -1;
    return 0;
}

static void close_world(struct dh_world *w)
{
    if (!w)
        return;
    nat_log_free(w);
    nat_tree_free(&w->tree);
    nat_rules_free(&w->rules);
    nat_map_free(&w->map);
    free(w->bodies);
    free(w->movers);
    free(w->near);
    free(w->put_back);
    free(w->doors);
    free(w->plates);
    free(w->props);
    free(w->spawns);
    free(w);
}

static int allocate(struct dh_world *w, struct dh_err *e)
{
    size_t all = (size_t)w->map.nobjects + 1;
    const int *count = w->map.count;

    w->bodies = calloc(all, sizeof *w->bodies);
    w->near = calloc(all, sizeof *w->near);
    w->movers = calloc((size_t)count[OBJ_DOOR] + (size_t)count[OBJ_PROP] + 1, sizeof *w->movers);
    w->doors = calloc((size_t)count[OBJ_DOOR] + 1, sizeof *w->doors);
    w->plates = calloc((size_t)count[OBJ_PLATE] + 1, sizeof *w->plates);
    w->props = calloc((size_t)count[OBJ_PROP] + 1, sizeof *w->props);
    w->put_back = calloc((size_t)count[OBJ_PROP] + 1, sizeof *w->put_back);
    w->spawns = calloc((size_t)count[OBJ_SPAWN] + 1, sizeof *w->spawns);
    if (w->bodies && w->near && w->movers && w->doors && w->plates && w->props && w->put_back && w->spawns)
        return 0;
    return dh_fail(e, DH_TROUBLE, "out of memory for the map");
}

static void make_plate(struct dh_world *w, int i)
{
    const struct object *o = &w->map.objects[i];
    struct plate *p = &w->plates[w->nplates];

    p->body = i;
    p->box = w->bodies[i].box;
    p->bounds = nat_box_bounds(&p->box);
    p->door = o->target; /* the door's object; its number as a door follows when all doors are there */
    w->bodies[i].part = w->nplates++;
}

static void make(struct dh_world *w, int i)
{
    const struct object *o = &w->map.objects[i];
    struct body *b = &w->bodies[i];

    b->kind = o->kind;
    b->grip = o->surface < 0 ? 1.0f : w->rules.grip[o->surface];
    b->box.center = o->center;
    b->box.half = o->half;
    nat_quat_axes(o->rotation, b->box.axis);
    nat_body_moved(b);
    switch (o->kind) {
    case OBJ_SPAWN:
        w->spawns[w->nspawns++] = i;
        break;
    case OBJ_DOOR:
        w->movers[w->nmovers++] = i;
        nat_door_init(w, &w->doors[w->ndoors], i);
        b->part = w->ndoors++;
        break;
    case OBJ_PLATE:
        make_plate(w, i);
        break;
    case OBJ_PROP:
        w->movers[w->nmovers++] = i;
        w->props[w->nprops] = (struct prop){.body = i, .position = o->center, .ground_body = NOBODY};
        b->part = w->nprops++;
        break;
    }
}

static int make_tree(struct dh_world *w, struct dh_err *e)
{
    size_t all = (size_t)w->map.nobjects + 1;
    int *numbers = calloc(all, sizeof *numbers), n = 0, rc = -1;
    struct bounds *bounds = calloc(all, sizeof *bounds);

    for (int i = 0; numbers && bounds && i < w->map.nobjects; i++)
        if (w->bodies[i].kind == OBJ_BOX) {
            bounds[n] = w->bodies[i].bounds;
            numbers[n++] = i;
        }
    if (numbers && bounds)
        rc = nat_tree_build(&w->tree, numbers, bounds, n);
    free(numbers);
    free(bounds);
    return rc < 0 ? dh_fail(e, DH_TROUBLE, "out of memory for the map") : 0;
}

static int open_world(struct dh_world **out, const struct dh_world_args *a, const char **map, struct dh_err *e)
{
    struct dh_world *w = calloc(1, sizeof *w);

    if (!w)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    w->schemas = a->schemas;
    if (!(a->header->rate >= 1.0 && a->header->rate <= 1000.0)) {
        dh_fail(e, DH_TROUBLE, "header: rate: expected 1 to 1000 ticks a second");
        goto fail;
    }
    if (nat_map_load(&w->map, a->files, a->nfiles, a->header->barcode, e) < 0 ||
        nat_rules_read(&w->rules, &w->map, a, e) < 0 || allocate(w, e) < 0)
        goto fail;
    w->dt = (float)(1.0 / a->header->rate) * w->rules.time_scale;
    for (int i = 0; i < w->map.nobjects; i++)
        make(w, i);
    for (int i = 0; i < w->nplates; i++) {
        w->plates[i].door = w->bodies[w->plates[i].door].part;
        w->doors[w->plates[i].door].has_plates = true;
    }
    if (make_tree(w, e) < 0)
        goto fail;
    *map = w->map.name;
    *out = w;
    return 0;
fail:
    close_world(w);
    return -1;
}

/* ---- what happens at a tick -------------------------------------------------------------------------------------- */

static int leave(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    if (r->slot >= NAT_SLOTS || !w->pawns[r->slot].live)
        return dh_fail(e, DH_TROUBLE, "leave of slot %u, which has not joined", r->slot);
    w->pawns[r->slot].live = false;
    return 0;
}

static int input(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    struct nat_input in;

    nat_read_input(w->schemas, r, &in);
    if (nat_give(w, r->slot, &in) < 0)
        return dh_fail(e, DH_TROUBLE, "input of slot %u, which has not joined", r->slot);
    return 0;
}

struct dh_buf *nat_event(struct dh_world *w, const char *what, int slot)
{
    struct dh_buf *b = w->events ? dh_world_event(w->events) : NULL;

    if (b)
        dh_build_event(b, w->tick + 1, what, (uint16_t)slot);
    return b;
}

/* Doors go first: they carry and push, and who moves after them moves around them. */
static int tick(struct dh_world *w, uint32_t t, struct dh_world_events *ev, struct dh_err *e)
{
    (void)e;
    w->tick = t;
    w->events = ev;
    for (int i = 0; i < w->ndoors; i++)
        nat_door_tick(w, &w->doors[i]);
    for (int i = 0; i < NAT_SLOTS; i++)
        if (w->pawns[i].live)
            nat_pawn_tick(w, &w->pawns[i]);
    for (int i = 0; i < w->nprops; i++)
        nat_prop_tick(w, &w->props[i]);
    for (int i = 0; i < w->nplates; i++)
        nat_plate_tick(w, &w->plates[i]);
    w->events = NULL;
    return 0;
}

static int snapshot(struct dh_world *w, uint32_t t, int first_type, struct dh_state *st, struct dh_err *e)
{
    (void)t;
    return nat_snapshot(w, first_type, st) < 0 ? dh_fail(e, DH_TROUBLE, "out of memory for a state") : 0;
}

const struct dh_world_ops dh_world_native = {
    .game = NAT_GAME,
    .rate = NAT_RATE,
    .schemas = schemas,
    .open = open_world,
    .join = nat_pawn_join,
    .leave = leave,
    .input = input,
    .tick = tick,
    .snapshot = snapshot,
    .restore = nat_restore,
    .log_topics = nat_log_topics,
    .log = nat_log,
    .close = close_world,
};
