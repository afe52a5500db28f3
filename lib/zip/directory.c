/* SPDX-License-Identifier: ISC */
/* The directory of a zip archive: at its end, found from there backwards (APPNOTE 4.3.12, 4.3.14 to 4.3.16). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zip/inner.h"

enum { END_SIZE = 22, MAX_COMMENT = 65535, LOCATOR_SIZE = 20, END64_SIZE = 56, ENTRY_SIZE = 46 };
#define MAX_DIRECTORY ((uint64_t)64 << 20) /* some 700,000 members */

/* All n bytes at an offset. */
int zip_bytes_at(int fd, void *p, size_t n, uint64_t offset, struct dh_err *e)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(fd, (char *)p + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno));
        if (got == 0)
            return dh_fail(e, DH_TROUBLE, "the archive ends early");
        done += (size_t)got;
    }
    return 0;
}

/* Where the directory is said to be. */
struct place {
    uint64_t at, size, count;
    uint64_t end; /* where what follows it begins */
};

/* The place where one of 32 bits does not do; false: there is none, or it makes no sense. */
static bool large(const struct zip *z, struct place *d)
{
    uint8_t locator[LOCATOR_SIZE], end[END64_SIZE];

    if (d->end < LOCATOR_SIZE || zip_bytes_at(z->fd, locator, sizeof locator, d->end - LOCATOR_SIZE, NULL) < 0 ||
        memcmp(locator, "PK\6\7", 4) != 0)
        return false;
    struct dh_cur c = dh_cur(locator + 8, 8);
    uint64_t at = dh_get_u64(&c);
    if (at > z->size || z->size - at < END64_SIZE || zip_bytes_at(z->fd, end, sizeof end, at, NULL) < 0 ||
        memcmp(end, "PK\6\6", 4) != 0)
        return false;
    c = dh_cur(end + 32, 24);
    d->count = dh_get_u64(&c);
    d->size = dh_get_u64(&c);
    d->at = dh_get_u64(&c);
    d->end = at;
    return true;
}

static bool find(const struct zip *z, struct place *d, struct dh_err *e)
{
    size_t n = z->size < END_SIZE + MAX_COMMENT ? (size_t)z->size : END_SIZE + MAX_COMMENT;
    uint64_t from = z->size - n;
    uint8_t *p = malloc(n + 1);
    bool found = false;

    if (!p) {
        dh_fail(e, DH_TROUBLE, "out of memory");
        return false;
    }
    dh_fail(e, DH_TROUBLE, "no directory at its end");
    if (zip_bytes_at(z->fd, p, n, from, e) == 0)
        for (size_t i = n < END_SIZE ? 0 : n - END_SIZE + 1; i-- > 0 && !found;) {
            if (memcmp(p + i, "PK\5\6", 4) != 0)
                continue;
            struct dh_cur c = dh_cur(p + i + 10, 12);
            uint64_t count = dh_get_u16(&c), size = dh_get_u32(&c), at = dh_get_u32(&c);
            *d = (struct place){.at = at, .size = size, .count = count, .end = from + i};
            if (count == 0xffff || size == UINT32_MAX || at == UINT32_MAX)
                large(z, d);
            found = d->end >= d->size && d->at <= d->end - d->size;
        }
    free(p);
    return found;
}

/* Of the numbers that an entry has no room for, 64 bits each follow in a field of their own (4.5.3), in this order. */
static void large_numbers(struct zip_member *m, const uint8_t *p, size_t n)
{
    struct dh_cur c = dh_cur(p, n);

    while (!c.bad) {
        unsigned id = dh_get_u16(&c), size = dh_get_u16(&c);
        const uint8_t *field = dh_get_bytes(&c, size);
        if (!field || id != 1)
            continue;
        struct dh_cur v = dh_cur(field, size);
        if (m->size == UINT32_MAX)
            m->size = dh_get_u64(&v);
        if (m->packed == UINT32_MAX)
            m->packed = dh_get_u64(&v);
        if (m->at == UINT32_MAX)
            m->at = dh_get_u64(&v);
        return;
    }
}

