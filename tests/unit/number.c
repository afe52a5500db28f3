/* SPDX-License-Identifier: ISC */
/*
 * Numbers as text. F32_STEP in the environment is the stride over the 2^32 bit patterns of an f32 that are printed and
 * read back; F32_STEP=1 takes an hour or two.
 */
#include "t.h"

#include <stdlib.h>

#include "bytes.h"
#include "number.h"

static struct dh_buf out;

static const char *f32(uint32_t bits)
{
    dh_buf_clear(&out);
    dh_text_f32(&out, bits);
    dh_put_u8(&out, 0);
    return (const char *)out.p;
}

static const char *f64(uint64_t bits)
{
    dh_buf_clear(&out);
    dh_text_f64(&out, bits);
    dh_put_u8(&out, 0);
    return (const char *)out.p;
}

static const char *slowly(uint64_t bits, bool wide)
{
    static struct dh_buf b;

    dh_buf_clear(&b);
    dh_text_float_slowly(&b, bits, wide);
    dh_put_u8(&b, 0);
    return (const char *)b.p;
}

static const char *f32_of(float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    return f32(bits);
}

static const char *f64_of(double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    return f64(bits);
}

static void f32_prints_as_dotnet_does(void)
{
    CHECK_STR(f32_of(3.25f), "3.25");
    CHECK_STR(f32(0x40500001), "3.2500002");
    CHECK_STR(f32_of(0x1p-22f), "2.3841858E-07");
    CHECK_STR(f32_of(0.0f), "0");
    CHECK_STR(f32_of(-0.0f), "-0");
    CHECK_STR(f32_of(1.0f), "1");
    CHECK_STR(f32_of(0.1f), "0.1");
    CHECK_STR(f32_of(-120.5f), "-120.5");
    CHECK_STR(f32_of(0.0001f), "0.0001");
    CHECK_STR(f32_of(0.00012345f), "0.00012345");
    CHECK_STR(f32_of(0.00001f), "1E-05");
    CHECK_STR(f32_of(1000000.0f), "1000000");
    CHECK_STR(f32_of(10000000.0f), "1E+07");
    CHECK_STR(f32_of(16777216.0f), "16777216");
    CHECK_STR(f32_of(123456792.0f), "1.2345679E+08"); /* nine digits to the left of the point, eight of them needed */
    CHECK_STR(f32(0x7f7fffff), "3.4028235E+38");
    CHECK_STR(f32(0x00000001), "1E-45");
    CHECK_STR(f32(0x00800000), "1.1754944E-38");
    CHECK_STR(f32(0x7f800000), "inf");
    CHECK_STR(f32(0xff800000), "-inf");
    CHECK_STR(f32(0x7fc00001), "nan:7fc00001");
    CHECK_STR(f32(0xff800001), "nan:ff800001");
}

static void f64_prints_as_dotnet_does(void)
{
    CHECK_STR(f64_of(35), "35");
    CHECK_STR(f64_of(0.1), "0.1");
    CHECK_STR(f64_of(1.0 / 3), "0.3333333333333333");
    CHECK_STR(f64_of(123456789012345.0), "123456789012345");
    CHECK_STR(f64_of(1e15), "1E+15");
    CHECK_STR(f64_of(9007199254740993.0), "9007199254740992");
    CHECK_STR(f64_of(5e-324), "5E-324");
    CHECK_STR(f64_of(1.7976931348623157e308), "1.7976931348623157E+308");
    CHECK_STR(f64_of(-1e-7), "-1E-07");
    CHECK_STR(f64(UINT64_C(0x7ff8000000000002)), "nan:7ff8000000000002");
}

static bool comes_back(uint32_t bits)
{
    const char *s = f32(bits);
    uint32_t back = ~bits;

    if (dh_parse_f32(s, strlen(s), &back) && back == bits)
        return true;
    printf("# %08" PRIx32 " prints as %s, which reads as %08" PRIx32 "\n", bits, s, back);
    return false;
}

static void f32_comes_back(void)
{
    const char *env = getenv("F32_STEP");
    uint64_t step = env ? strtoull(env, NULL, 10) : 9973; /* a prime: every exponent, every low byte */

    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step + !step)
        if (!CHECK(comes_back((uint32_t)bits)))
            return;
    /* the neighbours of every power of two, where the interval is lopsided, and of every exponent's ends */
    for (uint32_t e = 0; e < 512; e++)
        for (uint32_t d = 0; d < 64; d++)
            if (!CHECK(comes_back((e << 23) + d - 32)))
                return;
}

