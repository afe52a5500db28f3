/* SPDX-License-Identifier: ISC */
/* Files without a name, for what cannot be sought in. */
#include "walk/walk.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "io.h"

static int copy(int from, int to, struct dh_err *e)
{
    uint8_t buf[1 << 16];

    for (;;) {
        ssize_t n = dh_read_some(from, buf, sizeof buf);
        if (n < 0)
            return dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(errno));
        if (n == 0)
            return 0;
        if (dh_write_all(to, buf, (size_t)n) < 0)
            return dh_fail(e, DH_TROUBLE, "temporary file: %s", strerror(errno));
    }
}

/* The file with its content, at its beginning; rc says whether that is there. */
static int rewound(int fd, int rc, struct dh_err *e)
{
    if (rc == 0 && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    if (rc == 0)
        dh_fail(e, DH_TROUBLE, "temporary file: %s", strerror(errno));
    close(fd);
    return -1;
}

int walk_fd_aside(int fd, struct dh_err *e)
{
    int to = dh_nameless_file(e);

    return to < 0 ? -1 : rewound(to, copy(fd, to, e), e);
}

int walk_aside(const uint8_t *p, size_t n, struct dh_err *e)
{
    int to = dh_nameless_file(e), rc = 0;

    if (to < 0)
        return -1;
    if (dh_write_all(to, p, n) < 0)
        rc = dh_fail(e, DH_TROUBLE, "temporary file: %s", strerror(errno));
    return rewound(to, rc, e);
}
