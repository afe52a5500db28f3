/* SPDX-License-Identifier: ISC */
/*
 * The node tree: the plane is cut along walls until every piece is convex. A piece is a set of walls, each the visible
 * side of (part of) a line; it is convex, a subsector, when no wall of it has another one behind it.
 *
 * The cuts are the lines' own whole-numbered coordinates and the places where walls are cut are kept unrounded, so the
 * tree is exact; only the vertices written for cut walls are rounded, as the format wants.
 */
#include "mkwad.h"

#include <math.h>
#include <stdlib.h>

#define SPLIT_COST 8    /* one cut wall weighs as much as eight walls of imbalance */
#define DIAGONAL_COST 4 /* cuts along diagonals round vertices: a little worse */
#define TOUCH 1e-6      /* nearer to a cut than this many units is on it: what doubles leave of an exact 0 */

struct place {
    double x, y;
    int vertex;
};

/* In the direction that has its sector to the right. */
struct wall {
    struct place from, to;
    int line, side;
};

typedef LIST(struct wall) wall_list;

struct cut {
    struct vertex a, b;
    double length;
    int line;
};

enum where { RIGHT, LEFT, ACROSS };

static struct cut cut_along(const struct map *m, const struct wall *w)
{
    const struct line *l = &m->lines.v[w->line];
    struct cut c = {
        .a = m->vertices.v[w->side ? l->v2 : l->v1],
        .b = m->vertices.v[w->side ? l->v1 : l->v2],
        .line = w->line,
    };
    c.length = hypot(c.b.x - c.a.x, c.b.y - c.a.y);
    return c;
}

/* Units to the left of the cut; exactly 0 on it. */
static double distance(const struct cut *c, struct place p)
{
    double d = ((c->b.x - c->a.x) * (p.y - c->a.y) - (c->b.y - c->a.y) * (p.x - c->a.x)) / c->length;
    return fabs(d) < TOUCH ? 0 : d;
}

static enum where wall_where(const struct cut *c, const struct wall *w)
{
    double from = w->line == c->line ? 0 : distance(c, w->from), to = w->line == c->line ? 0 : distance(c, w->to);
    if (from == 0 && to == 0) {
        double dot = (c->b.x - c->a.x) * (w->to.x - w->from.x) + (c->b.y - c->a.y) * (w->to.y - w->from.y);
        return dot > 0 ? RIGHT : LEFT; /* its front faces the way the cut's front does, or the other way */
    }
    if (from <= 0 && to <= 0)
        return RIGHT;
    return from >= 0 && to >= 0 ? LEFT : ACROSS;
}

/* Where the wall meets the cut. Taken from the line's own ends, so that both sides of a line get the same vertex. */
static struct place crossing(struct map *m, const struct cut *c, const struct wall *w)
{
    const struct line *l = &m->lines.v[w->line];
    struct vertex a = m->vertices.v[l->v1], b = m->vertices.v[l->v2];
    double da = (double)cross(c->a, c->b, a), db = (double)cross(c->a, c->b, b), t = da / (da - db);
    struct place p = {.x = a.x + (b.x - a.x) * t, .y = a.y + (b.y - a.y) * t};
    p.vertex = map_vertex(m, (int)floor(p.x + 0.5), (int)floor(p.y + 0.5));
    return p;
}

static int choose_cut(const struct map *m, const wall_list *set)
{
    int best = -1;
    long best_cost = 0;
    for (int i = 0; i < set->n; i++) {
        struct cut c = cut_along(m, &set->v[i]);
        int count[3] = {0};
        for (int k = 0; k < set->n; k++)
            count[wall_where(&c, &set->v[k])]++;
        if (count[LEFT] + count[ACROSS] == 0)
            continue;
        long cost = (long)count[ACROSS] * SPLIT_COST + labs((long)count[LEFT] - count[RIGHT]);
        cost += c.a.x != c.b.x && c.a.y != c.b.y ? DIAGONAL_COST : 0;
        if (best < 0 || cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

static void divide(struct map *m, const struct cut *c, const wall_list *set, wall_list half[2])
{
    for (int i = 0; i < set->n; i++) {
        struct wall w = set->v[i], rest = w;
        enum where where = wall_where(c, &w);
        if (where == ACROSS) {
            where = distance(c, w.from) < 0 ? RIGHT : LEFT;
            w.to = rest.from = crossing(m, c, &w);
            list_add(&half[!where]) = rest;
        }
        list_add(&half[where]) = w;
    }
}

static void bounds(const struct map *m, const wall_list *set, int box[4])
{
    box[0] = box[3] = -32768;
    box[1] = box[2] = 32767;
    for (int i = 0; i < 2 * set->n; i++) {
        struct vertex p = m->vertices.v[i & 1 ? set->v[i / 2].to.vertex : set->v[i / 2].from.vertex];
        box[0] = p.y > box[0] ? p.y : box[0];
        box[1] = p.y < box[1] ? p.y : box[1];
        box[2] = p.x < box[2] ? p.x : box[2];
        box[3] = p.x > box[3] ? p.x : box[3];
    }
}

static const struct sector *wall_sector(const struct map *m, const struct wall *w)
{
    return &m->sectors.v[m->sides.v[m->lines.v[w->line].side[w->side]].sector];
}

static int add_subsector(struct map *m, const wall_list *set)
{
    list_add(&m->subsectors) = (struct subsector){.first = m->segs.n, .count = set->n};
    for (int i = 0; i < set->n; i++) {
        const struct wall *w = &set->v[i];
        if (wall_sector(m, w) != wall_sector(m, &set->v[0]))
            die("%s: %s: two sectors, %s and %s, in one convex piece near %.0f,%.0f: is an outline open?", m->file,
                m->name, wall_sector(m, &set->v[0])->name, wall_sector(m, w)->name, w->from.x, w->from.y);
        list_add(&m->segs) = (struct seg){.v1 = w->from.vertex, .v2 = w->to.vertex, .line = w->line, .side = w->side};
    }
    return (m->subsectors.n - 1) | SUBSECTOR_BIT;
}

/* Number of the node or subsector made of SET, which is freed. Children come before their node, the root is last. */
static int build(struct map *m, wall_list *set)
{
    int pick = choose_cut(m, set);
    if (pick < 0) {
        int leaf = add_subsector(m, set);
        free(set->v);
        return leaf;
    }
    struct cut c = cut_along(m, &set->v[pick]);
    struct node n = {.x = c.a.x, .y = c.a.y, .dx = c.b.x - c.a.x, .dy = c.b.y - c.a.y};
    wall_list half[2] = {{0}, {0}};
    divide(m, &c, set, half);
    free(set->v);
    for (int i = 0; i < 2; i++)
        bounds(m, &half[i], n.box[i]);
    for (int i = 0; i < 2; i++)
        n.child[i] = build(m, &half[i]);
    list_add(&m->nodes) = n;
    return m->nodes.n - 1;
}

void nodes_build(struct map *m)
{
    wall_list all = {0};
    for (int i = 0; i < 2 * m->lines.n; i++) {
        const struct line *l = &m->lines.v[i / 2];
        int side = i & 1, from = side ? l->v2 : l->v1, to = side ? l->v1 : l->v2;
        if (l->side[side] < 0)
            continue;
        list_add(&all) = (struct wall){
            .from = {.x = m->vertices.v[from].x, .y = m->vertices.v[from].y, .vertex = from},
            .to = {.x = m->vertices.v[to].x, .y = m->vertices.v[to].y, .vertex = to},
            .line = i / 2,
            .side = side,
        };
    }
    build(m, &all);
}
