/* SPDX-License-Identifier: ISC */
/*
 * queue.h - the inputs of one player that wait for their ticks, and what a tick runs where there is none.
 *
 * A tick takes exactly one input. Inputs are sent for a tick by its number, from the next one to SRV_AHEAD - 1 later.
 * Where none came in time the last one is held for some ticks (a packet that was lost is not a key that was let go),
 * then the player is neutral: no move, no buttons, looking where it looked.
 */
#ifndef SRV_QUEUE_H
#define SRV_QUEUE_H

#include "native/native.h"

#define SRV_AHEAD 32

enum srv_verdict {
    SRV_TAKEN,
    SRV_LATE,      /* its tick was run already */
    SRV_DUPLICATE, /* its tick has one: the first stands */
    SRV_EARLY,     /* its tick is too far ahead */
    SRV_LIMITED,   /* too many a second: not even looked at (for the count; a queue does not say it) */
    SRV_VERDICTS
};

struct srv_queue {
    uint32_t now; /* the tick that the next take is for */
    bool there[SRV_AHEAD];
    struct nat_input inputs[SRV_AHEAD]; /* of tick t at t % SRV_AHEAD */
    struct nat_input last;
    bool has_last;
    uint32_t starved;           /* ticks in a row without an input */
    uint64_t ran[3];            /* by enum nat_source: ticks that ran such an input */
    uint64_t got[SRV_VERDICTS]; /* inputs by what became of them */
};

/* Empty, and from tick now on. The counts stay. */
void srv_queue_reset(struct srv_queue *q, uint32_t now);

/* Put the input of a tick, or of the first tick that has none, in; and count it. */
enum srv_verdict srv_queue_put(struct srv_queue *q, uint32_t tick, const struct nat_input *in);
enum srv_verdict srv_queue_append(struct srv_queue *q, const struct nat_input *in);

/* The input of tick q->now, its source set; an angle that nobody gave is NaN. q->now moves on. hold: for how many ticks
 * the last input is repeated. */
struct nat_input srv_queue_take(struct srv_queue *q, uint32_t hold);

/* How many ticks from q->now on have their input without a gap. */
uint32_t srv_queue_ready(const struct srv_queue *q);

#endif
