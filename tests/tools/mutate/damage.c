/* SPDX-License-Identifier: ISC */
#include "mutate.h"

#include <string.h>

uint32_t rng_next(struct rng *r)
{
    r->s = r->s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = r->s ^ r->s >> 33;
    return (uint32_t)((x * UINT64_C(0xff51afd7ed558ccd)) >> 32);
}

uint32_t rng_below(struct rng *r, uint32_t n)
{
    return rng_next(r) % n;
}

/* More often near the beginning, where the header is, or the end, where the footer is. */
static size_t place(struct rng *r, size_t n)
{
    uint32_t limit = (uint32_t)(n < 160 ? n : 160);

    switch (rng_below(r, 4)) {
    case 0:
    case 1:
        return rng_below(r, limit);
    case 2:
        return n - 1 - rng_below(r, limit);
    default:
        return rng_below(r, (uint32_t)n);
    }
}

static void cut(struct dh_buf *b, size_t at, size_t n)
{
    if (n > b->n - at)
        n = b->n - at;
    memmove(b->p + at, b->p + at + n, b->n - at - n);
    b->n -= n;
}

static void put_in(struct dh_buf *b, size_t at, const uint8_t *p, size_t n)
{
    uint8_t copy[64];

    memcpy(copy, p, n); /* it may be part of b */
    dh_put_bytes(b, copy, n);
    memmove(b->p + at + n, b->p + at, b->n - at - n);
    memcpy(b->p + at, copy, n);
}

static void set_number(struct rng *r, struct dh_buf *b, size_t at)
{
    static const uint32_t odd[] = {0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t v = odd[rng_below(r, sizeof odd / sizeof odd[0])];

    if (rng_below(r, 3) == 0)
        v = (uint32_t)b->n + rng_below(r, 9) - 4;
    for (size_t i = 0, n = (size_t)1 << rng_below(r, 3), big = rng_below(r, 2); i < n && at + i < b->n; i++)
        b->p[at + i] = (uint8_t)(v >> 8 * (big ? n - 1 - i : i));
}

static void edit(struct rng *r, struct dh_buf *b)
{
    size_t at = place(r, b->n), n = 1 + rng_below(r, 32);
    uint8_t bytes[64];

    switch (rng_below(r, 8)) {
    case 0:
        b->p[at] ^= (uint8_t)(1u << rng_below(r, 8));
        break;
    case 1:
        b->p[at] = (uint8_t)rng_next(r);
        break;
    case 2:
        b->p[at] = 0x80;
        break;
    case 3:
        cut(b, at, n);
        break;
    case 4:
        b->n = at; /* a truncated file */
        break;
    case 5:
        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)rng_next(r);
        put_in(b, at, bytes, n);
        break;
    case 6:
        if (n > b->n - at)
            n = b->n - at;
        put_in(b, place(r, b->n), b->p + at, n);
        break;
    default:
        set_number(r, b, at);
    }
}

void damage(struct rng *r, struct dh_buf *b)
{
    for (uint32_t i = 1 + rng_below(r, 4); i > 0 && b->n > 0; i--)
        edit(r, b);
}

void shorten(struct dh_buf *b, size_t max)
{
    if (b->n > max)
        cut(b, max / 4 * 3, b->n - max);
}
