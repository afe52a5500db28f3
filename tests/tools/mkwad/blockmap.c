/* SPDX-License-Identifier: ISC */
/* BLOCKMAP: which lines pass through each cell of 128 units. Origin 8 units outside the corner, as is customary. */
#include "mkwad.h"

enum { CELL = 128, MARGIN = 8, HEADER = 4 };

/* The line may touch the cell: some corner is on it or the corners are on both sides. Bounds were looked at before. */
static bool touches(struct vertex a, struct vertex b, int x, int y)
{
    bool left = false, right = false;
    for (int i = 0; i < 4; i++) {
        struct vertex corner = {.x = x + (i & 1 ? CELL : 0), .y = y + (i & 2 ? CELL : 0)};
        int64_t c = cross(a, b, corner);
        left = left || c >= 0;
        right = right || c <= 0;
    }
    return left && right;
}

static bool in_cell(const struct map *m, const struct line *l, int x, int y)
{
    struct vertex a = m->vertices.v[l->v1], b = m->vertices.v[l->v2];
    int x1 = a.x < b.x ? a.x : b.x, x2 = a.x < b.x ? b.x : a.x;
    int y1 = a.y < b.y ? a.y : b.y, y2 = a.y < b.y ? b.y : a.y;
    /* a cell is half open: what lies on its eastern or northern border belongs to the neighbour */
    return x1 < x + CELL && x2 >= x && y1 < y + CELL && y2 >= y && touches(a, b, x, y);
}

void blockmap_build(struct map *m)
{
    int x1 = 32767, y1 = 32767, x2 = -32768, y2 = -32768;
    for (int i = 0; i < m->vertices.n; i++) {
        struct vertex v = m->vertices.v[i];
        x1 = v.x < x1 ? v.x : x1;
        y1 = v.y < y1 ? v.y : y1;
        x2 = v.x > x2 ? v.x : x2;
        y2 = v.y > y2 ? v.y : y2;
    }
    x1 -= MARGIN;
    y1 -= MARGIN;
    int width = (x2 - x1) / CELL + 1, height = (y2 - y1) / CELL + 1;
    int head[HEADER] = {x1, y1, width, height};
    for (int i = 0; i < HEADER; i++)
        list_add(&m->blockmap) = head[i];
    for (int i = 0; i < width * height; i++)
        list_add(&m->blockmap) = 0;
    for (int i = 0; i < width * height; i++) {
        if (m->blockmap.n > 32767) /* the engine reads the offsets as signed 16-bit words */
            die("%s: %s: the map is too large for a blockmap", m->file, m->name);
        m->blockmap.v[HEADER + i] = m->blockmap.n;
        list_add(&m->blockmap) =
            0; /* every list starts with a 0 that is no line: the engine tests line 0 in every cell */
        for (int k = 0; k < m->lines.n; k++) {
            if (in_cell(m, &m->lines.v[k], x1 + i % width * CELL, y1 + i / width * CELL))
                list_add(&m->blockmap) = k;
        }
        list_add(&m->blockmap) = -1;
    }
}
