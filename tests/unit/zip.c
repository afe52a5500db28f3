/* SPDX-License-Identifier: ISC */
/* Deflate's three kinds of blocks, what is wrong with some, and directories that lie; whole archives are in
 * 23-dhinfo.bats. */
#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include "zip/zip.h"

/* ---- deflate ----------------------------------------------------------------------------------------------------- */

/* Letters as often as Fibonacci's numbers say, a code of its own: of 14 bits for the rarest. */
static const uint8_t fibonacci[] = {
    /* clang-format off */
    0x05, 0xc1, 0x41, 0x82, 0x03, 0x31, 0x0c, 0xc3, 0xb0, 0xb7, 0x6e, 0xdb, 0x99, 0xc4, 0x96, 0xc8,
    0xff, 0x1f, 0x17, 0xf8, 0xfb, 0x7c, 0xbf, 0xbf, 0xdf, 0xef, 0x79, 0x9e, 0xe7, 0x79, 0xdf, 0xf7,
    0x7d, 0xdf, 0xf7, 0x3d, 0xe7, 0x9c, 0x73, 0xce, 0x39, 0xe7, 0x9c, 0x73, 0xef, 0xbd, 0xf7, 0xde,
    0x7b, 0xef, 0xbd, 0xf7, 0xde, 0x7b, 0xef, 0xbd, 0x77, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
    0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77,
    0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77,
    0x77, 0x77, 0x77, 0x77, 0x77, 0x93, 0x24, 0x49, 0x92, 0x24, 0x49, 0x92, 0x24, 0x49, 0x92, 0x24,
    0x49, 0x92, 0x24, 0x49, 0x92, 0x24, 0x49, 0x92, 0x24, 0x49, 0x92, 0x24, 0x49, 0x92, 0x24, 0x49,
    0x92, 0x24, 0x49, 0x92, 0x24, 0x49, 0xd2, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb,
    0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6,
    0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d,
    0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0x0b, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
    0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
    0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
    0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
    0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
    0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
    0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xff,
    /* clang-format on */
};

static size_t fibonacci_text(uint8_t *p)
{
    size_t n = 0, a = 1, b = 1;

    for (int letter = 0; letter < 14; letter++) {
        memset(p + n, 'a' + letter, a);
        n += a;
        b += a;
        a = b - a;
    }
    return n;
}

static void inflates(const uint8_t *p, size_t n, const void *want, size_t size)
{
    uint8_t out[2048];

    if (CHECK(zip_inflate(p, n, out, size)))
        CHECK_MEM(out, want, size);
    CHECK(!zip_inflate(p, n, out, size - 1)); /* there is more */
    CHECK(!zip_inflate(p, n, out, size + 1)); /* there is less */
    for (size_t cut = 0; cut < n; cut++)
        CHECK(!zip_inflate(p, cut, out, size));
}

static void stored_blocks(void)
{
    static const uint8_t two[] = {0, 3, 0, 0xfc, 0xff, 'a', 'b', 'c', 1, 2, 0, 0xfd, 0xff, 'd', 'e'};
    uint8_t wrong[sizeof two], out[8];

    inflates(two, sizeof two, "abcde", 5);
    memcpy(wrong, two, sizeof two);
    wrong[3]++;
    CHECK(!zip_inflate(wrong, sizeof wrong, out, 5));
}

static void fixed_codes(void)
{
    static const uint8_t p[] = {0x4b, 0x4c, 0x4a, 0x4e, 0x44, 0x45, 0x00};

    inflates(p, sizeof p, "abcabcabcabcabcabc", 18);
}

static void own_codes(void)
{
    uint8_t want[1024];

    size_t n = fibonacci_text(want);
    inflates(fibonacci, sizeof fibonacci, want, n);
}

