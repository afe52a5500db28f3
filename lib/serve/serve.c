/* SPDX-License-Identifier: ISC */
/* The loop: everything that the server waits for, it waits for in one poll. */
#define _GNU_SOURCE /* ppoll: in POSIX since 2024 */
#include "serve.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server.h"

static const uint64_t second = 1000000000;
enum { TO_JOIN = 10 }; /* seconds that a connection may take to say join */

struct srv *srv_new(const struct srv_opts *o, struct dh_err *e)
{
    struct srv *s = calloc(1, sizeof *s);

    if (!s) {
        dh_fail(e, DH_TROUBLE, "out of memory");
        return NULL;
    }
    s->o = *o;
    s->set = (struct srv_settings){.checkpoint_ticks = 300, .hold_ticks = 15};
    s->random.state = o->seed;
    s->time = o->lockstep ? 0 : srv_time();
    s->listener = -1;
    s->console = (struct srv_console){.in = -1, .out = o->out, .patient = o->lockstep};
    for (int i = 0; i < SRV_CLIENTS; i++)
        s->clients[i].fd = -1;
    s->pallets = dh_pallets_new(o->pallets, o->pallet_path, e);
    if (!s->pallets) {
        free(s);
        return NULL;
    }
    return s;
}

bool srv_serves(const struct srv *s)
{
    return s->game != NULL;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

struct waits {
    struct pollfd fds[SRV_CLIENTS + 3];
    struct srv_client *who[SRV_CLIENTS + 3];
    nfds_t n, console, out, listener; /* indices; n where it is not there */
    uint64_t until;                   /* nanoseconds of s->time, UINT64_MAX: forever */
};

static nfds_t wait_for(struct waits *w, int fd, short events, struct srv_client *who)
{
    w->fds[w->n] = (struct pollfd){.fd = fd, .events = events};
    w->who[w->n] = who;
    return w->n++;
}

static void wait_until(struct waits *w, uint64_t when)
{
    if (when < w->until)
        w->until = when;
}

static void wait_for_client(struct srv *s, struct waits *w, struct srv_client *c)
{
    uint64_t full = srv_limit_wait(&c->bytes, s->time);
    short events = (short)((full ? 0 : POLLIN) | (c->out_at < c->out.n ? POLLOUT : 0));

    /* One that floods is not even asked whether it hung up, or it would wake us for nothing. */
    if (events)
        wait_for(w, c->fd, events, c);
    if (full && !s->o.lockstep)
        wait_until(w, s->time + full);
    if (!c->wants && !s->o.lockstep)
        wait_until(w, c->since + TO_JOIN * second);
}

static void collect(struct srv *s, struct waits *w, bool console)
{
    w->n = 0;
    w->until = UINT64_MAX;
    w->console = w->out = w->listener = SRV_CLIENTS + 3;
    if (console && s->console.in >= 0 && !s->console.ended)
        w->console = wait_for(w, s->console.in, POLLIN, NULL);
    if (s->console.out >= 0 && srv_console_waits(&s->console))
        w->out = wait_for(w, s->console.out, POLLOUT, NULL);
    if (s->listener >= 0)
        w->listener = wait_for(w, s->listener, POLLIN, NULL);
    for (int i = 0; i < SRV_CLIENTS; i++)
        if (s->clients[i].used && s->clients[i].fd >= 0)
            wait_for_client(s, w, &s->clients[i]);
    if (s->game && !s->o.lockstep)
        wait_until(w, srv_clock_due(&s->clock));
}

static int wait(struct srv *s, struct waits *w, bool at_all, struct dh_err *e)
{
    struct timespec t = {0, 0};
    uint64_t now = s->o.lockstep ? 0 : srv_time();

    if (at_all && w->until > now) {
        t.tv_sec = (time_t)((w->until - now) / second);
        t.tv_nsec = (long)((w->until - now) % second);
    }
    if (ppoll(w->fds, w->n, at_all && w->until == UINT64_MAX ? NULL : &t, s->o.waiting) < 0) {
        if (errno != EINTR)
            return dh_fail(e, DH_TROUBLE, "poll: %s", strerror(errno));
        for (nfds_t i = 0; i < w->n; i++)
            w->fds[i].revents = 0;
    }
    if (!s->o.lockstep)
        s->time = srv_time();
    return 0;
}

/* ---- serving ----------------------------------------------------------------------------------------------------- */

static void serve_clients(struct srv *s, struct waits *w)
{
    for (nfds_t i = 0; i < w->n; i++) {
        struct srv_client *c = w->who[i];
        int fd = w->fds[i].fd;
        /* An earlier one's line may have closed this one. */
        if (c && c->used && c->fd == fd && (w->fds[i].revents & POLLOUT))
            srv_client_send(c);
        if (c && c->used && c->fd == fd && (w->fds[i].revents & ~POLLOUT))
            srv_client_read(s, c);
    }
    for (int i = 0; i < SRV_CLIENTS && !s->o.lockstep; i++) {
        struct srv_client *c = &s->clients[i];
        if (c->used && !c->gone && !c->wants && s->time - c->since >= TO_JOIN * second)
            srv_client_drop(s, c, "no join");
    }
}

static void serve(struct srv *s, struct waits *w)
{
    if (w->out < w->n && w->fds[w->out].revents)
        srv_console_send(&s->console);
    serve_clients(s, w); /* before new ones take the places of those who go */
    if (w->listener < w->n && w->fds[w->listener].revents)
        srv_socket_accept(s);
}

int srv_attend(struct srv *s, struct dh_err *e)
{
    struct waits w;

    /* A second look: who was let in by the first may have spoken already. */
    for (int i = 0; i < 2; i++) {
        collect(s, &w, false);
        if (wait(s, &w, false, e) < 0)
            return -1;
        serve(s, &w);
        if (w.listener >= w.n || !w.fds[w.listener].revents)
            break;
    }
    return 0;
}

/* ---- the console ------------------------------------------------------------------------------------------------- */

/* The lines that are there. Without a clock the connections are looked at before each: what a client sent before the
 * console's line was written is in time for it. A line that fails ends a script; whoever sits at a server's console is
 * told. */
static int obey(struct srv *s, const char *name, struct dh_err *e)
{
    char line[SRV_CONSOLE_LINE];
    int got;

    while (!s->quit && (got = srv_console_line(&s->console, line, e)) != 0) {
        if (got > 0 && s->o.lockstep && srv_attend(s, e) < 0)
            return -1;
        if (got > 0 && srv_console_says(s, line, e) == 0)
            continue;
        e->line = s->console.line;
        if (s->o.lockstep || s->broken)
            return -1;
        s->o.warn(s->o.ctx, name, e);
        *e = (struct dh_err){.tick = -1, .offset = DH_NOWHERE};
    }
    return 0;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static int run_due(struct srv *s, struct dh_err *e)
{
    if (!s->game || s->o.lockstep)
        return 0;
    s->late += srv_clock_skip(&s->clock, s->time);
    if (srv_clock_due(&s->clock) > s->time)
        return 0;
    srv_clock_done(&s->clock);
    return srv_tick(s, e);
}

static int once(struct srv *s, const char *name, struct dh_err *e)
{
    struct waits w;

    collect(s, &w, true);
    if (wait(s, &w, true, e) < 0)
        return -1;
    serve(s, &w);
    if (w.console < w.n && w.fds[w.console].revents && srv_console_read(&s->console, e) < 0)
        return -1;
    if (obey(s, name, e) < 0)
        return -1;
    if (s->console.error) {
        errno = s->console.error;
        return dh_fail(e, DH_TROUBLE, "standard output: write failed: %s", strerror(errno));
    }
    return run_due(s, e);
}

int srv_run(struct srv *s, int console, const char *name, struct dh_err *e)
{
    s->console.in = console;
    s->console.line = 0;
    s->console.n = 0;
    s->console.ended = s->console.skipping = false;
    while (!s->quit && !*s->o.end) {
        if (s->console.ended)
            return SRV_CONSOLE;
        if (once(s, name, e) < 0)
            return -1;
    }
    return SRV_QUIT;
}

int srv_free(struct srv *s, struct dh_err *e)
{
    int rc = srv_record_end(s, DH_SHUTDOWN, e);

    for (int i = 0; i < SRV_CLIENTS; i++)
        if (s->clients[i].used && !s->clients[i].gone)
            srv_client_drop(s, &s->clients[i], "shutdown");
    srv_socket_close(s);
    for (int i = 0; i < SRV_CLIENTS; i++)
        if (s->clients[i].used)
            srv_client_free(&s->clients[i]);
    srv_console_finish(&s->console);
    if (s->game)
        srv_game_free(s->game);
    free(s->game);
    dh_pallets_free(s->pallets);
    for (int i = 0; i < s->events.cap; i++)
        dh_buf_free(&s->events.bufs[i]);
    free(s->events.bufs);
    dh_buf_free(&s->text);
    dh_buf_free(&s->block);
    dh_buf_free(&s->scratch);
    dh_buf_free(&s->console.waiting);
    free(s);
    return rc;
}
