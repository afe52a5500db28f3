/* SPDX-License-Identifier: ISC */
#include "dem/header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* nBuild came with 1.10 ("Blood's .DEM file format (1.10 and above)"). */
enum { BUILD_SINCE_MINOR = 10, LAST_MINOR = 21 };

static const char magics[][DEM_MAGIC_SIZE + 1] = {"DEM\x1a", "EDM\x1a"};

enum dem_magic dem_recognise(const uint8_t *p, size_t n)
{
    if (n < DEM_MAGIC_SIZE)
        return DEM_NOT;
    return memcmp(p, magics[0], DEM_MAGIC_SIZE) == 0   ? DEM_DEMO
           : memcmp(p, magics[1], DEM_MAGIC_SIZE) == 0 ? DEM_PRIVATE
                                                       : DEM_NOT;
}

size_t dem_header_size(bool has_build)
{
    struct dem_fields f = dem_header_fields(has_build);
    size_t size = DEM_MAGIC_SIZE;

    for (int i = 0; i < f.n; i++)
        size += f.list[i].size;
    return size;
}

static struct dem_fields fields_of(const struct dem_header *h)
{
    return dem_header_fields(h->has_build);
}

const uint8_t *dem_header_field(const struct dem_header *h, const char *name, size_t *n)
{
    int at = dem_offset(fields_of(h), name, n);
    return at < 0 ? NULL : h->bytes + DEM_MAGIC_SIZE + at;
}

/* A number of up to 32 bits by its name; of the signed ones this is the value. */
static int32_t number(const struct dem_header *h, const char *name)
{
    size_t n = 0;
    const uint8_t *p = dem_header_field(h, name, &n);
    uint32_t v = 0;

    for (size_t i = 0; p && i < n; i++)
        v |= (uint32_t)p[i] << 8 * i;
    return n == 2 ? (int16_t)v : (int32_t)v;
}

static uint64_t offset_of(const struct dem_header *h, const char *name)
{
    size_t n;
    return (uint64_t)DEM_MAGIC_SIZE + (uint64_t)dem_offset(fields_of(h), name, &n);
}

int dem_walk_chain(int head, const int next[DEM_MAX_PLAYERS], uint8_t chain[DEM_MAX_PLAYERS], int *bad)
{
    unsigned seen = 0;
    int n = 0;

    for (int at = head; at >= 0; at = next[at]) {
        *bad = at;
        if (at >= DEM_MAX_PLAYERS || seen >> at & 1)
            return 0;
        seen |= 1u << at;
        chain[n++] = (uint8_t)at;
    }
    *bad = head;
    return n;
}

/* What the layout makes of the bytes, in the order in which it is asked for. */
static int check(struct dem_header *h, struct dh_err *e)
{
    int next[DEM_MAX_PLAYERS], bad;

    h->count = number(h, "nInputCount");
    if (h->count < 0) {
        dh_fail(e, DH_TROUBLE, "nInputCount is %" PRId32 ": expected the number of inputs", h->count);
        e->offset = offset_of(h, "nInputCount");
        return -1;
    }
    int32_t players = number(h, "nNetPlayers");
    if (players < 1 || players > DEM_MAX_PLAYERS) {
        dh_fail(e, DH_TROUBLE, "nNetPlayers is %" PRId32 ": expected 1 to %d", players, DEM_MAX_PLAYERS);
        e->offset = offset_of(h, "nNetPlayers");
        return -1;
    }
    for (int i = 0; i < DEM_MAX_PLAYERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "connectPoint%d", i);
        next[i] = number(h, name);
    }
    h->nplayers = dem_walk_chain(number(h, "nConnectHead"), next, h->chain, &bad);
    if (h->nplayers != players) {
        if (h->nplayers == 0 && bad >= 0)
            dh_fail(e, DH_TROUBLE, "the chain of players comes to slot %d, which %s", bad,
                    bad >= DEM_MAX_PLAYERS ? "there is not: expected 0 to 7, or negative at the end"
                                           : "it has been at: expected another one, or a negative end");
        else
            dh_fail(e, DH_TROUBLE, "the chain of players has %d: expected %" PRId32 ", as nNetPlayers says",
                    h->nplayers, players);
        e->offset = offset_of(h, "nConnectHead");
        return -1;
    }
    return 0;
}

int dem_read_layout(struct dem_header *h, bool has_build, const uint8_t *p, size_t n, struct dh_err *e)
{
    memset(h, 0, sizeof *h);
    h->has_build = has_build;
    h->size = dem_header_size(has_build);
    if (n < h->size) {
        dh_fail(e, DH_INCOMPLETE, "truncated: the header takes %zu bytes, %zu found", h->size, n);
        e->offset = n;
        return -1;
    }
    memcpy(h->bytes, p, h->size);
    h->minor = p[DEM_MAGIC_SIZE];
    h->major = p[DEM_MAGIC_SIZE + 1];
    if (h->major != 1 || h->minor > LAST_MINOR) {
        dh_fail(e, DH_TROUBLE, "version %d.%02d: expected 1.00 to 1.%d", h->major, h->minor, LAST_MINOR);
        e->offset = DEM_MAGIC_SIZE;
        return -1;
    }
    h->unlike_version = has_build != (h->minor >= BUILD_SINCE_MINOR);
    h->build = has_build ? number(h, "nBuild") : -1;
    return check(h, e);
}

static bool fits(const struct dem_header *h, uint64_t file_size)
{
    return file_size != DEM_SIZE_UNKNOWN && file_size == h->size + (uint64_t)h->count * DEM_INPUT_SIZE;
}

/* The version says which layout; but it is known of few versions, and what the bytes say weighs more: a layout in which
 * players and chain agree, and if both have that, the one that fits the file's size to the byte. */
int dem_parse_header(struct dem_header *h, const uint8_t *p, size_t n, uint64_t file_size, struct dh_err *e)
{
    bool by_version = n <= DEM_MAGIC_SIZE || p[DEM_MAGIC_SIZE] >= BUILD_SINCE_MINOR;
    struct dem_header other;
    struct dh_err why;

    int good = dem_read_layout(h, by_version, p, n, e);
    int other_good = dem_read_layout(&other, !by_version, p, n, &why);
    if (other_good == 0 && (good < 0 || (fits(&other, file_size) && !fits(h, file_size)))) {
        *h = other;
        good = 0;
    }
    return good;
}
