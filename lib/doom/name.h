/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name.h - the eight-letter names of lumps, textures and flats: case does not matter, and a NUL may end them early.
 *
 * They are looked up as one number of eight bytes, the first letter lowest, upper case, zero from the NUL on.
 */
#ifndef DOOM_NAME_H
#define DOOM_NAME_H

#include <stdint.h>
#include <string.h>

#define NAME_SIZE 9 /* with its NUL */

/* Of the eight bytes of a name in a file. */
static inline uint64_t name_key(const char name[8])
{
    const uint64_t each = 0x0101010101010101, top = 0x80 * each;
    const uint8_t *p = (const uint8_t *)name;
    uint64_t v = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
                 (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
    /* the lowest top bit is of the first NUL: what is below that byte stays */
    uint64_t nul = (v - each) & ~v & top;
    if (nul)
        v &= ((nul & -nul) >> 7) - 1;
    /* the top bits of the bytes from a to z, which are as far from upper case as these are from 0x20 */
    uint64_t low = v & ~top, from_a = low + (0x80 - 'a') * each, above_z = low + (0x7f - 'z') * each;
    return v - (((from_a ^ above_z) & ~v & top) >> 2);
}

/* Of a name that is a string. */
static inline uint64_t name_key_of(const char *s)
{
    char name[8] = {0};
    memcpy(name, s, strnlen(s, sizeof name));
    return name_key(name);
}

static inline void name_text(char out[NAME_SIZE], uint64_t key)
{
    for (int i = 0; i < NAME_SIZE - 1; i++)
        out[i] = (char)(key >> 8 * i);
    out[NAME_SIZE - 1] = '\0';
}

static inline uint32_t name_hash(uint64_t key)
{
    return (uint32_t)(key * 0x9e3779b97f4a7c15 >> 32);
}

#endif
