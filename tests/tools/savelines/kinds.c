/* SPDX-License-Identifier: ISC */
/* kinds.c - what a savegame of the executable holds, field by field, under the names of the snapshots. */
#include "savelines.h"

#include <string.h>

#define LINKS          \
    {                  \
        NULL, JUNK, 12 \
    } /* prev, next, function */

static const struct field player[] = {
    {"mo", MOBJ, 0},
    {"state", S32, 0},
    {NULL, JUNK, 8}, /* the command of the last tic */
    {"viewz", S32, 0},
    {"viewheight", S32, 0},
    {"deltaviewheight", S32, 0},
    {"bob", S32, 0},
    {"health", S32, 0},
    {"armor", S32, 0},
    {"armortype", S32, 0},
    {"invulnerability", S32, 0},
    {"strength", S32, 0},
    {"invisibility", S32, 0},
    {"ironfeet", S32, 0},
    {"allmap", S32, 0},
    {"infrared", S32, 0},
    {"bluecard", TRUTH, 0},
    {"yellowcard", TRUTH, 0},
    {"redcard", TRUTH, 0},
    {"blueskull", TRUTH, 0},
    {"yellowskull", TRUTH, 0},
    {"redskull", TRUTH, 0},
    {"backpack", TRUTH, 0},
    {"frags0", S32, 0},
    {"frags1", S32, 0},
    {"frags2", S32, 0},
    {"frags3", S32, 0},
    {"ready", S32, 0},
    {"pending", S32, 0},
    {"fist", TRUTH, 0},
    {"pistol", TRUTH, 0},
    {"shotgun", TRUTH, 0},
    {"chaingun", TRUTH, 0},
    {"rocketlauncher", TRUTH, 0},
    {"plasmarifle", TRUTH, 0},
    {"bfg", TRUTH, 0},
    {"chainsaw", TRUTH, 0},
    {"supershotgun", TRUTH, 0},
    {"bullets", S32, 0},
    {"shells", S32, 0},
    {"cells", S32, 0},
    {"rockets", S32, 0},
    {"maxbullets", S32, 0},
    {"maxshells", S32, 0},
    {"maxcells", S32, 0},
    {"maxrockets", S32, 0},
    {"attackdown", TRUTH, 0},
    {"usedown", TRUTH, 0},
    {"cheats", S32, 0},
    {"refire", S32, 0},
    {"kills", S32, 0},
    {"items", S32, 0},
    {"secrets", S32, 0},
    {NULL, JUNK, 4}, /* message */
    {"damagecount", S32, 0},
    {"bonuscount", S32, 0},
    {"attacker", MOBJ, 0},
    {"extralight", S32, 0},
    {"fixedcolormap", S32, 0},
    {NULL, JUNK, 4}, /* colours of the figure */
    {"weaponstate", S32, 0},
    {"weapontics", S32, 0},
    {"weaponx", S32, 0},
    {"weapony", S32, 0},
    {"flashstate", S32, 0},
    {"flashtics", S32, 0},
    {"flashx", S32, 0},
    {"flashy", S32, 0},
    {"didsecret", TRUTH, 0},
};

static const struct field sector[] = {
    {"floor", WHOLE, 0}, {"ceiling", WHOLE, 0}, {"floorpic", FLAT, 0}, {"ceilingpic", FLAT, 0},
    {"light", S16, 0},   {"special", S16, 0},   {"tag", S16, 0},
};

static const struct field line[] = {
    {"flags", S16, 0},
    {"special", S16, 0},
    {"tag", S16, 0},
};

static const struct field side[] = {
    {"xoff", WHOLE, 0}, {"yoff", WHOLE, 0}, {"top", WALL, 0}, {"bottom", WALL, 0}, {"mid", WALL, 0},
};

