/* SPDX-License-Identifier: ISC */
/* Rows and failures as bytes, between a worker and who asked: u8 kind, then its fields as in record streams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/inner.h"

enum { STATUS, ROW, FAIL };

void message_row(struct dh_buf *out, const struct row *r)
{
    dh_put_u8(out, ROW);
    for (int c = 0; c < r->shape->n; c++)
        dh_put_strn(out, (const char *)r->v[c].p, r->v[c].n);
}

void message_fail(struct dh_buf *out, const char *name, const struct dh_err *e)
{
    dh_put_u8(out, FAIL);
    dh_put_str(out, name);
    dh_put_u8(out, (uint8_t)e->status);
    dh_put_u64(out, (uint64_t)e->tick);
    dh_put_u64(out, e->offset);
    dh_put_u64(out, e->line);
    dh_put_str(out, e->msg);
}

void message_status(struct dh_buf *out, int status)
{
    dh_put_u8(out, STATUS);
    dh_put_u8(out, (uint8_t)status);
}

static void row(struct dh_cur *c, struct row *r)
{
    row_clear(r);
    for (int k = 0; k < r->shape->n; k++) {
        struct dh_str s = dh_get_str(c);
        row_text(r, k, s.p, s.n);
    }
}

static void fail(struct dh_cur *c, const struct sink *to)
{
    struct dh_str name = dh_get_str(c);
    char *own = strndup(name.p, name.n);
    struct dh_err e = {0};

    e.status = dh_get_u8(c);
    e.tick = (int64_t)dh_get_u64(c);
    e.offset = dh_get_u64(c);
    e.line = dh_get_u64(c);
    struct dh_str msg = dh_get_str(c);
    snprintf(e.msg, sizeof e.msg, "%.*s", (int)msg.n, msg.p);
    if (!c->bad)
        to->fail(to->ctx, own ? own : "a demo", &e);
    free(own);
}

int message_read(const uint8_t *p, size_t n, struct row *r, const struct sink *to)
{
    struct dh_cur c = dh_cur(p, n);
    int status = DH_OK;

    while (!c.bad && c.p < c.end)
        switch (dh_get_u8(&c)) {
        case ROW:
            row(&c, r);
            if (!c.bad)
                to->row(to->ctx, r);
            break;
        case FAIL:
            fail(&c, to);
            break;
        default:
            status = dh_worse(status, dh_get_u8(&c));
        }
    return c.bad ? -1 : status;
}
