/* SPDX-License-Identifier: ISC */
/*
 * address.c - whom a savegame's pointers mean.
 *
 * A savegame has no address of a thing in it, only those of its neighbours in three lists: thinkers, the things of its
 * sector, the things of its block. What stands alone between two others has the one's `next` and the other's `prev`;
 * from there on a known address tells those of its neighbours. Some thinkers are not in the file at all (flickering
 * lights), so the lists have holes, and three of them are better than one.
 */
#include "savelines.h"

enum { LISTS = 3 };

static bool tell(struct links *l, uint32_t address)
{
    if (l->self || !address)
        return false;
    l->self = address;
    return true;
}

/* What x's address and links say of y. */
static bool learn(const struct links *x, struct links *y)
{
    bool news = false;
    for (int k = 0; k < LISTS; k++) {
        if (y->prev[k] == x->self)
            news |= tell(y, x->next[k]);
        if (y->next[k] == x->self)
            news |= tell(y, x->prev[k]);
    }
    return news;
}

void addresses_find(struct links *l, int n, int all)
{
    for (int i = 1; i + 1 < n; i++)
        if (l[i - 1].next[0] == l[i + 1].prev[0])
            tell(&l[i], l[i - 1].next[0]);
    for (bool news = true; news;) {
        news = false;
        for (int i = 0; i < all; i++)
            for (int k = 0; k < all && l[i].self; k++)
                if (!l[k].self)
                    news |= learn(&l[i], &l[k]);
    }
    /* What is left: one of the two may be a special's address, at which nothing points. */
    for (int i = 1; i < n; i++)
        if (!l[i].self && address_place(l, n, l[i - 1].next[0]) == GONE)
            l[i].self = l[i - 1].next[0];
}

int address_place(const struct links *l, int n, uint32_t address)
{
    if (!address)
        return NOBODY;
    for (int i = 0; i < n; i++)
        if (l[i].self == address)
            return i;
    return GONE;
}
