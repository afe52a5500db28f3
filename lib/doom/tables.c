/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - the executable's tables, copied into a world so that a DEHACKED patch can edit its own. */
#include <string.h>

#include "play.h"

static const struct frame_info frames[NFRAMES] = {
#define FRAME(name, sprite, tics, action, next) {SPR_##sprite, ACT_##action, tics, S_##next},
#include "frame.def"
#undef FRAME
};

#define FRAMES(spawn, see, pain, melee, missile, death, gib, raise)                         \
    {                                                                                       \
        S_##spawn, S_##see, S_##pain, S_##melee, S_##missile, S_##death, S_##gib, S_##raise \
    }
#define SOUNDS(see, attack, pain, death, active)                       \
    {                                                                  \
        SND_##see, SND_##attack, SND_##pain, SND_##death, SND_##active \
    }
static const struct thing_info things[NTHINGTYPES] = {
#define THING(label, num, health, reaction, painchance, speed, radius, height, mass, damage, flags, frames, sounds) \
    {num, health, reaction, painchance, speed, FX(radius), FX(height), mass, damage, flags, frames, sounds},
#include "thing.def"
#undef THING
};

const char *const thing_labels[NTHINGTYPES] = {
#define THING(label, ...) #label,
#include "thing.def"
#undef THING
};

static const struct weapon_info weapons[NWEAPONS] = {
#define WEAPON(name, ammo, up, down, ready, attack, flash) \
    {AM_##ammo, S_##up, S_##down, S_##ready, S_##attack, S_##flash},
#include "weapon.def"
#undef WEAPON
};

/* Par times in seconds: episode and map, or map alone. */
static const int32_t pars1[4][10] = {
    {0},
    {0, 30, 75, 120, 90, 165, 180, 180, 30, 165},
    {0, 90, 90, 90, 120, 90, 360, 240, 30, 170},
    {0, 90, 45, 90, 150, 90, 90, 165, 30, 135},
};
static const int32_t pars2[33] = {0,   30,  90,  120, 120, 90,  150, 120, 120, 270, 90,  210, 150, 150, 150, 210, 150,
                                  420, 150, 210, 150, 240, 150, 180, 150, 150, 300, 330, 420, 300, 180, 120, 30};

static const int32_t maxammo[NAMMO] = {200, 50, 300, 50};
static const int32_t clipammo[NAMMO] = {10, 4, 20, 1};

void tables_init(struct doom *d)
{
    memcpy(d->frames, frames, sizeof frames);
    d->frames[NFRAMES] = (struct frame_info){.action = ACT_NoFrame, .tics = -1};
    memcpy(d->things, things, sizeof things);
    memcpy(d->weapons, weapons, sizeof weapons);
    memcpy(d->maxammo, maxammo, sizeof maxammo);
    memcpy(d->clipammo, clipammo, sizeof clipammo);
    memset(d->pars1, 0, sizeof d->pars1);
    memcpy(d->pars1, pars1, sizeof pars1);
    memcpy(d->pars2, pars2, sizeof pars2);
    d->misc.initial_health = 100;
    d->misc.initial_bullets = 50;
    d->misc.max_health = d->misc.max_armor = d->misc.max_soulsphere = d->misc.megasphere = 200;
    d->misc.green_class = 1;
    d->misc.blue_class = 2;
    d->misc.soulsphere = 100;
    d->misc.bfg_cells = 40;
    d->par33 = 0x6d6d6147; /* "Gamm", of the message that the gamma correction is off */
}
