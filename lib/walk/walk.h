/* SPDX-License-Identifier: ISC */
/*
 * walk.h - from an operand to the demos in it: files, lumps of WADs, members of zip archives. What a file is decides
 * its content, never its name; of an archive's members the name decides which are looked at.
 */
#ifndef WALK_WALK_H
#define WALK_WALK_H

#include "lmp/demo.h"
#include "zip/zip.h"

#define WALK_MAX_MEMBER ((uint64_t)256 << 20) /* more is no demo, but an archive that was made to fill a disk */

enum walk_sort {
    WALK_STREAM, /* a record stream */
    WALK_BLOOD,
    WALK_OTHER, /* of the Doom family, or no demo: who reads it finds out */
};

/* What may be a demo: a descriptor that stands at its first byte, or bytes in memory. Both are there until give
 * returns. */
struct walk_found {
    const char *name; /* FILE, or CONTAINER:PART */
    enum walk_sort sort;
    int fd;           /* -1: in memory */
    uint64_t size;    /* of fd: at most so many bytes, LMP_TO_END: to the file's end */
    const uint8_t *p; /* in memory */
    size_t n;
    const struct zip *zip; /* the archive that it is in, NULL: none */
    const char *wad;       /* the WAD that it is a lump of, a file's name; NULL: none, or that is a member itself */
};

struct walk_how {
    bool all_lumps; /* of a WAD that is named without a lump: every demo in it */
    /* Before anything is read of a file, a member, or a lump that was named: false passes it over. zip is the archive's
     * name and i the member's number, for walk_member; zip is NULL where it is none. NULL: all are wanted. */
    bool (*wanted)(void *ctx, const char *name, const char *zip, size_t i);
    /* Each that may be a demo. Its status, or less than 0, which ends everything and is passed on. */
    int (*give)(void *ctx, const struct walk_found *f);
    /* Each failure: name is what failed, status and place are in e. */
    void (*fail)(void *ctx, const char *name, const struct dh_err *e);
    void *ctx;
};

/* Look at an operand: a file, "-", WAD:LUMP, ZIP:MEMBER, or an archive with all the demos in it. The worst status of
 * failures and of what give gave, or what give gave if that is negative. */
int walk_operand(const char *operand, const struct walk_how *how);

/* The same of bytes in memory, which are a whole file of that name; and of one member of the archive of that name.
 * Neither asks whether it is wanted. */
int walk_bytes(const uint8_t *p, size_t n, const char *name, const struct walk_how *how);
int walk_member(const struct zip *z, size_t i, const char *name, const struct walk_how *how);

/* What the bytes at the beginning of a whole file say. */
enum walk_sort walk_sort_of(const uint8_t *p, size_t n);

/* A nameless file in TMPDIR that holds the n bytes at p, or what can be read from fd, at its beginning. -1 with e
 * filled. */
int walk_aside(const uint8_t *p, size_t n, struct dh_err *e);
int walk_fd_aside(int fd, struct dh_err *e);

#endif
