/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dehacked.h - a DEHACKED patch in the course of being read: what dehacked.c, dehfield.c and dehtext.c share. */
#ifndef DOOM_DEHACKED_H
#define DOOM_DEHACKED_H

#include "play.h"

/* The object that the lines of a section are about. */
enum deh_kind { DEH_NOTHING, DEH_THING, DEH_FRAME, DEH_OVERFLOW, DEH_WEAPON, DEH_AMMO, DEH_MISC, DEH_POINTER };

struct patch {
    struct doom *d;
    struct dh_err *e;
    const char *name; /* of the file, or of the lump's file */
    const uint8_t *p, *end;
    int line;     /* of what was read last, from 1 */
    bool strings; /* the magic comments that let [STRINGS] in, and texts that are too long for the executable */
    bool longtext;
    int section;
    enum deh_kind kind;
    int number;     /* of the object; -1: there is none of that number, and its lines are passed over */
    char buf[4096]; /* a line, cut at its size: no field is as long, and of a text only the length is used */
    size_t full;    /* its whole length */
};

int deh_error(struct patch *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int deh_char(struct patch *t); /* the next character, of CR LF the LF alone; -1 at the end */
int deh_number(const char *s); /* like atoi; of one that does not fit the lower 32 bits */

/* dehfield.c: NAME = VALUE of the present object. 0, or -1 with an error. An unknown name is passed over. */
int deh_field(struct patch *t, const char *name, int value);

/* dehtext.c: strings that a tic depends on. text_of: a [STRINGS] line's name and its value (n characters, as many as
 * buf holds at value); text_section: the two lengths of a Text section, whose characters are read here. */
void deh_string(struct patch *t, const char *name, const char *value, size_t n);
int deh_text_section(struct patch *t, int from, int to);

#endif
