/* SPDX-License-Identifier: ISC */
#include "lmp/sink.h"

#include <errno.h>
#include <string.h>

#include "io.h"

void lmp_sink_init(struct lmp_sink *s, int fd)
{
    memset(s, 0, sizeof *s);
    s->fd = fd;
    s->marker = UINT64_MAX;
    dh_spool_init(&s->spool);
    MD5Init(&s->md5);
}

void lmp_sink_free(struct lmp_sink *s)
{
    dh_buf_free(&s->buf);
    dh_buf_free(&s->head);
    dh_spool_free(&s->spool);
}

void lmp_sink_head(struct lmp_sink *s, const struct dh_buf *head, size_t end_at, size_t tics_at)
{
    s->holding = end_at > 0 || tics_at > 0;
    s->end_at = end_at;
    s->tics_at = tics_at;
    dh_put_bytes(s->holding ? &s->head : &s->buf, head->p, head->n);
    if (s->holding)
        s->total = head->n;
}

void lmp_sink_end(struct lmp_sink *s, uint64_t inputs)
{
    s->marker = s->total + s->buf.n;
    s->inputs = inputs;
}

static int emit(struct lmp_sink *s, const uint8_t *p, size_t n, struct dh_err *e)
{
    uint64_t last = s->marker == UINT64_MAX ? UINT64_MAX : s->marker + 1;
    size_t sum = last - s->summed < n ? (size_t)(last - s->summed) : n;

    MD5Update(&s->md5, p, sum);
    s->summed += sum;
    if (dh_write_all(s->fd, p, n) == 0)
        return 0;
    s->write_failed = true;
    return dh_fail(e, DH_TROUBLE, "write failed: %s", strerror(errno));
}

int lmp_sink_flush(struct lmp_sink *s, struct dh_err *e)
{
    int r = 0;

    if (s->buf.failed || s->head.failed)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    if (s->buf.n == 0)
        return 0;
    if (s->holding)
        r = dh_spool_add(&s->spool, &(struct dh_record){.payload = s->buf.p, .len = s->buf.n}, e);
    else
        r = emit(s, s->buf.p, s->buf.n, e);
    s->total += s->buf.n;
    dh_buf_clear(&s->buf);
    return r;
}

static void fill_in(struct lmp_sink *s, size_t at, uint64_t v)
{
    for (int i = 0; at > 0 && i < 4; i++)
        s->head.p[at + (size_t)i] = (uint8_t)(v >> 8 * (3 - i));
}

struct playing {
    struct lmp_sink *s;
    struct dh_err *e;
};

static int play(void *ctx, const struct dh_record *r)
{
    struct playing *p = ctx;

    return emit(p->s, r->payload, r->len, p->e);
}

int lmp_sink_close(struct lmp_sink *s, struct dh_err *e)
{
    if (lmp_sink_flush(s, e) < 0)
        return -1;
    if (!s->holding)
        return 0;
    if (s->marker != UINT64_MAX) {
        if (s->marker > UINT32_MAX || s->inputs > UINT32_MAX)
            return dh_fail(e, DH_TROUBLE, "too long: the header has four bytes for the length");
        fill_in(s, s->end_at, s->marker);
        fill_in(s, s->tics_at, s->inputs);
    }
    s->holding = false;
    if (emit(s, s->head.p, s->head.n, e) < 0)
        return -1;
    return dh_spool_play(&s->spool, play, &(struct playing){s, e}, e) < 0 ? -1 : 0;
}

const MD5_CTX *lmp_sink_sum(const struct lmp_sink *s)
{
    return &s->md5;
}
