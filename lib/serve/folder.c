/* SPDX-License-Identifier: ISC */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const char ending[] = ".dh-demo";

static int too_long(struct dh_err *e)
{
    return dh_fail(e, DH_TROUBLE, "the recording's path is too long");
}

/* Every folder of a path, for its owner alone as XDG wants it. */
static int make_folders(char *path, struct dh_err *e)
{
    for (char *p = path + 1;; p++) {
        char c = *p;
        if (c != '/' && c != '\0')
            continue;
        *p = '\0';
        if (mkdir(path, 0700) < 0 && errno != EEXIST)
            return dh_fail(e, DH_TROUBLE, "%s: %s", path, strerror(errno));
        *p = c;
        if (c == '\0')
            return 0;
    }
}

static int find_folder(char folder[SRV_PATH_MAX], struct dh_err *e)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int n;

    /* A relative one is to be ignored, says its specification. */
    if (data && *data == '/')
        n = snprintf(folder, SRV_PATH_MAX, "%s/dh/demos", data);
    else if (home && *home == '/')
        n = snprintf(folder, SRV_PATH_MAX, "%s/.local/share/dh/demos", home);
    else
        return dh_fail(e, DH_TROUBLE, "neither XDG_DATA_HOME nor HOME says where recordings go: give a path");
    return n < SRV_PATH_MAX ? make_folders(folder, e) : too_long(e);
}

enum { EXISTS = -2 };

static int create(const char *path, struct dh_err *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd >= 0)
        return fd;
    bool exists = errno == EEXIST;
    dh_fail(e, DH_TROUBLE, "%s: %s", path, exists ? "is there already, and is left as it is" : strerror(errno));
    return exists ? EXISTS : -1;
}

static bool ends(const char *name)
{
    size_t n = strlen(name), k = sizeof ending - 1;

    return n > k && strcmp(name + n - k, ending) == 0;
}

/* A map is called by whoever made it; a file's name takes letters, digits and little else. */
static void plain(char *out, size_t size, const char *map)
{
    size_t n = 0;

    for (; *map && n + 1 < size; map++) {
        unsigned char c = (unsigned char)*map;
        bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0x80;
        out[n] = letter || c == '_' || (n > 0 && (c == '-' || c == '.')) ? (char)c : '_';
        n++;
    }
    out[n] = '\0';
}

/* Two recordings of one second: the later ones get a number. */
static int create_dated(const char *folder, const char *map, char path[SRV_PATH_MAX], struct dh_err *e)
{
    char name[128], stamp[32];
    time_t now = time(NULL);
    struct tm tm;
    int fd = EXISTS;

    plain(name, sizeof name, map);
    if (!localtime_r(&now, &tm) || strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm) == 0)
        return dh_fail(e, DH_TROUBLE, "the host does not know what time it is: give a name");
    for (int i = 1; i < 100 && fd == EXISTS; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        if (snprintf(path, SRV_PATH_MAX, "%s/%s-%s%s%s", folder, name, stamp, number, ending) >= SRV_PATH_MAX)
            return too_long(e);
        fd = create(path, e);
    }
    return fd;
}

int srv_folder_create(const char *name, const char *map, char path[SRV_PATH_MAX], struct dh_err *e)
{
    char folder[SRV_PATH_MAX];
    int n;

    if (name && strchr(name, '/')) {
        n = snprintf(path, SRV_PATH_MAX, "%s", name);
        return n < SRV_PATH_MAX ? create(path, e) : too_long(e);
    }
    if (find_folder(folder, e) < 0)
        return -1;
    if (!name || !*name)
        return create_dated(folder, map, path, e);
    n = snprintf(path, SRV_PATH_MAX, "%s/%s%s", folder, name, ends(name) ? "" : ending);
    return n < SRV_PATH_MAX ? create(path, e) : too_long(e);
}
