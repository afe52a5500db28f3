/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dehacked.c - DEHACKED patches: what they change in the tables that a tic reads.
 *
 * Read: the sections Thing, Frame, Pointer, Weapon and Ammo; of the BEX ones [PARS], and [STRINGS] for the length of
 * Doom 1's closing texts. Skipped: sounds, cheats and texts, which no tic reads, and Misc. The line rules are those of
 * the ports: a section begins with its name on a line of its own and ends with an empty line, "#" begins a comment
 * line, and an unknown section or field is passed over.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "play.h"

enum section { NO_SECTION, SKIPPED, THINGS, FRAMES, POINTERS, WEAPONS, AMMO, PARS, STRINGS };
enum store { FRAME16, U8, U16, I32, SKIP };

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
    {"Alert sound", U8, AT(thing_info, sound.see)},
    {"Reaction time", I32, AT(thing_info, reactiontime)},
    {"Attack sound", U8, AT(thing_info, sound.attack)},
    {"Injury frame", FRAME16, AT(thing_info, frame.pain)},
    {"Pain chance", I32, AT(thing_info, painchance)},
    {"Pain sound", U8, AT(thing_info, sound.pain)},
    {"Close attack frame", FRAME16, AT(thing_info, frame.melee)},
    {"Far attack frame", FRAME16, AT(thing_info, frame.missile)},
    {"Death frame", FRAME16, AT(thing_info, frame.death)},
    {"Exploding frame", FRAME16, AT(thing_info, frame.gib)},
    {"Death sound", U8, AT(thing_info, sound.death)},
    {"Speed", I32, AT(thing_info, speed)},
    {"Width", I32, AT(thing_info, radius)},
    {"Height", I32, AT(thing_info, height)},
    {"Mass", I32, AT(thing_info, mass)},
    {"Missile damage", I32, AT(thing_info, damage)},
    {"Action sound", U8, AT(thing_info, sound.active)},
    {"Bits", I32, AT(thing_info, flags)},
    {"Respawn frame", FRAME16, AT(thing_info, frame.raise)},
    {NULL, SKIP, 0},
};
static const struct field frame_fields[] = {
    {"Sprite number", U16, AT(frame_info, sprite)},
    {"Duration", I32, AT(frame_info, tics)},
    {"Next frame", FRAME16, AT(frame_info, next)},
    {NULL, SKIP, 0},
};
/* Past the last of the executable's frames lies the first weapon. */
static const struct field overrun_fields[] = {
    {"Duration", I32, AT(weapon_info, ammo)},    {"Codep frame", I32, AT(weapon_info, up)},
    {"Next frame", I32, AT(weapon_info, down)},  {"Unknown 1", I32, AT(weapon_info, ready)},
    {"Unknown 2", I32, AT(weapon_info, attack)}, {NULL, SKIP, 0},
};
/* DEHACKED calls the frames of raising and lowering a weapon by what the player does. */
static const struct field weapon_fields[] = {
    {"Ammo type", I32, AT(weapon_info, ammo)},
    {"Deselect frame", I32, AT(weapon_info, up)},
    {"Select frame", I32, AT(weapon_info, down)},
    {"Bobbing frame", I32, AT(weapon_info, ready)},
    {"Shooting frame", I32, AT(weapon_info, attack)},
    {"Firing frame", I32, AT(weapon_info, flash)},
    {NULL, SKIP, 0},
};

struct patch {
    struct doom *d;
    struct dh_err *e;
    const uint8_t *p, *end;
    int line;
    bool strings; /* the magic comment that lets [STRINGS] in was there */
    enum section section;
    const struct field *fields; /* of the object that the section changes */
    void *object;
    int number;
    char buf[4096]; /* the line, cut at its size: no field is as long, and of a text only the length is used */
    size_t full;    /* its whole length */
};

/* ---- lines
 * ----------------------------------------------------------------------------------------------------------- */

/* The next character, a carriage return before a line feed dropped, -1 at the end. */
static int next_char(struct patch *t)
{
    if (t->p < t->end && *t->p == '\r' && t->p + 1 < t->end && t->p[1] == '\n')
        t->p++;
    if (t->p == t->end)
        return -1;
    t->line += *t->p == '\n';
    return *t->p++;
}

static void add(struct patch *t, int c)
{
    if (t->full < sizeof t->buf - 1)
        t->buf[t->full] = (char)c;
    t->full++;
}

