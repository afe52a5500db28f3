/* SPDX-License-Identifier: ISC */
/* Buffers, cursors, LEB128, escapes, errors. */
#include "t.h"

#define LIBBSD_NETBSD_VIS
#include <bsd/vis.h>
#include <stdlib.h>

#include "bytes.h"
#include "escape.h"

static void what_is_put_is_got(void)
{
    struct dh_buf b = {0};

    dh_put_u8(&b, 0x12);
    dh_put_u16(&b, 0x3456);
    dh_put_u32(&b, 0x789abcde);
    dh_put_u64(&b, UINT64_C(0x0123456789abcdef));
    dh_put_f32(&b, -1.5f);
    dh_put_f64(&b, 2.5);
    dh_put_str(&b, "hi");
    dh_put_ref(&b, -1, 7);
    dh_put_ref(&b, 0, 300);
    CHECK(!b.failed);
    CHECK_MEM(
        b.p,
        "\x12\x56\x34\xde\xbc\x9a\x78\xef\xcd\xab\x89\x67\x45\x23\x01\0\0\xc0\xbf\0\0\0\0\0\0\x04\x40\2hi\0\1\xac\2",
        34);
    CHECK_INT(b.n, 34);

    struct dh_cur c = dh_cur(b.p, b.n);
    CHECK_INT(dh_get_u8(&c), 0x12);
    CHECK_INT(dh_get_u16(&c), 0x3456);
    CHECK_INT(dh_get_u32(&c), 0x789abcde);
    CHECK(dh_get_u64(&c) == UINT64_C(0x0123456789abcdef));
    CHECK(dh_get_f32(&c) == -1.5f);
    CHECK(dh_get_f64(&c) == 2.5);
    CHECK_INT(dh_get_str(&c).n, 2);
    CHECK_INT(dh_get_leb(&c), 0);
    CHECK_INT(dh_get_leb(&c), 1);
    CHECK_INT(dh_get_leb(&c), 300);
    CHECK(c.p == c.end && !c.bad);
    CHECK_INT(dh_get_u32(&c), 0);
    CHECK(c.bad);
    dh_buf_free(&b);
}

static void a_cursor_stays_bad(void)
{
    struct dh_cur c = dh_cur("\1\2\3", 3);

    CHECK_INT(dh_get_u32(&c), 0);
    CHECK(c.bad && !c.overlong);
    CHECK_INT(dh_get_u8(&c), 0); /* though a byte is there */
    CHECK(dh_get_bytes(&c, 1) == NULL);
    c = dh_cur("\5abc", 4);
    CHECK_INT(dh_get_str(&c).n, 0);
    CHECK(c.bad);
    c = dh_cur("\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 10); /* a length that no sum of pointers survives */
    CHECK_INT(dh_get_str(&c).n, 0);
    CHECK(c.bad && !c.overlong);
    c = dh_cur(NULL, 0);
    CHECK(dh_get_bytes(&c, 0) != NULL && !c.bad);
}

static void lebs_are_canonical(void)
{
    static const struct {
        const char *bytes;
        size_t n;
        uint64_t value;
        bool bad, overlong;
    } cases[] = {
        {"\0", 1, 0, false, false},
        {"\x7f", 1, 127, false, false},
        {"\x80\1", 2, 128, false, false},
        {"\x80\0", 2, 0, true, true},
        {"\xff\x80\0", 3, 0, true, true},
        {"\x80", 1, 0, true, false},
        {"", 0, 0, true, false},
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 10, UINT64_MAX, false, false},
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\2", 10, 0, true, true},
        {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\1", 11, 0, true, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dh_cur c = dh_cur(cases[i].bytes, cases[i].n);

        CHECK(dh_get_leb(&c) == cases[i].value);
        CHECK_INT(c.bad, cases[i].bad);
        CHECK_INT(c.overlong, cases[i].overlong);
        /* the quick way, with and without a byte after it */
        for (size_t more = 0; more < 2; more++) {
            uint8_t bytes[12] = {0};
            memcpy(bytes, cases[i].bytes, cases[i].n);
            bytes[cases[i].n] = more && cases[i].bad && !cases[i].overlong ? 0x80 : 1;
            struct dh_cur quick = dh_cur(bytes, cases[i].n + more), slow = quick;
            CHECK(dh_take_leb(&quick) == dh_get_leb(&slow));
            CHECK(quick.p == slow.p && quick.bad == slow.bad && quick.overlong == slow.overlong);
        }
    }
    struct dh_buf b = {0};
    for (int shift = 0; shift < 64; shift++)
        for (int d = -1; d <= 1; d++) {
            uint64_t v = (UINT64_C(1) << shift) + (uint64_t)d;

            dh_buf_clear(&b);
            dh_put_leb(&b, v);
            struct dh_cur c = dh_cur(b.p, b.n);
            CHECK(dh_get_leb(&c) == v && !c.bad && c.p == c.end);
        }
    dh_buf_free(&b);
}

static void a_buffer_without_memory_says_so(void)
{
    struct dh_buf b = {0};

    dh_put_u8(&b, 1);
    CHECK(dh_buf_room(&b, SIZE_MAX) == NULL);
    CHECK(b.failed);
    dh_put_u8(&b, 2);
    CHECK_INT(b.n, 1);
    dh_buf_clear(&b);
    CHECK(!b.failed);
    dh_put_u8(&b, 3);
    CHECK_INT(b.p[0], 3);
    dh_buf_free(&b);
}

static void copies_of_every_length(void)
{
    uint8_t from[100];
    struct dh_buf b = {0};

    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)(i + 1);
    for (size_t n = 0; n < sizeof from; n++) {
        dh_buf_clear(&b);
        dh_put_u8(&b, 0xee);
        dh_put_bytes(&b, from, n);
        dh_put_u8(&b, 0xff);
        CHECK_INT(b.n, n + 2);
        CHECK_MEM(b.p + 1, from, n);
        CHECK_INT(b.p[0], 0xee);
        CHECK_INT(b.p[n + 1], 0xff);
    }
    dh_buf_free(&b);
}

