/* SPDX-License-Identifier: ISC */
/*
 * setup.h - what the runs of two streams were given: the map, the rules, the settings of a replay (settings.h) and the
 * files. Where that differs, no difference of their states is a surprise.
 */
#ifndef DH_SETUP_H
#define DH_SETUP_H

#include "keep.h"

/* All zero: of no stream. */
struct dh_setup {
    struct dh_kept header;
    struct dh_keeps resources;
};

/* Keep a header or resource record. -1: out of memory. */
int dh_setup_keep(struct dh_setup *s, const struct dh_record *r);
void dh_setup_free(struct dh_setup *s);

/* Call differs for everything that a and b both know of and that is not the same: what it is called in the text
 * encoding, and both values' text, "-" where there is none. Rules that only one has are no matter: the formats of demos
 * have other ones. Both have a header. 0; -1: out of memory. */
int dh_setup_compare(const struct dh_setup *a, const struct dh_schemas *sa, const struct dh_setup *b,
                     const struct dh_schemas *sb,
                     void (*differs)(void *ctx, const char *what, const char *a, const char *b), void *ctx);

#endif
