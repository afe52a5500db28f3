/* SPDX-License-Identifier: ISC */
/* A demo file read into a record stream. */
#include "dem/dem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dem/field.h"

struct job {
    struct dh_writer *w;
    struct dh_buf record, block;
    void (*note)(void *ctx, const char *text);
    void *ctx;
};

enum { WRITER_FAILED = -2, NO_MEMORY = -3 };

__attribute__((format(printf, 2, 3))) static void note(const struct job *j, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    if (!j->note)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    j->note(j->ctx, text);
}

static int put(struct job *j, int kind)
{
    if (j->record.failed || j->block.failed)
        return NO_MEMORY;
    int rc = dh_write_payload(j->w, kind, j->record.p, j->record.n);
    dh_buf_clear(&j->record);
    return rc < 0 ? WRITER_FAILED : 0;
}

static int put_schema(struct job *j, const char *subject, struct dem_fields f)
{
    dh_buf_clear(&j->block);
    dem_schema_text(&j->block, f);
    if (j->block.failed)
        return NO_MEMORY;
    return dh_write_schema(j->w, subject, (const char *)j->block.p) < 0 ? WRITER_FAILED : 0;
}

/* The level's name up to its NUL, for whoever reads the header; the rule is what counts on the way back. */
static struct dh_str map_of(const struct dem_header *h)
{
    size_t n = 0;
    const uint8_t *p = dem_header_field(h, "zLevelName", &n);
    const uint8_t *nul = memchr(p, '\0', n);

    return (struct dh_str){(const char *)p, nul ? (size_t)(nul - p) : n};
}

static int header(void *ctx, const struct dem_header *h)
{
    struct job *j = ctx;
    struct dem_fields rules = dem_header_fields(h->has_build);
    int rc;

    if (h->unlike_version)
        note(j, "version %d.%02d, but the header %s nBuild (%zu bytes): nothing else fits the chain of players",
             h->major, h->minor, h->has_build ? "has" : "lacks", h->size);
    if (dh_writer_stream(j->w) < 0)
        return WRITER_FAILED;
    if ((rc = put_schema(j, "rule", rules)) != 0 ||
        (rc = put_schema(j, "input", dem_input_fields(h->major, h->minor))) != 0)
        return rc;
    dh_buf_clear(&j->block);
    dem_to_block(&j->block, rules, h->bytes + DEM_MAGIC_SIZE);
    struct dh_header out = {
        .game = {DEM_GAME, strlen(DEM_GAME)},
        .map = map_of(h),
        .rate = DEM_RATE,
        .interval = DEM_INTERVAL,
        .fresh = true,
        .rules = j->block.p,
        .rules_n = j->block.n,
    };
    dh_build_header(&j->record, &out);
    rc = put(j, DH_HEADER);
    for (int i = 0; i < h->nplayers && rc == 0; i++) {
        dh_build_join(&j->record, 0, h->chain[i], h->chain[i], (struct dh_str){"", 0}, NULL, 0);
        rc = put(j, DH_JOIN);
    }
    return rc;
}

static int input(void *ctx, uint32_t tick, uint8_t slot, const uint8_t *bytes)
{
    struct job *j = ctx;

    dh_build_input(&j->record, tick, slot, bytes, DEM_INPUT_SIZE);
    return put(j, DH_INPUT);
}

static int tail(void *ctx, const uint8_t *p, size_t n)
{
    struct job *j = ctx;

    dh_build_origin(&j->record, 1, p, n);
    return put(j, DH_ORIGIN);
}

static int end(struct job *j, const struct dem_outcome *out)
{
    if (out->unclosed)
        note(j, "never closed (nInputCount is 0): %" PRIu32 " inputs recovered from the size", out->inputs);
    /* The way back takes this reason for the mark of a recording that was not closed: its count stays 0. */
    dh_build_end(&j->record, out->ticks, out->unclosed ? DH_SHUTDOWN : DH_STOP);
    return put(j, DH_END);
}

int dem_to_dh(int fd, struct dh_writer *w, void (*tell)(void *ctx, const char *text), void *ctx, struct dh_err *e)
{
    static const struct dem_sink sink = {header, input, tail};
    struct job j = {.w = w, .note = tell, .ctx = ctx};
    struct dem_outcome out;
    int rc = dem_read(fd, &sink, &j, &out, e);

    if (rc == 0)
        rc = end(&j, &out);
    if (rc == NO_MEMORY)
        rc = dh_fail(e, DH_TROUBLE, "out of memory");
    dh_buf_free(&j.record);
    dh_buf_free(&j.block);
    return rc;
}
