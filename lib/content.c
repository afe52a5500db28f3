/* SPDX-License-Identifier: ISC */
#include "content.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "sha.h"

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static bool is_wad_name(const char *entry, const char *name)
{
    size_t n = strlen(name);

    return strncasecmp(entry, name, n) == 0 && (entry[n] == '\0' || strcasecmp(entry + n, ".wad") == 0);
}

static char *join(const char *dir, const char *entry)
{
    size_t n = strlen(dir) + strlen(entry) + 2;
    char *path = malloc(n);

    if (path)
        snprintf(path, n, "%s/%s", dir, entry);
    return path;
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The entry of a folder that a name means. Of several (DOOM.WAD next to doom.wad) the one spelt alike, else the first
 * in byte order, so that the answer does not depend on how the folder is stored. */
char *dh_content_find_in(const char *dir, const char *name)
{
    DIR *d = opendir(dir);
    char *best = NULL;

    if (!d)
        return NULL;
    for (struct dirent *entry; (entry = readdir(d)) != NULL;) {
        if (!is_wad_name(entry->d_name, name))
            continue;
        bool better =
            !best || strcmp(entry->d_name, name) == 0 || (strcmp(best, name) != 0 && strcmp(entry->d_name, best) < 0);
        char *path = better ? join(dir, entry->d_name) : NULL;
        if (path && !is_folder(path)) {
            free(best);
            best = strdup(entry->d_name);
        }
        free(path);
    }
    closedir(d);
    char *found = best ? join(dir, best) : NULL;
    free(best);
    return found;
}

/* find_in for each folder of a list that is split at colons. */
static char *find_in_list(const char *list, const char *name)
{
    char *found = NULL;

    while (list && *list && !found) {
        size_t n = strcspn(list, ":");
        char *dir = n > 0 ? strndup(list, n) : NULL;
        if (dir)
            found = dh_content_find_in(dir, name);
        free(dir);
        list += n + (list[n] == ':');
    }
    return found;
}

static char *find_at_home(const char *name)
{
    const char *home = getenv("HOME");
    char *dir = home && *home ? join(home, ".local/share/games/doom") : NULL;
    char *found = dir ? dh_content_find_in(dir, name) : NULL;

    free(dir);
    return found;
}

char *dh_content_find(const char *name, struct dh_err *e)
{
    static const char usual[] =
        "/usr/local/share/games/doom:/usr/share/games/doom:/usr/local/share/doom:/usr/share/doom:.";
    const char *dir = getenv("DOOMWADDIR");
    char *found = NULL;

    if (access(name, F_OK) == 0)
        found = strdup(name);
    else if (strchr(name, '/') || *name == '\0')
        dh_fail(e, DH_TROUBLE, "%s: %s", *name ? name : "a WAD's name is empty", strerror(ENOENT));
    else if ((dir && *dir && (found = dh_content_find_in(dir, name))) ||
             (found = find_in_list(getenv("DOOMWADPATH"), name)) || (found = find_at_home(name)) ||
             (found = find_in_list(usual, name)))
        return found;
    else
        dh_fail(e, DH_TROUBLE, "%s: not found in DOOMWADDIR, DOOMWADPATH or the usual folders", name);
    return found;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Mapping a large file costs next to nothing, and a replay looks at a small part of it. */
#define WORTH_MAPPING ((off_t)1 << 20)

static uint8_t *map(int fd, size_t *size)
{
    struct stat st;
    void *p;

    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < WORTH_MAPPING || (uint64_t)st.st_size > SIZE_MAX)
        return NULL;
    p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    *size = (size_t)st.st_size;
    return p == MAP_FAILED ? NULL : p;
}

static void release(uint8_t *p, size_t size, bool mapped)
{
    if (mapped)
        munmap(p, size);
    else
        free(p);
}

/* Everything that a descriptor has. Its size is only a first guess: a pipe has none, and a file can change meanwhile.
 */
static uint8_t *read_all(int fd, const char *path, size_t *size, struct dh_err *e)
{
    struct stat st;
    size_t n = 0, cap = 65536;
    uint8_t *p;

    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        cap = (size_t)st.st_size + 1;
    p = malloc(cap);
    for (;;) {
        if (p && n == cap) {
            uint8_t *q = cap < SIZE_MAX / 2 ? realloc(p, cap * 2) : NULL;
            if (!q)
                free(p);
            p = q;
            cap *= 2;
        }
        if (!p) {
            dh_fail(e, DH_TROUBLE, "%s: out of memory", path);
            return NULL;
        }
        ssize_t k = read(fd, p + n, cap - n);
        if (k == 0)
            break;
        if (k > 0)
            n += (size_t)k;
        else if (errno != EINTR) {
            dh_fail(e, DH_TROUBLE, "%s: %s", path, strerror(errno));
            free(p);
            return NULL;
        }
    }
    *size = n;
    return p;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static int grow(struct dh_content *c, struct dh_err *e)
{
    struct dh_file *files = realloc(c->files, (size_t)(c->n + 1) * sizeof *files);
    struct dh_sums *sums = files ? realloc(c->sums, (size_t)(c->n + 1) * sizeof *sums) : NULL;
    bool *mapped = sums ? realloc(c->mapped, (size_t)(c->n + 1) * sizeof *mapped) : NULL;

    if (files)
        c->files = files;
    if (sums)
        c->sums = sums;
    if (mapped)
        c->mapped = mapped;
    return mapped ? 0 : dh_fail(e, DH_TROUBLE, "out of memory");
}

int dh_content_add(struct dh_content *c, const char *role, const char *path, struct dh_err *e)
{
    return dh_content_add_as(c, role, path, base_name(path), e);
}

int dh_content_add_as(struct dh_content *c, const char *role, const char *path, const char *name, struct dh_err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return dh_fail(e, DH_TROUBLE, "%s: %s", path, strerror(errno));
    size_t size = 0;
    uint8_t *bytes = map(fd, &size);
    bool mapped = bytes != NULL;
    if (!mapped)
        bytes = read_all(fd, path, &size, e);
    char *own_role = strdup(role), *own_name = strdup(name);
    int rc = !bytes ? -1 : own_role && own_name ? grow(c, e) : dh_fail(e, DH_TROUBLE, "out of memory");
    if (rc < 0) {
        if (bytes)
            release(bytes, size, mapped);
        free(own_role);
        free(own_name);
    } else {
        c->files[c->n] = (struct dh_file){.role = own_role, .name = own_name, .bytes = bytes, .size = size};
        c->mapped[c->n] = mapped;
        dh_sums_of(fd, bytes, size, &c->sums[c->n]);
        c->n++;
    }
    close(fd);
    return rc;
}

void dh_content_free(struct dh_content *c)
{
    for (int i = 0; i < c->n; i++) {
        free((void *)(uintptr_t)c->files[i].role);
        free((void *)(uintptr_t)c->files[i].name);
        release((uint8_t *)(uintptr_t)c->files[i].bytes, c->files[i].size, c->mapped[i]);
    }
    free(c->files);
    free(c->sums);
    free(c->mapped);
    memset(c, 0, sizeof *c);
}

/* ---- what a Doom run loads --------------------------------------------------------------------------------------- */

static bool is(struct dh_str s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

static int find_and_add(struct dh_content *c, const char *role, const char *name, struct dh_err *e)
{
    char *path = dh_content_find(name, e);
    int rc = path ? dh_content_add(c, role, path, e) : -1;

    free(path);
    return rc;
}

/* The file that a resource record names. Only the last part of the name counts: a recording does not choose folders. */
static int add_recorded(struct dh_content *c, const struct dh_record *r, struct dh_err *e)
{
    char *role = strndup(r->u.resource.role.p, r->u.resource.role.n);
    char *name = strndup(r->u.resource.name.p, r->u.resource.name.n);
    int rc = -1;

    if (!role || !name)
        dh_fail(e, DH_TROUBLE, "out of memory");
    else
        rc = find_and_add(c, role, base_name(name), e);
    free(role);
    free(name);
    return rc;
}

static int add_recorded_role(struct dh_content *c, const struct dh_keeps *recorded, const char *role, struct dh_err *e)
{
    int found = 0;

    for (size_t i = 0; i < recorded->n; i++) {
        const struct dh_record *r = &recorded->items[i].rec;
        if (!is(r->u.resource.role, role))
            continue;
        if (add_recorded(c, r, e) < 0)
            return -1;
        found++;
    }
    return found;
}

/* The files of a list; without one, those that the recording names. */
static int add_list(struct dh_content *c, const char *role, char *const *list, const struct dh_keeps *recorded,
                    struct dh_err *e)
{
    if (!list)
        return add_recorded_role(c, recorded, role, e) < 0 ? -1 : 0;
    for (; *list; list++)
        if (find_and_add(c, role, *list, e) < 0)
            return -1;
    return 0;
}

int dh_content_wads(struct dh_content *c, const char *iwad, char *const *wads, const struct dh_keeps *recorded,
                    struct dh_err *e)
{
    if (!iwad) {
        int found = add_recorded_role(c, recorded, "iwad", e);
        if (found < 0)
            return -1;
        if (found == 0)
            return dh_fail(e, DH_TROUBLE, "no IWAD: the recording names none; give --iwad WAD (or --iwad none)");
    } else if (strcmp(iwad, "none") != 0 && find_and_add(c, "iwad", iwad, e) < 0)
        return -1;
    return add_list(c, "pwad", wads, recorded, e);
}

int dh_content_dehs(struct dh_content *c, char *const *dehs, const struct dh_keeps *recorded, struct dh_err *e)
{
    return add_list(c, "deh", dehs, recorded, e);
}

/* ---- against the recording --------------------------------------------------------------------------------------- */

void dh_content_closure(const struct dh_content *c, char hex[65])
{
    struct dh_sha sha;
    uint8_t sum[32];
    char line[65];

    strcpy(hex, c->closure);
    if (c->n == 0 || *hex)
        return;
    dh_sha_init(&sha);
    for (int i = 0; i < c->n; i++) {
        dh_sha_add(&sha, c->files[i].role, strlen(c->files[i].role));
        dh_sha_add(&sha, " ", 1);
        dh_sums_hex(c->sums[i].sha256, 32, line);
        dh_sha_add(&sha, line, 64);
        dh_sha_add(&sha, "\n", 1);
    }
    dh_sha_end(&sha, sum);
    dh_sums_hex(sum, sizeof sum, hex);
}

struct teller {
    void (*warn)(void *ctx, const char *text);
    void *ctx;
    int said;
};

__attribute__((format(printf, 2, 3))) static void tell(struct teller *t, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    /* A recording's names are anybody's bytes; none of them is to steer a terminal. */
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?';
    t->warn(t->ctx, text);
    t->said++;
}

/* Who wrote the record may not have had the file: no size and no sum is nothing to compare with. */
static bool all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* Enough of a sum to recognise it by. */
#define SHOWN 16

static void compare_file(const struct dh_file *f, const struct dh_sums *sums, const struct dh_record *r,
                         struct teller *t)
{
    struct dh_str role = r->u.resource.role, name = r->u.resource.name;
    char here[65], there[65];

    if (!is(role, f->role))
        tell(t, "%s: loaded as %s, recorded was %.*s %.*s in its place", f->name, f->role, (int)role.n, role.p,
             (int)name.n, name.p);
    else if (name.n != strlen(f->name) || strncasecmp(name.p, f->name, name.n) != 0)
        tell(t, "%s: another %s than the recorded %.*s", f->name, f->role, (int)name.n, name.p);
    if (all_zero(r->u.resource.sha256, 32) && r->u.resource.size == 0)
        return;
    if (r->u.resource.size != f->size)
        tell(t, "%s: %llu bytes, recorded %llu", f->name, (unsigned long long)f->size,
             (unsigned long long)r->u.resource.size);
    else if (!all_zero(r->u.resource.sha256, 32) && memcmp(r->u.resource.sha256, sums->sha256, 32) != 0) {
        dh_sums_hex(sums->sha256, SHOWN / 2, here);
        dh_sums_hex(r->u.resource.sha256, SHOWN / 2, there);
        tell(t, "%s: other content of the same size: sha256 %s..., recorded %s...", f->name, here, there);
    } else if (!all_zero(r->u.resource.md5, 16) && memcmp(r->u.resource.md5, sums->md5, 16) != 0) {
        dh_sums_hex(sums->md5, SHOWN / 2, here);
        dh_sums_hex(r->u.resource.md5, SHOWN / 2, there);
        tell(t, "%s: other content of the same size: md5 %s..., recorded %s...", f->name, here, there);
    }
}

void dh_content_compare(const struct dh_content *c, const struct dh_keeps *recorded, struct dh_str closure,
                        void (*warn)(void *ctx, const char *text), void *ctx)
{
    struct teller t = {.warn = warn, .ctx = ctx};
    char hex[65];

    for (size_t i = 0; i < recorded->n; i++) {
        const struct dh_record *r = &recorded->items[i].rec;
        if (i < (size_t)c->n)
            compare_file(&c->files[i], &c->sums[i], r, &t);
        else
            tell(&t, "%.*s: recorded as %.*s, not loaded", (int)r->u.resource.name.n, r->u.resource.name.p,
                 (int)r->u.resource.role.n, r->u.resource.role.p);
    }
    for (size_t i = recorded->n; recorded->n > 0 && i < (size_t)c->n; i++)
        tell(&t, "%s: loaded as %s, not in the recording", c->files[i].name, c->files[i].role);
    dh_content_closure(c, hex);
    if (t.said == 0 && closure.n > 0 && !is(closure, hex))
        tell(&t, "the files' closure hash is %.*s..., recorded %.*s...", SHOWN, *hex ? hex : "none",
             closure.n < SHOWN ? (int)closure.n : SHOWN, closure.p);
}
