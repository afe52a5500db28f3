/* SPDX-License-Identifier: ISC */
#include "world.h"

#include <stdlib.h>
#include <string.h>

struct dh_buf *dh_world_event(struct dh_world_events *ev)
{
    if (ev->n == ev->cap) {
        int cap = ev->cap ? ev->cap * 2 : 8;
        struct dh_buf *bufs = realloc(ev->bufs, (size_t)cap * sizeof *bufs);
        if (!bufs)
            return NULL;
        memset(bufs + ev->cap, 0, (size_t)(cap - ev->cap) * sizeof *bufs);
        ev->bufs = bufs;
        ev->cap = cap;
    }
    struct dh_buf *b = &ev->bufs[ev->n++];
    dh_buf_clear(b);
    return b;
}
