/* SPDX-License-Identifier: ISC */
/*
 * walkers: players that follow a plan, in a server that runs in lockstep.
 *
 *   walkers PLAN COMMAND [ARGUMENT...]     COMMAND is dhserve --lockstep ...
 *
 * Starts the server, speaks to it as its console and for its players, and copies what it says to standard output. Its
 * status is the server's. The walkers see what a client is told, their own position after each tick, and steer by that;
 * so the same plan gives the same session.
 *
 * A plan is lines; # begins a comment:
 *
 *   ticks N           the session's length
 *   at N LINE         a line of the console, before tick N; of one tick in their order
 *   player NAME [N]   joins at tick N (0); the lines that follow are what it does:
 *     go X,Z [near=D] [ticks=N] [WORD...]   walk there: to D metres (0.4), or for N ticks (300)
 *     face DEGREES [PITCH]                  look there: 0 is north (-Z), 90 west
 *     hold N [WORD...]                      N ticks on the spot
 *     silent N                              N ticks without a word
 *     leave                                 for good
 *     again                                 from the beginning
 *   WORD is sprint, crouch, jump, use, noclip, back, left, right, up, down
 */
#ifndef WALKERS_H
#define WALKERS_H

#include <stdbool.h>
#include <stdint.h>

enum step_kind { GO, FACE, HOLD, SILENT, LEAVE, AGAIN };

struct step {
    enum step_kind kind;
    double x, z, near; /* face: x the yaw, z the pitch, both in degrees */
    long ticks;
    unsigned buttons;
    double move[3]; /* of hold, and the sideways part of go */
};

struct player {
    char name[32];
    long joins;
    struct step *steps;
    int nsteps;
    /* as it goes on */
    bool in, welcome, done;
    int at;
    long spent; /* ticks at this step */
    double yaw, pitch, x, z;
};

struct order {
    long tick;
    char *line;
};

struct plan {
    long ticks;
    struct player *players;
    int nplayers;
    struct order *orders;
    int norders;
};

/* Exits with a message where it is wrong. */
void plan_read(struct plan *p, const char *path);

/* The walker's input line for a tick, without LABEL; false: it says nothing at this tick. */
bool walk(struct player *p, long tick, char *line, unsigned long size);

_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
