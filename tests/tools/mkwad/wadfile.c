/* SPDX-License-Identifier: ISC */
/* The lumps and the archive. Everything is little-endian, written byte by byte. */
#include "mkwad.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef LIST(uint8_t) bytes;

struct entry {
    char name[NAME_MAX_LEN + 1];
    int pos, size;
};

struct wad {
    bytes body;
    LIST(struct entry) dir;
};

enum { WAD_HEADER = 12, FLAT_SIZE = 64 * 64, PATCH_WIDTH = 8 };

static void put(bytes *b, int64_t v, int n)
{
    for (int i = 0; i < n; i++)
        list_add(b) = (uint8_t)((uint64_t)v >> (8 * i));
}

/* A 16-bit field, signed or not; a value of neither range is a map that the format cannot hold. */
static void put16(bytes *b, int v)
{
    if (v < -32768 || v > 65535)
        die("%d does not fit into a 16-bit field", v);
    put(b, v, 2);
}

static void put_name(bytes *b, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < NAME_MAX_LEN; i++)
        list_add(b) = i < n ? (uint8_t)name[i] : 0;
}

/* Everything written to the body from now on, up to the next begin, is this lump. */
static void begin(struct wad *w, const char *name)
{
    struct entry e = {.pos = w->body.n};
    snprintf(e.name, sizeof e.name, "%s", name);
    list_add(&w->dir) = e;
}

static void end(struct wad *w)
{
    struct entry *e = &w->dir.v[w->dir.n - 1];
    e->size = w->body.n - e->pos;
}

static void put_segs(const struct map *m, bytes *b)
{
    for (int i = 0; i < m->segs.n; i++) {
        const struct seg *s = &m->segs.v[i];
        const struct line *l = &m->lines.v[s->line];
        struct vertex from = m->vertices.v[s->side ? l->v2 : l->v1], to = m->vertices.v[s->side ? l->v1 : l->v2];
        struct vertex start = m->vertices.v[s->v1];
        double turn = atan2(to.y - from.y, to.x - from.x) / (2 * acos(-1));
        put16(b, s->v1);
        put16(b, s->v2);
        put16(b, (int)floor(turn * 65536 + 0.5) & 0xffff);
        put16(b, s->line);
        put16(b, s->side);
        put16(b, (int)floor(hypot(start.x - from.x, start.y - from.y) + 0.5));
    }
}

static void put_nodes(const struct map *m, bytes *b)
{
    for (int i = 0; i < m->nodes.n; i++) {
        const struct node *n = &m->nodes.v[i];
        const int head[4] = {n->x, n->y, n->dx, n->dy};
        for (int k = 0; k < 4; k++) {
            if (head[k] < -32768 || head[k] > 32767)
                die("%s: %s: a line is too long", m->file, m->name);
            put16(b, head[k]);
        }
        for (int k = 0; k < 8; k++)
            put16(b, n->box[k / 4][k % 4]);
        put16(b, n->child[0]);
        put16(b, n->child[1]);
    }
}

static void put_reject(const struct map *m, bytes *b)
{
    int n = m->sectors.n, start = b->n;
    for (int i = 0; i < (n * n + 7) / 8; i++)
        list_add(b) = 0;
    for (int i = 0; i < m->blind.n; i++) {
        struct pair p = m->blind.v[i];
        int bit[2] = {p.a * n + p.b, p.b * n + p.a};
        for (int k = 0; k < 2; k++) {
            uint8_t *at = &b->v[start + bit[k] / 8];
            *at = (uint8_t)(*at | 1 << bit[k] % 8);
        }
    }
}

static void check_limits(const struct map *m)
{
    const struct {
        const char *what;
        int n;
    } counts[] = {
        {"things", m->things.n}, {"lines", m->lines.n},           {"sides", m->sides.n}, {"vertices", m->vertices.n},
        {"segs", m->segs.n},     {"subsectors", m->subsectors.n}, {"nodes", m->nodes.n}, {"sectors", m->sectors.n},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].n > 32767) /* 16-bit numbers that the engine reads as signed */
            die("%s: %s: %d %s; the format ends at 32767", m->file, m->name, counts[i].n, counts[i].what);
    }
}

