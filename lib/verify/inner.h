/* SPDX-License-Identifier: ISC */
/* inner.h - a demo as a row, and how rows go from a worker to who asked. Private to lib/verify. */
#ifndef VERIFY_INNER_H
#define VERIFY_INNER_H

#include "verify/choose.h"
#include "verify/replay.h"
#include "verify/verify.h"

/* ---- columns.c: what is known, into its columns ---- */

void columns_demo(struct row *r, const struct lmp_demo *d);
void columns_choice(struct row *r, const struct choice *c);
/* whole: it ran to its end. */
void columns_replay(struct row *r, const struct replay *p, const struct levels *l, bool whole);

/* ---- demo.c: one demo ---- */

/* Where rows and failures go. */
struct sink {
    void (*row)(void *ctx, const struct row *r);
    void (*fail)(void *ctx, const char *name, const struct dh_err *e);
    void *ctx;
};

/* Replay what was found, and give its row, and what is wrong with it. archive: of the zip that it is in. The status. */
int demo_verify(struct chooser *c, struct replay_kit *kit, const struct walk_found *f, const char *archive,
                const struct sink *to);

/* ---- message.c: a worker's output ---- */

void message_row(struct dh_buf *out, const struct row *r);
void message_fail(struct dh_buf *out, const char *name, const struct dh_err *e);
void message_status(struct dh_buf *out, int status);
/* Hand out what is in n bytes; the worst of the statuses in it. r is for the rows. -1: no message. */
int message_read(const uint8_t *p, size_t n, struct row *r, const struct sink *to);

#endif
