/* SPDX-License-Identifier: ISC */
/*
 * server.h - a running server, and what its parts offer each other.
 *
 *   serve.c      the loop: one poll for the console, the socket and the clock
 *   tick.c       the order of a tick: who leaves, who joins, the checkpoint, the inputs, the world
 *   session.c    maps that are loaded, recordings that begin and end
 *   verbs.c      what the console says
 *   protocol.c   what clients say
 *   client.c     who they are, and what they are told
 *   socket.c     how it gets here and there
 *   recorder.c folder.c game.c queue.c limit.c clock.c random.c console.c words.c   each by itself
 */
#ifndef SRV_SERVER_H
#define SRV_SERVER_H

#include "client.h"
#include "clock.h"
#include "console.h"
#include "game.h"
#include "random.h"
#include "recorder.h"
#include "serve.h"
#include "words.h"

struct srv_settings {
    uint32_t checkpoint_ticks, hold_ticks, noclip;
};

struct srv {
    struct srv_opts o;
    struct srv_settings set;
    struct dh_pallets *pallets;
    struct srv_game *game; /* NULL: no map is loaded */
    uint32_t now;          /* the boundary that the world stands at: the next tick to run */
    uint64_t time;         /* nanoseconds: of the clock; in lockstep those that the ticks would take */
    uint64_t late;         /* ticks' time that was lost because the machine did not keep up */
    uint32_t wires;        /* wire ids given so far */
    struct srv_clock clock;
    struct srv_random random;
    struct srv_console console;
    struct srv_client clients[SRV_CLIENTS];
    struct srv_client *slots[NAT_SLOTS]; /* those that are live */
    int listener;                        /* -1: none */
    uint64_t socket_ino, socket_dev;     /* of its file, to remove no other */
    struct srv_recorder rec;
    bool armed; /* the next map is to be recorded, as: */
    char armed_name[SRV_PATH_MAX];
    struct dh_world_events events;
    struct dh_buf text, block, scratch;
    bool quit;
    bool broken; /* an error that the server does not outlive */
};

/* ---- client.c ---------------------------------------------------------------------------------------------------- */

/* A new one; NULL where there is no room. */
struct srv_client *srv_client_new(struct srv *s, int fd, const char *label);
/* The one that the console speaks for under a label; NULL where there is none yet. */
struct srv_client *srv_client_labelled(struct srv *s, const char *label);
/* The live one of a slot or name, as the console says it; NULL where there is none, or several have the name. */
struct srv_client *srv_client_find(struct srv *s, const char *text);
/* Say good-bye with a reason and close the connection; the pawn leaves at the next boundary. One that has none is
 * freed. */
void srv_client_drop(struct srv *s, struct srv_client *c, const char *why);
void srv_client_free(struct srv_client *c);

/* Send a line to one (on the console for one that it speaks for), to all that are live, to them and the console. Who
 * does not take what it is sent is dropped. */
void srv_tell(struct srv *s, struct srv_client *c, const struct dh_buf *line);
void srv_tell_all(struct srv *s, const struct dh_buf *line);
void srv_announce(struct srv *s, const struct dh_buf *line);
void srv_print(struct srv *s, const struct dh_buf *line); /* the console alone */

/* ---- protocol.c -------------------------------------------------------------------------------------------------- */

/* A client's line, n bytes without its end, p[n] readable. */
void srv_client_says(struct srv *s, struct srv_client *c, const char *p, size_t n);

/* ---- socket.c ---------------------------------------------------------------------------------------------------- */

int srv_socket_open(struct srv *s, struct dh_err *e);
void srv_socket_close(struct srv *s);
void srv_socket_accept(struct srv *s);
void srv_client_read(struct srv *s, struct srv_client *c);
void srv_client_send(struct srv_client *c);

/* ---- tick.c ------------------------------------------------------------------------------------------------------ */

int srv_tick(struct srv *s, struct dh_err *e);

/* ---- session.c --------------------------------------------------------------------------------------------------- */

int srv_map(struct srv *s, const char *name, struct dh_err *e);
int srv_record(struct srv *s, const char *name, struct dh_err *e);
/* The joins and the checkpoint that a recording opens with. */
void srv_record_open(struct srv *s);
/* End it, if there is one. 0, or -1 with e filled. */
int srv_record_end(struct srv *s, int reason, struct dh_err *e);
/* It was given up: say so, and go on. */
void srv_record_lost(struct srv *s, const struct dh_err *e);

/* ---- verbs.c ----------------------------------------------------------------------------------------------------- */

/* A line of the console. */
int srv_console_says(struct srv *s, char *line, struct dh_err *e);
/* Whether this is a verb of the console. */
bool srv_is_verb(const char *word, size_t n);

/* ---- serve.c ----------------------------------------------------------------------------------------------------- */

/* Serve the connections, as far as they have something, without waiting. */
int srv_attend(struct srv *s, struct dh_err *e);

#endif
