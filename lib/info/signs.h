/* SPDX-License-Identifier: ISC */
/*
 * signs.h - signs of tool assistance in the inputs of the Doom family, counted.
 *
 * None proves anything: a port can be set up to give each of them to an honest player. What is counted:
 *
 *   turbo     inputs that run faster than a player can: forwards or backwards beyond 50, or sideways beyond 50. The
 *             engine itself says "is turbo!" of forward beyond 50 (TURBOTHRESHOLD in id's g_game.c), dsda-doom's
 *             analysis of both.
 *   strafe50  inputs that go sideways at 41 to 50 and turn. A strafe key gives 40; the rest comes from holding
 * strafe-on as well, which takes what would turn the player to move him (doomwiki.org/wiki/Straferunning, and
 *             doom2.net/doom2/sr50.html on its automation).
 *   onetic    turns of a single tic, none in the tic before or after, by more than a key turns in a tic at its fastest
 *             (1280, the second of id's angleturn): a hand on a mouse takes a few tics, a tool sets the angle.
 *
 * The speeds are those of Doom, Heretic and Strife; Hexen's depend on the class (fighter 60 and 59, cleric 50 and 40,
 * mage 45 and 37).
 */
#ifndef INFO_SIGNS_H
#define INFO_SIGNS_H

#include "info/info.h"

#define SIGNS_SLOTS 32 /* what other slots do is not looked at */

struct signs {
    uint64_t turbo, strafe50, onetic;
    struct sign_slot {
        uint8_t class; /* 1 + Hexen's, 0: another game */
        bool still;    /* the input before the last did not turn */
        int32_t last;  /* the last one's turn */
    } slots[SIGNS_SLOTS];
};

void signs_begin(struct signs *s);
/* Hexen: the class of a slot's player, 0 to 2. */
void signs_class(struct signs *s, unsigned slot, int64_t class);
/* Every input, by slot in the order of ticks. turn is in 1/65536 of a circle. */
void signs_input(struct signs *s, unsigned slot, int32_t forward, int32_t side, int32_t turn);
void signs_end(const struct signs *s, struct row *i);

#endif
