/* SPDX-License-Identifier: ISC */
/* A record stream written as a demo file: the inverse of todh.c. */
#include "dem/dem.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "bytes.h"
#include "dem/header.h"
#include "io.h"
#include "spool.h"

enum { FLUSH_AT = 1 << 16, WRITE_FAILED = -2 };

struct job {
    struct dh_reader *r;
    int fd;
    struct dem_header h;
    struct dem_fields input;
    bool headed;
    bool as_ours;    /* the stream's input schema has our fields in our order: blocks are the file's bytes */
    unsigned joined; /* bit a slot */
    uint32_t tick;   /* the input that comes next: this tick's .. */
    int next;        /* .. of chain[next] */
    uint32_t inputs; /* so far */
    bool tailed;     /* what is no input has begun */
    uint64_t body_size;
    struct dh_spool body; /* inputs and what follows, as the file has them: the header goes first and counts them */
    struct dh_buf out;
    struct dh_err *e;
};

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

/* The stream's schema has to have our fields, in any order, and no others: what the file has no byte for would be lost
 * without a word. *ordered is whether the order is ours too. */
static int same_schema(struct job *j, const struct dh_record *r, const char *what, const struct dh_schema *theirs,
                       const struct dh_schema *ours, bool *ordered)
{
    *ordered = true;
    for (int i = 0; i < ours->nfields; i++) {
        int k = dh_schema_find(theirs, ours->fields[i].name);
        if (k < 0)
            return FAIL(j, r, "the %s schema has no field %s: expected a stream as dem2dh writes it", what,
                        ours->fields[i].name);
        if (!same_field(&theirs->fields[k], &ours->fields[i]))
            return FAIL(j, r, "%s field %s is not of the type that dem2dh writes for version %d.%02d", what,
                        ours->fields[i].name, j->h.major, j->h.minor);
        *ordered &= k == i;
    }
    for (int i = 0; theirs && i < theirs->nfields; i++)
        if (dh_schema_find(ours, theirs->fields[i].name) < 0)
            return FAIL(j, r, "%s field %s has no byte in a Blood demo", what, theirs->fields[i].name);
    return 0;
}

static int check_schema(struct job *j, const struct dh_record *r, const char *what, const struct dh_schema *theirs,
                        struct dem_fields fields, bool *ordered)
{
    struct dh_schemas *ours = dh_schemas_new();
    struct dh_buf text = {0};
    int rc = -1;

    dem_schema_text(&text, fields);
    if (!ours || text.failed)
        dh_fail(j->e, DH_TROUBLE, "out of memory");
    else if (dh_schemas_add(ours, "rule", (const char *)text.p, j->e) == 0)
        rc = same_schema(j, r, what, theirs, ours->rule, ordered);
    dh_buf_free(&text);
    dh_schemas_free(ours);
    return rc;
}

static int64_t rule(struct job *j, const struct dh_record *r, const char *name)
{
    const struct dh_schema *s = dh_reader_schemas(j->r)->rule;

    return dh_block_int(s, r->u.header.rules, r->u.header.rules_n, dh_schema_find(s, name));
}

static int header(struct job *j, const struct dh_record *r)
{
    const struct dh_header *h = &r->u.header;
    const struct dh_schemas *s = dh_reader_schemas(j->r);
    bool ordered;

    if (h->game.n != strlen(DEM_GAME) || memcmp(h->game.p, DEM_GAME, h->game.n) != 0)
        return FAIL(j, r, "game=%.*s: expected " DEM_GAME, (int)(h->game.n < 64 ? h->game.n : 64), h->game.p);
    if (h->start != 0 || !h->fresh)
        return FAIL(j, r,
                    "starts from a checkpoint (start=%" PRIu32 " fresh=%d): a demo file can only start with its level",
                    h->start, h->fresh);
    j->h.major = (uint8_t)rule(j, r, "versionMajor");
    j->h.minor = (uint8_t)rule(j, r, "versionMinor");
    bool has_build = dh_schema_find(s->rule, "nBuild") >= 0;
    struct dem_fields rules = dem_header_fields(has_build);
    j->input = dem_input_fields(j->h.major, j->h.minor);
    if (check_schema(j, r, "rule", s->rule, rules, &ordered) < 0 ||
        check_schema(j, r, "input", s->input, j->input, &j->as_ours) < 0)
        return -1;
    if (s->join && s->join->nfields > 0)
        return FAIL(j, r, "join field %s has no byte in a Blood demo", s->join->fields[0].name);

    struct dh_buf bytes = {0};
    dh_put_bytes(&bytes, "DEM\x1a", DEM_MAGIC_SIZE);
    int rc = dem_from_block(&bytes, rules, s->rule, h->rules, h->rules_n, j->e);
    if (rc == 0 && bytes.failed)
        rc = dh_fail(j->e, DH_TROUBLE, "out of memory");
    if (rc == 0)
        rc = dem_read_layout(&j->h, has_build, bytes.p, bytes.n, j->e);
    dh_buf_free(&bytes);
    j->headed = true;
    return rc < 0 ? fail_at(j, r) : 0;
}

