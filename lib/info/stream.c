/* SPDX-License-Identifier: ISC */
/* Record streams as rows. */
#include "info/parts.h"

#include <inttypes.h>
#include <string.h>

#include "dem/dem.h"
#include "info/facts.h"
#include "info/signs.h"
#include "keep.h"
#include "lmp/button.h"

enum { SLOTS = 65536 };

struct job {
    struct dh_reader *r;
    struct row *i;
    struct dh_kept header;
    bool headed;
    uint8_t joined[SLOTS / 8]; /* bit a slot: joined at any time */
    uint32_t live;             /* players at the moment */
    uint32_t tick, inputs;     /* the last input's tick, and how many that has */
    bool moved;                /* there was an input */
    bool ended;
    uint32_t end;
    uint64_t states, replayed, exits;
    int forward, side, turn, buttons, save; /* fields of an input, -1: it has none */
    uint64_t pauses, saves;
    struct signs signs;
};

static bool number(const void *ctx, bool option, const char *name, int64_t *v)
{
    const struct job *j = ctx;
    const struct dh_header *h = &j->header.rec.u.header;
    const struct dh_schemas *all = dh_reader_schemas(j->r);
    const struct dh_schema *s = option ? all->option : all->rule;
    int k = dh_schema_find(s, name);

    if (k < 0 || s->fields[k].type == DH_STR || s->fields[k].type == DH_BYTES)
        return false;
    *v = option ? dh_block_int(s, h->options, h->options_n, k) : dh_block_int(s, h->rules, h->rules_n, k);
    return true;
}

static bool text(const void *ctx, bool option, const char *name, struct dh_str *out)
{
    const struct job *j = ctx;
    const struct dh_header *h = &j->header.rec.u.header;
    const struct dh_schemas *all = dh_reader_schemas(j->r);
    const struct dh_schema *s = option ? all->option : all->rule;
    int k = dh_schema_find(s, name);
    size_t n;

    if (k < 0 || s->fields[k].type != DH_STR)
        return false;
    const uint8_t *p =
        option ? dh_block_field(s, h->options, h->options_n, k, &n) : dh_block_field(s, h->rules, h->rules_n, k, &n);
    struct dh_cur c = dh_cur(p, n);
    *out = dh_get_str(&c);
    return true;
}

/* ---- the records ------------------------------------------------------------------------------------------------- */

static int header(struct job *j, const struct dh_record *r)
{
    const struct dh_schemas *all = dh_reader_schemas(j->r);
    int64_t v;

    if (dh_keep(&j->header, r) < 0)
        return -1;
    j->headed = true;
    j->tick = r->u.header.start;
    j->forward = dh_schema_find(all->input, "forward");
    j->side = dh_schema_find(all->input, "side");
    j->turn = dh_schema_find(all->input, "turn");
    j->buttons = dh_schema_find(all->input, "buttons");
    j->save = dh_schema_find(all->input, "save");
    signs_begin(&j->signs);
    for (unsigned slot = 0; slot < 8; slot++) {
        char name[] = "class0";
        name[5] = (char)('0' + slot);
        if (number(j, false, name, &v))
            signs_class(&j->signs, slot, v);
    }
    return 0;
}

/* Whether inputs are those of the Doom family. */
static bool doom_like(const struct job *j)
{
    return j->forward >= 0 && j->side >= 0 && j->turn >= 0;
}

static void input(struct job *j, const struct dh_record *r)
{
    const struct dh_schema *s = dh_reader_schemas(j->r)->input;

    j->inputs = j->moved && r->tick == j->tick ? j->inputs + 1 : 1;
    j->moved = true;
    j->tick = r->tick;
    if (!doom_like(j))
        return;
    signs_input(&j->signs, r->slot, (int32_t)dh_block_int(s, r->block, r->block_n, j->forward),
                (int32_t)dh_block_int(s, r->block, r->block_n, j->side),
                (int32_t)dh_block_int(s, r->block, r->block_n, j->turn));
    j->pauses += (dh_block_int(s, r->block, r->block_n, j->buttons) & LMP_PAUSE) != 0;
    j->saves += dh_block_int(s, r->block, r->block_n, j->save) != 0;
}

static void resource(struct job *j, const struct dh_record *r)
{
    struct dh_str role = r->u.resource.role, name = r->u.resource.name;

    if (role.n == 4 && memcmp(role.p, "iwad", 4) == 0)
        row_text(j->i, INFO_IWAD, name.p, name.n);
    else
        row_item(j->i, INFO_FILES, "%.*s", (int)(name.n < 1000 ? name.n : 1000), name.p);
}

