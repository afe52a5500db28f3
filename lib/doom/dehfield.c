/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dehfield.c - which field of the tables each name of a DEHACKED section means.
 *
 * Values are taken as they come, as the reference does; what no tic could live with is found when it is met. A frame
 * beyond the last becomes the one number NFRAMES, whose action says so.
 */
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "dehacked.h"

enum store { FRAME16, FRAME32, SPRITE16, SOUND8, I32, NO_USE };

struct field {
    const char *name;
    enum store store;
    size_t at;
};

#define AT(s, m) offsetof(struct s, m)
static const struct field thing_fields[] = {
    {"ID #", I32, AT(thing_info, doomednum)},
    {"Initial frame", FRAME16, AT(thing_info, frame.spawn)},
    {"Hit points", I32, AT(thing_info, health)},
    {"First moving frame", FRAME16, AT(thing_info, frame.see)},
    {"Alert sound", SOUND8, AT(thing_info, sound.see)},
    {"Reaction time", I32, AT(thing_info, reactiontime)},
    {"Attack sound", SOUND8, AT(thing_info, sound.attack)},
    {"Injury frame", FRAME16, AT(thing_info, frame.pain)},
    {"Pain chance", I32, AT(thing_info, painchance)},
    {"Pain sound", SOUND8, AT(thing_info, sound.pain)},
    {"Close attack frame", FRAME16, AT(thing_info, frame.melee)},
    {"Far attack frame", FRAME16, AT(thing_info, frame.missile)},
    {"Death frame", FRAME16, AT(thing_info, frame.death)},
    {"Exploding frame", FRAME16, AT(thing_info, frame.gib)},
    {"Death sound", SOUND8, AT(thing_info, sound.death)},
    {"Speed", I32, AT(thing_info, speed)},
    {"Width", I32, AT(thing_info, radius)},
    {"Height", I32, AT(thing_info, height)},
    {"Mass", I32, AT(thing_info, mass)},
    {"Missile damage", I32, AT(thing_info, damage)},
    {"Action sound", SOUND8, AT(thing_info, sound.active)},
    {"Bits", I32, AT(thing_info, flags)},
    {"Respawn frame", FRAME16, AT(thing_info, frame.raise)},
    {NULL, NO_USE, 0},
};
static const struct field frame_fields[] = {
    {"Sprite number", SPRITE16, AT(frame_info, sprite)},
    {"Duration", I32, AT(frame_info, tics)},
    {"Next frame", FRAME16, AT(frame_info, next)},
    {NULL, NO_USE, 0},
};
/* Past the end of the executable's frames lies the first weapon: a patch of the last frame edits that. */
static const struct field overflow_fields[] = {
    {"Duration", I32, AT(weapon_info, ammo)},        {"Codep frame", FRAME32, AT(weapon_info, up)},
    {"Next frame", FRAME32, AT(weapon_info, down)},  {"Unknown 1", FRAME32, AT(weapon_info, ready)},
    {"Unknown 2", FRAME32, AT(weapon_info, attack)}, {NULL, NO_USE, 0},
};
/* DEHACKED calls the frames of raising and lowering a weapon by what the player does. */
static const struct field weapon_fields[] = {
    {"Ammo type", I32, AT(weapon_info, ammo)},
    {"Deselect frame", FRAME32, AT(weapon_info, up)},
    {"Select frame", FRAME32, AT(weapon_info, down)},
    {"Bobbing frame", FRAME32, AT(weapon_info, ready)},
    {"Shooting frame", FRAME32, AT(weapon_info, attack)},
    {"Firing frame", FRAME32, AT(weapon_info, flash)},
    {NULL, NO_USE, 0},
};
/* What the cheats give and the health of god mode are no business of a demo's. */
static const struct field misc_fields[] = {
    {"Initial Health", I32, AT(doom, misc.initial_health)},
    {"Initial Bullets", I32, AT(doom, misc.initial_bullets)},
    {"Max Health", I32, AT(doom, misc.max_health)},
    {"Max Armor", I32, AT(doom, misc.max_armor)},
    {"Green Armor Class", I32, AT(doom, misc.green_class)},
    {"Blue Armor Class", I32, AT(doom, misc.blue_class)},
    {"Max Soulsphere", I32, AT(doom, misc.max_soulsphere)},
    {"Soulsphere Health", I32, AT(doom, misc.soulsphere)},
    {"Megasphere Health", I32, AT(doom, misc.megasphere)},
    {"BFG Cells/Shot", I32, AT(doom, misc.bfg_cells)},
    {NULL, NO_USE, 0},
};

