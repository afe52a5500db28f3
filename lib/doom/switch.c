/* SPDX-License-Identifier: GPL-2.0-or-later */
/* switch.c - walls that look pressed when they are used, and spring back when they are buttons. */
#include <string.h>

#include "play.h"

/*
 * The names after SW1 and SW2, in the executable's order: shareware's, then those of the registered game, then Doom
 * II's. A name that the WADs do not have is left out, where the executable would not start.
 */
static const char names[MAXSWITCHES][6] = {
    "BRCOM", "BRN1",  "BRN2",  "BRNGN", "BROWN", "COMM",  "COMP",  "DIRT",  "EXIT",  "GRAY",
    "GRAY1", "METAL", "PIPE",  "SLAD",  "STARG", "STON1", "STON2", "STONE", "STRTN", "BLUE",
    "CMT",   "GARG",  "GSTON", "HOT",   "LION",  "SATYR", "SKIN",  "VINE",  "WOOD",  "PANEL",
    "ROCK",  "MET2",  "WDMET", "BRIK",  "MOD1",  "ZIM",   "STON6", "TEK",   "MARB",  "SKULL",
};
enum { SHAREWARE_NAMES = 19, REGISTERED_NAMES = 29 };

const char *switch_name(int i, char name[9])
{
    memset(name, 0, 9);
    memcpy(name, i & 1 ? "SW2" : "SW1", 3);
    memcpy(name + 3, names[i / 2], sizeof names[0]);
    return name;
}

static int texture(const struct doom *d, int i)
{
    char name[9];
    return tex_wall(d->tex, *d->switchnames[i] ? d->switchnames[i] : switch_name(i, name));
}

void switch_init(struct doom *d)
{
    int n = d->mode == MODE_SHAREWARE ? SHAREWARE_NAMES : d->mode == MODE_COMMERCIAL ? MAXSWITCHES : REGISTERED_NAMES;
    d->nswitches = 0;
    for (int i = 0; i < n; i++) {
        int off = texture(d, 2 * i), on = texture(d, 2 * i + 1);
        if (off < 0 || on < 0)
            continue;
        d->switches[d->nswitches++] = (int16_t)off;
        d->switches[d->nswitches++] = (int16_t)on;
    }
}

static int16_t *part(struct side *s, int where)
{
    switch (where) {
    case BUTTON_TOP:
        return &s->top;
    case BUTTON_MIDDLE:
        return &s->mid;
    case BUTTON_BOTTOM:
        return &s->bottom;
    default:
        return NULL;
    }
}

static void button_start(struct doom *d, struct line *l, int where, int16_t texture)
{
    struct button *unused = NULL;
    for (int i = MAXBUTTONS - 1; i >= 0; i--) {
        struct button *b = &d->buttons[i];
        if (b->timer && b->line == l && d->version >= VERSION_DOOM_1_2)
            return; /* pressed already, goes on as it was; up to 1.1 it is two (recreated, P_StartButton) */
        if (!b->timer)
            unused = b;
    }
    if (!unused) {
        dh_fail(d->err, DH_TROUBLE, "line %d: more than %d buttons pressed at once, where the executable stops",
                l->index, MAXBUTTONS);
        return;
    }
    *unused = (struct button){.line = l, .where = where, .texture = texture, .timer = BUTTON_TICS};
}

void switch_change(struct doom *d, struct line *l, bool again)
{
    struct side *s = &d->lev.sides[l->sidenum[0]];
    if (!again)
        l->special = 0;
    /* the list is the outer loop: of two parts that are switches, the one that comes first in the list changes */
    for (int i = 0; i < d->nswitches; i++) {
        for (int where = BUTTON_TOP; where <= BUTTON_BOTTOM; where++) {
            int16_t *tex = part(s, where);
            if (*tex != d->switches[i])
                continue;
            *tex = d->switches[i ^ 1];
            if (again)
                button_start(d, l, where, d->switches[i]);
            return;
        }
    }
}

void switch_tick(struct doom *d)
{
    for (int i = 0; i < MAXBUTTONS; i++) {
        struct button *b = &d->buttons[i];
        if (!b->timer || --b->timer)
            continue;
        int16_t *tex = part(&d->lev.sides[b->line->sidenum[0]], b->where);
        if (tex)
            *tex = b->texture;
        *b = (struct button){0};
    }
}
