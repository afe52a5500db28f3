/* SPDX-License-Identifier: ISC */
/*
 * world.h - the one interface that a simulation implements.
 *
 * A world is pure: no clock, no stdio, no randomness of the host, no globals; two of them can live in one process. What
 * it reads is the header, the files that it was given, joins, leaves and inputs. Calls for one tick T come in this
 * order: leave, join, (snapshot), input of each slot, tick. snapshot() after tick(T) gives the boundary T+1.
 */
#ifndef DH_WORLD_H
#define DH_WORLD_H

#include "dh.h"

struct dh_world; /* each world defines its own */

/* A file that the run depends on, whole in memory, in load order. The caller owns the bytes and keeps them until close.
 */
struct dh_file {
    const char *role; /* iwad, pwad, deh, pallet */
    const char *name; /* base name, for messages and resource records */
    const uint8_t *bytes;
    size_t size;
};

struct dh_world_args {
    const struct dh_header *header;
    const struct dh_schemas *schemas; /* of the incoming stream: how to read rules, options, inputs, joins */
    const struct dh_file *files;
    int nfiles;
    const char *const *settings; /* "key=value" overrides from the command line, NULL-terminated; may be NULL */
};

/* Given by tick(): something worth an event record. Pairs are put by the world with dh_build_event*. */
struct dh_world_events {
    struct dh_buf *bufs; /* each one the payload of an event record */
    int n, cap;
};

struct dh_world_ops {
    const char *game; /* header game= */
    double rate;

    /* Add the schemas of the state line and of the entity types (only those) to s, in a fixed order: the first type's
     * number in s is what snapshot() adds to its own numbering from 0. */
    int (*schemas)(struct dh_schemas *s, struct dh_err *e);

    /* 0, or -1 with e filled. *map is set to the name of the map that the world starts on (owned by the world). */
    int (*open)(struct dh_world **w, const struct dh_world_args *args, const char **map, struct dh_err *e);

    int (*join)(struct dh_world *w, const struct dh_record *r, struct dh_err *e);
    int (*leave)(struct dh_world *w, const struct dh_record *r, struct dh_err *e);
    int (*input)(struct dh_world *w, const struct dh_record *r, struct dh_err *e);

    /* Simulate one tick with the inputs given since the last. Events are appended to ev with tick as their tick + 1
     * (the boundary at which they can be seen). 0; 1: the world has come to its end (nothing moves any more); -1:
     * error. */
    int (*tick)(struct dh_world *w, uint32_t tick, struct dh_world_events *ev, struct dh_err *e);

    /* The whole state, into st (dh_state_begin was called). first_type: what to add to the world's own entity type
     * numbers. */
    int (*snapshot)(struct dh_world *w, uint32_t tick, int first_type, struct dh_state *st, struct dh_err *e);

    /* Take over a full recorded state. -1 with DH_TROUBLE where the world cannot. */
    int (*restore)(struct dh_world *w, const struct dh_record *r, struct dh_err *e);

    /* Final events, one a player, at the end of a run. */
    void (*final)(struct dh_world *w, uint32_t tick, struct dh_world_events *ev);

    /* Lines for people; both NULL in a world that has none. log_topics chooses of what, a comma list; -1 with e filled:
     * there is no such topic, and e says which there are. log appends what the last tick noted, each one the payload of
     * a log record (dh_build_log) with the boundary as its tick; it is called once before the first tick, too. It
     * changes nothing that a tick reads. */
    int (*log_topics)(struct dh_world *w, const char *topics, struct dh_err *e);
    void (*log)(struct dh_world *w, uint32_t tick, struct dh_world_events *log);

    /* What it follows where there is a choice, for people: of Doom the executable, by the name that the setting
     * game-version has for it. NULL in a world that has none. */
    const char *(*follows)(const struct dh_world *w);

    void (*close)(struct dh_world *w);
};

/* The world of a game by its name; NULL if there is none. */
const struct dh_world_ops *dh_world_find(struct dh_str game);

/* A new event in the list: begin it with dh_build_event. NULL when out of memory. */
struct dh_buf *dh_world_event(struct dh_world_events *ev);

#endif
