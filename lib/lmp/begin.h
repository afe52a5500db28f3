/* SPDX-License-Identifier: ISC */
/* begin.h - what a stream of a demo begins with, in memory: its schemas and its header. */
#ifndef LMP_BEGIN_H
#define LMP_BEGIN_H

#include "lmp/demo.h"

/* Calls fn with each schema's subject and fields (as dh_schemas_add takes them), in the stream's order. Stops at the
 * first result that is not 0 and gives that; -1 with e filled: out of memory. */
int lmp_each_schema(const struct lmp_demo *d, int (*fn)(void *ctx, const char *subject, const char *fields), void *ctx,
                    struct dh_err *e);

/* The header. Its texts are the demo's, its blocks are appended to rules and options, which are empty. -1 with e
 * filled: out of memory. */
int lmp_header(const struct lmp_demo *d, struct dh_header *h, struct dh_buf *rules, struct dh_buf *options,
               struct dh_err *e);

/* Both, for who hands a demo to a world without a stream between them. It lives no longer than the demo. */
struct lmp_beginning {
    struct dh_schemas *schemas;
    struct dh_header header;
    struct dh_buf rules, options; /* private */
};

/* 0; -1 with e filled, and nothing to free. */
int lmp_begin(struct lmp_beginning *b, const struct lmp_demo *d, struct dh_err *e);
void lmp_beginning_free(struct lmp_beginning *b);

#endif
