/* SPDX-License-Identifier: ISC */
#include "tree.h"

#include <stdlib.h>

#define LEAF 4
#define DEEPEST 64 /* a tree of 2^31 items has 31 levels */

struct entry {
    float key;
    int number;
    struct bounds bounds;
};

static int order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static float component(struct v3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static struct bounds join(const struct entry *e, int n)
{
    struct bounds b = e[0].bounds;

    for (int i = 1; i < n; i++) {
        const struct bounds *o = &e[i].bounds;
        b.lo = v3(real_min(b.lo.x, o->lo.x), real_min(b.lo.y, o->lo.y), real_min(b.lo.z, o->lo.z));
        b.hi = v3(real_max(b.hi.x, o->hi.x), real_max(b.hi.y, o->hi.y), real_max(b.hi.z, o->hi.z));
    }
    return b;
}

static int build(struct tree *t, struct entry *e, int first, int n)
{
    int at = t->nnodes++;
    struct tree_node *node = &t->nodes[at];

    node->bounds = join(e + first, n);
    if (n <= LEAF) {
        node->first = first;
        node->many = n;
        return at;
    }
    struct v3 size = v3_sub(node->bounds.hi, node->bounds.lo);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (int i = first; i < first + n; i++)
        e[i].key = component(e[i].bounds.lo, axis) + component(e[i].bounds.hi, axis);
    qsort(e + first, (size_t)n, sizeof *e, order);
    build(t, e, first, n / 2);
    node->right = build(t, e, first + n / 2, n - n / 2);
    return at;
}

int nat_tree_build(struct tree *t, const int *numbers, const struct bounds *bounds, int n)
{
    struct entry *e = malloc(((size_t)n + 1) * sizeof *e);

    memset(t, 0, sizeof *t);
    t->nodes = calloc((size_t)n * 2 + 1, sizeof *t->nodes);
    t->items = malloc(((size_t)n + 1) * sizeof *t->items);
    if (!e || !t->nodes || !t->items) {
        free(e);
        nat_tree_free(t);
        return -1;
    }
    for (int i = 0; i < n; i++)
        e[i] = (struct entry){.number = numbers[i], .bounds = bounds[i]};
    if (n > 0)
        build(t, e, 0, n);
    for (int i = 0; i < n; i++)
        t->items[i] = e[i].number;
    free(e);
    return 0;
}

void nat_tree_free(struct tree *t)
{
    free(t->nodes);
    free(t->items);
    memset(t, 0, sizeof *t);
}

int nat_tree_query(const struct tree *t, const struct bounds *b, int *out)
{
    int stack[DEEPEST], depth = 0, n = 0;

    if (t->nnodes > 0)
        stack[depth++] = 0;
    while (depth > 0) {
        int at = stack[--depth];
        const struct tree_node *node = &t->nodes[at];
        if (!nat_bounds_meet(&node->bounds, b))
            continue;
        for (int i = 0; i < node->many; i++)
            out[n++] = t->items[node->first + i];
        if (node->many == 0) {
            stack[depth++] = node->right;
            stack[depth++] = at + 1;
        }
    }
    return n;
}