/* The next entry; false where there is none. */
static bool entry(struct zip *z, struct dh_cur *c, uint64_t moved)
{
    const uint8_t *p = dh_get_bytes(c, ENTRY_SIZE);

    if (!p || memcmp(p, "PK\1\2", 4) != 0)
        return false;
    struct dh_cur f = dh_cur(p + 8, ENTRY_SIZE - 8);
    struct zip_member m = {.flags = dh_get_u16(&f)};
    m.method = dh_get_u16(&f);
    dh_get_u32(&f); /* time and date */
    m.crc = dh_get_u32(&f);
    m.packed = dh_get_u32(&f);
    m.size = dh_get_u32(&f);
    size_t nname = dh_get_u16(&f), nextra = dh_get_u16(&f), ncomment = dh_get_u16(&f);
    dh_get_u64(&f); /* disk, attributes */
    m.at = dh_get_u32(&f);
    const uint8_t *name = dh_get_bytes(c, nname), *extra = dh_get_bytes(c, nextra);
    dh_get_bytes(c, ncomment);
    if (c->bad)
        return false;
    large_numbers(&m, extra, nextra);
    m.at += moved;
    if (nname == 0 || name[nname - 1] == '/')
        return true;
    m.name = z->names.n;
    dh_put_bytes(&z->names, name, nname);
    dh_put_u8(&z->names, '\0');
    z->members[z->n++] = m;
    return true;
}

static int read_directory(struct zip *z, struct dh_err *e)
{
    struct place d = {0};

    if (!find(z, &d, e))
        return -1;
    /* What was put in front of an archive moves everything in it. */
    uint64_t moved = d.end - d.size - d.at;
    if (d.size > MAX_DIRECTORY)
        return dh_fail(e, DH_TROUBLE, "a directory of %llu bytes", (unsigned long long)d.size);
    uint8_t *p = malloc((size_t)d.size + 1);
    z->members = malloc(((size_t)d.size / ENTRY_SIZE + 1) * sizeof *z->members);
    int rc = p && z->members ? zip_bytes_at(z->fd, p, (size_t)d.size, d.at + moved, e)
                             : dh_fail(e, DH_TROUBLE, "out of memory");
    if (rc == 0) {
        struct dh_cur c = dh_cur(p, (size_t)d.size);
        uint64_t count = 0;
        while (count < d.count && entry(z, &c, moved))
            count++;
        z->whole = count == d.count;
    }
    free(p);
    return rc == 0 && z->names.failed ? dh_fail(e, DH_TROUBLE, "out of memory") : rc;
}

struct zip *zip_open(int fd, struct dh_err *e)
{
    struct zip *z = calloc(1, sizeof *z);
    struct stat st;

    if (!z) {
        dh_fail(e, DH_TROUBLE, "out of memory");
        return NULL;
    }
    z->fd = fd;
    int rc = fstat(fd, &st) == 0 ? 0 : dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno));
    if (rc == 0) {
        z->size = (uint64_t)st.st_size;
        rc = read_directory(z, e);
    }
    if (rc == 0)
        return z;
    zip_close(z);
    return NULL;
}

void zip_close(struct zip *z)
{
    if (!z)
        return;
    free(z->members);
    dh_buf_free(&z->names);
    free(z);
}

size_t zip_count(const struct zip *z)
{
    return z->n;
}

const char *zip_name(const struct zip *z, size_t i)
{
    return (const char *)z->names.p + z->members[i].name;
}

int64_t zip_find(const struct zip *z, const char *name)
{
    for (size_t i = 0; i < z->n; i++)
        if (strcmp(zip_name(z, i), name) == 0)
            return (int64_t)i;
    return -1;
}

bool zip_whole(const struct zip *z)
{
    return z->whole;
}
