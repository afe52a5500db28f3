/* SPDX-License-Identifier: ISC */
/*
 * layout.h - how a dialect lays out its bytes: what a row of the table in dialect.c is made of.
 *
 * A header is a list of items, a command a list of parts. Both are read and written by the same lists (header.c,
 * command.c), so that a dialect is its row and nothing else.
 */
#ifndef LMP_LAYOUT_H
#define LMP_LAYOUT_H

#include "lmp/demo.h"

/* ---- the header -------------------------------------------------------------------------------------------------- */

/* How a value lies in the file. */
enum lmp_lie {
    LMP_LIE_END,
    LMP_LIE_U8,
    LMP_LIE_LE16,
    LMP_LIE_BE16,
    LMP_LIE_LE32,
    LMP_LIE_BE32,
    LMP_LIE_CHARS,   /* size bytes of text, padded with zeros */
    LMP_LIE_PSTR,    /* a byte with the length, then the text */
    LMP_LIE_BLOB,    /* size bytes */
    LMP_LIE_FIXED,   /* the same size bytes in every file: no field */
    LMP_LIE_DERIVED, /* no bytes: a field of the stream alone */
    LMP_LIE_REPEAT,  /* the next span items, size times, or as often as the field of that name says */
};

struct lmp_item {
    enum lmp_lie lie;
    const char *name; /* FIXED: the bytes */
    uint16_t size;
    uint8_t span;
    const char *const *names; /* REPEAT: the names of the first ones, to a NULL; the others are numbered */
    const char *when;         /* only where the lowest bit of that field is set */
    uint32_t since;           /* only from that version on: rule version * 256 + subversion */
};

/* ---- a command --------------------------------------------------------------------------------------------------- */

enum lmp_part {
    LMP_PART_END,
    LMP_PART_FORWARD,
    LMP_PART_SIDE,
    LMP_PART_TURN, /* the high byte, or both, low byte first */
    LMP_PART_BUTTONS,
    LMP_PART_LOOKFLY, /* low nibble look, high nibble fly, both signed */
    LMP_PART_ARTIFACT,
    LMP_PART_HEXEN_ARTIFACT, /* bits 0-5 the artifact, 6 suicide, 7 jump */
    LMP_PART_BUTTONS2,
    LMP_PART_INVENTORY,
    LMP_PART_ACTIONS,
    LMP_PART_LOOK8,
    LMP_PART_LOOK16,
    LMP_PART_FLY,
    LMP_PART_ITEM,
    LMP_PART_WEAPON_ID,
    LMP_PART_WEAPON_SLOT,
    LMP_PART_RANDOM,
    LMP_PART_DSDA, /* an action byte, and what its bits call for */
    LMP_PARTS
};

/* since, before: the versions that have it, as above; before 0 is no limit. */
struct lmp_place {
    enum lmp_part part;
    uint32_t since, before;
};

enum lmp_turns {
    LMP_TURNS_SHORT,
    LMP_TURNS_LONG,
    LMP_TURNS_PLAYER0,  /* long where player 1's byte has 0x10 */
    LMP_TURNS_ETERNITY, /* long from 333.50 on */
};

/* ---- a row ------------------------------------------------------------------------------------------------------- */

struct lmp_layout {
    uint8_t lo, hi;  /* the first byte */
    uint8_t at, len; /* a signature: len bytes at this place; 0: none */
    const char *signature;
    const char *family; /* whose game: doom, heretic, hexen, strife */
    const char *group;  /* dialects of one group say the same of a game, but for what one has no place for */
    const struct lmp_item *header;
    const struct lmp_item *after;    /* of a wrapper: what follows the header that it wraps */
    const char *join;                /* schema of what follows the header for each player: all i32; NULL: nothing */
    const struct lmp_place *command; /* of a wrapper: what is added to each */
    enum lmp_turns turns;
    const char *weapons;                 /* the names of the weapons that a button byte changes to */
    uint8_t episodes, levels, artifacts; /* the highest that there are, 0: any */
};

/* Whether the bytes have a row's first byte and signature. */
bool lmp_row_fits(const struct lmp_dialect *d, const uint8_t *p, size_t n);

#endif
