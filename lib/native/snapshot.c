/* SPDX-License-Identifier: ISC */
/* snapshot.c - the whole state of a world out of it and into it. */
#include <stdio.h>
#include <stdlib.h>

#include "member.h"

/* ---- out --------------------------------------------------------------------------------------------------------- */

static void put(struct dh_state *st, int first_type, enum entity kind, uint64_t id, const void *base)
{
    dh_state_entity(st, first_type + (int)kind, id);
    nat_members_put(&st->body, &nat_members[kind], base);
}

static int by_wire(const void *a, const void *b)
{
    const struct pawn *x = *(const struct pawn *const *)a, *y = *(const struct pawn *const *)b;

    return (x->wire > y->wire) - (x->wire < y->wire);
}

static void put_pawns(const struct dh_world *w, int first_type, struct dh_state *st)
{
    const struct pawn *live[NAT_SLOTS] = {NULL};
    size_t n = 0;

    for (int i = 0; i < NAT_SLOTS; i++)
        if (w->pawns[i].live)
            live[n++] = &w->pawns[i];
    qsort(live, n, sizeof *live, by_wire);
    for (size_t i = 0; i < n; i++)
        put(st, first_type, ENT_PAWN, live[i]->wire, live[i]);
}

int nat_snapshot(struct dh_world *w, int first_type, struct dh_state *st)
{
    put_pawns(w, first_type, st);
    for (int i = 0; i < w->ndoors; i++)
        put(st, first_type, ENT_DOOR, (uint64_t)w->doors[i].body, &w->doors[i]);
    for (int i = 0; i < w->nplates; i++)
        put(st, first_type, ENT_PLATE, (uint64_t)w->plates[i].body, &w->plates[i]);
    for (int i = 0; i < w->nprops; i++)
        put(st, first_type, ENT_PROP, (uint64_t)w->props[i].body, &w->props[i]);
    return st->head.failed || st->body.failed ? -1 : 0;
}

/* ---- in ---------------------------------------------------------------------------------------------------------- */

static bool is_body(const struct dh_world *w, int32_t i)
{
    return i >= 0 && i < w->map.nobjects && w->map.objects[i].kind != OBJ_SPAWN && w->map.objects[i].kind != OBJ_PLATE;
}

/* What the tick relies on; everything else may be any number. */
static int check_pawn(const struct dh_world *w, const struct pawn *p, const char *what, struct dh_err *e)
{
    if (!(p->height >= 2.0f * w->rules.radius && p->height <= 100.0f))
        return dh_fail(e, DH_TROUBLE, "%s: height: expected twice the rule radius or more", what);
    if (p->ground_body != NOBODY && !is_body(w, p->ground_body))
        return dh_fail(e, DH_TROUBLE, "%s: groundBody: the map has no body %ld", what, (long)p->ground_body);
    if ((p->flags & GROUNDED) && p->ground_body == NOBODY)
        return dh_fail(e, DH_TROUBLE, "%s: grounded, and groundBody is none", what);
    return 0;
}

static struct pawn *find_wire(struct dh_world *w, uint64_t wire)
{
    for (int i = 0; i < NAT_SLOTS; i++)
        if (w->pawns[i].live && w->pawns[i].wire == wire)
            return &w->pawns[i];
    return NULL;
}

int nat_pawn_join(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    char what[32];

    snprintf(what, sizeof what, "join of slot %u", r->slot);
    if (r->slot >= NAT_SLOTS)
        return dh_fail(e, DH_TROUBLE, "%s: expected a slot from 0 to %d", what, NAT_SLOTS - 1);
    struct pawn p = {.wire = r->u.join.wire, .slot = r->slot}, *pawn = &w->pawns[r->slot];
    if (pawn->live)
        return dh_fail(e, DH_TROUBLE, "%s: it has joined already", what);
    if (find_wire(w, p.wire))
        return dh_fail(e, DH_TROUBLE, "%s: another player has the wire id %lu", what, (unsigned long)p.wire);
    if (nat_members_get(&nat_join_members, &p, w->schemas->join, r->block, r->block_n, what, e) < 0 ||
        check_pawn(w, &p, what, e) < 0)
        return -1;
    p.live = true;
    *pawn = p;
    return 0;
}

struct restoring {
    struct dh_world *w;
    uint64_t pawns; /* slots that were there */
    uint8_t *seen;  /* by body index */
    char what[48];
    struct dh_err *e;
};

/* A pawn is what its join says; where the checkpoint says otherwise, one of them is not what was recorded. */
static int restore_pawn(struct restoring *s, const struct dh_entity *en, const struct dh_schema *schema)
{
    struct pawn p = {0}, *joined = find_wire(s->w, en->id);

    if (!joined)
        return dh_fail(s->e, DH_TROUBLE, "%s: in the checkpoint, and without a join", s->what);
    if (nat_members_get(&nat_members[ENT_PAWN], &p, schema, en->block, en->n, s->what, s->e) < 0)
        return -1;
    const struct member *m = nat_members_differ(&nat_members[ENT_PAWN], joined, &p);
    if (m)
        return dh_fail(s->e, DH_TROUBLE, "%s: %s: the checkpoint to start from and the join say different things",
                       s->what, m->name);
    s->pawns |= UINT64_C(1) << joined->slot;
    return 0;
}

