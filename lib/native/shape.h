/* SPDX-License-Identifier: ISC */
/*
 * shape.h - capsules and oriented boxes: how far apart, and in which direction.
 */
#ifndef NAT_SHAPE_H
#define NAT_SHAPE_H

#include "real.h"

struct box {
    struct v3 center, half;
    struct v3 axis[3];
};

struct bounds {
    struct v3 lo, hi;
};

/* Upright: feet is its lowest point. height is at least twice the radius. */
struct capsule {
    struct v3 feet;
    float radius, height;
};

/* A plane between two shapes. normal points to the first of them (the mover) and has length 1; separation is how far
 * the first is in front of it, negative where they overlap. */
struct plane {
    struct v3 normal;
    float separation;
    struct v3 point; /* of the box, on its surface */
    struct v3 face;  /* of the normals of the box's faces that meet in point the one that rises most */
};

struct bounds nat_box_bounds(const struct box *b);
struct bounds nat_capsule_bounds(const struct capsule *c);
static inline bool nat_bounds_meet(const struct bounds *a, const struct bounds *b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y && a->lo.z <= b->hi.z &&
           b->lo.z <= a->hi.z;
}
struct bounds nat_bounds_grow(struct bounds b, float by);

/* A capsule whose middle line is outside of the box: the plane through the box's point nearest to it. Inside: the face
 * through which it gets out soonest. */
struct plane nat_capsule_box(const struct capsule *c, const struct box *b);

/* Two boxes, the second one in the way of the first, which is about to move by delta: of the directions that may tell
 * them apart (their faces' and their edges' products) the one in which they are furthest apart after the move. */
struct plane nat_box_box(const struct box *a, const struct box *b, struct v3 delta);

/* How far a ray goes (direction of length 1, at most far) until it meets the box; negative: it misses. From inside: 0.
 */
float nat_ray_box(struct v3 from, struct v3 direction, float far, const struct box *b);

/* How far a capsule goes (direction of length 1, at most far) until it touches the box from outside; negative: it does
 * not. Where it touches or overlaps already and would go further in: 0. at is the plane there. */
float nat_cast_box(const struct capsule *c, struct v3 direction, float far, const struct box *b, struct plane *at);

#endif
