/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * level.c - loading a map. Every size and every reference is checked here, once; the rest of the world trusts them.
 *
 * Where a map breaks the rules but the executable plays it all the same (a two-sided line without a back side, a short
 * reject table), it is loaded the way that the executable saw it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "play.h"

/* The ten lumps that follow a map's marker. */
enum {
    ML_THINGS = 1,
    ML_LINEDEFS,
    ML_SIDEDEFS,
    ML_VERTEXES,
    ML_SEGS,
    ML_SSECTORS,
    ML_NODES,
    ML_SECTORS,
    ML_REJECT,
    ML_BLOCKMAP,
    ML_END
};
static const struct {
    const char *name;
    int record;
} lump_types[ML_END] = {
    {"", 0},         {"THINGS", 10}, {"LINEDEFS", 14}, {"SIDEDEFS", 30}, {"VERTEXES", 4}, {"SEGS", 12},
    {"SSECTORS", 4}, {"NODES", 28},  {"SECTORS", 26},  {"REJECT", 1},    {"BLOCKMAP", 2},
};

struct loader {
    struct doom *d;
    struct level *lev;
    struct dh_err *e;
    const char *map;
    const struct lump *lumps[ML_END];
    int n[ML_END];
};

static int16_t s16(const uint8_t *p)
{
    return (int16_t)(p[0] | p[1] << 8);
}

static int u16(const uint8_t *p)
{
    return p[0] | p[1] << 8;
}

