/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * member.h - the one list that makes a snapshot, its schema and its restoring: which members of which structures are
 * state.
 *
 * Add a line to a table in member.c and all three follow; the encodings cannot drift apart.
 */
#ifndef DOOM_MEMBER_H
#define DOOM_MEMBER_H

#include "doom.h"

/* How a member is kept in memory. What it is on the wire is the dh_type beside it. */
enum store {
    ST_S32, /* int32_t, or anything of 32 bits */
    ST_S16,
    ST_U8,
    ST_BOOL,
    ST_MOBJ,   /* struct mobj *, as a ref */
    ST_PLAYER, /* struct player *, as its slot or -1 */
    ST_SECTOR, /* struct sector *, as its number */
    ST_SUBSECTOR,
    ST_LINE,  /* struct line *, as its number, -1 for none */
    ST_FLAT,  /* a flat's number, as its name */
    ST_WALL,  /* a wall texture's number, as its name */
    ST_CHARS, /* char[9], a name; it is not taken back when a state is restored */
};

struct member {
    const char *name;
    const char *names; /* "(a,b,c)" for an enum or flags type, else "" */
    uint16_t offset;
    uint8_t type; /* enum dh_type */
    uint8_t store;
};

/* What the world's entity types are besides the 137 things, numbered on from them. */
enum etype {
    ET_GAME = NTHINGTYPES,
    ET_PLAYER,
    ET_INTERMISSION,
    ET_FINALE,
    ET_BODYQUE,
    ET_ITEMQUE,
    ET_BUTTON,
    ET_BRAINTARGET,
    ET_PLAYERSTART,
    ET_BLOCKMAP,
    ET_BLOCKHEAD,
    ET_BLOCKPREV,
    ET_SECTOR,
    ET_LINE,
    ET_SIDE,
    ET_DOOR,
    ET_FLOOR,
    ET_CEILING,
    ET_PLAT,
    ET_FLICKER,
    ET_FLASH,
    ET_STROBE,
    ET_GLOW,
    ET_END
};

/* The members of an entity type (ET_*, or any thing type for a mobj), or of the state line (-1). */
const struct member *member_table(int etype, int *count);

/* The name of an entity type. */
const char *member_name(int etype);

/* Add the schemas of the state line and of all entity types to s. */
int member_schemas(struct dh_schemas *s, struct dh_err *e);

/* Append the members' values of the structure at base. first_type is added to entity type numbers in refs. */
void member_put(struct dh_buf *b, struct doom *d, int first_type, const struct member *m, int count, const void *base);

/* Set the members from a block of a recorded state. fields: for each member its number in schema s (see member_match).
 * A ref goes out through point(), for there may be nothing yet to point at. -1 with e filled where a value cannot be (a
 * sector that is not there). */
struct member_source {
    const struct dh_schema *s;
    const uint8_t *block;
    size_t n;
    const int *fields;
    void (*point)(void *ctx, struct mobj **at, uint64_t serial);
    void *ctx;
};
int member_get(struct doom *d, const struct member *m, int count, const struct member_source *src, void *base,
               struct dh_err *e);

/* The numbers of the members in a stream's schema; -1 with e filled where one is missing: such a state is not whole. */
int member_match(const struct member *m, int count, const struct dh_schema *s, const char *what, int *fields,
                 struct dh_err *e);

#define MEMBER_MAX 128 /* members of the longest table, for arrays */

#endif
