/* SPDX-License-Identifier: ISC */
/* stream.c - a replay's snapshot: what differs from the map as loaded, laid over that map. */
#include "savelines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/dh.h"

enum { LINE_BYTES = 14, SIDE_BYTES = 30, SECTOR_BYTES = 26 };

static struct state {
    const struct dh_schemas *schemas;
    struct dh_entity *all;
    int n, cap;
    int *things; /* those in the list, by their place in all */
    int nthings;
} st;

static const struct dh_etype *type_of(const struct dh_entity *e)
{
    return &st.schemas->types[e->type];
}

static bool is_thing(const struct dh_entity *e)
{
    return dh_schema_find(type_of(e)->schema, "movedir") >= 0;
}

static int64_t number(const struct dh_entity *e, const char *name)
{
    const struct dh_schema *s = type_of(e)->schema;
    int i = dh_schema_find(s, name);
    if (i < 0)
        die("the snapshots' %s has no %s", type_of(e)->name, name);
    return dh_block_int(s, e->block, e->n, i);
}

static void gather(const struct dh_record *r)
{
    struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);
    struct dh_entity e;
    st.n = st.nthings = 0;
    while (dh_entity_next(st.schemas, &c, &e)) {
        if (st.n == st.cap) {
            st.cap = st.cap * 2 + 1024;
            void *all = realloc(st.all, (size_t)st.cap * sizeof *st.all);
            void *things = realloc(st.things, (size_t)st.cap * sizeof *st.things);
            if (!all || !things)
                die("out of memory");
            st.all = all;
            st.things = things;
        }
        if (is_thing(&e) && !number(&e, "gone"))
            st.things[st.nthings++] = st.n;
        st.all[st.n++] = e;
    }
}

static int find(const char *type, uint64_t id)
{
    for (int i = 0; i < st.n; i++)
        if (st.all[i].id == id && strcmp(type_of(&st.all[i])->name, type) == 0)
            return i;
    return -1;
}

