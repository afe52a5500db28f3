/* SPDX-License-Identifier: ISC */
#include "order.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 65536, RANK_CHECKPOINT = 4, RANK_SNAPSHOT };

/* The place of a kind within its tick; 0: it has none. */
static const int ranks[DH_KINDS] = {
    [DH_EVENT] = 1, [DH_LEAVE] = 2, [DH_JOIN] = 3, [DH_CHECKPOINT] = RANK_CHECKPOINT, [DH_SNAPSHOT] = RANK_SNAPSHOT,
    [DH_LOG] = 6,   [DH_INPUT] = 7,
};

/* Zeroed anew each time: most slots are never looked at, and the system's own zeros cost nothing until they are. */
int dh_order_begin(struct dh_order *o)
{
    free(o->seen);
    *o = (struct dh_order){.seen = calloc(SLOTS, sizeof *o->seen)};
    return o->seen ? 0 : -1;
}

void dh_order_free(struct dh_order *o)
{
    free(o->seen);
    o->seen = NULL;
}

static int check_tick(struct dh_order *o, const struct dh_record *r, struct dh_err *e)
{
    const char *name = dh_kind_name(r->kind);
    int rank = ranks[r->kind];

    if (r->tick < o->start)
        return dh_fail(e, DH_TROUBLE, "%s at tick %lu, before the header's start %lu", name, (unsigned long)r->tick,
                       (unsigned long)o->start);
    if (o->ticked && r->tick < o->tick)
        return dh_fail(e, DH_TROUBLE, "%s at tick %lu after a record at tick %lu: ticks never decrease", name,
                       (unsigned long)r->tick, (unsigned long)o->tick);
    if (!o->ticked || r->tick > o->tick) {
        o->ticked = true;
        o->tick = r->tick;
        o->turn++;
    } else if (rank < o->rank)
        return dh_fail(e, DH_TROUBLE,
                       "%s out of order: within a tick come event, leave, join, checkpoint, snapshot, log, input",
                       name);
    else if (rank == o->rank && (rank == RANK_CHECKPOINT || rank == RANK_SNAPSHOT))
        return dh_fail(e, DH_TROUBLE, "a second %s at tick %lu", name, (unsigned long)r->tick);
    o->rank = rank;

    if (r->kind == DH_INPUT) {
        if (o->seen[r->slot] == o->turn)
            return dh_fail(e, DH_TROUBLE, "a second input of slot %d at tick %lu", r->slot, (unsigned long)r->tick);
        o->seen[r->slot] = o->turn;
    }
    return 0;
}

int dh_order_check(struct dh_order *o, const struct dh_record *r, struct dh_err *e)
{
    if (r->kind == DH_RAW) /* says nothing about itself, so nothing can be asked of it */
        return 0;
    if (r->kind == DH_SCHEMA)
        return o->headed ? dh_fail(e, DH_TROUBLE, "a schema after the header: schemas come first") : 0;
    if (r->kind == DH_HEADER) {
        if (o->headed)
            return dh_fail(e, DH_TROUBLE, "a second header");
        o->headed = true;
        o->start = r->u.header.start;
        return 0;
    }
    if (!o->headed)
        return dh_fail(e, DH_TROUBLE, "%s before the header", dh_kind_name(r->kind));
    if (r->kind == DH_END && r->tick < o->start)
        return dh_fail(e, DH_TROUBLE, "end at tick %lu, before the header's start %lu", (unsigned long)r->tick,
                       (unsigned long)o->start);
    /* An end has a tick but no place: inputs of a last tick that was never run may lie at or after it. */
    return ranks[r->kind] ? check_tick(o, r, e) : 0;
}
