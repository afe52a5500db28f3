/* SPDX-License-Identifier: ISC */
/* For machines without libmd: digests are not what is looked at there. */
#ifndef SHIM_SHA2_H
#define SHIM_SHA2_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHA256_DIGEST_LENGTH 32

typedef struct {
    int none;
} SHA2_CTX;

static inline void SHA256Init(SHA2_CTX *c)
{
    c->none = 0;
}

static inline void SHA256Update(SHA2_CTX *c, const void *p, size_t n)
{
    (void)c;
    (void)p;
    (void)n;
}

static inline void SHA256Final(uint8_t *sum, SHA2_CTX *c)
{
    (void)c;
    memset(sum, 0, SHA256_DIGEST_LENGTH);
}

#endif