/* What the executable does at each frame: a pointer names the frame whose action it takes, as it was before any patch.
 */
static const int16_t actions[NFRAMES] = {
#define FRAME(name, sprite, tics, action, next) ACT_##action,
#include "frame.def"
#undef FRAME
};

static void store(void *at, enum store how, int value)
{
    switch (how) {
    case FRAME16:
        value = value < 0 || value >= NFRAMES ? NFRAMES : value;
        memcpy(at, &(uint16_t){(uint16_t)value}, sizeof(uint16_t));
        break;
    case FRAME32:
        value = value < 0 || value >= NFRAMES ? NFRAMES : value;
        memcpy(at, &(int32_t){value}, sizeof(int32_t));
        break;
    case SPRITE16:
        value = value < 0 || value >= NSPRITES ? NSPRITES : value;
        memcpy(at, &(uint16_t){(uint16_t)value}, sizeof(uint16_t));
        break;
    case SOUND8: /* whether there is one, and which of a few it is, is all that matters */
        *(uint8_t *)at = (uint8_t)(value < 0 || value > UINT8_MAX ? UINT8_MAX : value);
        break;
    case I32:
        memcpy(at, &(int32_t){value}, sizeof(int32_t));
        break;
    case NO_USE:
        break;
    }
}

static const struct field *find(const struct field *f, const char *name)
{
    while (f->name && strcasecmp(f->name, name) != 0)
        f++;
    return f;
}

static void set(const struct field *f, const char *name, void *object, int value)
{
    f = find(f, name);
    store((char *)object + f->at, f->store, value);
}

static void set_misc(struct doom *d, const char *name, int value)
{
    enum { NO_INFIGHTING = 202, INFIGHTING = 221 }; /* opcodes of the executable's code, which this patches */
    if (strcasecmp(name, "Monsters Infight") == 0) {
        if (value == NO_INFIGHTING || value == INFIGHTING)
            d->misc.infight = value == INFIGHTING;
        return;
    }
    set(misc_fields, name, d, value);
}

int deh_field(struct patch *t, const char *name, int value)
{
    struct doom *d = t->d;
    const int n = t->number;

    if (n < 0)
        return 0;
    switch (t->kind) {
    case DEH_THING:
        set(thing_fields, name, &d->things[n], value);
        break;
    case DEH_FRAME:
        set(frame_fields, name, &d->frames[n], value);
        break;
    case DEH_OVERFLOW:
        if (!find(overflow_fields, name)->name)
            return deh_error(t, "frame %d, the last one: '%s' cannot be set", n, name);
        set(overflow_fields, name, &d->weapons[0], value);
        break;
    case DEH_WEAPON:
        set(weapon_fields, name, &d->weapons[n], value);
        break;
    case DEH_AMMO:
        if (strcasecmp(name, "Per ammo") == 0)
            d->clipammo[n] = value;
        else if (strcasecmp(name, "Max ammo") == 0)
            d->maxammo[n] = value;
        break;
    case DEH_POINTER:
        if (strcasecmp(name, "Codep frame") == 0 && value >= 0 && value < NFRAMES)
            d->frames[n].action = actions[value];
        break;
    case DEH_MISC:
        set_misc(d, name, value);
        break;
    case DEH_NOTHING:
        break;
    }
    return 0;
}
