/* SPDX-License-Identifier: ISC */
/* The button byte and the recognition of dialects; what the converters do with whole files is in 20-lmp.bats. */
#include "t.h"

#include <string.h>

#include "lmp/button.h"
#include "lmp/footer.h"
#include "lmp/lmp.h"

static void every_byte_comes_back(void)
{
    for (int byte = 0; byte < 256; byte++)
        CHECK_INT(lmp_buttons_join(lmp_buttons_split((uint8_t)byte)), byte);
}

/* The formula of the man page, written out anew: worlds rebuild the byte by it. */
static void the_formula_holds(void)
{
    for (int byte = 0; byte < 256; byte++) {
        struct lmp_buttons b = lmp_buttons_split((uint8_t)byte);
        int formula = b.spare;

        if (b.buttons & 4)
            formula |= 0x81;
        else if (b.save)
            formula |= 0x82 | (b.save - 1) << 2;
        else
            formula |= (b.buttons & 3) | (b.weapon ? 4 | (b.weapon - 1) << 3 : 0);
        CHECK_INT(formula, byte);
    }
}

static void is(uint8_t byte, int buttons, int weapon, int save, int spare)
{
    struct lmp_buttons b = lmp_buttons_split(byte);

    CHECK_INT(b.buttons, buttons);
    CHECK_INT(b.weapon, weapon);
    CHECK_INT(b.save, save);
    CHECK_INT(b.spare, spare);
}

/* Worked out by hand from the layout: bit 7 special; 1 pause, 2 save with its slot in bits 2-4; else 1 attack, 2 use,
 * 4 change with the weapon in bits 3-5. */
static void fields_are_the_engines(void)
{
    is(0x00, 0, 0, 0, 0);
    is(0x01, LMP_ATTACK, 0, 0, 0);
    is(0x02, LMP_USE, 0, 0, 0);
    is(0x03, LMP_ATTACK | LMP_USE, 0, 0, 0);
    is(0x04, 0, 1, 0, 0);          /* to weapon 0 */
    is(0x15, LMP_ATTACK, 3, 0, 0); /* to weapon 2, firing */
    is(0x3c, 0, 8, 0, 0);
    is(0x10, 0, 0, 0, 0x10); /* a weapon number without change */
    is(0x40, 0, 0, 0, 0x40);
    is(0x80, 0, 0, 0, 0x80); /* special, and nothing */
    is(0x83, 0, 0, 0, 0x83);
    is(0x81, LMP_PAUSE, 0, 0, 0);
    is(0x85, LMP_PAUSE, 0, 0, 0x04); /* a slot without save */
    is(0x82, 0, 0, 1, 0);
    is(0x96, 0, 0, 6, 0);
    is(0xfe, 0, 0, 8, 0x60);
}

/* Of all fields that could be written in a stream, 256 are a byte; the rest are refused, not bent. */
static void only_bytes_join(void)
{
    int good = 0;

    for (int buttons = 0; buttons < 16; buttons++)
        for (int weapon = 0; weapon < 12; weapon++)
            for (int save = 0; save < 12; save++)
                for (int spare = 0; spare < 256; spare++) {
                    struct lmp_buttons b = {(uint8_t)buttons, (uint8_t)weapon, (uint8_t)save, (uint8_t)spare};
                    good += lmp_buttons_join(b) >= 0;
                }
    CHECK_INT(good, 256);
    CHECK_INT(lmp_buttons_join((struct lmp_buttons){0, 255, 0, 0}), -1);
    CHECK_INT(lmp_buttons_join((struct lmp_buttons){0, 0, 255, 0}), -1);
    CHECK_INT(lmp_buttons_join((struct lmp_buttons){255, 0, 0, 0}), -1);
}

/* ---- recognition ------------------------------------------------------------------------------------------------- */

static struct dh_err e;

/* The dialect's id, or what is wrong. Zeros follow the bytes, so that every header is whole. */
static const char *dialect_of(const void *bytes, size_t n, const char *game, const char *dialect)
{
    static uint8_t p[512];
    const struct lmp_how how = {.game = game, .dialect = dialect};
    struct lmp_demo *d;

    memset(p, 0, sizeof p);
    memcpy(p, bytes, n);
    if (lmp_examine(&d, p, sizeof p, &how, &e) < 0)
        return e.msg;
    const char *id = d->dialect->id;
    lmp_demo_free(d);
    return id;
}

