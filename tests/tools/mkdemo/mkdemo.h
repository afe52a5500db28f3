/* SPDX-License-Identifier: ISC */
/*
 * mkdemo: Doom demo files for tests, the same on every host.
 *
 * walker.c decides what a player's hands do; plant.c puts save buttons into a demo that is there; main.c has the
 * options and the file's header.
 */
#ifndef MKDEMO_H
#define MKDEMO_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LAST_VERSION = 109,
    LONG_TURNS = 111, /* a command of 5 bytes: the turn has two */
    HEADER = 13,      /* version, skill, episode, map, mode, respawn, fast, no monsters, viewpoint, 4 players */
    PRESENCE = 9,     /* the players' first byte in it */
    SLOTS = 4,
    END_MARKER = 0x80,
    COMMAND = 4 /* forward, side, turn, buttons */
};

void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* ---- walker.c ---- */

struct random {
    uint64_t state;
};

/* One pair of hands. Nothing of the map is known to them: they try what opens maps for people. */
struct walker {
    struct random random;
    int habit, left, age; /* which one, tics to go, tics done */
    int to_turn;          /* what is left of the turn that began the habit, in 256ths of a circle */
    int drift, side, weapon;
    bool fire;
};

void walker_start(struct walker *w, uint64_t seed, int player);
void walker_next(struct walker *w, uint8_t command[COMMAND]);

/* ---- plant.c ---- */

/* Standard input's demo with player 1's save button pressed at the tics, to standard output. Those that are planted go
 * to standard error, one a line. idle: each one is moved on to a tic with no button pressed. */
void plant(const long *at, int n, bool idle);

#endif
