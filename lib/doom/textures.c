/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * textures.c - numbers of wall textures and flats, and the heights of textures: all of the graphics that a tic reads.
 *
 * A wall texture's number is its place in TEXTURE1 followed by TEXTURE2, as in the executable: the number 0 doubles as
 * "no texture" there, with a height of its own, and raising a floor by the shortest lower texture reads it. Flats are
 * only ever compared with each other, so they are numbered as they are met.
 */
#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "play.h"

struct name {
    uint64_t key;
    char text[NAME_SIZE];
};

struct name_table {
    struct name *names;
    int n, cap;
    int *bucket, *chain;
    unsigned mask;
};

struct textures {
    struct name_table walls, flats;
    fixed *heights; /* by wall */
    int sky;
};

static int lookup(const struct name_table *t, uint64_t key)
{
    if (!t->bucket)
        return -1;
    for (int i = t->bucket[name_hash(key) & t->mask]; i >= 0; i = t->chain[i])
        if (t->names[i].key == key)
            return i;
    return -1;
}

static void put_in_front(struct name_table *t, int i)
{
    int *b = &t->bucket[name_hash(t->names[i].key) & t->mask];
    t->chain[i] = *b;
    *b = i;
}

static int rehash(struct name_table *t)
{
    unsigned size = 64;
    while (size < (unsigned)t->cap * 2)
        size *= 2;
    int *bucket = malloc(size * sizeof *bucket);
    int *chain = realloc(t->chain, (size_t)t->cap * sizeof *chain);
    if (chain)
        t->chain = chain;
    if (!bucket || !chain) {
        free(bucket);
        return -1;
    }
    free(t->bucket);
    t->bucket = bucket;
    t->mask = size - 1;
    memset(bucket, -1, size * sizeof *bucket);
    for (int i = t->n; i-- > 0;)
        put_in_front(t, i);
    return 0;
}

static int add(struct name_table *t, uint64_t key)
{
    if (t->n == t->cap) {
        int cap = t->cap ? t->cap * 2 : 256;
        void *p = realloc(t->names, (size_t)cap * sizeof *t->names);
        if (!p)
            return -1;
        t->names = p;
        t->cap = cap;
        if (rehash(t) != 0)
            return -1;
    }
    t->names[t->n].key = key;
    name_text(t->names[t->n].text, key);
    /* of two entries with one name the executable finds the first */
    if (lookup(t, key) < 0)
        put_in_front(t, t->n);
    return t->n++;
}

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A TEXTUREx lump: a count, that many offsets, and at each a name of 8 bytes, 4 flags, width, height. */
static int read_textures(struct textures *t, const struct wad *w, const struct lump *l, struct dh_err *e)
{
    uint32_t count = l->size >= 4 ? u32(l->p) : UINT32_MAX;
    if (count > (l->size - 4) / 4)
        return dh_fail(e, DH_TROUBLE, "%s: lump %s: a count of textures that does not fit its %lu bytes",
                       wad_filename(w, l->file), l->name, (unsigned long)l->size);
    fixed *h = realloc(t->heights, ((size_t)t->walls.n + count + 1) * sizeof *h);
    if (!h)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    t->heights = h;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = u32(l->p + 4 + (size_t)i * 4);
        if (at > l->size || l->size - at < 22)
            return dh_fail(e, DH_TROUBLE, "%s: lump %s: texture %lu of %lu at byte %lu is beyond the lump's %lu bytes",
                           wad_filename(w, l->file), l->name, (unsigned long)i, (unsigned long)count, (unsigned long)at,
                           (unsigned long)l->size);
        int k = add(&t->walls, name_key((const char *)l->p + at));
        if (k < 0)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        t->heights[k] = FX((int16_t)(l->p[at + 14] | l->p[at + 15] << 8));
    }
    return 0;
}

struct textures *tex_open(const struct wad *w, struct dh_err *e)
{
    struct textures *t = calloc(1, sizeof *t);
    if (!t) {
        dh_fail(e, DH_TROUBLE, "out of memory");
        return NULL;
    }
    static const char *const lumps[] = {"TEXTURE1", "TEXTURE2"};
    for (int i = 0; i < 2; i++) {
        int n = wad_find(w, lumps[i]);
        if (n >= 0 && read_textures(t, w, wad_lump(w, n), e) != 0) {
            tex_close(t);
            return NULL;
        }
    }
    tex_set_sky(t, "F_SKY1");
    return t;
}

void tex_close(struct textures *t)
{
    if (!t)
        return;
    struct name_table *tables[] = {&t->walls, &t->flats};
    for (int i = 0; i < 2; i++) {
        free(tables[i]->names);
        free(tables[i]->bucket);
        free(tables[i]->chain);
    }
    free(t->heights);
    free(t);
}

int tex_wall(const struct textures *t, const char *name)
{
    if (name[0] == '-') /* the executable looks at the first letter only */
        return 0;
    return lookup(&t->walls, name_key(name));
}

static int flat(struct textures *t, uint64_t key)
{
    int i = lookup(&t->flats, key);
    return i >= 0 ? i : add(&t->flats, key);
}

int tex_flat(struct textures *t, const char *name)
{
    return flat(t, name_key(name));
}

fixed tex_height(const struct textures *t, int wall)
{
    return wall >= 0 && wall < t->walls.n ? t->heights[wall] : 0;
}

int tex_sky(const struct textures *t)
{
    return t->sky;
}

void tex_set_sky(struct textures *t, const char *name)
{
    t->sky = flat(t, name_key_of(name));
}

const char *tex_wall_name(const struct textures *t, int wall)
{
    return wall > 0 && wall < t->walls.n ? t->walls.names[wall].text : "-";
}

const char *tex_flat_name(const struct textures *t, int flat)
{
    return flat >= 0 && flat < t->flats.n ? t->flats.names[flat].text : "-";
}
