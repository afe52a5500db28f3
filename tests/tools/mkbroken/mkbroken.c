/* SPDX-License-Identifier: ISC */
/*
 * mkbroken: a good WAD in, one WAD for each fault of the table below out.
 *
 *   mkbroken good.wad dir
 *
 * Each is good.wad with a single thing wrong in its first map, written as dir/NAME.wad. Standard output has a line
 * `NAME STATUS TEXT` for each: what a replay of that map is to end with, and text that the error message has to hold.
 * Status 0 marks what looks broken and is none: the executables play it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 12, ENTRY = 16, NODE = 28, MAX_FILE = 16 << 20 };

/* What is done to the file. A lump is the first of that name. */
enum op {
    HEADER32,  /* the header's word at `at` becomes `value`; if negative, the file's size less that much */
    CUT,       /* the file ends after `value` bytes; if negative, that many bytes early */
    MAGIC,     /* the first letter becomes `value` */
    RENAME,    /* the first letter of the lump's name becomes `value` */
    POSITION,  /* the lump begins at `value`; if negative, that many bytes before the end of the file */
    RESIZE,    /* the lump's size becomes `value`; if negative, that much less than it is */
    HUGE_LUMP, /* the lump's size becomes 0xfffffff0 */
    WORD,      /* the 16-bit word at byte `at` of the lump (if negative, from its end) becomes `value` */
    CYCLE,     /* the last node's right child becomes the last node */
    BLOCKS,    /* the 16-bit word `at` words after the end of the blockmap's table of offsets becomes `value` */
    LONG       /* as WORD, 32 bits */
};