/* ---- players and inputs ------------------------------------------------------------------------------------------ */

static bool in_chain(const struct job *j, unsigned slot)
{
    for (int i = 0; i < j->h.nplayers; i++)
        if (j->h.chain[i] == slot)
            return true;
    return false;
}

static int join(struct job *j, const struct dh_record *r)
{
    if (!in_chain(j, r->slot))
        return FAIL(j, r, "slot %d joins, but the header's chain of players does not come to it", r->slot);
    if (r->tick != 0)
        return FAIL(j, r, "slot %d joins at tick %" PRIu32 ": a demo file has its players from tick 0", r->slot,
                    r->tick);
    j->joined |= 1u << r->slot;
    return 0;
}

static int check_joined(struct job *j, const struct dh_record *r)
{
    for (int i = 0; i < j->h.nplayers; i++)
        if (!(j->joined >> j->h.chain[i] & 1))
            return FAIL(j, r, "slot %d is in the header's chain of players, but does not join", j->h.chain[i]);
    return 0;
}

static int missing(struct job *j, const struct dh_record *r)
{
    return FAIL(j, r, "input missing: tick %" PRIu32 " slot %d expected", j->tick, j->h.chain[j->next]);
}

/* Put bytes aside; what comes back out is only the bytes. */
static int keep(struct job *j, int kind, const uint8_t *p, size_t n)
{
    struct dh_record piece = {.kind = kind, .payload = p, .len = n};

    j->body_size += n;
    return dh_spool_add(&j->body, &piece, j->e);
}

static int input(struct job *j, const struct dh_record *r)
{
    if (check_joined(j, r) < 0)
        return -1;
    if (!in_chain(j, r->slot))
        return FAIL(j, r, "input for slot %d, but the header's chain of players does not come to it", r->slot);
    if (r->tick != j->tick || r->slot != j->h.chain[j->next])
        return missing(j, r);
    if (j->inputs == INT32_MAX)
        return FAIL(j, r, "too long: more inputs than nInputCount can say");

    const uint8_t *bytes = r->block;
    dh_buf_clear(&j->out);
    if (!j->as_ours) {
        if (dem_from_block(&j->out, j->input, dh_reader_schemas(j->r)->input, r->block, r->block_n, j->e) < 0)
            return fail_at(j, r);
        if (j->out.failed)
            return dh_fail(j->e, DH_TROUBLE, "out of memory");
        bytes = j->out.p;
    }
    j->inputs++;
    if (++j->next == j->h.nplayers) {
        j->next = 0;
        j->tick++;
    }
    return keep(j, DH_INPUT, bytes, DEM_INPUT_SIZE);
}

static int origin(struct job *j, const struct dh_record *r)
{
    if (r->u.origin.part != 1)
        return FAIL(j, r, "origin part=head: every byte of the header of a Blood demo has a name");
    j->tailed = true;
    return keep(j, DH_ORIGIN, r->u.origin.bytes, r->u.origin.n);
}

/* nInputCount is how many inputs there are, but where the recording was never closed: then it stays 0 as it was found.
 */
