/* SPDX-License-Identifier: ISC */
/*
 * tree.h - the broad phase: which of the boxes that never move may be near.
 *
 * A binary tree of bounds, halved at the median along the longest side; ties are broken by the boxes' numbers, so that
 * the same map makes the same tree everywhere.
 */
#ifndef NAT_TREE_H
#define NAT_TREE_H

#include "shape.h"

struct tree_node {
    struct bounds bounds;
    int right;       /* the left child comes next after its parent */
    int first, many; /* a leaf's items: many > 0 */
};

struct tree {
    struct tree_node *nodes;
    int *items;
    int nnodes;
};

/* Of n items with these numbers and bounds. -1: out of memory. */
int nat_tree_build(struct tree *t, const int *numbers, const struct bounds *bounds, int n);
void nat_tree_free(struct tree *t);

/* The numbers of the items whose leaves meet the bounds into out (room for all of them), in no special order: how many.
 */
int nat_tree_query(const struct tree *t, const struct bounds *b, int *out);

#endif
