/* SPDX-License-Identifier: ISC */
#include "verify/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lmp/lmp.h"
#include "settings.h"

enum style { EITHER, EPISODES, NUMBERED };

/* IWADs by name, in the order in which they are tried. Where the numbers of episode and level fit both ways of naming
 * maps, Doom II's come first: most demos are of it. */
static const struct {
    const char *name;
    enum style style;
} iwads[] = {
    {"doom2.wad", NUMBERED}, {"doom2f.wad", NUMBERED},    {"doom.wad", EPISODES},      {"doomu.wad", EPISODES},
    {"doom1.wad", EPISODES}, {"freedoom2.wad", NUMBERED}, {"freedoom1.wad", EPISODES},
};
enum { IWADS = sizeof iwads / sizeof iwads[0] };

struct chooser {
    const struct verify_how *how;
    struct files *files;
    char *iwad; /* paths of what the command line names */
    char **wads, **dehs;
    char *paths[IWADS]; /* where these are: NULL, not found */
    bool looked[IWADS];
};

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* In the folders that were given, then wherever dhsim looks. malloc'd; NULL with e filled. */
static char *find(const struct chooser *c, const char *name, struct dh_err *e)
{
    for (char *const *dir = c->how->folders; dir && *dir && *name && !strchr(name, '/'); dir++) {
        char *path = dh_content_find_in(*dir, name);
        if (path)
            return path;
    }
    return dh_content_find(name, e);
}

static int find_all(const struct chooser *c, char *const *names, char ***paths, struct dh_err *e)
{
    size_t n = 0;

    while (names && names[n])
        n++;
    if (!(*paths = calloc(n + 1, sizeof **paths)))
        return dh_fail(e, DH_TROUBLE, "out of memory");
    for (size_t i = 0; i < n; i++)
        if (!((*paths)[i] = find(c, names[i], e)))
            return -1;
    return 0;
}

/* What is named for all demos is read before there are workers, so that they share it. */
static int load_given(struct chooser *c, struct dh_err *e)
{
    const char *iwad = c->how->iwad;

    if (iwad && strcmp(iwad, "none") != 0 && (!(c->iwad = find(c, iwad, e)) || !files_path(c->files, c->iwad, e)))
        return -1;
    if (find_all(c, c->how->wads, &c->wads, e) < 0 || find_all(c, c->how->dehs, &c->dehs, e) < 0)
        return -1;
    for (char **p = c->wads; *p; p++)
        if (!files_path(c->files, *p, e))
            return -1;
    for (char **p = c->dehs; *p; p++)
        if (!files_path(c->files, *p, e))
            return -1;
    return 0;
}

struct chooser *chooser_new(const struct verify_how *how, struct dh_err *e)
{
    struct chooser *c = calloc(1, sizeof *c);

    if (c) {
        c->how = how;
        c->files = files_new();
        if (c->files && load_given(c, e) == 0)
            return c;
        if (c->files) {
            chooser_free(c);
            return NULL;
        }
    }
    chooser_free(c);
    dh_fail(e, DH_TROUBLE, "out of memory");
    return NULL;
}

static void free_list(char **list)
{
    for (char **p = list; p && *p; p++)
        free(*p);
    free(list);
}

void chooser_free(struct chooser *c)
{
    if (!c)
        return;
    files_free(c->files);
    free(c->iwad);
    free_list(c->wads);
    free_list(c->dehs);
    for (int i = 0; i < IWADS; i++)
        free(c->paths[i]);
    free(c);
}

/* ---- a choice under way ------------------------------------------------------------------------------------------ */

struct job {
    struct chooser *c;
    const struct subject *s;
    struct choice *out;
    bool footer; /* it says which files there were */
    struct row *row;
    int notes;
    struct dh_err *e;
};

static int put(struct job *j, const char *role, const char *by, const struct file *f)
{
    struct choice *o = j->out;
    int n = o->content.n;

    if (!f)
        return -1;
    if (n == CHOICE_FILES)
        return dh_fail(j->e, DH_TROUBLE, "more than %d files", CHOICE_FILES);
    o->files[n] = f->file;
    o->files[n].role = role;
    o->sums[n] = f->sums;
    o->by[n] = by;
    o->content.n++;
    return 0;
}

static int put_paths(struct job *j, const char *role, char **paths)
{
    for (; *paths; paths++)
        if (put(j, role, "option", files_path(j->c->files, *paths, j->e)) < 0)
            return -1;
    return 0;
}

/* ---- what the footer names --------------------------------------------------------------------------------------- */

/* The last part: a demo does not choose folders, of whatever system. */
static const char *last_part(const char *path)
{
    const char *p = path + strlen(path);

    while (p > path && p[-1] != '/' && p[-1] != '\\' && p[-1] != ':')
        p--;
    return p;
}

