/* SPDX-License-Identifier: ISC */
/* order.h - what dh-demo(5) demands of the order of records in one stream. */
#ifndef DH_ORDER_H
#define DH_ORDER_H

#include "dh.h"

struct dh_order {
    bool headed;
    bool ticked; /* tick and rank are of a record */
    uint32_t start, tick;
    int rank;
    uint32_t turn;  /* counts the ticks that had records, from 1 */
    uint32_t *seen; /* by slot: the turn of its last input */
};

/* Before a stream: forgets the last one. -1: out of memory. */
int dh_order_begin(struct dh_order *o);
int dh_order_check(struct dh_order *o, const struct dh_record *r, struct dh_err *e);
void dh_order_free(struct dh_order *o);

#endif
