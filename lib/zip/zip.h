/* SPDX-License-Identifier: ISC */
/*
 * zip.h - zip archives, read where they are.
 *
 *     struct zip *z = zip_open(fd, &e);
 *     for (size_t i = 0; i < zip_count(z); i++)
 *         if (zip_read(z, i, max, &bytes, &e) == 0)
 *             ... zip_name(z, i), bytes.p, bytes.n
 *     zip_close(z);
 *
 * What is stored or deflated, which is nearly everything since 1993, is unpacked here; the rest (imploded, bzip2, ...)
 * by unzip(1), or by libarchive's bsdtar(1) where that is not installed. Layouts: PKWARE's APPNOTE.TXT 6.3; deflate by
 * zlib.
 *
 * An archive is anybody's: every length and offset is checked against the file, a member's against what its packed
 * bytes can give at most before there is memory for it, and its CRC-32 afterwards.
 */
#ifndef ZIP_ZIP_H
#define ZIP_ZIP_H

#include "dh.h"

struct zip;

/* The archive that the regular file fd holds; fd stays the caller's, and where it stands does not matter. NULL with e
 * filled: there is no directory in it, or no memory. */
struct zip *zip_open(int fd, struct dh_err *e);
void zip_close(struct zip *z); /* may be NULL */

/* Members in the order of the directory, folders left out. */
size_t zip_count(const struct zip *z);
/* Bytes as they stand there, up to the first NUL. */
const char *zip_name(const struct zip *z, size_t i);
/* The first member of that name, or -1. */
int64_t zip_find(const struct zip *z, const char *name);
/* Whether the directory is all there: false where it ends early or is damaged after those that there are. */
bool zip_whole(const struct zip *z);

/* Unpack a member into b, which is cleared first. 0; -1 with e filled where it is encrypted, damaged, packed in a way
 * that nobody here knows, or has more than max bytes. */
int zip_read(const struct zip *z, size_t i, uint64_t max, struct dh_buf *b, struct dh_err *e);

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* The bytes that a deflated stream (RFC 1951) of n bytes at p stands for, into out, which has room for size of them.
 * Whether it is sound, ends, and gives exactly that many. */
bool zip_inflate(const uint8_t *p, size_t n, uint8_t *out, size_t size);

#endif