/* Whether a file in an archive is what a name means, with or without ".wad". */
static bool means(const char *member, const char *name)
{
    size_t n = strlen(name);

    member = last_part(member);
    return strncasecmp(member, name, n) == 0 && (member[n] == '\0' || strcasecmp(member + n, ".wad") == 0);
}

static const struct file *named(struct job *j, const char *name)
{
    const struct zip *z = j->s->found->zip;
    const char *part = last_part(name);

    for (size_t i = 0; z && *part && i < zip_count(z); i++)
        if (means(zip_name(z, i), part))
            return files_member(j->c->files, j->s->archive, z, i, j->e);
    char *path = find(j->c, part, j->e);
    const struct file *f = path ? files_path(j->c->files, path, j->e) : NULL;
    free(path);
    if (!path)
        dh_fail(j->e, DH_TROUBLE, "no WAD: %s, which the demo's footer names, is not found", *part ? part : "''");
    return f;
}

static int put_named(struct job *j, const char *role, char **names)
{
    for (; names && *names; names++)
        if (put(j, role, "footer", named(j, *names)) < 0)
            return -1;
    return 0;
}

static void warn(void *ctx, const char *text)
{
    const struct job *j = ctx;

    row_item(j->row, j->notes, "%s", text);
}

static int read_footer(struct job *j)
{
    const struct verify_how *how = j->c->how;
    int none = 1;

    if (how->use_footer || (!how->iwad && !how->wads))
        none = lmp_used_read(&j->out->used, j->s->begin->schemas, &j->s->begin->header, warn, j, j->e);
    j->footer = none == 0;
    return none < 0 ? -1 : 0;
}

/* Those of the command line, then what the footer has besides. */
static int put_settings(struct job *j)
{
    const char **to = j->out->settings;
    const size_t most = CHOICE_SETTINGS - 1;
    size_t n = 0;

    for (const char *const *p = j->c->how->settings; p && *p && n < most; p++)
        to[n++] = *p;
    return dh_settings_add(to, &n, most, j->out->used.settings)
               ? 0
               : dh_fail(j->e, DH_TROUBLE, "more than %zu settings", most);
}

/* ---- what the archive has ---------------------------------------------------------------------------------------- */

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);

    return n > m && strcasecmp(name + n - m, ending) == 0 && strncmp(last_part(name), "._", 2) != 0;
}

static int put_iwad(struct job *j, const struct file *f)
{
    return put(j, "iwad", "archive", f);
}

static int put_pwad(struct job *j, const struct file *f)
{
    return put(j, "pwad", "archive", f);
}

/* The WADs of a kind that are where the demo is, each given to fn, of IWADs the first. How many there are; -1 with e
 * filled: one that cannot be read may be one that the demo needs. */
static int each_wad(struct job *j, bool iwad, int (*fn)(struct job *j, const struct file *f))
{
    const struct walk_found *found = j->s->found;
    size_t members = found->zip ? zip_count(found->zip) : 0;
    int n = 0;

    for (size_t i = 0; i < members && !(iwad && n > 0); i++) {
        if (!ends_in(zip_name(found->zip, i), ".wad"))
            continue;
        const struct file *f = files_member(j->c->files, j->s->archive, found->zip, i, j->e);
        bool right = f && f->wad && f->iwad == iwad;
        if (!f || (right && fn(j, f) < 0))
            return -1;
        n += right;
    }
    if (found->wad) {
        const struct file *f = files_path(j->c->files, found->wad, j->e);
        if (!f || (f->iwad == iwad && fn(j, f) < 0))
            return -1;
        n += f->iwad == iwad;
    }
    return n;
}

static int put_patches(struct job *j)
{
    const struct zip *z = j->s->found->zip;

    for (size_t i = 0; z && i < zip_count(z); i++)
        if (ends_in(zip_name(z, i), ".deh") &&
            put(j, "deh", "archive", files_member(j->c->files, j->s->archive, z, i, j->e)) < 0)
            return -1;
    return 0;
}

/* ---- the IWAD by the demo's map ---------------------------------------------------------------------------------- */

struct names {
    char numbered[16], episodes[16];
};

static struct names names_of(const struct lmp_demo *d)
{
    int level = (int)lmp_rule(d, "level", 1) & 255, episode = (int)lmp_rule(d, "episode", 1) & 255;
    struct names n;

    snprintf(n.numbered, sizeof n.numbered, "MAP%02d", level < 1 ? 1 : level);
    snprintf(n.episodes, sizeof n.episodes, "E%dM%d", episode < 1 ? 1 : episode, level < 1 ? 1 : level);
    return n;
}

