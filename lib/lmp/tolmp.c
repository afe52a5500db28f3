/* SPDX-License-Identifier: ISC */
/* A record stream written as a demo file: the inverse of todh.c. */
#include "lmp/lmp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lmp/button.h"

enum { FLUSH_AT = 1 << 16, MAX_PLAYERS = 8 };

/* The fields of an input, in the order of the columns of struct job. */
enum column { FORWARD, SIDE, TURN, BUTTONS, WEAPON, SAVE, SPARE, COLUMNS };
static const char *const columns[COLUMNS] = {"forward", "side", "turn", "buttons", "weapon", "save", "spare"};

struct job {
    struct dh_reader *r;
    int fd;
    bool unbuffered;
    const struct lmp_layout *layout; /* NULL: no header yet */
    int column[COLUMNS];             /* field index in the stream's input schema */
    uint8_t present[MAX_PLAYERS];    /* slots in the order of their commands */
    int npresent;
    unsigned joined;    /* bit a slot */
    uint32_t tick;      /* the command that comes next: this tic's .. */
    int next;           /* .. of present[next] */
    bool marked;        /* the marker is written, the tail may follow */
    struct dh_buf held; /* a first piece of tail that may be the cut part of a command */
    struct dh_buf out;
    bool write_failed;
    struct dh_err *e;
};

static int flush(struct job *j)
{
    if (j->out.failed)
        return dh_fail(j->e, DH_TROUBLE, "out of memory");
    for (size_t done = 0; done < j->out.n;) {
        ssize_t n = write(j->fd, j->out.p + done, j->out.n - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            j->write_failed = true;
            return dh_fail(j->e, DH_TROUBLE, "write failed: %s", strerror(errno));
        }
        done += (size_t)n;
    }
    dh_buf_clear(&j->out);
    return 0;
}

/* The error is already in e: say where. */
static int fail_at(struct job *j, const struct dh_record *r)
{
    j->e->tick = r->has_tick ? (int64_t)r->tick : -1;
    j->e->offset = dh_reader_is_text(j->r) ? DH_NOWHERE : r->offset;
    j->e->line = r->line;
    return -1;
}

#define FAIL(j, r, ...) (dh_fail((j)->e, DH_TROUBLE, __VA_ARGS__), fail_at(j, r))

/* ---- the header -------------------------------------------------------------------------------------------------- */

