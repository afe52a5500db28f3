/* SPDX-License-Identifier: ISC */
/*
 * keep.h - records that outlive their reader's next call.
 */
#ifndef DH_KEEP_H
#define DH_KEEP_H

#include "dh.h"

/* A copy of a record that owns its payload; all zero is a valid empty one. The memory is kept from one record to the
 * next. */
struct dh_kept {
    struct dh_record rec;
    uint8_t *mem;
    size_t cap;
};

/* Make k a copy of r: the same members, pointing into memory of its own. -1: out of memory, and k holds no record. */
int dh_keep(struct dh_kept *k, const struct dh_record *r);

/* A list of them, in order; all zero is a valid empty one. Clearing it keeps the memory. */
struct dh_keeps {
    struct dh_kept *items;
    size_t n, cap;
};

int dh_keeps_add(struct dh_keeps *l, const struct dh_record *r);
void dh_keeps_clear(struct dh_keeps *l);

void dh_kept_free(struct dh_kept *k);
void dh_keeps_free(struct dh_keeps *l);

#endif
