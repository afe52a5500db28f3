/* SPDX-License-Identifier: ISC */
/* bytes.h - the library's own side of dh_buf and dh_cur. */
#ifndef DH_BYTES_H
#define DH_BYTES_H

#include "dh.h"

/* Room for n more bytes at b->p + b->n; the caller fills some and adds to b->n. NULL, and failed set, without memory.
 */
uint8_t *dh_buf_room(struct dh_buf *b, size_t n);

static inline uint32_t dh_load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t dh_load64(const uint8_t *p)
{
    return dh_load32(p) | (uint64_t)dh_load32(p + 4) << 32;
}

static inline void dh_store32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static inline size_t dh_left(const struct dh_cur *c)
{
    return (size_t)(c->end - c->p);
}

static inline struct dh_str dh_str(const char *p, size_t n)
{
    return (struct dh_str){p, n};
}

#endif
