/* SPDX-License-Identifier: ISC */
/* inner.h - what the files of lib/zip share. */
#ifndef ZIP_INNER_H
#define ZIP_INNER_H

#include "zip/zip.h"

struct zip_member {
    size_t name; /* where it begins in names */
    uint16_t flags, method;
    uint32_t crc;
    uint64_t packed, size; /* bytes in the archive, bytes unpacked */
    uint64_t at;           /* of its local header, from the file's first byte */
};

struct zip {
    int fd;
    uint64_t size;
    struct zip_member *members;
    size_t n;
    struct dh_buf names;
    bool whole;
};

/* All n bytes at an offset. 0, or -1 with e filled. */
int zip_bytes_at(int fd, void *p, size_t n, uint64_t offset, struct dh_err *e);

/* Unpack a member by a program of others (program.c): as zip_read. */
int zip_by_program(const struct zip *z, const char *name, uint64_t max, struct dh_buf *b, struct dh_err *e);

#endif