static const struct fault {
    const char *name, *lump;
    enum op op;
    long at, value;
    int status;
    const char *text;
} FAULTS[] = {
    /* the archive */
    {"magic", NULL, MAGIC, 0, 'X', 2, "not a WAD"},
    {"empty", NULL, CUT, 0, 0, 2, "not a WAD"},
    {"header-cut", NULL, CUT, 0, 7, 2, "not a WAD"},
    {"header-alone", NULL, CUT, 0, 12, 2, "directory"},
    {"directory-cut", NULL, CUT, 0, -5, 2, "directory"},
    {"half", NULL, CUT, 0, 5000, 2, "directory"},
    {"directory-beyond", NULL, HEADER32, 8, -4, 2, "directory"},
    {"directory-far", NULL, HEADER32, 8, 0x7ffffff0, 2, "directory"},
    {"lumps-many", NULL, HEADER32, 4, 0x7fffffff, 2, "directory"},
    {"lumps-none", NULL, HEADER32, 4, 0, 2, ""},
    {"lump-beyond", "LINEDEFS", POSITION, 0, -10, 2, "LINEDEFS"},
    {"lump-far", "LINEDEFS", POSITION, 0, 0x7ffffff0, 2, "LINEDEFS"},
    {"lump-huge", "LINEDEFS", HUGE_LUMP, 0, 0, 2, "LINEDEFS"},
    /* the map's lumps */
    {"map-missing", "MAP01", RENAME, 0, 'X', 2, "MAP01"},
    {"things-missing", "THINGS", RENAME, 0, 'X', 2, "THINGS"},
    {"blockmap-missing", "BLOCKMAP", RENAME, 0, 'X', 2, "BLOCKMAP"},
    {"things-size", "THINGS", RESIZE, 0, -1, 2, "THINGS"},
    {"linedefs-size", "LINEDEFS", RESIZE, 0, -1, 2, "LINEDEFS"},
    {"sidedefs-size", "SIDEDEFS", RESIZE, 0, -1, 2, "SIDEDEFS"},
    {"vertexes-size", "VERTEXES", RESIZE, 0, -1, 2, "VERTEXES"},
    {"segs-size", "SEGS", RESIZE, 0, -1, 2, "SEGS"},
    {"ssectors-size", "SSECTORS", RESIZE, 0, -1, 2, "SSECTORS"},
    {"nodes-size", "NODES", RESIZE, 0, -1, 2, "NODES"},
    {"sectors-size", "SECTORS", RESIZE, 0, -1, 2, "SECTORS"},
    {"blockmap-size", "BLOCKMAP", RESIZE, 0, -1, 2, "BLOCKMAP"},
    {"linedefs-empty", "LINEDEFS", RESIZE, 0, 0, 2, "LINEDEFS"},
    {"sidedefs-empty", "SIDEDEFS", RESIZE, 0, 0, 2, "SIDEDEFS"},
    {"vertexes-empty", "VERTEXES", RESIZE, 0, 0, 2, "VERTEXES"},
    {"segs-empty", "SEGS", RESIZE, 0, 0, 2, "SEGS"},
    {"ssectors-empty", "SSECTORS", RESIZE, 0, 0, 2, "SSECTORS"},
    {"sectors-empty", "SECTORS", RESIZE, 0, 0, 2, "SECTORS"},
    {"blockmap-empty", "BLOCKMAP", RESIZE, 0, 0, 2, "BLOCKMAP"},
    {"blockmap-header", "BLOCKMAP", RESIZE, 0, 6, 2, "BLOCKMAP"},
    {"blockmap-table-cut", "BLOCKMAP", RESIZE, 0, 20, 2, "BLOCKMAP"},
    /* without things nobody starts */
    {"things-empty", "THINGS", RESIZE, 0, 0, 2, "player 1"},
    {"things-no-start", "THINGS", WORD, 6, 2035, 2, "player 1"},
    /* no nodes: everything is in subsector 0. A short reject table is filled up. */
    {"nodes-empty", "NODES", RESIZE, 0, 0, 0, ""},
    {"reject-empty", "REJECT", RESIZE, 0, 0, 0, ""},
    {"reject-short", "REJECT", RESIZE, 0, 5, 0, ""},
    /* references */
    {"line-start", "LINEDEFS", WORD, 14 + 0, 30000, 2, "LINEDEFS"},
    {"line-end", "LINEDEFS", WORD, 14 + 2, 65535, 2, "LINEDEFS"},
    {"line-front", "LINEDEFS", WORD, 14 + 10, 30000, 2, "LINEDEFS"},
    {"line-front-none", "LINEDEFS", WORD, 14 + 10, 65535, 2, "LINEDEFS"},
    {"line-back", "LINEDEFS", WORD, 14 + 12, 65534, 2, "LINEDEFS"},
    {"side-sector", "SIDEDEFS", WORD, 30 + 28, 25, 2, "sector 25"},
    {"side-sector-none", "SIDEDEFS", WORD, 30 + 28, 65535, 2, "sector 65535"},
    {"side-texture", "SIDEDEFS", WORD, 30 + 20, 'Z' | 'Z' << 8, 2, "SIDEDEFS"},
    {"seg-start", "SEGS", WORD, 12 + 0, 30000, 2, "SEGS"},
    {"seg-end", "SEGS", WORD, 12 + 2, 65535, 2, "SEGS"},
    {"seg-line", "SEGS", WORD, 12 + 6, 30000, 2, "SEGS"},
    {"seg-side", "SEGS", WORD, 12 + 8, 2, 2, "SEGS"},
    {"ssector-count", "SSECTORS", WORD, 4 + 0, 30000, 2, "SSECTORS"},
    {"ssector-first", "SSECTORS", WORD, 4 + 2, 65535, 2, "SSECTORS"},
    {"ssector-last", "SSECTORS", WORD, -4, 60, 2, "SSECTORS"},
    {"node-child-right", "NODES", WORD, 24, 0x7fff, 2, "NODES"},
    {"node-child-left", "NODES", WORD, 26, 0xffff, 2, "NODES"},
    {"node-cycle", "NODES", CYCLE, -4, 0, 2, "NODES"},
    {"blockmap-wide", "BLOCKMAP", WORD, 4, 30000, 2, "BLOCKMAP"},
    {"blockmap-narrow", "BLOCKMAP", WORD, 4, 0, 2, "BLOCKMAP"},
    {"blockmap-high", "BLOCKMAP", WORD, 6, 65535, 2, "BLOCKMAP"},
    {"blockmap-offset", "BLOCKMAP", WORD, 8 + 6, 65000, 2, "BLOCKMAP"},
    {"blockmap-offset-low", "BLOCKMAP", WORD, 8 + 6, 2, 2, "BLOCKMAP"},
    {"blockmap-line", "BLOCKMAP", BLOCKS, 1, 30000, 2, "BLOCKMAP"},
    {"blockmap-no-end", "BLOCKMAP", WORD, -2, 0, 2, "BLOCKMAP"},
    /* the graphics' part */
    {"textures-many", "TEXTURE1", LONG, 0, 0x7fffffff, 2, "TEXTURE1"},
    {"texture-beyond", "TEXTURE1", LONG, 4, 0x7ffffff0, 2, "TEXTURE1"},
    {"textures-cut", "TEXTURE1", RESIZE, 0, 3, 2, "TEXTURE1"},
    /* no fault to the executables */
    {"line-no-length", "LINEDEFS", WORD, 14 + 2, 1, 0, ""},
    {"line-special", "LINEDEFS", WORD, 14 + 6, 999, 0, ""},
    {"thing-outside", "THINGS", WORD, -10, 32000, 0, ""},
};

