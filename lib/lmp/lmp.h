/* SPDX-License-Identifier: ISC */
/*
 * lmp.h - Doom demo files (.lmp) to record streams and back.
 *
 * A demo file is a header, then for each tic one command for every player that the header says is present, in slot
 * order, then the marker byte 0x80; what follows the marker belongs to other programs. The engines test for the marker
 * before every command, so a demo can end inside a tic. Layouts: doomwiki.org/wiki/Demo.
 *
 * Each byte becomes a named field: the header's are the rules, a command is an input. Only what follows the marker (or
 * the cut part of a last command, where there is no marker) is kept as origin part=tail.
 */
#ifndef LMP_LMP_H
#define LMP_LMP_H

#include "dh.h"

#define LMP_MARKER 0x80
#define LMP_RATE 35.0
#define LMP_INTERVAL 175 /* tics between snapshots where nobody asks for others: five seconds */
#define LMP_MAX_HEADER 13
#define LMP_MAX_COMMAND 5

/* ---- dialects ---------------------------------------------------------------------------------------------------- */

/* How a dialect lays out its bytes. The header's first byte is the version. */
struct lmp_layout {
    const char *name;
    uint8_t version;
    uint8_t header_size;  /* one rule a byte, in the order of the rule schema */
    uint8_t first_player; /* header byte of slot 0's presence: non-zero is present */
    uint8_t nplayers;
    uint8_t command_size;
    uint8_t turn_bytes; /* 1: the high byte of the turn; 2: all of it, low byte first */
    const char *rules;  /* schema of the header's bytes */
    const char *input;  /* schema of a command */
};

/* What a file is, by its first bytes. */
struct lmp_dialect {
    const char *name;                /* for people */
    bool demo;                       /* false: not a demo at all */
    const struct lmp_layout *layout; /* NULL: known by name and no more */
};

/* How many bytes lmp_recognise looks at; fewer are enough where the file is shorter. */
#define LMP_PEEK 16

/* NULL: no known demo begins like this. */
const struct lmp_dialect *lmp_recognise(const uint8_t *p, size_t n);

/* The layout of a version byte; NULL where dh2lmp cannot write it. */
const struct lmp_layout *lmp_layout_of(int64_t version);

/* The dialects with a layout, for messages. */
#define LMP_SUPPORTED "Doom 1.9 (109) and long turns (111)"

/* ---- files ------------------------------------------------------------------------------------------------------- */

#define LMP_TO_END UINT64_MAX

/* Open a file, or, where there is no file of that name, the lump of WAD:LUMP (split at the last colon; the last lump of
 * that name, case is ignored). The descriptor stands at the first byte of the demo; *size is the number of bytes to
 * read from there, LMP_TO_END for a whole file. The caller closes it. -1 with e filled. */
int lmp_open(const char *operand, uint64_t *size, struct dh_err *e);

/* The same for a lump of an open WAD: seeks there. 0, or -1 with e filled. */
int lmp_seek_lump(int fd, const char *lump, uint64_t *size, struct dh_err *e);

/* ---- conversion -------------------------------------------------------------------------------------------------- */

/* Read a demo of at most size bytes from fd and write it as one stream. 0; -1 with e filled (offsets count from the
 * demo's first byte); -2 where the writer failed (dh_writer_error says how). e->status is DH_INCOMPLETE where the demo
 * ended early: then all that was whole is written, and no end record. Of what is refused by its header nothing is. */
int lmp_to_dh(int fd, uint64_t size, struct dh_writer *w, struct dh_err *e);

/* Read the one stream of an input and write it to fd as a demo file. 0; -1 with e filled; -2 with e filled where
 * writing failed. Of a stream that ended early (DH_INCOMPLETE) the commands are written, and no marker. Snapshots,
 * checkpoints, events, logs, resources and options have no place in the file and are passed over. */
int dh_to_lmp(struct dh_reader *r, int fd, bool unbuffered, struct dh_err *e);

#endif
