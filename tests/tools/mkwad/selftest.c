/* SPDX-License-Identifier: ISC */
/*
 * Is the tree right? Random points are walked down it the way an engine does (16.16 fixed point, NODES as they are
 * written to the file), and the sector found there is compared with the outline that the point is in.
 */
#include "mkwad.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTS 100000
/* Outlines are exact to half a 65536th: so near to a line, an answer of either side is right. */
#define NEAR_LINE 0.01
/* Rounding to whole units moves a vertex by up to 0.708 units off its line. */
#define OFF_LINE 0.75

/* A fixed sequence (a 64-bit linear congruential generator): the test is the same everywhere. */
static uint32_t next_random(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

static int32_t between(uint64_t *s, int lo, int hi)
{
    int64_t span = ((int64_t)hi - lo) * 65536;
    return (int32_t)(lo * INT64_C(65536) + (int64_t)(((uint64_t)next_random(s) << 8) % (uint64_t)span));
}

static int walk_tree(const struct map *m, int32_t x, int32_t y, int *depth)
{
    int at = m->nodes.n ? m->nodes.n - 1 : SUBSECTOR_BIT;
    for (*depth = 0; !(at & SUBSECTOR_BIT); ++*depth) {
        const struct node *n = &m->nodes.v[at];
        int64_t rx = x - (int64_t)n->x * 65536, ry = y - (int64_t)n->y * 65536;
        at = n->child[n->dx * ry - n->dy * rx < 0 ? 0 : 1];
    }
    return at & ~SUBSECTOR_BIT;
}

static double distance(struct vertex a, struct vertex b, double x, double y)
{
    double dx = b.x - a.x, dy = b.y - a.y, t = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(a.x + t * dx - x, a.y + t * dy - y);
}

static bool near_a_line(const struct map *m, int32_t x, int32_t y)
{
    for (int i = 0; i < m->lines.n; i++) {
        struct vertex a = m->vertices.v[m->lines.v[i].v1], b = m->vertices.v[m->lines.v[i].v2];
        if (distance(a, b, x / 65536.0, y / 65536.0) < NEAR_LINE)
            return true;
    }
    return false;
}

/* Every seg is a part of its line, in the line's direction. */
static int bad_segs(const struct map *m)
{
    int bad = 0;
    for (int i = 0; i < m->segs.n; i++) {
        const struct seg *s = &m->segs.v[i];
        const struct line *l = &m->lines.v[s->line];
        struct vertex a = m->vertices.v[s->side ? l->v2 : l->v1], b = m->vertices.v[s->side ? l->v1 : l->v2];
        struct vertex p = m->vertices.v[s->v1], q = m->vertices.v[s->v2];
        int64_t forward = (int64_t)(b.x - a.x) * (q.x - p.x) + (int64_t)(b.y - a.y) * (q.y - p.y);
        /* a short piece may round to nothing */
        if (forward < 0 || distance(a, b, p.x, p.y) > OFF_LINE || distance(a, b, q.x, q.y) > OFF_LINE)
            bad++;
    }
    return bad;
}

bool selftest(const struct map *m)
{
    int lo[2] = {32767, 32767}, hi[2] = {-32768, -32768}, inside = 0, wrong = 0, deepest = 0;
    uint64_t seed = 1;

    for (int i = 0; i < m->vertices.n; i++) {
        struct vertex v = m->vertices.v[i];
        lo[0] = v.x < lo[0] ? v.x : lo[0];
        lo[1] = v.y < lo[1] ? v.y : lo[1];
        hi[0] = v.x > hi[0] ? v.x : hi[0];
        hi[1] = v.y > hi[1] ? v.y : hi[1];
    }
    for (int i = 0; i < POINTS; i++) {
        int32_t x = between(&seed, lo[0], hi[0]), y = between(&seed, lo[1], hi[1]);
        int drawn = sector_at(m, x, y), depth;
        if (drawn < 0)
            continue;
        int ss = walk_tree(m, x, y, &depth);
        const struct seg *s = &m->segs.v[m->subsectors.v[ss].first];
        int found = m->sides.v[m->lines.v[s->line].side[s->side]].sector;
        inside++;
        deepest = depth > deepest ? depth : deepest;
        if (found != drawn && !near_a_line(m, x, y) && wrong++ == 0)
            printf("%s: %.3f,%.3f is in %s, the tree says %s\n", m->name, x / 65536.0, y / 65536.0,
                   m->sectors.v[drawn].name, m->sectors.v[found].name);
    }
    int bad = bad_segs(m);
    printf(
        "%s: %d points in sectors, %d wrong; %d segs off their lines; %d things %d lines %d sides %d vertices %d segs "
        "%d subsectors %d nodes (depth %d) %d sectors\n",
        m->name, inside, wrong, bad, m->things.n, m->lines.n, m->sides.n, m->vertices.n, m->segs.n, m->subsectors.n,
        m->nodes.n, deepest, m->sectors.n);
    return inside > 0 && !wrong && !bad;
}
