/* SPDX-License-Identifier: ISC */
#include "lmp/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void lmp_source_init(struct lmp_source *s, int fd, uint64_t size)
{
    s->fd = fd;
    s->left = size;
    s->offset = 0;
    s->at = s->n = 0;
    s->eof = false;
}

int64_t lmp_source_peek(struct lmp_source *s, size_t want, struct dh_err *e)
{
    if (s->n - s->at < want && s->at > 0) {
        memmove(s->buf, s->buf + s->at, s->n - s->at);
        s->n -= s->at;
        s->at = 0;
    }
    while (s->n - s->at < want && !s->eof) {
        size_t room = sizeof s->buf - s->n;
        if (room > s->left)
            room = (size_t)s->left;
        ssize_t got = room ? read(s->fd, s->buf + s->n, room) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno));
            e->offset = s->offset + (s->n - s->at);
            return -1;
        }
        if (got == 0)
            s->eof = true;
        s->n += (size_t)got;
        if (s->left != UINT64_MAX)
            s->left -= (uint64_t)got;
    }
    return (int64_t)(s->n - s->at < want ? s->n - s->at : want);
}

const uint8_t *lmp_source_bytes(const struct lmp_source *s)
{
    return s->buf + s->at;
}

void lmp_source_take(struct lmp_source *s, size_t n)
{
    s->at += n;
    s->offset += n;
}
