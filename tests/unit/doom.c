/* SPDX-License-Identifier: ISC */
/*
 * The tables of Doom 1.0, which it computes when it starts: each entry from its formula, in double precision and cut
 * off towards 0. The pi is 1.0's own. What these formulas give was found in the running executable (version.c has the
 * sources).
 */
#include "doom/play.h"
#include "t.h"

#include <math.h>

#define PI_1_0 3.141592657

static struct doom first = {.version = VERSION_DOOM_1_0}, later = {.version = VERSION_DOOM_1_1};

static void the_sine_of_8192_steps(void)
{
    int differ = 0;

    for (uint32_t i = 0; i < 5 * FINEANGLES / 4; i++) {
        if (!CHECK_INT(trig_sine_at(&first, i), (int32_t)(65536 * sin((i + 0.5) * PI_1_0 * 2 / FINEANGLES))))
            return;
        differ += trig_sine_at(&first, i) != trig_sine_at(&later, i);
    }
    CHECK_INT(differ, 33);
}

static void the_sine_of_256_steps(void)
{
    for (uint32_t i = 0; i < COARSEANGLES; i++) {
        const double angle = i * PI_1_0 * 2 / COARSEANGLES;
        CHECK_INT(trig_coarse(i), (int32_t)(65536 * sin(angle)));
        CHECK_INT(trig_coarse(i + COARSEANGLES / 4), (int32_t)(65536 * cos(angle)));
        CHECK_INT(trig_step_sin(&first, i << 24), trig_coarse(i));
        CHECK_INT(trig_step_cos(&first, (i << 24) + 0xffffff), trig_coarse(i + COARSEANGLES / 4));
    }
    CHECK_INT(trig_step_sin(&later, ANG90), 65535);
}

static void the_angle_of_a_slope(void)
{
    for (int32_t i = 0; i < 2048; i++) /* a slope of i / 2048 to the east-northeast is the table's entry i */
        CHECK_INT(trig_angle(&first, 0, 0, 2048 * 256, i * 256),
                  (uint32_t)(4294967296.0 * (atan(i / 2048.0) / (PI_1_0 * 2))));
    CHECK_INT(trig_angle(&first, 0, 0, 2048, 2048), ANG90 - 1 - (uint32_t)(4294967296.0 * (atan(1) / (PI_1_0 * 2))));
    CHECK(trig_angle(&first, 0, 0, FX(3), FX(2)) != trig_angle(&later, 0, 0, FX(3), FX(2)));
}

int main(void)
{
    T_RUN(the_sine_of_8192_steps);
    T_RUN(the_sine_of_256_steps);
    T_RUN(the_angle_of_a_slope);
    return t_done();
}
