/* SPDX-License-Identifier: ISC */
#include <math.h>
#include <stdio.h>

#include "walkers.h"

static const double radians = 3.14159265358979323846 / 180.0;

/* To a thousandth: so the last bits of this machine's arc tangent are no part of the session. */
static double rounded(double v)
{
    return floor(v * 1000.0 + 0.5) / 1000.0;
}

static void steer(struct player *p, const struct step *s)
{
    p->yaw = rounded(atan2(p->x - s->x, p->z - s->z));
    p->pitch = 0.0;
}

/* Who has to be somewhere exactly slows down in time. */
static double speed(const struct player *p, const struct step *s)
{
    double far = hypot(s->x - p->x, s->z - p->z);

    return s->near < 0.4 && far < 2.0 ? rounded(far / 2.0) : 1.0;
}

static bool is_done(const struct player *p, const struct step *s)
{
    switch (s->kind) {
    case GO:
        return p->spent >= s->ticks || hypot(s->x - p->x, s->z - p->z) <= s->near;
    case HOLD:
    case SILENT:
        return p->spent >= s->ticks;
    default:
        return false;
    }
}

/* The step that takes this tick; NULL: none is left. */
static const struct step *now(struct player *p)
{
    for (int turns = 0; p->at < p->nsteps && turns < 1000; turns++) {
        const struct step *s = &p->steps[p->at];
        if (s->kind == FACE) {
            p->yaw = rounded(s->x * radians);
            p->pitch = rounded(s->z * radians);
        } else if (s->kind != AGAIN && !is_done(p, s))
            return s;
        p->at = s->kind == AGAIN ? 0 : p->at + 1;
        p->spent = 0;
    }
    return NULL;
}

static void input(const struct player *p, const struct step *s, double ahead, long tick, char *line, unsigned long size)
{
    static const char *const names[] = {"jump", "crouch", "sprint", "use", "noclip"};
    int n = snprintf(line, size, "input %ld move=%g,%g,%g yaw=%g pitch=%g", tick, s->move[0], ahead, s->move[2], p->yaw,
                     p->pitch);
    const char *between = " buttons=";

    for (unsigned i = 0; i < 5; i++)
        if (s->buttons >> i & 1 && n > 0 && (unsigned long)n < size) {
            n += snprintf(line + n, size - (unsigned long)n, "%s%s", between, names[i]);
            between = ",";
        }
}

bool walk(struct player *p, long tick, char *line, unsigned long size)
{
    static const struct step still = {.kind = HOLD};
    const struct step *s = now(p);

    if (!s)
        s = &still;
    p->spent++;
    switch (s->kind) {
    case GO:
        steer(p, s);
        input(p, s, speed(p, s), tick, line, size);
        return true;
    case LEAVE:
        p->done = true;
        snprintf(line, size, "leave");
        return true;
    case SILENT:
        return false;
    default:
        input(p, s, s->move[1], tick, line, size);
        return true;
    }
}
