/* SPDX-License-Identifier: ISC */
/* kin.h - which dialect a stream is of; what making a header of it (plan.c) shares with that. */
#ifndef LMP_KIN_H
#define LMP_KIN_H

#include "lmp/plan.h"

/* What both read from. */
struct lmp_maker {
    const struct dh_schemas *s;
    const struct dh_header *h;
    const struct lmp_writing *how;
    struct lmp_plan *plan;
    const struct lmp_dialect *from_wrapper, *from; /* what the stream is of */
    bool converts;
    struct dh_err *e;
    char filled[256]; /* rules that the stream does not have, for a note */
};

/* A rule of the stream, 0 or empty where it has none of that name or of that kind. */
int64_t lmp_stream_number(const struct lmp_maker *m, const char *name);
struct dh_str lmp_stream_text(const struct lmp_maker *m, const char *name);

/* Find m->from and m->from_wrapper. -1 with m->e filled. */
int lmp_find_dialect(struct lmp_maker *m);

/* How far the stream is from one of this dialect: the number of fields that differ, e tells of the first; -1 with e
 * filled. Sets plan->from. */
int lmp_distance(struct lmp_maker *m, const struct lmp_dialect *w, const struct lmp_dialect *d, struct dh_err *e);

#endif
