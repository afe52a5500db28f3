/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rng.c - the play sequence of random numbers: one table, one index, nothing else. */
#include "play.h"

const uint8_t rng_table[256] = {
#include "random.def"
};

int rng_next(struct doom *d)
{
    d->prndindex++; /* before the look-up: the table's first number comes last */
    return rng_table[d->prndindex];
}

int rng_diff(struct doom *d)
{
    int first = rng_next(d);
    return first - rng_next(d);
}