/* The number one place away in the last digit printed, or with that digit left out, has to be farther away or another
 * number: shortest and nearest, by the C library's word. */
static void f32_is_shortest(void)
{
    for (uint64_t bits = 1; bits < 0x7f800000; bits += 139123)
        if (strcmp(f32((uint32_t)bits), slowly(bits, false)) != 0) {
            CHECK_STR(f32((uint32_t)bits), slowly(bits, false));
            return;
        }
    for (uint32_t e = 1; e < 255; e++)
        for (uint32_t d = 0; d < 3; d++)
            CHECK_STR(f32((e << 23) + d - 1), slowly((e << 23) + d - 1, false));
}

static void f64_is_shortest_and_comes_back(void)
{
    uint64_t x = 88172645463325252u;

    for (int i = 0; i < 30000; i++) {
        /* any bits; numbers of few digits; whole numbers */
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        double few = (double)(int64_t)(x >> 40) / 1000, whole = (double)(x >> (x & 63));
        uint64_t bits = x, back = ~x;
        if (i % 3)
            memcpy(&bits, i % 3 == 1 ? &few : &whole, sizeof bits);
        const char *s = f64(bits);
        CHECK(dh_parse_f64(s, strlen(s), &back));
        CHECK_INT(back, bits);
        if (!CHECK_STR(s, slowly(bits, true)))
            return;
    }
    for (uint64_t e = 1; e < 2047; e++)
        for (uint64_t d = 0; d < 3; d++)
            CHECK_STR(f64((e << 52) + d - 1), slowly((e << 52) + d - 1, true));
}

/* Decimals of any length, whatever way they take: the C library's reading. */
static void reads_as_the_c_library_does(void)
{
    uint64_t x = 88172645463325252u;

    for (int i = 0; i < 60000; i++) {
        char s[64];
        uint64_t wide, want_wide;
        uint32_t bits, want_bits;

        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        int digits = 1 + (int)(x % 21), point = (int)((x >> 8) % (uint64_t)(digits + 1)),
            exp = (int)(x >> 16 & 63) - 32;
        int n = snprintf(s, sizeof s, "%s%0*" PRIu64, x >> 63 ? "-" : "", digits, x >> (x >> 32 & 63));
        memmove(s + n - point + 1, s + n - point, (size_t)point + 1);
        s[n++ - point] = '.';
        if (x >> 24 & 1)
            n += snprintf(s + n, sizeof s - (size_t)n, "E%+d", exp);
        double d = strtod(s, NULL);
        float f = strtof(s, NULL);
        memcpy(&want_wide, &d, sizeof d);
        memcpy(&want_bits, &f, sizeof f);
        if (!CHECK(dh_parse_f64(s, (size_t)n, &wide)) || !CHECK_INT(wide, want_wide) ||
            (f - f == 0 && (!CHECK(dh_parse_f32(s, (size_t)n, &bits)) || !CHECK_INT(bits, want_bits)))) {
            printf("# %s\n", s);
            return;
        }
    }
}

static void what_is_no_number_is_refused(void)
{
    static const char *const bad[] = {"",         "-",     "+1",    " 1",           "1 ",          "0x10",
                                      "infinity", "INF",   "nan",   "nan:7f800000", "nan:7fc0000", "nan:7fc00001 ",
                                      "1e39",     "-1e39", "1.2.3", "1,5",          "e5",          ".",
                                      "1e",       "--1",   "1e999"};
    uint32_t bits;
    uint64_t wide;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (!CHECK(!dh_parse_f32(bad[i], strlen(bad[i]), &bits)))
            printf("# '%s'\n", bad[i]);
    }
    CHECK(!dh_parse_f64("1e309", 5, &wide));
    CHECK(!dh_parse_f64("nan:7ff0000000000000", 20, &wide));
    CHECK(dh_parse_f32("1e-60", 5, &bits));
    CHECK_INT(bits, 0);
    CHECK(dh_parse_f32(".5", 2, &bits));
    CHECK_INT(bits, 0x3f000000);
}

static const char *fix(int32_t v)
{
    dh_buf_clear(&out);
    dh_text_fix(&out, v);
    dh_put_u8(&out, 0);
    return (const char *)out.p;
}

