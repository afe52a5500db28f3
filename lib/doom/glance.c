/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * glance.c - a short look for the most frequent case: nothing is in the way.
 *
 * The walk of sight.c asks a few lines in each of some fifty subsectors. Here the tree ends earlier, in leaves of a
 * dozen lines and more, which are asked in bundles. A glance so looks at every line that the walk would look at, and at
 * some that it would not. A line more can only narrow the window or end the view; so if the window is still open at the
 * end, the walk finds it open too. If it is not, the glance knows nothing.
 *
 * Most lines of a leaf lie on one side of the ray by far. That is decided for a whole bundle in floating point, with
 * room for its rounding: lines that come near to the ray get the exact test of the walk.
 */
#include <math.h>
#include <stdlib.h>

#include "lanes.h"
#include "sight.h"

#define LEAF_SEGS 200    /* of a part of the tree that becomes one leaf */
#define LOOKS_BEFORE 100 /* on a level, until it pays to have the leaves made */

enum { BUNDLE = LANES };

/* Where the last bundle of a leaf is not full, its last line fills it. */
struct glance_bundle {
    float x1[BUNDLE], y1[BUNDLE], x2[BUNDLE], y2[BUNDLE];
    int32_t seg[BUNDLE]; /* one of the line's */
};

/* ---- once a map ------------------------------------------------------------------------------------------------- */

/* Lines with the same sector on both sides never narrow a view. */
static bool matters(const struct seg *seg)
{
    return shut(seg) || seg->front != seg->back;
}

static uint32_t segs_that_matter(const struct level *v, unsigned sub)
{
    const struct subsector *ss = &v->subsectors[sub];
    uint32_t n = 0;
    for (int i = 0; i < ss->nsegs; i++)
        n += matters(&v->segs[ss->firstseg + i]);
    return n;
}

/* Nodes so that each comes before its children, and by node how many segs are below it. */
static void measure(const struct level *v, uint16_t *order, uint16_t *stack, uint32_t *below)
{
    int n = 0, depth = 0;
    stack[depth++] = (uint16_t)(v->nnodes - 1);
    while (depth > 0) {
        unsigned i = order[n++] = stack[--depth];
        for (int k = 0; k < 2; k++)
            if (!(v->nodes[i].child[k] & NF_SUBSECTOR))
                stack[depth++] = v->nodes[i].child[k];
    }
    while (n > 0) {
        const struct node *node = &v->nodes[order[--n]];
        below[order[n]] = 0;
        for (int k = 0; k < 2; k++)
            below[order[n]] += node->child[k] & NF_SUBSECTOR
                                   ? segs_that_matter(v, node->child[k] & ~(unsigned)NF_SUBSECTOR)
                                   : below[node->child[k]];
    }
}

struct filler {
    struct level *v;
    struct glance *g;
    int32_t nbundles, inlast; /* lines in the last one */
};

static void fill_subsector(struct filler *f, unsigned sub)
{
    const struct subsector *ss = &f->v->subsectors[sub];
    for (int i = ss->firstseg; i < ss->firstseg + ss->nsegs; i++) {
        const struct sightline *l = &f->v->sightlines[i];
        if (!matters(&f->v->segs[i]) || f->v->sightmarks[l->line] == f->v->sightcount)
            continue;
        f->v->sightmarks[l->line] = f->v->sightcount;
        if (f->inlast == BUNDLE) {
            f->nbundles++;
            f->inlast = 0;
        }
        struct glance_bundle *b = &f->g->bundles[f->nbundles - 1];
        for (int k = f->inlast++; k < BUNDLE; k++) {
            b->x1[k] = l->x1;
            b->y1[k] = l->y1;
            b->x2[k] = l->x2;
            b->y2[k] = l->y2;
            b->seg[k] = i;
        }
    }
}