#define IS(id, bytes) CHECK_STR(dialect_of(bytes, sizeof(bytes) - 1, NULL, NULL), id)

static void recognises_by_content(void)
{
    IS("doom14", "\150\1\1\1\0\0\0\0\0\1");
    IS("doom19", "\155\1\1\1\0\0\0\0\0\1");
    IS("tasdoom", "\156\1\1\1\0\0\0\0\0\1");
    IS("longturns", "\157\1\1\1\0\0\0\0\0\1");
    IS("bfg", "\157\1\1\1\1\0\0\0\0\0\1");
    IS("unsupported dialect: Doom Legacy (first byte 144)", "\220");
    IS("not a demo: no known one begins with byte 77", "M\1\1\1");
    IS("not a demo: an ELF program", "\x7f"
                                     "ELF");
    /* LxDoom and MBF share the version */
    static const char mbf[] = "\313\x1dMBF\xe6\0\0\1\1\1", lxdoom[] = "\313\x1d"
                                                                      "Boom\xe6\1\1\1";
    uint8_t p[512] = {0};
    struct lmp_demo *d;
    memcpy(p, mbf, sizeof mbf);
    p[77] = 1;
    CHECK(lmp_examine(&d, p, sizeof p, NULL, &e) == 0);
    CHECK_STR(d->dialect->id, "mbf");
    CHECK_INT((int)d->body, 109);
    lmp_demo_free(d);
    memcpy(p, lxdoom, sizeof lxdoom);
    CHECK(lmp_examine(&d, p, sizeof p, NULL, &e) == 0);
    CHECK_STR(d->dialect->id, "lxdoom");
    CHECK_INT((int)d->body, 108);
    lmp_demo_free(d);
}

/* What the first byte leaves open is asked for. */
static void asked_for(void)
{
    static const char three[] = "\3\1\1\1\0\0\0\0\0\0\0\0\0";

    CHECK_STR(dialect_of(three, sizeof three, "heretic", NULL), "heretic");
    CHECK_STR(dialect_of(three, sizeof three, "hexen", NULL), "hexen");
    CHECK_STR(dialect_of(three, sizeof three, NULL, "hexen10"), "hexen10");
    CHECK_STR(dialect_of(three, sizeof three, "strife", NULL), "not a demo of strife: it is of Hexen 1.0");
    CHECK_STR(dialect_of("\155\1\1\1\0\0\0\0\0\1", 10, NULL, "bfg"), "not a demo of bfg: it is of Doom 1.9");
    CHECK(lmp_dialect_named("bfg") != NULL);
    CHECK(lmp_dialect_named("doom20") == NULL);
}

/* Ids are what --dialect takes and conversion names: no two alike, every readable row has one. */
static void the_table_is_sound(void)
{
    const struct lmp_dialect *d;

    for (int i = 0; (d = lmp_dialect_at(i)); i++) {
        CHECK(d->name != NULL);
        CHECK((d->id != NULL) == (d->use == LMP_READ || d->use == LMP_WRAPPER));
        CHECK((d->game != NULL) == (d->id != NULL));
        CHECK(!d->id || lmp_dialect_named(d->id) == d);
    }
}

/* ---- in memory --------------------------------------------------------------------------------------------------- */

static void walks(void)
{
    static const uint8_t p[] = {109, 2, 1,  7, 0,    5,    0, 0,    1, 1, 1, 0, 0, /* two players */
                                50,  0, 10, 1, 0xe8, 0xd8, 0, 0x16, 1, 2, 3, 0, 0x80, 'h', 'i'};
    struct lmp_demo *d;

    CHECK(lmp_examine(&d, p, sizeof p, NULL, &e) == 0);
    CHECK_INT(lmp_rule(d, "level", -1), 7);
    CHECK_INT(lmp_rule(d, "respawn", -1), 5);
    CHECK_INT(lmp_rule(d, "no such rule", -1), -1);
    CHECK_INT(d->ticks, 1);
    CHECK_INT((int)d->ninputs, 3);
    CHECK(d->marker);
    CHECK_INT(d->footer, LMP_FOOTER_TEXT);
    CHECK_STR(lmp_footer_text(d, "text"), "hi");
    struct lmp_walk w = lmp_walk(d);
    CHECK(lmp_next(&w) && w.tick == 0 && w.slot == 0 && w.v[LMP_FORWARD] == 50 && w.v[LMP_TURN] == 2560);
    CHECK(w.v[LMP_BUTTONS] == LMP_ATTACK);
    CHECK(lmp_next(&w) && w.tick == 0 && w.slot == 1 && w.v[LMP_SIDE] == -40 && w.v[LMP_WEAPON] == 3);
    CHECK(lmp_next(&w) && w.tick == 1 && w.slot == 0 && w.v[LMP_TURN] == 768);
    CHECK(!lmp_next(&w));
    lmp_demo_free(d);
}

