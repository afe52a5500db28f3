/* SPDX-License-Identifier: ISC */
#include "info/signs.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_TURN = 1280 };

/* By class + 1, 0 for the games that have none: how fast a player can be at all, and sideways by a key. */
static const struct {
    int32_t most, side_key;
} limits[] = {{50, 40}, {60, 59}, {50, 40}, {45, 37}};

void signs_begin(struct signs *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < SIGNS_SLOTS; i++)
        s->slots[i].still = true;
}

void signs_class(struct signs *s, unsigned slot, int64_t class)
{
    if (slot < SIGNS_SLOTS && class >= 0 && class <= 2)
        s->slots[slot].class = (uint8_t)(1 + class);
}

void signs_input(struct signs *s, unsigned slot, int32_t forward, int32_t side, int32_t turn)
{
    if (slot >= SIGNS_SLOTS)
        return;
    struct sign_slot *p = &s->slots[slot];
    int32_t most = limits[p->class].most;

    if (abs(forward) > most || abs(side) > most)
        s->turbo++;
    else if (abs(side) > limits[p->class].side_key && turn != 0)
        s->strafe50++;
    if (turn == 0 && abs(p->last) > KEY_TURN && p->still)
        s->onetic++;
    p->still = p->last == 0;
    p->last = turn;
}

void signs_end(const struct signs *s, struct row *i)
{
    row_number(i, INFO_TURBO, (int64_t)s->turbo);
    row_number(i, INFO_STRAFE50, (int64_t)s->strafe50);
    row_number(i, INFO_ONETIC, (int64_t)s->onetic);
}
