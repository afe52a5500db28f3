/* SPDX-License-Identifier: ISC */
/* From an operand to the demos in it: what a file is decides who reads it. */
#include "info/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunk.h"
#include "dem/dem.h"

int info_fail(const char *name, const struct info_how *how, const struct dh_err *e)
{
    how->fail(how->ctx, name, e);
    return e->status;
}

int info_errno(const char *name, const struct info_how *how, const char *what, int why)
{
    struct dh_err e;

    dh_fail(&e, DH_TROUBLE, "%s: %s", what, strerror(why));
    return info_fail(name, how, &e);
}

int info_give(struct info *i, const char *name, const struct info_how *how)
{
    struct dh_err e;

    if (!info_failed(i))
        return how->give(how->ctx, i);
    dh_fail(&e, DH_TROUBLE, "out of memory");
    return info_fail(name, how, &e);
}

/* ---- what it is -------------------------------------------------------------------------------------------------- */

enum sort { STREAM, BLOOD, ZIP, WAD, OTHER, UNREADABLE };

/* The descriptor stays where it stands. */
static enum sort sort_of(int fd)
{
    uint8_t p[DH_SNIFF];
    struct dh_err e;
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t n = at < 0 ? -1 : pread(fd, p, sizeof p, at);

    if (n < 0)
        return UNREADABLE;
    if (n > 0 && dh_sniff(p, (size_t)n, &e) != DH_SNIFFED_OTHER)
        return STREAM;
    if (dem_recognise(p, (size_t)n) != DEM_NOT)
        return BLOOD;
    if (n >= 4 && (memcmp(p, "PK\3\4", 4) == 0 || memcmp(p, "PK\5\6", 4) == 0))
        return ZIP;
    if (n >= 4 && (memcmp(p, "IWAD", 4) == 0 || memcmp(p, "PWAD", 4) == 0))
        return WAD;
    return OTHER;
}

static int read_as(enum sort sort, int fd, uint64_t size, const char *name, const struct info_how *how)
{
    struct info i = {0};
    int status;

    info_string(&i, INFO_FILE, name);
    if (sort == STREAM)
        status = info_stream(fd, &i, name, how);
    else if (sort == BLOOD)
        status = info_blood(fd, &i, name, how);
    else
        status = info_doom(fd, size, &i, name, how);
    info_free(&i);
    return status;
}

int info_read(int fd, uint64_t size, const char *name, const struct info_how *how)
{
    enum sort sort = size == LMP_TO_END ? sort_of(fd) : OTHER;

    return sort == UNREADABLE ? info_errno(name, how, "cannot read", errno) : read_as(sort, fd, size, name, how);
}

/* ---- where it is ------------------------------------------------------------------------------------------------- */

int info_inside(int fd, const char *name, const struct info_how *how)
{
    struct dh_err e;
    enum sort sort = sort_of(fd);

    if (sort == ZIP) {
        dh_fail(&e, DH_TROUBLE, "an archive in an archive: unpack it first");
        return info_fail(name, how, &e);
    }
    if (sort == WAD && how->all_lumps)
        return info_wad(fd, name, NULL, how);
    if (sort == WAD) {
        dh_fail(&e, DH_TROUBLE, "a WAD: name a lump in it, as in FILE:DEMO1, or ask for --all-lumps");
        return info_fail(name, how, &e);
    }
    if (sort == UNREADABLE)
        return info_errno(name, how, "cannot read", errno);
    return read_as(sort, fd, LMP_TO_END, name, how);
}

/* A whole file, or everything that is in it. */
static int whole_file(int fd, const char *name, const struct info_how *how)
{
    return sort_of(fd) == ZIP ? info_zip(fd, name, NULL, how) : info_inside(fd, name, how);
}

/* A pipe, and what else cannot be sought in, is put aside first. */
static int descriptor(int fd, const char *name, const struct info_how *how)
{
    struct stat st;
    struct dh_err e;

    if (fstat(fd, &st) < 0)
        return info_errno(name, how, "cannot read", errno);
    if (S_ISDIR(st.st_mode))
        return info_errno(name, how, "cannot read", EISDIR);
    if (S_ISREG(st.st_mode))
        return whole_file(fd, name, how);
    int aside = info_put_aside(fd, UINT64_MAX, &e);
    if (aside < 0)
        return info_fail(name, how, &e);
    int status = whole_file(aside, name, how);
    close(aside);
    return status;
}

/* CONTAINER:PART, where CONTAINER is the longest part before a colon that is a file. -2: there is none. */
static int part(const char *operand, const struct info_how *how)
{
    char *container = strdup(operand);
    int status = -2;

    if (!container)
        return info_errno(operand, how, "cannot open", ENOMEM);
    for (char *colon; status == -2 && (colon = strrchr(container, ':')) != NULL && colon > container;) {
        *colon = '\0';
        int fd = open(container, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        const char *name = operand + (colon - container) + 1;
        enum sort sort = sort_of(fd);
        if (sort == ZIP)
            status = info_zip(fd, container, name, how);
        else
            status = info_wad(fd, container, name, how);
        close(fd);
    }
    free(container);
    return status;
}

int info_operand(const char *operand, const struct info_how *how)
{
    if (strcmp(operand, "-") == 0)
        return descriptor(STDIN_FILENO, operand, how);
    int fd = open(operand, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        int why = errno, status = why == ENOENT || why == ENOTDIR ? part(operand, how) : -2;
        return status == -2 ? info_errno(operand, how, "cannot open", why) : status;
    }
    int status = descriptor(fd, operand, how);
    close(fd);
    return status;
}
