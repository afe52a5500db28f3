/* SPDX-License-Identifier: ISC */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

/* What a client may send: twice what a player needs, so that a burst after a hiccup of the host is no offence. */
enum { LINES = 200, INPUTS = 2 * SRV_RATE, SAYS = 1, SAYS_BURST = 5, BYTES = 64 << 10 };

struct srv_client *srv_client_new(struct srv *s, int fd, const char *label)
{
    struct srv_client *c = NULL;

    for (int i = 0; i < SRV_CLIENTS && !c; i++)
        if (!s->clients[i].used)
            c = &s->clients[i];
    if (!c)
        return NULL;
    memset(c, 0, sizeof *c);
    c->used = true;
    c->fd = fd;
    c->since = s->time;
    strcpy(c->label, label);
    srv_limit_init(&c->lines, LINES, LINES, s->time);
    srv_limit_init(&c->inputs, INPUTS, INPUTS, s->time);
    srv_limit_init(&c->says, SAYS, SAYS_BURST, s->time);
    srv_limit_init(&c->bytes, BYTES, BYTES, s->time);
    return c;
}

void srv_client_free(struct srv_client *c)
{
    if (c->fd >= 0)
        close(c->fd);
    dh_buf_free(&c->out);
    memset(c, 0, sizeof *c);
    c->fd = -1;
}

struct srv_client *srv_client_labelled(struct srv *s, const char *label)
{
    for (int i = 0; i < SRV_CLIENTS; i++) {
        struct srv_client *c = &s->clients[i];
        if (c->used && !c->gone && strcmp(c->label, label) == 0)
            return c;
    }
    return NULL;
}

static bool is_slot(const char *text, uint16_t slot)
{
    char *end;

    return *text >= '0' && *text <= '9' && strtoul(text, &end, 10) == slot && *end == '\0';
}

struct srv_client *srv_client_find(struct srv *s, const char *text)
{
    struct srv_client *named = NULL;
    int n = 0;

    for (int i = 0; i < NAT_SLOTS; i++) {
        struct srv_client *c = s->slots[i];
        if (c && is_slot(text, c->slot))
            return c;
        if (c && strcmp(c->name, text) == 0) {
            named = c;
            n++;
        }
    }
    return n == 1 ? named : NULL;
}

void srv_client_drop(struct srv *s, struct srv_client *c, const char *why)
{
    struct dh_buf line = {0};

    if (c->gone)
        return;
    srv_line(&line, "bye");
    srv_add_text(&line, "reason", why);
    c->why[0] = '\0';
    strncat(c->why, why, sizeof c->why - 1);
    c->gone = true; /* first, since what cannot be sent drops a client too */
    srv_tell(s, c, &line);
    dh_buf_free(&line);
    if (c->fd >= 0) {
        close(c->fd);
        c->fd = -1;
    }
    if (!c->live)
        srv_client_free(c);
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

void srv_print(struct srv *s, const struct dh_buf *line)
{
    srv_console_print(&s->console, line);
}

static void tell_on_console(struct srv *s, const struct srv_client *c, const struct dh_buf *line)
{
    struct dh_buf b = {0};

    srv_line(&b, "client %s ", c->label);
    dh_put_bytes(&b, line->p, line->n);
    srv_print(s, &b);
    dh_buf_free(&b);
}

void srv_tell(struct srv *s, struct srv_client *c, const struct dh_buf *line)
{
    if (line->failed)
        return;
    if (c->label[0]) {
        tell_on_console(s, c, line);
        return;
    }
    if (c->fd < 0)
        return;
    if (c->out_at == c->out.n) {
        dh_buf_clear(&c->out);
        c->out_at = 0;
    } else if (c->out.n + line->n > SRV_BACKLOG) {
        /* It does not read. What it missed cannot be made up for. */
        dh_buf_clear(&c->out);
        c->out_at = 0;
        srv_client_drop(s, c, "too slow");
        return;
    }
    dh_put_bytes(&c->out, line->p, line->n);
    dh_put_u8(&c->out, '\n');
    srv_client_send(c);
}

void srv_tell_all(struct srv *s, const struct dh_buf *line)
{
    for (int i = 0; i < NAT_SLOTS; i++)
        if (s->slots[i] && !s->slots[i]->gone)
            srv_tell(s, s->slots[i], line);
}

void srv_announce(struct srv *s, const struct dh_buf *line)
{
    srv_tell_all(s, line);
    srv_print(s, line);
}
