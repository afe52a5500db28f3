/* SPDX-License-Identifier: ISC */
/*
 * mkwad: a readable text description of Doom maps in, a WAD file out.
 *
 * source.c reads the text into struct source, geometry.c turns outlines into vertices, lines and sides, nodes.c and
 * blockmap.c derive the two spatial indices, wadfile.c writes the lumps. selftest.c asks the finished tree where random
 * points are and compares the answer with the outlines that were drawn. The text's grammar is in README.md.
 */
#ifndef MKWAD_H
#define MKWAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_MAX_LEN 8 /* lump, texture and flat names: up to eight bytes, padded with NUL in the file */
#define SUBSECTOR_BIT 0x8000

/* Map units; y grows to the north. */
struct vertex {
    int x, y;
};

struct sector {
    char name[32];
    int floor, ceil, light, special, tag;
    char floorpic[NAME_MAX_LEN + 1], ceilpic[NAME_MAX_LEN + 1];
    char wall[NAME_MAX_LEN + 1];   /* middle of its one-sided walls; upper and lower where a height step shows */
    char edge[NAME_MAX_LEN + 1];   /* lower texture on the neighbours' sides that look at it; empty: their own wall */
    char lintel[NAME_MAX_LEN + 1]; /* the same for the upper texture */
};

/* One directed piece of an outline: SECTOR lies to the right of a -> b. */
struct edge {
    int a, b, sector;
};

enum { TEX_UPPER, TEX_LOWER, TEX_MIDDLE, TEX_COUNT };

struct side {
    int xoff, yoff, sector;
    char tex[TEX_COUNT][NAME_MAX_LEN + 1]; /* "-" is none */
};

struct line {
    int v1, v2, flags, special, tag;
    int side[2]; /* right (front), left (back); -1 is none */
};

struct thing {
    int x, y, angle, type, flags, where;
};

/* A `line` or `side` statement: what it sets on all pieces of the straight from a to b. */
struct attr {
    struct vertex a, b;
    int where; /* source line, for messages */
    bool is_side;
    int flags, special, tag, xoff, yoff;
    bool has_xoff, has_yoff;
    char tex[TEX_COUNT][NAME_MAX_LEN + 1]; /* empty: leave as it is */
};

struct seg {
    int v1, v2, line, side;
};

struct subsector {
    int first, count;
};

struct node {
    int x, y, dx, dy;
    int box[2][4]; /* top, bottom, left, right of each child */
    int child[2];  /* right, left; SUBSECTOR_BIT marks a subsector */
};

struct pair {
    int a, b;
};

/* A growing array: n used, max allocated. LIST(T) is what list_add works on. */
#define LIST(T)     \
    struct {        \
        T *v;       \
        int n, max; \
    }
#define list_add(l) (*(__typeof__((l)->v))list_grow((void **)&(l)->v, &(l)->n, &(l)->max, sizeof *(l)->v))

struct map {
    char name[NAME_MAX_LEN + 1];
    const char *file;
    LIST(struct sector) sectors;
    LIST(struct vertex) vertices;
    LIST(struct edge) edges;
    LIST(struct attr) attrs;
    LIST(struct line) lines;
    LIST(struct side) sides;
    LIST(struct thing) things;
    LIST(struct seg) segs;
    LIST(struct subsector) subsectors;
    LIST(struct node) nodes;
    LIST(struct pair) blind; /* sectors that the reject table declares out of each other's sight */
    LIST(int) blockmap;      /* the lump's 16-bit words */
};

struct texture {
    char name[NAME_MAX_LEN + 1];
    int width, height;
};

struct lump {
    char name[NAME_MAX_LEN + 1];
    LIST(uint8_t) data;
};

struct source {
    LIST(struct map) maps;
    LIST(struct texture) textures;
    LIST(struct texture) flats; /* the name alone */
    LIST(struct lump) extra;    /* `lump NAME` with its text */
};

/* main.c: prints to standard error and ends the program with status 2. */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Zeroed room for one more element, its index in the count taken. */
void *list_grow(void **v, int *n, int *max, size_t size);
bool name_equal(const char *a, const char *b);

/* source.c: appends what FILE describes. */
void source_read(struct source *src, const char *file);

/* geometry.c */
int map_vertex(struct map *m, int x, int y);
/* Twice the signed area left of a -> b -> p: > 0 is left, < 0 right, 0 on the line. */
int64_t cross(struct vertex a, struct vertex b, struct vertex p);
/* Outlines to lines and sides, `line` and `side` statements applied. */
void geometry_build(struct map *m);
/* The sector whose outline holds (x, y) in 1/65536 units, -1 outside of all. Exact away from the lines themselves. */
int sector_at(const struct map *m, int32_t x, int32_t y);

/* nodes.c, blockmap.c */
void nodes_build(struct map *m);
void blockmap_build(struct map *m);

/* wadfile.c: writes an IWAD or PWAD; with maps_only neither textures nor flats. */
void wad_write(const struct source *src, const char *path, bool iwad, bool maps_only);

/* selftest.c: true when all points agree; says what it did on standard output. */
bool selftest(const struct map *m);

#endif
