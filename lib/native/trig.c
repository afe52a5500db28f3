/* SPDX-License-Identifier: ISC */
/*
 * trig.c - sine, cosine, rotations.
 *
 * The host's libm differs from one C library to the next, so the polynomials are our own: the Taylor series to x^15 and
 * x^16 on [-pi/4, pi/4], where what is left out is below 1e-16. They are evaluated in f64, whose operations are as
 * exactly defined as those of f32, and rounded once at the end.
 */
#include "native.h"
#include "real.h"

/* pi/2 in two parts: the first has 33 significant bits, so that its product with a quarter turn's number is exact. */
static const double half_pi_high = 1.57079632673412561417e+00;
static const double half_pi_low = 6.07710050650619224932e-11;
static const double two_over_pi = 6.36619772367581382433e-01;

#define DEGREE 0.017453292f /* pi/180 */

static double sine(double x)
{
    double s = x * x, p = -1.0 / 1307674368000.0;

    p = p * s + 1.0 / 6227020800.0;
    p = p * s - 1.0 / 39916800.0;
    p = p * s + 1.0 / 362880.0;
    p = p * s - 1.0 / 5040.0;
    p = p * s + 1.0 / 120.0;
    p = p * s - 1.0 / 6.0;
    return x + x * s * p;
}

static double cosine(double x)
{
    double s = x * x, p = 1.0 / 20922789888000.0;

    p = p * s - 1.0 / 87178291200.0;
    p = p * s + 1.0 / 479001600.0;
    p = p * s - 1.0 / 3628800.0;
    p = p * s + 1.0 / 40320.0;
    p = p * s - 1.0 / 720.0;
    p = p * s + 1.0 / 24.0;
    p = p * s - 1.0 / 2.0;
    return 1.0 + s * p;
}

/* The sine of the angle and, with quarters 1, of what is that many quarter turns further. */
static float turned(float radians, int quarters)
{
    double x = radians;

    if (!(x >= -1e6 && x <= 1e6))
        x = 0.0;
    double turns = x * two_over_pi;
    int32_t k = (int32_t)(turns + (turns < 0.0 ? -0.5 : 0.5));
    double r = x - (double)k * half_pi_high - (double)k * half_pi_low;
    uint32_t quadrant = ((uint32_t)k + (uint32_t)quarters) & 3;
    double v = quadrant & 1 ? cosine(r) : sine(r);
    return (float)(quadrant & 2 ? -v : v);
}

float nat_sin(float radians)
{
    return turned(radians, 0);
}

float nat_cos(float radians)
{
    return turned(radians, 1);
}

struct quat nat_rotation(struct v3 vector)
{
    float angle = v3_length(vector);

    if (!(angle > 0.0f))
        return (struct quat){0.0f, 0.0f, 0.0f, 1.0f};
    float s = nat_sin(angle * 0.5f) / angle;
    return (struct quat){vector.x * s, vector.y * s, vector.z * s, nat_cos(angle * 0.5f)};
}

struct quat nat_quat_mul(struct quat a, struct quat b)
{
    return (struct quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

void nat_quat_axes(struct quat q, struct v3 axes[3])
{
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;

    axes[0] = v3(1.0f - 2.0f * (yy + zz), 2.0f * (xy + wz), 2.0f * (xz - wy));
    axes[1] = v3(2.0f * (xy - wz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz + wx));
    axes[2] = v3(2.0f * (xz + wy), 2.0f * (yz - wx), 1.0f - 2.0f * (xx + yy));
}

/* ---- the slope limit --------------------------------------------------------------------------------------------- */

static float from_bits(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

static float cosine_of_degrees(float degrees)
{
    return nat_cos(degrees * DEGREE);
}

/* Cosines fall from 0 to 90 degrees, and the bits of positive floats are in the order of their values: halving finds
 * the first value whose cosine is no greater. Rounding can break the order by a few places only, hence a look around.
 */
bool nat_slope_degrees(float cosine_wanted, float *degrees)
{
    const uint32_t around = 256;
    uint32_t lo = 0, hi = 0x42b40000; /* 90 */

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (cosine_of_degrees(from_bits(mid)) > cosine_wanted)
            lo = mid + 1;
        else
            hi = mid;
    }
    *degrees = from_bits(lo);
    /* Of several the one with the shortest decimal is what somebody typed; whole and half degrees come first. */
    float near = (float)(int)(*degrees * 2.0f + 0.5f) * 0.5f;
    if (cosine_of_degrees(near) == cosine_wanted) {
        *degrees = near;
        return true;
    }
    for (uint32_t i = 0; i <= around; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            uint32_t bits = sign < 0 ? lo - (i < lo ? i : lo) : lo + i;
            if (cosine_of_degrees(from_bits(bits)) != cosine_wanted)
                continue;
            *degrees = from_bits(bits);
            return true;
        }
    return false;
}
