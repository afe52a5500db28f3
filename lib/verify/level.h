/* SPDX-License-Identifier: ISC */
/* level.h - the levels that a run went through: from its events, and the last one from its last state. */
#ifndef VERIFY_LEVEL_H
#define VERIFY_LEVEL_H

#include "dh.h"

enum {
    LEVELS_MAX = 10000, /* more are counted, and not kept */
    LEVEL_RUN_ON = 175, /* tics of a next level that a recording may run on for: five seconds */
};

enum level_end {
    LEVEL_EXIT,
    LEVEL_SECRET, /* the secret exit */
    LEVEL_DIED,   /* and begun again; or the last one, and nobody is alive in it */
    LEVEL_STOP,   /* the inputs end in it */
};

struct level {
    char map[16];
    enum level_end end;
    uint32_t tick; /* of the event that ended it */
    int64_t tics;  /* the level's own time then */
    bool counted;  /* the numbers are known: not of a level that was begun again */
    int64_t kills, totalkills, items, totalitems, secrets, totalsecrets; /* of all players together */
};

struct levels {
    struct level *v; /* in order */
    size_t n, cap;
    uint64_t more;        /* beyond LEVELS_MAX */
    uint64_t exits, tics; /* levels that were left by an exit, and the time in them */
    uint64_t deaths;      /* of players */
    int64_t died;         /* time of the last death in the level under way, -1: none */
    char map[16];         /* the level under way; "": none */
    bool left;            /* the last one was left by an exit, and the next not yet lost */
    bool failed;          /* out of memory: some are missing */
};

/* A run begins on a map, of which no event tells. */
void levels_begin(struct levels *l, const char *map);
void levels_free(struct levels *l);

/* An event of the run. */
void levels_event(struct levels *l, const struct dh_record *event);

/* Where the run ended, from its last state. */
struct level_last {
    bool in_level; /* not in an intermission or behind it */
    bool alive;    /* a player is */
    bool exited;   /* in the very last tic: no event says so any more */
    bool secret;
    struct level level; /* but for its end */
};

/* The state r by the world's schemas s; false where it has not what it takes. */
bool levels_look(struct level_last *last, const struct dh_schemas *s, const struct dh_record *r);

enum level_verdict { RUN_FINISHED, RUN_DIED, RUN_UNFINISHED };

/* Take in the end of the run, and say what it comes to. */
enum level_verdict levels_end(struct levels *l, const struct level_last *last);

#endif
