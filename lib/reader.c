/* SPDX-License-Identifier: ISC */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "chunk.h"
#include "io.h"
#include "order.h"
#include "record.h"
#include "text.h"

/* An entity's text is never more than about four times its bytes, so a line beyond this is no record's. */
#define MAX_LINE (UINT64_C(1) << 30)

enum where { BETWEEN, INSIDE, ENDED, FAILED };

struct dh_reader {
    struct dh_input in;
    struct dh_schemas *schemas;
    struct dh_order order;
    struct dh_parser parser;
    struct dh_record rec;
    struct dh_err err;
    enum where where;
    bool text;
    bool another;  /* FAILED, but the input stands at the beginning of a stream */
    bool any;      /* there was a stream */
    uint64_t line; /* of the line read last */
    int64_t tick;  /* of the last record */
};

struct dh_reader *dh_reader_new(int fd)
{
    struct dh_reader *r = calloc(1, sizeof *r);

    if (r)
        dh_input_init(&r->in, fd);
    return r;
}

void dh_reader_free(struct dh_reader *r)
{
    if (!r)
        return;
    dh_input_free(&r->in);
    dh_schemas_free(r->schemas);
    dh_order_free(&r->order);
    dh_parser_free(&r->parser);
    free(r);
}

const struct dh_schemas *dh_reader_schemas(const struct dh_reader *r)
{
    return r->schemas;
}

const struct dh_err *dh_reader_error(const struct dh_reader *r)
{
    return &r->err;
}

bool dh_reader_is_text(const struct dh_reader *r)
{
    return r->text;
}

/* The error is in r->err but for its place. */
static int failed_at(struct dh_reader *r, uint64_t offset, uint64_t line)
{
    if (r->err.tick < 0)
        r->err.tick = r->tick;
    r->err.offset = offset;
    r->err.line = r->text ? line : 0;
    r->where = FAILED;
    return -1;
}

/* The input ended, or could not be read, where more was expected. */
static int ended(struct dh_reader *r, uint64_t offset, uint64_t line, const char *what)
{
    if (r->in.error)
        dh_fail(&r->err, DH_TROUBLE, r->in.error == ENOMEM ? "out of memory" : "read failed: %s",
                strerror(r->in.error));
    else
        dh_fail(&r->err, DH_INCOMPLETE, "truncated: %s", what);
    return failed_at(r, offset, line);
}

/* ---- the beginning of a stream ----------------------------------------------------------------------------------- */

static int begin(struct dh_reader *r)
{
    dh_schemas_free(r->schemas);
    r->schemas = dh_schemas_new();
    if (!r->schemas || dh_order_begin(&r->order) < 0) {
        dh_fail(&r->err, DH_TROUBLE, "out of memory");
        return failed_at(r, r->in.offset, r->line);
    }
    r->parser.awaited = 0;
    r->where = INSIDE;
    r->any = true;
    return 1;
}

static int begin_binary(struct dh_reader *r)
{
    r->text = false;
    if (dh_input_need(&r->in, DH_MAGIC_SIZE) < DH_MAGIC_SIZE)
        return ended(r, r->in.offset, 0, "the input ends inside the magic");
    uint32_t version = dh_load32(dh_input_bytes(&r->in) + 4);
    if (version != DH_FORMAT_VERSION) {
        dh_fail(&r->err, DH_TROUBLE, "expected format version %d, found %lu", DH_FORMAT_VERSION,
                (unsigned long)version);
        return failed_at(r, r->in.offset + 4, 0);
    }
    dh_input_skip(&r->in, DH_MAGIC_SIZE);
    return begin(r);
}

/* The next line without its end. 1, 0 where the input ends before a newline, -1. */
static int next_line(struct dh_reader *r, const char **line, size_t *n)
{
    size_t whole = dh_input_line(&r->in, MAX_LINE);

    r->line++;
    if (whole == 0) {
        if (r->in.have <= MAX_LINE)
            return 0;
        dh_fail(&r->err, DH_TROUBLE, "a line of more than %lu bytes", (unsigned long)MAX_LINE);
        return failed_at(r, r->in.offset, r->line);
    }
    *line = (const char *)dh_input_bytes(&r->in);
    *n = whole - 1;
    if (*n > 0 && (*line)[*n - 1] == '\r')
        --*n;
    dh_input_skip(&r->in, whole);
    return 1;
}

static int begin_text(struct dh_reader *r)
{
    uint64_t at = r->in.offset;
    const char *line;
    size_t n;

    if (!r->text) /* lines are counted from the first stream that has any */
        r->line = 0;
    r->text = true;
    int got = next_line(r, &line, &n);
    if (got < 0)
        return -1;
    if (got == 0)
        return ended(r, at, r->line, "the input ends inside the first line");
    if (n != 6 || memcmp(line, DH_TEXT_MAGIC "1", 6) != 0) {
        dh_fail(&r->err, DH_TROUBLE, "expected format version %d, 'dhdm 1', found '%.*s'", DH_FORMAT_VERSION,
                (int)(n > 40 ? 40 : n), line);
        return failed_at(r, at, r->line);
    }
    return begin(r);
}

