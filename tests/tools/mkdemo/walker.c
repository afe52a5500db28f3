/* SPDX-License-Identifier: ISC */
/*
 * walker.c - what the hands do.
 *
 * A player who keeps running into a wall slides along it, one who presses `use` all the time opens what there is to
 * open, and maps are built of right angles: that is most of the way to doors, lifts and switches. So the habits below
 * are long runs, at right angles more often than not, and sideways against the wall, with the use button going; between
 * them fights.
 */
#include "mkdemo.h"

#include <stdlib.h>

struct habit {
    int weight;            /* how often, out of the sum of all */
    int shortest, longest; /* tics */
    int forward, side;     /* speed; side to the left or to the right, as it comes */
    int turn;              /* chance in 100 of beginning with a turn */
    int drift;             /* the most that it keeps turning a tic */
    int fire;              /* chance in 100 of holding the trigger */
    int use;               /* presses use every so many tics, 0: never */
};

static const struct habit habits[] = {
    {24, 15, 80, 50, 0, 55, 0, 15, 11},  /* straight on */
    {20, 30, 140, 50, 40, 45, 0, 10, 9}, /* along a wall */
    {12, 8, 22, 50, 0, 100, 0, 10, 4},   /* into a corner, trying what is there */
    {6, 36, 40, 0, 0, 0, 0, 0, 9},       /* on the spot: all four sides (see below) */
    {8, 20, 70, 25, 0, 30, 3, 90, 0},    /* shooting around */
    {8, 20, 60, 10, 40, 20, 4, 90, 0},   /* circling a target */
    {5, 35, 120, 0, 0, 10, 0, 20, 0},    /* waiting: a lift, a door */
    {4, 8, 25, -50, 0, 10, 0, 30, 0},    /* back */
    {7, 15, 60, 50, 0, 20, 5, 10, 13},   /* in an arc */
    {6, 10, 50, 50, 24, 30, 1, 60, 15},  /* running and shooting */
};
enum { HABITS = sizeof habits / sizeof *habits, ON_THE_SPOT = 3 };

/* SplitMix64: a sum of golden ratios, stirred. */
static uint64_t next(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* from..to, both included */
static int between(struct random *r, int from, int to)
{
    return from + (int)(next(r) >> 33) % (to - from + 1);
}

static bool chance(struct random *r, int percent)
{
    return between(r, 0, 99) < percent;
}

static int either(struct random *r, int v)
{
    return chance(r, 50) ? v : -v;
}

static int first_turn(struct random *r)
{
    int kind = between(r, 0, 9);
    if (kind < 5)
        return either(r, 64);
    if (kind < 6)
        return 128;
    if (kind < 8)
        return either(r, 32);
    return either(r, between(r, 1, 60));
}

static int pick_habit(struct random *r)
{
    int sum = 0, i = 0;
    for (int k = 0; k < HABITS; k++)
        sum += habits[k].weight;
    for (int at = between(r, 0, sum - 1); at >= habits[i].weight; i++)
        at -= habits[i].weight;
    return i;
}

static void begin(struct walker *w)
{
    struct random *r = &w->random;
    w->habit = pick_habit(r);
    const struct habit *h = &habits[w->habit];
    w->left = between(r, h->shortest, h->longest);
    w->age = 0;
    w->to_turn = chance(r, h->turn) ? first_turn(r) : 0;
    w->drift = h->drift ? either(r, between(r, 1, h->drift)) : 0;
    w->side = h->side ? either(r, h->side) : 0;
    w->fire = chance(r, h->fire);
    w->weapon = chance(r, 12) ? between(r, 0, 7) : -1;
}

void walker_start(struct walker *w, uint64_t seed, int player)
{
    *w = (struct walker){.random = {seed * 4 + (uint64_t)player}};
    w->random.state = next(&w->random);
}

/* A turn is spread over tics, as hands do it, the rest of it in the last one. */
static int turn_now(struct walker *w, const struct habit *h)
{
    enum { FASTEST = 24 };
    if (w->habit == ON_THE_SPOT && w->age && w->age % h->use == 0)
        w->to_turn = 64;
    int t = w->to_turn > FASTEST ? FASTEST : w->to_turn < -FASTEST ? -FASTEST : w->to_turn;
    w->to_turn -= t;
    return t ? t : w->drift;
}

void walker_next(struct walker *w, uint8_t command[COMMAND])
{
    if (!w->left)
        begin(w);
    const struct habit *h = &habits[w->habit];
    int turn = turn_now(w, h), buttons = w->fire;
    /* the button has to be let go between two presses; the phase is late enough for the turn to be done */
    if (h->use && w->age % h->use == h->use - 1)
        buttons |= 2;
    if (w->weapon >= 0 && w->age == 0)
        buttons |= 4 | w->weapon << 3;
    command[0] = (uint8_t)h->forward;
    command[1] = (uint8_t)w->side;
    command[2] = (uint8_t)turn;
    command[3] = (uint8_t)buttons;
    w->age++;
    w->left--;
}
