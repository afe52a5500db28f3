/* SPDX-License-Identifier: ISC */
#include "random.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

uint64_t srv_random_seed(void)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    uint64_t seed = 0;

    /* Where a player stands is no secret: without the device the time is good enough. */
    if (fd < 0 || read(fd, &seed, sizeof seed) != sizeof seed)
        seed = (uint64_t)time(NULL);
    if (fd >= 0)
        close(fd);
    return seed;
}

/* The generator known as SplitMix64: an odd step (the golden ratio's fraction), then two rounds of mixing. */
static uint64_t next(struct srv_random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t srv_random_below(struct srv_random *r, uint32_t n)
{
    uint64_t fair = UINT64_MAX - UINT64_MAX % n, v;

    do
        v = next(r);
    while (v >= fair);
    return (uint32_t)(v % n);
}
