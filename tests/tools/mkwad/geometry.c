/* SPDX-License-Identifier: ISC */
/* Outlines of sectors -> vertices, lines and sides. */
#include "mkwad.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKING = 1, TWO_SIDED = 4 };

int map_vertex(struct map *m, int x, int y)
{
    for (int i = 0; i < m->vertices.n; i++) {
        if (m->vertices.v[i].x == x && m->vertices.v[i].y == y)
            return i;
    }
    list_add(&m->vertices) = (struct vertex){.x = x, .y = y};
    return m->vertices.n - 1;
}

int64_t cross(struct vertex a, struct vertex b, struct vertex p)
{
    return (int64_t)(b.x - a.x) * (p.y - a.y) - (int64_t)(b.y - a.y) * (p.x - a.x);
}

/* How far along a -> b the point is, times the length of a -> b: 0 at a, the squared length at b. */
static int64_t along(struct vertex a, struct vertex b, struct vertex p)
{
    return (int64_t)(b.x - a.x) * (p.x - a.x) + (int64_t)(b.y - a.y) * (p.y - a.y);
}

/* p is on the straight piece a..b, ends included. */
static bool on_piece(struct vertex a, struct vertex b, struct vertex p)
{
    return cross(a, b, p) == 0 && along(a, b, p) >= 0 && along(a, b, p) <= along(a, b, b);
}

/* The ends of `line` and `side` statements are corners too: a switch can be a part of a longer wall. */
static void add_attr_corners(struct map *m)
{
    for (int i = 0; i < 2 * m->attrs.n; i++) {
        struct vertex p = i & 1 ? m->attrs.v[i / 2].b : m->attrs.v[i / 2].a;
        for (int k = 0; k < m->edges.n; k++) {
            if (on_piece(m->vertices.v[m->edges.v[k].a], m->vertices.v[m->edges.v[k].b], p)) {
                map_vertex(m, p.x, p.y);
                break;
            }
        }
    }
}

/* Where one outline has a corner in the middle of another's edge, that edge becomes two: neighbours need not agree on
 * corners. */
static void split_at_corners(struct map *m)
{
    for (int i = 0; i < m->edges.n; i++) { /* the pieces are appended, and looked at in their turn */
        for (int k = 0; k < m->vertices.n; k++) {
            struct edge e = m->edges.v[i];
            if (k == e.a || k == e.b || !on_piece(m->vertices.v[e.a], m->vertices.v[e.b], m->vertices.v[k]))
                continue;
            m->edges.v[i].b = k;
            list_add(&m->edges) = (struct edge){.a = k, .b = e.b, .sector = e.sector};
        }
    }
}

static int find_edge(const struct map *m, int a, int b)
{
    for (int i = 0; i < m->edges.n; i++) {
        if (m->edges.v[i].a == a && m->edges.v[i].b == b)
            return i;
    }
    return -1;
}

static bool attr_covers(const struct map *m, const struct attr *a, int v1, int v2)
{
    return on_piece(a->a, a->b, m->vertices.v[v1]) && on_piece(a->a, a->b, m->vertices.v[v2]);
}

static bool mentioned(const struct map *m, int v1, int v2)
{
    for (int i = 0; i < m->attrs.n; i++) {
        if (!m->attrs.v[i].is_side && attr_covers(m, &m->attrs.v[i], v1, v2))
            return true;
    }
    return false;
}

static int new_side(struct map *m, int sector, int facing)
{
    const struct sector *own = &m->sectors.v[sector], *other = facing < 0 ? NULL : &m->sectors.v[facing];
    struct side s = {.sector = sector, .tex = {"-", "-", "-"}};
    if (!other) {
        memcpy(s.tex[TEX_MIDDLE], own->wall, sizeof own->wall);
    } else if (other != own) {
        if (*other->edge || other->floor > own->floor)
            memcpy(s.tex[TEX_LOWER], *other->edge ? other->edge : own->wall, sizeof own->wall);
        if (*other->lintel || other->ceil < own->ceil)
            memcpy(s.tex[TEX_UPPER], *other->lintel ? other->lintel : own->wall, sizeof own->wall);
    }
    list_add(&m->sides) = s;
    return m->sides.n - 1;
}