/* All lines below a child of a node, as one leaf. */
static void fill_leaf(struct filler *f, uint16_t child, uint16_t *stack)
{
    f->g->first[f->g->nleaves++] = f->nbundles;
    f->inlast = BUNDLE;
    f->v->sightcount++;
    int depth = 0;
    stack[depth++] = child;
    while (depth > 0) {
        unsigned i = stack[--depth];
        if (i & NF_SUBSECTOR) {
            fill_subsector(f, i & ~(unsigned)NF_SUBSECTOR);
        } else {
            stack[depth++] = f->v->nodes[i].child[0];
            stack[depth++] = f->v->nodes[i].child[1];
        }
    }
}

static void fill_box(struct glance *g, int i)
{
    const struct glance_bundle *b = &g->bundles[i];
    float left = b->x1[0], right = left, bottom = b->y1[0], top = bottom;
    for (int k = 0; k < BUNDLE; k++) {
        left = fminf(left, fminf(b->x1[k], b->x2[k]));
        right = fmaxf(right, fmaxf(b->x1[k], b->x2[k]));
        bottom = fminf(bottom, fminf(b->y1[k], b->y2[k]));
        top = fmaxf(top, fmaxf(b->y1[k], b->y2[k]));
    }
    g->x[i] = (left + right) / 2;
    g->y[i] = (bottom + top) / 2;
    g->width[i] = (right - left) / 2;
    g->height[i] = (top - bottom) / 2;
}

/* A node keeps its number; a child that becomes a leaf gets the leaf's in place of a subsector's. */
static void fill(struct level *v, struct glance *g, uint16_t *order, uint16_t *stack, uint32_t *below)
{
    struct filler f = {.v = v, .g = g};
    measure(v, order, stack, below);
    for (int n = 0; n < v->nnodes; n++) {
        const struct node *node = &v->nodes[order[n]];
        if (n > 0 && below[order[n]] <= LEAF_SEGS)
            continue;
        g->nodes[order[n]].line = node->line;
        for (int k = 0; k < 2; k++) {
            g->nodes[order[n]].child[k] = node->child[k];
            if (node->child[k] & NF_SUBSECTOR || below[node->child[k]] <= LEAF_SEGS) {
                g->nodes[order[n]].child[k] = (uint16_t)(NF_SUBSECTOR | (unsigned)g->nleaves);
                fill_leaf(&f, node->child[k], stack);
            }
        }
    }
    g->first[g->nleaves] = f.nbundles;
    for (int i = 0; i < f.nbundles; i++)
        fill_box(g, i);
    g->left = g->bottom = INT16_MAX;
    g->right = g->top = INT16_MIN;
    for (int i = 0; i < v->nsegs; i++) {
        const struct sightline *l = &v->sightlines[i];
        g->left = l->x1 < g->left ? l->x1 : g->left;
        g->left = l->x2 < g->left ? l->x2 : g->left;
        g->right = l->x1 > g->right ? l->x1 : g->right;
        g->right = l->x2 > g->right ? l->x2 : g->right;
        g->bottom = l->y1 < g->bottom ? l->y1 : g->bottom;
        g->bottom = l->y2 < g->bottom ? l->y2 : g->bottom;
        g->top = l->y1 > g->top ? l->y1 : g->top;
        g->top = l->y2 > g->top ? l->y2 : g->top;
    }
}

/* Without memory there are no glances. */
static void make(struct level *v)
{
    struct glance *g = &v->glance;
    if (v->nnodes == 0)
        return;
    const size_t nodes = (size_t)v->nnodes, leaves = nodes + 1;
    uint16_t *order = malloc(nodes * sizeof *order), *stack = malloc((2 * nodes + 2) * sizeof *stack);
    uint32_t *below = malloc(nodes * sizeof *below);
    g->nodes = malloc(nodes * sizeof *g->nodes);
    g->first = malloc((leaves + 1) * sizeof *g->first);
    /* a leaf has at most one bundle that is not full */
    const size_t most = (size_t)v->nsegs / BUNDLE + leaves;
    g->bundles = malloc(most * sizeof *g->bundles);
    g->x = calloc(4 * (most + LANES), sizeof *g->x); /* four are read at once */
    if (order && stack && below && g->nodes && g->first && g->bundles && g->x) {
        g->y = g->x + most + LANES;
        g->width = g->y + most + LANES;
        g->height = g->width + most + LANES;
        fill(v, g, order, stack, below);
        g->made = true;
    }
    free(order);
    free(stack);
    free(below);
}

