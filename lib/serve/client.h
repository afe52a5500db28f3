/* SPDX-License-Identifier: ISC */
/*
 * client.h - who talks to the server: a connection, or in lockstep a name that the console speaks for.
 *
 * A client is a pawn from the boundary after its join to the one after its leave; in between it is live. What it is
 * sent waits in a buffer of its own, so that nobody ever waits for it.
 */
#ifndef SRV_CLIENT_H
#define SRV_CLIENT_H

#include "limit.h"
#include "queue.h"

enum {
    SRV_CLIENTS = 96,       /* NAT_SLOTS players and some who are coming or going */
    SRV_NAME = 33,          /* bytes of a name with the terminator */
    SRV_LINE = 1024,        /* bytes of a line with its newline */
    SRV_BACKLOG = 64 << 10, /* bytes that may wait for a client; one who does not take them is dropped */
};

struct srv_client {
    bool used;
    char label[SRV_NAME]; /* of one that the console speaks for; empty: a connection */
    int fd;               /* -1: none, or gone */

    bool wants; /* has said join */
    bool live;  /* has a pawn */
    bool gone;  /* the connection is closed; a pawn may still have to leave */
    char name[SRV_NAME], why[64];
    uint16_t slot;
    uint32_t wire;
    uint32_t every; /* ticks between the lines that tell it of a tick, 0: none */

    struct srv_queue queue;
    struct srv_limit lines, inputs, says, bytes;
    uint64_t since; /* when it came */
    unsigned long line;

    char in[SRV_LINE];
    size_t in_n;
    struct dh_buf out;
    size_t out_at; /* what is before was sent */
};

#endif
