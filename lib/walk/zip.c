/* SPDX-License-Identifier: ISC */
/* Demos in zip archives. */
#include "walk/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct archive {
    struct zip *zip;
    const char *name;
    const struct walk_how *how;
};

int walk_member(const struct zip *z, size_t i, const char *archive, const struct walk_how *how)
{
    char *name = walk_name(archive, zip_name(z, i));
    struct dh_buf bytes = {0};
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    int status;

    if (!name)
        return walk_errno(archive, how, zip_name(z, i), ENOMEM);
    if (zip_read(z, i, WALK_MAX_MEMBER, &bytes, &e) < 0)
        status = walk_fail(name, how, &e);
    else {
        struct walk_found f = {.name = name, .fd = -1, .p = bytes.p, .n = bytes.n, .zip = z};
        status = walk_inside(&f, how);
    }
    dh_buf_free(&bytes);
    free(name);
    return status;
}

static int member(const struct archive *a, size_t i)
{
    char *name = a->how->wanted ? walk_name(a->name, zip_name(a->zip, i)) : NULL;
    bool wanted = !name || a->how->wanted(a->how->ctx, name, a->name, i);

    free(name);
    return wanted ? walk_member(a->zip, i, a->name, a->how) : DH_OK;
}

static int fail(const struct archive *a, const char *member, int status, const char *what)
{
    char *name = member ? walk_name(a->name, member) : NULL;
    struct dh_err e;

    dh_fail(&e, status, "%s", what);
    status = walk_fail(name ? name : a->name, a->how, &e);
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
    int status = DH_OK, found = 0;

    for (size_t i = 0; i < zip_count(a->zip); i++) {
        if (!is_demo(zip_name(a->zip, i), a->how->all_lumps))
            continue;
        found++;
        int rc = member(a, i);
        if (rc < 0)
            return rc;
        status = dh_worse(status, rc);
    }
    if (!zip_whole(a->zip))
        return dh_worse(status, fail(a, NULL, DH_TROUBLE, "a zip archive that cannot be read to its end"));
    return found ? status : fail(a, NULL, DH_INCOMPLETE, "a zip archive without demos in it");
}

int walk_zip(int fd, const char *name, const char *one, const struct walk_how *how)
{
    struct dh_err e;
    struct archive a = {.zip = zip_open(fd, &e), .name = name, .how = how};
    int64_t i = a.zip && one ? zip_find(a.zip, one) : -1;
    int status;

    if (!a.zip)
        return fail(&a, NULL, DH_TROUBLE, "a zip archive that cannot be read to its end");
    if (!one)
        status = all(&a);
    else if (i < 0)
        status = fail(&a, one, DH_TROUBLE, "no such file in the archive, or it cannot be read");
    else
        status = member(&a, (size_t)i);
    zip_close(a.zip);
    return status;
}
