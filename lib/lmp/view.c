/* SPDX-License-Identifier: ISC */
#include "lmp/demo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Smaller files are read: that is quicker than to map them, and nobody can cut them short under our hands. */
#define WORTH_MAPPING ((uint64_t)1 << 20)

/* Where memory is short, the file is read like a pipe. */
static bool map(struct lmp_view *v, int fd, off_t at, uint64_t size)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), skip = (uint64_t)at % page;

    if (size > SIZE_MAX - skip)
        return false;
    v->mapped_n = (size_t)(size + skip);
    v->mapped = mmap(NULL, v->mapped_n, PROT_READ, MAP_PRIVATE, fd, at - (off_t)skip);
    if (v->mapped == MAP_FAILED) {
        v->mapped = NULL;
        return false;
    }
    v->p = (const uint8_t *)v->mapped + skip;
    v->n = (size_t)size;
    v->whole = true;
    return true;
}

static int take_in(struct lmp_view *v, int fd, uint64_t size, struct dh_err *e)
{
    size_t cap = 0;

    while (v->n < size && v->n < LMP_READ_AHEAD) {
        if (v->n == cap) {
            uint8_t *grown = realloc(v->own, cap ? cap * 2 : 1 << 16);
            if (!grown)
                return dh_fail(e, DH_TROUBLE, "out of memory");
            v->own = grown;
            cap = cap ? cap * 2 : 1 << 16;
        }
        size_t want = size - v->n < cap - v->n ? (size_t)(size - v->n) : cap - v->n;
        ssize_t n = read(fd, v->own + v->n, want);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int why = errno;
            dh_fail(e, DH_TROUBLE, "cannot read: %s", strerror(why));
            if (e)
                e->offset = v->n;
            return -1;
        }
        if (n == 0) {
            v->whole = true;
            break;
        }
        v->n += (size_t)n;
    }
    v->p = v->own;
    v->whole |= v->n == size;
    return 0;
}

int lmp_view_open(struct lmp_view *v, int fd, uint64_t size, struct dh_err *e)
{
    struct stat st;
    off_t at;

    memset(v, 0, sizeof *v);
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (at = lseek(fd, 0, SEEK_CUR)) >= 0 && at < st.st_size) {
        uint64_t left = (uint64_t)(st.st_size - at);

        if (left > size)
            left = size;
        if (left >= WORTH_MAPPING && map(v, fd, at, left))
            return 0;
    }
    if (take_in(v, fd, size, e) == 0)
        return 0;
    lmp_view_close(v);
    return -1;
}

void lmp_view_close(struct lmp_view *v)
{
    if (v->mapped)
        munmap(v->mapped, v->mapped_n);
    free(v->own);
    memset(v, 0, sizeof *v);
}