/* A line into buf; in [STRINGS] a backslash continues one or stands for a line feed. False at the end of the patch. */
static bool next_line(struct patch *t)
{
    const bool extended = t->section == STRINGS;
    bool indent = false;
    t->full = 0;
    for (int c = next_char(t);; c = next_char(t)) {
        if (c < 0 && t->full == 0)
            return false;
        if (extended && c == '\\') {
            c = next_char(t);
            if (c == 'n') {
                add(t, '\n');
                continue;
            }
            if (c == '\n') {
                indent = true;
                continue;
            }
        }
        if (indent && c >= 0 && c != '\n' && isspace(c))
            continue;
        indent = false;
        if (c < 0 || c == '\n')
            break;
        if (c)
            add(t, c);
    }
    t->buf[t->full < sizeof t->buf - 1 ? t->full : sizeof t->buf - 1] = '\0';
    return true;
}

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    for (size_t n = strlen(s); n > 0 && isspace((unsigned char)s[n - 1]); n--)
        s[n - 1] = '\0';
    return s;
}

/* Like atoi, with an end for what does not fit. */
static int number(const char *s)
{
    long n = strtol(s, NULL, 10);
    return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n;
}

/* ---- sections
 * --------------------------------------------------------------------------------------------------------- */

static void set_object(struct patch *t, const char *arg, void *base, size_t size, int first, int count,
                       const struct field *fields)
{
    const int n = number(arg) - first;
    t->object = n >= 0 && n < count ? (char *)base + (size_t)n * size : NULL;
    t->number = n;
    t->fields = fields;
}

/* "Text 10 12": that many characters of the old and the new text follow, whatever lines they make. */
static int skip_text(struct patch *t, const char *arg)
{
    char *rest;
    long from = strtol(arg, &rest, 10), to = strtol(rest, NULL, 10);
    if (from < 0 || to < 0)
        return dh_fail(t->e, DH_TROUBLE, "DEHACKED line %d: expected two lengths, found \"%s\"", t->line, arg);
    for (long n = from; n > 0 && next_char(t) >= 0; n--)
        continue;
    for (long n = to; n > 0 && next_char(t) >= 0; n--)
        continue;
    return 0;
}

static int begin_section(struct patch *t, char *line)
{
    struct doom *d = t->d;
    size_t n = strcspn(line, " \t\r\n\v\f");
    const char *arg = line + n;
#define NAMED(name) (n == sizeof(name) - 1 && strncasecmp(line, name, n) == 0)
    if (NAMED("Thing")) {
        t->section = THINGS;
        set_object(t, arg, d->things, sizeof *d->things, 1, NTHINGTYPES, thing_fields);
    } else if (NAMED("Frame")) {
        t->section = FRAMES;
        set_object(t, arg, d->frames, sizeof *d->frames, 0, NFRAMES, frame_fields);
        if (t->number == NFRAMES - 1) {
            t->object = &d->weapons[0];
            t->fields = overrun_fields;
        }
    } else if (NAMED("Pointer")) {
        /* Pointer 12 (Frame 34): the frame is what counts */
        const char *paren = strchr(arg, '(');
        t->section = POINTERS;
        set_object(t, paren ? paren + 1 + strcspn(paren + 1, "0123456789") : "-1", d->frames, sizeof *d->frames, 0,
                   NFRAMES, NULL);
    } else if (NAMED("Weapon")) {
        t->section = WEAPONS;
        set_object(t, arg, d->weapons, sizeof *d->weapons, 0, NWEAPONS, weapon_fields);
    } else if (NAMED("Ammo")) {
        t->section = AMMO;
        set_object(t, arg, d->maxammo, sizeof *d->maxammo, 0, NAMMO, NULL);
    } else if (NAMED("[PARS]")) {
        t->section = PARS;
    } else if (NAMED("[STRINGS]") && t->strings) {
        t->section = STRINGS;
    } else if (NAMED("Text")) {
        t->section = SKIPPED;
        return skip_text(t, arg);
    } else if (NAMED("Misc") || NAMED("Cheat") || NAMED("Sound")) {
        t->section = SKIPPED;
    }
#undef NAMED
    return 0;
}

static int set_field(struct patch *t, const char *name, int value)
{
    const struct field *f = t->fields;
    while (f->name && strcasecmp(f->name, name) != 0)
        f++;
    char *at = (char *)t->object + f->at;
    /* A frame out of range would be read from beyond the table. Weapon frames: all but the kind of ammunition. */
    const bool weapon = t->fields == weapon_fields || t->fields == overrun_fields;
    const bool frame = f->store == FRAME16 || (weapon && f->store == I32 && f->at != AT(weapon_info, ammo));
    if (frame && (value < 0 || value >= NFRAMES))
        return dh_fail(t->e, DH_TROUBLE, "DEHACKED line %d: %s: expected 0 to %d, found %d", t->line, name, NFRAMES - 1,
                       value);
    switch (f->store) {
    case FRAME16:
    case U16:
        memcpy(at, &(uint16_t){(uint16_t)value}, sizeof(uint16_t));
        break;
    case U8:
        *at = (char)value;
        break;
    case I32:
        memcpy(at, &(int32_t){value}, sizeof(int32_t));
        break;
    case SKIP:
        break;
    }
    if (weapon && f->at == AT(weapon_info, ammo) && f->store == I32 && (value < 0 || value > AM_NOAMMO))
        return dh_fail(t->e, DH_TROUBLE, "DEHACKED line %d: %s: expected 0 to %d, found %d", t->line, name, AM_NOAMMO,
                       value);
    return 0;
}

