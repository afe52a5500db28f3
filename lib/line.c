/* SPDX-License-Identifier: ISC */
#include "line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "number.h"

struct dh_lines dh_lines(const char *file, const void *p, size_t n)
{
    return (struct dh_lines){.p = p, .end = (const char *)p + n, .file = file};
}

int dh_line_fail(const struct dh_line *l, struct dh_err *e, const char *fmt, ...)
{
    char text[384];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return dh_fail(e, DH_TROUBLE, "%s: line %lu: %s", l->of->file, l->of->number, text);
}

static bool equal(struct dh_str s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

static bool same(struct dh_str a, struct dh_str b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* For messages: no more of a value than fits in a line, and no byte that steers a terminal. */
static const char *shown(struct dh_str s, char buf[64])
{
    size_t n = s.n < 60 ? s.n : 60;

    for (size_t i = 0; i < n; i++)
        buf[i] = (char)((unsigned char)s.p[i] < ' ' || s.p[i] == 127 ? '?' : s.p[i]);
    strcpy(buf + n, n < s.n ? "..." : "");
    return buf;
}

static int add_pair(struct dh_line *l, struct dh_str word, struct dh_err *e)
{
    const char *eq = memchr(word.p, '=', word.n);
    char buf[64];

    if (!eq || eq == word.p)
        return dh_line_fail(l, e, "expected KEY=VALUE, found '%s'", shown(word, buf));
    if (l->n == DH_LINE_KEYS)
        return dh_line_fail(l, e, "more than %d keys", DH_LINE_KEYS);
    struct dh_str key = {word.p, (size_t)(eq - word.p)};
    for (int i = 0; i < l->n; i++)
        if (same(l->keys[i], key))
            return dh_line_fail(l, e, "'%s' is there twice", shown(key, buf));
    l->keys[l->n] = key;
    l->values[l->n] = (struct dh_str){eq + 1, word.n - key.n - 1};
    l->n++;
    return 0;
}

static int split(struct dh_line *l, const char *p, const char *end, struct dh_err *e)
{
    while (p < end) {
        const char *space = memchr(p, ' ', (size_t)(end - p));
        struct dh_str word = {p, (size_t)((space ? space : end) - p)};
        p = space ? space + 1 : end;
        if (word.n == 0)
            continue;
        if (l->kind.n == 0)
            l->kind = word;
        else if (add_pair(l, word, e) < 0)
            return -1;
    }
    return 0;
}

int dh_line_next(struct dh_lines *ls, struct dh_line *l, struct dh_err *e)
{
    while (ls->p < ls->end) {
        const char *p = ls->p, *end = memchr(p, '\n', (size_t)(ls->end - p));
        memset(l, 0, sizeof *l);
        l->of = ls;
        ls->number++;
        if (!end)
            return dh_line_fail(l, e, "expected a line's end, found the file's: it was cut short");
        ls->p = end + 1;
        if (end > p && end[-1] == '\r')
            end--;
        if (p < end && *p == '#')
            continue;
        if (split(l, p, end, e) < 0)
            return -1;
        if (l->kind.n > 0)
            return 1;
    }
    return 0;
}

bool dh_line_is(const struct dh_line *l, const char *kind)
{
    return equal(l->kind, kind);
}

bool dh_line_value(struct dh_line *l, const char *key, struct dh_str *value)
{
    for (int i = 0; i < l->n; i++) {
        if (!equal(l->keys[i], key))
            continue;
        l->asked |= UINT32_C(1) << i;
        *value = l->values[i];
        return true;
    }
    return false;
}

int dh_line_string(struct dh_line *l, const char *key, char *out, size_t size, struct dh_err *e)
{
    struct dh_buf text = {0};
    struct dh_str v;
    int rc = 1;

    out[0] = '\0';
    if (!dh_line_value(l, key, &v))
        return 0;
    if (!dh_parse_escaped(&text, v.p, v.n) || text.failed || memchr(text.p ? (char *)text.p : "", '\0', text.n))
        rc = dh_line_fail(l, e, "%s: no string: a bad escape, or a NUL byte", key);
    else if (text.n >= size)
        rc = dh_line_fail(l, e, "%s: longer than %zu bytes", key, size - 1);
    else if (text.n > 0)
        memcpy(out, text.p, text.n);
    if (rc == 1)
        out[text.n] = '\0';
    dh_buf_free(&text);
    return rc;
}

int dh_line_numbers(struct dh_line *l, const char *key, float *out, int least, int most, struct dh_err *e)
{
    struct dh_str v;
    char buf[64];
    int n = 0;

    if (!dh_line_value(l, key, &v))
        return 0;
    for (const char *p = v.p, *end = v.p + v.n; p <= end; n++) {
        const char *comma = p < end ? memchr(p, ',', (size_t)(end - p)) : NULL;
        struct dh_str word = {p, (size_t)((comma ? comma : end) - p)};
        uint32_t bits;
        /* An exponent of all ones is an infinity or no number at all. */
        if (!dh_parse_f32(word.p, word.n, &bits) || (bits & 0x7f800000) == 0x7f800000)
            return dh_line_fail(l, e, "%s: expected a number, found '%s'", key, shown(word, buf));
        if (n < most)
            memcpy(&out[n], &bits, sizeof bits);
        p = (comma ? comma : end) + 1;
    }
    if (n < least || n > most)
        return dh_line_fail(l, e, "%s: expected %d number%s, found %d", key, least, least == 1 ? "" : "s", n);
    return n;
}

int dh_line_done(const struct dh_line *l, struct dh_err *e)
{
    char buf[64];

    for (int i = 0; i < l->n; i++)
        if (!(l->asked >> i & 1))
            return dh_line_fail(l, e, "unknown key '%s'", shown(l->keys[i], buf));
    return 0;
}
