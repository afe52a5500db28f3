/* SPDX-License-Identifier: ISC */
/*
 * info.h - what is in a demo of any format, at a glance.
 *
 * What is known of a demo is a row of columns: the same for a record stream, a demo of the Doom family and a Blood
 * demo. A column that does not apply, or that the demo does not tell, is empty.
 */
#ifndef INFO_INFO_H
#define INFO_INFO_H

#include "lmp/demo.h"

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

enum info_kind { INFO_TEXT, INFO_NUMBER, INFO_LIST };

struct info_heading {
    const char *name;  /* in tables */
    const char *label; /* in a block */
    enum info_kind kind;
};
extern const struct info_heading info_headings[INFO_COLUMNS];

/* A number as its decimal digits; of a list every item ends with a NUL. */
struct info {
    struct dh_buf v[INFO_COLUMNS];
};

void info_clear(struct info *i); /* keeps the memory */
void info_free(struct info *i);
bool info_failed(const struct info *i); /* out of memory: something is missing */

/* Set a column. */
void info_text(struct info *i, enum info_column c, const char *p, size_t n);
void info_string(struct info *i, enum info_column c, const char *s);
void info_number(struct info *i, enum info_column c, int64_t v);
void info_length(struct info *i, uint64_t tics, double rate); /* INFO_TICS, INFO_RATE, INFO_TIME */
/* Append an item to a list. */
void info_item(struct info *i, enum info_column c, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct info_how {
    const char *game, *dialect; /* as in struct lmp_how; NULL: by what is found */
    bool all_lumps;             /* of a WAD that is named without a lump: every demo in it */
    /* Each demo, and each failure: name is what failed, status and place are in e. A demo that was cut short is given
     * and fails, too. A result of give other than 0 ends everything and is passed on. */
    int (*give)(void *ctx, const struct info *i);
    void (*fail)(void *ctx, const char *name, const struct dh_err *e);
    void *ctx;
};

/* Look at an operand: a file, "-", WAD:LUMP, ZIP:MEMBER, or an archive with all the demos in it. The worst status of
 * what was found, or what give gave if that is negative. */
int info_operand(const char *operand, const struct info_how *how);

/* The demos that begin where fd, which can be sought in, stands, in at most size bytes (LMP_TO_END: to the file's end).
 * A part is not read as a stream or a Blood demo: these are whole files. */
int info_read(int fd, uint64_t size, const char *name, const struct info_how *how);

/* ---- printing ---------------------------------------------------------------------------------------------------- */

/* Bytes that are no printable UTF-8 come as \ooo, so that no file can write to a terminal what it wants to. */
void info_block(struct dh_buf *out, const struct info *i);
void info_tsv_header(struct dh_buf *out);
void info_tsv(struct dh_buf *out, const struct info *i);
void info_json(struct dh_buf *out, const struct info *i);

#endif
