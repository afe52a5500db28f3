/* SPDX-License-Identifier: ISC */
/* expect.h - rows compared with those of an earlier run, by the demo's name: its lines, or its table. */
#ifndef VERIFY_EXPECT_H
#define VERIFY_EXPECT_H

#include "verify/verify.h"

struct expect;

/* Read what an earlier run printed, from fd to its end; which of the two forms it is, its first line says. NULL with e
 * filled. */
struct expect *expect_read(int fd, struct dh_err *e);
void expect_free(struct expect *x);

enum expected { EXPECT_EQUAL, EXPECT_DIFFERS, EXPECT_NONE /* there is no such demo, or none left */ };

/* The first column that differs, its values as they are printed: until the next call. What a demo was replayed on comes
 * first: where that is another, it is why the rest differs. */
struct expect_difference {
    const char *column;
    struct dh_str expected, found;
};

/* Each expected row counts once, several of one name in their order. -1: out of memory. */
int expect_compare(struct expect *x, const struct row *r, struct expect_difference *d);

/* The names that no row came for, as they are printed, in their order. */
void expect_missing(const struct expect *x, void (*fn)(void *ctx, struct dh_str name), void *ctx);

#endif
