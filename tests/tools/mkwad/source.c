/* SPDX-License-Identifier: ISC */
/* The text grammar: one statement a line, a word first, then positions (x,y) and key=value. See README.md. */
#include "mkwad.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 256

struct reader {
    struct source *src;
    struct map *map; /* NULL before the first `map` */
    struct lump *lump;
    const char *file;
    int where;
    int nword;
    char *word[MAX_WORDS];
};

struct name_value {
    const char *name;
    int value;
};

/* Editor numbers, as the THINGS lump holds them (doomwiki.org, "Thing types"). */
static const struct name_value THING_NAMES[] = {
    {"player1", 1},
    {"player2", 2},
    {"player3", 3},
    {"player4", 4},
    {"deathmatch", 11},
    {"teleport-target", 14},
    {"blue-card", 5},
    {"yellow-card", 6},
    {"red-card", 13},
    {"blue-skull", 40},
    {"yellow-skull", 39},
    {"red-skull", 38},
    {"backpack", 8},
    {"spider", 7},
    {"cyberdemon", 16},
    {"zombieman", 3004},
    {"shotgun-guy", 9},
    {"chaingunner", 65},
    {"imp", 3001},
    {"demon", 3002},
    {"spectre", 58},
    {"lost-soul", 3006},
    {"cacodemon", 3005},
    {"baron", 3003},
    {"knight", 69},
    {"revenant", 66},
    {"mancubus", 67},
    {"arachnotron", 68},
    {"pain-elemental", 71},
    {"arch-vile", 64},
    {"keen", 72},
    {"nazi", 84},
    {"brain", 88},
    {"brain-target", 87},
    {"brain-shooter", 89},
    {"chainsaw", 2005},
    {"shotgun", 2001},
    {"super-shotgun", 82},
    {"chaingun", 2002},
    {"rocket-launcher", 2003},
    {"plasma-gun", 2004},
    {"bfg", 2006},
    {"clip", 2007},
    {"shells", 2008},
    {"rocket", 2010},
    {"cell", 2047},
    {"ammo-box", 2048},
    {"shell-box", 2049},
    {"rocket-box", 2046},
    {"cell-pack", 17},
    {"stimpack", 2011},
    {"medikit", 2012},
    {"health-bonus", 2014},
    {"armor-bonus", 2015},
    {"green-armor", 2018},
    {"blue-armor", 2019},
    {"soulsphere", 2013},
    {"megasphere", 83},
    {"invulnerability", 2022},
    {"berserk", 2023},
    {"invisibility", 2024},
    {"radsuit", 2025},
    {"map", 2026},
    {"visor", 2045},
    {"barrel", 2035},
    {"lamp", 2028},
    {"column", 30},
    {"candle", 34},
    {"tree", 43},
    {NULL, 0},
};

static const struct name_value THING_FLAGS[] = {
    {"easy", 1}, {"medium", 2}, {"hard", 4}, {"ambush", 8}, {"multi", 16}, {NULL, 0},
};

/* "two-sided" (4) and the blocking of one-sided walls come from the geometry. */
static const struct name_value LINE_FLAGS[] = {
    {"block", 1},           {"block-monsters", 2}, {"upper-unpegged", 8},
    {"lower-unpegged", 16}, {"secret", 32},        {"block-sound", 64},
    {"hidden", 128},        {"mapped", 256},       {NULL, 0},
};

#define bad(r, ...) bad_at((r), (r)->where, __VA_ARGS__)
static _Noreturn void bad_at(const struct reader *r, int where, const char *what, const char *detail)
{
    die("%s:%d: %s: %s", r->file, where, what, detail);
}

static int number(const struct reader *r, const char *s, long lo, long hi)
{
    char *end;
    long v = strtol(s, &end, 0);
    if (end == s || *end || v < lo || v > hi)
        die("%s:%d: '%s' is not a number from %ld to %ld", r->file, r->where, s, lo, hi);
    return (int)v;
}

static void copy_name(const struct reader *r, char dst[NAME_MAX_LEN + 1], const char *s)
{
    size_t n = strlen(s);
    if (n == 0 || n > NAME_MAX_LEN)
        bad(r, "a name has one to eight letters", s);
    for (size_t i = 0; i <= n; i++)
        dst[i] = (char)toupper((unsigned char)s[i]);
}

