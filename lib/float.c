/* SPDX-License-Identifier: ISC */
/*
 * The shortest decimal of a binary fraction, and back.
 *
 * A number m * 2^e owns the interval half way to each neighbour; every decimal in it reads back as the number (the ends
 * too when m is even, since readers round ties to even). Scaled by a power of ten so that it has 9 digits (f64: 17)
 * before the point, the interval holds at least one whole number; then the largest power of ten that still has a
 * multiple in the interval gives the shortest, and of the two multiples around the number the nearer one is taken.
 */
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

__extension__ typedef unsigned __int128 u128;

/* digits * 10^exp10, without trailing zeros in digits */
struct decimal {
    uint64_t digits;
    int exp10;
};

struct format {
    int mantissa_bits, min_exp, max_digits, plain_digits, hex_digits;
};

static const struct format narrow = {23, -149, 9, 7, 8}, wide = {52, -1074, 17, 15, 16};

/* The powers of five that fit 64 bits. */
static const uint64_t fives[28] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

static u128 pow5(int k)
{
    return k < 28 ? fives[k] : (u128)fives[27] * fives[k - 27];
}

/* k <= 19 */
static uint64_t pow10u(int k)
{
    return fives[k] << k;
}

/* The number and the ends of its interval, in units of which sh (a shift) or by (a divisor, where not 1) make a whole.
 */
struct scaled {
    u128 v, lo, hi;
    int sh;
    u128 by;
};

static uint64_t whole(const struct scaled *s, u128 v, bool up)
{
    u128 q, rest;

    if (s->by == 1) {
        q = v >> s->sh;
        rest = v - (q << s->sh);
    } else {
        q = v / s->by;
        rest = v % s->by;
    }
    return (uint64_t)q + (up && rest != 0);
}

/* m * 2^e * 10^k, where 128 bits are enough. */
static bool scale(struct scaled *s, uint64_t m, int e, int k, bool lower_is_near)
{
    int bits = 64 - __builtin_clzll(m);

    s->sh = 0;
    s->by = 1;
    if (k >= 0) {
        /* 5^k takes 2.33 k bits; 3 bits stay free for the quarters and for sums */
        if (bits + 2 + (k * 2380 >> 10) + 1 > 124)
            return false;
        u128 f = pow5(k);
        s->v = 4 * m * f;
        s->lo = (4 * m - (lower_is_near ? 1 : 2)) * f;
        s->hi = (4 * m + 2) * f;
        int shift = e - 2 + k;
        if (shift >= 0) {
            s->v <<= shift;
            s->lo <<= shift;
            s->hi <<= shift;
        } else
            s->sh = -shift;
        return s->sh < 124;
    }
    if (bits + e > 121 || e < 2)
        return false;
    s->v = (u128)(4 * m) << (e - 2);
    s->lo = (u128)(4 * m - (lower_is_near ? 1 : 2)) << (e - 2);
    s->hi = (u128)(4 * m + 2) << (e - 2);
    for (; k < 0; k++)
        s->by *= 10;
    return true;
}

/* floor(log10(2^x)) for |x| < 1650 */
static int log10_pow2(int x)
{
    return (x * 78913) >> 18;
}

static bool shortest(uint64_t m, int e, bool lower_is_near, int max_digits, struct decimal *d)
{
    int k = max_digits - 1 - log10_pow2(e + 63 - __builtin_clzll(m));
    struct scaled s;
    uint64_t v;

    for (;; k--) { /* the estimate is right or one too large */
        if (!scale(&s, m, e, k, lower_is_near))
            return false;
        v = whole(&s, s.v, false);
        if (v < pow10u(max_digits))
            break;
    }

    uint64_t lo = whole(&s, s.lo, true), hi = whole(&s, s.hi, false);
    if (m & 1) { /* ties would round away from an odd number: the ends are not its own */
        if (whole(&s, s.lo, false) == lo)
            lo++;
        if (whole(&s, s.hi, true) == hi)
            hi--;
    }

    uint64_t ten = 1;
    while (hi / (ten * 10) * (ten * 10) >= lo && hi / (ten * 10) != 0)
        ten *= 10;

    uint64_t below = v / ten * ten, above = below + ten;
    bool down = below >= lo && below != 0, up = above <= hi;
    if (down && up) {
        /* both are as short: the nearer, of equals the even one */
        u128 sum = (u128)below + above;
        u128 middle = s.by == 1 ? sum << s.sh : sum * s.by;
        up = s.v * 2 > middle || (s.v * 2 == middle && below / ten % 2);
    }
    d->digits = (up ? above : below) / ten;
    d->exp10 = -k;
    for (; ten > 1; ten /= 10)
        d->exp10++;
    for (; d->digits % 10 == 0; d->digits /= 10)
        d->exp10++;
    return true;
}

