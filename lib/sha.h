/* SPDX-License-Identifier: ISC */
/* sha.h - SHA-256, by nettle, which uses the processor's instructions for it. */
#ifndef DH_SHA_H
#define DH_SHA_H

#include <stddef.h>
#include <stdint.h>

#include <nettle/sha2.h>
#include <nettle/version.h>

struct dh_sha {
    struct sha256_ctx ctx;
};

static inline void dh_sha_init(struct dh_sha *s)
{
    sha256_init(&s->ctx);
}

static inline void dh_sha_add(struct dh_sha *s, const void *p, size_t n)
{
    sha256_update(&s->ctx, n, p);
}

static inline void dh_sha_end(struct dh_sha *s, uint8_t sum[32])
{
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(&s->ctx, sum);
#else
    sha256_digest(&s->ctx, 32, sum);
#endif
}

#endif
