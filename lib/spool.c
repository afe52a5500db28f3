/* SPDX-License-Identifier: ISC */
#include "spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"

#define IN_MEMORY ((size_t)1 << 20)
#define HEAD_SIZE 9 /* u32 kind, u8 raw_kind, u32 length */

void dh_spool_init(struct dh_spool *s)
{
    memset(s, 0, sizeof *s);
    s->fd = -1;
}

void dh_spool_free(struct dh_spool *s)
{
    dh_buf_free(&s->mem);
    if (s->fd >= 0)
        close(s->fd);
    dh_spool_init(s);
}

void dh_spool_clear(struct dh_spool *s)
{
    if (s->mem.cap > 2 * IN_MEMORY)
        dh_buf_free(&s->mem);
    dh_buf_clear(&s->mem);
    /* What is in the file beyond on_disk is written over by the next spill; giving the space back can only fail to save
     * space. */
    if (s->on_disk > 0 && ftruncate(s->fd, 0) < 0)
        errno = 0;
    s->on_disk = 0;
}

bool dh_spool_empty(const struct dh_spool *s)
{
    return s->on_disk == 0 && s->mem.n == 0;
}

static int spill(struct dh_spool *s, struct dh_err *e)
{
    if (s->fd < 0 && (s->fd = dh_nameless_file(e)) < 0)
        return -1;
    for (size_t done = 0; done < s->mem.n;) {
        ssize_t n = pwrite(s->fd, s->mem.p + done, s->mem.n - done, (off_t)(s->on_disk + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return dh_fail(e, DH_TROUBLE, "temporary file: %s", n < 0 ? strerror(errno) : "nothing written");
        done += (size_t)n;
    }
    s->on_disk += s->mem.n;
    dh_buf_clear(&s->mem);
    return 0;
}

int dh_spool_add(struct dh_spool *s, const struct dh_record *r, struct dh_err *e)
{
    if (s->mem.n > 0 && s->mem.n + r->len > IN_MEMORY && spill(s, e) < 0)
        return -1;
    dh_put_u32(&s->mem, (uint32_t)r->kind);
    dh_put_u8(&s->mem, r->raw_kind);
    dh_put_u32(&s->mem, (uint32_t)r->len);
    dh_put_bytes(&s->mem, r->payload, r->len);
    return s->mem.failed ? dh_fail(e, DH_TROUBLE, "out of memory") : 0;
}

static uint32_t head(const uint8_t *p, struct dh_record *r)
{
    struct dh_cur c = dh_cur(p, HEAD_SIZE);

    memset(r, 0, sizeof *r);
    r->kind = (int)dh_get_u32(&c);
    r->raw_kind = dh_get_u8(&c);
    return dh_get_u32(&c);
}

static int read_at(const struct dh_spool *s, uint64_t at, uint8_t *p, size_t n, struct dh_err *e)
{
    for (size_t done = 0; done < n;) {
        ssize_t k = pread(s->fd, p + done, n - done, (off_t)(at + done));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return dh_fail(e, DH_TROUBLE, "temporary file: %s",
                           k < 0 ? strerror(errno) : "shorter than what was written");
        done += (size_t)k;
    }
    return 0;
}

/* The records of the file, one at a time through one buffer that grows to the largest. */
static int play_file(struct dh_spool *s, int (*fn)(void *, const struct dh_record *), void *ctx, struct dh_err *e)
{
    uint8_t *buf = NULL;
    size_t cap = 0;
    int rc = 0;

    for (uint64_t at = 0; at < s->on_disk && rc == 0;) {
        uint8_t h[HEAD_SIZE];
        struct dh_record r;
        rc = read_at(s, at, h, sizeof h, e);
        if (rc < 0)
            break;
        uint32_t len = head(h, &r);
        r.len = len;
        if (r.len > cap) {
            uint8_t *p = realloc(buf, r.len);
            if (!p) {
                rc = dh_fail(e, DH_TROUBLE, "out of memory");
                break;
            }
            buf = p;
            cap = r.len;
        }
        rc = read_at(s, at + HEAD_SIZE, buf, r.len, e);
        r.payload = buf;
        at += HEAD_SIZE + r.len;
        if (rc == 0)
            rc = fn(ctx, &r);
    }
    free(buf);
    return rc;
}

int dh_spool_play(struct dh_spool *s, int (*fn)(void *, const struct dh_record *), void *ctx, struct dh_err *e)
{
    int rc = play_file(s, fn, ctx, e);

    for (size_t at = 0; at < s->mem.n && rc == 0;) {
        struct dh_record r;
        uint32_t len = head(s->mem.p + at, &r);
        r.len = len;
        r.payload = s->mem.p + at + HEAD_SIZE;
        at += HEAD_SIZE + r.len;
        rc = fn(ctx, &r);
    }
    return rc;
}
