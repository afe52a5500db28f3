/* SPDX-License-Identifier: ISC */
/*
 * taplines - what tests/oracle/tap prints of a reference engine, printed of a replay.
 *
 *   dhsim -b --every 1 ... | taplines [-f A-B] > ours
 *
 * One line a tic: gametic leveltime map rng mobjs hash and, of player 1, x y z angle health. The hash is FNV-1a over
 * the fields of each mobj in list order; -f adds those fields, a line a mobj, for the tics A to B. The two programs
 * share nothing but this format.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/dh.h"

/* In the order of the hash; the first ones are stored at fixed offsets. */
static const char *const names[] = {"type",         "x",         "y",        "z",      "angle", "momx",    "momy",
                                    "momz",         "health",    "state",    "tics",   "flags", "movedir", "movecount",
                                    "reactiontime", "threshold", "lastlook", "target", "tracer"};
enum { FLAGS = 11, TARGET = 17, TRACER = 18, FIELDS = 19 };

struct thing {
    int64_t v[FIELDS];
    uint64_t id, target, tracer; /* 0: none */
    bool gone;
    int player;
};

static struct thing *things;
static size_t nthings, capthings;

static void die(const char *what)
{
    fprintf(stderr, "taplines: %s\n", what);
    exit(2);
}

/* Where the fields are in the mobjs' schema: those of a stream share one. other: one that is not theirs, met last. */
static const struct dh_schema *known, *other;
static int at[FIELDS], at_gone, at_player;

static int find(const struct dh_schema *s, const char *name)
{
    int i = dh_schema_find(s, name);
    if (i < 0)
        die("a field is missing");
    return i;
}

static void learn(const struct dh_schema *s)
{
    if (s == known)
        return;
    known = s;
    for (int i = 0; i < FIELDS; i++)
        at[i] = find(s, names[i]);
    at_gone = find(s, "gone");
    at_player = find(s, "player");
}

static uint64_t ref_at(const struct dh_schema *s, const struct dh_entity *e, int field)
{
    size_t n;
    const uint8_t *p = dh_block_field(s, e->block, e->n, field, &n);
    struct dh_cur c = dh_cur(p, n);
    return dh_get_leb(&c) ? dh_get_leb(&c) : 0;
}

static void add_thing(const struct dh_schema *s, const struct dh_entity *e)
{
    if (nthings == capthings && !(things = realloc(things, (capthings = capthings * 2 + 256) * sizeof *things)))
        die("out of memory");
    struct thing *t = &things[nthings++];
    learn(s);
    for (int i = 0; i < TARGET; i++)
        t->v[i] = dh_block_int(s, e->block, e->n, at[i]);
    t->v[FLAGS] &= 0x0fffffff;
    t->id = e->id;
    t->target = ref_at(s, e, at[TARGET]);
    t->tracer = ref_at(s, e, at[TRACER]);
    t->gone = dh_block_int(s, e->block, e->n, at_gone) != 0;
    t->player = (int)dh_block_int(s, e->block, e->n, at_player);
}

/* Ids are in list order, so they are sorted. -1: none, -2: not in the list. */
static int place_of(uint64_t id)
{
    size_t lo = 0, hi = nthings;
    if (!id)
        return -1;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (things[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < nthings && things[lo].id == id ? (int)lo : -2;
}

static void print_state(const struct dh_schemas *all, const struct dh_record *r, uint32_t from, uint32_t to)
{
    struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);
    struct dh_entity e;
    int64_t episode = 0, level = 0;
    nthings = 0;
    while (dh_entity_next(all, &c, &e)) {
        const struct dh_etype *t = &all->types[e.type];
        if (t->schema == other)
            continue;
        if (t->schema == known || dh_schema_find(t->schema, "movedir") >= 0) {
            add_thing(t->schema, &e);
            if (things[nthings - 1].gone)
                nthings--;
        } else if (strcmp(t->name, "Game") == 0) {
            episode = dh_block_int(t->schema, e.block, e.n, find(t->schema, "episode"));
            level = dh_block_int(t->schema, e.block, e.n, find(t->schema, "level"));
        } else
            other = t->schema;
    }
    uint64_t hash = 14695981039346656037u;
    const struct thing *me = NULL;
    for (size_t i = 0; i < nthings; i++) {
        struct thing *t = &things[i];
        t->v[TARGET] = place_of(t->target);
        t->v[TRACER] = place_of(t->tracer);
        int64_t ignored = t->player >= 0 ? 0x40040 : 0x40; /* see tap.c */
        for (int k = 0; k < TRACER; k++)
            hash = (hash ^ (uint32_t)(k == FLAGS ? t->v[k] & ~ignored : t->v[k])) * 1099511628211u;
        if (t->player == 0)
            me = t;
        if (r->tick >= from && r->tick <= to) {
            printf("m %zu", i);
            for (int k = 0; k < FIELDS; k++)
                printf(" %d", (int)(uint32_t)t->v[k]);
            putchar('\n');
        }
    }
    const struct dh_schema *s = dh_state_schema(all, r->kind);
    printf("%" PRIu32 " %d E%dM%d %d %zu %016" PRIx64, r->tick,
           (int)dh_block_int(s, r->block, r->block_n, dh_schema_find(s, "leveltime")), (int)episode, (int)level,
           (int)dh_block_int(s, r->block, r->block_n, dh_schema_find(s, "rng")), nthings, hash);
    if (me)
        printf(" %d %d %d %x %d", (int)me->v[1], (int)me->v[2], (int)me->v[3], (unsigned)me->v[4], (int)me->v[8]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    unsigned long from = 1, to = 0;
    if (argc == 3 && strcmp(argv[1], "-f") == 0 && sscanf(argv[2], "%lu-%lu", &from, &to) == 1)
        to = from;
    struct dh_reader *rd = dh_reader_new(STDIN_FILENO);
    const struct dh_record *r;
    int n = rd ? dh_reader_stream(rd) : -1;
    while (n > 0 && (n = dh_read(rd, &r)) > 0)
        if (r->kind == DH_SNAPSHOT && !r->u.state.digest_only && r->tick > 0)
            print_state(dh_reader_schemas(rd), r, (uint32_t)from, (uint32_t)to);
    if (n < 0)
        die(rd ? dh_reader_error(rd)->msg : "out of memory");
    dh_reader_free(rd);
    free(things);
    return 0;
}