/* A header that is cut anywhere is incomplete, never something else. */
static void cut_headers(void)
{
    static const uint8_t p[] = {255, 0x1d, 'D', 'S', 'D', 'A', 0xe6, 3, 0, 0, 0, 31, 0, 0, 0, 0,
                                0,   0,    109, 2,   1,   7,   0,    0, 0, 0, 0, 1,  0, 0, 0, 0x80};
    struct lmp_demo *d;

    for (size_t n = 8; n < 31; n++) {
        CHECK(lmp_examine(&d, p, n, NULL, &e) < 0);
        CHECK_INT(e.status, DH_INCOMPLETE);
    }
    CHECK(lmp_examine(&d, p, sizeof p, NULL, &e) == 0);
    CHECK_STR(d->wrapper->id, "dsda");
    CHECK(d->marker);
    CHECK_INT(lmp_rule(d, "dsda_keep", -1), 0);
    lmp_demo_free(d);
}

/* ---- footers ----------------------------------------------------------------------------------------------------- */

static void is_option(const struct lmp_options *o, const char *name, const char *text, int64_t number)
{
    const struct lmp_option *v = lmp_options_find(o, name);

    CHECK(v != NULL);
    if (v && text)
        CHECK_STR(v->type == DH_STR ? v->text : "(a number)", text);
    else if (v)
        CHECK_INT(v->type == DH_STR ? -99 : v->number, number);
}

static void command_lines(void)
{
    struct lmp_options o = {0};
    static const char line[] =
        "-iwad \"doom 2.wad\" -file \"a.wad\" b.wad \"-c.wad\" -deh x.deh -complevel -1 -solo-net "
        "-turbo 200 -spechit 29400216 -set overrun_spechit_emulate=1 -unknown 7 -nomonsters";

    lmp_cmdline_read(&o, line, sizeof line - 1);
    is_option(&o, "iwad", "doom 2.wad", 0);
    is_option(&o, "pwad0", "a.wad", 0);
    is_option(&o, "pwad1", "b.wad", 0);
    is_option(&o, "pwad2", "-c.wad", 0);
    is_option(&o, "deh0", "x.deh", 0);
    is_option(&o, "complevel", NULL, -1);
    is_option(&o, "solo_net", NULL, 1);
    is_option(&o, "turbo", NULL, 200);
    is_option(&o, "spechit", NULL, 29400216);
    is_option(&o, "overrun_spechit_emulate", NULL, 1);
    is_option(&o, "nomonsters", NULL, 1);
    CHECK_INT(o.n, 11);
    lmp_options_free(&o);
}

static void no_footer_is_trusted(void)
{
    /* a PWAD whose directory, lumps or number of lumps lie */
    static const uint8_t bad[][28] = {
        "PWAD\xff\xff\xff\xff\x0c\0\0\0",
        "PWAD\1\0\0\0\xff\xff\xff\x7f",
        "PWAD\1\0\0\0\x0c\0\0\0\xff\xff\xff\x7f\x7f\0\0\0PORTNAME",
        "PWAD\1\0\0\0\x0c\0\0\0\0\0\0\0\xff\xff\xff\xffPORTNAME",
    };
    struct lmp_options o = {0};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (size_t n = 0; n <= sizeof bad[i]; n++) {
            lmp_footer_read(bad[i], n, &o, NULL);
            CHECK(lmp_options_find(&o, "port") == NULL);
            lmp_options_free(&o);
        }
}

int main(void)
{
    T_RUN(every_byte_comes_back);
    T_RUN(the_formula_holds);
    T_RUN(fields_are_the_engines);
    T_RUN(only_bytes_join);
    T_RUN(recognises_by_content);
    T_RUN(asked_for);
    T_RUN(the_table_is_sound);
    T_RUN(walks);
    T_RUN(cut_headers);
    T_RUN(command_lines);
    T_RUN(no_footer_is_trusted);
    return t_done();
}