static void fix_is_exact(void)
{
    CHECK_STR(fix(0), "0");
    CHECK_STR(fix(65536), "1");
    CHECK_STR(fix(-98304), "-1.5");
    CHECK_STR(fix(1), "0.0000152587890625");
    CHECK_STR(fix(INT32_MIN), "-32768");
    CHECK_STR(fix(INT32_MAX), "32767.9999847412109375");
    for (int64_t v = INT32_MIN; v <= INT32_MAX; v += 4099) {
        const char *s = fix((int32_t)v);
        int32_t back = 0;

        if (!CHECK(dh_parse_fix(s, strlen(s), &back) && back == v))
            return;
    }
}

static void fix_rounds_what_is_edited(void)
{
    int32_t v;

    CHECK(dh_parse_fix("0.1", 3, &v));
    CHECK_INT(v, 6554); /* 6553.6 */
    CHECK(dh_parse_fix("-0.1", 4, &v));
    CHECK_INT(v, -6554);
    CHECK(dh_parse_fix("0.00000762939453125", 19, &v)); /* half a unit: to the even one */
    CHECK_INT(v, 0);
    CHECK(dh_parse_fix("0.000007629394531250000000001", 29, &v));
    CHECK_INT(v, 1);
    CHECK(dh_parse_fix("0.00002288818359375", 19, &v)); /* one and a half */
    CHECK_INT(v, 2);
    CHECK(!dh_parse_fix("32768", 5, &v));
    CHECK(!dh_parse_fix("32767.99999999", 14, &v)); /* rounds out of range */
    CHECK(dh_parse_fix("-32768", 6, &v));
    CHECK(!dh_parse_fix("-32768.1", 8, &v));
    CHECK(!dh_parse_fix("", 0, &v));
    CHECK(!dh_parse_fix(".", 1, &v));
    CHECK(!dh_parse_fix("1e3", 3, &v));
    CHECK(!dh_parse_fix("99999999999999999999", 20, &v));
}

static void whole_numbers(void)
{
    uint64_t u;
    int64_t i;

    CHECK(dh_parse_unsigned("18446744073709551615", 20, UINT64_MAX, &u) && u == UINT64_MAX);
    CHECK(!dh_parse_unsigned("18446744073709551616", 20, UINT64_MAX, &u));
    CHECK(dh_parse_unsigned("0xff", 4, 255, &u) && u == 255);
    CHECK(!dh_parse_unsigned("256", 3, 255, &u));
    CHECK(!dh_parse_unsigned("0x", 2, 255, &u));
    CHECK(!dh_parse_unsigned("", 0, 255, &u));
    CHECK(!dh_parse_unsigned("1a", 2, 255, &u));
    CHECK(!dh_parse_unsigned("-1", 2, 255, &u));
    CHECK(dh_parse_signed("-9223372036854775808", 20, INT64_MIN, INT64_MAX, &i) && i == INT64_MIN);
    CHECK(!dh_parse_signed("9223372036854775808", 19, INT64_MIN, INT64_MAX, &i));
    CHECK(dh_parse_signed("-128", 4, -128, 127, &i) && i == -128);
    CHECK(!dh_parse_signed("128", 3, -128, 127, &i));
    CHECK(!dh_parse_signed("--1", 3, -128, 127, &i));
    dh_buf_clear(&out);
    dh_text_signed(&out, INT64_MIN);
    dh_put_u8(&out, ' ');
    dh_text_hex(&out, 0xab, 4);
    dh_put_u8(&out, ' ');
    dh_text_hex(&out, 0, 1);
    dh_put_u8(&out, ' ');
    dh_text_hex(&out, UINT64_MAX, 16);
    dh_put_u8(&out, 0);
    CHECK_STR((char *)out.p, "-9223372036854775808 0x00ab 0x0 0xffffffffffffffff");
}

int main(void)
{
    T_RUN(f32_prints_as_dotnet_does);
    T_RUN(f64_prints_as_dotnet_does);
    T_RUN(f32_comes_back);
    T_RUN(f32_is_shortest);
    T_RUN(f64_is_shortest_and_comes_back);
    T_RUN(reads_as_the_c_library_does);
    T_RUN(what_is_no_number_is_refused);
    T_RUN(fix_is_exact);
    T_RUN(fix_rounds_what_is_edited);
    T_RUN(whole_numbers);
    dh_buf_free(&out);
    return t_done();
}
