/* SPDX-License-Identifier: ISC */
#include "clock.h"

#include <time.h>

static const uint64_t second = 1000000000;
enum { TOO_LATE = SRV_RATE / 4 }; /* ticks */

uint64_t srv_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * second + (uint64_t)t.tv_nsec;
}

void srv_clock_start(struct srv_clock *c, uint64_t now)
{
    *c = (struct srv_clock){.start = now, .n = 1};
}

uint64_t srv_clock_due(const struct srv_clock *c)
{
    /* From the count, not from the last one: a sixtieth is no whole number of nanoseconds. */
    return c->start + c->n * second / SRV_RATE;
}

void srv_clock_done(struct srv_clock *c)
{
    c->n++;
}

uint64_t srv_clock_skip(struct srv_clock *c, uint64_t now)
{
    uint64_t due = srv_clock_due(c), late = now > due ? (now - due) * SRV_RATE / second : 0;

    if (late <= TOO_LATE)
        return 0;
    srv_clock_start(c, now);
    return late;
}
