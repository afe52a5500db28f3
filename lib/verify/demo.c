/* SPDX-License-Identifier: ISC */
/* One demo: what it is, what it needs, what becomes of it. */
#include <string.h>

#include "verify/inner.h"

/* A note in front of the others. */
static void note_first(struct row *r, const char *text)
{
    struct dh_buf rest = r->v[VERIFY_NOTES];

    r->v[VERIFY_NOTES] = (struct dh_buf){0};
    row_item(r, VERIFY_NOTES, "%s", text);
    dh_put_bytes(&r->v[VERIFY_NOTES], rest.p, rest.n);
    r->v[VERIFY_NOTES].failed |= rest.failed;
    dh_buf_free(&rest);
}

static int give(struct row *r, const char *name, const struct sink *to)
{
    struct dh_err e;

    if (!row_failed(r)) {
        to->row(to->ctx, r);
        return DH_OK;
    }
    dh_fail(&e, DH_TROUBLE, "out of memory");
    to->fail(to->ctx, name, &e);
    return DH_TROUBLE;
}

static int unplayable(struct row *r, const char *name, const struct dh_err *e, const struct sink *to)
{
    char why[sizeof e->msg + 64];

    dh_err_format(e, why, sizeof why);
    row_string(r, VERIFY_VERDICT, "unplayable");
    note_first(r, why);
    int status = give(r, name, to);
    to->fail(to->ctx, name, e);
    return dh_worse(status, e->status);
}

/* What there is no need to look at the files for. */
static const struct dh_world_ops *world_of(const struct lmp_demo *d, struct dh_err *e)
{
    const struct dh_world_ops *ops = dh_world_find((struct dh_str){d->game, strlen(d->game)});

    if (!ops)
        dh_fail(e, DH_TROUBLE, "%s: there is no world to replay it in", (d->wrapper ? d->wrapper : d->dialect)->name);
    if (!ops || !d->nhead)
        return ops;
    dh_fail(e, DH_TROUBLE, "it starts from a key frame, not with a level");
    return NULL;
}

static int replay(struct chooser *c, struct replay_kit *kit, const struct subject *s, struct row *row, struct dh_err *e)
{
    struct replay r = {.demo = s->demo, .begin = s->begin, .ops = world_of(s->demo, e)};
    struct choice choice;

    if (!r.ops)
        return -1;
    int rc = choose(c, s, &choice, row, VERIFY_NOTES, e);
    if (rc == 0) {
        columns_choice(row, &choice);
        r.files = choice.files;
        r.nfiles = choice.content.n;
        r.settings = choice.settings;
        rc = replay_run(&r, kit, e);
        columns_replay(row, &r, &kit->levels, rc == 0);
    }
    choice_free(&choice);
    return rc;
}

static int examined(struct chooser *c, struct replay_kit *kit, const struct walk_found *f, const char *archive,
                    const struct lmp_demo *d, struct row *row, const struct sink *to)
{
    struct lmp_beginning begin;
    struct subject s = {.found = f, .archive = archive, .demo = d, .begin = &begin};
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};

    columns_demo(row, d);
    if (d->also[0])
        row_item(row, VERIFY_NOTES, "%s", d->also);
    int rc = lmp_begin(&begin, d, &e);
    if (rc == 0) {
        rc = replay(c, kit, &s, row, &e);
        lmp_beginning_free(&begin);
    }
    if (rc < 0)
        return unplayable(row, f->name, &e, to);
    int status = give(row, f->name, to);
    if (d->marker)
        return status;
    dh_fail(&e, DH_INCOMPLETE, "truncated: no end marker (0x80)");
    e.tick = d->ticks;
    e.offset = d->n;
    to->fail(to->ctx, f->name, &e);
    return dh_worse(status, e.status);
}

static int bytes(struct chooser *c, struct replay_kit *kit, const struct walk_found *f, const char *archive,
                 const uint8_t *p, size_t n, struct row *row, const struct sink *to)
{
    struct lmp_demo *d = NULL;
    struct dh_err e;
    int status;

    if (lmp_examine(&d, p, n, NULL, &e) == 0)
        status = examined(c, kit, f, archive, d, row, to);
    else if (n > 0)
        status = unplayable(row, f->name, &e, to);
    else {
        to->fail(to->ctx, f->name, &e); /* nothing is no demo */
        status = e.status;
    }
    lmp_demo_free(d);
    return status;
}

int demo_verify(struct chooser *c, struct replay_kit *kit, const struct walk_found *f, const char *archive,
                const struct sink *to)
{
    struct row row = {.shape = &verify_shape};
    struct lmp_view v = {0};
    struct dh_err e;
    int status;

    row_string(&row, VERIFY_FILE, f->name);
    if (f->sort != WALK_OTHER) {
        dh_fail(&e, DH_TROUBLE,
                f->sort == WALK_STREAM ? "a record stream: dhsim(1) replays it, and dhdiff(1) compares"
                                       : "a Blood demo: there is no world to replay it in");
        status = unplayable(&row, f->name, &e, to);
    } else if (f->fd < 0)
        status = bytes(c, kit, f, archive, f->p, f->n, &row, to);
    else if (lmp_view_open(&v, f->fd, f->size, &e) == 0) {
        status = bytes(c, kit, f, archive, v.p, v.n, &row, to);
        lmp_view_close(&v);
    } else {
        to->fail(to->ctx, f->name, &e);
        status = e.status;
    }
    row_free(&row);
    return status;
}
