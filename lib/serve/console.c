/* SPDX-License-Identifier: ISC */
#include "console.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "io.h"

enum { MOST_WAITING = 256 << 10, FINISH_MS = 1000 };

int srv_console_read(struct srv_console *c, struct dh_err *e)
{
    ssize_t n;

    do
        n = read(c->in, c->text + c->n, sizeof c->text - c->n);
    while (n < 0 && errno == EINTR);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return 0;
    if (n < 0)
        return dh_fail(e, DH_TROUBLE, "%s", strerror(errno));
    c->ended = n == 0;
    c->n += (size_t)n;
    return 0;
}

int srv_console_line(struct srv_console *c, char line[SRV_CONSOLE_LINE], struct dh_err *e)
{
    char *end = memchr(c->text, '\n', c->n);

    if (c->skipping && (end || c->n == sizeof c->text)) { /* the rest of a line that was too long */
        size_t rest = end ? (size_t)(end - c->text) + 1 : c->n;
        c->n -= rest;
        memmove(c->text, c->text + rest, c->n);
        c->skipping = !end;
        return c->skipping ? 0 : srv_console_line(c, line, e);
    }
    if (!end && c->n < sizeof c->text && !(c->ended && c->n > 0))
        return 0;
    c->line++;
    if (!end) {
        c->n = 0;
        c->skipping = !c->ended;
        return c->ended ? dh_fail(e, DH_INCOMPLETE, "the last line was cut short")
                        : dh_fail(e, DH_TROUBLE, "a line of more than %d bytes", SRV_CONSOLE_LINE - 1);
    }
    size_t n = (size_t)(end - c->text), after = n + 1;
    bool nul = memchr(c->text, '\0', n) != NULL;
    if (n > 0 && c->text[n - 1] == '\r')
        n--;
    memcpy(line, c->text, n);
    line[n] = '\0';
    c->n -= after;
    memmove(c->text, c->text + after, c->n);
    return nul ? dh_fail(e, DH_TROUBLE, "expected text, found a NUL byte") : 1;
}

bool srv_console_waits(const struct srv_console *c)
{
    return c->waiting.n > c->sent;
}

static void failed(struct srv_console *c)
{
    c->error = c->patient ? errno : 0; /* with a clock the players matter, not who watches */
    c->out = -1;
    dh_buf_clear(&c->waiting);
    c->sent = 0;
}

void srv_console_print(struct srv_console *c, const struct dh_buf *line)
{
    if (c->out < 0 || line->failed)
        return;
    if (!srv_console_waits(c)) {
        dh_buf_clear(&c->waiting);
        c->sent = 0;
    }
    if (c->waiting.n + line->n > MOST_WAITING)
        return;
    dh_put_bytes(&c->waiting, line->p, line->n);
    dh_put_u8(&c->waiting, '\n');
    if (c->patient) {
        if (dh_write_all(c->out, c->waiting.p, c->waiting.n) < 0)
            failed(c);
        else
            c->sent = c->waiting.n;
    }
}

void srv_console_send(struct srv_console *c)
{
    size_t n = c->waiting.n - c->sent;

    /* A pipe that poll(2) finds writable takes so many bytes without waiting. */
    ssize_t done = write(c->out, c->waiting.p + c->sent, n < PIPE_BUF ? n : PIPE_BUF);
    if (done >= 0)
        c->sent += (size_t)done;
    else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
        failed(c);
}

void srv_console_finish(struct srv_console *c)
{
    struct pollfd p = {.fd = c->out, .events = POLLOUT};

    while (c->out >= 0 && srv_console_waits(c) && poll(&p, 1, FINISH_MS) > 0)
        srv_console_send(c);
}
