/* SPDX-License-Identifier: ISC */
/*
 * pool.h - jobs 0 to n - 1, done by several processes, each job's output handed over in the jobs' order.
 *
 * Every worker takes the next job that nobody has taken, and writes its output to a pipe of its own. As the numbers of
 * a worker's jobs only grow, what all of them have at hand tells whether a job can still come; so the output of one
 * that died is missed, and nobody waits for it. Another worker takes its place. Memory holds what is in the pipes,
 * POOL_AHEAD a worker, and the largest output of a job.
 */
#ifndef VERIFY_POOL_H
#define VERIFY_POOL_H

#include "dh.h"

enum { POOL_AHEAD = 1 << 20 };

struct pool_how {
    size_t n;
    int workers;
    /* In the process that asked: the output of a job, and of a job that has none because the worker died: of the
     * signal, or with a status of its own where that is 0. */
    void (*done)(void *ctx, size_t job, const uint8_t *p, size_t n);
    void (*died)(void *ctx, size_t job, int signal);
    /* In a new process, for which there is nothing but pool_work; it must not return. */
    void (*child)(void *ctx, void *worker);
    void *ctx;
};

/* 0; -1 with e filled: no worker could be started. */
int pool_run(const struct pool_how *how, struct dh_err *e);

/* Do jobs until there are none left: job appends its output to out, which is empty. 0; -1: nobody reads any more. */
int pool_work(void *worker, void (*job)(void *ctx, size_t i, struct dh_buf *out), void *ctx);

#endif
