/* SPDX-License-Identifier: ISC */
/* reading.h - a file read as one given dialect. */
#ifndef LMP_READING_H
#define LMP_READING_H

#include "lmp/demo.h"

/* Header, players, and where the commands end; not the footer. wrapper may be NULL. repair: what the header says of the
 * end may be wrong. NULL with e filled. */
struct lmp_demo *lmp_read_as(const struct lmp_dialect *wrapper, const struct lmp_dialect *dialect, const uint8_t *p,
                             size_t n, bool whole, bool repair, struct dh_err *e);

#endif
