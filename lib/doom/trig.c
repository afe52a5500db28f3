/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trig.c - the executable's angle tables, the direction and the rough distance between two points. */
#include "play.h"

const int32_t trig_sine[10240] = {
#include "sine.def"
};

const int32_t trig_tangent[4096] = {
#include "tangent.def"
};

const uint32_t trig_arctan[2049] = {
#include "arctan.def"
};

#define SLOPE_STEPS 2048u

/* The arc tangent of num / den for num <= den, through the table. A tiny denominator counts as 45 degrees. */
static bam octant(uint32_t num, uint32_t den)
{
    if (den < 512)
        return trig_arctan[SLOPE_STEPS];
    uint32_t slope = (num << 3) / (den >> 8);
    return trig_arctan[slope < SLOPE_STEPS ? slope : SLOPE_STEPS];
}

/*
 * Each quadrant is cut in two at its diagonal. Where the angle is counted back from the quadrant's far end it comes out
 * one unit short, and a point on the diagonal itself belongs to the half whose y is the longer: both decide low bits
 * that later tics read.
 */
bam trig_angle(fixed x1, fixed y1, fixed x2, fixed y2)
{
    fixed x = wrap_sub(x2, x1), y = wrap_sub(y2, y1);
    if (x == 0 && y == 0)
        return 0;
    fixed ax = wrap_abs(x), ay = wrap_abs(y);
    bool flat = ax > ay;
    bam a = flat ? octant((uint32_t)ay, (uint32_t)ax) : octant((uint32_t)ax, (uint32_t)ay);
    if (x >= 0 && y >= 0)
        return flat ? a : ANG90 - 1 - a;
    if (x >= 0)
        return flat ? 0 - a : ANG270 + a;
    if (y >= 0)
        return flat ? ANG180 - 1 - a : ANG90 + a;
    return flat ? ANG180 + a : ANG270 - 1 - a;
}

fixed trig_distance(fixed dx, fixed dy)
{
    dx = wrap_abs(dx);
    dy = wrap_abs(dy);
    return wrap_sub(wrap_add(dx, dy), (dx < dy ? dx : dy) >> 1);
}
