/* SPDX-License-Identifier: ISC */
/*
 * plan.h - which fields of two sets of schemas meet, and which of those are compared.
 */
#ifndef DH_PLAN_H
#define DH_PLAN_H

#include "dh.h"

/* A comma list of `field` or `Type.field` (the state line's type is `state`; `Type.*` is all fields of a type) to look
 * at alone, or to leave out. Both may be given: then what is in only and not in ignore is compared. NULL: all, none. */
struct dh_filter {
    const char *only, *ignore;
};

/* Two fields of the same name and type. */
struct dh_meeting {
    int a, b; /* numbers in the schemas of either side */
};

/* The state line, or one entity type by its name. */
struct dh_plan_type {
    const char *name;                /* NULL: the state line */
    const struct dh_schema *sa, *sb; /* NULL: that side does not know it (of the state line: it has none) */
    int a, b;                        /* type numbers, -1 */
    struct dh_meeting *fields;       /* the ones that are compared */
    int nfields;
    bool present; /* whether an entity of this type without a partner is a difference */
    bool alike;   /* both sides know it and have the same fields in the same order */
    bool whole;   /* alike, and all of them are compared */
    bool floats;  /* some compared field can hold a NaN */
    bool refs;    /* some compared field is a reference */
};

/* How the states of one kind on side a compare to those of another (or the same) kind on side b. */
struct dh_plan {
    const struct dh_schemas *a, *b;
    struct dh_plan_type state;
    struct dh_plan_type *types; /* sorted by name */
    int ntypes;
    int *of_a, *of_b;   /* type number -> index into types; -1: not a type for records of this kind */
    bool same_numbers;  /* types have the same numbers on both sides, so references are equal where their bytes are */
    bool bytes;         /* two states are equal where their bytes are, whatever is filtered */
    bool everything;    /* nothing is left out: both sides have the same schemas and there is no filter */
    long compared, all; /* fields: how many are compared, and how many there are on either side */
};

/* 0; -1 with e filled: out of memory, or a filter names a field that neither side has. */
int dh_plan_make(struct dh_plan *p, const struct dh_schemas *a, int kind_a, const struct dh_schemas *b, int kind_b,
                 const struct dh_filter *filter, struct dh_err *e);
void dh_plan_free(struct dh_plan *p);

#endif
