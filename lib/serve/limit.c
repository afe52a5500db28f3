/* SPDX-License-Identifier: ISC */
#include "limit.h"

static const uint64_t second = 1000000000;

void srv_limit_init(struct srv_limit *l, uint32_t rate, uint32_t burst, uint64_t now)
{
    *l = (struct srv_limit){.rate = rate, .burst = burst, .credit = burst * second, .then = now};
}

static void refill(struct srv_limit *l, uint64_t now)
{
    uint64_t full = l->burst * second, passed = now - l->then;

    /* The time is compared before it is multiplied: an hour's worth of tokens may not fit. */
    if (passed / second > l->burst / l->rate || l->credit + passed * l->rate > full)
        l->credit = full;
    else
        l->credit += passed * l->rate;
    l->then = now;
}

uint32_t srv_limit_left(struct srv_limit *l, uint64_t now)
{
    refill(l, now);
    return (uint32_t)(l->credit / second);
}

bool srv_limit_take(struct srv_limit *l, uint32_t n, uint64_t now)
{
    if (srv_limit_left(l, now) < n)
        return false;
    l->credit -= n * second;
    return true;
}

uint64_t srv_limit_wait(struct srv_limit *l, uint64_t now)
{
    return srv_limit_left(l, now) > 0 ? 0 : (second - l->credit) / l->rate + 1;
}
