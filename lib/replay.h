/* SPDX-License-Identifier: ISC */
/*
 * replay.h - a stream run through the world that it was recorded in.
 *
 * The stream's records are passed on, less an earlier replay's snapshots, events and logs; the world's own states and
 * events are put between them, in the order of dh-demo(5). Memory holds the records of one tick and one state.
 */
#ifndef DH_REPLAY_H
#define DH_REPLAY_H

#include "content.h"
#include "world.h"

struct dh_replay_opts {
    bool has_every, has_until, has_window;
    uint32_t
        every; /* ticks between states; 0: at recorded checkpoints and the end alone. Default: the header's interval */
    uint32_t until;              /* the first tick that is not run */
    uint32_t window, window_end; /* a full state at every tick of [window, window_end) */
    bool digest;                 /* states without their entities */
    bool checkpoint;             /* states are checkpoints, in place of the recorded ones */
    const char *log;             /* topics of the world's logs, a comma list; NULL: none */
    bool fresh;                  /* start from the map as it is loaded, whatever was recorded */
    uint32_t restart; /* every so many ticks the world is left and another started from its state; 0: never */
    const char *const *settings; /* for the world, written into the header (settings.h); content may still fill them */

    const struct dh_world_ops *(*world)(struct dh_str game);
    /* Load the files that the world is to be given into c. header and recorded: the stream's header and resource
     * records. 0, or -1 with e filled. */
    int (*content)(void *ctx, const struct dh_world_ops *ops, const struct dh_header *header,
                   const struct dh_keeps *recorded, struct dh_content *c, struct dh_err *e);
    void (*warn)(void *ctx, const char *text);
    void *ctx;
};

#define DH_REPLAY_WRITE_FAILED (-2)

/* Replay the stream that r stands at the beginning of, to its end. 0; -1 with e filled; DH_REPLAY_WRITE_FAILED with the
 * writer's error in e. Other than after 0 no end record was written. Of a stream that ended early (DH_INCOMPLETE) every
 * tick is run whose inputs are known to be all there, and a last state is written. */
int dh_replay(struct dh_reader *r, struct dh_writer *w, const struct dh_replay_opts *o, struct dh_err *e);

#endif
