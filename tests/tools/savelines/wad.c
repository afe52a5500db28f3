/* SPDX-License-Identifier: ISC */
#include "savelines.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct lump {
    char name[9];
    struct bytes data;
};

static struct lump *lumps;
static int nlumps;

static char (*walls)[9];
static int nwalls = -1;

int le16(const uint8_t *p)
{
    return (int16_t)(p[0] | p[1] << 8);
}

int32_t le32(const uint8_t *p)
{
    return (int32_t)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static void copy_name(char out[9], const char *in)
{
    int i = 0;
    for (; i < 8 && in[i]; i++)
        out[i] = (char)toupper((unsigned char)in[i]);
    memset(out + i, 0, (size_t)(9 - i));
}

/* Mapped, to the end of the program: little is looked at of much. */
static struct bytes map_file(const char *file)
{
    struct stat st;
    int fd = open(file, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0 || st.st_size == 0)
        die("%s: cannot be read", file);
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        die("%s: cannot be mapped", file);
    close(fd);
    return (struct bytes){p, (size_t)st.st_size};
}

void wad_add(const char *file)
{
    enum { ENTRY = 16 };
    struct bytes w = map_file(file);
    if (w.n < 12 || memcmp(w.p + 1, "WAD", 3) != 0)
        die("%s: not a WAD", file);
    size_t n = (size_t)le32(w.p + 4), at = (size_t)le32(w.p + 8);
    if (at > w.n || n > (w.n - at) / ENTRY)
        die("%s: the directory is not inside the file", file);
    void *more = realloc(lumps, ((size_t)nlumps + n + 1) * sizeof *lumps);
    if (!more)
        die("out of memory");
    lumps = more;
    for (size_t i = 0; i < n; i++, nlumps++) {
        const uint8_t *e = w.p + at + i * ENTRY;
        size_t start = (size_t)le32(e), size = (size_t)le32(e + 4);
        if (size && (start > w.n || size > w.n - start))
            die("%s: lump %zu is not inside the file", file, i);
        copy_name(lumps[nlumps].name, (const char *)e + 8);
        lumps[nlumps].data = (struct bytes){w.p + start, size};
    }
}

static int find(const char *name)
{
    int i = nlumps - 1;
    while (i >= 0 && strcmp(lumps[i].name, name) != 0)
        i--;
    return i;
}

bool wad_has(const char *name)
{
    return find(name) >= 0;
}

struct bytes wad_map_lump(const char *map, int after)
{
    int i = find(map);
    if (i < 0 || i + after >= nlumps)
        die("no map %s in the WADs", map);
    return lumps[i + after].data;
}

void map_name(char out[16], int episode, int map)
{
    if (wad_has("MAP01"))
        snprintf(out, 16, "MAP%02d", map & 255);
    else
        snprintf(out, 16, "E%dM%d", episode & 255, map & 255);
}

/* The engine numbers flats from the lump behind F_START on, and lets any lump be one. */
const char *wad_flat_name(int number)
{
    int i = find("F_START") + 1 + number;
    return number >= 0 && i < nlumps ? lumps[i].name : "?";
}

static void add_walls(const char *lump)
{
    int i = find(lump);
    if (i < 0)
        return;
    struct bytes b = lumps[i].data;
    size_t n = b.n < 4 ? 0 : (size_t)le32(b.p);
    if (n > b.n / 4)
        die("%s: too short for its count", lump);
    void *more = realloc(walls, ((size_t)nwalls + n + 1) * sizeof *walls);
    if (!more)
        die("out of memory");
    walls = more;
    for (size_t k = 0; k < n; k++) {
        size_t at = (size_t)le32(b.p + 4 + 4 * k);
        if (at > b.n || b.n - at < 8)
            die("%s: texture %zu is not inside the lump", lump, k);
        copy_name(walls[nwalls++], (const char *)b.p + at);
    }
}

static void know_walls(void)
{
    if (nwalls >= 0)
        return;
    nwalls = 0;
    add_walls("TEXTURE1");
    add_walls("TEXTURE2");
}

const char *wad_wall_name(int number)
{
    know_walls();
    return number <= 0 ? "-" : number < nwalls ? walls[number] : "?";
}

const char *wad_wall_name_of(const char *name)
{
    char key[9];
    know_walls();
    copy_name(key, name);
    if (key[0] == '-')
        return "-";
    for (int i = 0; i < nwalls; i++)
        if (strcmp(walls[i], key) == 0)
            return wad_wall_name(i);
    return "?";
}
