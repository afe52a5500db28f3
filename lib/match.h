/* SPDX-License-Identifier: ISC */
/*
 * match.h - which entity of one state is which of another.
 */
#ifndef DH_MATCH_H
#define DH_MATCH_H

#include "plan.h"

/* An entity of one side. */
struct dh_matched {
    struct dh_entity entity;
    int type;       /* in the plan; -1: a type that is not compared */
    uint64_t key;   /* its id, or its place among those of its type */
    size_t seq;     /* its place in the state */
    size_t partner; /* place on the other side, or DH_ALONE */
};

#define DH_ALONE SIZE_MAX

struct dh_match {
    struct dh_matched *a, *b; /* in the order of the states */
    size_t na, nb, cap_a, cap_b;
    uint64_t *places; /* scratch: per plan type */
    struct dh_matched **sorted_a, **sorted_b;
    struct dh_matched **ids_a, **ids_b; /* by type and id, for dh_match_place; made when first asked for */
    size_t cap_sorted_a, cap_sorted_b;
};

/* Pair the entities of two states from where the cursors stand. -1: out of memory. */
int dh_match(struct dh_match *m, const struct dh_plan *p, struct dh_cur a, struct dh_cur b, bool by_order);

/* The place among those of its type of the entity that a reference points at (side 0 is a; plan type and id), false if
 * there is none. Only after dh_match with by_order over whole states. *oom is set without memory. */
bool dh_match_place(struct dh_match *m, int side, int type, uint64_t id, uint64_t *place, bool *oom);

void dh_match_free(struct dh_match *m);

#endif
