/* SPDX-License-Identifier: GPL-2.0-or-later */
/* light.c - sectors' lights: those that act of themselves, and switching them. They matter to a replay as they draw
 * random numbers. */
#include "play.h"

#define GLOW_STEP 8
#define BRIGHT_TICS 5
#define FAST_DARK 15
#define SLOW_DARK 35

void light_flicker(struct doom *d, struct flicker *t)
{
    if (--t->count)
        return;
    int dim = (rng_next(d) & 3) * 16;
    if (t->sector->light - dim < t->minlight)
        t->sector->light = (int16_t)t->minlight;
    else
        t->sector->light = (int16_t)(t->maxlight - dim); /* of the highest, though the test was by the present light */
    t->count = 4;
}

void light_flash(struct doom *d, struct flash *t)
{
    if (--t->count)
        return;
    if (t->sector->light == t->maxlight) {
        t->sector->light = (int16_t)t->minlight;
        t->count = (rng_next(d) & t->mintime) + 1;
    } else {
        t->sector->light = (int16_t)t->maxlight;
        t->count = (rng_next(d) & t->maxtime) + 1; /* a mask of 64: it is 1 or 65 tics */
    }
}

void light_strobe(struct doom *d, struct strobe *t)
{
    (void)d;
    if (--t->count)
        return;
    if (t->sector->light == t->minlight) {
        t->sector->light = (int16_t)t->maxlight;
        t->count = t->brighttime;
    } else {
        t->sector->light = (int16_t)t->minlight;
        t->count = t->darktime;
    }
}

void light_glow(struct doom *d, struct glow *t)
{
    (void)d;
    struct sector *s = t->sector;
    /* a step that reaches the bound is taken back */
    if (t->direction < 0) {
        s->light = (int16_t)(s->light - GLOW_STEP);
        if (s->light <= t->minlight) {
            s->light = (int16_t)(s->light + GLOW_STEP);
            t->direction = 1;
        }
    } else if (t->direction > 0) {
        s->light = (int16_t)(s->light + GLOW_STEP);
        if (s->light >= t->maxlight) {
            s->light = (int16_t)(s->light - GLOW_STEP);
            t->direction = -1;
        }
    }
}

static void spawn_flicker(struct doom *d, struct sector *s)
{
    struct flicker *t = thinker_new(d, TK_FLICKER);
    t->sector = s;
    t->maxlight = s->light;
    t->minlight = sector_min_light(s, s->light) + 16;
    t->count = 4;
}

static void spawn_flash(struct doom *d, struct sector *s)
{
    struct flash *t = thinker_new(d, TK_FLASH);
    t->sector = s;
    t->maxlight = s->light;
    t->minlight = sector_min_light(s, s->light);
    t->maxtime = 64;
    t->mintime = 7;
    t->count = (rng_next(d) & t->maxtime) + 1;
}

static void spawn_strobe(struct doom *d, struct sector *s, int dark, bool together)
{
    struct strobe *t = thinker_new(d, TK_STROBE);
    t->sector = s;
    t->darktime = dark;
    t->brighttime = BRIGHT_TICS;
    t->maxlight = s->light;
    t->minlight = sector_min_light(s, s->light);
    if (t->minlight == t->maxlight)
        t->minlight = 0;
    t->count = together ? 1 : (rng_next(d) & 7) + 1;
}

static void spawn_glow(struct doom *d, struct sector *s)
{
    struct glow *t = thinker_new(d, TK_GLOW);
    t->sector = s;
    t->minlight = sector_min_light(s, s->light);
    t->maxlight = s->light;
    t->direction = -1;
}

void light_spawn(struct doom *d, struct sector *s, int special)
{
    switch (special) {
    case 1:
        spawn_flash(d, s);
        break;
    case 2:
    case 4: /* which also hurts, so its number stays */
        spawn_strobe(d, s, FAST_DARK, false);
        break;
    case 3:
        spawn_strobe(d, s, SLOW_DARK, false);
        break;
    case 8:
        spawn_glow(d, s);
        break;
    case 12:
        spawn_strobe(d, s, SLOW_DARK, true);
        break;
    case 13:
        spawn_strobe(d, s, FAST_DARK, true);
        break;
    case 17:
        spawn_flicker(d, s);
        break;
    default:
        return;
    }
    s->special = special == 4 ? 4 : 0;
}

void light_start_strobing(struct doom *d, struct line *l)
{
    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;)
        if (!d->lev.sectors[n].specialdata)
            light_spawn(d, &d->lev.sectors[n], 3); /* which makes a damaging floor harmless, too */
}

void light_turn_off_tagged(struct doom *d, struct line *l)
{
    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;) {
        struct sector *s = &d->lev.sectors[n];
        s->light = (int16_t)sector_min_light(s, s->light);
    }
}

/* bright 0 asks for the brightest light around; what the first sector found holds for all that follow, unless it was 0.
 */
void light_turn_on(struct doom *d, struct line *l, int bright)
{
    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;) {
        struct sector *s = &d->lev.sectors[n];
        if (!bright) {
            for (int i = 0; i < s->nlines; i++) {
                const struct sector *other = sector_across(s->lines[i], s);
                if (other && other->light > bright)
                    bright = other->light;
            }
        }
        s->light = (int16_t)bright;
    }
}