static double read_back(const char *text, bool is_wide)
{
    return is_wide ? strtod(text, NULL) : (double)strtof(text, NULL);
}

/* One more digit at a time until it reads back. At a power of two the interval reaches farther up than down, so that
 * the decimal above can be in it where the nearest one is not. */
static void shortest_slowly(double v, bool is_wide, int max_digits, struct decimal *d)
{
    for (int n = 1; n <= max_digits; n++) {
        char text[40];
        struct decimal near;

        snprintf(text, sizeof text, "%.*e", n - 1, v);
        char *exp = strchr(text, 'e');
        near.exp10 = atoi(exp + 1) - (n - 1);
        near.digits = 0;
        for (char *p = text; p < exp; p++)
            if (*p != '.')
                near.digits = near.digits * 10 + (uint64_t)(*p - '0');
        for (int up = 0; up < 2; up++, near.digits++) {
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)near.digits, near.exp10);
            if (read_back(text, is_wide) == v || n == max_digits) {
                *d = near;
                for (; d->digits % 10 == 0; d->digits /= 10)
                    d->exp10++;
                return;
            }
        }
    }
}

static void put_decimal(struct dh_buf *out, const struct decimal *d, int plain_digits)
{
    char digits[20];
    size_t n = sizeof digits;
    uint64_t v = d->digits;

    do
        digits[--n] = (char)('0' + v % 10);
    while (v /= 10);
    const char *p = digits + n;
    int len = (int)(sizeof digits - n);
    int point = len + d->exp10; /* where the decimal point stands, counted from the first digit */

    if (point < -3 || point > (len > plain_digits ? len : plain_digits)) {
        int x = point - 1;

        dh_put_u8(out, (uint8_t)p[0]);
        if (len > 1) {
            dh_put_u8(out, '.');
            dh_put_bytes(out, p + 1, (size_t)(len - 1));
        }
        dh_put_u8(out, 'E');
        dh_put_u8(out, x < 0 ? '-' : '+');
        if (abs(x) < 10)
            dh_put_u8(out, '0');
        dh_text_unsigned(out, (uint64_t)abs(x));
    } else if (point <= 0) {
        dh_put_bytes(out, "0.000", (size_t)(2 - point));
        dh_put_bytes(out, p, (size_t)len);
    } else {
        int head = len < point ? len : point;

        dh_put_bytes(out, p, (size_t)head);
        dh_put_bytes(out, "000000000000000", (size_t)(point - head));
        if (len > point) {
            dh_put_u8(out, '.');
            dh_put_bytes(out, p + head, (size_t)(len - head));
        }
    }
}

static void text_float(struct dh_buf *out, uint64_t bits, bool is_wide, bool slowly)
{
    const struct format *f = is_wide ? &wide : &narrow;
    int total = is_wide ? 64 : 32;
    uint64_t mantissa = bits & ((UINT64_C(1) << f->mantissa_bits) - 1);
    uint64_t exponent = bits << (64 - total) << 1 >> (65 - total + f->mantissa_bits);
    uint64_t special = (UINT64_C(1) << (total - 1 - f->mantissa_bits)) - 1;
    bool neg = bits >> (total - 1);

    if (exponent == special && mantissa != 0) {
        char tmp[32];

        snprintf(tmp, sizeof tmp, "nan:%0*llx", f->hex_digits, (unsigned long long)bits);
        dh_put_bytes(out, tmp, strlen(tmp));
        return;
    }
    if (neg)
        dh_put_u8(out, '-');
    if (exponent == special)
        dh_put_bytes(out, "inf", 3);
    else if (exponent == 0 && mantissa == 0)
        dh_put_u8(out, '0');
    else {
        uint64_t m = exponent ? mantissa | UINT64_C(1) << f->mantissa_bits : mantissa;
        int e = (exponent ? (int)exponent - 1 : 0) + f->min_exp;
        struct decimal d = {0};

        /* The neighbour below a power of two is at half the distance, but not in the lowest binade. */
        if (slowly || !shortest(m, e, mantissa == 0 && exponent > 1, f->max_digits, &d)) {
            double v;
            uint64_t magnitude = bits & ~(UINT64_C(1) << (total - 1));

            if (is_wide)
                memcpy(&v, &magnitude, sizeof v);
            else {
                uint32_t low = (uint32_t)magnitude;
                float single;

                memcpy(&single, &low, sizeof single);
                v = (double)single;
            }
            shortest_slowly(v, is_wide, f->max_digits, &d);
        }
        put_decimal(out, &d, f->plain_digits);
    }
}

void dh_text_f32(struct dh_buf *out, uint32_t bits)
{
    text_float(out, bits, false, false);
}

