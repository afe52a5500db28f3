/* SPDX-License-Identifier: ISC */
#include "io.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 128 << 10 };

void dh_input_init(struct dh_input *in, int fd)
{
    *in = (struct dh_input){.fd = fd};
}

void dh_input_free(struct dh_input *in)
{
    free(in->p);
    in->p = NULL;
}

const uint8_t *dh_input_bytes(const struct dh_input *in)
{
    return in->p + in->at;
}

void dh_input_skip(struct dh_input *in, size_t n)
{
    in->at += n;
    in->have -= n;
    in->offset += n;
}

/* Somebody may have made the descriptor non-blocking for all who share it; we wait as if it were not. */
static bool wait_for(int fd, short events)
{
    struct pollfd f = {fd, events, 0};

    return (errno == EAGAIN || errno == EWOULDBLOCK) && (poll(&f, 1, -1) >= 0 || errno == EINTR);
}

/* One successful read into the window, which is made larger only when it is full of bytes that did arrive. */
static bool more(struct dh_input *in)
{
    if (in->eof || in->error)
        return false;
    if (in->have == 0)
        in->at = 0;
    if (in->at + in->have == in->cap && in->at > 0) {
        memmove(in->p, in->p + in->at, in->have);
        in->at = 0;
    }
    if (in->have == in->cap) {
        size_t cap = in->cap ? in->cap * 2 : WINDOW;
        uint8_t *p = realloc(in->p, cap);

        if (!p) {
            in->error = ENOMEM;
            return false;
        }
        in->p = p;
        in->cap = cap;
    }
    for (;;) {
        ssize_t n = read(in->fd, in->p + in->at + in->have, in->cap - in->at - in->have);

        if (n > 0) {
            in->have += (size_t)n;
            return true;
        }
        if (n == 0) {
            in->eof = true;
            return false;
        }
        if (errno != EINTR && !wait_for(in->fd, POLLIN)) {
            in->error = errno;
            return false;
        }
    }
}

size_t dh_input_need(struct dh_input *in, size_t n)
{
    while (in->have < n && more(in))
        ;
    return in->have < n ? in->have : n;
}

size_t dh_input_line(struct dh_input *in, size_t max)
{
    size_t seen = 0;

    for (;;) {
        const uint8_t *p = in->have > seen ? memchr(in->p + in->at + seen, '\n', in->have - seen) : NULL;

        if (p)
            return (size_t)(p - (in->p + in->at)) + 1;
        seen = in->have;
        if (seen > max || !more(in))
            return 0;
    }
}

int dh_write_all(int fd, const void *p, size_t n)
{
    const uint8_t *at = p;

    while (n > 0) {
        ssize_t done = write(fd, at, n);

        if (done >= 0) {
            at += done;
            n -= (size_t)done;
        } else if (errno != EINTR && !wait_for(fd, POLLOUT))
            return -1;
    }
    return 0;
}