static bool same_field(const struct dh_field *a, const struct dh_field *b)
{
    if (a->type != b->type || a->nnames != b->nnames)
        return false;
    for (int i = 0; i < a->nnames; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

/* The stream's schema has to have our fields, in any order, and no others: what it has no byte for would be lost
 * without a word. */
static int same_schema(struct job *j, const struct dh_record *r, const char *what, const struct dh_schema *theirs,
                       const struct dh_schema *ours)
{
    for (int i = 0; i < ours->nfields; i++) {
        int k = dh_schema_find(theirs, ours->fields[i].name);
        if (k < 0)
            return FAIL(j, r, "the %s schema has no field %s: expected a stream as lmp2dh writes it", what,
                        ours->fields[i].name);
        if (!same_field(&theirs->fields[k], &ours->fields[i]))
            return FAIL(j, r, "%s field %s is not of the type that lmp2dh writes", what, ours->fields[i].name);
    }
    for (int i = 0; theirs && i < theirs->nfields; i++)
        if (dh_schema_find(ours, theirs->fields[i].name) < 0)
            return FAIL(j, r, "%s field %s has no byte in a demo of %s", what, theirs->fields[i].name, j->layout->name);
    return 0;
}

static int check_schemas(struct job *j, const struct dh_record *r)
{
    const struct dh_schemas *theirs = dh_reader_schemas(j->r);
    struct dh_schemas *ours = dh_schemas_new();
    int ok = -1;

    if (!ours)
        return dh_fail(j->e, DH_TROUBLE, "out of memory");
    if (dh_schemas_add(ours, "rule", j->layout->rules, j->e) == 0 &&
        dh_schemas_add(ours, "input", j->layout->input, j->e) == 0 &&
        same_schema(j, r, "rule", theirs->rule, ours->rule) == 0 &&
        same_schema(j, r, "input", theirs->input, ours->input) == 0)
        ok = 0;
    if (ok == 0 && theirs->join && theirs->join->nfields > 0)
        ok = FAIL(j, r, "join field %s has no byte in a demo of %s", theirs->join->fields[0].name, j->layout->name);
    if (ok == 0)
        for (int i = 0; i < ours->rule->nfields; i++) {
            int k = dh_schema_find(theirs->rule, ours->rule->fields[i].name);
            dh_put_u8(&j->out, (uint8_t)dh_block_int(theirs->rule, r->u.header.rules, r->u.header.rules_n, k));
        }
    dh_schemas_free(ours);
    return ok;
}

static int header(struct job *j, const struct dh_record *r)
{
    const struct dh_header *h = &r->u.header;
    const struct dh_schema *rule = dh_reader_schemas(j->r)->rule;

    if (h->game.n != 4 || memcmp(h->game.p, "doom", 4) != 0)
        return FAIL(j, r, "game=%.*s: expected doom", (int)(h->game.n < 64 ? h->game.n : 64), h->game.p);
    if (h->start != 0 || !h->fresh)
        return FAIL(j, r,
                    "starts from a checkpoint (start=%" PRIu32 " fresh=%d): a demo file can only start with its level",
                    h->start, h->fresh);
    int version = dh_schema_find(rule, "version");
    if (version < 0)
        return FAIL(j, r, "the header has no rule version: expected a stream as lmp2dh writes it");
    int64_t v = dh_block_int(rule, h->rules, h->rules_n, version);
    j->layout = lmp_layout_of(v);
    if (!j->layout)
        return FAIL(j, r, "rule version is %" PRId64 ": expected " LMP_SUPPORTED, v);
    if (check_schemas(j, r) < 0)
        return -1;
    for (int i = 0; i < COLUMNS; i++)
        j->column[i] = dh_schema_find(dh_reader_schemas(j->r)->input, columns[i]);
    for (int i = 0; i < j->layout->nplayers; i++)
        if (j->out.p && j->out.p[j->layout->first_player + i])
            j->present[j->npresent++] = (uint8_t)i;
    if (j->npresent == 0)
        return FAIL(j, r, "no players: all %d presence rules are 0", j->layout->nplayers);
    return 0;
}

/* ---- players and commands ---------------------------------------------------------------------------------------- */

static bool is_present(const struct job *j, uint16_t slot)
{
    return memchr(j->present, slot, (size_t)j->npresent) && slot < MAX_PLAYERS;
}

static int join(struct job *j, const struct dh_record *r)
{
    if (r->tick != 0)
        return FAIL(j, r, "slot %d joins at tick %" PRIu32 ": a demo file has all its players from tick 0", r->slot,
                    r->tick);
    if (!is_present(j, r->slot))
        return FAIL(j, r, "slot %d joins, but the header has no player there", r->slot);
    j->joined |= 1u << r->slot;
    return 0;
}

static int check_joined(struct job *j, const struct dh_record *r)
{
    for (int i = 0; i < j->npresent; i++)
        if (!(j->joined >> j->present[i] & 1))
            return FAIL(j, r, "rule player%d is set, but slot %d does not join", j->present[i], j->present[i]);
    return 0;
}

/* The record stands where the command of tick j->tick, present[j->next] should. */
static int missing(struct job *j, const struct dh_record *r)
{
    return FAIL(j, r, "input missing: tick %" PRIu32 " slot %d expected", j->tick, j->present[j->next]);
}

static int turn(struct job *j, const struct dh_record *r, int64_t v)
{
    if (j->layout->turn_bytes == 2) {
        dh_put_u16(&j->out, (uint16_t)v);
        return 0;
    }
    if (v & 0xff)
        return FAIL(j, r, "slot %d turn=%" PRId64 " does not fit version %d's byte: expected a multiple of 256",
                    r->slot, v, j->layout->version);
    dh_put_u8(&j->out, (uint8_t)((uint16_t)v >> 8));
    return 0;
}

static int input(struct job *j, const struct dh_record *r)
{
    const struct dh_schema *s = dh_reader_schemas(j->r)->input;
    int64_t v[COLUMNS];

    if (check_joined(j, r) < 0)
        return -1;
    if (!is_present(j, r->slot))
        return FAIL(j, r, "input for slot %d, but the header has no player there", r->slot);
    if (r->tick != j->tick || r->slot != j->present[j->next])
        return missing(j, r);
    for (int i = 0; i < COLUMNS; i++)
        v[i] = dh_block_int(s, r->block, r->block_n, j->column[i]);
    if (v[FORWARD] == -128)
        return FAIL(j, r, "slot %d forward=-128 is the end marker's byte: a demo would end here", r->slot);
    struct lmp_buttons b = {(uint8_t)v[BUTTONS], (uint8_t)v[WEAPON], (uint8_t)v[SAVE], (uint8_t)v[SPARE]};
    int byte = lmp_buttons_join(b);
    if (byte < 0)
        return FAIL(j, r, "slot %d: no button byte has buttons %d, weapon %d, save %d and spare 0x%02x together",
                    r->slot, b.buttons, b.weapon, b.save, b.spare);
    dh_put_u8(&j->out, (uint8_t)v[FORWARD]);
    dh_put_u8(&j->out, (uint8_t)v[SIDE]);
    if (turn(j, r, v[TURN]) < 0)
        return -1;
    dh_put_u8(&j->out, (uint8_t)byte);
    if (++j->next == j->npresent) {
        j->next = 0;
        j->tick++;
    }
    return 0;
}

/* ---- what follows the commands ----------------------------------------------------------------------------------- */

/* The tail of a whole demo follows its marker; the tail of a truncated one is the cut part of a command. A piece that
 * is shorter than a command may be either, until the end record or its absence decides. */
static int origin(struct job *j, const struct dh_record *r)
{
    if (r->u.origin.part != 1)
        return FAIL(j, r, "origin part=head: every byte of the header of %s has a name", j->layout->name);
    if (!j->marked && j->held.n == 0 && r->u.origin.n < j->layout->command_size) {
        dh_put_bytes(&j->held, r->u.origin.bytes, r->u.origin.n);
        return 0;
    }
    if (!j->marked) {
        j->marked = true;
        dh_put_u8(&j->out, LMP_MARKER);
        dh_put_bytes(&j->out, j->held.p, j->held.n);
        dh_buf_clear(&j->held);
    }
    dh_put_bytes(&j->out, r->u.origin.bytes, r->u.origin.n);
    return 0;
}

static int end(struct job *j, const struct dh_record *r)
{
    if (check_joined(j, r) < 0)
        return -1;
    if (r->tick > j->tick)
        return missing(j, r);
    if (r->tick < j->tick)
        return FAIL(j, r,
                    "end at tick %" PRIu32 ", but all inputs of tick %" PRIu32 " are there: a demo file would run it",
                    r->tick, j->tick - 1);
    if (!j->marked)
        dh_put_u8(&j->out, LMP_MARKER);
    dh_put_bytes(&j->out, j->held.p, j->held.n);
    dh_buf_clear(&j->held);
    return 0;
}

static int record(struct job *j, const struct dh_record *r)
{
    int kind = r->kind == DH_RAW ? r->raw_kind : r->kind;
    bool part = kind == DH_HEADER || kind == DH_JOIN || kind == DH_LEAVE || kind == DH_INPUT || kind == DH_ORIGIN ||
                kind == DH_END;

    if (!part)
        return 0;
    if (r->kind == DH_RAW)
        return FAIL(j, r, "a record of kind %d in a form that only its bytes describe", kind);
    if (!j->layout && kind != DH_HEADER)
        return FAIL(j, r, "no header before the first record");
    if (j->layout && kind == DH_HEADER)
        return FAIL(j, r, "a second header");
    if ((j->marked || j->held.n) && kind == DH_INPUT)
        return FAIL(j, r, "input after origin part=tail");
    switch (kind) {
    case DH_HEADER:
        return header(j, r);
    case DH_JOIN:
        return join(j, r);
    case DH_LEAVE:
        return FAIL(j, r, "slot %d leaves: a demo file has its players to the end", r->slot);
    case DH_INPUT:
        return input(j, r);
    case DH_ORIGIN:
        return origin(j, r);
    default:
        return end(j, r);
    }
}

static int convert(struct job *j)
{
    const struct dh_record *r;
    int got = dh_reader_stream(j->r);

    while (got > 0 && (got = dh_read(j->r, &r)) > 0) {
        if (record(j, r) < 0)
            return -1;
        if ((j->unbuffered || j->out.n >= FLUSH_AT) && flush(j) < 0)
            return -1;
    }
    if (got < 0) {
        *j->e = *dh_reader_error(j->r);
        /* Cut short: what is there goes out without the marker, as it would stand in a demo that was cut. */
        if (j->e->status == DH_INCOMPLETE) {
            struct dh_err cut = *j->e;
            dh_put_bytes(&j->out, j->held.p, j->held.n);
            if (flush(j) < 0)
                return -1;
            *j->e = cut;
        }
        return -1;
    }
    if (flush(j) < 0)
        return -1;
    got = dh_reader_stream(j->r);
    if (got > 0)
        return dh_fail(j->e, DH_TROUBLE, "a second stream follows: a demo file holds one (its bytes are written)");
    if (got < 0)
        *j->e = *dh_reader_error(j->r);
    return got;
}

int dh_to_lmp(struct dh_reader *r, int fd, bool unbuffered, struct dh_err *e)
{
    struct dh_err mine = {0};
    struct job j = {.r = r, .fd = fd, .unbuffered = unbuffered, .e = e ? e : &mine};
    int ok = convert(&j);

    if (j.write_failed)
        ok = -2;
    dh_buf_free(&j.held);
    dh_buf_free(&j.out);
    return ok;
}