/* What the executable does at each frame: a pointer names the frame whose action it takes, as it was before any patch.
 */
static const int16_t actions[NFRAMES] = {
#define FRAME(name, sprite, tics, action, next) ACT_##action,
#include "frame.def"
#undef FRAME
};

/* par EPISODE MAP SECONDS, or par MAP SECONDS. The ports differ here: dsda-doom applies it, chocolate-doom (3.0) passes
 * [PARS] over. */
static void set_par(struct doom *d, const char *line)
{
    int v[3], n = 0;
    if (strncasecmp(line, "par", 3) != 0 || !isspace((unsigned char)line[3]))
        return;
    for (const char *s = line + 3; n < 3; n++) {
        char *rest;
        long value = strtol(s, &rest, 10);
        if (rest == s)
            break;
        if (value < 0 || value > INT_MAX / TICRATE)
            return;
        v[n] = (int)value;
        s = rest;
    }
    if (n == 3 && v[0] >= 1 && v[0] <= 4 && v[1] >= 1 && v[1] <= 9)
        d->pars1[v[0]][v[1]] = v[2];
    else if (n == 2 && v[0] >= 1 && v[0] <= 32)
        d->pars2[v[0]] = v[1];
}

/* E1TEXT = ...: the length without the blanks at both ends. */
static void set_string(struct patch *t, const char *name, const char *raw)
{
    if (strlen(name) != 6 || name[0] != 'E' || name[1] < '1' || name[1] > '4' || strcmp(name + 2, "TEXT") != 0)
        return;
    size_t n = t->full - (size_t)(raw - t->buf);
    if (t->full < sizeof t->buf) {
        while (n > 0 && isspace((unsigned char)raw[n - 1]))
            n--;
        while (n > 0 && isspace((unsigned char)*raw))
            raw++, n--;
    }
    t->d->deh_textlen[name[1] - '1'] = n > 1000000 ? 1000000 : (int32_t)n;
}

static int section_line(struct patch *t, char *line)
{
    char *equals = strchr(line, '=');
    if (t->section == PARS) {
        set_par(t->d, line);
        return 0;
    }
    if (!equals)
        return 0;
    *equals = '\0';
    const char *name = trim(line), *value = equals + 1;

    switch (t->section) {
    case THINGS:
    case FRAMES:
    case WEAPONS:
        return t->object ? set_field(t, name, number(value)) : 0;
    case AMMO:
        if (t->object && strcasecmp(name, "Per ammo") == 0)
            t->d->clipammo[t->number] = number(value);
        else if (t->object && strcasecmp(name, "Max ammo") == 0)
            t->d->maxammo[t->number] = number(value);
        return 0;
    case POINTERS: {
        int frame = number(value);
        if (t->object && strcasecmp(name, "Codep frame") == 0 && frame >= 0 && frame < NFRAMES)
            ((struct frame_info *)t->object)->action = actions[frame];
        return 0;
    }
    case STRINGS:
        set_string(t, name, value);
        return 0;
    default:
        return 0;
    }
}

int deh_load(struct doom *d, const uint8_t *p, size_t n, struct dh_err *e)
{
    struct patch t = {.d = d, .e = e, .p = p, .end = p + n};

    if (!next_line(&t) ||
        (strcmp(t.buf, "Patch File for DeHackEd v2.3") != 0 && strcmp(t.buf, "Patch File for DeHackEd v3.0") != 0))
        return dh_fail(e, DH_TROUBLE, "DEHACKED: expected \"Patch File for DeHackEd v3.0\" (or 2.3) as the first line");
    while (next_line(&t)) {
        char *line = t.buf;
        while (isspace((unsigned char)*line))
            line++;
        int result = 0;
        if (*line == '#') {
            if (strstr(line, "*allow-extended-strings*"))
                t.strings = true;
        } else if (!*line) {
            t.section = NO_SECTION;
        } else if (t.section == NO_SECTION) {
            result = begin_section(&t, line);
        } else {
            result = section_line(&t, line);
        }
        if (result != 0)
            return -1;
    }
    return 0;
}
