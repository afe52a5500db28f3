/* SPDX-License-Identifier: ISC */
#include "pallet.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "line.h"
#include "sha.h"

#define MANIFEST "pallet.dh"
#define MAPS "maps"
#define SUFFIX ".dh-map"
#define ROLE "pallet"

struct version {
    unsigned long part[3];
};

struct pallet {
    char id[128], version[32];
    struct version number;
    char *dir;
};

struct dh_pallets {
    struct pallet *list;
    size_t n;
};

static int no_memory(struct dh_err *e)
{
    return dh_fail(e, DH_TROUBLE, "out of memory");
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Letters, digits and . _ - (and / where it is a path), no empty part and none of dots alone: nothing that leads out of
 * a folder. */
static bool is_name(const char *p, size_t n, bool path)
{
    bool solid = false;

    for (size_t i = 0; i < n; i++) {
        char c = p[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!plain && c != '.' && !(path && c == '/'))
            return false;
        if (c == '/' && !solid)
            return false;
        solid = c == '/' ? false : solid || plain;
    }
    return solid;
}

static bool parse_version(const char *s, struct version *v)
{
    for (int i = 0; i < 3; i++) {
        unsigned long n = 0;
        const char *p = s;
        for (; *p >= '0' && *p <= '9'; p++) {
            n = n * 10 + (unsigned long)(*p - '0');
            if (n > 999999)
                return false;
        }
        if (p == s || *p != (i < 2 ? '.' : '\0'))
            return false;
        v->part[i] = n;
        s = p + 1;
    }
    return true;
}

static int compare_versions(const struct version *a, const struct version *b)
{
    for (int i = 0; i < 3; i++)
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i] ? -1 : 1;
    return 0;
}

/* "*", "1.2.3" (that one), "^1.2.3" (that one or a later one that differs only after the first number that is not 0).
 * -1: not of this form. */
static int satisfies(const struct version *v, const char *wanted)
{
    bool caret = *wanted == '^';
    struct version want;
    int same = 0;

    if (strcmp(wanted, "*") == 0)
        return 1;
    if (!parse_version(wanted + caret, &want))
        return -1;
    if (!caret)
        return compare_versions(v, &want) == 0;
    while (same < 2 && want.part[same] == 0)
        same++;
    for (int i = 0; i <= same; i++)
        if (v->part[i] != want.part[i])
            return 0;
    return compare_versions(v, &want) >= 0;
}

static char *join(const char *dir, const char *entry)
{
    size_t n = strlen(dir) + strlen(entry) + 2;
    char *path = malloc(n);

    if (path)
        snprintf(path, n, "%s/%s", dir, entry);
    return path;
}

static bool is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The names of a folder's entries, sorted by their bytes; the order of a file system is not the same twice. */
struct names {
    char **list;
    size_t n;
};

