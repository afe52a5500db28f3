/* SPDX-License-Identifier: ISC */
/* examine.h - which dialect a file is in; the library's own side of demo.h. */
#ifndef LMP_EXAMINE_H
#define LMP_EXAMINE_H

#include "lmp/command.h"
#include "lmp/demo.h"

/* As lmp_examine, of a beginning of n bytes: whole says whether they are all. Where they are not, the marker, the
 * number of ticks and the footer are those of what is there, or not known. */
int lmp_examine_part(struct lmp_demo **d, const uint8_t *p, size_t n, bool whole, const struct lmp_how *how,
                     struct dh_err *e);

/* Where the file itself says that its end marker is, or 0: it is found by looking for it. */
uint64_t lmp_stated_end(const struct lmp_demo *d);

#endif
