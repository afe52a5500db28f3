/* SPDX-License-Identifier: ISC */
/*
 * tap.c - a library to preload into an unmodified Doom port that exports its symbols (Debian's dsda-doom, or a
 * chocolate-doom linked with -rdynamic): it writes one line of play state a tic. It hooks SDL_PollEvent, which both
 * ports call at least once between two tics.
 *
 *   TAP_OUT=FILE    gametic leveltime map rng mobjs hash and, of player 1, x y z angle health
 *   TAP_FULL=A[-B]  and each mobj of the tics A to B: the fields of the hash, in its order
 *
 * The numbers below are the ports' structure layouts on 64-bit hosts, as measured; tests/tools/taplines prints the same
 * of a replay.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Byte offsets in a port's mobj. y and z follow x; momy and momz follow momx. */
struct layout {
    int x, angle, momx, type, tics, state, flags, health, movedir, movecount, target, reaction, threshold, player,
        lastlook, tracer;
    int narrow;     /* movedir to lastlook have 16 bits */
    int state_size; /* of one entry of the state table */
};

static const struct layout chocolate = {24,  56,  112, 128, 144, 152, 160, 164, 168,
                                        172, 176, 184, 188, 192, 200, 216, 0,   40};
static const struct layout dsda = {48,  80,  140, 156, 168, 176, 184, 196, 200,
                                   202, 208, 216, 218, 224, 232, 248, 1,   128};

static const struct layout *at;
static char *list, *states, *players;
static int *gametic, *leveltime, *rng, *map, *episode;
static void *mobj_thinker;
static FILE *out;
static int full_from = -1, full_to = -2;

/* From a mobj's address to its place in the list; an entry is of this tic when its age is. */
enum { SLOTS = 16384 };
static struct {
    char *mobj;
    int place, age;
} slots[SLOTS];
static int age;

static unsigned slot_of(char *mobj)
{
    unsigned h = (unsigned)(((uintptr_t)mobj >> 4) * 2654435761u) % SLOTS;
    while (slots[h].age == age && slots[h].mobj != mobj)
        h = (h + 1) % SLOTS;
    return h;
}

static int place_of(char *mobj)
{
    if (!mobj)
        return -1;
    unsigned h = slot_of(mobj);
    return slots[h].age == age ? slots[h].place : -2;
}

static int word(char *m, int offset)
{
    return *(int *)(m + offset);
}

static int narrow(char *m, int offset)
{
    return at->narrow ? *(short *)(m + offset) : word(m, offset);
}

static char *pointer(char *m, int offset)
{
    return *(char **)(m + offset);
}

static char *next_of(char *thinker)
{
    return pointer(thinker, 8);
}

static int is_mobj(char *thinker)
{
    return pointer(thinker, 16) == (char *)mobj_thinker;
}

static void *symbol(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static void start(void)
{
    const char *file = getenv("TAP_OUT"), *range = getenv("TAP_FULL");
    char *classes = symbol("thinkerclasscap");
    at = classes ? &dsda : &chocolate;
    list = classes ? classes + 4 * 48 : symbol("thinkercap"); /* dsda's list of all thinkers is its fifth class */
    states = classes ? *(char **)symbol("states") : symbol("states");
    players = symbol("players");
    gametic = symbol("gametic");
    leveltime = symbol("leveltime");
    map = symbol("gamemap");
    episode = symbol("gameepisode");
    rng = classes ? (int *)symbol("rng") + 65 : symbol("prndindex");
    mobj_thinker = symbol("P_MobjThinker");
    if (!list || !gametic || !rng || !mobj_thinker) {
        fprintf(stderr, "tap: the engine does not export its symbols\n");
        exit(98);
    }
    out = file ? fopen(file, "w") : stderr;
    if (!out) {
        perror(file);
        exit(98);
    }
    setvbuf(out, NULL, _IOFBF, 1 << 20);
    if (range && sscanf(range, "%d-%d", &full_from, &full_to) == 1)
        full_to = full_from;
}

enum { FLAGS = 11, TRACER = 18, FIELDS = 19 };

static void fields_of(char *m, int v[FIELDS])
{
    const int fields[FIELDS] = {word(m, at->type),
                                word(m, at->x),
                                word(m, at->x + 4),
                                word(m, at->x + 8),
                                word(m, at->angle),
                                word(m, at->momx),
                                word(m, at->momx + 4),
                                word(m, at->momx + 8),
                                word(m, at->health),
                                (int)((pointer(m, at->state) - states) / at->state_size),
                                word(m, at->tics),
                                word(m, at->flags) & 0x0fffffff,
                                narrow(m, at->movedir),
                                narrow(m, at->movecount),
                                narrow(m, at->reaction),
                                narrow(m, at->threshold),
                                narrow(m, at->lastlook),
                                place_of(pointer(m, at->target)),
                                place_of(pointer(m, at->tracer))};
    for (int i = 0; i < FIELDS; i++)
        v[i] = fields[i];
}

static void dump(void)
{
    int n = 0, full = *gametic >= full_from && *gametic <= full_to;
    uint64_t hash = 14695981039346656037u;
    char *me = NULL;
    if (!next_of(list))
        return;
    age++;
    for (char *m = next_of(list); m != list; m = next_of(m))
        if (is_mobj(m)) {
            unsigned h = slot_of(m);
            slots[h].mobj = m;
            slots[h].age = age;
            slots[h].place = n++;
        }
    n = 0;
    for (char *m = next_of(list); m != list; m = next_of(m)) {
        int v[FIELDS];
        if (!is_mobj(m))
            continue;
        fields_of(m, v);
        /* Differences without effect: ports of the MBF family set the tracer and the just-hit flag (0x40) their own
         * way, and leave a player's shadow flag (0x40000) standing when the level is over. */
        unsigned ignored = pointer(m, at->player) ? 0x40040 : 0x40;
        for (int i = 0; i < TRACER; i++)
            hash = (hash ^ (i == FLAGS ? (uint32_t)v[i] & ~ignored : (uint32_t)v[i])) * 1099511628211u;
        if (pointer(m, at->player) == players)
            me = m;
        if (full) {
            fprintf(out, "m %d", n);
            for (int i = 0; i < FIELDS; i++)
                fprintf(out, " %d", v[i]);
            fputc('\n', out);
        }
        n++;
    }
    fprintf(out, "%d %d E%dM%d %d %d %016" PRIx64, *gametic, *leveltime, *episode, *map, *rng, n, hash);
    if (me)
        fprintf(out, " %d %d %d %x %d", word(me, at->x), word(me, at->x + 4), word(me, at->x + 8),
                (unsigned)word(me, at->angle), word(me, at->health));
    fputc('\n', out);
}

int SDL_PollEvent(void *event)
{
    static int (*real)(void *);
    static int last = -1;
    if (!real) {
        real = (int (*)(void *))dlsym(RTLD_NEXT, "SDL_PollEvent");
        start();
    }
    if (*gametic != last) {
        last = *gametic;
        dump();
    }
    return real(event);
}