void dh_text_f64(struct dh_buf *out, uint64_t bits)
{
    text_float(out, bits, true, false);
}

void dh_text_float_slowly(struct dh_buf *out, uint64_t bits, bool is_wide)
{
    text_float(out, bits, is_wide, true);
}

/* inf, -inf and nan:BITS: what strtod must not be asked, since it knows more spellings than we do. */
static bool parse_special(const char *p, size_t n, bool is_wide, uint64_t *bits)
{
    const struct format *f = is_wide ? &wide : &narrow;
    int total = is_wide ? 64 : 32;
    uint64_t inf = ((UINT64_C(1) << (total - 1 - f->mantissa_bits)) - 1) << f->mantissa_bits;
    bool neg = n > 0 && *p == '-';

    if (n - neg == 3 && memcmp(p + neg, "inf", 3) == 0) {
        *bits = inf | (uint64_t)neg << (total - 1);
        return true;
    }
    if (n == 4 + (size_t)f->hex_digits && memcmp(p, "nan:", 4) == 0) {
        char hex[19] = "0x";

        memcpy(hex + 2, p + 4, n - 4);
        if (!dh_parse_unsigned(hex, n - 2, UINT64_MAX, bits))
            return false;
        return (*bits & inf) == inf && (*bits & ((UINT64_C(1) << f->mantissa_bits) - 1));
    }
    return false;
}

static bool looks_decimal(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr("0123456789+-.eE", p[i]) || p[i] == '\0')
            return false;
    return n > 0 && p[0] != '+';
}

/* q (and a bit more, if sticky) * 2^e rounded to the format: ties to even. The result is known to be a normal number.
 */
static uint64_t round_to(const struct format *f, u128 q, int e, bool sticky)
{
    uint64_t high = (uint64_t)(q >> 64);
    int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)q);
    int drop = bits - (f->mantissa_bits + 1);
    uint64_t m;

    if (drop <= 0)
        m = (uint64_t)q << -drop;
    else {
        u128 half = (u128)1 << (drop - 1), rest = q & ((half << 1) - 1);

        m = (uint64_t)(q >> drop);
        m += rest > half || (rest == half && (sticky || (m & 1)));
    }
    /* a carry out of the mantissa goes into the exponent, where it belongs */
    return ((uint64_t)(e + drop - f->min_exp) << f->mantissa_bits) + m;
}

/* Decimals of at most 19 digits and a small exponent: exact in 128 bits. False: not of that kind, or not a number. */
static bool parse_short(const char *p, size_t n, const struct format *f, bool is_wide, uint64_t *bits)
{
    const char *end = p + n;
    bool neg = p < end && *p == '-', point = false;
    uint64_t m = 0;
    int digits = 0, exp10 = 0, x = 0;

    for (p += neg; p < end && ((*p >= '0' && *p <= '9') || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (++digits > 19)
            return false;
        m = m * 10 + (uint64_t)(*p - '0');
        exp10 -= point;
    }
    if (digits == 0)
        return false;
    if (p < end && (*p | 0x20) == 'e') {
        bool down = ++p < end && *p == '-';

        p += p < end && (*p == '-' || *p == '+');
        if (p == end)
            return false;
        for (; p < end && *p >= '0' && *p <= '9' && x < 100; p++)
            x = x * 10 + (*p - '0');
        exp10 += down ? -x : x;
    }
    if (p != end || exp10 < -19 || exp10 > 19)
        return false;
    if (m == 0)
        *bits = 0;
    else if (exp10 >= 0)
        *bits = round_to(f, (u128)m * pow10u(exp10), 0, false);
    else {
        int shift = 64 + __builtin_clzll(m);
        u128 scaled = (u128)m << shift, by = pow10u(-exp10), q = scaled / by;

        *bits = round_to(f, q, -shift, scaled != q * by);
    }
    *bits |= (uint64_t)neg << (is_wide ? 63 : 31);
    return true;
}

bool dh_parse_f32(const char *p, size_t n, uint32_t *bits)
{
    uint64_t u;
    char *end;

    if (parse_short(p, n, &narrow, false, &u) || parse_special(p, n, false, &u)) {
        *bits = (uint32_t)u;
        return true;
    }
    if (!looks_decimal(p, n))
        return false;
    float v = strtof(p, &end);
    memcpy(bits, &v, sizeof v);
    return end == p + n && v - v == 0;
}

bool dh_parse_f64(const char *p, size_t n, uint64_t *bits)
{
    char *end;

    if (parse_short(p, n, &wide, true, bits) || parse_special(p, n, true, bits))
        return true;
    if (!looks_decimal(p, n))
        return false;
    double v = strtod(p, &end);
    memcpy(bits, &v, sizeof v);
    return end == p + n && v - v == 0;
}
