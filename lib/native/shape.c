/* SPDX-License-Identifier: ISC */
#include "shape.h"

/* Nearer than this the direction between the nearest points is mostly rounding. */
#define TOUCHING 1e-4f
/* What a cast may still be away when it counts as arrived, and how steeply it must approach to arrive at all. */
#define ARRIVED 1e-4f
#define GRAZING 1e-3f
/* Edges' products tell two boxes apart only when they do it better than a face by this much. */
#define EDGE_HANDICAP 1e-3f

struct bounds nat_box_bounds(const struct box *b)
{
    struct v3 e = v3(
        real_abs(b->axis[0].x) * b->half.x + real_abs(b->axis[1].x) * b->half.y + real_abs(b->axis[2].x) * b->half.z,
        real_abs(b->axis[0].y) * b->half.x + real_abs(b->axis[1].y) * b->half.y + real_abs(b->axis[2].y) * b->half.z,
        real_abs(b->axis[0].z) * b->half.x + real_abs(b->axis[1].z) * b->half.y + real_abs(b->axis[2].z) * b->half.z);

    return (struct bounds){v3_sub(b->center, e), v3_add(b->center, e)};
}

struct bounds nat_capsule_bounds(const struct capsule *c)
{
    float r = c->radius;

    return (struct bounds){v3(c->feet.x - r, c->feet.y, c->feet.z - r),
                           v3(c->feet.x + r, c->feet.y + c->height, c->feet.z + r)};
}

struct bounds nat_bounds_grow(struct bounds b, float by)
{
    struct v3 e = v3(by, by, by);

    return (struct bounds){v3_sub(b.lo, e), v3_add(b.hi, e)};
}

/* A point as seen from the box. */
static void to_local(const struct box *b, struct v3 p, float out[3])
{
    struct v3 d = v3_sub(p, b->center);

    for (int i = 0; i < 3; i++)
        out[i] = v3_dot(b->axis[i], d);
}

static struct v3 to_world(const struct box *b, const float local[3])
{
    struct v3 p = b->center;

    for (int i = 0; i < 3; i++)
        p = v3_mad(p, b->axis[i], local[i]);
    return p;
}

static void halves(const struct box *b, float h[3])
{
    h[0] = b->half.x;
    h[1] = b->half.y;
    h[2] = b->half.z;
}

/* ---- a line and a box -------------------------------------------------------------------------------------------- */

/* The line a + t d, t in [0, 1]. The square of its distance to the box is convex in t and quadratic between the places
 * where it crosses one of the six face planes; half its slope at t: */
static float slope(const float a[3], const float d[3], const float h[3], float t)
{
    float sum = 0.0f;

    for (int i = 0; i < 3; i++) {
        float p = a[i] + t * d[i];
        sum += d[i] * (p - real_clamp(p, -h[i], h[i]));
    }
    return sum;
}

/* The places in (0, 1), ascending. */
static int crossings(const float a[3], const float d[3], const float h[3], float at[6])
{
    int n = 0;

    for (int i = 0; i < 3; i++)
        for (int side = -1; side <= 1 && d[i] != 0.0f; side += 2) {
            float t = ((float)side * h[i] - a[i]) / d[i];
            if (!(t > 0.0f && t < 1.0f))
                continue;
            int k = n++;
            for (; k > 0 && at[k - 1] > t; k--)
                at[k] = at[k - 1];
            at[k] = t;
        }
    return n;
}

/* The first t of those that are nearest to the box: where the slope, which never falls, reaches 0. */
static float nearest(const float a[3], const float d[3], const float h[3])
{
    float at[7], before = 0.0f, low = slope(a, d, h, 0.0f);
    int n = crossings(a, d, h, at);

    if (low >= 0.0f)
        return 0.0f;
    at[n++] = 1.0f;
    for (int i = 0; i < n; i++) {
        float high = slope(a, d, h, at[i]);
        if (high >= 0.0f)
            return before + (at[i] - before) * (-low / (high - low));
        before = at[i];
        low = high;
    }
    return 1.0f;
}

/* ---- a capsule and a box ----------------------------------------------------------------------------------------- */

/* The line reaches into the box: out through the face that takes the least way. */
static struct plane way_out(const struct box *b, float radius, const float a[3], const float d[3], const float h[3])
{
    float best = 0.0f, local[3];
    int axis = -1, side = 1;

    for (int i = 0; i < 3; i++)
        for (int s = 1; s >= -1; s -= 2) {
            float from = (float)s * a[i], to = (float)s * (a[i] + d[i]);
            float sep = real_min(from, to) - h[i];
            if (axis >= 0 && !(sep > best))
                continue;
            best = sep;
            axis = i;
            side = s;
        }
    for (int i = 0; i < 3; i++)
        local[i] = real_clamp(a[i], -h[i], h[i]);
    local[axis] = (float)side * h[axis];
    struct v3 normal = v3_scale(b->axis[axis], (float)side);
    return (struct plane){normal, best - radius, to_world(b, local), normal};
}

