/* SPDX-License-Identifier: ISC */
/* What was found as rows: what it is decides who reads it. */
#include "info/parts.h"

#include <unistd.h>

#include "walk/walk.h"

int info_fail(const char *name, const struct info_how *how, const struct dh_err *e)
{
    how->fail(how->ctx, name, e);
    return e->status;
}

int info_give(struct row *i, const char *name, const struct info_how *how)
{
    struct dh_err e;

    if (!row_failed(i))
        return how->give(how->ctx, i);
    dh_fail(&e, DH_TROUBLE, "out of memory");
    return info_fail(name, how, &e);
}

/* Streams and Blood's demos are read from files, whatever their length; what is in memory becomes one. */
static int from_file(const struct walk_found *f, struct row *i, const struct info_how *how)
{
    struct dh_err e;
    int fd = f->fd < 0 ? walk_aside(f->p, f->n, &e) : f->fd;

    if (fd < 0)
        return info_fail(f->name, how, &e);
    int status = (f->sort == WALK_STREAM ? info_stream : info_blood)(fd, i, f->name, how);
    if (f->fd < 0)
        close(fd);
    return status;
}

/* Demos of the Doom family are read in memory. */
static int from_memory(const struct walk_found *f, struct row *i, const struct info_how *how)
{
    struct lmp_view v;
    struct dh_err e;

    if (f->fd < 0)
        return info_doom(f->p, f->n, i, f->name, how);
    if (lmp_view_open(&v, f->fd, f->size, &e) < 0)
        return info_fail(f->name, how, &e);
    int status = info_doom(v.p, v.n, i, f->name, how);
    lmp_view_close(&v);
    return status;
}

int info_found(const struct walk_found *f, const struct info_how *how)
{
    struct row i = {.shape = &info_shape};

    row_string(&i, INFO_FILE, f->name);
    int status = (f->sort == WALK_OTHER ? from_memory : from_file)(f, &i, how);
    row_free(&i);
    return status;
}

static int give(void *ctx, const struct walk_found *f)
{
    return info_found(f, ctx);
}

static void fail(void *ctx, const char *name, const struct dh_err *e)
{
    const struct info_how *how = ctx;

    how->fail(how->ctx, name, e);
}

int info_operand(const char *operand, const struct info_how *how)
{
    const struct walk_how walk = {
        .all_lumps = how->all_lumps,
        .give = give,
        .fail = fail,
        .ctx = (void *)(uintptr_t)how,
    };

    return walk_operand(operand, &walk);
}
