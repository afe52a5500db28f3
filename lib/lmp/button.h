/* SPDX-License-Identifier: ISC */
/*
 * button.h - the button byte of a Doom command, taken apart into named fields and put together again.
 *
 * The byte has two readings, chosen by bit 7 (doomwiki.org/wiki/Demo):
 *
 *   bit 7 clear   bit 0 attack, bit 1 use, bit 2 change to the weapon in bits 3-5, bit 6 nothing
 *   bit 7 set     bits 0-1: 1 pause, 2 save to the slot in bits 2-4; the rest nothing, and no button counts
 *
 * The fields name what the engine acts on; spare holds the bits that it does not look at, in their places. All 256
 * bytes have fields of their own, and the byte is
 *
 *   spare | (pause ? 0x81 : save ? 0x82 | (save - 1) << 2 : attack | use << 1 | (weapon ? 4 | (weapon - 1) << 3 : 0))
 */
#ifndef LMP_BUTTON_H
#define LMP_BUTTON_H

#include <stdint.h>

/* As in the input schema that lmp2dh writes; %s: the names of the eight weapons, split by commas. */
#define LMP_BUTTON_SCHEMA                                               \
    "buttons:flags8(attack,use,pause) "                                 \
    "weapon:enum8(none,%s) "                                            \
    "save:enum8(none,slot0,slot1,slot2,slot3,slot4,slot5,slot6,slot7) " \
    "spare:hex8"

enum { LMP_ATTACK = 1, LMP_USE = 2, LMP_PAUSE = 4 };

struct lmp_buttons {
    uint8_t buttons; /* LMP_ATTACK | LMP_USE | LMP_PAUSE */
    uint8_t weapon;  /* 0: no change, else 1 + the byte's weapon number */
    uint8_t save;    /* 0: no, else 1 + the byte's slot */
    uint8_t spare;   /* bits without a meaning, where they are in the byte */
};

struct lmp_buttons lmp_buttons_split(uint8_t byte);

/* The byte, or -1 where no byte has these fields (pause with attack, a spare bit on top of a named one, ...). */
int lmp_buttons_join(struct lmp_buttons b);

#endif
