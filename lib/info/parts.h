/* SPDX-License-Identifier: ISC */
/* parts.h - a demo of each format as a row. Private to lib/info. */
#ifndef INFO_PARTS_H
#define INFO_PARTS_H

#include "info/info.h"

/* Each gives the worst status, or what how->give gave if that is negative. i is empty but for its file. */
int info_stream(int fd, struct info *i, const char *name, const struct info_how *how);
int info_doom(int fd, uint64_t size, struct info *i, const char *name, const struct info_how *how);
int info_blood(int fd, struct info *i, const char *name, const struct info_how *how);

/* Hand out a row. */
int info_give(struct info *i, const char *name, const struct info_how *how);
/* Tell of a failure; its status. */
int info_fail(const char *name, const struct info_how *how, const struct dh_err *e);
/* The same with "what: why" of an errno, status 2. */
int info_errno(const char *name, const struct info_how *how, const char *what, int why);

/* A nameless file in TMPDIR that holds what can be read from fd, at its beginning; at most max bytes. -1 with e filled.
 */
int info_put_aside(int fd, uint64_t max, struct dh_err *e);

/* A program's standard output as a descriptor: argv without a shell, archive as its descriptor 3, and nothing else of
 * ours. The descriptor and *pid; -1 where it does not start: errno says why, ENOENT that there is no such program. */
int info_spawn(const char *const *argv, int archive, int *pid);
/* Wait for it: its exit status, -1 where it was killed. */
int info_wait(int pid);

/* What was in an archive and is now a file: as an operand's, but for another archive. */
int info_inside(int fd, const char *name, const struct info_how *how);

/* The archive in fd, for all demos in it or the one that is named. */
int info_zip(int fd, const char *name, const char *member, const struct info_how *how);
int info_wad(int fd, const char *name, const char *lump, const struct info_how *how);

#endif
