/* SPDX-License-Identifier: ISC */
#include "lmp/reading.h"

#include <stdlib.h>
#include <string.h>

#include "lmp/examine.h"
#include "lmp/footer.h"
#include "lmp/header.h"

void lmp_demo_free(struct lmp_demo *d)
{
    if (!d)
        return;
    struct lmp_options o = {d->options, d->noptions, 0, false};
    lmp_options_free(&o);
    free(d->fields);
    free(d->command);
    free(d);
}

static int64_t rule(const struct lmp_demo *d, const char *name)
{
    return lmp_rule(d, name, 0);
}

static int read_players(struct lmp_demo *d, struct dh_err *e)
{
    uint32_t first = 0;

    for (int i = 0; i < d->nfields; i++) {
        int slot = lmp_presence_slot(d->fields[i].name);
        if (slot == 0)
            first = d->fields[i].at;
        if (slot >= 0 && slot < LMP_MAX_PLAYERS && d->fields[i].number)
            d->present[d->nplayers++] = (uint8_t)slot;
    }
    if (d->nplayers > 0)
        return 0;
    dh_fail(e, DH_TROUBLE, "no players in the header of %s: all presence bytes are 0", d->dialect->name);
    if (e) {
        e->tick = -1;
        e->offset = first;
    }
    return -1;
}

static bool long_turns(const struct lmp_demo *d)
{
    switch (d->dialect->layout->turns) {
    case LMP_TURNS_LONG:
        return true;
    case LMP_TURNS_PLAYER0:
        return rule(d, "player0") & 0x10;
    case LMP_TURNS_ETERNITY:
        return (rule(d, "version") << 8 | rule(d, "subversion")) >= (333 << 8 | 50);
    default:
        return false;
    }
}

/* What follows the header for each player. */
static int read_joins(struct lmp_demo *d, struct dh_err *e)
{
    size_t fields = 0;

    for (const char *s = d->dialect->layout->join; s && (s = strchr(s, ':')); s++)
        fields++;
    d->join_size = 4 * fields;
    size_t size = d->join_size * (size_t)d->nplayers;
    if (d->n - d->body < size) {
        dh_fail(e, DH_INCOMPLETE, "truncated: %zu bytes, and the header of %s is not over: expected its players", d->n,
                d->dialect->name);
        if (e)
            e->offset = d->n;
        return -1;
    }
    d->joins = d->body;
    d->body += size;
    return 0;
}

static int read_header(struct lmp_demo *d, struct dh_err *e)
{
    const struct lmp_dialect *w = d->wrapper, *in = d->dialect;
    struct lmp_fields f = {0};
    size_t at = 0;
    int r = 0;

    if (w)
        r = lmp_header_read(&f, w->layout->header, w->name, d->p, d->n, &at, e);
    if (r == 0)
        r = lmp_header_read(&f, in->layout->header, in->name, d->p, d->n, &at, e);
    if (r == 0 && w)
        r = lmp_header_read(&f, w->layout->after, w->name, d->p, d->n, &at, e);
    d->fields = f.v;
    d->nfields = f.n;
    d->body = at;
    if (r < 0 || read_players(d, e) < 0)
        return -1;
    if (w && lmp_rule(d, "um_count", 1) != 1)
        return dh_fail(e, DH_TROUBLE, "%s with %d extensions: expected 1", w->name, (int)rule(d, "um_count"));
    d->long_turns = long_turns(d);
    d->command = calloc(1, sizeof *d->command);
    if (!d->command)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    lmp_command_init(d->command, in->layout, w ? w->layout : NULL, rule(d, "version") << 8 | rule(d, "subversion"),
                     d->long_turns);
    if (read_joins(d, e) < 0)
        return -1;
    if ((d->nhead = (size_t)lmp_rule(d, "keyframe", 0)) > 0) {
        d->head = d->body;
        if (d->nhead > d->n - d->body)
            d->nhead = d->n - d->body;
        d->body += d->nhead;
    }
    return 0;
}

