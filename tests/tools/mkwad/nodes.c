/* SPDX-License-Identifier: ISC */
/*
 * The node tree: the plane is cut along walls until every piece is convex. A piece is a set of segs, each the visible
 * side of (part of) a line; it is convex, a subsector, when no seg of it has another one behind it.
 */
#include "mkwad.h"

#include <math.h>
#include <stdlib.h>

#define SPLIT_COST 8    /* one cut seg weighs as much as eight segs of imbalance */
#define DIAGONAL_COST 4 /* cuts along diagonals round vertices: a little worse */

typedef LIST(struct seg) seg_list;

struct cut {
    struct vertex a, b;
    int line;
};

enum where { RIGHT, LEFT, ACROSS };

static struct cut cut_along(const struct map *m, const struct seg *s) {
    const struct line *l = &m->lines.v[s->line];
    /* The line's own ends, not the seg's, which may be rounded. */
    return (struct cut){
        .a = m->vertices.v[s->side ? l->v2 : l->v1],
        .b = m->vertices.v[s->side ? l->v1 : l->v2],
        .line = s->line,
    };
}

/* -1 right, 1 left, 0 on the cut; a rounded vertex is on every line that it was rounded away from. */
static int vertex_side(const struct cut *c, struct vertex p) {
    int64_t d = cross(c->a, c->b, p);
    if (p.inexact && fabs((double)d) <= hypot(c->b.x - c->a.x, c->b.y - c->a.y))
        return 0;
    return (d > 0) - (d < 0);
}

static enum where seg_side(const struct map *m, const struct cut *c, const struct seg *s) {
    struct vertex p = m->vertices.v[s->v1], q = m->vertices.v[s->v2];
    int sp = s->line == c->line ? 0 : vertex_side(c, p), sq = s->line == c->line ? 0 : vertex_side(c, q);
    if (sp == 0 && sq == 0) {
        int64_t dot = (int64_t)(c->b.x - c->a.x) * (q.x - p.x) + (int64_t)(c->b.y - c->a.y) * (q.y - p.y);
        return dot > 0 ? RIGHT : LEFT; /* its front faces the way the cut's front does, or the other way */
    }
    if (sp <= 0 && sq <= 0)
        return RIGHT;
    return sp >= 0 && sq >= 0 ? LEFT : ACROSS;
}

/* The vertex where seg's line meets the cut, rounded to whole units. Taken from the line's own ends, both sides of a line get the same one. */
static int cut_vertex(struct map *m, const struct cut *c, const struct seg *s) {
    const struct line *l = &m->lines.v[s->line];
    struct vertex a = m->vertices.v[l->v1], b = m->vertices.v[l->v2];
    double da = (double)cross(c->a, c->b, a), db = (double)cross(c->a, c->b, b), t = da / (da - db);
    double x = a.x + (b.x - a.x) * t, y = a.y + (b.y - a.y) * t;
    int before = m->vertices.n, v = map_vertex(m, (int)floor(x + 0.5), (int)floor(y + 0.5));
    if (v == before)
        m->vertices.v[v].inexact = x != m->vertices.v[v].x || y != m->vertices.v[v].y;
    return v;
}

static int choose_cut(const struct map *m, const seg_list *set) {
    int best = -1;
    long best_cost = 0;
    for (int i = 0; i < set->n; i++) {
        struct cut c = cut_along(m, &set->v[i]);
        int count[3] = {0};
        for (int k = 0; k < set->n; k++)
            count[seg_side(m, &c, &set->v[k])]++;
        if (count[LEFT] + count[ACROSS] == 0 || count[RIGHT] + count[ACROSS] == 0)
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

static void divide(struct map *m, const struct cut *c, const seg_list *set, seg_list half[2]) {
    for (int i = 0; i < set->n; i++) {
        struct seg s = set->v[i];
        enum where w = seg_side(m, c, &s);
        if (w != ACROSS) {
            list_add(&half[w]) = s;
            continue;
        }
        int v = cut_vertex(m, c, &s);
        int first = vertex_side(c, m->vertices.v[s.v1]) < 0 ? RIGHT : LEFT;
        if (v == s.v1 || v == s.v2) { /* the smaller part rounds away */
            list_add(&half[v == s.v2 ? first : !first]) = s;
            continue;
        }
        list_add(&half[first]) = (struct seg){.v1 = s.v1, .v2 = v, .line = s.line, .side = s.side};
        list_add(&half[!first]) = (struct seg){.v1 = v, .v2 = s.v2, .line = s.line, .side = s.side};
    }
}

static void bounds(const struct map *m, const seg_list *set, int box[4]) {
    box[0] = box[3] = -32768;
    box[1] = box[2] = 32767;
    for (int i = 0; i < 2 * set->n; i++) {
        struct vertex p = m->vertices.v[i & 1 ? set->v[i / 2].v2 : set->v[i / 2].v1];
        box[0] = p.y > box[0] ? p.y : box[0];
        box[1] = p.y < box[1] ? p.y : box[1];
        box[2] = p.x < box[2] ? p.x : box[2];
        box[3] = p.x > box[3] ? p.x : box[3];
    }
}

static int seg_sector(const struct map *m, const struct seg *s) {
    return m->sides.v[m->lines.v[s->line].side[s->side]].sector;
}

static int add_subsector(struct map *m, const seg_list *set) {
    for (int i = 0; i < set->n; i++) {
        if (seg_sector(m, &set->v[i]) != seg_sector(m, &set->v[0])) {
            struct vertex p = m->vertices.v[set->v[i].v1];
            die("%s: %s: two sectors, %s and %s, in one convex piece near %d,%d: is an outline open?", m->file, m->name,
                m->sectors.v[seg_sector(m, &set->v[0])].name, m->sectors.v[seg_sector(m, &set->v[i])].name, p.x, p.y);
        }
    }
    list_add(&m->subsectors) = (struct subsector){.first = m->segs.n, .count = set->n};
    for (int i = 0; i < set->n; i++)
        list_add(&m->segs) = set->v[i];
    return (m->subsectors.n - 1) | SUBSECTOR_BIT;
}

/* Number of the node or subsector made of SET, which is freed. Children come before their node, the root is last. */
static int build(struct map *m, seg_list *set) {
    int pick = choose_cut(m, set);
    if (pick < 0) {
        int leaf = add_subsector(m, set);
        free(set->v);
        return leaf;
    }
    struct cut c = cut_along(m, &set->v[pick]);
    struct node n = {.x = c.a.x, .y = c.a.y, .dx = c.b.x - c.a.x, .dy = c.b.y - c.a.y};
    seg_list half[2] = {{0}, {0}};
    divide(m, &c, set, half);
    free(set->v);
    if (!half[RIGHT].n || !half[LEFT].n)
        die("%s: %s: lines too close near %d,%d", m->file, m->name, c.a.x, c.a.y);
    for (int i = 0; i < 2; i++)
        bounds(m, &half[i], n.box[i]);
    for (int i = 0; i < 2; i++)
        n.child[i] = build(m, &half[i]);
    list_add(&m->nodes) = n;
    return m->nodes.n - 1;
}

void nodes_build(struct map *m) {
    seg_list all = {0};
    for (int i = 0; i < m->lines.n; i++) {
        const struct line *l = &m->lines.v[i];
        list_add(&all) = (struct seg){.v1 = l->v1, .v2 = l->v2, .line = i, .side = 0};
        if (l->side[1] >= 0)
            list_add(&all) = (struct seg){.v1 = l->v2, .v2 = l->v1, .line = i, .side = 1};
    }
    build(m, &all);
}
