/* SPDX-License-Identifier: ISC */
/* For machines without nettle: digests are not what is looked at there. */
#ifndef SHIM_SHA2_H
#define SHIM_SHA2_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sha256_ctx {
    int none;
};

static inline void sha256_init(struct sha256_ctx *c)
{
    c->none = 0;
}

static inline void sha256_update(struct sha256_ctx *c, size_t n, const uint8_t *p)
{
    (void)c;
    (void)n;
    (void)p;
}

static inline void sha256_digest(struct sha256_ctx *c, uint8_t *sum)
{
    (void)c;
    memset(sum, 0, 32);
}

#endif