static void put_map(struct wad *w, const struct map *m)
{
    bytes *b = &w->body;
    check_limits(m);
    begin(w, m->name);
    end(w);
    begin(w, "THINGS");
    for (int i = 0; i < m->things.n; i++) {
        const struct thing *t = &m->things.v[i];
        const int f[] = {t->x, t->y, t->angle, t->type, t->flags};
        for (size_t k = 0; k < sizeof f / sizeof *f; k++)
            put16(b, f[k]);
    }
    end(w);
    begin(w, "LINEDEFS");
    for (int i = 0; i < m->lines.n; i++) {
        const struct line *l = &m->lines.v[i];
        const int f[] = {l->v1, l->v2, l->flags, l->special, l->tag, l->side[0], l->side[1]};
        for (size_t k = 0; k < sizeof f / sizeof *f; k++)
            put16(b, f[k]);
    }
    end(w);
    begin(w, "SIDEDEFS");
    for (int i = 0; i < m->sides.n; i++) {
        const struct side *s = &m->sides.v[i];
        put16(b, s->xoff);
        put16(b, s->yoff);
        for (int k = 0; k < TEX_COUNT; k++)
            put_name(b, s->tex[k]);
        put16(b, s->sector);
    }
    end(w);
    begin(w, "VERTEXES");
    for (int i = 0; i < m->vertices.n; i++) {
        put16(b, m->vertices.v[i].x);
        put16(b, m->vertices.v[i].y);
    }
    end(w);
    begin(w, "SEGS");
    put_segs(m, b);
    end(w);
    begin(w, "SSECTORS");
    for (int i = 0; i < m->subsectors.n; i++) {
        put16(b, m->subsectors.v[i].count);
        put16(b, m->subsectors.v[i].first);
    }
    end(w);
    begin(w, "NODES");
    put_nodes(m, b);
    end(w);
    begin(w, "SECTORS");
    for (int i = 0; i < m->sectors.n; i++) {
        const struct sector *s = &m->sectors.v[i];
        put16(b, s->floor);
        put16(b, s->ceil);
        put_name(b, s->floorpic);
        put_name(b, s->ceilpic);
        put16(b, s->light);
        put16(b, s->special);
        put16(b, s->tag);
    }
    end(w);
    begin(w, "REJECT");
    put_reject(m, b);
    end(w);
    begin(w, "BLOCKMAP");
    for (int i = 0; i < m->blockmap.n; i++)
        put16(b, m->blockmap.v[i]);
    end(w);
}

static const struct texture *find_texture(const struct source *src, const char *name)
{
    for (int i = 0; i < src->textures.n; i++) {
        if (name_equal(src->textures.v[i].name, name))
            return &src->textures.v[i];
    }
    return NULL;
}

/* Every texture that a side uses has a size. */
static void check_textures(const struct source *src)
{
    for (int i = 0; i < src->maps.n; i++) {
        const struct map *m = &src->maps.v[i];
        for (int k = 0; k < m->sides.n * TEX_COUNT; k++) {
            const char *name = m->sides.v[k / TEX_COUNT].tex[k % TEX_COUNT];
            if (strcmp(name, "-") != 0 && !find_texture(src, name))
                die("%s: %s: texture %s has no size: say `texture %s WIDTHxHEIGHT`", m->file, m->name, name, name);
        }
    }
}

/* One texture entry: its size and a single, empty patch. */
static void put_texture(bytes *b, const char *name, const struct texture *t)
{
    put_name(b, name);
    put(b, 0, 4); /* "masked", unused */
    put16(b, t->width);
    put16(b, t->height);
    put(b, 0, 4); /* column directory, unused */
    put16(b, 1);
    for (int k = 0; k < 5; k++) /* patch 0 of PNAMES at 0,0; stepdir and colormap are unused */
        put16(b, 0);
}

static bool pressed_name(const struct source *src, const struct texture *t, char out[NAME_MAX_LEN + 1])
{
    memcpy(out, t->name, NAME_MAX_LEN + 1);
    if (strncmp(out, "SW1", 3) != 0 && strncmp(out, "SW2", 3) != 0)
        return false;
    out[2] = out[2] == '1' ? '2' : '1';
    return !find_texture(src, out);
}

/* TEXTURE1 and PNAMES: names and sizes are all that a headless replay reads. A switch brings the other half of its pair
 * along. */
