/* SPDX-License-Identifier: ISC */
/* Demos in WADs. */
#include "info/parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lmp/lmp.h"

struct job {
    int fd;
    const char *name;
    const struct info_how *how;
    int status;
    int found;
};

/* A lump of another name is one only if a dialect's signature says so, and all of it can be read: any byte could be the
 * version of the older ones. */
static bool signed_demo(int fd, uint64_t offset, uint64_t size)
{
    uint8_t p[2];
    struct lmp_view v;
    struct lmp_demo *d = NULL;

    if (size < 16 || pread(fd, p, sizeof p, (off_t)offset) != sizeof p || p[0] < 200 ||
        !(p[1] == 0x1d || (p[0] == 255 && strchr("PEO", p[1]) && p[1])))
        return false;
    if (lseek(fd, (off_t)offset, SEEK_SET) < 0 || lmp_view_open(&v, fd, size, NULL) < 0)
        return false;
    bool good = lmp_examine(&d, v.p, v.n, NULL, NULL) == 0 && d->marker;
    lmp_demo_free(d);
    lmp_view_close(&v);
    return good;
}

static int lump(void *ctx, const char *name, uint64_t offset, uint64_t size, struct dh_err *e)
{
    struct job *j = ctx;
    char whole[4096];

    (void)e;
    if (strncasecmp(name, "DEMO", 4) != 0 && !signed_demo(j->fd, offset, size))
        return 0;
    if (snprintf(whole, sizeof whole, "%s:%s", j->name, name) >= (int)sizeof whole)
        return 0;
    j->found++;
    int rc = lseek(j->fd, (off_t)offset, SEEK_SET) < 0 ? info_errno(whole, j->how, "cannot seek", errno)
                                                       : info_read(j->fd, size, whole, j->how);
    j->status = rc < 0 ? rc : dh_worse(j->status, rc);
    return rc < 0 ? -1 : 0;
}

int info_wad(int fd, const char *name, const char *one, const struct info_how *how)
{
    struct job j = {.fd = fd, .name = name, .how = how};
    struct dh_err e;
    char whole[4096];
    uint64_t size;

    if (one) {
        snprintf(whole, sizeof whole, "%s:%s", name, one);
        return lmp_seek_lump(fd, one, &size, &e) < 0 ? info_fail(whole, how, &e) : info_read(fd, size, whole, how);
    }
    if (lmp_each_lump(fd, lump, &j, &e) < 0)
        return j.status < 0 ? j.status : dh_worse(j.status, info_fail(name, how, &e));
    if (j.found == 0) {
        dh_fail(&e, DH_INCOMPLETE, "a WAD without demos in it");
        return info_fail(name, how, &e);
    }
    return j.status;
}
