/* SPDX-License-Identifier: ISC */
/* source.h - a demo's bytes, a bounded part at a time: from memory, then from a descriptor where it goes on there. */
#ifndef LMP_SOURCE_H
#define LMP_SOURCE_H

#include "lmp/demo.h"

struct lmp_source {
    const uint8_t *p; /* p[at .. n) are there and not yet taken */
    size_t at, n;
    uint64_t offset; /* of the next byte, from the demo's first */
    int fd;
    uint64_t left; /* bytes that may still be read from fd */
    bool eof;
    uint8_t *own; /* private: what p is while bytes are read from fd */
    size_t cap;
};

/* From fd alone, and from a view of what fd gave so far. The view stays the caller's. */
void lmp_source_init(struct lmp_source *s, int fd, uint64_t size);
void lmp_source_view(struct lmp_source *s, const struct lmp_view *v, int fd, uint64_t size);
void lmp_source_free(struct lmp_source *s);

/* Make want bytes (at most DH_ORIGIN_MAX) available at lmp_source_bytes, fewer at the end. The number there are, at
 * most want; -1 with e filled when reading failed. */
int64_t lmp_source_peek(struct lmp_source *s, size_t want, struct dh_err *e);

static inline const uint8_t *lmp_source_bytes(const struct lmp_source *s)
{
    return s->p + s->at;
}

/* Take n bytes that a peek has shown. */
static inline void lmp_source_take(struct lmp_source *s, size_t n)
{
    s->at += n;
    s->offset += n;
}

#endif
