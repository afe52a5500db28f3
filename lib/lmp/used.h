/* SPDX-License-Identifier: ISC */
/* used.h - what a demo's footer says that a replay needs: the files, and what the header has no place for. */
#ifndef LMP_USED_H
#define LMP_USED_H

#include "dh.h"

/* All zero is a valid empty one. The lists are NULL-terminated, or NULL where the footer names none. */
struct lmp_used {
    char *iwad; /* NULL: not named */
    char **wads, **dehs;
    char **settings; /* "key=value" as the Doom world takes them */
};

/* From the options of a stream that lmp2dh wrote; s are its schemas. 0; 1: they say nothing of a footer with a command
 * line; -1 with e filled. warn (may be NULL) hears of what cannot be used. */
int lmp_used_read(struct lmp_used *u, const struct dh_schemas *s, const struct dh_header *h,
                  void (*warn)(void *ctx, const char *text), void *ctx, struct dh_err *e);
void lmp_used_free(struct lmp_used *u);

#endif
