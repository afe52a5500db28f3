/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blockstate.c - the lists of things by block, in a state.
 *
 * They follow from each thing's next one, which is a member of it, as long as every thing is in the list of the block
 * that it stands in. Two oddities break that: an overrun that moves the blockmap under its things (overrun.c), and a
 * thing that moves without leaving its list, which takes a DEHACKED patch. Then the lists' heads and the things' former
 * ones are put into the state as well.
 */
#include "snapshot.h"
#include "space.h"

static bool in_no_list(const struct mobj *mo)
{
    return mo->flags & MF_NOBLOCKMAP;
}

/* Both neighbours know of it; and a list that begins with it is that of its block. */
static bool thing_plain(const struct doom *d, const struct mobj *mo)
{
    if (in_no_list(mo))
        return !mo->bnext && !mo->bprev;
    if (mo->bnext && (mo->bnext->bprev != mo || mo->bnext->th.removed))
        return false;
    if (mo->bprev)
        return mo->bprev->bnext == mo && !mo->bprev->th.removed;
    const int bx = block_x(d, mo->x), by = block_y(d, mo->y);
    return !block_inside(&d->lev, bx, by) || d->lev.blocklinks[by * d->lev.bmwidth + bx] == mo;
}

/* A head is the first of its list, and alive: then thing_plain has looked at it, and it is that of its own block. */
static bool head_plain(const struct doom *d, int block)
{
    const struct mobj *mo = d->lev.blocklinks[block];
    return !mo || (!mo->th.removed && !mo->bprev && block_y(d, mo->y) * d->lev.bmwidth + block_x(d, mo->x) == block);
}

bool block_lists_plain(struct doom *d)
{
    if (d->lev.nblocks)
        return false;
    for (int i = 0; i < block_count(&d->lev); i++)
        if (!head_plain(d, i))
            return false;
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo))
        if (!thing_plain(d, mo))
            return false;
    return true;
}
