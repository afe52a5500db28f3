/* SPDX-License-Identifier: ISC */
/*
 * What a client says, a line each:
 *
 *   join name=NAME [every=N]   to become a pawn
 *   input [TICK] KEY=VALUE...  the input of a tick, with the fields of the recording's own input records
 *   say text=TEXT              to everybody
 *   leave                      good-bye
 *
 * A line that is not understood is answered with an error and changes nothing.
 */
#include <string.h>

#include "../line.h"
#include "server.h"
#include "text.h"

static void complain(struct srv *s, struct srv_client *c, const char *why)
{
    srv_line(&s->text, "error");
    srv_add_text(&s->text, "text", why);
    srv_tell(s, c, &s->text);
}

/* ---- join -------------------------------------------------------------------------------------------------------- */

/* The bytes of the character at p, 0 where it is none of UTF-8: of the shortest form, no surrogate, up to 10ffff. */
static int utf8(const unsigned char *p)
{
    static const struct {
        unsigned char lo, hi, second_lo, second_hi;
        int n;
    } heads[] = {{0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
                 {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (p[0] < heads[i].lo || p[0] > heads[i].hi)
            continue;
        if (heads[i].n > 1 && (p[1] < heads[i].second_lo || p[1] > heads[i].second_hi))
            return 0;
        for (int k = 2; k < heads[i].n; k++)
            if ((p[k] & 0xc0) != 0x80) /* the terminator, too, ends it */
                return 0;
        return heads[i].n;
    }
    return 0;
}

/* Text that people read in a terminal. */
static bool is_text(const char *text)
{
    int n = 0;

    for (const unsigned char *p = (const unsigned char *)text; *p; p += n) {
        n = utf8(p);
        if (n == 0 || *p < ' ' || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0)) /* control characters, of both sets */
            return false;
    }
    return *text != '\0' && *text != ' ' && text[strlen(text) - 1] != ' ';
}

static void says_join(struct srv *s, struct srv_client *c, struct dh_line *l)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    char name[SRV_NAME];
    float every = 0.0f;

    int has_name = dh_line_string(l, "name", name, sizeof name, &e);
    if (has_name < 0 || dh_line_numbers(l, "every", &every, 1, 1, &e) < 0 || dh_line_done(l, &e) < 0)
        complain(s, c, e.msg);
    else if (c->wants)
        complain(s, c, "joined already");
    else if (!has_name || !is_text(name))
        complain(s, c, "join: expected name=NAME, in UTF-8, without control characters and without spaces at its ends");
    else if (!(every >= 0.0f && every <= 3600.0f))
        complain(s, c, "join: every: expected a number from 0 to 3600");
    else if (!s->game)
        complain(s, c, "there is no map");
    else {
        strcpy(c->name, name);
        c->every = (uint32_t)every;
        c->wants = true;
    }
}

/* ---- input ------------------------------------------------------------------------------------------------------- */

static bool has_tick(const char *p, const char *end)
{
    return p < end && *p >= '0' && *p <= '9';
}

/* The line as the text encoding has it, with a tick and the client's slot: then its parser does the rest. */
static int read_input(struct srv *s, const struct srv_client *c, const char *p, const char *end, uint32_t *tick,
                      struct nat_input *in, struct dh_err *e)
{
    struct dh_parser parser = {0};
    struct dh_record r;
    int kind, rc = -1;

    srv_line(&s->scratch, "input ");
    if (has_tick(p, end)) {
        const char *space = memchr(p, ' ', (size_t)(end - p));
        const char *after = space ? space : end;
        dh_put_bytes(&s->scratch, p, (size_t)(after - p));
        p = after;
    } else
        srv_add(&s->scratch, "0");
    srv_add(&s->scratch, " %u", c->slot);
    if (p < end) {
        srv_add(&s->scratch, *p == ' ' ? "" : " ");
        dh_put_bytes(&s->scratch, p, (size_t)(end - p));
    }
    dh_put_u8(&s->scratch, '\0');
    if (s->scratch.failed)
        dh_fail(e, DH_TROUBLE, "out of memory");
    else if (dh_parse_line(&parser, s->game->schemas, (const char *)s->scratch.p, s->scratch.n - 1, &kind, e) > 0 &&
             dh_decode(s->game->schemas, (uint8_t)kind, parser.payload.p, parser.payload.n, &r, e) == 0 &&
             r.kind == DH_INPUT) {
        nat_read_input(s->game->schemas, &r, in);
        *tick = r.tick;
        rc = 0;
    }
    dh_parser_free(&parser);
    return rc;
}

