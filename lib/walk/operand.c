/* SPDX-License-Identifier: ISC */
/* From an operand to the demos in it: what a file is decides how it is looked at. */
#include "walk/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunk.h"
#include "dem/dem.h"

int walk_fail(const char *name, const struct walk_how *how, const struct dh_err *e)
{
    how->fail(how->ctx, name, e);
    return e->status;
}

int walk_errno(const char *name, const struct walk_how *how, const char *what, int why)
{
    struct dh_err e;

    dh_fail(&e, DH_TROUBLE, "%s: %s", what, strerror(why));
    return walk_fail(name, how, &e);
}

static bool wanted(const char *name, const struct walk_how *how)
{
    return !how->wanted || how->wanted(how->ctx, name, NULL, 0);
}

char *walk_name(const char *container, const char *part)
{
    size_t n = strlen(container), m = strlen(part);
    char *name = malloc(n + m + 2);

    if (name) {
        memcpy(name, container, n);
        name[n] = ':';
        memcpy(name + n + 1, part, m + 1);
    }
    return name;
}

/* ---- what it is -------------------------------------------------------------------------------------------------- */

enum container { NONE, ZIP, WAD };

static enum container container_of(const uint8_t *p, size_t n)
{
    if (n >= 4 && (memcmp(p, "PK\3\4", 4) == 0 || memcmp(p, "PK\5\6", 4) == 0))
        return ZIP;
    if (n >= 4 && (memcmp(p, "IWAD", 4) == 0 || memcmp(p, "PWAD", 4) == 0))
        return WAD;
    return NONE;
}

enum walk_sort walk_sort_of(const uint8_t *p, size_t n)
{
    struct dh_err e;

    if (n > DH_SNIFF)
        n = DH_SNIFF;
    if (n > 0 && dh_sniff(p, n, &e) != DH_SNIFFED_OTHER)
        return WALK_STREAM;
    return dem_recognise(p, n) != DEM_NOT ? WALK_BLOOD : WALK_OTHER;
}

/* The first bytes of what is found; the descriptor stays where it stands. -1 with errno. */
static ssize_t beginning(const struct walk_found *f, uint8_t p[DH_SNIFF])
{
    size_t n = f->n < DH_SNIFF ? f->n : DH_SNIFF;
    off_t at = f->fd < 0 ? 0 : lseek(f->fd, 0, SEEK_CUR);

    if (f->fd >= 0)
        return at < 0 ? -1 : pread(f->fd, p, DH_SNIFF, at);
    if (n > 0)
        memcpy(p, f->p, n);
    return (ssize_t)n;
}

/* ---- where it is ------------------------------------------------------------------------------------------------- */

int walk_inside(struct walk_found *f, const struct walk_how *how)
{
    uint8_t p[DH_SNIFF];
    struct dh_err e;
    ssize_t n = beginning(f, p);

    if (n < 0)
        return walk_errno(f->name, how, "cannot read", errno);
    f->sort = walk_sort_of(p, (size_t)n);
    enum container c = f->sort == WALK_OTHER ? container_of(p, (size_t)n) : NONE;
    if (c == NONE) {
        f->wad = NULL;
        return how->give(how->ctx, f);
    }
    if (c == WAD && how->all_lumps)
        return walk_wad(f, NULL, how);
    if (c == WAD)
        dh_fail(&e, DH_TROUBLE, "a WAD: name a lump in it, as in FILE:DEMO1, or ask for --all-lumps");
    else
        dh_fail(&e, DH_TROUBLE, "an archive in an archive: unpack it first");
    return walk_fail(f->name, how, &e);
}

int walk_bytes(const uint8_t *p, size_t n, const char *name, const struct walk_how *how)
{
    struct walk_found f = {.name = name, .fd = -1, .p = p, .n = n};
    struct dh_err e;

    if (container_of(p, n) != ZIP)
        return walk_inside(&f, how);
    dh_fail(&e, DH_TROUBLE, "a zip archive that comes through a pipe: save it to a file first");
    return walk_fail(name, how, &e);
}

static bool is_zip(int fd)
{
    struct walk_found f = {.fd = fd};
    uint8_t p[DH_SNIFF];
    ssize_t n = beginning(&f, p);

    return n > 0 && walk_sort_of(p, (size_t)n) == WALK_OTHER && container_of(p, (size_t)n) == ZIP;
}

/* A whole file, or everything that is in it. */
static int whole_file(int fd, const char *name, const struct walk_how *how)
{
    struct walk_found f = {.name = name, .fd = fd, .size = LMP_TO_END, .wad = name};

    if (is_zip(fd))
        return walk_zip(fd, name, NULL, how);
    return wanted(name, how) ? walk_inside(&f, how) : DH_OK;
}

/* A pipe, and what else cannot be sought in, is put aside first. */
static int descriptor(int fd, const char *name, const struct walk_how *how)
{
    struct stat st;
    struct dh_err e;

    if (fstat(fd, &st) < 0)
        return walk_errno(name, how, "cannot read", errno);
    if (S_ISDIR(st.st_mode))
        return walk_errno(name, how, "cannot read", EISDIR);
    if (S_ISREG(st.st_mode))
        return whole_file(fd, name, how);
    int aside = walk_fd_aside(fd, &e);
    if (aside < 0)
        return walk_fail(name, how, &e);
    int status = whole_file(aside, name, how);
    close(aside);
    return status;
}

static int lump(int fd, const char *wad, const char *name, const char *operand, const struct walk_how *how)
{
    struct walk_found f = {.name = operand, .fd = fd, .wad = wad};

    return wanted(operand, how) ? walk_wad(&f, name, how) : DH_OK;
}

/* CONTAINER:PART, where CONTAINER is the longest part before a colon that is a file. -2: there is none. */
static int part(const char *operand, const struct walk_how *how)
{
    char *container = strdup(operand);
    int status = -2;

    if (!container)
        return walk_errno(operand, how, "cannot open", ENOMEM);
    for (char *colon; status == -2 && (colon = strrchr(container, ':')) != NULL && colon > container;) {
        *colon = '\0';
        int fd = open(container, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        const char *name = operand + (colon - container) + 1;
        status = is_zip(fd) ? walk_zip(fd, container, name, how) : lump(fd, container, name, operand, how);
        close(fd);
    }
    free(container);
    return status;
}

int walk_operand(const char *operand, const struct walk_how *how)
{
    if (strcmp(operand, "-") == 0)
        return descriptor(STDIN_FILENO, operand, how);
    int fd = open(operand, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        int why = errno, status = why == ENOENT || why == ENOTDIR ? part(operand, how) : -2;
        return status == -2 ? walk_errno(operand, how, "cannot open", why) : status;
    }
    int status = descriptor(fd, operand, how);
    close(fd);
    return status;
}
