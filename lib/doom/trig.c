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

/* ---- Doom 1.0 ---------------------------------------------------------------------------------------------------- */

/*
 * 1.0 computes its tables when it starts, by the formulas of the tables above, in double precision all the way and with
 * a pi of 3.141592657, which is too large from the ninth digit on (recreated, R_InitTables, R_InitPointToAngle and
 * P_Init). They give every entry that was found in the running executable (1207). What differs of the sine is here, and
 * the whole arc tangent; tangents are for drawing alone.
 */
static const struct {
    uint16_t i;
    int8_t off;
} sine_1_0[] = {
    {455, -1},  {1080, -1}, {2268, 1},  {3212, -1}, {3324, -1}, {3640, -1}, {3822, 1},  {4147, 1},  {4959, -1},
    {5174, -1}, {6722, -1}, {7111, 1},  {7140, -1}, {7170, -1}, {7328, -1}, {7396, -1}, {7420, 1},  {7947, -1},
    {8077, -1}, {8140, 1},  {8262, -1}, {8306, 1},  {8647, 1},  {8821, -1}, {8823, -1}, {8963, -1}, {9055, 1},
    {9259, -1}, {9272, -1}, {9325, 1},  {9451, -1}, {9465, -1}, {10019, 1},
};

static const uint32_t arctan_1_0[2049] = {
#include "arctan10.def"
};

static const int32_t coarse[COARSEANGLES] = {
#include "coarse.def"
};

fixed trig_sine_1_0(uint32_t i)
{
    size_t n = 0;
    while (n < sizeof sine_1_0 / sizeof *sine_1_0 && sine_1_0[n].i < i)
        n++;
    return trig_sine[i] + (n < sizeof sine_1_0 / sizeof *sine_1_0 && sine_1_0[n].i == i ? sine_1_0[n].off : 0);
}

fixed trig_coarse(uint32_t i)
{
    return coarse[i % COARSEANGLES];
}

/* Recreated, P_Thrust and P_UseLines; 1207. */
fixed trig_step_sin(const struct doom *d, bam a)
{
    return d->version == VERSION_DOOM_1_0 ? trig_coarse(a >> 24) : trig_sin(d, a);
}

fixed trig_step_cos(const struct doom *d, bam a)
{
    return d->version == VERSION_DOOM_1_0 ? trig_coarse((a >> 24) + COARSEANGLES / 4) : trig_cos(d, a);
}

/* ---- directions -------------------------------------------------------------------------------------------------- */

#define SLOPE_STEPS 2048u

/* The arc tangent of num / den for num <= den, through the table. A tiny denominator counts as 45 degrees. */
static bam octant(const uint32_t arctan[SLOPE_STEPS + 1], uint32_t num, uint32_t den)
{
    if (den < 512)
        return arctan[SLOPE_STEPS];
    uint32_t slope = (num << 3) / (den >> 8);
    return arctan[slope < SLOPE_STEPS ? slope : SLOPE_STEPS];
}

/*
 * Each quadrant is cut in two at its diagonal. Where the angle is counted back from the quadrant's far end it comes out
 * one unit short, and a point on the diagonal itself belongs to the half whose y is the longer: both decide low bits
 * that later tics read.
 */
bam trig_angle(const struct doom *d, fixed x1, fixed y1, fixed x2, fixed y2)
{
    const uint32_t *arctan = d->version == VERSION_DOOM_1_0 ? arctan_1_0 : trig_arctan;
    fixed x = wrap_sub(x2, x1), y = wrap_sub(y2, y1);
    if (x == 0 && y == 0)
        return 0;
    fixed ax = wrap_abs(x), ay = wrap_abs(y);
    bool flat = ax > ay;
    bam a = flat ? octant(arctan, (uint32_t)ay, (uint32_t)ax) : octant(arctan, (uint32_t)ax, (uint32_t)ay);
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
