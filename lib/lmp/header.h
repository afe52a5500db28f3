/* SPDX-License-Identifier: ISC */
/* header.h - the fields of a header, by the items of its layout. */
#ifndef LMP_HEADER_H
#define LMP_HEADER_H

#include "lmp/layout.h"

/* The fields of one demo, in the order of the stream's rule schema. */
struct lmp_fields {
    struct lmp_field *v;
    int n, cap;
};

/* Go through the items of a layout in their order, repeated ones spelled out. number gives the value of a field that
 * was met before. Stops at the first visit that is not 0 and gives that. */
int lmp_items_walk(const struct lmp_item *items, int (*visit)(void *ctx, const struct lmp_item *item, const char *name),
                   int64_t (*number)(void *ctx, const char *name), void *ctx);

/* Read the items' bytes from p[*at .. n) and append their fields. 0, and *at is behind them. -1 with e filled, and *at
 * is at the item: status DH_INCOMPLETE where the bytes end inside it. */
int lmp_header_read(struct lmp_fields *f, const struct lmp_item *items, const char *dialect, const uint8_t *p, size_t n,
                    size_t *at, struct dh_err *e);

const struct lmp_field *lmp_fields_find(const struct lmp_fields *f, const char *name);
int64_t lmp_fields_number(const struct lmp_fields *f, const char *name, int64_t otherwise);

/* The type of an item's field in the schema; -1: it has none. */
int lmp_item_type(const struct lmp_item *item);
const char *lmp_type_name(int type);

/* Append the schema ("name:type name:type"), and the block of values. */
void lmp_fields_schema(const struct lmp_fields *f, struct dh_buf *out);
void lmp_fields_block(const struct lmp_fields *f, struct dh_buf *out);

/* Append an item's bytes. number: for numeric items; text: for the others. -1: the text does not fit. */
int lmp_item_put(const struct lmp_item *item, int64_t number, struct dh_str text, struct dh_buf *out);

void lmp_fields_free(struct lmp_fields *f);

/* The slot of a field that is a player's presence ("player3"), -1 for others. */
int lmp_presence_slot(const char *name);

#endif
