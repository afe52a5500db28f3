/* SPDX-License-Identifier: ISC */
/* mutate.h - damaged files for the converters. */
#ifndef MUTATE_H
#define MUTATE_H

#include <stddef.h>
#include <stdint.h>

#include "dh.h"

/* Numbers from a seed, the same on every machine. */
struct rng {
    uint64_t s;
};

uint32_t rng_next(struct rng *r);
uint32_t rng_below(struct rng *r, uint32_t n); /* n > 0 */

/* One to four edits: bits and bytes changed, runs overwritten, cut, doubled and put in, numbers set to where lengths go
 * wrong. b is changed in place and may become empty. */
void damage(struct rng *r, struct dh_buf *b);

/* Shorten a file to about max bytes: its beginning and its end are what is interesting. */
void shorten(struct dh_buf *b, size_t max);

#endif
