/* SPDX-License-Identifier: ISC */
#include "lmp/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void lmp_source_init(struct lmp_source *s, int fd, uint64_t size)
{
    memset(s, 0, sizeof *s);
    s->fd = fd;
    s->left = size;
}

void lmp_source_view(struct lmp_source *s, const struct lmp_view *v, int fd, uint64_t size)
{
    lmp_source_init(s, fd, size == LMP_TO_END ? size : size - v->n);
    s->p = v->p;
    s->n = v->n;
    s->eof = v->whole;
}

void lmp_source_free(struct lmp_source *s)
{
    free(s->own);
    s->own = NULL;
}

/* What is there and not taken goes to the front of a buffer of our own. */
static int make_room(struct lmp_source *s, struct dh_err *e)
{
    if (!s->own) {
        s->cap = DH_ORIGIN_MAX;
        s->own = malloc(s->cap);
        if (!s->own)
            return dh_fail(e, DH_TROUBLE, "out of memory");
    }
    if (s->n > s->at)
        memmove(s->own, s->p + s->at, s->n - s->at);
    s->n -= s->at;
    s->at = 0;
    s->p = s->own;
    return 0;
}

int64_t lmp_source_peek(struct lmp_source *s, size_t want, struct dh_err *e)
{
    if (s->n - s->at >= want || s->eof)
        return (int64_t)(s->n - s->at < want ? s->n - s->at : want);
    if (make_room(s, e) < 0)
        return -1;
    while (s->n < want && !s->eof) {
        size_t room = s->cap - s->n;
        if (room > s->left)
            room = (size_t)s->left;
        ssize_t got = room ? read(s->fd, s->own + s->n, room) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno));
            e->offset = s->offset + s->n;
            return -1;
        }
        if (got == 0)
            s->eof = true;
        s->n += (size_t)got;
        if (s->left != LMP_TO_END)
            s->left -= (uint64_t)got;
    }
    return (int64_t)(s->n < want ? s->n : want);
}