static int restore_door(struct restoring *s, struct door *d, const struct dh_entity *en, const struct dh_schema *schema)
{
    struct door got = *d;

    if (nat_members_get(&nat_members[ENT_DOOR], &got, schema, en->block, en->n, s->what, s->e) < 0)
        return -1;
    if (!(got.phase >= 0.0f && got.phase <= 1.0f) || got.state > DOOR_CLOSING || got.direction < -1 ||
        got.direction > 1)
        return dh_fail(s->e, DH_TROUBLE, "%s: phase, state or direction: out of range", s->what);
    *d = got;
    nat_door_place(s->w, d);
    const struct member *m = nat_members_differ(&nat_members[ENT_DOOR], &got, d);
    if (m)
        return dh_fail(s->e, DH_TROUBLE, "%s: %s: not what follows from its phase in the checkpoint to start from",
                       s->what, m->name);
    return 0;
}

static int restore_prop(struct restoring *s, struct prop *p, const struct dh_entity *en, const struct dh_schema *schema)
{
    struct prop got = *p;

    if (nat_members_get(&nat_members[ENT_PROP], &got, schema, en->block, en->n, s->what, s->e) < 0)
        return -1;
    if ((got.ground_body != NOBODY && !is_body(s->w, got.ground_body)) || (got.resting && got.ground_body == NOBODY) ||
        got.resting > 1)
        return dh_fail(s->e, DH_TROUBLE, "%s: groundBody or resting: out of range", s->what);
    *p = got;
    nat_prop_place(s->w, p);
    return 0;
}

static int restore_object(struct restoring *s, int kind, const struct dh_entity *en, const struct dh_schema *schema)
{
    static const uint8_t objects[ENT_KINDS] = {[ENT_DOOR] = OBJ_DOOR, [ENT_PLATE] = OBJ_PLATE, [ENT_PROP] = OBJ_PROP};
    struct dh_world *w = s->w;

    if (en->id >= (uint64_t)w->map.nobjects || w->map.objects[en->id].kind != objects[kind])
        return dh_fail(s->e, DH_TROUBLE, "%s: in the checkpoint, and not in the map", s->what);
    if (s->seen[en->id]++)
        return dh_fail(s->e, DH_TROUBLE, "%s: in the checkpoint twice", s->what);
    int part = w->bodies[en->id].part;
    if (kind == ENT_DOOR)
        return restore_door(s, &w->doors[part], en, schema);
    if (kind == ENT_PROP)
        return restore_prop(s, &w->props[part], en, schema);
    return nat_members_get(&nat_members[ENT_PLATE], &w->plates[part], schema, en->block, en->n, s->what, s->e);
}

static int restore_entities(struct restoring *s, const struct dh_record *r)
{
    const struct dh_schemas *schemas = s->w->schemas;
    struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);

    for (struct dh_entity en; dh_entity_next(schemas, &c, &en);) {
        const struct dh_etype *type = &schemas->types[en.type];
        int kind = 0;
        while (kind < ENT_KINDS && strcmp(type->name, nat_members[kind].subject) != 0)
            kind++;
        snprintf(s->what, sizeof s->what, "%.20s@%llu", type->name, (unsigned long long)en.id);
        if (kind == ENT_KINDS)
            return dh_fail(s->e, DH_TROUBLE, "%s: this world has no such entities", s->what);
        int rc = kind == ENT_PAWN ? restore_pawn(s, &en, type->schema) : restore_object(s, kind, &en, type->schema);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int check_all_there(struct restoring *s)
{
    struct dh_world *w = s->w;

    for (int i = 0; i < NAT_SLOTS; i++)
        if (w->pawns[i].live && !(s->pawns >> i & 1))
            return dh_fail(s->e, DH_TROUBLE, "PlayerPawn@%lu: joins, and is not in the checkpoint to start from",
                           (unsigned long)w->pawns[i].wire);
    for (int i = 0; i < w->map.nobjects; i++) {
        int kind = w->map.objects[i].kind;
        if ((kind == OBJ_DOOR || kind == OBJ_PLATE || kind == OBJ_PROP) && !s->seen[i])
            return dh_fail(s->e, DH_TROUBLE, "%s %d of the map: not in the checkpoint to start from",
                           nat_object_name(kind), i);
    }
    return 0;
}

int nat_restore(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    struct restoring s = {.w = w, .e = e, .seen = calloc((size_t)w->map.nobjects + 1, 1)};

    if (!s.seen)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    int rc = restore_entities(&s, r) < 0 ? -1 : check_all_there(&s);
    free(s.seen);
    return rc;
}
