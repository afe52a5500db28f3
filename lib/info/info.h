/* SPDX-License-Identifier: ISC */
/*
 * info.h - what is in a demo of any format, at a glance.
 *
 * What is known of a demo is a row of columns: the same for a record stream, a demo of the Doom family and a Blood
 * demo.
 */
#ifndef INFO_INFO_H
#define INFO_INFO_H

#include "lmp/demo.h"
#include "row/row.h"

enum info_column {
    INFO_FILE,     /* as it was named; of a part of an archive CONTAINER:PART */
    INFO_FORMAT,   /* dh, lmp, dem */
    INFO_GAME,     /* of the stream, or that lmp2dh would write */
    INFO_DIALECT,  /* lmp: as --dialect takes it, WRAPPER/ID; dem: the version; dh: binary or text */
    INFO_ENGINE,   /* what recorded it, as far as it says; otherwise what wrote such files first */
    INFO_MAP,      /* the first */
    INFO_SKILL,    /* from 1 on */
    INFO_MODE,     /* single, solo-net, coop, deathmatch, altdeath, ... */
    INFO_PLAYERS,  /* their number .. */
    INFO_SLOTS,    /* .. and slots */
    INFO_VIEW,     /* the slot through whose eyes it is watched */
    INFO_TICS,     /* whole ones */
    INFO_RATE,     /* tics a second */
    INFO_TIME,     /* h:mm:ss.cc, cut off */
    INFO_FLAGS,    /* respawn, fast, nomonsters, ... */
    INFO_IWAD,     /* named in a footer or as a resource */
    INFO_FILES,    /* the other files, likewise */
    INFO_FOOTER,   /* pwad, cndoom, text, bytes */
    INFO_COMMAND,  /* the command line in the footer */
    INFO_STATES,   /* checkpoints: states as recorded */
    INFO_REPLAYED, /* snapshots: states as replayed */
    INFO_END,      /* whole, truncated, corrupt */
    INFO_TURBO,    /* signs of tools: see signs.h */
    INFO_STRAFE50,
    INFO_ONETIC,
    INFO_NOTES, /* odd things, in words */
    INFO_COLUMNS
};

extern const struct row_shape info_shape;

void info_length(struct row *i, uint64_t tics, double rate); /* INFO_TICS, INFO_RATE, INFO_TIME */

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct info_how {
    const char *game, *dialect; /* as in struct lmp_how; NULL: by what is found */
    bool all_lumps;             /* of a WAD that is named without a lump: every demo in it */
    /* Each demo, and each failure: name is what failed, status and place are in e. A demo that was cut short is given
     * and fails, too. A result of give other than 0 ends everything and is passed on. */
    int (*give)(void *ctx, const struct row *i);
    void (*fail)(void *ctx, const char *name, const struct dh_err *e);
    void *ctx;
};

/* Look at an operand: a file, "-", WAD:LUMP, ZIP:MEMBER, or an archive with all the demos in it. The worst status of
 * what was found, or what give gave if that is negative. */
int info_operand(const char *operand, const struct info_how *how);

/* The demos in what was found (walk.h); the same result. */
struct walk_found;
int info_found(const struct walk_found *f, const struct info_how *how);

#endif
