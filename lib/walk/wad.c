/* SPDX-License-Identifier: ISC */
/* Demos in WADs. */
#include "walk/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lmp/lmp.h"

struct job {
    const struct walk_found *wad;
    const struct walk_how *how;
    int status;
    int found;
};

/* A lump of another name is one only if a dialect's signature says so, and all of it can be read: any byte could be the
 * version of the older ones. */
static bool is_signed(const uint8_t *p, size_t n)
{
    struct lmp_demo *d = NULL;

    if (n < 2 || p[0] < 200 || !(p[1] == 0x1d || (p[0] == 255 && strchr("PEO", p[1]) && p[1])))
        return false;
    bool good = lmp_examine(&d, p, n, NULL, NULL) == 0 && d->marker;
    lmp_demo_free(d);
    return good;
}

static bool signed_demo(const struct walk_found *wad, uint64_t offset, uint64_t size)
{
    uint8_t p[2];
    struct lmp_view v;

    if (size < 16)
        return false;
    if (wad->fd < 0)
        return is_signed(wad->p + offset, (size_t)size);
    if (pread(wad->fd, p, 2, (off_t)offset) != 2 || p[0] < 200)
        return false;
    if (lseek(wad->fd, (off_t)offset, SEEK_SET) < 0 || lmp_view_open(&v, wad->fd, size, NULL) < 0)
        return false;
    bool good = is_signed(v.p, v.n);
    lmp_view_close(&v);
    return good;
}

static int give(struct job *j, const char *name, uint64_t offset, uint64_t size)
{
    struct walk_found f = *j->wad;

    f.name = name;
    f.sort = WALK_OTHER;
    f.size = size;
    if (f.fd < 0) {
        f.p += size > 0 ? offset : 0; /* where an empty one is, nothing says */
        f.n = (size_t)size;
    } else if (lseek(f.fd, (off_t)offset, SEEK_SET) < 0)
        return walk_errno(name, j->how, "cannot seek", errno);
    return j->how->give(j->how->ctx, &f);
}

static int lump(void *ctx, const char *lump, uint64_t offset, uint64_t size, struct dh_err *e)
{
    struct job *j = ctx;

    if (strncasecmp(lump, "DEMO", 4) != 0 && !signed_demo(j->wad, offset, size))
        return 0;
    char *name = walk_name(j->wad->name, lump);
    if (!name)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    j->found++;
    int rc = give(j, name, offset, size);
    free(name);
    j->status = rc < 0 ? rc : dh_worse(j->status, rc);
    return rc < 0 ? -1 : 0;
}

static int all(struct job *j)
{
    const struct walk_found *w = j->wad;
    struct dh_err e;
    int rc = w->fd < 0 ? lmp_each_lump_in(w->p, w->n, lump, j, &e) : lmp_each_lump(w->fd, lump, j, &e);

    if (rc < 0)
        return j->status < 0 ? j->status : dh_worse(j->status, walk_fail(w->name, j->how, &e));
    if (j->found > 0)
        return j->status;
    dh_fail(&e, DH_INCOMPLETE, "a WAD without demos in it");
    return walk_fail(w->name, j->how, &e);
}

int walk_wad(const struct walk_found *f, const char *one, const struct walk_how *how)
{
    struct job j = {.wad = f, .how = how};
    struct dh_err e;
    uint64_t size;

    if (!one)
        return all(&j);
    if (lmp_seek_lump(f->fd, one, &size, &e) < 0)
        return walk_fail(f->name, how, &e);
    off_t at = lseek(f->fd, 0, SEEK_CUR);
    return at < 0 ? walk_errno(f->name, how, "cannot seek", errno) : give(&j, f->name, (uint64_t)at, size);
}
