/* SPDX-License-Identifier: ISC */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "number.h"

static void add(struct dh_buf *b, const char *fmt, va_list ap)
{
    char text[1024];
    int n = vsnprintf(text, sizeof text, fmt, ap);

    dh_put_bytes(b, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void srv_line(struct dh_buf *b, const char *fmt, ...)
{
    va_list ap;

    dh_buf_clear(b);
    va_start(ap, fmt);
    add(b, fmt, ap);
    va_end(ap);
}

void srv_add(struct dh_buf *b, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    add(b, fmt, ap);
    va_end(ap);
}

void srv_add_text(struct dh_buf *b, const char *key, const char *text)
{
    srv_add(b, " %s=", key);
    dh_text_escaped(b, text, strlen(text));
}

void srv_add_vector(struct dh_buf *b, const char *key, const float v[3])
{
    srv_add(b, " %s=", key);
    for (int i = 0; i < 3; i++) {
        uint32_t bits;
        memcpy(&bits, &v[i], sizeof bits);
        srv_add(b, i ? "," : "");
        dh_text_f32(b, bits);
    }
}
