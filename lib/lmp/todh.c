/* SPDX-License-Identifier: ISC */
/* A demo file read into a record stream. */
#include "lmp/lmp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmp/begin.h"
#include "lmp/examine.h"
#include "lmp/source.h"

struct job {
    struct lmp_source src;
    struct dh_writer *w;
    const struct lmp_how *how;
    struct lmp_demo *d;
    uint64_t stated_end; /* 0: the marker is looked for */
    bool states;
    uint32_t tick;
    struct dh_buf record;
    struct dh_buf held[LMP_MAX_PLAYERS]; /* repair: the inputs of a tic that may not become whole */
    int nheld;
    bool writer_failed; /* then its error counts, not e */
    struct dh_err *e;
};

static int fail_at(struct job *j, int64_t tick, uint64_t offset)
{
    j->e->tick = tick;
    j->e->offset = offset;
    return -1;
}

__attribute__((format(printf, 2, 3))) static void note(struct job *j, const char *fmt, ...)
{
    char text[512];
    va_list ap;

    if (!j->how->note)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    j->how->note(j->how->arg, text);
}

static int put(struct job *j, int kind, struct dh_buf *record)
{
    if (record->failed)
        return dh_fail(j->e, DH_TROUBLE, "out of memory");
    j->writer_failed = dh_write_payload(j->w, kind, record->p, record->n) < 0;
    dh_buf_clear(record);
    return j->writer_failed ? -1 : 0;
}

/* ---- what it is -------------------------------------------------------------------------------------------------- */

/* From a running engine: as soon as the header is there. What only the rest of the file would tell is then not told. */
static int recognise_live(struct job *j)
{
    for (size_t want = 1;; want++) {
        int64_t n = lmp_source_peek(&j->src, want, j->e);
        if (n < 0)
            return -1;
        bool whole = n < (int64_t)want;
        size_t have = whole ? (size_t)n : j->src.n - j->src.at;
        if (lmp_examine_part(&j->d, lmp_source_bytes(&j->src), have, false, j->how, j->e) == 0)
            break;
        if (whole || j->e->status != DH_INCOMPLETE)
            return -1;
        want = have;
    }
    if (j->d->wrapper == NULL && j->d->p[0] <= 4 && !j->how->dialect) {
        dh_fail(j->e, DH_TROUBLE,
                "begins with byte %d: which dialect that is only the whole file tells (--dialect "
                "settles it)",
                j->d->p[0]);
        return fail_at(j, -1, 0);
    }
    return 0;
}

/* Whether a demo without a version has a move beyond what 1.2 cuts moves off at: then it is of 1.0 or 1.1, whose unit
 * is smaller (dh-dialects(7)). By the executables' sources as gamesrc-ver-recreation has them, G_BuildTiccmd. */
static bool before_1_2(const struct lmp_demo *d)
{
    enum { MOST = 50 };
    struct lmp_walk w = lmp_walk(d);

    if (d->wrapper || strcmp(d->dialect->id, "doom12") != 0)
        return false;
    while (lmp_next(&w))
        if (abs(w.v[LMP_FORWARD]) > MOST || abs(w.v[LMP_SIDE]) > MOST)
            return true;
    return false;
}

static int recognise(struct job *j, const struct lmp_view *v)
{
    if (lmp_examine_part(&j->d, v->p, v->n, v->whole, j->how, j->e) < 0)
        return -1;
    if (*j->d->also)
        note(j, "%s", j->d->also);
    if (before_1_2(j->d))
        note(j, "moves beyond 50, which Doom 1.2 does not make: of 1.0 or 1.1 (dhsim --game-version)");
    if (!v->whole)
        note(j, "more than %zu bytes, and no file that can be mapped: what a footer says is not shown", v->n);
    return 0;
}

/* ---- the header -------------------------------------------------------------------------------------------------- */