__attribute__((format(printf, 4, 5))) static int bad(const struct loader *ld, int kind, int i, const char *fmt, ...)
{
    char what[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    const struct lump *l = ld->lumps[kind];
    return dh_fail(ld->e, DH_TROUBLE, "%s: map %s: %s record %d (byte %ld of the lump): %s",
                   wad_filename(ld->d->wad, l->file), ld->map, lump_types[kind].name, i,
                   (long)i * lump_types[kind].record, what);
}

/* An index from the file: `what` names the kind of thing that it should point at. */
static int check(const struct loader *ld, int kind, int i, const char *what, int found, int count)
{
    if (found >= 0 && found < count)
        return 0;
    return bad(ld, kind, i, "expected a %s below %d, found %d", what, count, found);
}

static int find_lumps(struct loader *ld)
{
    const struct wad *w = ld->d->wad;
    int at = wad_find(w, ld->map);
    if (at < 0)
        return dh_fail(ld->e, DH_TROUBLE, "map %s: not in the WAD files given", ld->map);
    for (int k = ML_THINGS; k < ML_END; k++) {
        const struct lump *l = wad_lump(w, at + k);
        if (!l || strcmp(l->name, lump_types[k].name) != 0)
            return dh_fail(ld->e, DH_TROUBLE, "%s: map %s: expected lump %s after the marker, found %s",
                           wad_filename(w, wad_lump(w, at)->file), ld->map, lump_types[k].name,
                           l ? l->name : "the end of the directory");
        if (l->size % (uint32_t)lump_types[k].record)
            return dh_fail(ld->e, DH_TROUBLE,
                           "%s: map %s: lump %s has %lu bytes, not a multiple of its %d-byte records",
                           wad_filename(w, l->file), ld->map, l->name, (unsigned long)l->size, lump_types[k].record);
        ld->lumps[k] = l;
        ld->n[k] = (int)(l->size / (uint32_t)lump_types[k].record);
    }
    static const int needed[] = {ML_LINEDEFS, ML_SIDEDEFS, ML_VERTEXES, ML_SEGS, ML_SSECTORS, ML_SECTORS};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (ld->n[needed[i]] == 0)
            return dh_fail(ld->e, DH_TROUBLE, "%s: map %s: lump %s is empty",
                           wad_filename(w, ld->lumps[needed[i]]->file), ld->map, lump_types[needed[i]].name);
    return 0;
}

static const uint8_t *record(const struct loader *ld, int kind, int i)
{
    return ld->lumps[kind]->p + (size_t)i * (size_t)lump_types[kind].record;
}

static void *array(struct loader *ld, int count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    if (!p)
        dh_fail(ld->e, DH_TROUBLE, "out of memory");
    return p;
}

static int load_vertexes(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (!(lev->vertexes = array(ld, lev->nvertexes = ld->n[ML_VERTEXES], sizeof *lev->vertexes)))
        return -1;
    for (int i = 0; i < lev->nvertexes; i++) {
        const uint8_t *p = record(ld, ML_VERTEXES, i);
        lev->vertexes[i] = (struct vertex){FX(s16(p)), FX(s16(p + 2))};
    }
    return 0;
}

static int flat(struct loader *ld, const uint8_t *name)
{
    return tex_flat(ld->d->tex, (const char *)name);
}

static int load_sectors(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (!(lev->sectors = array(ld, lev->nsectors = ld->n[ML_SECTORS], sizeof *lev->sectors)))
        return -1;
    for (int i = 0; i < lev->nsectors; i++) {
        const uint8_t *p = record(ld, ML_SECTORS, i);
        struct sector *s = &lev->sectors[i];
        s->floor = FX(s16(p));
        s->ceiling = FX(s16(p + 2));
        s->floorpic = (int16_t)flat(ld, p + 4);
        s->ceilingpic = (int16_t)flat(ld, p + 12);
        s->light = s16(p + 20);
        s->special = s16(p + 22);
        s->tag = s16(p + 24);
        s->index = i;
    }
    return 0;
}

static int load_sides(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (!(lev->sides = array(ld, lev->nsides = ld->n[ML_SIDEDEFS], sizeof *lev->sides)))
        return -1;
    for (int i = 0; i < lev->nsides; i++) {
        const uint8_t *p = record(ld, ML_SIDEDEFS, i);
        struct side *s = &lev->sides[i];
        int16_t *const walls[] = {&s->top, &s->bottom, &s->mid};
        s->xoff = FX(s16(p));
        s->yoff = FX(s16(p + 2));
        for (int k = 0; k < 3; k++) {
            const char *name = (const char *)p + 4 + 8 * k;
            int n = tex_wall(ld->d->tex, name);
            if (n < 0)
                return bad(ld, ML_SIDEDEFS, i, "texture %.8s is not in the WAD files given (is one missing?)", name);
            *walls[k] = (int16_t)n;
        }
        /* mm.wad's MAP16 has one with sector -1 that no line uses: a fault only where a line does */
        s->sector = u16(p + 28) < lev->nsectors ? &lev->sectors[u16(p + 28)] : NULL;
        s->index = i;
    }
    return 0;
}

static enum slope slope_of(const struct line *l)
{
    if (l->dx == 0)
        return SLOPE_VERTICAL;
    if (l->dy == 0)
        return SLOPE_HORIZONTAL;
    return fx_div(l->dy, l->dx) > 0 ? SLOPE_POSITIVE : SLOPE_NEGATIVE;
}

static int load_lines(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (!(lev->lines = array(ld, lev->nlines = ld->n[ML_LINEDEFS], sizeof *lev->lines)))
        return -1;
    for (int i = 0; i < lev->nlines; i++) {
        const uint8_t *p = record(ld, ML_LINEDEFS, i);
        struct line *l = &lev->lines[i];
        if (check(ld, ML_LINEDEFS, i, "vertex", u16(p), lev->nvertexes) != 0 ||
            check(ld, ML_LINEDEFS, i, "vertex", u16(p + 2), lev->nvertexes) != 0)
            return -1;
        l->v1 = &lev->vertexes[u16(p)];
        l->v2 = &lev->vertexes[u16(p + 2)];
        l->dx = wrap_sub(l->v2->x, l->v1->x);
        l->dy = wrap_sub(l->v2->y, l->v1->y);
        l->slope = slope_of(l);
        l->bbox[BOXLEFT] = l->v1->x < l->v2->x ? l->v1->x : l->v2->x;
        l->bbox[BOXRIGHT] = l->v1->x < l->v2->x ? l->v2->x : l->v1->x;
        l->bbox[BOXBOTTOM] = l->v1->y < l->v2->y ? l->v1->y : l->v2->y;
        l->bbox[BOXTOP] = l->v1->y < l->v2->y ? l->v2->y : l->v1->y;
        l->flags = s16(p + 4);
        l->special = s16(p + 6);
        l->tag = s16(p + 8);
        l->index = i;
        for (int k = 0; k < 2; k++) {
            int side = u16(p + 10 + 2 * k);
            l->sidenum[k] = side == 0xffff ? -1 : side;
            if (side == 0xffff && k == 1)
                continue;
            if (check(ld, ML_LINEDEFS, i, "side", side, lev->nsides) != 0)
                return -1;
            if (!lev->sides[side].sector)
                return bad(ld, ML_LINEDEFS, i, "its side %d is of sector %d, expected one below %d", side,
                           u16(record(ld, ML_SIDEDEFS, side) + 28), lev->nsectors);
            *(k ? &l->back : &l->front) = lev->sides[side].sector;
        }
    }
    return 0;
}

static int load_segs(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (!(lev->segs = array(ld, lev->nsegs = ld->n[ML_SEGS], sizeof *lev->segs)))
        return -1;
    for (int i = 0; i < lev->nsegs; i++) {
        const uint8_t *p = record(ld, ML_SEGS, i);
        struct seg *s = &lev->segs[i];
        int side = u16(p + 8);
        if (check(ld, ML_SEGS, i, "vertex", u16(p), lev->nvertexes) != 0 ||
            check(ld, ML_SEGS, i, "vertex", u16(p + 2), lev->nvertexes) != 0 ||
            check(ld, ML_SEGS, i, "line", u16(p + 6), lev->nlines) != 0 ||
            check(ld, ML_SEGS, i, "side of the line", side, 2) != 0)
            return -1;
        s->v1 = &lev->vertexes[u16(p)];
        s->v2 = &lev->vertexes[u16(p + 2)];
        s->line = &lev->lines[u16(p + 6)];
        s->front = side ? s->line->back : s->line->front;
        if (!s->front)
            return bad(ld, ML_SEGS, i, "runs along the back of line %d, which has no back side", s->line->index);
        if (s->line->flags & ML_TWOSIDED) {
            s->back = side ? s->line->front : s->line->back;
            if (!s->back) /* the executable read a sector out of the memory at address zero */
                s->back = &lev->sectors[lev->nsectors];
        }
    }
    /* What lay there under DOS, by chocolate-doom's memory image. Only its heights are ever read, by the line of sight.
     */
    lev->sectors[lev->nsectors].floor = 0x00199257;
    lev->sectors[lev->nsectors].ceiling = 0x007006f4;
    lev->sectors[lev->nsectors].index = -1;
    return 0;
}

static int load_subsectors(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (!(lev->subsectors = array(ld, lev->nsubsectors = ld->n[ML_SSECTORS], sizeof *lev->subsectors)))
        return -1;
    for (int i = 0; i < lev->nsubsectors; i++) {
        const uint8_t *p = record(ld, ML_SSECTORS, i);
        struct subsector *s = &lev->subsectors[i];
        s->nsegs = u16(p);
        s->firstseg = u16(p + 2);
        if (check(ld, ML_SSECTORS, i, "seg", s->firstseg, lev->nsegs) != 0)
            return -1;
        if (s->nsegs > lev->nsegs - s->firstseg)
            return bad(ld, ML_SSECTORS, i, "%d segs from seg %d on, but there are %d segs", s->nsegs, s->firstseg,
                       lev->nsegs);
        s->sector = lev->segs[s->firstseg].front;
    }
    return 0;
}

static int load_nodes(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (ld->n[ML_NODES] > NF_SUBSECTOR)
        return bad(ld, ML_NODES, NF_SUBSECTOR, "more nodes than a child can name");
    if (!(lev->nodes = array(ld, lev->nnodes = ld->n[ML_NODES], sizeof *lev->nodes)))
        return -1;
    for (int i = 0; i < lev->nnodes; i++) {
        const uint8_t *p = record(ld, ML_NODES, i);
        struct node *n = &lev->nodes[i];
        n->line = (struct partition){s16(p), s16(p + 2), s16(p + 4), s16(p + 6)};
        for (int k = 0; k < 2; k++) {
            int child = u16(p + 24 + 2 * k);
            n->child[k] = (uint16_t)child;
            if (child & NF_SUBSECTOR ? check(ld, ML_NODES, i, "subsector", child & ~NF_SUBSECTOR, lev->nsubsectors) != 0
                                     : check(ld, ML_NODES, i, "node", child, lev->nnodes) != 0)
                return -1;
        }
    }
    return 0;
}

/* A tree in which a node is met twice would send the walks round for ever. */
static int check_tree(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (lev->nnodes == 0)
        return 0;
    uint16_t *stack = array(ld, lev->nnodes * 2, sizeof *stack);
    uint8_t *seen = array(ld, lev->nnodes, 1);
    int depth = 0, result = stack && seen ? 0 : -1;
    if (result == 0)
        stack[depth++] = (uint16_t)(lev->nnodes - 1);
    while (result == 0 && depth > 0) {
        int i = stack[--depth];
        if (seen[i]++) {
            result = bad(ld, ML_NODES, i, "reached twice from the root: the tree has a cycle");
            break;
        }
        for (int k = 0; k < 2; k++)
            if (!(lev->nodes[i].child[k] & NF_SUBSECTOR))
                stack[depth++] = lev->nodes[i].child[k];
    }
    free(stack);
    free(seen);
    return result;
}

static int load_things(struct loader *ld)
{
    struct level *lev = ld->lev;
    if (!(lev->things = array(ld, lev->nthings = ld->n[ML_THINGS], sizeof *lev->things)))
        return -1;
    for (int i = 0; i < lev->nthings; i++) {
        const uint8_t *p = record(ld, ML_THINGS, i);
        lev->things[i] = (struct mapthing){s16(p), s16(p + 2), s16(p + 4), s16(p + 6), s16(p + 8)};
    }
    return 0;
}

/* A block's offset points at its list within the lump, in words: line numbers up to -1. The executable does not skip
 * the 0 that every list begins with, so line 0 is in each block; the lists are kept as they are. */
static int load_blockmap(struct loader *ld)
{
    struct level *lev = ld->lev;
    const uint8_t *p = ld->lumps[ML_BLOCKMAP]->p;
    int words = ld->n[ML_BLOCKMAP];
    if (words < 4)
        return bad(ld, ML_BLOCKMAP, 0, "%d words, but the header alone has 4", words);
    lev->bmorgx = FX(s16(p));
    lev->bmorgy = FX(s16(p + 2));
    lev->bmwidth = u16(p + 4);
    lev->bmheight = u16(p + 6);
    int64_t blocks = (int64_t)lev->bmwidth * lev->bmheight;
    if (blocks == 0 || blocks > words - 4)
        return bad(ld, ML_BLOCKMAP, 2, "%d x %d blocks do not fit into %d words", lev->bmwidth, lev->bmheight, words);
    lev->bmlists = array(ld, (int)blocks, sizeof *lev->bmlists);
    lev->blocklinks = array(ld, (int)blocks, sizeof(struct mobj *));
    lev->bm.line = array(ld, words, sizeof *lev->bm.line);
    int32_t *left =
        array(ld, words, sizeof *left); /* by word: lines to the list's end, -1 where it has none in range */
    if (!lev->bmlists || !lev->blocklinks || !lev->bm.line || !left) {
        free(left);
        return -1;
    }
    left[words] = -1;
    for (int i = words - 1; i >= 4 + blocks; i--) {
        const int word = u16(p + 2 * (size_t)i);
        lev->bm.line[i] = word == 0xffff ? -1 : word;
        left[i] = word == 0xffff ? 0 : word < lev->nlines && left[i + 1] >= 0 ? left[i + 1] + 1 : -1;
    }
    int result = 0;
    for (int i = 0; i < blocks && result == 0; i++) {
        int at = u16(p + 8 + 2 * (size_t)i);
        if (at < 4 + blocks || at >= words)
            result = bad(ld, ML_BLOCKMAP, 4 + i, "expected an offset from %ld to %d, found %d", 4 + (long)blocks,
                         words - 1, at);
        else if (left[at] < 0)
            result = bad(ld, ML_BLOCKMAP, at,
                         "the list of block %d names a line that is not there (of %d), or has no end", i, lev->nlines);
        else
            lev->bmlists[i] = (struct blocklist){at, left[at]};
    }
    free(left);
    if (result == 0 && block_lines_init(lev, words) != 0)
        return dh_fail(ld->e, DH_TROUBLE, "out of memory");
    return result;
}

static int load(struct doom *d, const char *name, struct dh_err *e)
{
    struct loader ld = {.d = d, .lev = &d->lev, .e = e, .map = name};
    if (find_lumps(&ld) != 0 || load_vertexes(&ld) != 0 || load_sectors(&ld) != 0 || load_sides(&ld) != 0 ||
        load_lines(&ld) != 0 || load_segs(&ld) != 0 || load_subsectors(&ld) != 0 || load_nodes(&ld) != 0 ||
        check_tree(&ld) != 0 || load_things(&ld) != 0 || load_blockmap(&ld) != 0)
        return -1;
    const struct lump *reject = ld.lumps[ML_REJECT];
    if (group_lines(d, e) != 0 || group_reject(d, reject->p, reject->size, e) != 0)
        return -1;
    if (bsp_grid_init(&d->lev) != 0 || crowd_init(&d->lev) != 0 || noise_init(&d->lev) != 0 || sight_init(&d->lev) != 0)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    return original_keep(&d->lev, e);
}

/* A player who dies alone begins the level again: then the tables are here. Not those that an overrun has written to.
 */
int level_load(struct doom *d, const char *name, struct dh_err *e)
{
    const int marker = wad_find(d->wad, name);
    struct level *lev = &d->lev;
    if (lev->loaded && lev->marker == marker && !lev->nblocks) {
        original_restore(lev);
        lev->strays = false;
        return 0;
    }
    level_free(d);
    if (load(d, name, e) != 0)
        return -1;
    lev->marker = marker;
    lev->loaded = true;
    return 0;
}

void level_free(struct doom *d)
{
    struct level *lev = &d->lev;
    void *const all[] = {lev->vertexes,       lev->sectors,    lev->sides,      lev->lines,       lev->segs,
                         lev->subsectors,     lev->nodes,      lev->things,     lev->sectorlines, lev->sectors0,
                         lev->sides0,         lev->lines0,     lev->bmlists,    lev->bm.line,     lev->blocklinks,
                         lev->longreject,     lev->grid.start, lev->sightlines, lev->sightmarks,  lev->nodeabove,
                         lev->subsectorabove, lev->hidings,    lev->bm.left,    lev->bm.x};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    glance_free(lev);
    crowd_free(lev);
    noise_free(lev);
    memset(lev, 0, sizeof *lev);
}
