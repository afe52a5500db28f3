/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wad.c - the archive: the directories of all files in load order, every entry checked before it is used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../world.h"
#include "name.h"
#include "play.h"

struct wad {
    struct lump *lumps;
    uint64_t *keys; /* of their names */
    int n;
    int *bucket, *chain; /* by name, later lumps first */
    unsigned mask;
    const struct dh_file *files;
};

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static int broken(struct dh_err *e, const char *file, uint64_t offset, const char *what)
{
    dh_fail(e, DH_TROUBLE, "%s: %s", file, what);
    if (e)
        e->offset = offset;
    return -1;
}

static int check_header(const struct dh_file *f, uint32_t *count, uint32_t *dir, struct dh_err *e)
{
    char what[160];
    if (f->size < 12 || (memcmp(f->bytes, "IWAD", 4) != 0 && memcmp(f->bytes, "PWAD", 4) != 0))
        return broken(e, f->name, 0, "not a WAD: expected IWAD or PWAD and a 12-byte header");
    *count = u32(f->bytes + 4);
    *dir = u32(f->bytes + 8);
    if (*count > INT32_MAX / 16 || *dir > f->size || (uint64_t)*count * 16 > f->size - *dir) {
        snprintf(what, sizeof what,
                 "truncated WAD: the directory of %lu lumps at byte %lu is beyond the end of the file (%zu bytes)",
                 (unsigned long)*count, (unsigned long)*dir, f->size);
        return broken(e, f->name, 4, what);
    }
    return 0;
}

static int read_directory(struct wad *w, int file, struct dh_err *e)
{
    const struct dh_file *f = &w->files[file];
    uint32_t count, dir;
    if (check_header(f, &count, &dir, e) != 0)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *p = f->bytes + dir + (size_t)i * 16;
        uint32_t pos = u32(p), size = u32(p + 4);
        struct lump *l = &w->lumps[w->n];
        name_text(l->name, w->keys[w->n] = name_key((const char *)p + 8));
        /* markers of no size carry any position */
        if (size != 0 && (pos > f->size || size > f->size - pos)) {
            char what[200];
            snprintf(what, sizeof what,
                     "truncated WAD: lump %s (%lu bytes at byte %lu) is beyond the end of the file (%zu bytes)",
                     l->name, (unsigned long)size, (unsigned long)pos, f->size);
            return broken(e, f->name, dir + (uint64_t)i * 16, what);
        }
        l->p = size ? f->bytes + pos : f->bytes;
        l->size = size;
        l->file = file;
        w->n++;
    }
    return 0;
}

static int index_names(struct wad *w)
{
    unsigned size = 64;
    while (size < (unsigned)w->n * 2)
        size *= 2;
    w->mask = size - 1;
    w->bucket = malloc(size * sizeof *w->bucket);
    w->chain = malloc(((size_t)w->n + 1) * sizeof *w->chain);
    if (!w->bucket || !w->chain)
        return -1;
    memset(w->bucket, -1, size * sizeof *w->bucket);
    for (int i = 0; i < w->n; i++) {
        int *b = &w->bucket[name_hash(w->keys[i]) & w->mask];
        w->chain[i] = *b;
        *b = i;
    }
    return 0;
}

struct wad *wad_open(const struct dh_file *files, int nfiles, struct dh_err *e)
{
    struct wad *w = calloc(1, sizeof *w);
    uint64_t total = 0;
    if (!w)
        goto nomem;
    w->files = files;
    for (int i = 0; i < nfiles; i++) {
        uint32_t count, dir;
        if (strcmp(files[i].role, "deh") == 0)
            continue;
        if (check_header(&files[i], &count, &dir, e) != 0)
            goto fail;
        total += count;
    }
    if (total > INT32_MAX / 64)
        goto nomem;
    w->lumps = malloc((size_t)(total + 1) * sizeof *w->lumps);
    w->keys = malloc((size_t)(total + 1) * sizeof *w->keys);
    if (!w->lumps || !w->keys)
        goto nomem;
    for (int i = 0; i < nfiles; i++)
        if (strcmp(files[i].role, "deh") != 0 && read_directory(w, i, e) != 0)
            goto fail;
    if (index_names(w) != 0)
        goto nomem;
    return w;
nomem:
    dh_fail(e, DH_TROUBLE, "out of memory");
fail:
    wad_close(w);
    return NULL;
}

void wad_close(struct wad *w)
{
    if (!w)
        return;
    free(w->lumps);
    free(w->keys);
    free(w->bucket);
    free(w->chain);
    free(w);
}

int wad_count(const struct wad *w)
{
    return w->n;
}

const struct lump *wad_lump(const struct wad *w, int i)
{
    return i >= 0 && i < w->n ? &w->lumps[i] : NULL;
}

int wad_find(const struct wad *w, const char *name)
{
    const uint64_t key = name_key_of(name);
    for (int i = w->bucket[name_hash(key) & w->mask]; i >= 0; i = w->chain[i])
        if (w->keys[i] == key)
            return i;
    return -1;
}

const char *wad_filename(const struct wad *w, int file)
{
    return w->files[file].name;
}
