/* SPDX-License-Identifier: ISC */
/*
 * clock.h - when ticks are due: so many a second from a start, without drift.
 */
#ifndef SRV_CLOCK_H
#define SRV_CLOCK_H

#include <stdint.h>

#define SRV_RATE 60

struct srv_clock {
    uint64_t start; /* nanoseconds */
    uint64_t n;     /* ticks since */
};

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t srv_time(void);

/* The first tick is due one tick's time from now. */
void srv_clock_start(struct srv_clock *c, uint64_t now);

/* When the next tick is due. */
uint64_t srv_clock_due(const struct srv_clock *c);
void srv_clock_done(struct srv_clock *c); /* it was run */

/* Ticks that are long overdue (the machine slept, or is too slow) are not caught up with: the ticks go on from now.
 * How many there were, 0 where it is not that late. */
uint64_t srv_clock_skip(struct srv_clock *c, uint64_t now);

#endif