uint64_t lmp_stated_end(const struct lmp_demo *d)
{
    const struct lmp_field *f = lmp_field(d, "dsda_end");

    /* Before the first command: never filled in. */
    return f && f->number >= d->body ? f->number : 0;
}

/* Go through the commands to the end. */
static int find_end(struct lmp_demo *d, bool whole, struct dh_err *e)
{
    uint64_t stated = lmp_stated_end(d);
    bool states = lmp_field(d, "dsda_end") != NULL;
    size_t at = d->body, size;
    uint64_t n = 0;

    for (;;) {
        if (states ? stated && at >= stated : at < d->n && d->p[at] == LMP_MARKER)
            break;
        size = lmp_command_size(d->command, d->p + at, d->n - at);
        if (size == 0)
            break;
        at += size;
        n++;
    }
    d->end = at;
    d->ninputs = n;
    d->ticks = n / (unsigned)d->nplayers < UINT32_MAX ? (uint32_t)(n / (unsigned)d->nplayers) : UINT32_MAX;
    d->marker = at < d->n && d->p[at] == LMP_MARKER && (!states || at == stated);
    if (!states || !stated || d->marker || stated >= d->n || !whole)
        return 0;
    dh_fail(e, DH_TROUBLE,
            at == stated ? "the header says that the end marker is at byte %llu: expected 0x80, found 0x%02x"
                         : "the header says that the end marker is at byte %llu, which is inside a command",
            (unsigned long long)stated, d->p[stated]);
    if (e) {
        e->tick = d->ticks;
        e->offset = stated;
    }
    return -1;
}

struct lmp_demo *lmp_read_as(const struct lmp_dialect *wrapper, const struct lmp_dialect *dialect, const uint8_t *p,
                             size_t n, bool whole, bool repair, struct dh_err *e)
{
    struct lmp_demo *d = calloc(1, sizeof *d);

    if (!d) {
        dh_fail(e, DH_TROUBLE, "out of memory");
        return NULL;
    }
    d->p = p;
    d->n = n;
    d->dialect = dialect;
    d->wrapper = wrapper;
    d->game = wrapper ? wrapper->game : dialect->game;
    if (read_header(d, e) == 0 && (find_end(d, whole, e) == 0 || repair))
        return d;
    lmp_demo_free(d);
    return NULL;
}

/* ---- looking things up ------------------------------------------------------------------------------------------- */

const struct lmp_field *lmp_field(const struct lmp_demo *d, const char *name)
{
    const struct lmp_fields f = {d->fields, d->nfields, 0};

    return lmp_fields_find(&f, name);
}

int64_t lmp_rule(const struct lmp_demo *d, const char *name, int64_t otherwise)
{
    const struct lmp_fields f = {d->fields, d->nfields, 0};

    return lmp_fields_number(&f, name, otherwise);
}

const struct lmp_option *lmp_option(const struct lmp_demo *d, const char *name)
{
    const struct lmp_options o = {d->options, d->noptions, 0, false};

    return lmp_options_find(&o, name);
}

const char *lmp_footer_text(const struct lmp_demo *d, const char *name)
{
    const struct lmp_option *o = lmp_option(d, name);

    return o ? o->text : NULL;
}

int64_t lmp_footer_number(const struct lmp_demo *d, const char *name, int64_t otherwise)
{
    const struct lmp_option *o = lmp_option(d, name);

    return o && o->type != DH_STR ? o->number : otherwise;
}

struct lmp_walk lmp_walk(const struct lmp_demo *d)
{
    return (struct lmp_walk){.d = d, .at = d->body};
}

bool lmp_next(struct lmp_walk *w)
{
    const struct lmp_demo *d = w->d;

    if (w->at >= d->end)
        return false;
    lmp_command_read(d->command, d->p + w->at, w->v);
    w->at += lmp_command_size(d->command, d->p + w->at, d->n - w->at);
    w->tick = w->next_tick;
    w->slot = d->present[w->next];
    if (++w->next == d->nplayers) {
        w->next = 0;
        w->next_tick++;
    }
    return true;
}