static int record(struct job *j, const struct dh_record *r)
{
    switch (r->kind) {
    case DH_HEADER:
        return header(j, r);
    case DH_JOIN:
        j->joined[r->slot / 8] |= (uint8_t)(1 << r->slot % 8);
        j->live++;
        break;
    case DH_LEAVE:
        j->live -= j->live > 0;
        break;
    case DH_INPUT:
        input(j, r);
        break;
    case DH_CHECKPOINT:
        j->states++;
        break;
    case DH_SNAPSHOT:
        j->replayed++;
        break;
    case DH_RESOURCE:
        resource(j, r);
        break;
    case DH_END:
        j->ended = true;
        j->end = r->tick;
        break;
    }
    return 0;
}

/* ---- the row ----------------------------------------------------------------------------------------------------- */

static void put_str(struct row *i, enum info_column c, struct dh_str s)
{
    if (s.n)
        row_text(i, c, s.p, s.n);
}

static void put_players(struct job *j)
{
    int n = 0;

    for (int slot = 0; slot < SLOTS; slot++)
        if (j->joined[slot / 8] >> slot % 8 & 1) {
            row_item(j->i, INFO_SLOTS, "%d", slot);
            n++;
        }
    row_number(j->i, INFO_PLAYERS, n);
}

/* The first tick that was not run; where nothing says so, the first that has not the inputs of all players. */
static uint32_t end_tick(const struct job *j)
{
    if (j->ended)
        return j->end;
    return j->moved && j->inputs >= j->live ? j->tick + 1 : j->tick;
}

static void fill(struct job *j, const char *how_it_ended)
{
    const struct dh_header *h = &j->header.rec.u.header;
    struct row *i = j->i;
    char game[32] = "";
    struct facts f = {j, number, text, game};

    memcpy(game, h->game.p, h->game.n < sizeof game ? h->game.n : sizeof game - 1);
    row_string(i, INFO_FORMAT, "dh");
    put_str(i, INFO_GAME, h->game);
    row_string(i, INFO_DIALECT, dh_reader_is_text(j->r) ? "text" : "binary");
    put_str(i, INFO_ENGINE, h->engine);
    put_str(i, INFO_MAP, h->map);
    put_players(j);
    if (strcmp(game, DEM_GAME) == 0)
        facts_blood(i, &f);
    else if (doom_like(j))
        facts_doom(i, &f, j->live);
    uint32_t end = end_tick(j);
    info_length(i, end > h->start ? end - h->start : 0, h->rate);
    row_number(i, INFO_STATES, (int64_t)j->states);
    row_number(i, INFO_REPLAYED, (int64_t)j->replayed);
    row_string(i, INFO_END, how_it_ended);
    if (doom_like(j) && strcmp(game, DEM_GAME) != 0)
        signs_end(&j->signs, i);
    if (j->pauses)
        row_item(i, INFO_NOTES, "%" PRIu64 " pause(s)", j->pauses);
    if (j->saves)
        row_item(i, INFO_NOTES, "%" PRIu64 " save(s)", j->saves);
    if (h->start)
        row_item(i, INFO_NOTES, "starts at tick %" PRIu32 "%s", h->start, h->fresh ? "" : ", from a checkpoint");
    if (j->ended && j->moved && j->tick >= j->end)
        row_item(i, INFO_NOTES, "inputs at or after the end, which nobody runs");
}

/* One stream: the worst status, or what give gave. */
static int stream(struct job *j, const char *name, const struct info_how *how)
{
    const struct dh_record *r;
    struct dh_err e;
    int got, status = DH_OK;

    while ((got = dh_read(j->r, &r)) > 0)
        if (record(j, r) < 0) {
            dh_fail(&e, DH_TROUBLE, "out of memory");
            return info_fail(name, how, &e);
        }
    if (got < 0)
        e = *dh_reader_error(j->r);
    if (j->headed) {
        fill(j, got == 0 ? "whole" : e.status == DH_INCOMPLETE ? "truncated" : "corrupt");
        status = info_give(j->i, name, how);
    }
    return got < 0 && status >= 0 ? dh_worse(status, info_fail(name, how, &e)) : status;
}

int info_stream(int fd, struct row *i, const char *name, const struct info_how *how)
{
    struct dh_reader *r = dh_reader_new(fd);
    struct dh_kept kept = {0};
    struct dh_err e;
    int got = -1, status = DH_OK;

    if (!r) {
        dh_fail(&e, DH_TROUBLE, "out of memory");
        return info_fail(name, how, &e);
    }
    for (int n = 1; status >= 0 && (got = dh_reader_stream(r)) > 0; n++) {
        struct job j = {.r = r, .i = i, .header = kept};
        if (n > 1)
            row_clear(i);
        row_string(i, INFO_FILE, name);
        if (n > 1)
            row_item(i, INFO_NOTES, "stream %d of the input", n);
        int rc = stream(&j, name, how);
        status = rc < 0 ? rc : dh_worse(status, rc);
        kept = j.header;
    }
    if (status >= 0 && got < 0)
        status = dh_worse(status, info_fail(name, how, dh_reader_error(r)));
    dh_kept_free(&kept);
    dh_reader_free(r);
    return status;
}
