/* SPDX-License-Identifier: GPL-2.0-or-later */
/* floor.c - floors that move once and stay; the donut. */
#include "play.h"

#define FLOOR_SPEED FX_ONE

void floor_think(struct doom *d, struct floormove *t)
{
    if (sector_move_plane(d, t->sector, t->speed, t->dest, t->crush, false, t->direction) != PLANE_PASTDEST)
        return;
    t->sector->specialdata = NULL;
    if ((t->direction == 1 && t->type == FLOOR_DONUTRAISE) || (t->direction == -1 && t->type == FLOOR_LOWERANDCHANGE)) {
        t->sector->special = (int16_t)t->newspecial;
        t->sector->floorpic = t->texture;
    }
    thinker_remove(d, &t->th);
}

static struct floormove *floor_new(struct doom *d, struct sector *s, enum floor_type type, int direction, fixed speed)
{
    struct floormove *t = thinker_new(d, TK_FLOOR);
    s->specialdata = &t->th;
    t->sector = s;
    t->type = type;
    t->direction = direction;
    t->speed = speed;
    return t;
}

/* The height of the shortest lower texture on the two-sided lines around. Number 0, "no texture", has a height as well
 * and takes part. */
static fixed shortest_lower(const struct doom *d, const struct sector *s)
{
    fixed min = INT32_MAX;
    for (int i = 0; i < s->nlines; i++) {
        const struct line *l = s->lines[i];
        if (!(l->flags & ML_TWOSIDED))
            continue;
        for (int k = 0; k < 2; k++) {
            if (l->sidenum[k] < 0)
                continue;
            int tex = d->lev.sides[l->sidenum[k]].bottom;
            if (tex >= 0 && tex_height(d->tex, tex) < min)
                min = tex_height(d->tex, tex);
        }
    }
    return min;
}

/*
 * The look and the special that a lowered floor takes over: those of a neighbour at the height it goes to; up to 1.1
 * those of the first neighbour (recreated, EV_DoFloor; 1207, which has it of 1.2 as well). Each
 * neighbour that is looked at sets how many lines are walked from then on, though the lines stay those of the first
 * sector: past its own the walk goes on into those of the next sector, as the lists lie one behind the other.
 */
static void find_model(const struct doom *d, const struct sector *s, struct floormove *t)
{
    const struct sector *tail = &d->lev.sectors[d->lev.nsectors - 1];
    struct line *const *end = tail->lines + tail->nlines;
    const struct sector *seen = s;

    t->texture = s->floorpic;
    for (int i = 0; i < seen->nlines && s->lines + i < end; i++) {
        const struct line *l = s->lines[i];
        if (!(l->flags & ML_TWOSIDED) || l->sidenum[1] < 0)
            continue;
        bool front = d->lev.sides[l->sidenum[0]].sector == s;
        seen = d->lev.sides[l->sidenum[front ? 1 : 0]].sector;
        if (seen->floor == t->dest || d->version < VERSION_DOOM_1_2) {
            t->texture = seen->floorpic;
            t->newspecial = seen->special;
            return;
        }
    }
}

static void floor_begin(struct doom *d, const struct line *l, struct sector *s, enum floor_type type)
{
    const bool down =
        type == FLOOR_LOWER || type == FLOOR_LOWERTOLOWEST || type == FLOOR_TURBOLOWER || type == FLOOR_LOWERANDCHANGE;
    const bool fast = type == FLOOR_TURBOLOWER || type == FLOOR_RAISETURBO;
    struct floormove *t = floor_new(d, s, type, down ? -1 : 1, fast ? 4 * FLOOR_SPEED : FLOOR_SPEED);

    switch (type) {
    case FLOOR_LOWER:
        t->dest = sector_highest_floor(s);
        break;
    case FLOOR_LOWERTOLOWEST:
        t->dest = sector_lowest_floor(s);
        break;
    case FLOOR_TURBOLOWER:
        t->dest = sector_highest_floor(s);
        /* 1.2 goes above it even where it is there already (chocolate-doom, EV_DoFloor) */
        if (t->dest != s->floor || d->version <= VERSION_DOOM_1_2)
            t->dest = wrap_add(t->dest, FX(8));
        break;
    case FLOOR_RAISE:
    case FLOOR_RAISECRUSH:
        t->dest = sector_lowest_ceiling(s);
        if (t->dest > s->ceiling)
            t->dest = s->ceiling;
        if (type == FLOOR_RAISECRUSH) {
            t->crush = CRUSH_YES;
            t->dest = wrap_sub(t->dest, FX(8));
        }
        break;
    case FLOOR_RAISETURBO:
    case FLOOR_RAISETONEAREST:
        t->dest = sector_next_floor(d, s, s->floor);
        break;
    case FLOOR_RAISE24:
        t->dest = wrap_add(s->floor, FX(24));
        break;
    case FLOOR_RAISE24ANDCHANGE:
        t->dest = wrap_add(s->floor, FX(24));
        s->floorpic = l->front->floorpic;
        s->special = l->front->special;
        break;
    case FLOOR_RAISE512:
        t->dest = wrap_add(s->floor, FX(512));
        break;
    case FLOOR_RAISETOTEXTURE:
        t->dest = wrap_add(s->floor, shortest_lower(d, s));
        break;
    case FLOOR_LOWERANDCHANGE:
        t->dest = sector_lowest_floor(s);
        find_model(d, s, t);
        break;
    case FLOOR_DONUTRAISE: /* begun by floor_donut alone */
        break;
    }
}

bool floor_do(struct doom *d, struct line *l, enum floor_type type)
{
    bool moved = false;
    d->higher = 0;
    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;) {
        if (d->lev.sectors[n].specialdata)
            continue;
        floor_begin(d, l, &d->lev.sectors[n], type);
        moved = true;
    }
    return moved;
}

/* ---- the donut: a pillar sinks, the ring around it rises to the height and look of what is around the ring ------- */

/* What the executable finds at address 0 where the ring's outer line has no back: a height of 0 and the flat of
 * number 22. */
static int16_t flat22(const struct doom *d)
{
    int first = wad_find(d->wad, "F_START");
    if (first < 0 || first + 1 + 22 >= wad_count(d->wad))
        return 0;
    return (int16_t)tex_flat(d->tex, wad_lump(d->wad, first + 1 + 22)->name);
}

static void donut_begin(struct doom *d, struct sector *pillar, struct sector *ring, const struct sector *model)
{
    fixed dest = model ? model->floor : 0;
    int16_t pic = model ? model->floorpic : flat22(d);

    /* the ring may be moving already: it is not asked, and then has two movers */
    struct floormove *t = floor_new(d, ring, FLOOR_DONUTRAISE, 1, FLOOR_SPEED / 2);
    t->texture = pic;
    t->dest = dest;
    t = floor_new(d, pillar, FLOOR_LOWER, -1, FLOOR_SPEED / 2);
    t->dest = dest;
}

bool floor_donut(struct doom *d, struct line *l)
{
    bool moved = false;
    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;) {
        struct sector *pillar = &d->lev.sectors[n];
        if (pillar->specialdata)
            continue;
        moved = true;
        struct sector *ring = pillar->nlines > 0 ? sector_across(pillar->lines[0], pillar) : NULL;
        if (!ring)
            break;
        for (int i = 0; i < ring->nlines; i++) {
            const struct sector *model = ring->lines[i]->back;
            if (model == pillar)
                continue;
            donut_begin(d, pillar, ring, model);
            break;
        }
    }
    return moved;
}
