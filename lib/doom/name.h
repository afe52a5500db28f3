/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name.h - the eight-letter names of lumps, textures and flats: case does not matter, and a NUL may end them early. */
#ifndef DOOM_NAME_H
#define DOOM_NAME_H

#include <string.h>

#define NAME_SIZE 9 /* with its NUL */

static inline void name_fold(char out[NAME_SIZE], const char *name)
{
    size_t i = 0;
    for (; i < NAME_SIZE - 1 && name[i]; i++)
        out[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    memset(out + i, 0, NAME_SIZE - i);
}

/* Of a folded name. */
static inline unsigned name_hash(const char name[NAME_SIZE])
{
    unsigned h = 5381;
    for (int i = 0; name[i]; i++)
        h = h * 33 ^ (unsigned char)name[i];
    return h;
}

#endif
