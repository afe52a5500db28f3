/* SPDX-License-Identifier: GPL-2.0-or-later */
/* group.h - what level.c derives from a map once its records are read. */
#ifndef DOOM_GROUP_H
#define DOOM_GROUP_H

#include "doom.h"

/* The lines of each sector and the blocks that it concerns. -1: out of memory. */
int group_lines(struct doom *d, struct dh_err *e);

/* The reject table from its lump, padded to its full size as the executable would have read on beyond it. */
int group_reject(struct doom *d, const uint8_t *p, size_t size, struct dh_err *e);

#endif
