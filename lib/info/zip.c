/* SPDX-License-Identifier: ISC */
/* Demos in zip archives, by way of unzip(1), or of libarchive's bsdtar(1) where that is missing. */
#include "info/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io.h"

enum { MAX_NAME = 4096, MAX_ARGS = 8 };
#define MAX_MEMBER ((uint64_t)256 << 20) /* more is no demo, but an archive that was made to fill a disk */

/* The archive is descriptor 3 whatever its name is; NULL in extract stands for the member's. A password is given, so
 * that nobody is asked for one. */
static const struct program {
    const char *list[MAX_ARGS], *extract[MAX_ARGS];
    int nextract;
    int warns; /* the status for what came out all the same */
    int none;  /* the status for a member that is not there */
} programs[] = {
    {{"unzip", "-Z1", "/dev/fd/3"}, {"unzip", "-p", "-P", "x", "/dev/fd/3", NULL}, 6, 1, 11},
    {{"bsdtar", "-tf", "/dev/fd/3"}, {"bsdtar", "-xO", "-f", "/dev/fd/3", "--", NULL}, 6, 0, 1},
};

struct archive {
    const struct program *program; /* the one that is installed */
    int fd;
    const char *name;
    const struct info_how *how;
};

/* Both take a member for a pattern: what would mean something there is quoted. false: the name is too long. */
static bool quote(char out[2 * MAX_NAME], const char *name)
{
    size_t n = 0;

    if (strlen(name) >= MAX_NAME)
        return false;
    for (const char *p = name; *p; p++) {
        if (strchr("*?[]\\", *p) || (p == name && *p == '-'))
            out[n++] = '\\';
        out[n++] = *p;
    }
    out[n] = '\0';
    return true;
}

static int fail(const struct archive *a, const char *member, int status, const char *what)
{
    char name[2 * MAX_NAME];
    struct dh_err e;
    size_t n = strlen(a->name), m = member ? strlen(member) : 0;

    dh_fail(&e, status, "%s", what);
    if (!member || n + m + 2 > sizeof name)
        return info_fail(a->name, a->how, &e);
    memcpy(name, a->name, n);
    name[n] = ':';
    memcpy(name + n + 1, member, m + 1);
    return info_fail(name, a->how, &e);
}

/* ---- one member -------------------------------------------------------------------------------------------------- */

static int extract(const struct archive *a, const char *member, const char *name)
{
    const char *argv[MAX_ARGS] = {NULL};
    char pattern[2 * MAX_NAME];
    struct dh_err e;
    int pid;

    if (!quote(pattern, member))
        return fail(a, member, DH_TROUBLE, "the name is too long");
    memcpy(argv, a->program->extract, sizeof argv[0] * (size_t)a->program->nextract);
    argv[a->program->nextract - 1] = pattern;
    int out = info_spawn(argv, a->fd, &pid);
    if (out < 0)
        return info_errno(name, a->how, a->program->extract[0], errno);
    int aside = info_put_aside(out, MAX_MEMBER, &e);
    close(out); /* ends a program that has more to say */
    int status = info_wait(pid);
    if (aside < 0)
        return info_fail(name, a->how, &e);
    if (status == a->program->none)
        status = fail(a, member, DH_TROUBLE, "no such file in the archive, or it cannot be read");
    else if (status != 0 && status != a->program->warns)
        status =
            fail(a, member, DH_TROUBLE, "cannot be read: encrypted, damaged, or packed in a way that is not known");
    else
        status = info_inside(aside, name, a->how);
    close(aside);
    return status;
}

static int one(const struct archive *a, const char *member)
{
    size_t n = strlen(a->name), m = strlen(member);
    char *name = malloc(n + m + 2);

    if (!name)
        return info_errno(a->name, a->how, member, ENOMEM);
    memcpy(name, a->name, n);
    name[n] = ':';
    memcpy(name + n + 1, member, m + 1);
    int status = extract(a, member, name);
    free(name);
    return status;
}

/* ---- all that are demos ------------------------------------------------------------------------------------------ */

static bool is_demo(const char *member, bool wads)
{
    static const char *const endings[] = {".lmp", ".dem", ".dh-demo", ".dh-text", ".dh", ".wad"};
    const char *base = strrchr(member, '/');
    size_t n = strlen(member);

    base = base ? base + 1 : member;
    if (strncmp(base, "._", 2) == 0) /* macOS keeps what it knows about a file under such a name */
        return false;
    for (size_t k = 0; k < sizeof endings / sizeof endings[0] - !wads; k++) {
        size_t len = strlen(endings[k]);
        if (n > len && strcasecmp(member + n - len, endings[k]) == 0)
            return true;
    }
    return false;
}

static int all(const struct archive *a)
{
    struct dh_input in;
    int pid, status = DH_OK, found = 0;
    int out = info_spawn(a->program->list, a->fd, &pid);

    if (out < 0)
        return info_errno(a->name, a->how, a->program->list[0], errno);
    dh_input_init(&in, out);
    for (size_t n; status >= 0 && (n = dh_input_line(&in, MAX_NAME)) > 0; dh_input_skip(&in, n)) {
        char member[MAX_NAME + 1];
        if (n > MAX_NAME)
            continue;
        memcpy(member, dh_input_bytes(&in), n - 1);
        member[n - 1] = '\0';
        if (!is_demo(member, a->how->all_lumps))
            continue;
        found++;
        int rc = one(a, member);
        status = rc < 0 ? rc : dh_worse(status, rc);
    }
    dh_input_free(&in);
    close(out);
    int listed = info_wait(pid);
    if (status < 0)
        return status;
    bool good = listed == 0 || listed == a->program->warns;
    if (!good)
        return dh_worse(status, fail(a, NULL, DH_TROUBLE, "a zip archive that cannot be read to its end"));
    return found ? status : fail(a, NULL, DH_INCOMPLETE, "a zip archive without demos in it");
}

int info_zip(int fd, const char *name, const char *member, const struct info_how *how)
{
    struct archive a = {.fd = fd, .name = name, .how = how};
    size_t k;

    /* Whichever is there: found out by asking it to list. */
    for (k = 0; k < sizeof programs / sizeof programs[0]; k++) {
        int pid, out = info_spawn(programs[k].list, fd, &pid);
        if (out >= 0) {
            close(out);
            info_wait(pid);
            break;
        }
        if (errno != ENOENT)
            return info_errno(name, how, programs[k].list[0], errno);
    }
    if (k == sizeof programs / sizeof programs[0])
        return fail(&a, NULL, DH_TROUBLE, "a zip archive, and neither unzip nor bsdtar is installed to read it");
    a.program = &programs[k];
    return member ? one(&a, member) : all(&a);
}
