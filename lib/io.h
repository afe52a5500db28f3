/* SPDX-License-Identifier: ISC */
/* io.h - a file descriptor read through a window that grows as bytes arrive, and one written whole. */
#ifndef DH_IO_H
#define DH_IO_H

#include <sys/types.h>

#include "dh.h"

struct dh_input {
    int fd;
    uint8_t *p; /* the window: have bytes from at are there */
    size_t at, have, cap;
    uint64_t offset; /* of p[at] in the input */
    bool eof;
    int error; /* errno of a failed read, 0 */
};

void dh_input_init(struct dh_input *in, int fd);
void dh_input_free(struct dh_input *in);
/* See to it that n bytes are in the window; how many are there (fewer: the input ended, or in->error), at most n. Reads
 * no more than one call of read(2) gives beyond what is needed, so what a live writer has sent is there at once. */
size_t dh_input_need(struct dh_input *in, size_t n);
/* The length of the line at the window's start with its newline, or 0 where the input ends, or max bytes have none. */
size_t dh_input_line(struct dh_input *in, size_t max);
const uint8_t *dh_input_bytes(const struct dh_input *in);
void dh_input_skip(struct dh_input *in,
                   size_t n); /* n <= what is there; the bytes stay where they are until the next need */

/* What one read(2) gives, waited for where there is nothing yet; 0 at the end, -1 with errno. */
ssize_t dh_read_some(int fd, void *p, size_t n);

/* Append all that is left of fd to b. 0; -1 with e filled: it cannot be read, no memory, or b would have more than max
 * bytes, and then what for ("a demo") is said. */
int dh_read_rest(int fd, struct dh_buf *b, uint64_t max, const char *what, struct dh_err *e);

/* A file for reading and writing that has no name, in TMPDIR. -1 with e filled. */
int dh_nameless_file(struct dh_err *e);

/* All n bytes, whatever the size of the pieces that go. 0, or -1 with errno. */
int dh_write_all(int fd, const void *p, size_t n);

#endif