/* A pair of opposite edges is one two-sided line, an edge alone a wall. */
static void make_lines(struct map *m)
{
    for (int i = 0; i < m->edges.n; i++) {
        struct edge e = m->edges.v[i];
        if (find_edge(m, e.a, e.b) != i)
            die("%s: %s: two outlines on the same side of %d,%d %d,%d", m->file, m->name, m->vertices.v[e.a].x,
                m->vertices.v[e.a].y, m->vertices.v[e.b].x, m->vertices.v[e.b].y);
        int back = find_edge(m, e.b, e.a);
        if (back >= 0 && back < i)
            continue;
        /* Two outlines of one sector simply join, unless a statement wants the line between them (a trigger, say). */
        if (back >= 0 && m->edges.v[back].sector == e.sector && !mentioned(m, e.a, e.b))
            continue;
        int other = back < 0 ? -1 : m->edges.v[back].sector;
        struct line l = {.v1 = e.a, .v2 = e.b, .flags = other < 0 ? BLOCKING : TWO_SIDED, .side = {0, -1}};
        l.side[0] = new_side(m, e.sector, other);
        if (other >= 0)
            l.side[1] = new_side(m, other, e.sector);
        list_add(&m->lines) = l;
    }
}

static void turn_line(struct line *l)
{
    int v = l->v1, s = l->side[0];
    l->v1 = l->v2;
    l->v2 = v;
    l->side[0] = l->side[1];
    l->side[1] = s;
}

static void set_side(struct side *s, const struct attr *a)
{
    if (a->has_xoff)
        s->xoff = a->xoff;
    if (a->has_yoff)
        s->yoff = a->yoff;
    for (int i = 0; i < TEX_COUNT; i++) {
        if (*a->tex[i])
            memcpy(s->tex[i], a->tex[i], sizeof a->tex[i]);
    }
}

static void apply_attr(struct map *m, const struct attr *a)
{
    bool any = false;
    for (int i = 0; i < m->lines.n; i++) {
        struct line *l = &m->lines.v[i];
        if (!attr_covers(m, a, l->v1, l->v2))
            continue;
        bool same = along(a->a, a->b, m->vertices.v[l->v1]) < along(a->a, a->b, m->vertices.v[l->v2]);
        if (!same && l->side[1] < 0)
            die("%s:%d: the right-hand side of this line is solid", m->file, a->where);
        any = true;
        if (!a->is_side && !same) {
            turn_line(l);
            same = true;
        }
        set_side(&m->sides.v[l->side[same ? 0 : 1]], a);
        if (!a->is_side) {
            l->flags |= a->flags;
            l->special = a->special;
            l->tag = a->tag;
        }
    }
    if (!any)
        die("%s:%d: no line runs from %d,%d to %d,%d", m->file, a->where, a->a.x, a->a.y, a->b.x, a->b.y);
}

static int sign(int64_t v)
{
    return (v > 0) - (v < 0);
}

static void check_crossings(const struct map *m)
{
    for (int i = 0; i < m->lines.n; i++) {
        for (int k = 0; k < i; k++) {
            const struct vertex *v = m->vertices.v;
            struct vertex a = v[m->lines.v[i].v1], b = v[m->lines.v[i].v2];
            struct vertex c = v[m->lines.v[k].v1], d = v[m->lines.v[k].v2];
            if (sign(cross(a, b, c)) * sign(cross(a, b, d)) < 0 && sign(cross(c, d, a)) * sign(cross(c, d, b)) < 0)
                die("%s: %s: %d,%d %d,%d crosses %d,%d %d,%d", m->file, m->name, a.x, a.y, b.x, b.y, c.x, c.y, d.x,
                    d.y);
        }
    }
}

/* The nearest edge to the east decides: one that runs south has its sector to the west, where the point is. */
int sector_at(const struct map *m, int32_t x, int32_t y)
{
    double px = x / 65536.0, py = (y + 0.5) / 65536.0, nearest = HUGE_VAL; /* never level with a vertex */
    int found = -1;
    for (int i = 0; i < m->edges.n; i++) {
        struct edge e = m->edges.v[i];
        bool south = m->vertices.v[e.a].y > m->vertices.v[e.b].y;
        struct vertex lo = m->vertices.v[south ? e.b : e.a], hi = m->vertices.v[south ? e.a : e.b];
        if (py < lo.y || py > hi.y)
            continue;
        double at = lo.x + (hi.x - lo.x) * ((py - lo.y) / (hi.y - lo.y));
        if (at <= px || at > nearest || (at == nearest && !south))
            continue;
        nearest = at;
        found = south ? e.sector : -1;
    }
    return found;
}

void geometry_build(struct map *m)
{
    add_attr_corners(m);
    split_at_corners(m);
    make_lines(m);
    check_crossings(m);
    for (int i = 0; i < m->attrs.n; i++)
        apply_attr(m, &m->attrs.v[i]);
    for (int i = 0; i < m->things.n; i++) {
        const struct thing *t = &m->things.v[i];
        if (sector_at(m, t->x * 65536, t->y * 65536) < 0)
            die("%s:%d: the thing at %d,%d is in no sector", m->file, t->where, t->x, t->y);
    }
    if (!m->lines.n)
        die("%s: %s: no lines", m->file, m->name);
}
