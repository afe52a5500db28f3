/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blockmap.c - which things are where: the lists of each sector and of each block of 128 x 128 units.
 *
 * A thing enters at the head of its lists; every walk sees the latest comer first, and the order of hits, pick-ups and
 * random draws follows from it. Whether a thing is in a list is known by its flags alone, so a thing whose flags change
 * must leave before and enter after.
 */
#include "lanes.h"
#include "space.h"

static bool modest(fixed x)
{
    return x >= -FX(MODEST) && x <= FX(MODEST);
}

static bool all_modest(const struct level *v)
{
    for (int i = 0; i < v->nvertexes; i++)
        if (!modest(v->vertexes[i].x) || !modest(v->vertexes[i].y))
            return false;
    return true;
}

static void fill_box(struct blocklines *b, int i, const struct line *l)
{
    b->left[i] = (int16_t)(l->bbox[BOXLEFT] >> FX_BITS); /* vertices are in whole units */
    b->right[i] = (int16_t)(l->bbox[BOXRIGHT] >> FX_BITS);
    b->bottom[i] = (int16_t)(l->bbox[BOXBOTTOM] >> FX_BITS);
    b->top[i] = (int16_t)(l->bbox[BOXTOP] >> FX_BITS);
}

static void fill_middle(struct blocklines *b, int i, const struct line *l)
{
    b->dx[i] = (float)(l->dx / FX_ONE) / 2;
    b->dy[i] = (float)(l->dy / FX_ONE) / 2;
    b->x[i] = (float)(l->v1->x / FX_ONE) + b->dx[i];
    b->y[i] = (float)(l->v1->y / FX_ONE) + b->dy[i];
}

int block_lines_init(struct level *v, int words)
{
    struct blocklines *b = &v->bm;
    const size_t n = (size_t)words + LANES;
    const bool middles = all_modest(v);
    if (!(b->left = calloc(n, 4 * sizeof *b->left)) || (middles && !(b->x = calloc(n, 4 * sizeof *b->x))))
        return -1;
    b->right = b->left + n;
    b->bottom = b->right + n;
    b->top = b->bottom + n;
    if (middles) {
        b->y = b->x + n;
        b->dx = b->y + n;
        b->dy = b->dx + n;
    }
    for (int i = 0; i < words; i++) {
        if (b->line[i] < 0 || b->line[i] >= v->nlines)
            continue;
        fill_box(b, i, &v->lines[b->line[i]]);
        if (middles)
            fill_middle(b, i, &v->lines[b->line[i]]);
    }
    return 0;
}

int block_count(const struct level *lev)
{
    return lev->nblocks ? lev->nblocks : lev->bmwidth * lev->bmheight;
}

static struct mobj **block_head(struct doom *d, const struct mobj *mo)
{
    int bx = block_x(d, mo->x), by = block_y(d, mo->y);
    return block_inside(&d->lev, bx, by) ? &d->lev.blocklinks[by * d->lev.bmwidth + bx] : NULL;
}

void block_link(struct doom *d, struct mobj *mo)
{
    block_link_in(d, mo, bsp_subsector(d, mo->x, mo->y));
}

void block_link_in(struct doom *d, struct mobj *mo, struct subsector *sub)
{
    mo->subsector = sub;

    if (!(mo->flags & MF_NOSECTOR)) {
        struct sector *s = mo->subsector->sector;
        mo->sprev = NULL;
        mo->snext = s->things;
        if (s->things)
            s->things->sprev = mo;
        s->things = mo;
    }

    if (!(mo->flags & MF_NOBLOCKMAP)) {
        struct mobj **head = block_head(d, mo);
        mo->bprev = NULL;
        mo->bnext = head ? *head : NULL;
        if (head) {
            if (*head)
                (*head)->bprev = mo;
            *head = mo;
        }
        crowd_enter(d, mo);
    }
}

void block_set_head(struct doom *d, struct mobj *mo)
{
    struct mobj **head = block_head(d, mo);
    if (head)
        *head = mo;
}

void block_strays(struct doom *d, const struct mobj *mo)
{
    if (!(mo->flags & MF_NOBLOCKMAP))
        d->lev.strays = true;
}

/* The thing keeps its own links: a walk that stands on it goes on from there. */
void block_unlink(struct doom *d, struct mobj *mo)
{
    if (!(mo->flags & MF_NOSECTOR)) {
        if (mo->snext)
            mo->snext->sprev = mo->sprev;
        if (mo->sprev)
            mo->sprev->snext = mo->snext;
        else
            mo->subsector->sector->things = mo->snext;
    }

    if (!(mo->flags & MF_NOBLOCKMAP)) {
        crowd_leave(d, mo);
        if (mo->bnext)
            mo->bnext->bprev = mo->bprev;
        if (mo->bprev) {
            mo->bprev->bnext = mo->bnext;
        } else {
            struct mobj **head = block_head(d, mo);
            if (head)
                *head = mo->bnext;
        }
    }
}

bool block_things(struct doom *d, int bx, int by, bool (*fn)(struct doom *, struct mobj *))
{
    return block_each_thing(d, bx, by, fn);
}