static void says_input(struct srv *s, struct srv_client *c, const char *p, const char *end)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    struct nat_input in;
    uint32_t tick;
    bool numbered = has_tick(p, end);

    if (!c->live) {
        complain(s, c, c->wants ? "not joined yet: wait for the welcome" : "not joined");
        return;
    }
    if (!srv_limit_take(&c->inputs, 1, s->time)) {
        c->queue.got[SRV_LIMITED]++;
        return;
    }
    dh_fail(&e, DH_TROUBLE, "not an input");
    if (read_input(s, c, p, end, &tick, &in, &e) < 0) {
        complain(s, c, e.msg);
        return;
    }
    if (!s->set.noclip)
        in.buttons &= ~(uint32_t)NAT_NOCLIP;
    if (numbered)
        srv_queue_put(&c->queue, tick, &in);
    else
        srv_queue_append(&c->queue, &in);
}

/* ---- say, leave -------------------------------------------------------------------------------------------------- */

static void says_say(struct srv *s, struct srv_client *c, struct dh_line *l)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    char text[512];

    int has_text = dh_line_string(l, "text", text, sizeof text, &e);
    if (has_text < 0 || dh_line_done(l, &e) < 0)
        complain(s, c, e.msg);
    else if (!has_text || !is_text(text))
        complain(s, c, "say: expected text=TEXT, in UTF-8, without control characters and without spaces at its ends");
    else if (!c->live)
        complain(s, c, "not joined");
    else if (!srv_limit_take(&c->says, 1, s->time))
        complain(s, c, "say: too often");
    else {
        srv_line(&s->text, "say %u %u", s->now, c->slot);
        srv_add_text(&s->text, "name", c->name);
        srv_add_text(&s->text, "text", text);
        srv_announce(s, &s->text);
    }
}

static void says_leave(struct srv *s, struct srv_client *c, struct dh_line *l)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};

    if (dh_line_done(l, &e) < 0)
        complain(s, c, e.msg);
    else
        srv_client_drop(s, c, "left");
}

static const struct {
    const char *word;
    void (*says)(struct srv *s, struct srv_client *c, struct dh_line *l);
} words[] = {{"join", says_join}, {"say", says_say}, {"leave", says_leave}};

/* The console has a say, too. */
static bool is_ours(const char *p, size_t n)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == n && memcmp(words[i].word, p, n) == 0)
            return true;
    return false;
}

/* All but inputs, which are read as records are. */
static void says_line(struct srv *s, struct srv_client *c, const char *p, size_t n)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    const char *space = memchr(p, ' ', n);
    struct dh_line l;

    size_t first = space ? (size_t)(space - p) : n;

    if (srv_is_verb(p, first) && !is_ours(p, first)) {
        complain(s, c, "that is for the server's console alone");
        return;
    }
    dh_buf_clear(&s->scratch);
    dh_put_bytes(&s->scratch, p, n);
    dh_put_u8(&s->scratch, '\n');
    struct dh_lines ls = dh_lines("said", s->scratch.p, s->scratch.n);
    ls.number = c->line ? c->line - 1 : 0;
    int got = s->scratch.failed ? 0 : dh_line_next(&ls, &l, &e);
    if (got < 0)
        complain(s, c, e.msg);
    if (got <= 0)
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (dh_line_is(&l, words[i].word)) {
            words[i].says(s, c, &l);
            return;
        }
    complain(s, c,
             srv_is_verb(l.kind.p, l.kind.n) ? "that is for the server's console alone"
                                             : "expected join, input, say or leave");
}

void srv_client_says(struct srv *s, struct srv_client *c, const char *p, size_t n)
{
    static const char input[] = "input";
    size_t k = sizeof input - 1;
    bool is_input = n >= k && memcmp(p, input, k) == 0 && (n == k || p[k] == ' ');

    if (!srv_limit_take(&c->lines, 1, s->time))
        c->queue.got[SRV_LIMITED] += is_input;
    else if (is_input)
        says_input(s, c, n == k ? p + n : p + k + 1, p + n);
    else
        says_line(s, c, p, n);
}
