/* SPDX-License-Identifier: ISC */
/*
 * sink.h - the bytes of a demo on their way out.
 *
 * Where the header says how long the demo is, it can only go out after the last command: then all is put aside until
 * then (spool.h), whatever its size.
 */
#ifndef LMP_SINK_H
#define LMP_SINK_H

#include <sys/types.h>

#include <md5.h>

#include "dh.h"
#include "spool.h"

struct lmp_sink {
    struct dh_buf buf; /* append here, then flush */
    bool write_failed; /* what went wrong was the writing */
    /* private */
    int fd;
    bool holding;
    struct dh_buf head;
    size_t end_at, tics_at;
    struct dh_spool spool;
    uint64_t total;  /* bytes before those in buf */
    uint64_t marker; /* offset of the marker, UINT64_MAX until it is known */
    uint64_t inputs;
    uint64_t summed;
    MD5_CTX md5;
};

void lmp_sink_init(struct lmp_sink *s, int fd);
void lmp_sink_free(struct lmp_sink *s);

/* The header. end_at and tics_at: where in it the offset of the marker and the number of inputs are filled in,
 * big-endian in 4 bytes; 0: nowhere, and it goes out as it is. */
void lmp_sink_head(struct lmp_sink *s, const struct dh_buf *head, size_t end_at, size_t tics_at);

/* The next byte appended is the marker. */
void lmp_sink_end(struct lmp_sink *s, uint64_t inputs);

/* Write what buf has, or put it aside. -1 with e filled. */
int lmp_sink_flush(struct lmp_sink *s, struct dh_err *e);

/* The last flush: what was put aside goes out, too. */
int lmp_sink_close(struct lmp_sink *s, struct dh_err *e);

/* After the close: the sum of all bytes up to the marker and with it. */
const MD5_CTX *lmp_sink_sum(const struct lmp_sink *s);

#endif
