/* SPDX-License-Identifier: ISC */
/*
 * limit.h - so many things a second, and so many at once: a bucket of tokens that fills at a steady rate.
 *
 * Time is in nanoseconds from anywhere, and never decreases.
 */
#ifndef SRV_LIMIT_H
#define SRV_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct srv_limit {
    uint32_t rate, burst; /* tokens a second; what the bucket holds */
    uint64_t credit;      /* in tokens times a second's nanoseconds */
    uint64_t then;        /* when credit was right */
};

void srv_limit_init(struct srv_limit *l, uint32_t rate, uint32_t burst, uint64_t now); /* full */

/* How many there are. */
uint32_t srv_limit_left(struct srv_limit *l, uint64_t now);

/* Take n, or none: false where there are fewer. */
bool srv_limit_take(struct srv_limit *l, uint32_t n, uint64_t now);

/* How long until there is one: 0 where there is. */
uint64_t srv_limit_wait(struct srv_limit *l, uint64_t now);

#endif
