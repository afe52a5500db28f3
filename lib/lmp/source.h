/* SPDX-License-Identifier: ISC */
/* source.h - a demo's bytes from a descriptor, a bounded part at a time. */
#ifndef LMP_SOURCE_H
#define LMP_SOURCE_H

#include "dh.h"

struct lmp_source {
    int fd;
    uint64_t left;   /* bytes that may still be read from fd */
    uint64_t offset; /* of the next byte, from the demo's first */
    size_t at, n;    /* buf[at .. n) was read and not yet taken */
    bool eof;
    uint8_t buf[DH_ORIGIN_MAX];
};

void lmp_source_init(struct lmp_source *s, int fd, uint64_t size);

/* Make want bytes (at most sizeof buf) available at lmp_source_bytes, fewer at the end. The number there are, at most
 * want; -1 with e filled when reading failed. */
int64_t lmp_source_peek(struct lmp_source *s, size_t want, struct dh_err *e);

const uint8_t *lmp_source_bytes(const struct lmp_source *s);

/* Take n bytes that a peek has shown. */
void lmp_source_take(struct lmp_source *s, size_t n);

#endif
