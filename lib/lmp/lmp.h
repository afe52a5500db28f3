/* SPDX-License-Identifier: ISC */
/*
 * lmp.h - demo files of the Doom family (.lmp) to record streams and back.
 *
 * A demo file is a header, then for each tic one command for every player that the header says is present, in slot
 * order, then the marker byte 0x80; what follows the marker belongs to other programs. The engines test for the marker
 * before every command, so a demo can end inside a tic. What differs between the dialects is the table in dialect.c.
 *
 * Each byte becomes a named field: the header's are the rules, a command is an input. Only a key frame in front of the
 * commands (origin part=head), and what follows the marker or is the cut part of a last command (part=tail), are kept
 * as they are. What the footer says is shown as options, too; dh_to_lmp does not look at them.
 *
 * How to look into a demo without a stream: demo.h.
 */
#ifndef LMP_LMP_H
#define LMP_LMP_H

#include "lmp/demo.h"

#define LMP_INTERVAL 175 /* tics between snapshots where nobody asks for others: five seconds */

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Open a file, or, where there is no file of that name, the lump of WAD:LUMP (split at the last colon; the last lump of
 * that name, case is ignored). The descriptor stands at the first byte of the demo; *size is the number of bytes to
 * read from there, LMP_TO_END for a whole file. The caller closes it. -1 with e filled. */
int lmp_open(const char *operand, uint64_t *size, struct dh_err *e);

/* The same for a lump of an open WAD: seeks there. 0, or -1 with e filled. */
int lmp_seek_lump(int fd, const char *lump, uint64_t *size, struct dh_err *e);

/* Whether there is a lump of that name in what is a WAD, in memory. */
bool lmp_has_lump(const uint8_t *p, size_t n, const char *lump);

/* Call fn for every lump of an open WAD, or of one in memory, in the directory's order; its bytes are within the file.
 * Stops at the first result that is not 0 and gives that; 0; -1 with e filled. */
typedef int lmp_lump_fn(void *ctx, const char *name, uint64_t offset, uint64_t size, struct dh_err *e);
int lmp_each_lump(int fd, lmp_lump_fn *fn, void *ctx, struct dh_err *e);
int lmp_each_lump_in(const uint8_t *p, size_t n, lmp_lump_fn *fn, void *ctx, struct dh_err *e);

/* ---- conversion -------------------------------------------------------------------------------------------------- */

/* Read a demo of at most size bytes from fd and write it as one stream. 0; -1 with e filled (offsets count from the
 * demo's first byte); -2 where the writer failed (dh_writer_error says how). e->status is DH_INCOMPLETE where the demo
 * ended early: then all that was whole is written, and no end record. Of what is refused by its header nothing is.
 * how may be NULL. */
int lmp_to_dh(int fd, uint64_t size, const struct lmp_how *how, struct dh_writer *w, struct dh_err *e);

/* How a demo is to be written. All zero is: as the stream says. */
struct lmp_writing {
    bool unbuffered;
    const char *dialect; /* NULL, or the id of another dialect of the same group, or of what a wrapper wraps */
    bool round;          /* turns that do not fit are rounded, not refused */
    bool lossy;          /* what has no place in the other dialect is dropped, not refused */
    bool strip_footer;   /* nothing after the marker */
    bool has_viewpoint;
    int64_t viewpoint; /* the slot to look through */
    int nrules;
    const char *const *rules;                  /* "name=number": over what the stream says */
    void (*note)(void *arg, const char *text); /* what is no failure and should be told; may be NULL */
    void *arg;
};

/* Read the one stream of an input and write it to fd as a demo file. 0; -1 with e filled; -2 with e filled where
 * writing failed. Of a stream that ended early (DH_INCOMPLETE) the commands are written, and no marker. Snapshots,
 * checkpoints, events, logs, resources and options have no place in the file and are passed over. how may be NULL. */
int dh_to_lmp(struct dh_reader *r, int fd, const struct lmp_writing *how, struct dh_err *e);

#endif