struct plane nat_capsule_box(const struct capsule *c, const struct box *b)
{
    struct v3 low = v3(c->feet.x, c->feet.y + c->radius, c->feet.z);
    float a[3], d[3], h[3], q[3], away[3];
    float line = c->height - 2.0f * c->radius;

    to_local(b, low, a);
    halves(b, h);
    for (int i = 0; i < 3; i++)
        d[i] = b->axis[i].y * line;
    float t = nearest(a, d, h);
    struct v3 face = v3(0.0f, -2.0f, 0.0f);
    for (int i = 0; i < 3; i++) {
        float p = a[i] + t * d[i];
        q[i] = real_clamp(p, -h[i], h[i]);
        away[i] = p - q[i];
        if (q[i] == h[i] && b->axis[i].y > face.y)
            face = b->axis[i];
        else if (q[i] == -h[i] && -b->axis[i].y > face.y)
            face = v3_neg(b->axis[i]);
    }
    float distance = sqrtf(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
    if (!(distance > TOUCHING))
        return way_out(b, c->radius, a, d, h);
    struct v3 normal = v3(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 3; i++)
        normal = v3_mad(normal, b->axis[i], away[i] / distance);
    return (struct plane){normal, distance - c->radius, to_world(b, q), face};
}

float nat_cast_box(const struct capsule *c, struct v3 direction, float far, const struct box *b, struct plane *at)
{
    struct capsule moved = *c;
    float t = 0.0f;

    /* The distance along a straight way is convex, so its tangent never leads past the box: steps by it come near from
     * one side, faster and faster. */
    for (int i = 0; i < 24; i++) {
        *at = nat_capsule_box(&moved, b);
        float approach = -v3_dot(at->normal, direction);
        if (!(approach > GRAZING))
            return -1.0f;
        if (at->separation <= ARRIVED) {
            t = real_max(0.0f, t + at->separation / approach);
            return t <= far ? t : -1.0f;
        }
        t += at->separation / approach;
        if (!(t <= far))
            return -1.0f;
        moved.feet = v3_mad(c->feet, direction, t);
    }
    return t; /* on a grazing way: near enough */
}

/* ---- two boxes --------------------------------------------------------------------------------------------------- */

static float extent(const struct box *b, struct v3 n)
{
    return real_abs(v3_dot(n, b->axis[0])) * b->half.x + real_abs(v3_dot(n, b->axis[1])) * b->half.y +
           real_abs(v3_dot(n, b->axis[2])) * b->half.z;
}

struct contest {
    const struct box *a, *b;
    struct v3 delta;
    bool any;
    float score;
    struct plane best;
};

static void consider(struct contest *k, struct v3 n, float handicap)
{
    float along = v3_dot(n, v3_sub(k->a->center, k->b->center));

    if (along < 0.0f) {
        n = v3_neg(n);
        along = -along;
    }
    float sep = along - extent(k->a, n) - extent(k->b, n);
    /* Two boxes side by side on one floor: whichever is more nearly level goes first, so that a floor made of many
     * boxes is one floor. */
    float score = sep + v3_dot(n, k->delta) - handicap + n.y * 1e-4f;
    if (k->any && !(score > k->score))
        return;
    k->any = true;
    k->score = score;
    k->best = (struct plane){.normal = n, .separation = sep, .face = n};
}

struct plane nat_box_box(const struct box *a, const struct box *b, struct v3 delta)
{
    struct contest k = {.a = a, .b = b, .delta = delta};

    for (int i = 0; i < 3; i++) {
        consider(&k, a->axis[i], 0.0f);
        consider(&k, b->axis[i], 0.0f);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            struct v3 n = v3_cross(a->axis[i], b->axis[j]);
            float length = v3_length(n);
            if (length > 1e-3f)
                consider(&k, v3_scale(n, 1.0f / length), EDGE_HANDICAP);
        }
    k.best.point = v3_mad(b->center, k.best.normal, extent(b, k.best.normal));
    return k.best;
}

/* ---- a ray and a box --------------------------------------------------------------------------------------------- */

float nat_ray_box(struct v3 from, struct v3 direction, float far, const struct box *b)
{
    float o[3], h[3], enter = 0.0f, leave = far;

    to_local(b, from, o);
    halves(b, h);
    for (int i = 0; i < 3; i++) {
        float d = v3_dot(b->axis[i], direction);
        if (real_abs(d) < 1e-9f) {
            if (!(real_abs(o[i]) <= h[i]))
                return -1.0f;
            continue;
        }
        float t0 = (-h[i] - o[i]) / d, t1 = (h[i] - o[i]) / d;
        enter = real_max(enter, real_min(t0, t1));
        leave = real_min(leave, real_max(t0, t1));
    }
    return enter <= leave ? enter : -1.0f;
}
