/* SPDX-License-Identifier: ISC */
/*
 * recorder.h - a session on its way into a file.
 *
 * What is written in a tick's time goes out with one flush at its end, in whole chunks and with plain writes: whatever
 * ends the process, the file holds all ticks but the one under way. What the disk does not take any more (it is full)
 * ends the recording: then the file is cut back to the last flush that went out whole, and reads as far as that.
 *
 * Calls for a tick T in this order: leave, join, (open or checkpoint), input of each slot, events, flush. An error
 * stays until the flush that reports it; calls before that need no check.
 */
#ifndef SRV_RECORDER_H
#define SRV_RECORDER_H

#include "folder.h"
#include "game.h"

struct srv_recorder {
    struct dh_writer *w; /* NULL: nothing is being recorded */
    int fd;
    char path[SRV_PATH_MAX];
    bool opened; /* the opening checkpoint is written */
    bool failed;
    uint32_t start, interval;
    uint32_t newest; /* tick of the last checkpoint */
    uint64_t ticks, checkpoints;
    uint32_t unsaved; /* ticks since the last flush */
    uint64_t good;    /* bytes that went out, all of them whole chunks */
    struct dh_state state;
    struct dh_buf payload;
    struct dh_err err;
};

/* Begin with the next tick, now: the schemas, the header and the resources are written to fd, which belongs to the
 * recorder. 0, or -1 with e filled (then fd is closed, and the file cut to nothing). */
int srv_recorder_begin(struct srv_recorder *r, const struct srv_game *g, uint32_t now, uint32_t interval, int fd,
                       const char *path, struct dh_err *e);

/* The opening: first a join for every live player with its state as it stands, then the checkpoint. */
void srv_recorder_join(struct srv_recorder *r, uint32_t tick, uint16_t slot, uint32_t wire, const char *name,
                       const struct dh_buf *block);
void srv_recorder_open(struct srv_recorder *r, const struct srv_game *g, uint32_t tick);

void srv_recorder_leave(struct srv_recorder *r, uint32_t tick, uint16_t slot);
/* A checkpoint where tick is a multiple of the interval. */
void srv_recorder_checkpoint(struct srv_recorder *r, const struct srv_game *g, uint32_t tick);
void srv_recorder_input(struct srv_recorder *r, uint32_t tick, uint16_t slot, const struct nat_input *in);
void srv_recorder_events(struct srv_recorder *r, const struct dh_world_events *ev);
/* What was recorded so far goes out: 0, or -1 with e filled, and the recording is over. */
int srv_recorder_flush(struct srv_recorder *r, struct dh_err *e);

/* The first tick whose checkpoint is still to come. */
uint32_t srv_recorder_next(const struct srv_recorder *r, uint32_t now);

/* The end of an opened recording, with a last checkpoint where the tick does not have one: so all of it can be checked.
 * reason: enum dh_reason. 0, or -1 with e filled; either way the recording is over. */
int srv_recorder_end(struct srv_recorder *r, const struct srv_game *g, uint32_t tick, int reason, struct dh_err *e);

#endif
