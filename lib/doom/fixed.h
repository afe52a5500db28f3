/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixed.h - 16.16 fixed point and the wrapping arithmetic of the executable.
 *
 * The original relied on 32-bit two's complement wrapping in a few places (far coordinates, big momenta); there the
 * helpers are used, so that the wrap is written down and UBSan stays silent.
 */
#ifndef DOOM_FIXED_H
#define DOOM_FIXED_H

#include <stdint.h>
#include <stdlib.h>

typedef int32_t fixed; /* 16.16 */
typedef uint32_t bam;  /* an angle, the full turn is 2^32 */

#define FX_BITS 16
#define FX_ONE 65536
#define FX(n) ((fixed)((n)*FX_ONE))

static inline int32_t wrap_add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}
static inline int32_t wrap_sub(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}
static inline int32_t wrap_mul(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}
static inline int32_t wrap_neg(int32_t a)
{
    return (int32_t)(0u - (uint32_t)a);
}
static inline int32_t wrap_shl(int32_t a, int n)
{
    return (int32_t)((uint32_t)a << n);
}
/* INT32_MIN stays itself, as the executable's abs() had it. */
static inline int32_t wrap_abs(int32_t a)
{
    return a < 0 ? wrap_neg(a) : a;
}

static inline fixed fx_mul(fixed a, fixed b)
{
    return (fixed)(((int64_t)a * b) >> FX_BITS);
}

/* Saturates where the quotient would not fit: the executable's own guard, which looks at the magnitudes only. */
static inline fixed fx_div(fixed a, fixed b)
{
    if ((wrap_abs(a) >> 14) >= wrap_abs(b))
        return (a ^ b) < 0 ? INT32_MIN : INT32_MAX;
    return (fixed)((int64_t)((uint64_t)(int64_t)a << FX_BITS) / b);
}

#endif
