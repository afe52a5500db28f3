/* SPDX-License-Identifier: ISC */
/* parts.h - a demo of each format as a row. Private to lib/info. */
#ifndef INFO_PARTS_H
#define INFO_PARTS_H

#include "info/info.h"

/* Each gives the worst status, or what how->give gave if that is negative. i is empty but for its file. fd stands at
 * the first byte; the bytes of a Doom demo are in memory. */
int info_stream(int fd, struct row *i, const char *name, const struct info_how *how);
int info_doom(const uint8_t *p, size_t n, struct row *i, const char *name, const struct info_how *how);
int info_blood(int fd, struct row *i, const char *name, const struct info_how *how);

/* Hand out a row. */
int info_give(struct row *i, const char *name, const struct info_how *how);
/* Tell of a failure; its status. */
int info_fail(const char *name, const struct info_how *how, const struct dh_err *e);

#endif
