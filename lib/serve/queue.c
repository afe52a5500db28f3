/* SPDX-License-Identifier: ISC */
#include "queue.h"

#include <math.h>
#include <string.h>

void srv_queue_reset(struct srv_queue *q, uint32_t now)
{
    q->now = now;
    memset(q->there, 0, sizeof q->there);
    q->has_last = false;
    q->starved = 0;
}

static enum srv_verdict judge(const struct srv_queue *q, uint32_t tick)
{
    if (tick < q->now)
        return SRV_LATE;
    if (tick - q->now >= SRV_AHEAD)
        return SRV_EARLY;
    return q->there[tick % SRV_AHEAD] ? SRV_DUPLICATE : SRV_TAKEN;
}

enum srv_verdict srv_queue_put(struct srv_queue *q, uint32_t tick, const struct nat_input *in)
{
    enum srv_verdict v = judge(q, tick);

    if (v == SRV_TAKEN) {
        q->there[tick % SRV_AHEAD] = true;
        q->inputs[tick % SRV_AHEAD] = *in;
    }
    q->got[v]++;
    return v;
}

enum srv_verdict srv_queue_append(struct srv_queue *q, const struct nat_input *in)
{
    return srv_queue_put(q, q->now + srv_queue_ready(q), in);
}

uint32_t srv_queue_ready(const struct srv_queue *q)
{
    uint32_t n = 0;

    while (n < SRV_AHEAD && q->there[(q->now + n) % SRV_AHEAD])
        n++;
    return n;
}

struct nat_input srv_queue_take(struct srv_queue *q, uint32_t hold)
{
    struct nat_input in = {.yaw = NAN, .pitch = NAN, .source = NAT_NEUTRAL};
    uint32_t i = q->now++ % SRV_AHEAD;

    if (q->there[i]) {
        q->there[i] = false;
        in = q->inputs[i];
        in.source = NAT_RECEIVED;
        q->last = in;
        q->has_last = true;
        q->starved = 0;
    } else if (q->has_last && q->starved < hold) {
        in = q->last;
        in.source = NAT_HELD;
        q->starved++;
    }
    q->ran[in.source]++;
    return in;
}
