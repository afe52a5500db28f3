/* SPDX-License-Identifier: ISC */
/*
 * savelines: the state in an engine's savegame and the state in a replay's snapshot, as the same lines.
 *
 * kinds.c has the one table of what is compared: a savegame's fields in the order of the file, under the names that the
 * snapshots give them. save.c reads rows out of a savegame by it, address.c tells whom a savegame's pointers mean,
 * stream.c reads rows out of a snapshot; wad.c knows the map as loaded and the names of textures.
 */
#ifndef SAVELINES_H
#define SAVELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void *allocate(size_t n, size_t size); /* zeroed; never NULL */

/* ---- wad.c: several files as one directory, of equal names the last counts ---- */

struct bytes {
    const uint8_t *p;
    size_t n;
};

void wad_add(const char *file);
bool wad_has(const char *name);
/* Lump number `after` (0 to 10) behind a map's marker. */
struct bytes wad_map_lump(const char *map, int after);
const char *wad_flat_name(int number);          /* of a savegame; "?" for none */
const char *wad_wall_name(int number);          /* "-" for 0, as no texture is told from the first one */
const char *wad_wall_name_of(const char *name); /* the same for a name of up to 8 bytes in a map */

enum { MAP_LINES = 2, MAP_SIDES = 3, MAP_SECTORS = 8 };

int le16(const uint8_t *p); /* signed */
int32_t le32(const uint8_t *p);

/* ---- kinds.c ---- */

enum wire {
    JUNK, /* so many bytes of no interest: of the host, or derived */
    S32,
    S16,
    HEX,   /* 32 bits */
    TRUTH, /* 32 bits, any but 0 is true */
    WHOLE, /* 16 bits in the savegame; fixed in a snapshot, of which the savegame drops the fraction */
    FLAT,  /* 16 bits: a flat's number; its name */
    WALL,  /* 16 bits: a wall texture's number; its name */
    MOBJ,  /* a pointer; the place in the list of mobjs */
    SLOT   /* 32 bits: a player's number from 1, 0 is none; from 0, -1 is none */
};

struct field {
    const char *name; /* NULL for junk */
    enum wire wire;
    int size; /* bytes of junk */
};

struct kind {
    const char *name; /* the snapshots' entity type; "mobj" stands for all things */
    const struct field *fields;
    int n;
};

enum { PLAYER, SECTOR, LINE, SIDE, THING, SPECIALS, CEILING = SPECIALS, DOOR, FLOOR, PLAT, FLASH, STROBE, GLOW, KINDS };
extern const struct kind kinds[KINDS];

enum { NOBODY = -1, GONE = -2 }; /* for a place in the list of mobjs */

/* One line in the making: a value for each of its kind's fields. */
enum { MAX_FIELDS = 96 };
struct row {
    int kind;
    union value {
        int32_t n;
        char name[12];
    } v[MAX_FIELDS];
};

int kind_size(int kind); /* bytes in a savegame */
/* Print a row, what the engine may have left uninitialised shown as `*`. */
void row_print(struct row *r, long index);

/* ---- the two readers ---- */

/* One savegame, to standard output. */
void save_print(const char *file);

/* Of the stream on standard input, the snapshots at n ticks (ascending): to standard output, or each to folder/TICK.
 * One line alone where a savegame at that tick cannot be compared: `unsaved` (the engine writes none) or `late` (one of
 * a later moment). */
void stream_print(const long *ticks, int n, const char *folder);

/* ---- address.c ---- */

/* What a savegame has of a thinker's links. Those of the sector and block lists are 0 for what is no mobj. */
struct links {
    uint32_t self;    /* its own address once that is known, else 0 */
    uint32_t prev[3]; /* thinker, sector, block list */
    uint32_t next[3];
};

/* Find the addresses of the first n of all thinkers, which are the mobjs in list order; the others are the specials. */
void addresses_find(struct links *l, int n, int all);
/* The place of the mobj at an address: NOBODY for 0, GONE when it is none of the list. */
int address_place(const struct links *l, int n, uint32_t address);

/* "E1M1" or "MAP01", by what the WADs have. */
void map_name(char out[16], int episode, int map);

#endif