static int put_schema(void *ctx, const char *subject, const char *fields)
{
    struct job *j = ctx;

    j->writer_failed = dh_write_schema(j->w, subject, fields) < 0;
    return j->writer_failed ? -1 : 0;
}

static int header(struct job *j)
{
    struct dh_buf rules = {0}, options = {0};
    struct dh_header h;
    int r = lmp_header(j->d, &h, &rules, &options, j->e);

    if (r == 0 && dh_writer_stream(j->w) < 0) {
        j->writer_failed = true;
        r = -1;
    }
    if (r == 0)
        r = lmp_each_schema(j->d, put_schema, j, j->e);
    if (r == 0) {
        dh_build_header(&j->record, &h);
        r = put(j, DH_HEADER, &j->record);
    }
    dh_buf_free(&rules);
    dh_buf_free(&options);
    return r;
}

static int pieces(struct job *j, int part, uint64_t total)
{
    while (total > 0) {
        int64_t n = lmp_source_peek(&j->src, total < DH_ORIGIN_MAX ? (size_t)total : DH_ORIGIN_MAX, j->e);
        if (n <= 0)
            return (int)n;
        dh_build_origin(&j->record, part, lmp_source_bytes(&j->src), (size_t)n);
        lmp_source_take(&j->src, (size_t)n);
        if (put(j, DH_ORIGIN, &j->record) < 0)
            return -1;
        total -= (uint64_t)n;
    }
    return 0;
}

static int players(struct job *j)
{
    const struct lmp_demo *d = j->d;

    for (int i = 0; i < d->nplayers; i++) {
        /* An i32 lies in the block as it does in the file. */
        const uint8_t *block = d->join_size ? d->p + d->joins + d->join_size * (size_t)i : NULL;
        dh_build_join(&j->record, 0, d->present[i], d->present[i], (struct dh_str){"", 0}, block, d->join_size);
        if (put(j, DH_JOIN, &j->record) < 0)
            return -1;
    }
    return 0;
}

