/* SPDX-License-Identifier: ISC */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "chunk.h"
#include "io.h"
#include "record.h"
#include "text.h"

enum { FULL = 64 << 10 };

struct dh_writer {
    int fd;
    enum dh_encoding enc;
    bool unbuffered;
    bool failed; /* a write did not go out: whatever comes is dropped */
    struct dh_buf buf;
    struct dh_schemas *schemas;
    struct dh_err err;
};

struct dh_writer *dh_writer_new(int fd, enum dh_encoding enc, bool unbuffered)
{
    struct dh_writer *w = calloc(1, sizeof *w);

    if (w) {
        w->fd = fd;
        w->enc = enc;
        w->unbuffered = unbuffered;
    }
    return w;
}

const struct dh_schemas *dh_writer_schemas(const struct dh_writer *w)
{
    return w->schemas;
}

const struct dh_err *dh_writer_error(const struct dh_writer *w)
{
    return &w->err;
}

int dh_writer_flush(struct dh_writer *w)
{
    if (w->failed)
        return -1;
    if (w->buf.failed || dh_write_all(w->fd, w->buf.p, w->buf.n) < 0) {
        dh_fail(&w->err, DH_TROUBLE, w->buf.failed ? "out of memory" : "write failed: %s", strerror(errno));
        w->failed = true;
        return -1;
    }
    dh_buf_clear(&w->buf);
    return 0;
}

static int full(struct dh_writer *w)
{
    return w->failed || w->buf.failed || w->buf.n >= FULL ? dh_writer_flush(w) : 0;
}

int dh_writer_free(struct dh_writer *w, struct dh_err *e)
{
    int result = dh_writer_flush(w);

    if (result < 0 && e)
        *e = w->err;
    dh_buf_free(&w->buf);
    dh_schemas_free(w->schemas);
    free(w);
    return result;
}

int dh_writer_stream(struct dh_writer *w)
{
    dh_schemas_free(w->schemas);
    w->schemas = dh_schemas_new();
    if (!w->schemas)
        return dh_fail(&w->err, DH_TROUBLE, "out of memory");
    if (w->enc == DH_BINARY)
        dh_chunk_magic(&w->buf);
    else
        dh_put_bytes(&w->buf, DH_TEXT_MAGIC "1\n", 7);
    return w->unbuffered ? dh_writer_flush(w) : full(w);
}

static int put_text(struct dh_writer *w, const struct dh_record *rec)
{
    struct dh_cur c = dh_cur(rec->u.state.entities, 0);
    struct dh_entity ent;

    dh_print_record(&w->buf, w->schemas, rec);
    if ((rec->kind != DH_CHECKPOINT && rec->kind != DH_SNAPSHOT) || rec->u.state.digest_only)
        return 0;
    c = dh_cur(rec->u.state.entities, rec->u.state.entities_n);
    while (dh_entity_next(w->schemas, &c, &ent)) {
        dh_print_entity(&w->buf, w->schemas, rec, &ent);
        if (full(w) < 0)
            return -1;
    }
    return 0;
}

static int put_binary(struct dh_writer *w, const struct dh_record *rec)
{
    dh_chunk_head(&w->buf, rec->kind == DH_RAW ? rec->raw_kind : (uint8_t)rec->kind, (uint32_t)rec->len);
    if (rec->len < FULL) {
        dh_put_bytes(&w->buf, rec->payload, rec->len);
        return 0;
    }
    /* a large one goes out from where it lies */
    if (dh_writer_flush(w) < 0)
        return -1;
    if (dh_write_all(w->fd, rec->payload, rec->len) < 0) {
        w->failed = true;
        return dh_fail(&w->err, DH_TROUBLE, "write failed: %s", strerror(errno));
    }
    return 0;
}

int dh_write(struct dh_writer *w, const struct dh_record *rec)
{
    if (w->failed)
        return -1;
    if (!w->schemas)
        return dh_fail(&w->err, DH_TROUBLE, "a record before the stream was begun");
    if (rec->len > dh_payload_cap(rec->kind == DH_RAW ? rec->raw_kind : (uint8_t)rec->kind))
        return dh_fail(&w->err, DH_TROUBLE, "%s: a record of %zu bytes", dh_kind_name(rec->kind), rec->len);
    if (rec->kind == DH_SCHEMA && dh_schemas_add_payload(w->schemas, rec->payload, rec->len, &w->err) < 0)
        return -1;
    if ((w->enc == DH_BINARY ? put_binary(w, rec) : put_text(w, rec)) < 0)
        return -1;
    return w->unbuffered ? dh_writer_flush(w) : full(w);
}

int dh_write_payload(struct dh_writer *w, int kind, const void *payload, size_t n)
{
    struct dh_record rec;

    if (!w->schemas)
        return dh_fail(&w->err, DH_TROUBLE, "a record before the stream was begun");
    if (dh_decode(w->schemas, (uint8_t)kind, payload, n, &rec, &w->err) < 0)
        return -1;
    /* A builder given a block that is not its schema's, or a name twice: better now than by whoever reads it. */
    if (rec.kind != kind)
        return dh_fail(&w->err, DH_TROUBLE, "%s: the record is not what its schema says", dh_kind_name(kind));
    return dh_write(w, &rec);
}

int dh_write_schema(struct dh_writer *w, const char *subjects, const char *fields)
{
    struct dh_buf text = {0}, payload = {0};
    struct dh_schema_record sr;
    int result;

    dh_put_bytes(&text, subjects, strlen(subjects));
    if (*fields) {
        dh_put_u8(&text, ' ');
        dh_put_bytes(&text, fields, strlen(fields));
    }
    if (text.failed)
        return dh_fail(&w->err, DH_TROUBLE, "out of memory");
    result = dh_schema_from_text(&sr, (const char *)text.p, text.n, &w->err);
    dh_buf_free(&text);
    if (result < 0)
        return -1;
    dh_schema_to_payload(&sr, &payload);
    dh_schema_record_clear(&sr);
    result = payload.failed ? dh_fail(&w->err, DH_TROUBLE, "out of memory")
                            : dh_write_payload(w, DH_SCHEMA, payload.p, payload.n);
    dh_buf_free(&payload);
    return result;
}