int dh_reader_stream(struct dh_reader *r)
{
    if (r->where == INSIDE) { /* pass over what the caller did not read */
        const struct dh_record *rec;
        int got;

        while ((got = dh_read(r, &rec)) > 0)
            ;
        if (got < 0)
            return -1;
    }
    if (r->where == FAILED && !r->another)
        return 0;
    r->another = false;
    r->where = BETWEEN;
    r->tick = -1;

    size_t n = dh_input_need(&r->in, 1);
    if (n == 0) {
        if (r->in.error || !r->any)
            return ended(r, r->in.offset, r->line, "the input is empty");
        r->where = FAILED; /* no more to come, and no error */
        return 0;
    }
    /* As few bytes as can tell: a live writer may not have sent more. */
    const uint8_t first = *dh_input_bytes(&r->in);
    n = dh_input_need(&r->in, first == 'D' ? 4 : first == 'd' ? 5 : DH_SNIFF);
    switch (dh_sniff(dh_input_bytes(&r->in), n, &r->err)) {
    case DH_SNIFFED_BINARY:
        return begin_binary(r);
    case DH_SNIFFED_TEXT:
        return begin_text(r);
    case DH_SNIFFED_SHORT:
        return ended(r, r->in.offset, r->line + 1, "the input ends inside the magic");
    default:
        return failed_at(r, r->in.offset, r->line + 1);
    }
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static int cut_short(struct dh_reader *r)
{
    dh_fail(&r->err, DH_INCOMPLETE, "truncated: another stream begins before this one's end record");
    r->another = true;
    return failed_at(r, r->in.offset, r->line);
}

/* The next chunk's payload. A payload lies in the window, which grows as its bytes arrive: a length alone allocates
 * nothing. */
static int next_chunk(struct dh_reader *r, uint8_t *kind, const uint8_t **payload, size_t *n)
{
    uint64_t at = r->in.offset;
    size_t got = dh_input_need(&r->in, DH_CHUNK_HEAD);
    char what[96];
    uint32_t length;

    if (got < DH_CHUNK_HEAD)
        return ended(r, at, 0, got ? "the input ends inside a chunk's head" : "the input ends without an end record");
    const uint8_t *head = dh_input_bytes(&r->in);
    /* Read as a chunk's head, the magic has a length beyond the cap: it cannot be one. */
    if (memcmp(head, DH_MAGIC "\1", DH_CHUNK_HEAD) == 0 || memcmp(head, DH_TEXT_MAGIC, DH_CHUNK_HEAD) == 0)
        return cut_short(r);
    *kind = head[0];
    if (dh_chunk_length(head, &length, &r->err) < 0)
        return failed_at(r, at, 0);
    got = dh_input_need(&r->in, DH_CHUNK_HEAD + (size_t)length);
    if (got < DH_CHUNK_HEAD + (size_t)length) {
        snprintf(what, sizeof what, "the input ends inside a chunk (%s, %zu of %lu bytes)", dh_kind_name(*kind),
                 got - DH_CHUNK_HEAD, (unsigned long)length);
        return ended(r, at, 0, what);
    }
    *payload = dh_input_bytes(&r->in) + DH_CHUNK_HEAD;
    *n = length;
    dh_input_skip(&r->in, DH_CHUNK_HEAD + (size_t)length);
    return 1;
}

/* The lines of the next record as a payload; *line is its first line's number. */
static int next_lines(struct dh_reader *r, uint8_t *kind, uint64_t *first)
{
    char what[96] = "the input ends without an end record";

    for (*first = r->line + 1;;) {
        uint64_t at = r->in.offset;
        const char *line;
        size_t n;
        int k = 0;

        /* Not by lines: what follows may be a binary stream. */
        if (dh_input_need(&r->in, 1) == 1 && (*dh_input_bytes(&r->in) | 0x20) == 'd' && dh_input_need(&r->in, 5) == 5 &&
            (memcmp(dh_input_bytes(&r->in), DH_TEXT_MAGIC, 5) == 0 ||
             memcmp(dh_input_bytes(&r->in), DH_MAGIC "\1", 5) == 0))
            return cut_short(r);
        int got = next_line(r, &line, &n);
        if (got < 0)
            return -1;
        if (got == 0) {
            if (r->in.have)
                snprintf(what, sizeof what, "the last line has no newline");
            else if (r->parser.awaited)
                snprintf(what, sizeof what, "the input ends with %lu entity lines still to come",
                         (unsigned long)r->parser.awaited);
            return ended(r, at, r->line, what);
        }
        got = dh_parse_line(&r->parser, r->schemas, line, n, &k, &r->err);
        if (got < 0)
            return failed_at(r, at, r->line);
        if (got > 0) {
            *kind = (uint8_t)k;
            return 1;
        }
    }
}

int dh_read(struct dh_reader *r, const struct dh_record **rec)
{
    uint64_t offset = r->in.offset, line = 0;
    const uint8_t *payload = NULL;
    uint8_t kind = 0;
    size_t n = 0;

    *rec = NULL;
    if (r->where == FAILED)
        return -1;
    if (r->where != INSIDE)
        return 0;
    if (r->text) {
        if (next_lines(r, &kind, &line) < 0)
            return -1;
        payload = r->parser.payload.p;
        n = r->parser.payload.n;
    } else if (next_chunk(r, &kind, &payload, &n) < 0)
        return -1;

    r->err.tick = -1;
    if (dh_decode(r->schemas, kind, payload, n, &r->rec, &r->err) < 0)
        return failed_at(r, offset, line);
    if (dh_order_check(&r->order, &r->rec, &r->err) < 0 ||
        (r->rec.kind == DH_SCHEMA && dh_schemas_add_payload(r->schemas, payload, n, &r->err) < 0)) {
        if (r->rec.has_tick)
            r->err.tick = r->rec.tick;
        return failed_at(r, offset, line);
    }
    r->rec.offset = offset;
    r->rec.line = line;
    if (r->rec.has_tick)
        r->tick = r->rec.tick;
    if (r->rec.kind == DH_END)
        r->where = ENDED;
    *rec = &r->rec;
    return 1;
}