static void names_free(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->list[i]);
    free(names->list);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int names_of(const char *dir, struct names *names)
{
    DIR *d = opendir(dir);
    int rc = d ? 0 : -1;

    memset(names, 0, sizeof *names);
    for (struct dirent *entry; d && rc == 0 && (entry = readdir(d)) != NULL;) {
        char **grown = realloc(names->list, (names->n + 1) * sizeof *grown);
        if (grown)
            names->list = grown;
        if (!grown || !(grown[names->n] = strdup(entry->d_name)))
            rc = -1;
        else
            names->n++;
    }
    if (d)
        closedir(d);
    if (names->n > 0)
        qsort(names->list, names->n, sizeof *names->list, by_bytes);
    if (rc < 0)
        names_free(names);
    return rc;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static const struct pallet *find(const struct dh_pallets *ps, const char *id)
{
    for (size_t i = 0; i < ps->n; i++)
        if (strcmp(ps->list[i].id, id) == 0)
            return &ps->list[i];
    return NULL;
}

static int read_head(struct pallet *p, const struct dh_file *manifest, const char *path, struct dh_err *e)
{
    struct dh_lines ls = dh_lines(path, manifest->bytes, manifest->size);
    struct dh_line l;
    char ignored[256];
    int got = dh_line_next(&ls, &l, e);

    if (got < 0)
        return -1;
    if (got == 0 || !dh_line_is(&l, "pallet"))
        return dh_fail(e, DH_TROUBLE, "%s: expected `pallet id=... version=...` as its first line", path);
    if (dh_line_string(&l, "id", p->id, sizeof p->id, e) < 0 ||
        dh_line_string(&l, "version", p->version, sizeof p->version, e) < 0 ||
        dh_line_string(&l, "name", ignored, sizeof ignored, e) < 0 ||
        dh_line_string(&l, "author", ignored, sizeof ignored, e) < 0 || dh_line_done(&l, e) < 0)
        return -1;
    if (!is_name(p->id, strlen(p->id), false))
        return dh_line_fail(&l, e, "id: expected letters, digits, and . _ -");
    if (!parse_version(p->version, &p->number))
        return dh_line_fail(&l, e, "version: expected MAJOR.MINOR.PATCH");
    return 0;
}

static int add(struct dh_pallets *ps, const char *dir, const char *manifest, struct dh_err *e)
{
    struct dh_content c = {0};
    struct pallet p = {.dir = strdup(dir)}, *grown;
    int rc = p.dir ? dh_content_add(&c, ROLE, manifest, e) : no_memory(e);

    if (rc == 0)
        rc = read_head(&p, &c.files[0], manifest, e);
    dh_content_free(&c);
    if (rc == 0 && !find(ps, p.id)) {
        grown = realloc(ps->list, (ps->n + 1) * sizeof *grown);
        if (grown) {
            ps->list = grown;
            ps->list[ps->n++] = p;
            return 0;
        }
        rc = no_memory(e);
    }
    free(p.dir);
    return rc;
}

/* 1: it is a pallet. */
static int add_if_pallet(struct dh_pallets *ps, const char *dir, struct dh_err *e)
{
    char *manifest = join(dir, MANIFEST);
    int rc = !manifest ? no_memory(e) : is_file(manifest) ? add(ps, dir, manifest, e) < 0 ? -1 : 1 : 0;

    free(manifest);
    return rc;
}

static int add_folder(struct dh_pallets *ps, const char *dir, bool must, struct dh_err *e)
{
    struct names names;
    int rc = add_if_pallet(ps, dir, e);

    if (rc != 0)
        return rc < 0 ? -1 : 0;
    if (names_of(dir, &names) < 0)
        return must ? dh_fail(e, DH_TROUBLE, "%s: %s", dir, strerror(errno)) : 0;
    for (size_t i = 0; i < names.n && rc >= 0; i++) {
        char *path = names.list[i][0] == '.' ? NULL : join(dir, names.list[i]);
        if (path)
            rc = add_if_pallet(ps, path, e);
        free(path);
    }
    names_free(&names);
    return rc < 0 ? -1 : 0;
}

struct dh_pallets *dh_pallets_new(char *const *dirs, const char *path, struct dh_err *e)
{
    struct dh_pallets *ps = calloc(1, sizeof *ps);
    int rc = ps ? 0 : no_memory(e);

    for (; rc == 0 && dirs && *dirs; dirs++)
        rc = add_folder(ps, *dirs, true, e);
    while (rc == 0 && path && *path) {
        size_t n = strcspn(path, ":");
        char *dir = strndup(path, n);
        rc = !dir ? no_memory(e) : *dir ? add_folder(ps, dir, false, e) : 0;
        free(dir);
        path += n + (path[n] == ':');
    }
    if (rc == 0)
        return ps;
    dh_pallets_free(ps);
    return NULL;
}

void dh_pallets_free(struct dh_pallets *ps)
{
    if (!ps)
        return;
    for (size_t i = 0; i < ps->n; i++)
        free(ps->list[i].dir);
    free(ps->list);
    free(ps);
}

/* ---- maps -------------------------------------------------------------------------------------------------------- */

/* Whether a pallet has the map of this path ("maps/yard"). */
static bool has_map(const struct pallet *p, const char *map, size_t n)
{
    size_t size = strlen(p->dir) + n + sizeof SUFFIX + 2;
    char *path = malloc(size);
    bool there = false;

    if (path) {
        snprintf(path, size, "%s/%.*s%s", p->dir, (int)n, map, SUFFIX);
        there = is_file(path);
    }
    free(path);
    return there;
}

/* The pallet that a barcode names; its map is there. */
static const struct pallet *of_barcode(const struct dh_pallets *ps, struct dh_str barcode, struct dh_err *e)
{
    const char *colon = barcode.n < DH_BARCODE_MAX ? memchr(barcode.p, ':', barcode.n) : NULL;
    char id[DH_BARCODE_MAX];

    size_t n = colon ? (size_t)(colon - barcode.p) : 0;
    if (!colon || !is_name(barcode.p, n, false) || !is_name(colon + 1, barcode.n - n - 1, true) ||
        strncmp(colon + 1, MAPS "/", strlen(MAPS) + 1) != 0) {
        dh_fail(e, DH_TROUBLE, "barcode '%.*s': expected PALLET-ID:maps/NAME", (int)(barcode.n < 100 ? barcode.n : 100),
                barcode.p);
        return NULL;
    }
    memcpy(id, barcode.p, n);
    id[n] = '\0';
    const struct pallet *p = find(ps, id);
    if (!p)
        dh_fail(e, DH_TROUBLE, "no pallet %s in the folders of --pallet and DHPATH", id);
    else if (!has_map(p, colon + 1, barcode.n - n - 1)) {
        dh_fail(e, DH_TROUBLE, "pallet %s (%s): no map %.*s%s in it", id, p->dir, (int)(barcode.n - n - 1), colon + 1,
                SUFFIX);
        p = NULL;
    }
    return p;
}

int dh_pallets_map(const struct dh_pallets *ps, const char *name, char barcode[DH_BARCODE_MAX], struct dh_err *e)
{
    char map[DH_BARCODE_MAX];
    const struct pallet *found = NULL;

    if (strchr(name, ':')) {
        if (!of_barcode(ps, (struct dh_str){name, strlen(name)}, e))
            return -1;
        strcpy(barcode, name);
        return 0;
    }
    if (strlen(name) >= sizeof map / 2 || !is_name(name, strlen(name), false))
        return dh_fail(e, DH_TROUBLE, "map '%.40s': expected a name of letters, digits, and . _ -", name);
    size_t n = (size_t)snprintf(map, sizeof map, "%s/%s", MAPS, name);
    for (size_t i = 0; i < ps->n; i++) {
        if (!has_map(&ps->list[i], map, n))
            continue;
        if (found)
            return dh_fail(e, DH_TROUBLE, "map %s: both %s and %s have one: give PALLET-ID:%s", name, found->id,
                           ps->list[i].id, map);
        found = &ps->list[i];
    }
    if (!found)
        return dh_fail(e, DH_TROUBLE, "map %s: none of %zu pallet%s in the folders of --pallet and DHPATH has it", name,
                       ps->n, ps->n == 1 ? "" : "s");
    snprintf(barcode, DH_BARCODE_MAX, "%.*s:%.*s", 127, found->id, 127, map);
    return 0;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* The pallets that are to be loaded, sorted by id. */
struct closure {
    const struct pallet **list;
    size_t n;
};

static int want(struct closure *cl, const struct pallet *p, struct dh_err *e)
{
    size_t at = cl->n;

    for (size_t i = 0; i < cl->n; i++)
        if (cl->list[i] == p)
            return 0;
    const struct pallet **grown = realloc(cl->list, (cl->n + 1) * sizeof *grown);
    if (!grown)
        return no_memory(e);
    cl->list = grown;
    grown[at] = p;
    cl->n++;
    return 1;
}

static int read_depends(const struct dh_pallets *ps, struct closure *cl, const struct pallet *p,
                        const struct dh_file *manifest, struct dh_err *e)
{
    struct dh_lines ls = dh_lines(manifest->name, manifest->bytes, manifest->size);
    struct dh_line l;
    int got;

    while ((got = dh_line_next(&ls, &l, e)) > 0) {
        char id[128], wanted[64];
        if (dh_line_is(&l, "pallet") || dh_line_is(&l, "surface"))
            continue; /* read by those who want them */
        if (!dh_line_is(&l, "depends"))
            return dh_line_fail(&l, e, "expected pallet, depends or surface, found '%.*s'",
                                (int)(l.kind.n < 40 ? l.kind.n : 40), l.kind.p);
        if (dh_line_string(&l, "id", id, sizeof id, e) < 0 ||
            dh_line_string(&l, "version", wanted, sizeof wanted, e) < 0 || dh_line_done(&l, e) < 0)
            return -1;
        const struct pallet *on = find(ps, id);
        if (!on)
            return dh_line_fail(&l, e, "pallet %s depends on %s: there is none in the folders of --pallet and DHPATH",
                                p->id, id);
        int fits = satisfies(&on->number, wanted);
        if (fits < 0)
            return dh_line_fail(&l, e, "version: expected *, MAJOR.MINOR.PATCH or ^MAJOR.MINOR.PATCH");
        if (fits == 0)
            return dh_line_fail(&l, e, "pallet %s depends on %s %s, found %s in %s", p->id, id, wanted, on->version,
                                on->dir);
        if (want(cl, on, e) < 0)
            return -1;
    }
    return got;
}

static int add_file(struct dh_content *c, const struct pallet *p, const char *path, struct dh_err *e)
{
    size_t size = strlen(p->id) + strlen(path) + 2;
    char *file = join(p->dir, path), *name = malloc(size);
    int rc = -1;

    if (!file || !name)
        no_memory(e);
    else {
        snprintf(name, size, "%s:%s", p->id, path);
        rc = dh_content_add_as(c, ROLE, file, name, e);
    }
    free(file);
    free(name);
    return rc;
}

/* "maps/..." comes before "pallet.dh": the paths are sorted. */
static int add_files(struct dh_content *c, const struct pallet *p, struct dh_err *e)
{
    char *dir = join(p->dir, MAPS);
    struct names names = {0};
    int rc = dir ? 0 : no_memory(e);

    if (rc == 0 && names_of(dir, &names) < 0)
        names = (struct names){0}; /* a pallet without maps: others depend on it */
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        size_t n = strlen(names.list[i]);
        if (n <= strlen(SUFFIX) || strcmp(names.list[i] + n - strlen(SUFFIX), SUFFIX) != 0 ||
            !is_name(names.list[i], n, false))
            continue;
        char *path = join(MAPS, names.list[i]);
        rc = path ? add_file(c, p, path, e) : no_memory(e);
        free(path);
    }
    names_free(&names);
    free(dir);
    return rc < 0 ? -1 : add_file(c, p, MANIFEST, e);
}

static int by_id(const void *a, const void *b)
{
    return strcmp((*(const struct pallet *const *)a)->id, (*(const struct pallet *const *)b)->id);
}

static void update(struct dh_sha *sha, const char *text)
{
    dh_sha_add(sha, text, strlen(text));
}

static void finish(struct dh_sha *sha, char hex[65])
{
    uint8_t sum[32];

    dh_sha_end(sha, sum);
    dh_sums_hex(sum, sizeof sum, hex);
}

/* Add a pallet's line to the closure's hash; its files are those from first on. */
static void hash_pallet(struct dh_sha *all, const struct pallet *p, const struct dh_content *c, int first)
{
    struct dh_sha own;
    char hex[65];

    dh_sha_init(&own);
    for (int i = first; i < c->n; i++) {
        update(&own, c->files[i].name + strlen(p->id) + 1);
        update(&own, " ");
        dh_sums_hex(c->sums[i].sha256, 32, hex);
        update(&own, hex);
        update(&own, "\n");
    }
    finish(&own, hex);
    update(all, p->id);
    update(all, " ");
    update(all, p->version);
    update(all, " ");
    update(all, hex);
    update(all, "\n");
}

/* The closure grows while it is gone through; a pallet that is there already is not added again, so circles end. */
static int find_closure(const struct dh_pallets *ps, struct closure *cl, struct dh_err *e)
{
    for (size_t i = 0; i < cl->n; i++) {
        struct dh_content manifest = {0};
        int rc = add_file(&manifest, cl->list[i], MANIFEST, e);
        if (rc == 0)
            rc = read_depends(ps, cl, cl->list[i], &manifest.files[0], e);
        dh_content_free(&manifest);
        if (rc < 0)
            return -1;
    }
    qsort(cl->list, cl->n, sizeof *cl->list, by_id);
    return 0;
}

int dh_pallets_load(const struct dh_pallets *ps, struct dh_str barcode, struct dh_content *c, struct dh_err *e)
{
    const struct pallet *p = of_barcode(ps, barcode, e);
    struct closure cl = {0};
    struct dh_sha sha;
    int rc = p ? want(&cl, p, e) : -1;

    if (rc >= 0)
        rc = find_closure(ps, &cl, e);
    dh_sha_init(&sha);
    for (size_t i = 0; rc >= 0 && i < cl.n; i++) {
        int first = c->n;
        rc = add_files(c, cl.list[i], e);
        if (rc == 0)
            hash_pallet(&sha, cl.list[i], c, first);
    }
    free(cl.list);
    if (rc < 0)
        return -1;
    finish(&sha, c->closure);
    return 0;
}
