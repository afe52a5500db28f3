/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lanes.h - several of a kind asked at once, side by side in a vector: most of what is asked is far from being met. */
#ifndef DOOM_LANES_H
#define DOOM_LANES_H

#include <stdint.h>
#include <string.h>

enum { LANES = 8 };
typedef int16_t lanes __attribute__((vector_size(LANES * sizeof(int16_t))));

/* Four, of single precision. */
typedef float flanes __attribute__((vector_size(LANES / 2 * sizeof(float))));
typedef int32_t ilanes __attribute__((vector_size(LANES / 2 * sizeof(int32_t))));

static inline lanes lanes_read(const int16_t *p)
{
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline flanes flanes_read(const float *p)
{
    flanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline flanes flanes_abs(flanes v)
{
    ilanes bits;
    memcpy(&bits, &v, sizeof bits);
    bits &= INT32_MAX;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Of a comparison, whose lanes are 0 or all ones: a bit a lane, the first one's lowest. Each lane keeps a bit of its
 * own, and a product adds them up in its highest lane. */
static inline uint32_t lanes_bits(lanes v)
{
    uint64_t half[2];
    memcpy(half, &v, sizeof half);
    if ((half[0] | half[1]) == 0)
        return 0;
    const uint64_t own = 0x0008000400020001, one = 0x0001000100010001;
    const uint64_t low = (half[0] & own) * one >> 48, high = (half[1] & own) * one >> 48;
    return (uint32_t)(low | high << 4);
}

static inline uint32_t ilanes_bits(ilanes v)
{
    uint64_t half[2];
    memcpy(half, &v, sizeof half);
    if ((half[0] | half[1]) == 0)
        return 0;
    const uint64_t low = (half[0] & 1) | (half[0] >> 32 & 2), high = (half[1] & 1) | (half[1] >> 32 & 2);
    return (uint32_t)(low | high << 2);
}

#endif
