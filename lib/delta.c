/* SPDX-License-Identifier: ISC */
#include "delta.h"

#include <math.h>
#include <string.h>

static void put_text(struct dh_buf *out, const char *s)
{
    dh_put_bytes(out, s, strlen(s));
}

static bool is_vector(enum dh_type t)
{
    return t == DH_VEC3 || t == DH_QUAT;
}

void dh_show_value(struct dh_buf *out, const struct dh_schemas *s, const struct dh_field *f, const uint8_t *p, size_t n)
{
    struct dh_buf text = {0};

    if (!is_vector(f->type)) {
        dh_value_text(out, s, f, p, n);
        return;
    }
    dh_value_text(&text, s, f, p, n);
    put_text(out, "(");
    for (size_t i = 0; i < text.n; i++) {
        dh_put_u8(out, text.p[i]);
        if (text.p[i] == ',')
            put_text(out, " ");
    }
    put_text(out, ")");
    dh_buf_free(&text);
}

/* A number of another type in the text encoding's form. */
static void put_as(struct dh_buf *out, enum dh_type type, const struct dh_buf *value)
{
    static char name[] = "delta";
    struct dh_field f = {.name = name, .type = type};

    dh_value_text(out, NULL, &f, value->p, value->n);
}

/* false: not a number; nothing was appended. */
static bool put_f32(struct dh_buf *out, struct dh_cur *a, struct dh_cur *b)
{
    struct dh_buf value = {0};
    float y = dh_get_f32(b), x = dh_get_f32(a), d = y - x;

    if (!isfinite(d))
        return false;
    dh_put_f32(&value, d);
    put_as(out, DH_F32, &value);
    dh_buf_free(&value);
    return true;
}

static bool put_f64(struct dh_buf *out, struct dh_cur *a, struct dh_cur *b)
{
    struct dh_buf value = {0};
    double y = dh_get_f64(b), x = dh_get_f64(a), d = y - x;

    if (!isfinite(d))
        return false;
    dh_put_f64(&value, d);
    put_as(out, DH_F64, &value);
    dh_buf_free(&value);
    return true;
}

static bool put_vector(struct dh_buf *out, int n, struct dh_cur *a, struct dh_cur *b)
{
    put_text(out, "(");
    for (int i = 0; i < n; i++) {
        if (i > 0)
            put_text(out, ", ");
        if (!put_f32(out, a, b))
            return false;
    }
    put_text(out, ")");
    return true;
}

/* Digits of v, most significant first. */
static void put_unsigned(struct dh_buf *out, uint64_t v, unsigned base)
{
    char digits[24];
    size_t n = sizeof digits;

    do
        digits[--n] = "0123456789abcdef"[v % base];
    while ((v /= base) > 0);
    dh_put_bytes(out, digits + n, sizeof digits - n);
}

/* Sixteenths of sixteen bits have at most sixteen decimals. */
static void put_fix(struct dh_buf *out, uint64_t magnitude)
{
    uint64_t fraction = magnitude & 0xffff;

    put_unsigned(out, magnitude >> 16, 10);
    if (fraction)
        put_text(out, ".");
    for (; fraction; fraction = fraction * 10 & 0xffff)
        dh_put_u8(out, (uint8_t)('0' + (fraction * 10 >> 16)));
}

/* Bytes of an integer type; 0: not one that has a difference. */
static int width(enum dh_type t)
{
    switch (t) {
    case DH_I8:
    case DH_U8:
        return 1;
    case DH_I16:
    case DH_U16:
        return 2;
    case DH_I32:
    case DH_U32:
    case DH_FIX:
    case DH_BAM:
        return 4;
    case DH_I64:
    case DH_U64:
        return 8;
    default:
        return 0;
    }
}

static bool is_signed(enum dh_type t)
{
    return t == DH_I8 || t == DH_I16 || t == DH_I32 || t == DH_I64 || t == DH_FIX;
}

/* A value as a number whose unsigned order is the values' own: signed ones are moved up by half their range, which no
 * difference shows. */
static uint64_t ordinal(enum dh_type t, const uint8_t *p, int n)
{
    uint64_t v = 0;

    for (int i = n; i-- > 0;)
        v = v << 8 | p[i];
    return is_signed(t) ? v ^ (uint64_t)1 << (8 * n - 1) : v;
}

static void put_integer(struct dh_buf *out, enum dh_type t, const uint8_t *a, const uint8_t *b)
{
    int n = width(t);
    uint64_t x = ordinal(t, a, n), y = ordinal(t, b, n), d = y >= x ? y - x : x - y;
    bool negative = y < x;

    if (t == DH_BAM && d > 0x80000000) {
        d = 0x100000000 - d;
        negative = !negative;
    }
    if (negative)
        put_text(out, "-");
    if (t == DH_FIX)
        put_fix(out, d);
    else if (t == DH_BAM) {
        put_text(out, "0x");
        put_unsigned(out, d, 16);
    } else
        put_unsigned(out, d, 10);
}

void dh_show_delta(struct dh_buf *out, const struct dh_field *f, const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t before = out->n;
    struct dh_cur ca = dh_cur(a, n), cb = dh_cur(b, n);
    bool shown = true;

    put_text(out, " delta ");
    if (f->type == DH_F32)
        shown = put_f32(out, &ca, &cb);
    else if (f->type == DH_F64)
        shown = put_f64(out, &ca, &cb);
    else if (is_vector(f->type))
        shown = put_vector(out, f->type == DH_VEC3 ? 3 : 4, &ca, &cb);
    else if (width(f->type) > 0)
        put_integer(out, f->type, a, b);
    else
        shown = false;
    if (!shown && !out->failed)
        out->n = before;
}
