/* SPDX-License-Identifier: ISC */
/* A demo file from its first byte to its last, handed to a sink. */
#include "dem/dem.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunk.h"
#include "dem/header.h"
#include "io.h"

struct job {
    struct dh_input in;
    struct dem_header h;
    const struct dem_sink *sink;
    void *ctx;
    struct dem_outcome *out;
    struct dh_err *e;
};

static int fail_at(struct job *j, int64_t tick, uint64_t offset)
{
    j->e->tick = tick;
    j->e->offset = offset;
    return -1;
}

/* n bytes, or what there is: -1 when reading failed. */
static int64_t need(struct job *j, size_t n)
{
    size_t have = dh_input_need(&j->in, n);

    if (have < n && j->in.error) {
        dh_fail(j->e, DH_TROUBLE, "cannot read: %s", strerror(j->in.error));
        return fail_at(j, -1, j->in.offset + have);
    }
    return (int64_t)have;
}

static uint64_t size_from_here(int fd)
{
    struct stat st;
    off_t at;

    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (at = lseek(fd, 0, SEEK_CUR)) < 0 || at > st.st_size)
        return DEM_SIZE_UNKNOWN;
    return (uint64_t)(st.st_size - at);
}

static int refuse(struct job *j, const uint8_t *p, size_t n)
{
    if (n == 0)
        dh_fail(j->e, DH_INCOMPLETE, "empty: expected a Blood demo");
    else if (dem_recognise(p, n) == DEM_PRIVATE)
        dh_fail(j->e, DH_TROUBLE, "unsupported: a demo of NBlood's own format (EDM 1A); expected Blood 1.00 to 1.21");
    else if (n < DEM_MAGIC_SIZE && memcmp(p, "DEM\x1a", n) == 0)
        dh_fail(j->e, DH_INCOMPLETE, "truncated: the header takes %d bytes, %zu found", DEM_MAX_HEADER, n);
    else {
        /* The sniffer of streams knows what else there is; its words begin with what it expects itself. */
        struct dh_err other = {0};
        enum dh_sniffed s = dh_sniff(p, n < DH_SNIFF ? n : DH_SNIFF, &other);
        const char *found = s == DH_SNIFFED_OTHER ? strstr(other.msg, ", found ") : NULL;
        dh_fail(j->e, DH_TROUBLE, "not a Blood demo: expected DEM 1A, found %s",
                found ? found + strlen(", found ") : "a record stream already");
    }
    return fail_at(j, -1, n < DEM_MAGIC_SIZE ? n : 0);
}

static int header(struct job *j)
{
    uint64_t size = size_from_here(j->in.fd);
    int64_t n = need(j, DEM_MAX_HEADER);

    if (n < 0)
        return -1;
    const uint8_t *p = dh_input_bytes(&j->in);
    if (dem_recognise(p, (size_t)n) != DEM_DEMO)
        return refuse(j, p, (size_t)n);
    if (dem_parse_header(&j->h, p, (size_t)n, size, j->e) < 0)
        return -1;
    dh_input_skip(&j->in, j->h.size);
    return j->sink->header ? j->sink->header(j->ctx, &j->h) : 0;
}

/* The next whole input: 1; 0: there is none; or an error. */
static int input(struct job *j, uint32_t tick, uint8_t slot)
{
    int64_t n = need(j, DEM_INPUT_SIZE);

    if (n < DEM_INPUT_SIZE)
        return n < 0 ? -1 : 0;
    int rc = j->sink->input ? j->sink->input(j->ctx, tick, slot, dh_input_bytes(&j->in)) : 0;
    if (rc < 0)
        return rc;
    dh_input_skip(&j->in, DEM_INPUT_SIZE);
    j->out->inputs++;
    return 1;
}

static int inputs(struct job *j)
{
    const struct dem_header *h = &j->h;
    bool counted = h->count > 0;
    uint32_t limit = counted ? (uint32_t)h->count : UINT32_MAX;
    int rc = 1;

    while (j->out->inputs < limit && rc > 0) {
        rc = input(j, j->out->ticks, h->chain[j->out->inputs % (uint32_t)h->nplayers]);
        j->out->ticks = j->out->inputs / (uint32_t)h->nplayers;
    }
    j->out->unclosed = !counted && j->out->inputs > 0;
    return rc < 0 ? rc : 0;
}

static int tail(struct job *j)
{
    for (;;) {
        int64_t n = need(j, DH_ORIGIN_MAX);
        if (n <= 0)
            return (int)n;
        int rc = j->sink->tail ? j->sink->tail(j->ctx, dh_input_bytes(&j->in), (size_t)n) : 0;
        if (rc < 0)
            return rc;
        dh_input_skip(&j->in, (size_t)n);
    }
}

static int read_all(struct job *j)
{
    int rc = header(j);
    if (rc < 0 || (rc = inputs(j)) < 0)
        return rc;
    uint64_t cut = j->in.offset;
    if ((rc = tail(j)) < 0)
        return rc;

    bool inside = j->in.offset > cut;
    if (j->out->inputs < (uint32_t)j->h.count) {
        dh_fail(j->e, DH_INCOMPLETE,
                "truncated: nInputCount says %" PRId32 " inputs, %" PRIu32 " found: the file ends %s", j->h.count,
                j->out->inputs, inside ? "inside one" : "after one");
        return fail_at(j, j->out->ticks, j->in.offset);
    }
    if (j->h.count == 0 && inside) {
        dh_fail(j->e, DH_INCOMPLETE,
                "truncated: never closed (nInputCount is 0), and the last of %" PRIu32 " inputs is cut",
                j->out->inputs + 1);
        return fail_at(j, j->out->ticks, j->in.offset);
    }
    return 0;
}

int dem_read(int fd, const struct dem_sink *sink, void *ctx, struct dem_outcome *out, struct dh_err *e)
{
    struct dh_err mine = {0};
    struct job j = {.sink = sink, .ctx = ctx, .out = out, .e = e ? e : &mine};

    *out = (struct dem_outcome){0};
    dh_input_init(&j.in, fd);
    int rc = read_all(&j);
    dh_input_free(&j.in);
    return rc;
}
