/* SPDX-License-Identifier: ISC */
/*
 * dem.h - Blood demo files (.DEM) to record streams and back.
 *
 * A file is a header of fixed size, then inputs of 22 bytes, one for each player and tick, in the order of the header's
 * chain of players; then, in some files, bytes that no engine reads. The structures are Monolith's of 1997 ("The .DEM
 * file format", 1.21), as the engines that play them lay them out on disk: packed, little-endian, every flag word 32
 * bits wide, no field optional.
 *
 * Each byte becomes a named field: the header's are the rules, an input is an input. Only what follows the last input
 * is kept as origin part=tail.
 */
#ifndef DEM_DEM_H
#define DEM_DEM_H

#include "dh.h"

#define DEM_GAME "blood"
#define DEM_RATE 30.0
#define DEM_INTERVAL 150 /* ticks between states, if somebody recorded any: five seconds */

enum {
    DEM_MAX_PLAYERS = 8,
    DEM_INPUT_SIZE = 22,
    DEM_MAX_HEADER = 411,
    DEM_MAGIC_SIZE = 4,
};

/* What the first bytes say. */
enum dem_magic {
    DEM_NOT,    /* neither */
    DEM_DEMO,   /* DEM 1A */
    DEM_PRIVATE /* EDM 1A: NBlood's own variant, which is another format */
};
enum dem_magic dem_recognise(const uint8_t *p, size_t n);

/* A header, checked: the chain holds exactly nplayers different slots. */
struct dem_header {
    uint8_t bytes[DEM_MAX_HEADER]; /* as in the file */
    bool has_build;                /* nBuild is there (1.10 and later) */
    size_t size;                   /* of the bytes: 411, or 407 without nBuild */
    uint8_t major, minor;          /* 1.00 to 1.21 */
    int32_t build;                 /* nBuild; -1 where the header has none */
    int32_t count;                 /* nInputCount: of all players together */
    int nplayers;
    uint8_t chain[DEM_MAX_PLAYERS]; /* slots in the order of their inputs */
    bool unlike_version;            /* the layout is not the one that the version would have */
};

/* The bytes of a header field by its name (see field.h), NULL where there is none. The size goes to *n. */
const uint8_t *dem_header_field(const struct dem_header *h, const char *name, size_t *n);

/* What the reader of a file calls. Each may be NULL; a negative result ends the reading and is passed on. */
struct dem_sink {
    int (*header)(void *ctx, const struct dem_header *h);
    int (*input)(void *ctx, uint32_t tick, uint8_t slot, const uint8_t *input); /* DEM_INPUT_SIZE bytes */
    int (*tail)(void *ctx, const uint8_t *p, size_t n); /* what is no whole input, in pieces of up to DH_ORIGIN_MAX */
};

/* How the reading ended. */
struct dem_outcome {
    uint32_t inputs;
    uint32_t ticks; /* whole ones */
    bool unclosed;  /* nInputCount is 0 and yet inputs follow: the recorder never came back to write the count */
};

/* Read a demo from fd, from where it stands to its end. 0; -1 with e filled; or what the sink gave. e->status is
 * DH_INCOMPLETE where the file ended early: the sink has then got all that is there, and out is filled. */
int dem_read(int fd, const struct dem_sink *sink, void *ctx, struct dem_outcome *out, struct dh_err *e);

/* The same, written as one stream. 0; -1 with e filled; -2 where the writer failed (dh_writer_error says how). Of a
 * file that ended early all that was whole is written, and no end record; of what is refused by its header nothing is.
 * note (may be NULL) is told in words what the file's bytes alone would not lead one to expect. */
int dem_to_dh(int fd, struct dh_writer *w, void (*note)(void *ctx, const char *text), void *ctx, struct dh_err *e);

/* Read the one stream of an input and write it to fd as a demo file: all at the end, since the header counts the
 * inputs. 0; -1 with e filled; -2 with e filled where writing failed. Of a stream that ended early (DH_INCOMPLETE) what
 * is there is written. Snapshots, checkpoints, events, logs, resources and options have no place in the file and are
 * passed over.
 */
int dh_to_dem(struct dh_reader *r, int fd, struct dh_err *e);

#endif
