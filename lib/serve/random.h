/* SPDX-License-Identifier: ISC */
/*
 * random.h - the server's own source of chance. What it gives is written into the recording (the pose of a join), so a
 * replay needs none, and no tick ever reads it.
 */
#ifndef SRV_RANDOM_H
#define SRV_RANDOM_H

#include <stdint.h>

struct srv_random {
    uint64_t state;
};

/* A seed from the host. */
uint64_t srv_random_seed(void);

/* A whole number below n, which is at least 1; each as likely as any other. */
uint32_t srv_random_below(struct srv_random *r, uint32_t n);

#endif