static bool has_lump(const struct dh_file *f, const char *name)
{
    return lmp_has_lump(f->bytes, f->size, name);
}

/* How many of the files so far have a map. */
static int count_with(const struct choice *o, const char *map)
{
    int n = 0;

    for (int i = 0; i < o->content.n; i++)
        n += has_lump(&o->files[i], map);
    return n;
}

static enum style style_of(const struct job *j, const struct names *n)
{
    const struct lmp_demo *d = j->s->demo;
    bool numbered = count_with(j->out, n->numbered) > 0, episodes = count_with(j->out, n->episodes) > 0;

    if (numbered != episodes)
        return numbered ? NUMBERED : EPISODES;
    if (lmp_rule(d, "episode", 1) > 1)
        return EPISODES;
    return lmp_rule(d, "level", 1) > 9 ? NUMBERED : EITHER;
}

static const char *path_of(struct chooser *c, int i)
{
    if (!c->looked[i])
        c->paths[i] = find(c, iwads[i].name, NULL);
    c->looked[i] = true;
    return c->paths[i];
}

static int put_by_map(struct job *j)
{
    const struct names n = names_of(j->s->demo);
    enum style style = style_of(j, &n);

    for (int i = 0; i < IWADS; i++) {
        const char *map = iwads[i].style == NUMBERED ? n.numbered : n.episodes;
        const char *path = style == EITHER || style == iwads[i].style ? path_of(j->c, i) : NULL;
        const struct file *f = path ? files_path(j->c->files, path, j->e) : NULL;
        if (path && !f)
            return -1;
        if (f && (has_lump(&f->file, map) || count_with(j->out, map) > 0))
            return put(j, "iwad", style == EITHER ? "guess" : "map", f);
    }
    return dh_fail(j->e, DH_TROUBLE, "no WAD: no %s with %s%s%s is found",
                   style == NUMBERED   ? "doom2.wad or freedoom2.wad"
                   : style == EPISODES ? "doom.wad or freedoom1.wad"
                                       : "doom2.wad, doom.wad or Freedoom's",
                   style == EPISODES ? n.episodes : n.numbered, style == EITHER ? " or " : "",
                   style == EITHER ? n.episodes : "");
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static int pwads(struct job *j)
{
    const struct names n = names_of(j->s->demo);

    if (j->c->how->wads)
        return put_paths(j, "pwad", j->c->wads);
    if (j->footer)
        return put_named(j, "pwad", j->out->used.wads);
    if (each_wad(j, false, put_pwad) < 0)
        return -1;
    if (count_with(j->out, n.numbered) > 1 || count_with(j->out, n.episodes) > 1)
        row_item(j->row, j->notes, "several WADs in the archive have the map: all are loaded, in its order");
    return 0;
}

static int iwad(struct job *j)
{
    const char *given = j->c->how->iwad;

    if (given && strcmp(given, "none") == 0)
        return 0;
    if (given)
        return put(j, "iwad", "option", files_path(j->c->files, j->c->iwad, j->e));
    if (j->footer && j->out->used.iwad)
        return put(j, "iwad", "footer", named(j, j->out->used.iwad));
    int n = each_wad(j, true, put_iwad);
    return n != 0 ? n : put_by_map(j);
}

static int patches(struct job *j)
{
    if (j->c->how->dehs)
        return put_paths(j, "deh", j->c->dehs);
    return j->footer ? put_named(j, "deh", j->out->used.dehs) : put_patches(j);
}

/* The IWAD is chosen last of the WADs, and is the first. */
static void last_first(struct choice *o, int last)
{
    struct dh_file file = o->files[last];
    struct dh_sums sums = o->sums[last];
    const char *by = o->by[last];

    memmove(o->files + 1, o->files, (size_t)last * sizeof *o->files);
    memmove(o->sums + 1, o->sums, (size_t)last * sizeof *o->sums);
    memmove(o->by + 1, o->by, (size_t)last * sizeof *o->by);
    o->files[0] = file;
    o->sums[0] = sums;
    o->by[0] = by;
}

int choose(struct chooser *c, const struct subject *s, struct choice *out, struct row *row, int notes, struct dh_err *e)
{
    struct job j = {.c = c, .s = s, .out = out, .row = row, .notes = notes, .e = e};

    files_next(c->files);
    memset(out, 0, sizeof *out);
    out->content.files = out->files;
    out->content.sums = out->sums;
    if (read_footer(&j) < 0 || put_settings(&j) < 0 || pwads(&j) < 0)
        return -1;
    int n = out->content.n;
    if (iwad(&j) < 0)
        return -1;
    if (out->content.n > n)
        last_first(out, n);
    return patches(&j);
}

void choice_free(struct choice *c)
{
    lmp_used_free(&c->used);
}
