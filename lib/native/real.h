/* SPDX-License-Identifier: ISC */
/*
 * real.h - the arithmetic of the world: f32 vectors, quaternions, and the few functions that are not exact in IEEE 754.
 *
 * Every operation here is an addition, subtraction, multiplication, division or square root, each rounded to f32 on its
 * own (no contraction, see mk/config.mk), so that every machine gives the same bits. The order of the terms is part of
 * that: a + b + c is (a + b) + c.
 */
#ifndef NAT_REAL_H
#define NAT_REAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct v3 {
    float x, y, z;
};

struct quat {
    float x, y, z, w;
};

static inline struct v3 v3(float x, float y, float z)
{
    return (struct v3){x, y, z};
}

static inline struct v3 v3_add(struct v3 a, struct v3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline struct v3 v3_sub(struct v3 a, struct v3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline struct v3 v3_scale(struct v3 a, float s)
{
    return v3(a.x * s, a.y * s, a.z * s);
}

/* a + b * s */
static inline struct v3 v3_mad(struct v3 a, struct v3 b, float s)
{
    return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline struct v3 v3_neg(struct v3 a)
{
    return v3(-a.x, -a.y, -a.z);
}

static inline float v3_dot(struct v3 a, struct v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct v3 v3_cross(struct v3 a, struct v3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float v3_length(struct v3 a)
{
    return sqrtf(v3_dot(a, a));
}

/* Without its height. */
static inline struct v3 v3_level(struct v3 a)
{
    return v3(a.x, 0.0f, a.z);
}

static inline float real_min(float a, float b)
{
    return a < b ? a : b;
}

static inline float real_max(float a, float b)
{
    return a > b ? a : b;
}

/* Not a number becomes lo. */
static inline float real_clamp(float a, float lo, float hi)
{
    return a > lo ? a < hi ? a : hi : lo;
}

static inline float real_abs(float a)
{
    return a < 0.0f ? -a : a;
}

/* Neither infinite nor not a number. */
static inline bool real_finite(float a)
{
    uint32_t bits;

    memcpy(&bits, &a, sizeof bits);
    return (bits & 0x7f800000) != 0x7f800000;
}

static inline bool v3_finite(struct v3 a)
{
    return real_finite(a.x) && real_finite(a.y) && real_finite(a.z);
}

/* trig.c: sine and cosine of an angle in radians, within one unit of the last place; of a magnitude beyond 1e6 they are
 * those of 0. */
float nat_sin(float radians);
float nat_cos(float radians);

/* The quaternion of a rotation vector: its direction is the axis, its length the angle. */
struct quat nat_rotation(struct v3 vector);
struct quat nat_quat_mul(struct quat a, struct quat b);
/* The three rotated axes. */
void nat_quat_axes(struct quat q, struct v3 axes[3]);

#endif
