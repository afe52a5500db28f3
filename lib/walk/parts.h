/* SPDX-License-Identifier: ISC */
/* parts.h - what is inside what. Private to lib/walk. */
#ifndef WALK_PARTS_H
#define WALK_PARTS_H

#include "walk/walk.h"

/* Each gives the worst status, or what how->give gave if that is negative. */

/* Tell of a failure; its status. */
int walk_fail(const char *name, const struct walk_how *how, const struct dh_err *e);
/* The same with "what: why" of an errno, status 2. */
int walk_errno(const char *name, const struct walk_how *how, const char *what, int why);

/* A whole file that is no zip archive, or a member: all of found but sort is set. */
int walk_inside(struct walk_found *f, const struct walk_how *how);

/* The archive in fd, for all demos in it or the one that is named. */
int walk_zip(int fd, const char *name, const char *member, const struct walk_how *how);
/* The WAD that f holds, likewise. */
int walk_wad(const struct walk_found *f, const char *lump, const struct walk_how *how);

/* CONTAINER:PART, malloc'd; NULL: no memory. */
char *walk_name(const char *container, const char *part);

#endif
