/* SPDX-License-Identifier: ISC */
#include "number.h"

#include <string.h>

#include "bytes.h"

__extension__ typedef unsigned __int128 u128;

static const char hex_digits[] = "0123456789abcdef";

void dh_text_unsigned(struct dh_buf *out, uint64_t v)
{
    char tmp[20];
    size_t n = sizeof tmp;

    do
        tmp[--n] = (char)('0' + v % 10);
    while (v /= 10);
    dh_put_bytes(out, tmp + n, sizeof tmp - n);
}

void dh_text_signed(struct dh_buf *out, int64_t v)
{
    if (v < 0)
        dh_put_u8(out, '-');
    dh_text_unsigned(out, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void dh_text_hex(struct dh_buf *out, uint64_t v, int digits)
{
    char tmp[18];
    size_t n = sizeof tmp;

    do {
        tmp[--n] = hex_digits[v & 15];
        digits--;
    } while ((v >>= 4) || digits > 0);
    tmp[--n] = 'x';
    tmp[--n] = '0';
    dh_put_bytes(out, tmp + n, sizeof tmp - n);
}

void dh_text_hexbytes(struct dh_buf *out, const uint8_t *p, size_t n)
{
    uint8_t *to = dh_buf_room(out, 2 * n + 2);

    if (!to)
        return;
    *to++ = '0';
    *to++ = 'x';
    for (size_t i = 0; i < n; i++) {
        *to++ = (uint8_t)hex_digits[p[i] >> 4];
        *to++ = (uint8_t)hex_digits[p[i] & 15];
    }
    out->n += 2 * n + 2;
}

void dh_text_fix(struct dh_buf *out, int32_t v)
{
    uint32_t u = v < 0 ? 0 - (uint32_t)v : (uint32_t)v;
    /* 1/65536 is 152587890625e-16. */
    uint64_t frac = (u & 0xffff) * UINT64_C(152587890625);
    char tmp[17] = ".";
    size_t n = sizeof tmp;

    if (v < 0)
        dh_put_u8(out, '-');
    dh_text_unsigned(out, u >> 16);
    if (frac == 0)
        return;
    for (int i = 16; i > 0; i--, frac /= 10)
        tmp[i] = (char)('0' + frac % 10);
    while (tmp[n - 1] == '0')
        n--;
    dh_put_bytes(out, tmp, n);
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_hex(const char *p, size_t n)
{
    return n > 2 && p[0] == '0' && p[1] == 'x';
}

bool dh_parse_unsigned(const char *p, size_t n, uint64_t max, uint64_t *v)
{
    uint64_t base = 10, u = 0;

    if (is_hex(p, n)) {
        base = 16;
        p += 2;
        n -= 2;
    }
    if (n == 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        int d = hex_value(p[i]);

        if (d < 0 || d >= (int)base || u > (UINT64_MAX - (uint64_t)d) / base)
            return false;
        u = u * base + (uint64_t)d;
    }
    *v = u;
    return u <= max;
}

bool dh_parse_signed(const char *p, size_t n, int64_t min, int64_t max, int64_t *v)
{
    bool neg = n > 0 && *p == '-';
    uint64_t u;

    if (!dh_parse_unsigned(p + neg, n - neg, neg ? 0 - (uint64_t)min : (uint64_t)max, &u))
        return false;
    *v = (int64_t)(neg ? 0 - u : u);
    return true;
}

bool dh_parse_fix(const char *p, size_t n, int32_t *v)
{
    const char *end = p + n;
    bool neg = p < end && *p == '-', digits = false;
    uint64_t whole = 0, frac = 0, scale = 1;
    bool sticky = false; /* non-zero digits beyond those in frac */

    p += neg;
    for (; p < end && *p >= '0' && *p <= '9'; p++, digits = true)
        if ((whole = whole * 10 + (uint64_t)(*p - '0')) > 32768)
            return false;
    if (p < end && *p == '.')
        for (p++; p < end && *p >= '0' && *p <= '9'; p++, digits = true) {
            if (scale < UINT64_C(1000000000000000000)) {
                frac = frac * 10 + (uint64_t)(*p - '0');
                scale *= 10;
            } else if (*p != '0')
                sticky = true;
        }
    if (p != end || !digits)
        return false;

    u128 twice = (u128)frac << 17;
    uint64_t q = (uint64_t)(twice / scale) / 2; /* floor of frac / scale * 65536 */
    u128 rest = twice - (u128)q * 2 * scale;
    if (rest > scale || (rest == scale && (sticky || (q & 1))))
        q++;
    uint64_t u = whole * 65536 + q;
    if (u > UINT64_C(0x7fffffff) + neg)
        return false;
    *v = (int32_t)(neg ? 0 - (uint32_t)u : (uint32_t)u);
    return true;
}

bool dh_parse_hexbytes(const char *p, size_t n, struct dh_buf *out)
{
    if (n < 2 || p[0] != '0' || p[1] != 'x' || n % 2)
        return false;
    size_t bytes = n / 2 - 1;
    uint8_t *to = dh_buf_room(out, bytes ? bytes : 1);
    if (!to)
        return true; /* out->failed tells */
    for (size_t i = 0; i < bytes; i++) {
        int hi = hex_value(p[2 + 2 * i]), lo = hex_value(p[3 + 2 * i]);

        if (hi < 0 || lo < 0)
            return false;
        to[i] = (uint8_t)(hi << 4 | lo);
    }
    out->n += bytes;
    return true;
}