static bool point(const struct reader *r, const char *s, struct vertex *v)
{
    char buf[32];
    const char *comma = strchr(s, ',');
    if (!comma || strchr(s, '=') || (size_t)(comma - s) >= sizeof buf)
        return false;
    memcpy(buf, s, (size_t)(comma - s));
    buf[comma - s] = '\0';
    *v = (struct vertex){.x = number(r, buf, -32768, 32767), .y = number(r, comma + 1, -32768, 32767)};
    return true;
}

static struct vertex need_point(const struct reader *r, int word)
{
    struct vertex v;
    if (word >= r->nword || !point(r, r->word[word], &v))
        bad(r, "expected a position x,y", word < r->nword ? r->word[word] : "end of line");
    return v;
}

/* The value of a `key=value` word when KEY is its key, else NULL. */
static const char *value(const char *word, const char *key)
{
    size_t n = strlen(key);
    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

static bool int_key(const struct reader *r, const char *word, const char *key, int *out, long lo, long hi)
{
    const char *v = value(word, key);
    if (v)
        *out = number(r, v, lo, hi);
    return v != NULL;
}

static bool name_key(const struct reader *r, const char *word, const char *key, char dst[NAME_MAX_LEN + 1])
{
    const char *v = value(word, key);
    if (v)
        copy_name(r, dst, v);
    return v != NULL;
}

static bool lookup(const struct name_value *t, const char *name, int *out)
{
    for (; t->name; t++) {
        if (strcmp(t->name, name) == 0) {
            *out = t->value;
            return true;
        }
    }
    return false;
}

/* A comma list of names or numbers, or-ed together. */
static int flag_list(const struct reader *r, const struct name_value *names, const char *s)
{
    char buf[256], *save = NULL;
    int all = 0;
    snprintf(buf, sizeof buf, "%s", s);
    for (char *f = strtok_r(buf, ",", &save); f; f = strtok_r(NULL, ",", &save)) {
        int one;
        if (!lookup(names, f, &one))
            one = isdigit((unsigned char)*f) ? number(r, f, 0, 65535) : -1;
        if (one < 0)
            bad(r, "no such flag", f);
        all |= one;
    }
    return all;
}

static int find_sector(const struct reader *r, const char *name)
{
    for (int i = 0; i < r->map->sectors.n; i++) {
        if (strcmp(r->map->sectors.v[i].name, name) == 0)
            return i;
    }
    bad(r, "no such sector so far", name);
}

static struct texture *find_texture(struct texture *t, int n, const char *name)
{
    for (int i = 0; i < n; i++) {
        if (name_equal(t[i].name, name))
            return &t[i];
    }
    return NULL;
}

static void st_sector(struct reader *r)
{
    struct sector s = {.ceil = 128, .light = 160, .floorpic = "FLOOR4_8", .ceilpic = "CEIL3_5", .wall = "STARTAN3"};
    if (r->nword < 2 || strlen(r->word[1]) >= sizeof s.name)
        bad(r, "sector", "needs a name of at most 31 letters");
    for (int i = 0; i < r->map->sectors.n; i++) {
        if (strcmp(r->map->sectors.v[i].name, r->word[1]) == 0)
            bad(r, "there is a sector of that name", r->word[1]);
    }
    for (int i = 2; i < r->nword; i++) {
        const char *w = r->word[i], *like = value(w, "like");
        if (like)
            s = r->map->sectors.v[find_sector(r, like)];
        else if (!int_key(r, w, "floor", &s.floor, -32768, 32767) && !int_key(r, w, "ceil", &s.ceil, -32768, 32767) &&
                 !int_key(r, w, "light", &s.light, 0, 255) && !int_key(r, w, "special", &s.special, 0, 32767) &&
                 !int_key(r, w, "tag", &s.tag, 0, 32767) && !name_key(r, w, "floorpic", s.floorpic) &&
                 !name_key(r, w, "ceilpic", s.ceilpic) && !name_key(r, w, "wall", s.wall) &&
                 !name_key(r, w, "edge", s.edge) && !name_key(r, w, "lintel", s.lintel))
            bad(r, "sector: unknown word", w);
    }
    snprintf(s.name, sizeof s.name, "%s", r->word[1]);
    if (s.floor > s.ceil)
        bad(r, "floor above ceiling", s.name);
    list_add(&r->map->sectors) = s;
}

/* Adds the outline in words FIRST.. with SECTOR inside, or outside for a hole. Two points are a rectangle's corners. */
static void outline(struct reader *r, int first, int sector, bool outside)
{
    struct vertex p[MAX_WORDS] = {{0, 0}};
    int n = r->nword - first;
    int64_t area = 0;

    for (int i = 0; i < n; i++)
        p[i] = need_point(r, first + i);
    if (n == 2) {
        p[2] = p[1];
        p[1] = (struct vertex){.x = p[0].x, .y = p[2].y};
        p[3] = (struct vertex){.x = p[2].x, .y = p[0].y};
        n = 4;
    }
    for (int i = 0; i < n; i++)
        area += (int64_t)p[i].x * p[(i + 1) % n].y - (int64_t)p[(i + 1) % n].x * p[i].y;
    if (n < 3 || area == 0)
        bad(r, r->word[0], "an outline needs two corners, or three points and an area");
    bool forward = (area < 0) != outside; /* clockwise has the right-hand side, the front, inside */
    for (int i = 0; i < n; i++) {
        struct vertex a = p[forward ? i : n - 1 - i], b = p[forward ? (i + 1) % n : (2 * n - 2 - i) % n];
        int va = map_vertex(r->map, a.x, a.y), vb = map_vertex(r->map, b.x, b.y);
        if (va == vb)
            bad(r, r->word[0], "a point is repeated");
        list_add(&r->map->edges) = (struct edge){.a = va, .b = vb, .sector = sector};
    }
}

static void st_poly(struct reader *r)
{
    if (r->nword < 4)
        bad(r, r->word[0], "needs a sector and at least two points");
    outline(r, 2, find_sector(r, r->word[1]), strcmp(r->word[0], "hole") == 0);
}

static void st_island(struct reader *r)
{
    if (r->nword < 5)
        bad(r, "island", "needs the inner sector, the outer one and at least two points");
    outline(r, 3, find_sector(r, r->word[1]), false);
    outline(r, 3, find_sector(r, r->word[2]), true);
}

static void st_line(struct reader *r)
{
    struct attr a = {.a = need_point(r, 1), .b = need_point(r, 2), .where = r->where};
    a.is_side = strcmp(r->word[0], "side") == 0;
    for (int i = 3; i < r->nword; i++) {
        const char *w = r->word[i], *v;
        if (int_key(r, w, "xoff", &a.xoff, -32768, 32767))
            a.has_xoff = true;
        else if (int_key(r, w, "yoff", &a.yoff, -32768, 32767))
            a.has_yoff = true;
        else if (!a.is_side && (v = value(w, "flags")))
            a.flags = flag_list(r, LINE_FLAGS, v);
        else if (!name_key(r, w, "upper", a.tex[TEX_UPPER]) && !name_key(r, w, "lower", a.tex[TEX_LOWER]) &&
                 !name_key(r, w, "middle", a.tex[TEX_MIDDLE]) &&
                 (a.is_side ||
                  (!int_key(r, w, "special", &a.special, 0, 32767) && !int_key(r, w, "tag", &a.tag, 0, 32767))))
            bad(r, "unknown word", w);
    }
    if (a.a.x == a.b.x && a.a.y == a.b.y)
        bad(r, r->word[0], "has no length");
    list_add(&r->map->attrs) = a;
}

static void st_thing(struct reader *r)
{
    struct thing t = {.flags = 7, .where = r->where};
    struct vertex p;
    bool any = false;
    if (r->nword < 3)
        bad(r, "thing", "needs a type and a position");
    if (!lookup(THING_NAMES, r->word[1], &t.type))
        t.type = number(r, r->word[1], 0, 32767);
    for (int i = 2; i < r->nword; i++) { /* attributes first: they hold for all positions of the line */
        const char *w = r->word[i], *v = value(w, "flags");
        if (v)
            t.flags = flag_list(r, THING_FLAGS, v);
        else if (!int_key(r, w, "angle", &t.angle, -360, 360) && !point(r, w, &p))
            bad(r, "thing: unknown word", w);
    }
    for (int i = 2; i < r->nword; i++) {
        if (point(r, r->word[i], &p)) {
            t.x = p.x;
            t.y = p.y;
            list_add(&r->map->things) = t;
            any = true;
        }
    }
    if (!any)
        bad(r, "thing", "needs a position");
}

static void st_reject(struct reader *r)
{
    if (r->nword != 3)
        bad(r, "reject", "needs two sectors");
    list_add(&r->map->blind) = (struct pair){.a = find_sector(r, r->word[1]), .b = find_sector(r, r->word[2])};
}

static void st_map(struct reader *r)
{
    if (r->nword != 2)
        bad(r, "map", "needs one name");
    r->map = &list_add(&r->src->maps);
    r->map->file = r->file;
    copy_name(r, r->map->name, r->word[1]);
}

static void st_texture(struct reader *r)
{
    for (int i = 1; i < r->nword; i += 2) {
        struct texture t = {0};
        char *x = i + 1 < r->nword ? strchr(r->word[i + 1], 'x') : NULL;
        copy_name(r, t.name, r->word[i]);
        if (!x)
            bad(r, "texture", "needs pairs of NAME WIDTHxHEIGHT");
        *x = '\0';
        t.width = number(r, r->word[i + 1], 1, 4096);
        t.height = number(r, x + 1, 1, 4096);
        if (find_texture(r->src->textures.v, r->src->textures.n, t.name))
            bad(r, "there is a texture of that name", t.name);
        list_add(&r->src->textures) = t;
    }
}

static void st_flat(struct reader *r)
{
    for (int i = 1; i < r->nword; i++) {
        struct texture t = {0};
        copy_name(r, t.name, r->word[i]);
        if (!find_texture(r->src->flats.v, r->src->flats.n, t.name))
            list_add(&r->src->flats) = t;
    }
}

static void st_lump(struct reader *r)
{
    if (r->nword != 2)
        bad(r, "lump", "needs one name; its text follows on lines that begin with |");
    r->lump = &list_add(&r->src->extra);
    copy_name(r, r->lump->name, r->word[1]);
}

static const struct statement {
    const char *name;
    bool in_map;
    void (*run)(struct reader *);
} STATEMENTS[] = {
    {"map", false, st_map},      {"texture", false, st_texture}, {"flat", false, st_flat},  {"lump", false, st_lump},
    {"sector", true, st_sector}, {"poly", true, st_poly},        {"hole", true, st_poly},   {"island", true, st_island},
    {"line", true, st_line},     {"side", true, st_line},        {"thing", true, st_thing}, {"reject", true, st_reject},
    {NULL, false, NULL},
};

static void statement(struct reader *r)
{
    for (const struct statement *s = STATEMENTS; s->name; s++) {
        if (strcmp(s->name, r->word[0]) == 0) {
            if (s->in_map && !r->map)
                bad(r, r->word[0], "comes before the first map");
            s->run(r);
            return;
        }
    }
    bad(r, "unknown statement", r->word[0]);
}

void source_read(struct source *src, const char *file)
{
    struct reader r = {.src = src, .file = file};
    char buf[8192];
    FILE *f = fopen(file, "r");

    if (!f)
        die("%s: cannot open", file);
    while (fgets(buf, sizeof buf, f)) {
        char *save = NULL;
        r.where++;
        if (!strchr(buf, '\n') && !feof(f))
            bad(&r, "line", "too long");
        if (buf[0] == '|') {
            if (!r.lump)
                bad(&r, "text", "without a lump");
            for (const char *p = buf + 1; *p; p++)
                list_add(&r.lump->data) = (uint8_t)*p;
            continue;
        }
        r.nword = 0;
        for (char *w = strtok_r(buf, " \t\r\n", &save); w && *w != '#'; w = strtok_r(NULL, " \t\r\n", &save)) {
            if (r.nword == MAX_WORDS - 2) /* outline() makes four points out of two */
                bad(&r, "line", "too many words");
            r.word[r.nword++] = w;
        }
        if (r.nword)
            statement(&r);
    }
    if (ferror(f))
        die("%s: read error", file);
    fclose(f);
}
