/* SPDX-License-Identifier: ISC */
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
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

ssize_t dh_read_some(int fd, void *p, size_t n)
{
    ssize_t got;

    while ((got = read(fd, p, n)) < 0 && (errno == EINTR || wait_for(fd, POLLIN)))
        ;
    return got;
}

int dh_read_rest(int fd, struct dh_buf *b, uint64_t max, const char *what, struct dh_err *e)
{
    enum { PIECE = 1 << 16 };

    for (;;) {
        uint8_t *to = dh_buf_room(b, PIECE);
        if (!to)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        ssize_t n = dh_read_some(fd, to, PIECE);
        if (n < 0)
            return dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno));
        if (n == 0)
            return 0;
        if ((uint64_t)n > max - b->n)
            return dh_fail(e, DH_TROUBLE, "too large for %s: more than %llu bytes", what, (unsigned long long)max);
        b->n += (size_t)n;
    }
}

int dh_nameless_file(struct dh_err *e)
{
    const char *dir = getenv("TMPDIR");
    char path[4096];

    if (!dir || dir[0] == '\0')
        dir = "/tmp";
    if (snprintf(path, sizeof path, "%s/dh-XXXXXX", dir) >= (int)sizeof path)
        return dh_fail(e, DH_TROUBLE, "TMPDIR is too long");
    int fd = mkstemp(path);
    if (fd < 0)
        return dh_fail(e, DH_TROUBLE, "%s: no temporary file: %s", dir, strerror(errno));
    unlink(path);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
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
    ssize_t n = dh_read_some(in->fd, in->p + in->at + in->have, in->cap - in->at - in->have);
    if (n > 0)
        in->have += (size_t)n;
    else if (n == 0)
        in->eof = true;
    else
        in->error = errno;
    return n > 0;
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