static const struct field thing[] = {
    LINKS,
    {"x", S32, 0},
    {"y", S32, 0},
    {"z", S32, 0},
    {NULL, JUNK, 8}, /* the sector's list */
    {"angle", HEX, 0},
    {NULL, JUNK, 8}, /* sprite and frame: the state has them */
    {"blocknext", MOBJ, 0},
    {NULL, JUNK, 8}, /* the block's list backwards, the subsector */
    {"floorz", S32, 0},
    {"ceilingz", S32, 0},
    {"radius", S32, 0},
    {"height", S32, 0},
    {"momx", S32, 0},
    {"momy", S32, 0},
    {"momz", S32, 0},
    {NULL, JUNK, 4}, /* validcount */
    {"type", S32, 0},
    {NULL, JUNK, 4}, /* info */
    {"tics", S32, 0},
    {"state", S32, 0},
    {"flags", HEX, 0},
    {"health", S32, 0},
    {"movedir", S32, 0},
    {"movecount", S32, 0},
    {"target", MOBJ, 0},
    {"reactiontime", S32, 0},
    {"threshold", S32, 0},
    {"player", SLOT, 0},
    {"lastlook", S32, 0},
    {"spawnx", S16, 0},
    {"spawny", S16, 0},
    {"spawnangle", S16, 0},
    {"spawntype", S16, 0},
    {"spawnoptions", S16, 0},
    {"tracer", MOBJ, 0},
};

static const struct field ceiling[] = {
    LINKS,           {"type", S32, 0},         {"sector", S32, 0},  {"bottom", S32, 0},
    {"top", S32, 0}, {"speed", S32, 0},        {"crush", TRUTH, 0}, {"direction", S32, 0},
    {"tag", S32, 0}, {"olddirection", S32, 0},
};

static const struct field door[] = {
    LINKS,
    {"type", S32, 0},
    {"sector", S32, 0},
    {"top", S32, 0},
    {"speed", S32, 0},
    {"direction", S32, 0},
    {"topwait", S32, 0},
    {"countdown", S32, 0},
};

static const struct field floormove[] = {
    LINKS,
    {"type", S32, 0},
    {"crush", S32, 0},
    {"sector", S32, 0},
    {"direction", S32, 0},
    {"newspecial", S32, 0},
    {"texture", FLAT, 0},
    {"dest", S32, 0},
    {"speed", S32, 0},
};

static const struct field plat[] = {
    LINKS,
    {"sector", S32, 0},
    {"speed", S32, 0},
    {"low", S32, 0},
    {"high", S32, 0},
    {"wait", S32, 0},
    {"count", S32, 0},
    {"status", S32, 0},
    {"oldstatus", S32, 0},
    {"crush", TRUTH, 0},
    {"tag", S32, 0},
    {"type", S32, 0},
};

static const struct field flash[] = {
    LINKS,
    {"sector", S32, 0},
    {"count", S32, 0},
    {"maxlight", S32, 0},
    {"minlight", S32, 0},
    {"maxtime", S32, 0},
    {"mintime", S32, 0},
};

static const struct field strobe[] = {
    LINKS,
    {"sector", S32, 0},
    {"count", S32, 0},
    {"minlight", S32, 0},
    {"maxlight", S32, 0},
    {"darktime", S32, 0},
    {"brighttime", S32, 0},
};

static const struct field glow[] = {
    LINKS, {"sector", S32, 0}, {"minlight", S32, 0}, {"maxlight", S32, 0}, {"direction", S32, 0},
};

#define KIND(name, t)                        \
    {                                        \
        name, t, (int)(sizeof t / sizeof *t) \
    }
const struct kind kinds[KINDS] = {
    [PLAYER] = KIND("Player", player), [SECTOR] = KIND("Sector", sector),  [LINE] = KIND("Line", line),
    [SIDE] = KIND("Side", side),       [THING] = KIND("mobj", thing),      [CEILING] = KIND("Ceiling", ceiling),
    [DOOR] = KIND("Door", door),       [FLOOR] = KIND("Floor", floormove), [PLAT] = KIND("Plat", plat),
    [FLASH] = KIND("Flash", flash),    [STROBE] = KIND("Strobe", strobe),  [GLOW] = KIND("Glow", glow),
};

