/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dehtext.c - the texts of the executable that a tic depends on: the switches' textures, the sky's flat, the closing
 * texts of Doom's episodes (by their length), and one message of which four letters are a par time.
 *
 * A patch names a text by its words, which are not kept here: a long one is known by its length and its FNV-1a hash.
 * A new texture's name takes effect where switches are looked for; the names of lumps and of maps are not looked at.
 */
#include <string.h>

#include "dehacked.h"

static const struct {
    const char *name; /* in [STRINGS] */
    uint16_t length;
    uint64_t hash;
} texts[] = {
    {"E1TEXT", 440, 0xb83c808c71de2652}, {"E2TEXT", 466, 0x734d5b4f359480ef},   {"E3TEXT", 492, 0x9a43650217f57c16},
    {"E4TEXT", 503, 0x3e2ca3c4ff481ad3}, {"GAMMALVL0", 20, 0xcd5f9fb4d285b3eb},
};
enum { TEXTS = sizeof texts / sizeof *texts, GAMMA = 4, LONGEST = 1000000 };

/* The text gets another one, of n characters, which begins with `head` (its first four, or all if there are fewer). */
static void replace(struct doom *d, int i, const char *head, size_t n)
{
    if (i != GAMMA) {
        d->deh_textlen[i] = n > LONGEST ? LONGEST : (int32_t)n;
        return;
    }
    uint32_t letters = 0;
    for (size_t k = 0; k < 4 && k < n; k++)
        letters |= (uint32_t)(uint8_t)head[k] << (8 * k);
    d->par33 = (int32_t)letters;
}

void deh_string(struct patch *t, const char *name, const char *value, size_t n)
{
    for (int i = 0; i < TEXTS; i++)
        if (strcmp(texts[i].name, name) == 0)
            replace(t->d, i, value, n);
}

/* A text of up to eight letters, which is a name in the WAD. */
static void rename_short(struct doom *d, const char *from, const char *to)
{
    char name[9];
    for (int i = 0; i < 2 * MAXSWITCHES; i++)
        if (strcmp(switch_name(i, name), from) == 0)
            memcpy(d->switchnames[i], to, sizeof d->switchnames[i]);
    if (strcmp(from, "F_SKY1") == 0)
        tex_set_sky(d->tex, to);
}

int deh_text_section(struct patch *t, int from, int to)
{
    char short_from[9] = {0}, short_to[9] = {0}, head[4] = {0};
    uint64_t hash = 0xcbf29ce484222325;

    for (int i = 0; i < from; i++) {
        int c = deh_char(t) & 255;
        hash = (hash ^ (uint64_t)c) * 0x100000001b3;
        if (i < 8)
            short_from[i] = (char)c;
        if (t->p == t->end)
            break;
    }
    for (int i = 0; i < to; i++) {
        int c = deh_char(t) & 255;
        if (i < 8)
            short_to[i] = (char)c;
        if (i < 4)
            head[i] = (char)c;
        if (t->p == t->end)
            break;
    }
    for (int i = 0; i < TEXTS; i++)
        if (texts[i].length == from && texts[i].hash == hash)
            replace(t->d, i, head, (size_t)to);
    if (from <= 8)
        rename_short(t->d, short_from, short_to);
    return 0;
}