static void nonsense(void)
{
    static const struct {
        const char *what;
        uint8_t p[8];
        size_t n;
    } bad[] = {
        {"a block of the fourth kind", {7}, 1},
        {"a copy from before the beginning", {0x03, 0x02, 0x00}, 3},
        {"more lengths than there are symbols", {0xfd, 0x1f, 0, 0, 0}, 5},
        {"a code of lengths that has too many", {0x05, 0xe0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 8},
    };
    uint8_t out[8];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (!CHECK(!zip_inflate(bad[i].p, bad[i].n, out, sizeof out)))
            printf("# %s\n", bad[i].what);
}

/* ---- directories ------------------------------------------------------------------------------------------------- */

enum { LOCAL = 30, ENTRY = 46, END = 22 };

/* One stored member, "a.lmp" with "hello". */
static size_t make(uint8_t *p)
{
    static const char head[] =
        "PK\3\4\n\0\0\0\0\0\0\0\0\0\x86\xa6\x10\x36\5\0\0\0\5\0\0\0\5\0\0\0a.lmphello"
        "PK\1\2\n\0\n\0\0\0\0\0\0\0\0\0\x86\xa6\x10\x36\5\0\0\0\5\0\0\0\5\0\0\0\0\0\0\0\0\0\0\0\0\0"
        "\0\0\0\0a.lmp"
        "PK\5\6\0\0\0\0\1\0\1\0\x33\0\0\0\x28\0\0\0\0\0";

    memcpy(p, head, sizeof head - 1);
    return sizeof head - 1;
}

static struct zip *open_bytes(FILE *f, const uint8_t *p, size_t n)
{
    struct dh_err e;

    if (!f || fwrite(p, 1, n, f) != n || fflush(f) != 0)
        return NULL;
    return zip_open(fileno(f), &e);
}

/* Whether the bytes are an archive whose one member can be read. */
static bool reads(const uint8_t *p, size_t n)
{
    FILE *f = tmpfile();
    struct zip *z = open_bytes(f, p, n);
    struct dh_buf b = {0};
    struct dh_err e;
    bool good = z && zip_count(z) == 1 && zip_whole(z) && strcmp(zip_name(z, 0), "a.lmp") == 0 &&
                zip_find(z, "a.lmp") == 0 && zip_find(z, "A.LMP") < 0 && zip_read(z, 0, 5, &b, &e) == 0 && b.n == 5 &&
                memcmp(b.p, "hello", 5) == 0;

    if (z && zip_count(z) == 1) /* or it is not worth asking */
        CHECK(zip_read(z, 0, 4, &b, &e) < 0);
    dh_buf_free(&b);
    zip_close(z);
    if (f)
        fclose(f);
    return good;
}

static void an_archive(void)
{
    uint8_t p[512] = {0};
    size_t n = make(p);

    CHECK_INT(n, LOCAL + 10 + ENTRY + 5 + END);
    CHECK(reads(p, n));
    p[n - 2] = 3; /* a comment; what is behind it does not matter */
    CHECK(reads(p, n + 3));
    CHECK(reads(p, n + 40));
}

static void what_stands_in_front_moves_it(void)
{
    uint8_t p[512] = "anything";
    size_t n = make(p + 8);

    CHECK(reads(p, n + 8));
}

static void every_cut_and_every_wrong_length_is_seen(void)
{
    uint8_t p[512], damaged[512];
    size_t n = make(p);
    /* fields that decide where something is: of the local header, of the entry, of the end */
    static const struct {
        size_t at, size;
    } fields[] = {
        {0, 4},       {26, 2},      {28, 2}, {40, 4},      {40 + 16, 4}, {40 + 20, 4}, {40 + 24, 4},
        {40 + 28, 2}, {40 + 42, 4}, {91, 4}, {91 + 10, 2}, {91 + 12, 4}, {91 + 16, 4},
    };

    for (size_t cut = 0; cut < n; cut++)
        CHECK(!reads(p, cut));
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (int bit = 0; bit < (int)fields[i].size * 8; bit++) {
            memcpy(damaged, p, n);
            damaged[fields[i].at + (size_t)bit / 8] ^= (uint8_t)(1 << bit % 8);
            if (reads(damaged, n))
                CHECK_INT(fields[i].at, -1 - bit);
        }
}

static void sizes_of_64_bits(void)
{
    uint8_t p[512], q[512];
    size_t n = make(p), end = n - END, at = 0;

    /* the entry says its size in a field of its own, the end says nothing */
    memcpy(q, p, end);
    memset(q + 40 + 24, 0xff, 4);
    q[40 + 30] = 12;
    at = end;
    memcpy(q + at, "\1\0\x08\0\5\0\0\0\0\0\0\0", 12);
    at += 12;
    memcpy(q + at,
           "PK\6\6\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\x3f\0\0\0\0\0\0\0"
           "\x28\0\0\0\0\0\0\0",
           56);
    memcpy(q + at + 56, "PK\6\7\0\0\0\0\x67\0\0\0\0\0\0\0\1\0\0\0", 20);
    CHECK_INT(at, 0x67);
    at += 76;
    memcpy(q + at, p + end, END);
    memset(q + at + 8, 0xff, 12);
    CHECK(reads(q, at + END));
}

int main(void)
{
    T_RUN(stored_blocks);
    T_RUN(fixed_codes);
    T_RUN(own_codes);
    T_RUN(nonsense);
    T_RUN(an_archive);
    T_RUN(what_stands_in_front_moves_it);
    T_RUN(every_cut_and_every_wrong_length_is_seen);
    T_RUN(sizes_of_64_bits);
    return t_done();
}
