/* SPDX-License-Identifier: ISC */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "bytes.h"
#include "chunk.h"

/* A chunk's head, and of a checkpoint's payload the tick and the form (dh-demo(5)); the state's bytes are passed over.
 */
enum { LOOK = DH_CHUNK_HEAD + 5, WINDOW = 64 << 10 };

struct scan {
    int fd;
    uint8_t *p;
    uint64_t at; /* of p in the file */
    size_t have;
};

/* Up to LOOK bytes at an offset: their number, or -1 with errno. */
static ssize_t look(struct scan *s, uint64_t offset, const uint8_t **p)
{
    if (offset < s->at || offset + LOOK > s->at + s->have) {
        s->at = offset;
        s->have = 0;
        while (s->have < LOOK) {
            ssize_t n = pread(s->fd, s->p + s->have, WINDOW - s->have, (off_t)(offset + s->have));

            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return -1;
            if (n == 0)
                break;
            s->have += (size_t)n;
        }
    }
    size_t left = (size_t)(s->at + s->have - offset);
    *p = s->p + (offset - s->at);
    return left < LOOK ? (ssize_t)left : LOOK;
}

static int add(struct dh_index *ix, uint32_t tick, uint64_t offset, bool full_state)
{
    if ((ix->n & (ix->n - 1)) == 0) {
        struct dh_index_entry *grown = realloc(ix->entries, (ix->n ? ix->n * 2 : 1) * sizeof *grown);

        if (!grown)
            return -1;
        ix->entries = grown;
    }
    ix->entries[ix->n++] = (struct dh_index_entry){tick, offset, full_state};
    return 0;
}

static int failed_at(struct dh_err *e, uint64_t offset)
{
    if (e)
        e->offset = offset;
    return -1;
}

static int scan(struct scan *s, uint64_t offset, off_t size, struct dh_index *ix, struct dh_err *e)
{
    const uint8_t *p;
    ssize_t n = look(s, offset, &p);

    if (n >= DH_MAGIC_SIZE && (memcmp(p, DH_MAGIC, 4) != 0 || dh_load32(p + 4) != 1)) {
        dh_fail(e, DH_TROUBLE, "expected DHDM and format version 1: an index is made from the binary encoding");
        return failed_at(e, offset);
    }
    for (offset += DH_MAGIC_SIZE; n >= DH_CHUNK_HEAD; offset += DH_CHUNK_HEAD) {
        uint32_t length;

        n = look(s, offset, &p);
        if (n < DH_CHUNK_HEAD)
            break;
        if (dh_chunk_length(p, &length, e) < 0)
            return failed_at(e, offset);
        if ((uint64_t)size < offset + DH_CHUNK_HEAD + length)
            return 0;
        if (p[0] == DH_CHECKPOINT && length >= 5 && n == LOOK &&
            add(ix, dh_load32(p + DH_CHUNK_HEAD), offset, p[DH_CHUNK_HEAD + 4] == 0) < 0)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        if (p[0] == DH_END) {
            ix->complete = true;
            return 0;
        }
        offset += length;
    }
    return n < 0 ? dh_fail(e, DH_TROUBLE, "read failed: %s", strerror(errno)) : 0;
}

int dh_index_scan(int fd, struct dh_index *ix, struct dh_err *e)
{
    struct scan s = {.fd = fd};
    off_t start = lseek(fd, 0, SEEK_CUR), size = start < 0 ? -1 : lseek(fd, 0, SEEK_END);

    *ix = (struct dh_index){0};
    /* pread moves nothing; only finding the size did. */
    if (size < 0 || lseek(fd, start, SEEK_SET) < 0)
        return dh_fail(e, DH_TROUBLE, "cannot seek: %s", strerror(errno));
    s.p = malloc(WINDOW);
    if (!s.p)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    int result = scan(&s, (uint64_t)start, size, ix, e);
    free(s.p);
    if (result < 0)
        dh_index_free(ix);
    return result;
}

const struct dh_index_entry *dh_index_find(const struct dh_index *ix, uint32_t tick)
{
    size_t lo = 0, hi = ix->n; /* entries below lo are at or before tick, from hi on after it */

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (ix->entries[mid].tick <= tick)
            lo = mid + 1;
        else
            hi = mid;
    }
    while (lo > 0 && !ix->entries[lo - 1].full)
        lo--;
    return lo ? &ix->entries[lo - 1] : NULL;
}

void dh_index_free(struct dh_index *ix)
{
    free(ix->entries);
    *ix = (struct dh_index){0};
}
