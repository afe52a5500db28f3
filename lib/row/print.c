/* SPDX-License-Identifier: ISC */
/* Rows as blocks for people, as tables, and as JSON. */
#include "row/row.h"

#include <stdio.h>
#include <string.h>

#include "escape.h"

/* The bytes of a printable UTF-8 character, 0 where there is none: control characters of both sets, and what is no
 * UTF-8. */
static size_t character(const uint8_t *p, size_t n)
{
    uint32_t c = p[0], least = 0;
    size_t len = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;

    if (len == 0 || len > n)
        return 0;
    if (len == 1)
        return c >= 0x20 && c != 0x7f;
    c &= 0xffu >> (len + 1);
    for (size_t k = 1; k < len; k++) {
        if ((p[k] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[k] & 0x3f);
    }
    least = len == 2 ? 0xa0 : len == 3 ? 0x800 : 0x10000;
    return c >= least && c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000) ? len : 0;
}

static void put(struct dh_buf *out, const char *s)
{
    dh_put_bytes(out, s, strlen(s));
}

/* For people and tables: \ooo for what cannot be shown, \\ for a backslash. */
void row_plain(struct dh_buf *out, const uint8_t *p, size_t n)
{
    char octal[8];

    for (size_t at = 0, len; at < n; at += len ? len : 1) {
        len = character(p + at, n - at);
        if (len && p[at] != '\\')
            dh_put_bytes(out, p + at, len);
        else if (len)
            put(out, "\\\\");
        else {
            snprintf(octal, sizeof octal, "\\%03o", p[at]);
            put(out, octal);
        }
    }
}

static void put_escaped(struct dh_buf *out, const uint8_t *p, size_t n)
{
    dh_text_escaped(out, (const char *)p, n);
}

void row_quoted(struct dh_buf *out, const uint8_t *p, size_t n)
{
    char code[8];

    put(out, "\"");
    for (size_t at = 0, len; at < n; at += len ? len : 1) {
        len = character(p + at, n - at);
        if (len && (p[at] == '"' || p[at] == '\\'))
            put(out, "\\");
        if (len)
            dh_put_bytes(out, p + at, len);
        else { /* of what is no UTF-8 the byte, as if it were Latin-1 */
            snprintf(code, sizeof code, "\\u%04x", p[at]);
            put(out, code);
        }
    }
    put(out, "\"");
}

static bool is_list(const struct row *r, int c)
{
    return r->shape->headings[c].kind >= ROW_LIST;
}

/* The items of a list, or the one of another column. */
static void each(struct dh_buf *out, const struct row *r, int c, const char *between,
                 void (*item)(struct dh_buf *, const uint8_t *, size_t))
{
    if (r->v[c].n == 0) /* there may be no bytes to point at */
        return;
    const uint8_t *p = r->v[c].p, *end = p + r->v[c].n;
    if (!is_list(r, c)) {
        item(out, p, r->v[c].n);
        return;
    }
    for (bool first = true; p < end; first = false) {
        size_t n = strlen((const char *)p);
        if (!first)
            put(out, between);
        item(out, p, n);
        p += n + 1;
    }
}

void row_block(struct dh_buf *out, const struct row *r)
{
    char label[32];

    each(out, r, 0, "", row_plain);
    put(out, "\n");
    for (int c = 1; c < r->shape->n; c++) {
        if (r->v[c].n == 0)
            continue;
        snprintf(label, sizeof label, "    %-16s", r->shape->headings[c].label);
        put(out, label);
        each(out, r, c, r->shape->headings[c].kind == ROW_NOTES ? "\n                    " : ", ", row_plain);
        put(out, "\n");
    }
}

/* The first two columns are words that are always there; what is empty among the others is left out. */
void row_line(struct dh_buf *out, const struct row *r)
{
    for (int c = 0; c < r->shape->n; c++) {
        if (c >= 2 && r->v[c].n == 0)
            continue;
        put(out, c ? " " : "");
        put(out, c >= 2 ? r->shape->headings[c].name : r->v[c].n == 0 ? "-" : "");
        put(out, c >= 2 ? "=" : "");
        each(out, r, c, ",", put_escaped);
    }
    put(out, "\n");
}

void row_tsv_header(struct dh_buf *out, const struct row_shape *shape)
{
    for (int c = 0; c < shape->n; c++) {
        put(out, c ? "\t" : "");
        put(out, shape->headings[c].name);
    }
    put(out, "\n");
}

void row_tsv(struct dh_buf *out, const struct row *r)
{
    for (int c = 0; c < r->shape->n; c++) {
        put(out, c ? "\t" : "");
        each(out, r, c, r->shape->headings[c].kind == ROW_NOTES ? "; " : ",", row_plain);
    }
    put(out, "\n");
}

/* Every key is there: null for what is not known, and lists that may be empty. */
void row_json(struct dh_buf *out, const struct row *r)
{
    for (int c = 0; c < r->shape->n; c++) {
        const struct row_heading *h = &r->shape->headings[c];
        bool number = h->kind == ROW_NUMBER || h->kind == ROW_NUMBERS;
        put(out, c ? ",\"" : "{\"");
        put(out, h->name);
        put(out, "\":");
        if (r->v[c].n == 0 && !is_list(r, c)) {
            put(out, "null");
            continue;
        }
        put(out, is_list(r, c) ? "[" : "");
        each(out, r, c, ",", h->json ? h->json : number ? row_plain : row_quoted);
        put(out, is_list(r, c) ? "]" : "");
    }
    put(out, "}\n");
}
