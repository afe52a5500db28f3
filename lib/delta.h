/* SPDX-License-Identifier: ISC */
/*
 * delta.h - values as a report shows them, and the difference of two.
 */
#ifndef DH_DELTA_H
#define DH_DELTA_H

#include "dh.h"

/* Append a value: as in the text encoding, but vectors as (x, y, z). */
void dh_show_value(struct dh_buf *out, const struct dh_schemas *s, const struct dh_field *f, const uint8_t *p,
                   size_t n);

/* Append " delta D" with D = b - a. Floats are subtracted in their own precision and vectors by component, fix is
 * exact, a bam is the shorter way round in hex. Nothing for types that have no difference (hex, flags, enum, str,
 * bytes, ref, hash) and where it is no number. */
void dh_show_delta(struct dh_buf *out, const struct dh_field *f, const uint8_t *a, const uint8_t *b, size_t n);

#endif
