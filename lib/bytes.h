/* SPDX-License-Identifier: ISC */
/* bytes.h - the library's own side of dh_buf and dh_cur. */
#ifndef DH_BYTES_H
#define DH_BYTES_H

#include <string.h>

#include "dh.h"

/* dh_buf_room where it is called most. */
static inline uint8_t *dh_room(struct dh_buf *b, size_t n)
{
    return b->p && !b->failed && n <= b->cap - b->n ? b->p + b->n : dh_buf_room(b, n);
}

/* memcpy where most copies are of a few bytes: it takes longer to get under way than two moves of a fixed size, which
 * may overlap. */
static inline void dh_copy(uint8_t *to, const void *from, size_t n)
{
    const uint8_t *p = from;

    if (n > 32)
        memcpy(to, p, n);
    else if (n >= 16) {
        memcpy(to, p, 16);
        memcpy(to + n - 16, p + n - 16, 16);
    } else if (n >= 8) {
        memcpy(to, p, 8);
        memcpy(to + n - 8, p + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, p, 4);
        memcpy(to + n - 4, p + n - 4, 4);
    } else
        for (size_t i = 0; i < n; i++)
            to[i] = p[i];
}

static inline uint16_t dh_load16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

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

/* v at p, where there is room for ten bytes; the byte after it. */
static inline uint8_t *dh_set_leb(uint8_t *p, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *p++ = (uint8_t)(v | 0x80);
    *p++ = (uint8_t)v;
    return p;
}

static inline size_t dh_left(const struct dh_cur *c)
{
    return (size_t)(c->end - c->p);
}

/* dh_get_bytes and dh_get_leb where they are called most. */
static inline const uint8_t *dh_take(struct dh_cur *c, size_t n)
{
    const uint8_t *p = c->p;

    if (c->bad || n > dh_left(c)) {
        c->bad = true;
        return NULL;
    }
    c->p += n;
    return p;
}

static inline uint64_t dh_take_leb(struct dh_cur *c)
{
    const uint8_t *p = c->p;

    if (!c->bad && dh_left(c) >= 2) {
        if (p[0] < 0x80) {
            c->p += 1;
            return p[0];
        }
        if (p[1] < 0x80 && p[1] > 0) {
            c->p += 2;
            return (p[0] & 0x7fu) | (unsigned)p[1] << 7;
        }
    }
    return dh_get_leb(c);
}

static inline struct dh_str dh_str(const char *p, size_t n)
{
    return (struct dh_str){p, n};
}

#endif
