/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dehacked.c - DEHACKED patches: their lines and sections. What the sections change is in dehfield.c and dehtext.c.
 *
 * The rules are those of chocolate-doom, with its limits and what it lets pass: a section begins with its name and
 * number on a line of its own and ends with an empty line, "#" begins a comment line; an unknown section or field and a
 * number of no object are passed over. An error are only a wrong first line, a text longer than the executable has room
 * for, and a field of the last frame that lies nowhere. [PARS], which it passes over, is applied as dsda-doom does.
 * Skipped are sounds and cheats, which no tic depends on.
 */
#include "dehacked.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum section { NO_SECTION, SKIPPED, FIELDS, PARS, STRINGS };

int deh_error(struct patch *t, const char *fmt, ...)
{
    char what[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    dh_fail(t->e, DH_TROUBLE, "%s: DEHACKED line %d: %s", t->name, t->line, what);
    return -1;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

int deh_char(struct patch *t)
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
    for (int c = deh_char(t);; c = deh_char(t)) {
        if (c < 0 && t->full == 0)
            return false;
        if (extended && c == '\\') {
            c = deh_char(t);
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

/* Of a number that does not fit the lower 32 bits count: flags are written so. */
static int low_word(long long n)
{
    return (int32_t)(uint32_t)(unsigned long long)n;
}

int deh_number(const char *s)
{
    return low_word(strtoll(s, NULL, 10));
}

/* ---- the first lines of sections --------------------------------------------------------------------------------- */

/* As scanf's %i has it: decimal, octal or hexadecimal. *s moves on behind it; false: there is no number. */
static bool scan_number(const char **s, int *n)
{
    char *rest;
    long long v = strtoll(*s, &rest, 0);
    if (rest == *s)
        return false;
    *s = rest;
    *n = low_word(v);
    return true;
}

static void object(struct patch *t, enum deh_kind kind, bool known, int n, int count)
{
    t->section = FIELDS;
    t->kind = kind;
    t->number = known && n >= 0 && n < count ? n : -1;
}

/* "Pointer 12 (Frame 34)": the frame is what counts. The word before it may be any. */
static bool scan_pointer(const char *s, int *frame)
{
    int serial;
    if (!scan_number(&s, &serial))
        return false;
    while (isspace((unsigned char)*s))
        s++;
    if (*s++ != '(')
        return false;
    while (isspace((unsigned char)*s))
        s++;
    while (*s && !isspace((unsigned char)*s))
        s++;
    return scan_number(&s, frame);
}

/* The executable's texts begin at multiples of four bytes and have a byte for their end. */
static int room_for(int length)
{
    return (length + 4) / 4 * 4 - 1;
}

/* "Text 10 12": that many characters of the old and the new text follow, whatever lines they make. */
static int begin_text(struct patch *t, const char *s)
{
    int from, to;
    t->section = SKIPPED;
    if (!scan_number(&s, &from) || !scan_number(&s, &to))
        return 0;
    if (from < 0 || to < 0)
        return deh_error(t, "expected two lengths, found %d and %d", from, to);
    if (to > room_for(from) && !t->longtext)
        return deh_error(t, "a text of %d characters, of which the executable has room for %d", to, room_for(from));
    return deh_text_section(t, from, to);
}

static int begin_section(struct patch *t, const char *line)
{
    static const struct {
        const char *name;
        enum deh_kind kind;
        int count, first;
    } sections[] = {
        {"Thing", DEH_THING, NTHINGTYPES, 1}, {"Frame", DEH_FRAME, NFRAMES, 0},     {"Weapon", DEH_WEAPON, NWEAPONS, 0},
        {"Ammo", DEH_AMMO, NAMMO, 0},         {"Pointer", DEH_POINTER, NFRAMES, 0},
    };
    const size_t n = strcspn(line, " \t\r\n\v\f");
    const char *arg = line + n;
    int number = -1;
#define NAMED(name) (n == strlen(name) && strncasecmp(line, name, n) == 0)
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (!NAMED(sections[i].name))
            continue;
        /* the name alone may be in any case: with the number it has to be as written here */
        bool known = strncmp(line, sections[i].name, n) == 0 &&
                     (sections[i].kind == DEH_POINTER ? scan_pointer(arg, &number) : scan_number(&arg, &number));
        object(t, sections[i].kind, known, number - sections[i].first, sections[i].count);
        if (t->kind == DEH_FRAME && t->number == NFRAMES - 1)
            t->kind = DEH_OVERFLOW;
        return 0;
    }
    if (NAMED("Text"))
        return strncmp(line, "Text", 4) == 0 ? begin_text(t, arg) : begin_text(t, "");
    if (NAMED("Misc"))
        object(t, DEH_MISC, true, 0, 1);
    else if (NAMED("[PARS]"))
        t->section = PARS;
    else if (NAMED("[STRINGS]") && t->strings)
        t->section = STRINGS;
    else if (NAMED("Cheat") || NAMED("Sound"))
        t->section = SKIPPED;
#undef NAMED
    return 0;
}

/* ---- the lines of sections --------------------------------------------------------------------------------------- */

/* par EPISODE MAP SECONDS, or par MAP SECONDS. */
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

/* The value without the blanks at both ends; one that is longer than buf is taken to have none at its end. */
static void set_string(struct patch *t, const char *name, const char *value)
{
    size_t n = t->full - (size_t)(value - t->buf);
    for (; n > 0 && isspace((unsigned char)*value); n--)
        value++;
    if (t->full < sizeof t->buf)
        while (n > 0 && isspace((unsigned char)value[n - 1]))
            n--;
    deh_string(t, name, value, n);
}

static int section_line(struct patch *t, char *line)
{
    char *equals = strchr(line, '=');

    if (t->section == PARS)
        set_par(t->d, line);
    if (!equals)
        return 0;
    *equals = '\0';
    const char *name = trim(line);
    if (t->section == STRINGS)
        set_string(t, name, equals + 1);
    return t->section == FIELDS ? deh_field(t, name, deh_number(equals + 1)) : 0;
}

/* Comments with these words lift limits. */
static void comment(struct patch *t, const char *line)
{
    if (strstr(line, "*allow-extended-strings*"))
        t->strings = true;
    if (strstr(line, "*allow-long-strings*"))
        t->longtext = true;
}

static int load(struct patch *t)
{
    if (!next_line(t) ||
        (strcmp(t->buf, "Patch File for DeHackEd v2.3") != 0 && strcmp(t->buf, "Patch File for DeHackEd v3.0") != 0)) {
        t->line = 1;
        return deh_error(t, "expected \"Patch File for DeHackEd v3.0\" (or 2.3)");
    }
    while (next_line(t)) {
        char *line = t->buf;
        int result = 0;
        while (isspace((unsigned char)*line))
            line++;
        if (*line == '#')
            comment(t, line);
        else if (!*line)
            t->section = NO_SECTION;
        else if (t->section == NO_SECTION)
            result = begin_section(t, line);
        else
            result = section_line(t, line);
        if (result != 0)
            return -1;
    }
    return 0;
}

int deh_load(struct doom *d, const char *name, const uint8_t *p, size_t n, int flags, struct dh_err *e)
{
    struct dh_err ignored = {0};
    struct patch t = {.d = d,
                      .e = flags & DEH_TOLERANT ? &ignored : e,
                      .name = name,
                      .p = p,
                      .end = p + n,
                      .longtext = flags & DEH_LONGTEXT};
    return load(&t) != 0 && !(flags & DEH_TOLERANT) ? -1 : 0;
}
