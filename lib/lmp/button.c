/* SPDX-License-Identifier: ISC */
#include "lmp/button.h"

enum {
    CHANGE = 0x04,
    WEAPON_SHIFT = 3,
    SPECIAL = 0x80,
    SPECIAL_PAUSE = 1,
    SPECIAL_SAVE = 2,
    SLOT_SHIFT = 2,
    LOW = 0x03,   /* attack and use; in a special byte what it does */
    THREE = 0x07, /* a weapon number or a slot */
};

struct lmp_buttons lmp_buttons_split(uint8_t byte)
{
    struct lmp_buttons b = {0};
    uint8_t named;

    if (!(byte & SPECIAL)) {
        b.buttons = byte & LOW;
        named = LOW;
        /* A weapon number without the change bit is never looked at. */
        if (byte & CHANGE) {
            b.weapon = (uint8_t)(1 + (byte >> WEAPON_SHIFT & THREE));
            named |= CHANGE | THREE << WEAPON_SHIFT;
        }
    } else if ((byte & LOW) == SPECIAL_PAUSE) {
        b.buttons = LMP_PAUSE;
        named = SPECIAL | LOW;
    } else if ((byte & LOW) == SPECIAL_SAVE) {
        b.save = (uint8_t)(1 + (byte >> SLOT_SHIFT & THREE));
        named = SPECIAL | LOW | THREE << SLOT_SHIFT;
    } else {
        /* Special, but nothing that the engine knows: the bit alone silences the buttons. */
        named = 0;
    }
    b.spare = (uint8_t)(byte & ~named);
    return b;
}

int lmp_buttons_join(struct lmp_buttons b)
{
    unsigned byte = b.spare;

    if (b.buttons & LMP_PAUSE)
        byte |= SPECIAL | SPECIAL_PAUSE;
    else if (b.save)
        byte |= SPECIAL | SPECIAL_SAVE | (unsigned)(b.save - 1) << SLOT_SHIFT;
    else
        byte |= (b.buttons & LOW) | (b.weapon ? CHANGE | (unsigned)(b.weapon - 1) << WEAPON_SHIFT : 0u);
    if (byte > 0xff)
        return -1;

    /* The split is the judge of what goes together: anything else would come back as different fields. */
    struct lmp_buttons back = lmp_buttons_split((uint8_t)byte);
    if (back.buttons != b.buttons || back.weapon != b.weapon || back.save != b.save || back.spare != b.spare)
        return -1;
    return (int)byte;
}
