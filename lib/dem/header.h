/* SPDX-License-Identifier: ISC */
/* header.h - which of the two layouts a header has, and whether it makes sense. */
#ifndef DEM_HEADER_H
#define DEM_HEADER_H

#include "dem/field.h"

#define DEM_SIZE_UNKNOWN UINT64_MAX

/* The bytes that a header takes with and without nBuild. */
size_t dem_header_size(bool has_build);

/* Walk the chain of players from head: each entry is the next slot, negative at the end. Fills chain with the slots and
 * gives their number; 0 where an index is out of range or a slot comes twice, and *bad is then that index. */
int dem_walk_chain(int head, const int next[DEM_MAX_PLAYERS], uint8_t chain[DEM_MAX_PLAYERS], int *bad);

/* Read a header of one layout from n bytes. As below. */
int dem_read_layout(struct dem_header *h, bool has_build, const uint8_t *p, size_t n, struct dh_err *e);

/* Read a header from the first n bytes (as many as there are, up to DEM_MAX_HEADER) of a file of this size. 0; -1 with
 * e filled, its offset that of the field which is wrong. */
int dem_parse_header(struct dem_header *h, const uint8_t *p, size_t n, uint64_t file_size, struct dh_err *e);

#endif
