/* SPDX-License-Identifier: ISC */
/*
 * sums.h - SHA-256 and MD5 of files, remembered from run to run.
 *
 * Hashing an IWAD takes longer than replaying most demos on it. So the sums of files of a megabyte or more are kept in
 * dh/sums below XDG_CACHE_HOME (or ~/.cache), by device, inode, size and the times of the last change of content and
 * inode, to the nanosecond: a file that was changed since, or moments before it was hashed, is hashed again. Where
 * there is no such folder or it cannot be written, nothing is remembered and nothing is said.
 */
#ifndef DH_SUMS_H
#define DH_SUMS_H

#include <stddef.h>
#include <stdint.h>

struct dh_sums {
    uint8_t sha256[32];
    uint8_t md5[16];
};

/* The sums of the n bytes at p, which are what the file fd holds; -1: they are in no file. */
void dh_sums_of(int fd, const uint8_t *p, size_t n, struct dh_sums *sums);

/* 2n lower-case hex digits and a terminator. */
void dh_sums_hex(const uint8_t *p, size_t n, char *hex);

#endif
