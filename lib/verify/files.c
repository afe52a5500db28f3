/* SPDX-License-Identifier: ISC */
#include "verify/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "walk/walk.h"

struct kept {
    struct file file;
    char *key;             /* a path, or a member's number and name */
    struct dh_content own; /* by path */
    struct dh_buf bytes;   /* of a member */
    uint64_t used;         /* the demo that last did */
};

struct list {
    struct kept **v;
    size_t n, cap;
};

struct files {
    struct list paths, members;
    char *archive; /* of the members */
    uint64_t now;  /* demos so far */
};

static void drop(struct kept *k)
{
    dh_content_free(&k->own);
    dh_buf_free(&k->bytes);
    free(k->key);
    free(k);
}

static void clear(struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        drop(l->v[i]);
    l->n = 0;
}

struct files *files_new(void)
{
    return calloc(1, sizeof(struct files));
}

void files_free(struct files *f)
{
    if (!f)
        return;
    clear(&f->paths);
    clear(&f->members);
    free(f->paths.v);
    free(f->members.v);
    free(f->archive);
    free(f);
}

static const struct file *find(const struct list *l, const char *key, uint64_t now)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i]->key, key) == 0) {
            l->v[i]->used = now;
            return &l->v[i]->file;
        }
    return NULL;
}

static int add(struct list *l, struct kept *k)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 8;
        struct kept **v = realloc(l->v, cap * sizeof *v);
        if (!v)
            return -1;
        l->v = v;
        l->cap = cap;
    }
    l->v[l->n++] = k;
    return 0;
}

/* Longest ago, and not by the demo that is at hand. */
static void forget_one(struct list *l, uint64_t now)
{
    size_t oldest = l->n;

    for (size_t i = 0; i < l->n; i++)
        if (l->v[i]->used < now && (oldest == l->n || l->v[i]->used < l->v[oldest]->used))
            oldest = i;
    if (oldest == l->n)
        return;
    drop(l->v[oldest]);
    l->v[oldest] = l->v[--l->n];
}

void files_next(struct files *f)
{
    f->now++;
    while (f->paths.n > FILES_KEPT)
        forget_one(&f->paths, f->now);
}

static bool begins(const struct dh_file *f, const char *magic)
{
    return f->size >= 12 && memcmp(f->bytes, magic, 4) == 0;
}

static void look(struct file *f)
{
    f->iwad = begins(&f->file, "IWAD");
    f->wad = f->iwad || begins(&f->file, "PWAD");
}

static int is_regular(const char *path, struct dh_err *e)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return dh_fail(e, DH_TROUBLE, "%s: %s", path, strerror(errno));
    return S_ISREG(st.st_mode) ? 0 : dh_fail(e, DH_TROUBLE, "%s: not a regular file", path);
}

const struct file *files_path(struct files *f, const char *path, struct dh_err *e)
{
    const struct file *known = find(&f->paths, path, f->now);

    if (known)
        return known;
    if (is_regular(path, e) < 0)
        return NULL;
    struct kept *k = calloc(1, sizeof *k);
    if (!k || !(k->key = strdup(path)) || add(&f->paths, k) < 0) {
        if (k)
            drop(k);
        dh_fail(e, DH_TROUBLE, "out of memory");
        return NULL;
    }
    if (dh_content_add(&k->own, "", path, e) < 0) {
        f->paths.n--;
        drop(k);
        return NULL;
    }
    k->used = f->now;
    k->file.file = k->own.files[0];
    k->file.file.role = NULL;
    k->file.sums = k->own.sums[0];
    look(&k->file);
    return &k->file;
}

/* Members are few, and all of one archive. */
static int enter(struct files *f, const char *archive)
{
    if (f->archive && strcmp(f->archive, archive) == 0)
        return 0;
    clear(&f->members);
    free(f->archive);
    return (f->archive = strdup(archive)) != NULL ? 0 : -1;
}

/* "NUMBER NAME": names need not differ. */
static char *member_key(const struct zip *z, size_t i)
{
    const char *name = zip_name(z, i);
    size_t n = strlen(name) + 32;
    char *key = malloc(n);

    if (key)
        snprintf(key, n, "%zu %s", i, name);
    return key;
}

static const struct file *nothing(struct dh_err *e)
{
    dh_fail(e, DH_TROUBLE, "out of memory");
    return NULL;
}

const struct file *files_member(struct files *f, const char *archive, const struct zip *z, size_t i, struct dh_err *e)
{
    char *key = member_key(z, i);

    if (!key || enter(f, archive) < 0) {
        free(key);
        return nothing(e);
    }
    const struct file *known = find(&f->members, key, f->now);
    if (known) {
        free(key);
        return known;
    }
    struct kept *k = calloc(1, sizeof *k);
    if (!k || add(&f->members, k) < 0) {
        free(k);
        free(key);
        return nothing(e);
    }
    k->key = key;
    k->used = f->now;
    if (zip_read(z, i, WALK_MAX_MEMBER, &k->bytes, e) < 0) {
        const struct dh_err why = *e;
        dh_fail(e, why.status, "%s: %s", zip_name(z, i), why.msg);
        f->members.n--;
        drop(k);
        return NULL;
    }
    const char *name = strchr(key, ' ') + 1, *slash = strrchr(name, '/');
    k->file.file = (struct dh_file){.name = slash ? slash + 1 : name, .bytes = k->bytes.p, .size = k->bytes.n};
    dh_sums_of(-1, k->bytes.p, k->bytes.n, &k->file.sums);
    look(&k->file);
    return &k->file;
}
