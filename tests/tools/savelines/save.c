/* SPDX-License-Identifier: ISC */
/* save.c - a savegame as chocolate-doom writes it: the executable's structures one after the other, with 32-bit
 * pointers. */
#include "savelines.h"

#include <stdlib.h>
#include <string.h>

enum { SKILL = 40, EPISODE = 41, MAP = 42, IN_GAME = 43, LEVEL_TIME = 47, HEADER = 50, SLOTS = 4 };
enum { END_OF_THINGS = 0, A_THING = 1, END_OF_SPECIALS = 7, END_OF_FILE = 0x1d };
enum { LINE_BYTES = 14, SECTOR_BYTES = 26, LINE_FLAGS = 4, LINE_SIDES = 10 };

struct file {
    const char *name;
    uint8_t *p;
    size_t n, at;
};

static const uint8_t *take(struct file *f, size_t n)
{
    if (n > f->n - f->at)
        die("%s: ends in the middle, at byte %zu", f->name, f->n);
    f->at += n;
    return f->p + f->at - n;
}

static void align(struct file *f)
{
    take(f, -f->at & 3);
}

static void load(struct file *f)
{
    FILE *in = strcmp(f->name, "-") == 0 ? stdin : fopen(f->name, "rb");
    size_t cap = 1 << 22; /* the executable's limit is 180 KB; ports write what there is */
    if (!in)
        die("%s: cannot be opened", f->name);
    f->p = allocate(cap, 1);
    f->n = fread(f->p, 1, cap, in);
    if (ferror(in) || f->n == cap)
        die("%s: cannot be read", f->name);
    if (in != stdin)
        fclose(in);
    if (f->n < HEADER)
        die("%s: too short for a savegame", f->name);
}

/* Fill a row from its bytes; pointers stay addresses for now. */
static void parse(struct row *r, int kind, const uint8_t *p)
{
    r->kind = kind;
    for (int i = 0; i < kinds[kind].n; i++) {
        const struct field *f = &kinds[kind].fields[i];
        union value *v = &r->v[i];
        switch (f->wire) {
        case JUNK:
            p += f->size;
            continue;
        case S16:
        case WHOLE:
            v->n = le16(p);
            p += 2;
            continue;
        case FLAT:
        case WALL:
            snprintf(v->name, sizeof v->name, "%s", f->wire == FLAT ? wad_flat_name(le16(p)) : wad_wall_name(le16(p)));
            p += 2;
            continue;
        case TRUTH:
            v->n = le32(p) != 0;
            break;
        case SLOT:
            v->n = le32(p) - 1;
            break;
        default:
            v->n = le32(p);
        }
        p += 4;
    }
}

static struct links links_of(int kind, const uint8_t *p)
{
    enum { SECTOR_LINKS = 24, BLOCK_LINKS = 44 };
    struct links l = {.prev = {(uint32_t)le32(p)}, .next = {(uint32_t)le32(p + 4)}};
    if (kind == THING) {
        l.next[1] = (uint32_t)le32(p + SECTOR_LINKS);
        l.prev[1] = (uint32_t)le32(p + SECTOR_LINKS + 4);
        l.next[2] = (uint32_t)le32(p + BLOCK_LINKS);
        l.prev[2] = (uint32_t)le32(p + BLOCK_LINKS + 4);
    }
    return l;
}

static void print(struct row *r, long index, const struct links *l, int nthings)
{
    for (int i = 0; i < kinds[r->kind].n; i++)
        if (kinds[r->kind].fields[i].wire == MOBJ)
            r->v[i].n = address_place(l, nthings, (uint32_t)r->v[i].n);
    row_print(r, index);
}

/* The thinkers behind the map: things, then specials. The list of a save is as long as its bytes. */
struct thinkers {
    struct row *rows;
    struct links *links;
    int n, things;
};

static void add(struct thinkers *t, int kind, struct file *f)
{
    align(f);
    const uint8_t *p = take(f, (size_t)kind_size(kind));
    parse(&t->rows[t->n], kind, p);
    t->links[t->n++] = links_of(kind, p);
}

static void read_thinkers(struct thinkers *t, struct file *f)
{
    size_t most = (f->n - f->at) / 16 + 1; /* each takes at least 28 bytes and its own */
    t->rows = allocate(most, sizeof *t->rows);
    t->links = allocate(most, sizeof *t->links);
    int c;
    while ((c = *take(f, 1)) == A_THING)
        add(t, THING, f);
    t->things = t->n;
    if (c != END_OF_THINGS)
        die("%s: byte %zu: 0 or 1 expected, found %d: another map or format", f->name, f->at - 1, c);
    while ((c = *take(f, 1)) < END_OF_SPECIALS)
        add(t, SPECIALS + c, f);
    if (c != END_OF_SPECIALS || *take(f, 1) != END_OF_FILE)
        die("%s: byte %zu: no end mark", f->name, f->at - 1);
    addresses_find(t->links, t->things, t->n);
}

static void print_map(struct file *f, const char *map)
{
    struct row r = {0};
    size_t nsectors = wad_map_lump(map, MAP_SECTORS).n / SECTOR_BYTES;
    struct bytes lines = wad_map_lump(map, MAP_LINES);
    for (size_t i = 0; i < nsectors; i++) {
        parse(&r, SECTOR, take(f, (size_t)kind_size(SECTOR)));
        row_print(&r, (long)i);
    }
    for (size_t i = 0; i < lines.n / LINE_BYTES; i++) {
        const uint8_t *sides = lines.p + i * LINE_BYTES + LINE_SIDES;
        parse(&r, LINE, take(f, (size_t)kind_size(LINE)));
        row_print(&r, (long)i);
        for (int k = 0; k < 2; k++) {
            if (le16(sides + 2 * k) == -1)
                continue;
            parse(&r, SIDE, take(f, (size_t)kind_size(SIDE)));
            row_print(&r, le16(sides + 2 * k) & 0xffff);
        }
    }
}

void save_print(const char *name)
{
    struct file f = {.name = name};
    struct row players[SLOTS] = {0};
    struct thinkers t = {0};
    char map[16];
    load(&f);
    map_name(map, f.p[EPISODE], f.p[MAP]);
    printf("level %s skill=%d leveltime=%d\n", map, f.p[SKILL],
           f.p[LEVEL_TIME] << 16 | f.p[LEVEL_TIME + 1] << 8 | f.p[LEVEL_TIME + 2]);
    f.at = HEADER;
    for (int i = 0; i < SLOTS; i++) {
        if (!f.p[IN_GAME + i])
            continue;
        align(&f);
        parse(&players[i], PLAYER, take(&f, (size_t)kind_size(PLAYER)));
    }
    print_map(&f, map);
    read_thinkers(&t, &f);
    for (int i = 0; i < SLOTS; i++)
        if (f.p[IN_GAME + i])
            print(&players[i], i, t.links, t.things);
    for (int i = 0; i < t.n; i++)
        print(&t.rows[i], i < t.things ? i : i - t.things, t.links, t.things);
    free(t.rows);
    free(t.links);
    free(f.p);
}