int kind_size(int kind)
{
    static const int sizes[] = {
        [S32] = 4, [S16] = 2, [HEX] = 4, [TRUTH] = 4, [WHOLE] = 2, [FLAT] = 2, [WALL] = 2, [MOBJ] = 4, [SLOT] = 4};
    int sum = 0;
    for (int i = 0; i < kinds[kind].n; i++) {
        const struct field *f = &kinds[kind].fields[i];
        sum += f->wire == JUNK ? f->size : sizes[f->wire];
    }
    return sum;
}

static int32_t value(const struct row *r, const char *name)
{
    const struct kind *k = &kinds[r->kind];
    int i = 0;
    while (i < k->n && !(k->fields[i].name && strcmp(k->fields[i].name, name) == 0))
        i++;
    if (i == k->n)
        die("%s has no %s", k->name, name);
    return r->v[i].n;
}

static bool one_of(const char *name, const char *a, const char *b)
{
    return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

/* Movers come from uncleared memory, and each kind of movement sets only what it reads; an attacker is only looked for
 * by the dead, and otherwise may be one of an earlier level. */
static bool unset(const struct row *r, const char *name)
{
    enum { LOWER_AND_CHANGE = 6, DONUT_RAISE = 11, LOWER_TO_FLOOR = 0, RAISE_TO_HIGHEST = 1, LOWER_AND_CRUSH = 2 };
    enum { AT_TOP = 0, BEFORE_OPENING = 2, WAITING = 2, RAISE_AND_CHANGE = 2, RAISE_TO_NEAREST = 3, DOOR_WAIT = 150 };
    switch (r->kind) {
    case PLAYER:
        return strcmp(name, "attacker") == 0 && value(r, "health") > 0;
    case CEILING: {
        int type = value(r, "type");
        return (strcmp(name, "bottom") == 0 && type == RAISE_TO_HIGHEST) ||
               (strcmp(name, "top") == 0 && (type == LOWER_TO_FLOOR || type == LOWER_AND_CRUSH)) ||
               (strcmp(name, "olddirection") == 0 && value(r, "direction") != 0);
    }
    case DOOR:
        /* a door that closes by itself 30 seconds into the level has neither top nor wait */
        return (strcmp(name, "countdown") == 0 && value(r, "direction") != AT_TOP &&
                value(r, "direction") != BEFORE_OPENING) ||
               (one_of(name, "top", "topwait") && value(r, "topwait") != DOOR_WAIT);
    case FLOOR:
        return one_of(name, "texture", "newspecial") && value(r, "type") != LOWER_AND_CHANGE &&
               value(r, "type") != DONUT_RAISE;
    case PLAT:
        return (strcmp(name, "count") == 0 && value(r, "status") != WAITING) || strcmp(name, "oldstatus") == 0 ||
               (strcmp(name, "low") == 0 &&
                (value(r, "type") == RAISE_AND_CHANGE || value(r, "type") == RAISE_TO_NEAREST));
    default:
        return false;
    }
}

static void print_value(const struct field *f, const union value *v)
{
    switch (f->wire) {
    case FLAT:
    case WALL:
        fputs(v->name, stdout);
        break;
    case MOBJ:
        if (v->n >= 0)
            printf("#%d", v->n);
        else
            fputs(v->n == GONE ? "gone" : "none", stdout);
        break;
    case HEX:
        printf("%08x", (unsigned)v->n);
        break;
    default:
        printf("%d", v->n);
    }
}

void row_print(struct row *r, long index)
{
    const struct kind *k = &kinds[r->kind];
    printf("%s %ld", k->name, index);
    for (int i = 0; i < k->n; i++) {
        const struct field *f = &k->fields[i];
        if (!f->name)
            continue;
        printf(" %s=", f->name);
        if (unset(r, f->name))
            putchar('*');
        else
            print_value(f, &r->v[i]);
    }
    putchar('\n');
}
