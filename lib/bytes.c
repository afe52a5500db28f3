/* SPDX-License-Identifier: ISC */
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- growable strings of bytes ----------------------------------------------------------------------------------- */

uint8_t *dh_buf_room(struct dh_buf *b, size_t n)
{
    if (b->failed)
        return NULL;
    if (n <= b->cap - b->n && b->p)
        return b->p + b->n;

    size_t want = b->cap < 256 ? 256 : b->cap;
    while (want - b->n < n && want <= SIZE_MAX / 2)
        want *= 2;
    uint8_t *p = want - b->n < n ? NULL : realloc(b->p, want);
    if (!p) {
        b->failed = true;
        return NULL;
    }
    b->p = p;
    b->cap = want;
    return p + b->n;
}

void dh_buf_free(struct dh_buf *b)
{
    free(b->p);
    *b = (struct dh_buf){0};
}

void dh_buf_clear(struct dh_buf *b)
{
    b->n = 0;
    b->failed = false;
}

void dh_put_bytes(struct dh_buf *b, const void *p, size_t n)
{
    uint8_t *to = n ? dh_room(b, n) : NULL;

    if (!to)
        return;
    dh_copy(to, p, n);
    b->n += n;
}

static void put_le(struct dh_buf *b, uint64_t v, size_t n)
{
    uint8_t *to = dh_room(b, n);

    if (!to)
        return;
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(v >> 8 * i);
    b->n += n;
}

void dh_put_u8(struct dh_buf *b, uint8_t v)
{
    put_le(b, v, 1);
}

void dh_put_u16(struct dh_buf *b, uint16_t v)
{
    put_le(b, v, 2);
}

void dh_put_u32(struct dh_buf *b, uint32_t v)
{
    put_le(b, v, 4);
}

void dh_put_u64(struct dh_buf *b, uint64_t v)
{
    put_le(b, v, 8);
}

void dh_put_f32(struct dh_buf *b, float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    put_le(b, bits, 4);
}

void dh_put_f64(struct dh_buf *b, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    put_le(b, bits, 8);
}

void dh_put_leb(struct dh_buf *b, uint64_t v)
{
    uint8_t *to = dh_room(b, 10);

    if (to)
        b->n = (size_t)(dh_set_leb(to, v) - b->p);
}

void dh_put_strn(struct dh_buf *b, const char *s, size_t n)
{
    dh_put_leb(b, n);
    dh_put_bytes(b, s, n);
}

void dh_put_str(struct dh_buf *b, const char *s)
{
    dh_put_strn(b, s, strlen(s));
}

void dh_put_ref(struct dh_buf *b, int type, uint64_t id)
{
    dh_put_leb(b, (uint64_t)(type + 1));
    if (type >= 0)
        dh_put_leb(b, id);
}

/* ---- the cursor -------------------------------------------------------------------------------------------------- */

struct dh_cur dh_cur(const void *p, size_t n)
{
    /* No arithmetic on a null pointer: an empty block has one. */
    static const uint8_t nothing[1];
    const uint8_t *q = p ? p : nothing;

    return (struct dh_cur){q, q + (p ? n : 0), false, false};
}

const uint8_t *dh_get_bytes(struct dh_cur *c, size_t n)
{
    return dh_take(c, n);
}

uint8_t dh_get_u8(struct dh_cur *c)
{
    const uint8_t *p = dh_take(c, 1);

    return p ? p[0] : 0;
}

uint16_t dh_get_u16(struct dh_cur *c)
{
    const uint8_t *p = dh_take(c, 2);

    return p ? dh_load16(p) : 0;
}

uint32_t dh_get_u32(struct dh_cur *c)
{
    const uint8_t *p = dh_take(c, 4);

    return p ? dh_load32(p) : 0;
}

uint64_t dh_get_u64(struct dh_cur *c)
{
    const uint8_t *p = dh_take(c, 8);

    return p ? dh_load64(p) : 0;
}

float dh_get_f32(struct dh_cur *c)
{
    uint32_t bits = dh_get_u32(c);
    float v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

double dh_get_f64(struct dh_cur *c)
{
    uint64_t bits = dh_get_u64(c);
    double v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

uint64_t dh_get_leb(struct dh_cur *c)
{
    uint64_t v = 0;

    for (unsigned shift = 0;; shift += 7) {
        const uint8_t *p = dh_take(c, 1);

        if (!p)
            return 0;
        /* The tenth byte has room for one bit, and a last byte of zero adds nothing: such a form is not canonical. */
        if ((shift == 63 && *p > 1) || (shift > 0 && *p == 0)) {
            c->bad = c->overlong = true;
            return 0;
        }
        v |= (uint64_t)(*p & 0x7f) << shift;
        if (*p < 0x80)
            return v;
    }
}

struct dh_str dh_get_str(struct dh_cur *c)
{
    uint64_t n = dh_take_leb(c);

    if (n > dh_left(c))
        c->bad = true;
    if (c->bad)
        return dh_str("", 0);
    return dh_str((const char *)dh_take(c, (size_t)n), (size_t)n);
}