/* Ours is a shortcut where nothing is to be escaped, and goes piece by piece. */
static void escapes_are_those_of_vis(void)
{
    struct dh_buf b = {0}, back = {0};
    char want[4 * 3000 + 1];
    uint64_t x = 88172645463325252u;

    for (int i = 0; i < 3000; i++) {
        char s[3000] = "";
        size_t n = (size_t)i;

        for (size_t k = 0; k < n; k++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            s[k] = i % 3 ? (char)(x >> 20) : "ab ,"[x >> 20 & 3];
        }
        int len = strsvisx(want, s, n, VIS_OCTAL | VIS_WHITE | VIS_NOLOCALE, ",=");
        dh_buf_clear(&b);
        dh_buf_clear(&back);
        dh_text_escaped(&b, s, n);
        if (!CHECK_INT(b.n, len) || (n && !CHECK_MEM(b.p, want, b.n)))
            return;
        CHECK(dh_parse_escaped(&back, (const char *)b.p, b.n));
        if (!CHECK_INT(back.n, n) || (n && !CHECK_MEM(back.p, s, n)))
            return;
    }
    dh_buf_free(&b);
    dh_buf_free(&back);
}

static void other_escapes_are_read(void)
{
    static const struct {
        const char *text, *bytes; /* NULL: refused */
    } cases[] = {
        {"a\\040b", "a b"}, {"a\\sb", "a b"},        {"\\n\\t", "\n\t"}, {"\\7x", "\7x"}, {"\\77", "?"},
        {"\\\\", "\\"},     {"\\^A\\M-a", "\1\xe1"}, {"\\", NULL},       {"\\M", NULL},   {"a\\^", NULL},
    };
    struct dh_buf b = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dh_buf_clear(&b);
        bool good = dh_parse_escaped(&b, cases[i].text, strlen(cases[i].text));
        dh_put_u8(&b, 0);
        if (!CHECK_INT(good, cases[i].bytes != NULL) || (good && !CHECK_STR((char *)b.p, cases[i].bytes)))
            printf("# %s\n", cases[i].text);
    }
    dh_buf_free(&b);
}

static void errors_say_where(void)
{
    struct dh_err e;
    char line[600];

    CHECK_INT(dh_fail(&e, DH_INCOMPLETE, "%s %d", "gone", 7), -1);
    dh_err_format(&e, line, sizeof line);
    CHECK_STR(line, "gone 7");
    e.tick = 0;
    dh_err_format(&e, line, sizeof line);
    CHECK_STR(line, "gone 7: tick 0");
    e.offset = 12;
    dh_err_format(&e, line, sizeof line);
    CHECK_STR(line, "gone 7: tick 0, byte 12");
    e.line = 3;
    e.tick = -1;
    dh_err_format(&e, line, sizeof line);
    CHECK_STR(line, "gone 7: line 3");
    CHECK_INT(dh_fail(NULL, 2, "x"), -1);
}

static void the_worse_status(void)
{
    static const int order[] = {DH_OK, DH_INCOMPLETE, DH_DIVERGED, DH_TROUBLE};

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            CHECK_INT(dh_worse(order[i], order[k]), order[i > k ? i : k]);
}

int main(void)
{
    T_RUN(what_is_put_is_got);
    T_RUN(a_cursor_stays_bad);
    T_RUN(lebs_are_canonical);
    T_RUN(a_buffer_without_memory_says_so);
    T_RUN(copies_of_every_length);
    T_RUN(escapes_are_those_of_vis);
    T_RUN(other_escapes_are_read);
    T_RUN(errors_say_where);
    T_RUN(the_worse_status);
    return t_done();
}