struct file {
    uint8_t *p;
    size_t n;
};

static _Noreturn void die(const char *file, const char *what)
{
    fprintf(stderr, "mkbroken: %s: %s\n", file, what);
    exit(2);
}

static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put(uint8_t *p, long v, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (uint8_t)((unsigned long)v >> (8 * i));
}

static struct file read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct file in = {.p = malloc(MAX_FILE)};

    if (!f || !in.p)
        die(path, f ? "out of memory" : strerror(errno));
    in.n = fread(in.p, 1, MAX_FILE, f);
    if (ferror(f) || in.n == MAX_FILE || in.n < HEADER)
        die(path, "cannot be read, or is not the size of a test WAD");
    fclose(f);
    if (get32(in.p + 8) > in.n || get32(in.p + 4) > (in.n - get32(in.p + 8)) / ENTRY)
        die(path, "is broken already");
    return in;
}

/* The directory entry of the first lump of that name. */
static uint8_t *find_entry(const struct file *f, const char *name)
{
    uint8_t *e = f->p + get32(f->p + 8), *end = e + get32(f->p + 4) * ENTRY;

    for (; e < end; e += ENTRY) {
        if (strncmp((const char *)e + 8, name, 8) == 0)
            return e;
    }
    die(name, "no such lump");
}

/* Where the fault's word is. */
static uint8_t *find_word(const struct file *f, const struct fault *t, int width)
{
    const uint8_t *e = find_entry(f, t->lump);
    uint8_t *lump = f->p + get32(e);
    long size = (long)get32(e + 4), at = t->at < 0 ? size + t->at : t->at;

    if (t->op == BLOCKS)
        at = 8 + 2 * ((lump[4] | lump[5] << 8) * (lump[6] | lump[7] << 8)) + 2 * t->at;
    if (at < 0 || at + width > size)
        die(t->name, "the lump is too small for this fault");
    return lump + at;
}

static void apply(struct file *f, const struct fault *t)
{
    long from_end = t->value < 0 ? (long)f->n + t->value : t->value;
    uint8_t *e = t->lump ? find_entry(f, t->lump) : NULL;

    switch (t->op) {
    case HEADER32:
        put(f->p + t->at, from_end, 4);
        break;
    case CUT:
        f->n = (size_t)from_end;
        break;
    case MAGIC:
        f->p[0] = (uint8_t)t->value;
        break;
    case RENAME:
        e[8] = (uint8_t)t->value;
        break;
    case POSITION:
        put(e, from_end, 4);
        break;
    case RESIZE:
        put(e + 4, t->value < 0 ? (long)get32(e + 4) + t->value : t->value, 4);
        break;
    case HUGE_LUMP:
        put(e + 4, (long)0xfffffff0, 4);
        break;
    case WORD:
    case BLOCKS:
        put(find_word(f, t, 2), t->value, 2);
        break;
    case CYCLE:
        put(find_word(f, t, 2), (long)get32(e + 4) / NODE - 1, 2);
        break;
    case LONG:
        put(find_word(f, t, 4), t->value, 4);
        break;
    }
}

int main(int argc, char **argv)
{
    char path[4096];

    if (argc != 3) {
        fputs("usage: mkbroken good.wad dir\n", stderr);
        return 2;
    }
    struct file good = read_file(argv[1]), bad = {.p = malloc(good.n)};
    if (!bad.p)
        die(argv[1], "out of memory");
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        const struct fault *t = &FAULTS[i];
        bad.n = good.n;
        memcpy(bad.p, good.p, good.n);
        apply(&bad, t);
        if (bad.n == good.n && memcmp(bad.p, good.p, good.n) == 0)
            die(t->name, "this fault changes nothing");
        snprintf(path, sizeof path, "%s/%s.wad", argv[2], t->name);
        FILE *f = fopen(path, "wb");
        if (!f || fwrite(bad.p, 1, bad.n, f) != bad.n || fclose(f) != 0)
            die(path, "cannot be written");
        printf("%s %d %s\n", t->name, t->status, t->text);
    }
    free(good.p);
    free(bad.p);
    if (fflush(stdout) || ferror(stdout))
        die("standard output", "write error");
    return 0;
}
