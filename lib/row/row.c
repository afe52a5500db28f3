/* SPDX-License-Identifier: ISC */
/* A row: its columns, and how they are filled. */
#include "row/row.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

void row_clear(struct row *r)
{
    for (int c = 0; c < ROW_COLUMNS; c++) {
        dh_buf_clear(&r->v[c]);
        r->v[c].failed = false;
    }
}

void row_free(struct row *r)
{
    for (int c = 0; c < ROW_COLUMNS; c++)
        dh_buf_free(&r->v[c]);
}

bool row_failed(const struct row *r)
{
    for (int c = 0; c < ROW_COLUMNS; c++)
        if (r->v[c].failed)
            return true;
    return false;
}

void row_text(struct row *r, int c, const char *p, size_t n)
{
    dh_buf_clear(&r->v[c]);
    dh_put_bytes(&r->v[c], p, n);
}

void row_string(struct row *r, int c, const char *s)
{
    row_text(r, c, s, strlen(s));
}

void row_number(struct row *r, int c, int64_t v)
{
    dh_buf_clear(&r->v[c]);
    dh_text_signed(&r->v[c], v);
}

void row_item(struct row *r, int c, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    dh_put_bytes(&r->v[c], text, strlen(text) + 1);
}