/* Ids rise along the list. */
static int place_of(uint64_t id)
{
    int lo = 0, hi = st.nthings;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (st.all[st.things[mid]].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < st.nthings && st.all[st.things[lo]].id == id ? lo : GONE;
}

static void set_name(union value *v, const void *p, size_t n)
{
    snprintf(v->name, sizeof v->name, "%.*s", (int)n, (const char *)p);
}

static void fill(struct row *r, int kind, const struct dh_entity *e)
{
    const struct dh_schema *s = type_of(e)->schema;
    r->kind = kind;
    for (int i = 0; i < kinds[kind].n; i++) {
        const struct field *f = &kinds[kind].fields[i];
        union value *v = &r->v[i];
        size_t n;
        if (!f->name)
            continue;
        v->n = (int32_t)number(e, f->name);
        const uint8_t *p = dh_block_field(s, e->block, e->n, dh_schema_find(s, f->name), &n);
        struct dh_cur c = dh_cur(p, n);
        if (f->wire == FLAT || f->wire == WALL) {
            struct dh_str name = dh_get_str(&c);
            set_name(v, name.p, name.n);
        } else if (f->wire == MOBJ) {
            v->n = dh_get_leb(&c) ? place_of(dh_get_leb(&c)) : NOBODY;
        } else if (f->wire == WHOLE) {
            v->n >>= 16;
        } else if (f->wire == S16) {
            v->n = (int16_t)v->n;
        }
    }
}

static void print_entity(int kind, const struct dh_entity *e, long index)
{
    struct row r = {0};
    fill(&r, kind, e);
    row_print(&r, index);
}

/* ---- the map: an entity where there is one, else what the WAD has ---- */

static void loaded_sector(struct row *r, const uint8_t *p)
{
    struct row s = {.kind = SECTOR,
                    .v = {{.n = le16(p)},
                          {.n = le16(p + 2)},
                          {0},
                          {0},
                          {.n = le16(p + 20)},
                          {.n = le16(p + 22)},
                          {.n = le16(p + 24)}}};
    char name[9] = {0};
    for (int i = 0; i < 2; i++) {
        memcpy(name, p + 4 + 8 * i, 8);
        for (char *q = name; *q; q++)
            *q = (char)(*q >= 'a' && *q <= 'z' ? *q - 32 : *q);
        set_name(&s.v[2 + i], name, strlen(name));
    }
    *r = s;
}

static void loaded_line(struct row *r, const uint8_t *p)
{
    *r = (struct row){.kind = LINE, .v = {{.n = le16(p + 4)}, {.n = le16(p + 6)}, {.n = le16(p + 8)}}};
}

static void loaded_side(struct row *r, const uint8_t *p)
{
    *r = (struct row){.kind = SIDE, .v = {{.n = le16(p)}, {.n = le16(p + 2)}}};
    for (int i = 0; i < 3; i++) {
        const char *name = wad_wall_name_of((const char *)p + 4 + 8 * i);
        set_name(&r->v[2 + i], name, strlen(name));
    }
}

static void print_part(int kind, struct bytes lump, size_t size, size_t i,
                       void (*loaded)(struct row *, const uint8_t *))
{
    struct row r;
    int e = find(kinds[kind].name, i);
    if (e >= 0) {
        print_entity(kind, &st.all[e], (long)i);
        return;
    }
    if (i >= lump.n / size)
        die("%s %zu is beyond the map", kinds[kind].name, i);
    loaded(&r, lump.p + i * size);
    row_print(&r, (long)i);
}

static void print_map(const char *map)
{
    struct bytes sectors = wad_map_lump(map, MAP_SECTORS), lines = wad_map_lump(map, MAP_LINES),
                 sides = wad_map_lump(map, MAP_SIDES);
    for (size_t i = 0; i < sectors.n / SECTOR_BYTES; i++)
        print_part(SECTOR, sectors, SECTOR_BYTES, i, loaded_sector);
    for (size_t i = 0; i < lines.n / LINE_BYTES; i++) {
        print_part(LINE, lines, LINE_BYTES, i, loaded_line);
        for (int k = 0; k < 2; k++) {
            int s = le16(lines.p + i * LINE_BYTES + 10 + 2 * k);
            if (s != -1)
                print_part(SIDE, sides, SIDE_BYTES, (size_t)(s & 0xffff), loaded_side);
        }
    }
}

/* ---- */

/* The executable forgets plats that wait for their trigger, and has no entry for flickering lights. */
static bool saved(int kind, const struct dh_entity *e)
{
    return kind != PLAT || !number(e, "stasis");
}

/* The engine writes its savegame a little later, at the beginning of the next tic. A player who wants to come back has
 * then done so where there are others; alone, that loads the level anew, and as at a level's end the savegame is
 * forgotten. */
static const char *why_not(const struct dh_entity *game)
{
    enum { REBORN = 2 };
    int players = 0, reborn = 0;
    for (int i = 0; i < st.n; i++)
        if (strcmp(type_of(&st.all[i])->name, "Player") == 0) {
            players++;
            reborn += number(&st.all[i], "state") == REBORN;
        }
    if (number(game, "action") || (reborn && players == 1))
        return "unsaved";
    return reborn ? "late" : NULL;
}

static void print_state(const struct dh_record *r)
{
    const struct dh_schema *s = dh_state_schema(st.schemas, r->kind);
    char map[16];
    long n = 0;
    gather(r);
    int game = find("Game", 0);
    if (game < 0)
        die("a snapshot without Game");
    if (why_not(&st.all[game])) {
        puts(why_not(&st.all[game]));
        return;
    }
    map_name(map, (int)number(&st.all[game], "episode"), (int)number(&st.all[game], "level"));
    printf("level %s skill=%d leveltime=%d\n", map, (int)number(&st.all[game], "skill"),
           (int)dh_block_int(s, r->block, r->block_n, dh_schema_find(s, "leveltime")));
    print_map(map);
    for (int i = 0; i < st.n; i++)
        if (strcmp(type_of(&st.all[i])->name, "Player") == 0)
            print_entity(PLAYER, &st.all[i], (long)st.all[i].id);
    for (int i = 0; i < st.nthings; i++)
        print_entity(THING, &st.all[st.things[i]], i);
    for (int i = 0; i < st.n; i++)
        for (int k = SPECIALS; k < KINDS; k++)
            if (strcmp(type_of(&st.all[i])->name, kinds[k].name) == 0 && saved(k, &st.all[i]))
                print_entity(k, &st.all[i], n++);
}

static void print_to(const char *folder, const struct dh_record *r)
{
    char name[4096];
    if (folder) {
        snprintf(name, sizeof name, "%s/%u", folder, r->tick);
        if (!freopen(name, "w", stdout))
            die("%s: cannot be written", name);
    }
    print_state(r);
    if (fflush(stdout))
        die("write error");
}

void stream_print(const long *ticks, int n, const char *folder)
{
    struct dh_reader *rd = dh_reader_new(STDIN_FILENO);
    const struct dh_record *r;
    int more = rd ? dh_reader_stream(rd) : -1, i = 0;
    while (more > 0 && (more = dh_read(rd, &r)) > 0) {
        if (r->kind != DH_SNAPSHOT || r->u.state.digest_only)
            continue;
        while (i < n && ticks[i] < (long)r->tick)
            die("no full snapshot at tick %ld", ticks[i]);
        if (i < n && ticks[i] == (long)r->tick) {
            st.schemas = dh_reader_schemas(rd);
            print_to(folder, r);
            i++;
        }
    }
    if (more < 0)
        die("standard input: %s", rd ? dh_reader_error(rd)->msg : "out of memory");
    if (i < n)
        die("no full snapshot at tick %ld", ticks[i]);
    dh_reader_free(rd);
    free(st.all);
    free(st.things);
}
