/* SPDX-License-Identifier: ISC */
/*
 * fuzz.h - what the fuzz targets share: the library reads and writes descriptors, a fuzzer has bytes.
 */
#ifndef FUZZ_H
#define FUZZ_H

#define _GNU_SOURCE /* memfd_create */

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A property does not hold: the fuzzer keeps the input that showed it. */
#define MUST(cond)   \
    do {             \
        if (!(cond)) \
            abort(); \
    } while (0)

/* A nameless file that holds these bytes, at its beginning. */
static inline int fuzz_file(const void *p, size_t n)
{
    int fd = memfd_create("fuzz", 0);

    MUST(fd >= 0 && write(fd, p, n) == (ssize_t)n && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

/* Whether two files hold the same bytes from their beginnings on. */
static inline int fuzz_same(int a, int b)
{
    static uint8_t x[65536], y[65536];
    ssize_t n;

    MUST(lseek(a, 0, SEEK_SET) == 0 && lseek(b, 0, SEEK_SET) == 0);
    while ((n = read(a, x, sizeof x)) > 0) {
        if (read(b, y, (size_t)n) != n)
            return 0;
        for (ssize_t i = 0; i < n; i++)
            if (x[i] != y[i])
                return 0;
    }
    return read(b, y, 1) == 0;
}

#endif