static int end(struct job *j, const struct dh_record *r)
{
    /* A slice of no tick at all has no joins either; its header says enough. */
    bool nothing = j->inputs == 0 && j->joined == 0;
    if (!nothing && check_joined(j, r) < 0)
        return -1;
    if (r->tick > j->tick)
        return missing(j, r);
    if (r->tick < j->tick)
        return FAIL(j, r,
                    "end at tick %" PRIu32 ", but all inputs of tick %" PRIu32 " are there: a demo file would run it",
                    r->tick, j->tick - 1);
    if (j->h.count == 0 && r->u.end.reason == DH_SHUTDOWN)
        return 0;
    if (j->inputs == 0 && j->tailed)
        return FAIL(j, r, "no inputs, and bytes that follow them: a demo file would take those for inputs");
    j->h.count = (int32_t)j->inputs;
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
    if (!j->headed && kind != DH_HEADER)
        return FAIL(j, r, "no header before the first record");
    if (j->headed && kind == DH_HEADER)
        return FAIL(j, r, "a second header");
    if (j->tailed && kind == DH_INPUT)
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

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static int flush(struct job *j)
{
    if (j->out.failed)
        return dh_fail(j->e, DH_TROUBLE, "out of memory");
    if (dh_write_all(j->fd, j->out.p, j->out.n) < 0) {
        dh_fail(j->e, DH_TROUBLE, "write failed: %s", strerror(errno));
        return WRITE_FAILED;
    }
    dh_buf_clear(&j->out);
    return 0;
}

static int put_piece(void *ctx, const struct dh_record *piece)
{
    struct job *j = ctx;

    dh_put_bytes(&j->out, piece->payload, piece->len);
    return j->out.failed || j->out.n >= FLUSH_AT ? flush(j) : 0;
}

/* Whether the reader of files would take the header for what it is, told the file's size or not. */
static int check_layout(struct job *j)
{
    uint64_t sizes[] = {j->h.size + j->body_size, DEM_SIZE_UNKNOWN};

    for (int i = 0; i < 2; i++) {
        struct dem_header back;
        if (dem_parse_header(&back, j->h.bytes, j->h.size, sizes[i], j->e) == 0 && back.has_build == j->h.has_build)
            return 0;
    }
    return dh_fail(j->e, DH_TROUBLE,
                   "rules %s nBuild, but with version %d.%02d and these players a file of theirs reads otherwise",
                   j->h.has_build ? "with" : "without", j->h.major, j->h.minor);
}

static int write_file(struct job *j)
{
    size_t n;
    int at = dem_offset(dem_header_fields(j->h.has_build), "nInputCount", &n) + DEM_MAGIC_SIZE;

    dh_store32(j->h.bytes + at, (uint32_t)j->h.count);
    if (check_layout(j) < 0)
        return -1;
    dh_buf_clear(&j->out);
    dh_put_bytes(&j->out, j->h.bytes, j->h.size);
    int rc = dh_spool_play(&j->body, put_piece, j, j->e);
    return rc != 0 ? rc : flush(j);
}

static int convert(struct job *j)
{
    const struct dh_record *r;
    int got = dh_reader_stream(j->r), rc;

    while (got > 0 && (got = dh_read(j->r, &r)) > 0)
        if ((rc = record(j, r)) < 0)
            return rc;
    if (got < 0) {
        struct dh_err cut = *dh_reader_error(j->r);
        *j->e = cut;
        /* Cut short: what is there goes out with the count of the whole, as it would stand in a file that was cut. */
        if (cut.status == DH_INCOMPLETE && j->headed && (rc = write_file(j)) < 0)
            return rc;
        *j->e = cut;
        return -1;
    }
    if ((rc = write_file(j)) < 0)
        return rc;
    got = dh_reader_stream(j->r);
    if (got > 0)
        return dh_fail(j->e, DH_TROUBLE, "a second stream follows: a demo file holds one (its bytes are written)");
    if (got < 0)
        *j->e = *dh_reader_error(j->r);
    return got;
}

int dh_to_dem(struct dh_reader *r, int fd, struct dh_err *e)
{
    struct dh_err mine = {0};
    struct job j = {.r = r, .fd = fd, .e = e ? e : &mine};

    dh_spool_init(&j.body);
    int rc = convert(&j);
    dh_spool_free(&j.body);
    dh_buf_free(&j.out);
    return rc;
}
