/* SPDX-License-Identifier: ISC */
/*
 * Where the look remembered of a seg (lib/doom/hider.c) says that it hides, every node above has to let the ray pass:
 * random paths of partitions, lines and rays, close to each other and on whole units, against the question asked of
 * each node.
 */
#include "doom/sight.h"
#include "t.h"

enum { NODES = 6, PATHS = 10000, RAYS = 400 };

static uint32_t seed = 1;

static uint32_t dice(uint32_t sides)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * sides >> 32);
}

static int16_t near_by(int span)
{
    return (int16_t)((int)dice((uint32_t)(2 * span + 1)) - span);
}

static fixed place(int span)
{
    return near_by(span) * FX_ONE + (dice(2) ? (fixed)dice(FX_ONE) : 0);
}

/* One in three along an axis, one in four along the line that is to hide, some of these the other way round. */
static struct partition partition(const struct sightline *l, int span)
{
    struct partition p = {near_by(span), near_by(span), near_by(span), near_by(span)};
    if (dice(4) == 0)
        p = (struct partition){l->x1, l->y1, (int16_t)(l->x2 - l->x1), (int16_t)(l->y2 - l->y1)};
    if (dice(4) == 0)
        p = (struct partition){p.x, p.y, (int16_t)-p.dx, (int16_t)-p.dy};
    if (dice(6) == 0)
        p.dx = 0;
    else if (dice(5) == 0)
        p.dy = 0;
    if (p.dx == 0 && p.dy == 0)
        p.dx = 1;
    return p;
}

static struct sight look(int span)
{
    struct sight s = {.ray = {.x = place(span), .y = place(span)}, .endx = place(span), .endy = place(span)};
    s.ray.dx = s.endx - s.ray.x;
    s.ray.dy = s.endy - s.ray.y;
    s.x = (int16_t)(s.ray.x >> FX_BITS);
    s.y = (int16_t)(s.ray.y >> FX_BITS);
    s.ex = (int16_t)(s.endx >> FX_BITS);
    s.ey = (int16_t)(s.endy >> FX_BITS);
    s.minusx = (int16_t)(-s.ray.x >> FX_BITS);
    s.minusy = (int16_t)(-s.ray.y >> FX_BITS);
    s.dx = (int16_t)(s.ray.dx >> FX_BITS);
    s.dy = (int16_t)(s.ray.dy >> FX_BITS);
    return s;
}

static bool by_every_node(const struct level *v, const struct sight *s)
{
    if (!lines_meet(s, v->sightlines))
        return false;
    for (uint32_t up = v->subsectorabove[0]; up != NO_NODE; up = v->nodeabove[up >> 1]) {
        const struct node *n = &v->nodes[up >> 1];
        const int near = near_side(s, n);
        if ((int)(up & 1) != near && near == side_of_end(s, &n->line))
            return false;
    }
    return true;
}

static void a_path(int span, int *hidden, int *passed_by)
{
    struct line wall = {0};
    struct seg seg = {.line = &wall};
    struct sightline line = {.x1 = near_by(span), .y1 = near_by(span), .x2 = near_by(span), .y2 = near_by(span)};
    struct node nodes[NODES];
    uint32_t nodeabove[NODES], subsectorabove[1] = {NODES * 2 - 2 + dice(2)};
    struct level v = {.nsegs = 1, .segs = &seg, .sightlines = &line, .nodes = nodes};

    v.nodeabove = nodeabove;
    v.subsectorabove = subsectorabove;
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i] = (struct node){.line = partition(&line, span)};
        nodeabove[i] = i == 0 ? NO_NODE : (i - 1) * 2 + dice(2);
    }
    if (!CHECK_INT(hider_init(&v), 0))
        return;
    for (int i = 0; i < RAYS; i++) {
        const struct sight s = look(span);
        const bool want = by_every_node(&v, &s);
        if (!CHECK_INT(hider_hides(&v, &s, 0), want))
            break;
        *hidden += want;
        *passed_by += !want && lines_meet(&s, &line);
    }
    free(v.hidings);
}

static void asks_no_node_in_vain(void)
{
    static const int spans[] = {4, 12, 64, 900, 16000};
    int hidden = 0, passed_by = 0;

    for (int i = 0; i < PATHS; i++)
        a_path(spans[i % 5], &hidden, &passed_by);
    CHECK(hidden > PATHS && passed_by > PATHS);
}

int main(void)
{
    T_RUN(asks_no_node_in_vain);
    return t_done();
}