/* All up to the first command. */
static int beginning(struct job *j)
{
    const struct lmp_demo *d = j->d;
    uint32_t keyframe = (uint32_t)lmp_rule(d, "keyframe", 0);

    j->stated_end = lmp_stated_end(d);
    j->states = lmp_field(d, "dsda_end") != NULL;
    if (header(j) < 0 || players(j) < 0)
        return -1;
    size_t before = keyframe ? d->head : d->body;
    lmp_source_take(&j->src, before);
    return keyframe ? pieces(j, 0, keyframe) : 0;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static int hand_over(struct job *j)
{
    for (int i = 0; i < j->nheld; i++)
        if (put(j, DH_INPUT, &j->held[i]) < 0)
            return -1;
    j->nheld = 0;
    return 0;
}

static int command(struct job *j, int player, size_t size)
{
    const struct lmp_command *c = j->d->command;
    struct dh_buf *record = j->how->repair ? &j->held[j->nheld++] : &j->record;
    int32_t v[LMP_COLUMNS];
    uint8_t block[2 * LMP_COLUMNS];

    lmp_command_read(c, lmp_source_bytes(&j->src), v);
    lmp_source_take(&j->src, size);
    dh_build_input(record, j->tick, j->d->present[player], block, lmp_command_block(c, v, block));
    return j->how->repair ? 0 : put(j, DH_INPUT, record);
}

/* Whether the marker is next: 1 and it is taken, 0, -1 with e filled. */
static int marker(struct job *j, int64_t n)
{
    bool is = n > 0 && lmp_source_bytes(&j->src)[0] == LMP_MARKER;

    if (j->states && (!j->stated_end || j->src.offset < j->stated_end || n == 0))
        return 0;
    if (j->states && (!is || j->src.offset > j->stated_end)) {
        if (j->how->repair)
            return 0;
        dh_fail(j->e, DH_TROUBLE, "the header says that the end marker is at byte %llu, and it is not there",
                (unsigned long long)j->stated_end);
        return fail_at(j, j->tick, j->src.offset);
    }
    if (is)
        lmp_source_take(&j->src, 1);
    return is;
}

/* 1: the marker was met and taken; 0: the file ended without one, inside a command or before it; -1: error. */
static int commands(struct job *j)
{
    const struct lmp_command *c = j->d->command;

    for (;;) {
        for (int i = 0; i < j->d->nplayers; i++) {
            int64_t n = lmp_source_peek(&j->src, c->size, j->e);
            int m = n < 0 ? -1 : marker(j, n);
            if (m != 0)
                return m;
            size_t size = lmp_command_size(c, lmp_source_bytes(&j->src), (size_t)n);
            if (size == 0 && c->varies) {
                n = lmp_source_peek(&j->src, c->longest, j->e);
                if (n < 0)
                    return -1;
                size = lmp_command_size(c, lmp_source_bytes(&j->src), (size_t)n);
            }
            if (size == 0)
                return 0;
            if (command(j, i, size) < 0)
                return -1;
        }
        if (hand_over(j) < 0)
            return -1;
        if (j->tick == UINT32_MAX) {
            dh_fail(j->e, DH_TROUBLE, "too long: more tics than a stream can count");
            return fail_at(j, j->tick, j->src.offset);
        }
        j->tick++;
    }
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static int end(struct job *j)
{
    dh_build_end(&j->record, j->tick, DH_STOP);
    return put(j, DH_END, &j->record);
}

/* Without a marker: what is no whole tic goes. */
static int close_here(struct job *j)
{
    uint64_t bytes = 0;

    for (;;) {
        int64_t n = lmp_source_peek(&j->src, DH_ORIGIN_MAX, j->e);
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        bytes += (uint64_t)n;
        lmp_source_take(&j->src, (size_t)n);
    }
    note(j, "repaired: closed at tick %lu; %d inputs of a tic that was not whole and %llu more bytes are dropped",
         (unsigned long)j->tick, j->nheld, (unsigned long long)bytes);
    return end(j);
}

static int convert(struct job *j)
{
    if (beginning(j) < 0)
        return -1;
    int marked = commands(j);
    if (marked < 0)
        return -1;
    if (!marked && j->how->repair)
        return close_here(j);
    uint64_t cut = j->src.offset;
    if (hand_over(j) < 0 || pieces(j, 1, UINT64_MAX) < 0)
        return -1;
    if (!marked) {
        dh_fail(j->e, DH_INCOMPLETE, "truncated: no end marker (0x80): the file ends %s",
                j->src.offset > cut ? "inside a command" : "after a command");
        return fail_at(j, j->tick, j->src.offset);
    }
    return end(j);
}

int lmp_to_dh(int fd, uint64_t size, const struct lmp_how *how, struct dh_writer *w, struct dh_err *e)
{
    static const struct lmp_how nothing = {0};
    struct dh_err mine = {0};
    struct job j = {.w = w, .how = how ? how : &nothing, .e = e ? e : &mine};
    struct lmp_view v = {0};
    int r;

    *j.e = (struct dh_err){.tick = -1, .offset = DH_NOWHERE};
    if (j.how->unbuffered) {
        lmp_source_init(&j.src, fd, size);
        r = recognise_live(&j);
    } else {
        r = lmp_view_open(&v, fd, size, j.e);
        if (r == 0) {
            lmp_source_view(&j.src, &v, fd, size);
            r = recognise(&j, &v);
        }
    }
    if (r == 0)
        r = convert(&j);
    if (j.writer_failed)
        r = -2;
    lmp_demo_free(j.d);
    lmp_source_free(&j.src);
    lmp_view_close(&v);
    dh_buf_free(&j.record);
    for (int i = 0; i < LMP_MAX_PLAYERS; i++)
        dh_buf_free(&j.held[i]);
    return r;
}
