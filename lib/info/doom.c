/* SPDX-License-Identifier: ISC */
/* A demo file of the Doom family as a row. */
#include "info/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info/facts.h"
#include "info/signs.h"
#include "lmp/button.h"

static bool number(const void *ctx, bool option, const char *name, int64_t *v)
{
    const struct lmp_demo *d = ctx;

    if (option) {
        const struct lmp_option *o = lmp_option(d, name);
        if (o && o->type != DH_STR)
            *v = o->number;
        return o && o->type != DH_STR;
    }
    const struct lmp_field *f = lmp_field(d, name);
    if (f && f->type != DH_STR && f->type != DH_BYTES)
        *v = f->number;
    return f && f->type != DH_STR && f->type != DH_BYTES;
}

static bool text(const void *ctx, bool option, const char *name, struct dh_str *s)
{
    const struct lmp_demo *d = ctx;

    if (option) {
        const struct lmp_option *o = lmp_option(d, name);
        if (o && o->type == DH_STR)
            *s = (struct dh_str){o->text, o->n};
        return o && o->type == DH_STR;
    }
    const struct lmp_field *f = lmp_field(d, name);
    if (f && f->type == DH_STR)
        *s = f->text;
    return f && f->type == DH_STR;
}

static void put_players(struct row *i, const struct lmp_demo *d)
{
    row_number(i, INFO_PLAYERS, d->nplayers);
    for (int k = 0; k < d->nplayers; k++)
        row_item(i, INFO_SLOTS, "%d", d->present[k]);
}

/* One walk over the inputs: signs, pauses and saves. */
static void put_inputs(struct row *i, const struct lmp_demo *d)
{
    struct lmp_walk w = lmp_walk(d);
    uint64_t pauses = 0, saves = 0;
    struct signs s;

    signs_begin(&s);
    for (int k = 0; strcmp(d->dialect->game, "hexen") == 0 && k < d->nplayers; k++) {
        char name[16];
        snprintf(name, sizeof name, "class%d", d->present[k]);
        signs_class(&s, d->present[k], lmp_rule(d, name, -1));
    }
    while (lmp_next(&w)) {
        signs_input(&s, w.slot, w.v[LMP_FORWARD], w.v[LMP_SIDE], w.v[LMP_TURN]);
        pauses += (w.v[LMP_BUTTONS] & LMP_PAUSE) != 0;
        saves += w.v[LMP_SAVE] != 0;
    }
    signs_end(&s, i);
    if (pauses)
        row_item(i, INFO_NOTES, "%" PRIu64 " pause(s)", pauses);
    if (saves)
        row_item(i, INFO_NOTES, "%" PRIu64 " save(s)", saves);
}

static void put_oddities(struct row *i, const struct lmp_demo *d)
{
    uint64_t whole = (uint64_t)d->ticks * (uint64_t)d->nplayers;

    if (d->also[0])
        row_item(i, INFO_NOTES, "%s", d->also);
    if (d->ninputs > whole)
        row_item(i, INFO_NOTES, "the last tic is not whole: inputs of %d of %d players", (int)(d->ninputs - whole),
                 d->nplayers);
    if (d->nhead)
        row_item(i, INFO_NOTES, "starts from a key frame of %zu bytes, not with the level", d->nhead);
    if (d->footer == LMP_FOOTER_BYTES)
        row_item(i, INFO_NOTES, "%zu bytes after the end marker that are no known footer", d->n - d->footer_at);
    if (d->dialect->id && strcmp(d->dialect->id, "tasdoom") == 0)
        row_item(i, INFO_NOTES, "recorded with a tool for building demos");
}

static void fill(struct row *i, const struct lmp_demo *d)
{
    const struct facts f = {d, number, text, d->dialect->game};

    row_string(i, INFO_FORMAT, "lmp");
    row_string(i, INFO_GAME, d->game);
    if (d->wrapper) {
        row_string(i, INFO_DIALECT, d->wrapper->id);
        dh_put_bytes(&i->v[INFO_DIALECT], "/", 1);
    }
    dh_put_bytes(&i->v[INFO_DIALECT], d->dialect->id, strlen(d->dialect->id));
    facts_doom(i, &f, (unsigned)d->nplayers);
    if (i->v[INFO_ENGINE].n == 0)
        row_string(i, INFO_ENGINE, d->wrapper ? d->wrapper->name : d->dialect->name);
    put_players(i, d);
    info_length(i, d->ticks, LMP_RATE);
    row_string(i, INFO_END, d->marker ? "whole" : "truncated");
    put_inputs(i, d);
    put_oddities(i, d);
}

int info_doom(const uint8_t *p, size_t n, struct row *i, const char *name, const struct info_how *how)
{
    const struct lmp_how lmp = {.game = how->game, .dialect = how->dialect};
    struct lmp_demo *d = NULL;
    struct dh_err e;

    if (lmp_examine(&d, p, n, &lmp, &e) < 0)
        return info_fail(name, how, &e);
    fill(i, d);
    int status = info_give(i, name, how);
    if (status >= 0 && !d->marker) {
        dh_fail(&e, DH_INCOMPLETE, "truncated: no end marker (0x80)");
        e.tick = d->ticks;
        e.offset = d->n;
        status = dh_worse(status, info_fail(name, how, &e));
    }
    lmp_demo_free(d);
    return status;
}
