/* SPDX-License-Identifier: ISC */
/*
 * verify.h - whole archives of demos replayed, with a verdict on each.
 *
 *     struct verify_how how = {.folders = folders};          // or .iwad = "doom2.wad"
 *     struct verify *v = verify_new(&how, &e);
 *     verify_add(v, "archive.zip", &e);                       // each operand
 *     verify_run(v, workers, &run, &e);                       // rows and failures, in the operands' order
 *     verify_free(v);
 *
 * A demo is replayed from its bytes to its end in a process of its own pool: one that dies takes one demo with it.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "row/row.h"

enum verify_column {
    VERIFY_VERDICT, /* finished, died, unfinished, unplayable */
    VERIFY_FILE,
    VERIFY_MAP, /* the first */
    VERIFY_SKILL,
    VERIFY_PLAYERS,
    VERIFY_TICS,       /* that were replayed .. */
    VERIFY_TIME,       /* .. as h:mm:ss.cc */
    VERIFY_EXITS,      /* levels that were left by an exit .. */
    VERIFY_LEVEL_TICS, /* .. the tics in them .. */
    VERIFY_LEVEL_TIME,
    VERIFY_KILLS, /* .. and what was done there, as GOT/OF */
    VERIFY_ITEMS,
    VERIFY_SECRETS,
    VERIFY_DEATHS,
    VERIFY_LEVELS,  /* each: MAP:END:TIC:TICS:KILLS/OF:ITEMS/OF:SECRETS/OF */
    VERIFY_VERSION, /* the executable that was followed */
    VERIFY_IWAD,
    VERIFY_IWAD_BY,
    VERIFY_FILES,
    VERIFY_FILES_BY,
    VERIFY_SETTINGS, /* KEY:VALUE, of the footer and the command line */
    VERIFY_CLOSURE,  /* of all files, as in a stream's header */
    VERIFY_DIGEST,   /* of the last state, as in a snapshot of digests */
    VERIFY_END,      /* whole, truncated */
    VERIFY_NOTES,    /* what is odd; of unplayable: why, first of all */
    VERIFY_COLUMNS
};

extern const struct row_shape verify_shape;

/* NULL: not given. Lists end with NULL. */
struct verify_how {
    const char *iwad; /* name or path; "none" */
    char *const *wads, *const *dehs;
    const char *const *settings; /* "key=value" for the world */
    char *const *folders;        /* where names are looked up before anywhere else */
    bool use_footer;             /* even where iwad or wads are given */
    bool all_lumps;              /* of a WAD: every demo in it */
};

struct verify;

/* how has to stay as it is. NULL with e filled: out of memory, or a file that is named there is not found. */
struct verify *verify_new(const struct verify_how *how, struct dh_err *e);
void verify_free(struct verify *v);

/* Look what is in an operand: a file, WAD:LUMP, a zip archive, ZIP:MEMBER, or "-" for standard input, which is read
 * here to its end. What cannot be read is told of by verify_run, in its place. 0; -1 with e filled: out of memory. */
int verify_add(struct verify *v, const char *operand, struct dh_err *e);

struct verify_run {
    /* Each row and each failure, in order. */
    void (*row)(void *ctx, const struct row *r);
    void (*fail)(void *ctx, const char *name, const struct dh_err *e);
    /* In a worker's process, which has nothing to do but verify_work(v, worker), and then leaves; it must not return.
     */
    void (*child)(void *ctx, struct verify *v, void *worker);
    void *ctx;
};

/* Replay all, by so many processes. The worst status; -1 with e filled where there can be none. */
int verify_run(struct verify *v, int workers, const struct verify_run *run, struct dh_err *e);
void verify_work(struct verify *v, void *worker);

#endif
