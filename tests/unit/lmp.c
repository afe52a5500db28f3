/* SPDX-License-Identifier: ISC */
/* The button byte and the recognition of dialects; what the converters do with whole files is in 20-lmp.bats. */
#include "t.h"

#include "lmp/button.h"
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

static void recognises_by_content(void)
{
    static const uint8_t form[16] = "FORM\0\0\0\0ZDEM";
    static const uint8_t doom[1] = {109}, legacy[1] = {144}, unknown[1] = {77}, mbf[3] = {203, 0x1d, 'M'};

    CHECK_STR(lmp_recognise(form, 16)->name, "ZDoom");
    CHECK(lmp_recognise(form, 11) == NULL); /* shorter than its signature */
    CHECK(lmp_recognise(form, 0) == NULL);
    CHECK_STR(lmp_recognise(doom, 1)->name, "Doom 1.9");
    CHECK(lmp_recognise(doom, 1)->layout == lmp_layout_of(109));
    CHECK_STR(lmp_recognise(legacy, 1)->name, "Doom Legacy");
    CHECK_STR(lmp_recognise(mbf, 3)->name, "MBF");
    CHECK(lmp_recognise(unknown, 1) == NULL);
    CHECK(lmp_layout_of(110) == NULL);
    CHECK(lmp_layout_of(109 + 256) == NULL);
}

int main(void)
{
    T_RUN(every_byte_comes_back);
    T_RUN(the_formula_holds);
    T_RUN(fields_are_the_engines);
    T_RUN(only_bytes_join);
    T_RUN(recognises_by_content);
    return t_done();
}
