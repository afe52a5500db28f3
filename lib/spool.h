/* SPDX-License-Identifier: ISC */
/*
 * spool.h - records put aside until it is known whether they are wanted.
 *
 * A slice begins at the latest checkpoint before its first tick, and which one that is shows only later; what follows a
 * checkpoint waits here meanwhile. Memory holds up to a megabyte, a nameless file in TMPDIR (or /tmp) the rest, so that
 * the size of a stream does not matter.
 */
#ifndef DH_SPOOL_H
#define DH_SPOOL_H

#include "dh.h"

struct dh_spool {
    struct dh_buf mem; /* the last records */
    uint64_t on_disk;  /* bytes in the file: the records before those in mem */
    int fd;            /* of the file, -1 while there is none */
};

void dh_spool_init(struct dh_spool *s);
void dh_spool_free(struct dh_spool *s);
void dh_spool_clear(struct dh_spool *s);
bool dh_spool_empty(const struct dh_spool *s);

/* Append a record (kind, raw_kind and payload are what is kept). 0, or -1 with e filled. */
int dh_spool_add(struct dh_spool *s, const struct dh_record *r, struct dh_err *e);

/* Call fn for every record, in order; of a record only kind, raw_kind, payload and len are set. Stops at the first that
 * is not 0 and gives that; -1 with e filled where the spool itself fails. The spool stays as it is. */
int dh_spool_play(struct dh_spool *s, int (*fn)(void *ctx, const struct dh_record *r), void *ctx, struct dh_err *e);

#endif
