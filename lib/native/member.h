/* SPDX-License-Identifier: ISC */
/*
 * member.h - the one list of what is state: add a line in member.c, and schemas, snapshots, joins and restoring follow.
 */
#ifndef NAT_MEMBER_H
#define NAT_MEMBER_H

#include "inner.h"

/* The world's entity types, in the order of their numbers and of a snapshot. */
enum entity { ENT_PAWN, ENT_DOOR, ENT_PLATE, ENT_PROP, ENT_KINDS };

struct member {
    const char *name;
    uint16_t offset;
    uint8_t type; /* enum dh_type */
};

struct members {
    const char *subject; /* of the schema record */
    const char *fields;  /* its fields */
    const struct member *m;
    int n;
};

extern const struct members nat_input_members, nat_join_members, nat_members[ENT_KINDS];

/* Append the values of the structure at base. */
void nat_members_put(struct dh_buf *b, const struct members *t, const void *base);

/* Set the structure's members from a block that has them all, by name and type, in whatever order. -1 with e filled: it
 * does not, or a number is none; what says whose block it is. */
int nat_members_get(const struct members *t, void *base, const struct dh_schema *s, const uint8_t *block, size_t n,
                    const char *what, struct dh_err *e);

/* The first member in which two structures differ by a bit, NULL: none. */
const struct member *nat_members_differ(const struct members *t, const void *a, const void *b);

#endif
