/* SPDX-License-Identifier: ISC */
/* Signs of tools, lengths, and what is printed of bytes that nobody should print; whole files are in 23-dhinfo.bats. */
#include "t.h"

#include "info/info.h"
#include "info/signs.h"

static void fast_is_beyond_what_a_player_can(void)
{
    struct signs s;

    signs_begin(&s);
    signs_input(&s, 0, 50, 50, 0);
    signs_input(&s, 0, -50, -50, 0);
    CHECK_INT(s.turbo, 0);
    signs_input(&s, 0, 51, 0, 0);
    signs_input(&s, 0, 0, -51, 0);
    signs_input(&s, 0, -127, 127, 99); /* one input, once, and no strafe-50 */
    CHECK_INT(s.turbo, 3);
    CHECK_INT(s.strafe50, 0);
    signs_input(&s, SIGNS_SLOTS, 127, 127, 0); /* not looked at */
    CHECK_INT(s.turbo, 3);
}

static void hexens_classes_differ(void)
{
    struct signs s;

    signs_begin(&s);
    for (unsigned class = 0; class < 3; class ++)
        signs_class(&s, class, class);
    signs_class(&s, 3, 7);
    for (unsigned slot = 0; slot < 4; slot++)
        signs_input(&s, slot, 50, 40, 256);
    CHECK_INT(s.turbo, 1); /* the mage */
    CHECK_INT(s.strafe50, 0);
    for (unsigned slot = 0; slot < 4; slot++)
        signs_input(&s, slot, 45, 45, 256);
    CHECK_INT(s.turbo, 1);
    CHECK_INT(s.strafe50, 3); /* all but the fighter */
}

static void strafe_50_does_not_turn(void)
{
    struct signs s;

    signs_begin(&s);
    signs_input(&s, 0, 50, 40, 256);
    signs_input(&s, 0, 50, 50, 0);
    CHECK_INT(s.strafe50, 0);
    signs_input(&s, 0, 0, 41, 1);
    signs_input(&s, 0, 50, -50, -1);
    CHECK_INT(s.strafe50, 2);
}

static uint64_t onetic(const int32_t *turns, int n)
{
    struct signs s;

    signs_begin(&s);
    for (int i = 0; i < n; i++) {
        signs_input(&s, 1, 0, 0, 32000); /* another player's do not count for this one's */
        signs_input(&s, 0, 0, 0, turns[i]);
    }
    CHECK_INT(s.slots[1].last, 32000);
    return s.onetic;
}

static void one_tic_turns_stand_alone(void)
{
    CHECK_INT(onetic((const int32_t[]){0, 1281, 0}, 3), 1);
    CHECK_INT(onetic((const int32_t[]){0, -32768, 0}, 3), 1);
    CHECK_INT(onetic((const int32_t[]){0, 1280, 0}, 3), 0); /* a key */
    CHECK_INT(onetic((const int32_t[]){0, 1281, 1, 0}, 4), 0);
    CHECK_INT(onetic((const int32_t[]){0, 1, 1281, 0}, 4), 0);
    CHECK_INT(onetic((const int32_t[]){2000, 0, 2000, 0, 0, 2000}, 6), 2); /* what follows the last is not known */
}

static void length_is(uint64_t tics, double rate, const char *want)
{
    struct row i = {.shape = &info_shape};

    info_length(&i, tics, rate);
    dh_put_u8(&i.v[INFO_TIME], '\0');
    CHECK_STR((const char *)i.v[INFO_TIME].p, want);
    row_free(&i);
}

static void lengths(void)
{
    length_is(0, 35, "0:00:00.00");
    length_is(1, 35, "0:00:00.02");
    length_is(34, 35, "0:00:00.97");
    length_is(35, 35, "0:00:01.00");
    length_is(35 * 3600 - 1, 35, "0:59:59.97");
    length_is(35 * 360000, 35, "100:00:00.00");
    length_is(29, 30, "0:00:00.96");
    length_is(UINT32_MAX, 35, "34087:02:31.28");
    length_is(100, 0, "");
    length_is(100, -1, "");
}

static void row(struct dh_buf *out, void (*print)(struct dh_buf *, const struct row *), const char *p, size_t n)
{
    struct row i = {.shape = &info_shape};

    row_text(&i, INFO_FILE, p, n);
    dh_buf_clear(out);
    print(out, &i);
    dh_put_u8(out, '\0');
    row_free(&i);
}

static void nothing_reaches_a_terminal(void)
{
    static const char raw[] = "a\tb\n\\\x1b[31m\xc3\xbc\xc2\x9b\xff\xc0\x80\xed\xa0\x80\x7f\"";
    struct dh_buf out = {0};

    row(&out, row_block, raw, sizeof raw - 1);
    CHECK_STR((const char *)out.p,
              "a\\011b\\012\\\\\\033[31m\xc3\xbc\\302\\233\\377\\300\\200\\355\\240\\200\\177\"\n");
    row(&out, row_tsv, raw, sizeof raw - 1);
    CHECK(strncmp((const char *)out.p, "a\\011b\\012\\\\\\033[31m", 20) == 0);
    row(&out, row_json, raw, sizeof raw - 1);
    CHECK(strncmp((const char *)out.p,
                  "{\"file\":\"a\\u0009b\\u000a\\\\\\u001b[31m\xc3\xbc\\u00c2\\u009b\\u00ff\\u00c0\\u0080\\u00ed\\u00a0"
                  "\\u0080\\u007f\\\"\",\"format\":null,",
                  100) == 0);
    row(&out, row_tsv, "\xf0\x9f\x98\x80\xe2\x82", 6); /* a character cut in the middle */
    CHECK(strncmp((const char *)out.p, "\xf0\x9f\x98\x80\\342\\202\t", 13) == 0);
    dh_buf_free(&out);
}

static void tables_have_a_cell_a_column(void)
{
    struct dh_buf out = {0};
    struct row i = {.shape = &info_shape};
    int tabs = 0;

    row_tsv_header(&out, &info_shape);
    for (size_t k = 0; k < out.n; k++)
        tabs += out.p[k] == '\t';
    CHECK_INT(tabs, INFO_COLUMNS - 1);
    dh_buf_clear(&out);
    row_item(&i, INFO_FLAGS, "fast");
    row_item(&i, INFO_FLAGS, "respawn");
    row_tsv(&out, &i);
    tabs = 0;
    for (size_t k = 0; k < out.n; k++)
        tabs += out.p[k] == '\t';
    CHECK_INT(tabs, INFO_COLUMNS - 1);
    dh_buf_clear(&out);
    row_json(&out, &i);
    dh_put_u8(&out, '\0');
    CHECK(strstr((const char *)out.p, ",\"flags\":[\"fast\",\"respawn\"],") != NULL);
    CHECK(strstr((const char *)out.p, ",\"notes\":[]}\n") != NULL);
    dh_buf_free(&out);
    row_free(&i);
}

int main(void)
{
    T_RUN(fast_is_beyond_what_a_player_can);
    T_RUN(hexens_classes_differ);
    T_RUN(strafe_50_does_not_turn);
    T_RUN(one_tic_turns_stand_alone);
    T_RUN(lengths);
    T_RUN(nothing_reaches_a_terminal);
    T_RUN(tables_have_a_cell_a_column);
    return t_done();
}