static void put_textures(struct wad *w, const struct source *src)
{
    bytes *b = &w->body, list = {0};
    char other[NAME_MAX_LEN + 1];
    LIST(int) offset = {0};

    for (int i = 0; i < src->textures.n; i++) {
        const struct texture *t = &src->textures.v[i];
        list_add(&offset) = list.n;
        put_texture(&list, t->name, t);
        if (pressed_name(src, t, other)) {
            list_add(&offset) = list.n;
            put_texture(&list, other, t);
        }
    }
    begin(w, "TEXTURE1");
    put(b, offset.n, 4);
    for (int i = 0; i < offset.n; i++)
        put(b, 4 + 4 * offset.n + offset.v[i], 4);
    for (int i = 0; i < list.n; i++)
        list_add(b) = list.v[i];
    end(w);
    free(list.v);
    free(offset.v);
    begin(w, "PNAMES");
    put(b, 1, 4);
    put_name(b, "BLANK");
    end(w);
    begin(w, "P_START");
    end(w);
    begin(w, "BLANK");
    put16(b, PATCH_WIDTH);
    put16(b, 1);
    put(b, 0, 4);
    for (int i = 0; i < PATCH_WIDTH; i++)
        put(b, 8 + 4 * PATCH_WIDTH, 4); /* all columns are the one empty column */
    put(b, 0xff, 1);
    end(w);
    begin(w, "P_END");
    end(w);
}

static void want_flat(bytes *names, const char *name)
{
    for (int i = 0; i < names->n; i += NAME_MAX_LEN + 1) {
        if (name_equal((const char *)&names->v[i], name))
            return;
    }
    put_name(names, name);
    list_add(names) = 0;
}

/* All flats are one and the same 4096 bytes, which the archive's format allows. */
static void put_flats(struct wad *w, const struct source *src)
{
    bytes names = {0};
    want_flat(&names, "F_SKY1");
    for (int i = 0; i < src->flats.n; i++)
        want_flat(&names, src->flats.v[i].name);
    for (int i = 0; i < src->maps.n; i++) {
        const struct map *m = &src->maps.v[i];
        for (int k = 0; k < m->sectors.n; k++) {
            want_flat(&names, m->sectors.v[k].floorpic);
            want_flat(&names, m->sectors.v[k].ceilpic);
        }
    }
    begin(w, "F_START");
    end(w);
    int pos = w->body.n;
    put(&w->body, 0, 8);
    for (int i = 8; i < FLAT_SIZE; i++)
        list_add(&w->body) = 0;
    for (int i = 0; i < names.n; i += NAME_MAX_LEN + 1) {
        begin(w, (const char *)&names.v[i]);
        w->dir.v[w->dir.n - 1].pos = pos;
        end(w);
    }
    free(names.v);
    begin(w, "F_END");
    end(w);
}

static void put_extra(struct wad *w, const struct lump *l)
{
    begin(w, l->name);
    for (int i = 0; i < l->data.n; i++)
        list_add(&w->body) = l->data.v[i];
    end(w);
}

void wad_write(const struct source *src, const char *path, bool iwad, bool maps_only)
{
    struct wad w = {0};
    bytes head = {0}, dir = {0};

    check_textures(src);
    for (int i = 0; i < src->maps.n; i++)
        put_map(&w, &src->maps.v[i]);
    if (!maps_only) {
        put_textures(&w, src);
        put_flats(&w, src);
    }
    for (int i = 0; i < src->extra.n; i++)
        put_extra(&w, &src->extra.v[i]);

    for (const char *p = iwad ? "IWAD" : "PWAD"; *p; p++)
        list_add(&head) = (uint8_t)*p;
    put(&head, w.dir.n, 4);
    put(&head, WAD_HEADER + w.body.n, 4);
    for (int i = 0; i < w.dir.n; i++) {
        put(&dir, WAD_HEADER + w.dir.v[i].pos, 4);
        put(&dir, w.dir.v[i].size, 4);
        put_name(&dir, w.dir.v[i].name);
    }
    FILE *f = fopen(path, "wb");
    if (!f)
        die("%s: cannot create", path);
    fwrite(head.v, 1, (size_t)head.n, f);
    fwrite(w.body.v, 1, (size_t)w.body.n, f);
    fwrite(dir.v, 1, (size_t)dir.n, f);
    if (ferror(f) | fclose(f))
        die("%s: write error", path);
    free(head.v);
    free(dir.v);
    free(w.body.v);
    free(w.dir.v);
}
