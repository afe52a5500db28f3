/* SPDX-License-Identifier: ISC */
/* A member of a zip archive, unpacked (APPNOTE 4.3.7, 4.4). */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "bytes.h"
#include "zip/inner.h"

enum { LOCAL_SIZE = 30, STORED = 0, DEFLATED = 8, ENCRYPTED = 1 };
enum { MOST_PER_BYTE = 1032 }; /* a byte of deflate stands for no more: 258 bytes take two bits at the least */

static const char unreadable[] = "cannot be read: encrypted, damaged, or packed in a way that is not known";

/* Where a member's packed bytes begin: behind a local header, whose name and extra field may differ from the
 * directory's. */
static int seek(const struct zip *z, const struct zip_member *m, uint64_t *at, struct dh_err *e)
{
    uint8_t local[LOCAL_SIZE];

    if (m->at > z->size || z->size - m->at < LOCAL_SIZE || zip_bytes_at(z->fd, local, sizeof local, m->at, e) < 0 ||
        memcmp(local, "PK\3\4", 4) != 0)
        return dh_fail(e, DH_TROUBLE, "%s", unreadable);
    struct dh_cur c = dh_cur(local + 26, 4);
    *at = m->at + LOCAL_SIZE + dh_get_u16(&c);
    *at += dh_get_u16(&c);
    if (*at > z->size || m->packed > z->size - *at)
        return dh_fail(e, DH_TROUBLE, "%s", unreadable);
    return 0;
}

static int stored(const struct zip *z, const struct zip_member *m, uint64_t at, struct dh_buf *b, struct dh_err *e)
{
    uint8_t *to = m->packed == m->size ? dh_buf_room(b, (size_t)m->size) : NULL;

    if (!to)
        return dh_fail(e, DH_TROUBLE, "%s", m->packed == m->size ? "out of memory" : unreadable);
    return zip_bytes_at(z->fd, to, (size_t)m->size, at, e);
}

static int deflated(const struct zip *z, const struct zip_member *m, uint64_t at, struct dh_buf *b, struct dh_err *e)
{
    if (m->size / MOST_PER_BYTE > m->packed)
        return dh_fail(e, DH_TROUBLE, "%s", unreadable);
    uint8_t *packed = malloc((size_t)m->packed + 1), *to = packed ? dh_buf_room(b, (size_t)m->size) : NULL;
    int rc = to ? zip_bytes_at(z->fd, packed, (size_t)m->packed, at, e) : dh_fail(e, DH_TROUBLE, "out of memory");

    if (rc == 0 && !zip_inflate(packed, (size_t)m->packed, to, (size_t)m->size))
        rc = dh_fail(e, DH_TROUBLE, "%s", unreadable);
    free(packed);
    return rc;
}

int zip_read(const struct zip *z, size_t i, uint64_t max, struct dh_buf *b, struct dh_err *e)
{
    const struct zip_member *m = &z->members[i];
    uint64_t at = 0;

    dh_buf_clear(b);
    if (m->flags & ENCRYPTED)
        return dh_fail(e, DH_TROUBLE, "%s", unreadable);
    if (m->size > max)
        return dh_fail(e, DH_TROUBLE, "too large for a demo: more than %llu bytes", (unsigned long long)max);
    if (m->method != STORED && m->method != DEFLATED)
        return zip_by_program(z, zip_name(z, i), max, b, e);
    if (seek(z, m, &at, e) < 0 || (m->method == STORED ? stored : deflated)(z, m, at, b, e) < 0)
        return -1;
    if (crc32_z(crc32_z(0, NULL, 0), b->p, (size_t)m->size) != m->crc)
        return dh_fail(e, DH_TROUBLE, "%s", unreadable);
    b->n = (size_t)m->size;
    return 0;
}
