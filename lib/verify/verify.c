/* SPDX-License-Identifier: ISC */
/* What there is to do, found out beforehand; each piece of it done by whoever takes it; all of it told in order. */
#include "verify/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "io.h"
#include "verify/inner.h"
#include "verify/pool.h"

enum sort {
    OPERAND,
    MEMBER,  /* number i of an archive */
    BYTES,   /* of a pipe, in memory */
    FAILURE, /* found when it was looked for */
};

struct unit {
    enum sort sort;
    char *name;
    char *archive; /* MEMBER: shared by all of an archive */
    size_t i;
    struct dh_buf *bytes; /* BYTES: the content; FAILURE: a message */
};

struct verify {
    const struct verify_how *how;
    struct chooser *chooser;
    struct replay_kit kit;
    struct unit *units;
    size_t n, cap;
    bool failed; /* out of memory while it was looked */

    /* in a worker: the archive that is open, and where its output goes */
    char *archive;
    int fd;
    struct zip *zip;
    struct dh_buf *out;

    /* in the process that asked */
    const struct verify_run *run;
    struct row row;
    int status;
};

struct verify *verify_new(const struct verify_how *how, struct dh_err *e)
{
    struct verify *v = calloc(1, sizeof *v);

    if (!v) {
        dh_fail(e, DH_TROUBLE, "out of memory");
        return NULL;
    }
    v->how = how;
    v->fd = -1;
    v->row.shape = &verify_shape;
    v->chooser = chooser_new(how, e);
    if (v->chooser)
        return v;
    free(v);
    return NULL;
}

static void leave_archive(struct verify *v)
{
    zip_close(v->zip);
    v->zip = NULL;
    if (v->fd >= 0)
        close(v->fd);
    v->fd = -1;
    v->archive = NULL;
}

void verify_free(struct verify *v)
{
    if (!v)
        return;
    leave_archive(v);
    for (size_t i = 0; i < v->n; i++) {
        if (i + 1 == v->n || v->units[i].archive != v->units[i + 1].archive)
            free(v->units[i].archive);
        free(v->units[i].name);
        if (v->units[i].bytes)
            dh_buf_free(v->units[i].bytes);
        free(v->units[i].bytes);
    }
    free(v->units);
    chooser_free(v->chooser);
    replay_kit_free(&v->kit);
    row_free(&v->row);
    free(v);
}

/* ---- what there is to do ----------------------------------------------------------------------------------------- */

static struct unit *add(struct verify *v, enum sort sort, const char *name)
{
    if (v->n == v->cap) {
        size_t cap = v->cap ? v->cap * 2 : 64;
        struct unit *units = realloc(v->units, cap * sizeof *units);
        if (!units) {
            v->failed = true;
            return NULL;
        }
        v->units = units;
        v->cap = cap;
    }
    struct unit *u = &v->units[v->n];
    *u = (struct unit){.sort = sort, .name = strdup(name)};
    if (!u->name) {
        v->failed = true;
        return NULL;
    }
    v->n++;
    return u;
}

static struct dh_buf *add_bytes(struct verify *v, enum sort sort, const char *name)
{
    struct dh_buf *b = calloc(1, sizeof *b);
    struct unit *u = b ? add(v, sort, name) : NULL;

    v->failed |= !b;
    if (u)
        u->bytes = b;
    else
        free(b);
    return u ? b : NULL;
}

static bool wanted(void *ctx, const char *name, const char *zip, size_t i)
{
    struct verify *v = ctx;
    struct unit *u = add(v, zip ? MEMBER : OPERAND, name);

    if (u && zip) {
        const char *last = v->n > 1 ? u[-1].archive : NULL;
        u->i = i;
        u->archive = last && strcmp(last, zip) == 0 ? u[-1].archive : strdup(zip);
        v->failed |= !u->archive;
    }
    return false;
}

static void failed(void *ctx, const char *name, const struct dh_err *e)
{
    struct dh_buf *b = add_bytes(ctx, FAILURE, name);

    if (b)
        message_fail(b, name, e);
    if (b)
        message_status(b, e->status);
}

/* All that a pipe gives. */
static void take_in(struct verify *v, int fd, const char *name)
{
    struct dh_buf *b = add_bytes(v, BYTES, name);
    struct dh_err e;

    if (!b || dh_read_rest(fd, b, WALK_MAX_MEMBER, "a demo", &e) == 0)
        return;
    v->failed |= b->failed;
    v->units[v->n - 1].sort = FAILURE;
    dh_buf_clear(b);
    message_fail(b, name, &e);
    message_status(b, e.status);
}

static bool is_pipe(const struct stat *st)
{
    return S_ISFIFO(st->st_mode) || S_ISCHR(st->st_mode) || S_ISSOCK(st->st_mode);
}

