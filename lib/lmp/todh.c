/* SPDX-License-Identifier: ISC */
/* A demo file read into a record stream. */
#include "lmp/lmp.h"

#include <stdlib.h>

#include "lmp/button.h"
#include "lmp/source.h"

struct job {
    struct lmp_source src;
    struct dh_writer *w;
    const struct lmp_layout *layout;
    uint8_t present[8]; /* the slots that have a command in each tic, ascending */
    int npresent;
    uint32_t tick;
    struct dh_buf record;
    bool writer_failed; /* then its error counts, not e */
    struct dh_err *e;
};

static int fail_at(struct job *j, int64_t tick, uint64_t offset)
{
    j->e->tick = tick;
    j->e->offset = offset;
    return -1;
}

static int put(struct job *j, int kind)
{
    if (j->record.failed)
        return dh_fail(j->e, DH_TROUBLE, "out of memory");
    j->writer_failed = dh_write_payload(j->w, kind, j->record.p, j->record.n) < 0;
    dh_buf_clear(&j->record);
    return j->writer_failed ? -1 : 0;
}

/* Who this is, and whether we read it. Nothing has been written yet. */
static int recognise(struct job *j)
{
    int64_t n = lmp_source_peek(&j->src, LMP_PEEK, j->e);
    if (n < 0)
        return -1;
    const uint8_t *p = lmp_source_bytes(&j->src);
    if (n == 0) {
        dh_fail(j->e, DH_INCOMPLETE, "empty: expected a demo");
        return fail_at(j, -1, 0);
    }
    const struct lmp_dialect *d = lmp_recognise(p, (size_t)n);
    if (!d)
        dh_fail(j->e, DH_TROUBLE, "not a demo: no known one begins with byte %d; expected " LMP_SUPPORTED, p[0]);
    else if (!d->demo)
        dh_fail(j->e, DH_TROUBLE, "not a demo: %s", d->name);
    else if (!d->layout)
        dh_fail(j->e, DH_TROUBLE, "unsupported dialect: %s (first byte %d); expected " LMP_SUPPORTED, d->name, p[0]);
    else {
        j->layout = d->layout;
        return 0;
    }
    return fail_at(j, -1, 0);
}

static int header(struct job *j)
{
    const struct lmp_layout *l = j->layout;
    int64_t n = lmp_source_peek(&j->src, l->header_size, j->e);
    if (n < 0)
        return -1;
    if (n < l->header_size) {
        dh_fail(j->e, DH_INCOMPLETE, "truncated: the header of %s takes %d bytes, %d found", l->name, l->header_size,
                (int)n);
        return fail_at(j, -1, (uint64_t)n);
    }
    const uint8_t *p = lmp_source_bytes(&j->src);
    for (int i = 0; i < l->nplayers; i++)
        if (p[l->first_player + i])
            j->present[j->npresent++] = (uint8_t)i;
    if (j->npresent == 0) {
        dh_fail(j->e, DH_TROUBLE, "no players: all %d presence bytes are 0", l->nplayers);
        return fail_at(j, -1, l->first_player);
    }

    if (dh_writer_stream(j->w) < 0 || dh_write_schema(j->w, "rule", l->rules) < 0 ||
        dh_write_schema(j->w, "input", l->input) < 0) {
        j->writer_failed = true;
        return -1;
    }
    struct dh_header h = {
        .game = {"doom", 4},
        .rate = LMP_RATE,
        .interval = LMP_INTERVAL,
        .fresh = true,
        .rules = p,
        .rules_n = l->header_size,
    };
    dh_build_header(&j->record, &h);
    if (put(j, DH_HEADER) < 0)
        return -1;
    for (int i = 0; i < j->npresent; i++) {
        dh_build_join(&j->record, 0, j->present[i], j->present[i], (struct dh_str){"", 0}, NULL, 0);
        if (put(j, DH_JOIN) < 0)
            return -1;
    }
    lmp_source_take(&j->src, l->header_size);
    return 0;
}

static int command(struct job *j, uint16_t slot)
{
    const uint8_t *p = lmp_source_bytes(&j->src);
    uint8_t block[8];
    struct lmp_buttons b = lmp_buttons_split(p[j->layout->command_size - 1]);

    block[0] = p[0];
    block[1] = p[1];
    block[2] = j->layout->turn_bytes == 2 ? p[2] : 0;
    block[3] = j->layout->turn_bytes == 2 ? p[3] : p[2];
    block[4] = b.buttons;
    block[5] = b.weapon;
    block[6] = b.save;
    block[7] = b.spare;
    dh_build_input(&j->record, j->tick, slot, block, sizeof block);
    lmp_source_take(&j->src, j->layout->command_size);
    return put(j, DH_INPUT);
}

/* Everything up to the end of the file, in pieces. */
static int tail(struct job *j)
{
    for (;;) {
        int64_t n = lmp_source_peek(&j->src, DH_ORIGIN_MAX, j->e);
        if (n <= 0)
            return (int)n;
        dh_build_origin(&j->record, 1, lmp_source_bytes(&j->src), (size_t)n);
        lmp_source_take(&j->src, (size_t)n);
        if (put(j, DH_ORIGIN) < 0)
            return -1;
    }
}

/* 1: the marker was met and taken; 0: the file ended without one, inside a command or before it; -1: error. */
static int commands(struct job *j)
{
    for (;;) {
        for (int i = 0; i < j->npresent; i++) {
            int64_t n = lmp_source_peek(&j->src, j->layout->command_size, j->e);
            if (n < 0)
                return -1;
            if (n > 0 && lmp_source_bytes(&j->src)[0] == LMP_MARKER) {
                lmp_source_take(&j->src, 1);
                return 1;
            }
            if (n < j->layout->command_size)
                return 0;
            if (command(j, j->present[i]) < 0)
                return -1;
        }
        if (j->tick == UINT32_MAX) {
            dh_fail(j->e, DH_TROUBLE, "too long: more tics than a stream can count");
            return fail_at(j, j->tick, j->src.offset);
        }
        j->tick++;
    }
}

static int convert(struct job *j)
{
    if (recognise(j) < 0 || header(j) < 0)
        return -1;
    int marker = commands(j);
    uint64_t cut = j->src.offset;
    if (marker < 0 || tail(j) < 0)
        return -1;
    if (!marker) {
        dh_fail(j->e, DH_INCOMPLETE, "truncated: no end marker (0x80): the file ends %s",
                j->src.offset > cut ? "inside a command" : "after a command");
        return fail_at(j, j->tick, j->src.offset);
    }
    dh_build_end(&j->record, j->tick, DH_STOP);
    return put(j, DH_END);
}

int lmp_to_dh(int fd, uint64_t size, struct dh_writer *w, struct dh_err *e)
{
    struct job *j = calloc(1, sizeof *j);
    struct dh_err mine = {0};

    if (!e)
        e = &mine;
    dh_fail(e, DH_TROUBLE, "out of memory");
    if (!j)
        return -1;
    lmp_source_init(&j->src, fd, size);
    j->w = w;
    j->e = e;
    int r = convert(j);
    if (j->writer_failed)
        r = -2;
    dh_buf_free(&j->record);
    free(j);
    return r;
}
