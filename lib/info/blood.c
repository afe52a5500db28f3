/* SPDX-License-Identifier: ISC */
/* A Blood demo file as a row. */
#include "info/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dem/dem.h"
#include "info/facts.h"

struct job {
    struct dem_header h;
    bool headed;
    uint64_t tail;
};

static int header(void *ctx, const struct dem_header *h)
{
    struct job *j = ctx;

    j->h = *h;
    j->headed = true;
    return 0;
}

static int tail(void *ctx, const uint8_t *p, size_t n)
{
    struct job *j = ctx;

    (void)p;
    j->tail += n;
    return 0;
}

/* All numbers of the header have 1, 2 or 4 bytes; its texts have 16 or 144. */
static bool number(const void *ctx, bool option, const char *name, int64_t *v)
{
    size_t n = 0;
    const uint8_t *p = option ? NULL : dem_header_field(ctx, name, &n);
    uint32_t u = 0;

    if (!p || n > 4)
        return false;
    for (size_t k = 0; k < n; k++)
        u |= (uint32_t)p[k] << 8 * k;
    *v = n == 1 ? (int64_t)u : n == 2 ? (int16_t)u : (int32_t)u;
    return true;
}

static bool text(const void *ctx, bool option, const char *name, struct dh_str *s)
{
    size_t n = 0;
    const uint8_t *p = option ? NULL : dem_header_field(ctx, name, &n);

    if (!p || n <= 4)
        return false;
    const uint8_t *nul = memchr(p, '\0', n);
    *s = (struct dh_str){(const char *)p, nul ? (size_t)(nul - p) : n};
    return true;
}

static void fill(struct row *i, const struct job *j, const struct dem_outcome *out, bool good)
{
    const struct dem_header *h = &j->h;
    const struct facts f = {h, number, text, DEM_GAME};
    unsigned slots = 0;
    char version[16];

    row_string(i, INFO_FORMAT, "dem");
    row_string(i, INFO_GAME, DEM_GAME);
    snprintf(version, sizeof version, "%d.%02d", h->major, h->minor);
    row_string(i, INFO_DIALECT, version);
    facts_blood(i, &f);
    row_number(i, INFO_PLAYERS, h->nplayers);
    for (int k = 0; k < h->nplayers; k++)
        slots |= 1u << h->chain[k];
    for (int k = 0; k < DEM_MAX_PLAYERS; k++)
        if (slots >> k & 1)
            row_item(i, INFO_SLOTS, "%d", k);
    info_length(i, out->ticks, DEM_RATE);
    row_string(i, INFO_END, good ? "whole" : "truncated");
    if (h->unlike_version)
        row_item(i, INFO_NOTES, "the header %s nBuild, which the version would not", h->has_build ? "has" : "lacks");
    if (out->unclosed)
        row_item(i, INFO_NOTES, "never closed: the inputs were counted by the size");
    if (out->inputs % (uint32_t)h->nplayers)
        row_item(i, INFO_NOTES, "the last tick is not whole: inputs of %d of %d players",
                 (int)(out->inputs % (uint32_t)h->nplayers), h->nplayers);
    if (good && j->tail)
        row_item(i, INFO_NOTES, "%" PRIu64 " bytes after the last input", j->tail);
}

int info_blood(int fd, struct row *i, const char *name, const struct info_how *how)
{
    static const struct dem_sink sink = {header, NULL, tail};
    struct job j = {.headed = false};
    struct dem_outcome out;
    struct dh_err e;
    int rc = dem_read(fd, &sink, &j, &out, &e), status = DH_OK;

    if (j.headed && (rc == 0 || e.status == DH_INCOMPLETE)) {
        fill(i, &j, &out, rc == 0);
        status = info_give(i, name, how);
    }
    return rc < 0 && status >= 0 ? dh_worse(status, info_fail(name, how, &e)) : status;
}