int verify_add(struct verify *v, const char *operand, struct dh_err *e)
{
    const struct walk_how how = {.all_lumps = v->how->all_lumps, .wanted = wanted, .fail = failed, .ctx = v};
    bool in = strcmp(operand, "-") == 0;
    struct stat st;

    if (in || (stat(operand, &st) == 0 && is_pipe(&st))) {
        int fd = in ? STDIN_FILENO : open(operand, O_RDONLY | O_CLOEXEC);
        struct dh_err why;
        if (fd < 0) {
            dh_fail(&why, DH_TROUBLE, "cannot open: %s", strerror(errno));
            failed(v, operand, &why);
        } else
            take_in(v, fd, operand);
        if (fd > STDERR_FILENO)
            close(fd);
    } else
        walk_operand(operand, &how);
    return v->failed ? dh_fail(e, DH_TROUBLE, "out of memory") : 0;
}

/* ---- in a worker ------------------------------------------------------------------------------------------------- */

static void put_row(void *ctx, const struct row *r)
{
    const struct verify *v = ctx;

    message_row(v->out, r);
}

static void put_fail(void *ctx, const char *name, const struct dh_err *e)
{
    const struct verify *v = ctx;

    message_fail(v->out, name, e);
}

static int found(void *ctx, const struct walk_found *f)
{
    struct verify *v = ctx;
    const struct sink to = {.row = put_row, .fail = put_fail, .ctx = v};

    return demo_verify(v->chooser, &v->kit, f, v->archive ? v->archive : f->name, &to);
}

/* An archive stays open until another is entered: its members come one after the other. */
static int member(struct verify *v, const struct unit *u, const struct walk_how *how)
{
    struct dh_err e;

    if (!v->archive || strcmp(v->archive, u->archive) != 0) {
        leave_archive(v);
        v->fd = open(u->archive, O_RDONLY | O_CLOEXEC);
        v->zip = v->fd < 0 ? NULL : zip_open(v->fd, &e);
        if (v->zip)
            v->archive = u->archive;
    }
    if (v->zip && u->i < zip_count(v->zip))
        return walk_member(v->zip, u->i, u->archive, how);
    dh_fail(&e, DH_TROUBLE, "it changed, or went away, while it was read");
    put_fail(v, u->name, &e);
    return e.status;
}

static void job(void *ctx, size_t i, struct dh_buf *out)
{
    struct verify *v = ctx;
    const struct unit *u = &v->units[i];
    const struct walk_how how = {.all_lumps = v->how->all_lumps, .give = found, .fail = put_fail, .ctx = v};

    v->out = out;
    switch (u->sort) {
    case OPERAND:
        leave_archive(v);
        message_status(out, walk_operand(u->name, &how));
        break;
    case MEMBER:
        message_status(out, member(v, u, &how));
        break;
    case BYTES:
        leave_archive(v);
        message_status(out, walk_bytes(u->bytes->p, u->bytes->n, u->name, &how));
        break;
    case FAILURE:
        dh_put_bytes(out, u->bytes->p, u->bytes->n);
        break;
    }
}

void verify_work(struct verify *v, void *worker)
{
    pool_work(worker, job, v);
}

/* ---- in the process that asked ----------------------------------------------------------------------------------- */

static void lost(struct verify *v, size_t i, const char *how)
{
    const char *name = v->units[i].name;
    struct dh_err e;

    dh_fail(&e, DH_TROUBLE, "the process that replayed it %s", how);
    row_clear(&v->row);
    row_string(&v->row, VERIFY_VERDICT, "unplayable");
    row_string(&v->row, VERIFY_FILE, name);
    row_item(&v->row, VERIFY_NOTES, "%s", e.msg);
    v->run->row(v->run->ctx, &v->row);
    v->run->fail(v->run->ctx, name, &e);
    v->status = dh_worse(v->status, e.status);
}

static void died(void *ctx, size_t i, int signal)
{
    char how[128];

    snprintf(how, sizeof how, signal ? "died: %s" : "ended early", strsignal(signal));
    lost(ctx, i, how);
}

static void done(void *ctx, size_t i, const uint8_t *p, size_t n)
{
    struct verify *v = ctx;
    const struct sink to = {.row = v->run->row, .fail = v->run->fail, .ctx = v->run->ctx};
    int status = message_read(p, n, &v->row, &to);

    if (status < 0)
        lost(v, i, "says what makes no sense");
    else
        v->status = dh_worse(v->status, status);
}

static void child(void *ctx, void *worker)
{
    struct verify *v = ctx;

    v->run->child(v->run->ctx, v, worker);
}

int verify_run(struct verify *v, int workers, const struct verify_run *run, struct dh_err *e)
{
    struct pool_how how = {.n = v->n, .workers = workers, .done = done, .died = died, .child = child, .ctx = v};

    if ((size_t)workers > v->n)
        how.workers = (int)v->n;
    v->run = run;
    v->status = DH_OK;
    if (v->n > 0 && pool_run(&how, e) < 0)
        return -1;
    return v->status;
}
