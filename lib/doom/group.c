/* SPDX-License-Identifier: GPL-2.0-or-later */
/* group.c - the lines of each sector, the blocks that a sector's height change concerns, and the reject table's
 * padding. */
#include "group.h"

#include <stdlib.h>
#include <string.h>

static int total_lines(const struct level *lev)
{
    int n = 0;
    for (int i = 0; i < lev->nlines; i++)
        n += 1 + (lev->lines[i].back && lev->lines[i].back != lev->lines[i].front);
    return n;
}

static void give_line(struct sector *s, struct line *l)
{
    s->lines[s->nlines++] = l;
}

/* The executable's box grows to the right only where a point does not move its left edge: a box whose rightmost vertex
 * came first would stay too small. It is kept, since the blocks that a mover looks at hang on it. */
static void stretch(fixed box[4], const struct vertex *v)
{
    if (v->x < box[BOXLEFT])
        box[BOXLEFT] = v->x;
    else if (v->x > box[BOXRIGHT])
        box[BOXRIGHT] = v->x;
    if (v->y < box[BOXBOTTOM])
        box[BOXBOTTOM] = v->y;
    else if (v->y > box[BOXTOP])
        box[BOXTOP] = v->y;
}

static int32_t block_of(fixed v, fixed origin, fixed margin)
{
    return wrap_add(wrap_sub(v, origin), margin) >> MAPBLOCKSHIFT;
}

static void bound(const struct level *lev, struct sector *s)
{
    fixed box[4] = {[BOXTOP] = INT32_MIN, [BOXBOTTOM] = INT32_MAX, [BOXLEFT] = INT32_MAX, [BOXRIGHT] = INT32_MIN};
    for (int i = 0; i < s->nlines; i++) {
        stretch(box, s->lines[i]->v1);
        stretch(box, s->lines[i]->v2);
    }
    int32_t top = block_of(box[BOXTOP], lev->bmorgy, MAXRADIUS),
            bottom = block_of(box[BOXBOTTOM], lev->bmorgy, -MAXRADIUS);
    int32_t right = block_of(box[BOXRIGHT], lev->bmorgx, MAXRADIUS),
            left = block_of(box[BOXLEFT], lev->bmorgx, -MAXRADIUS);
    s->blockbox[BOXTOP] = top >= lev->bmheight ? lev->bmheight - 1 : top;
    s->blockbox[BOXBOTTOM] = bottom < 0 ? 0 : bottom;
    s->blockbox[BOXRIGHT] = right >= lev->bmwidth ? lev->bmwidth - 1 : right;
    s->blockbox[BOXLEFT] = left < 0 ? 0 : left;
}

int group_lines(struct doom *d, struct dh_err *e)
{
    struct level *lev = &d->lev;
    lev->sectorlines = calloc((size_t)total_lines(lev) + 1, sizeof(struct line *));
    if (!lev->sectorlines)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    for (int i = 0; i < lev->nlines; i++) {
        const struct line *l = &lev->lines[i];
        lev->oddlines |= !l->back && (l->flags & ML_TWOSIDED);
        l->front->nlines++;
        if (l->back && l->back != l->front)
            l->back->nlines++;
    }
    struct line **next = lev->sectorlines;
    for (int i = 0; i < lev->nsectors; i++) {
        lev->sectors[i].lines = next;
        next += lev->sectors[i].nlines;
        lev->sectors[i].nlines = 0;
    }
    for (int i = 0; i < lev->nlines; i++) {
        struct line *l = &lev->lines[i];
        give_line(l->front, l);
        if (l->back && l->back != l->front)
            give_line(l->back, l);
    }
    for (int i = 0; i < lev->nsectors; i++)
        bound(lev, &lev->sectors[i]);
    return 0;
}

int group_reject(struct doom *d, const uint8_t *p, size_t size, struct dh_err *e)
{
    struct level *lev = &d->lev;
    size_t need = ((size_t)lev->nsectors * (size_t)lev->nsectors + 7) / 8;
    lev->reject = p;
    if (size >= need)
        return 0;
    if (!(lev->longreject = calloc(need, 1)))
        return dh_fail(e, DH_TROUBLE, "out of memory");
    memcpy(lev->longreject, p, size);
    /* A short lump lay before the sector line lists in memory: their zone header comes next (its size, no owner, the
     * level's tag, the zone's mark); what lay behind is not known, and zero (nothing rejected) is chocolate-doom's
     * choice. */
    const uint32_t header[4] = {(((uint32_t)total_lines(lev) * 4 + 3) & ~3u) + 24, 0, 50, 0x1d4a11};
    for (size_t i = 0; i < sizeof header && size + i < need; i++)
        lev->longreject[size + i] = (uint8_t)(header[i / 4] >> (8 * (i % 4)));
    lev->reject = lev->longreject;
    return 0;
}