void glance_free(struct level *v)
{
    free(v->glance.nodes);
    free(v->glance.first);
    free(v->glance.bundles);
    free(v->glance.x);
}

/* ---- the look --------------------------------------------------------------------------------------------------- */

/* The ray as the test of bundles has it. */
struct beam {
    float dx, dy, minusx, minusy;
};

/* More than what rounding makes of the differences of products below: each term is less than 2^31 and has an error of
 * 2^7 at most. */
#define ROUNDING 1024.f

/* Which of four bundles from one on have a box that is not on one side of the ray's line, the first one's bit lowest.
 */
static inline uint32_t boxes_near(const struct glance *g, const struct beam *r, int32_t i)
{
    const flanes middle = r->dx * (flanes_read(g->y + i) + r->minusy) - r->dy * (flanes_read(g->x + i) + r->minusx),
                 reach = fabsf(r->dx) * flanes_read(g->height + i) + fabsf(r->dy) * flanes_read(g->width + i);
    return ilanes_bits(flanes_abs(middle) <= reach + ROUNDING);
}

/* Which lines of four from one on may have their ends on different sides of the ray's line. */
static inline uint32_t four_near(const struct glance_bundle *b, const struct beam *r, int k)
{
    const flanes a1 = r->dx * (flanes_read(b->y1 + k) + r->minusy) - r->dy * (flanes_read(b->x1 + k) + r->minusx),
                 a2 = r->dx * (flanes_read(b->y2 + k) + r->minusy) - r->dy * (flanes_read(b->x2 + k) + r->minusx);
    return ilanes_bits(((a1 <= ROUNDING) | (a2 <= ROUNDING)) & ((a1 >= -ROUNDING) | (a2 >= -ROUNDING)));
}

static inline bool clear_through_bundle(struct level *v, const struct glance_bundle *b, const struct beam *r,
                                        struct sight *s, int32_t *hider)
{
    uint32_t bits = four_near(b, r, 0) | four_near(b, r, LANES / 2) << LANES / 2;
    for (; bits != 0; bits &= bits - 1) {
        const int32_t seg = b->seg[__builtin_ctz(bits)];
        if (!lines_meet(s, &v->sightlines[seg]))
            continue;
        if (shut(&v->segs[seg]) || !see_past(s, &v->segs[seg])) {
            *hider = seg + 1;
            return false;
        }
    }
    return true;
}

static bool clear_through_leaf(struct level *v, struct sight *s, unsigned leaf, int32_t *hider)
{
    const struct glance *g = &v->glance;
    const struct beam r = {s->dx, s->dy, s->minusx, s->minusy};
    const int32_t end = g->first[leaf + 1];
    for (int32_t i = g->first[leaf]; i < end; i += LANES / 2) {
        uint32_t bits = boxes_near(g, &r, i);
        if (end - i < LANES / 2)
            bits &= (1u << (end - i)) - 1;
        for (; bits != 0; bits &= bits - 1)
            if (!clear_through_bundle(v, &g->bundles[i + __builtin_ctz(bits)], &r, s, hider))
                return false;
    }
    return true;
}

/* Whether the walk's 16-bit differences are right for all lines, and it uses its plain test of sides. */
static bool plain(const struct glance *g, const struct sight *s)
{
    return s->ray.dx != 0 && s->ray.dy != 0 && g->left + s->minusx >= INT16_MIN && g->right + s->minusx <= INT16_MAX &&
           g->bottom + s->minusy >= INT16_MIN && g->top + s->minusy <= INT16_MAX;
}

bool glance_clear(struct level *v, const struct sight *looking, int32_t *hider)
{
    struct glance *g = &v->glance;
    if (g->looks <= LOOKS_BEFORE && g->looks++ == LOOKS_BEFORE)
        make(v);
    if (!g->made || !plain(g, looking))
        return false;
    struct sight s = *looking;
    return walk_tree(v, g->nodes, &s, clear_through_leaf, hider);
}
