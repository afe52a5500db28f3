/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overrun.c - what the executable wrote past the ends of two of its arrays, and which of its variables lay there.
 *
 * Demos run on after it, so it is behaviour. Where what was written is an address, no replay can have it: the
 * executable's own addresses hung on the machine's memory. For lines there is one base that most recorded demos agree
 * with (LINE_ADDRESS, or what a demo's footer says); other addresses are taken as 0. The layout was found out by Andrey
 * Budko, by trial on the executables.
 */
#include <string.h>

#include "space.h"

#define LINE_SIZE 0x3eu

/* Lines beyond the eighth: the box that is being checked, and then the two answers of a sector's height change. */
void overrun_spechit(struct doom *d, struct line *l)
{
    struct trymove *tm = &d->tm;
    uint32_t address = d->line_address + (uint32_t)l->index * LINE_SIZE;
    switch (tm->nspechit - MAXSPECHIT) {
    case 1:
    case 2:
    case 3:
    case 4:
        tm->bbox[tm->nspechit - MAXSPECHIT - 1] = (int32_t)address;
        break;
    case 5:
        tm->crush = address != 0;
        break;
    case 6:
        tm->nofit = address != 0;
        break;
    default: /* what lay farther on is not known */
        break;
    }
}

/* Words past the intercepts' end. What is not named was of no consequence, or is not known. */
enum {
    W_LOWFLOOR = 3,
    W_OPENBOTTOM,
    W_OPENTOP,
    W_OPENRANGE,
    W_BULLETSLOPE = 40,
    W_STARTS = 44,
    W_STARTS_END = 54,
    W_BMWIDTH = 55,
    W_BMORGX = 57,
    W_BMORGY,
    W_BMHEIGHT = 60
};

static int32_t *variable_at(struct doom *d, int word)
{
    switch (word) {
    case W_LOWFLOOR:
        return &d->open.lowfloor;
    case W_OPENBOTTOM:
        return &d->open.bottom;
    case W_OPENTOP:
        return &d->open.top;
    case W_OPENRANGE:
        return &d->open.range;
    case W_BULLETSLOPE:
        return &d->bulletslope;
    case W_BMWIDTH:
        return &d->lev.bmwidth;
    case W_BMHEIGHT:
        return &d->lev.bmheight;
    case W_BMORGX:
        return &d->lev.bmorgx;
    case W_BMORGY:
        return &d->lev.bmorgy;
    default:
        return NULL;
    }
}

static void write_start(struct doom *d, int word, int32_t value)
{
    int16_t halves[2] = {(int16_t)value, (int16_t)(value >> 16)};
    memcpy((char *)d->playerstarts + (size_t)(word - W_STARTS) * sizeof halves, halves, sizeof halves);
}

_Static_assert(sizeof(struct mapthing) == 10 && MAXPLAYERS * sizeof(struct mapthing) == 4 * (W_STARTS_END - W_STARTS),
               "the players' starts lie there word by word");

static void write_word(struct doom *d, int word, int32_t value)
{
    if (word >= W_STARTS && word < W_STARTS_END) {
        write_start(d, word, value);
        return;
    }
    int32_t *at = variable_at(d, word);
    if (at)
        *at = value;
}

/*
 * The famous one: at the nineteenth too many the blockmap's width becomes 0 or 1, and things walk and shoot through
 * each other from then on. The height is kept within the memory that there is.
 */
void overrun_intercepts(struct doom *d, const struct intercept *in, int n)
{
    struct level *v = &d->lev;
    if (v->nblocks == 0)
        v->nblocks = v->bmwidth * v->bmheight;
    int word = (n - MAXINTERCEPTS - 1) * 3;
    if (word > W_BMHEIGHT)
        return;
    write_word(d, word, in->frac);
    write_word(d, word + 1, in->line != NULL);
    write_word(d, word + 2, 0);
    if (v->bmwidth > 0 && v->bmheight > v->nblocks / v->bmwidth)
        v->bmheight = v->nblocks / v->bmwidth;
}
