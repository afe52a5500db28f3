/* SPDX-License-Identifier: ISC */
/*
 * doomtap - what taplines prints of a replay, read from the world itself.
 *
 *   doomtap --iwad WAD [--file WAD]... [--nodeh] [--game-version NAME] [-f A-B] DEMO > ours
 *
 * The lines of `lmp2dh -b DEMO | dhsim -b --every 1 ... | taplines [-f A-B]`, byte for byte, in a tenth of the time: no
 * state is put into records and taken out of them again. tests/oracle/tap.c says what a line holds and which flags the
 * hash leaves out. DEMO is as lmp2dh takes it, and has to be whole.
 *
 * Status 2: trouble, and the lines end where it began.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content.h"
#include "doom/play.h"
#include "lmp/lmp.h"
#include "world.h"

struct list {
    char **list; /* NULL-terminated */
    size_t n;
};

struct tap {
    const char *iwad;
    struct list wads;
    const char *settings[3]; /* NULL-terminated */
    unsigned long from, to;  /* the tics of -f */

    const struct dh_schemas *schemas;
    const struct dh_world_ops *ops;
    struct dh_world *world;
    struct doom *d; /* what world begins with (lib/doom/world.c) */
    struct dh_content content;
    struct dh_world_events events;
    bool started;
    uint32_t now;
    int *places; /* in the list, by the mobj's serial; of those that are in it */
    uint32_t capacity;
};

static _Noreturn void die(const char *what, const struct dh_err *e)
{
    char why[600] = "";
    if (e)
        dh_err_format(e, why, sizeof why);
    fflush(stdout);
    fprintf(stderr, "doomtap: %s%s%s\n", what, *what && *why ? ": " : "", why);
    exit(2);
}

/* ---- a tic's lines ----------------------------------------------------------------------------------------------- */

/* In the order of the hash, which ends before the tracer. */
enum { FLAGS = 11, TRACER = 18, FIELDS = 19 };

static int place_of(const struct tap *t, const struct mobj *mo)
{
    if (!mo)
        return -1;
    return mo->th.removed ? -2 : t->places[mo->th.serial];
}

static int number_mobjs(struct tap *t)
{
    int n = 0;
    if (t->d->serial >= t->capacity) {
        t->capacity = t->d->serial * 2 + 1024;
        if (!(t->places = realloc(t->places, t->capacity * sizeof *t->places)))
            die("out of memory", NULL);
    }
    for (struct mobj *mo = thinker_next_mobj(t->d, NULL); mo; mo = thinker_next_mobj(t->d, mo))
        t->places[mo->th.serial] = n++;
    return n;
}

static void fields_of(const struct tap *t, const struct mobj *mo, int32_t v[FIELDS])
{
    const int32_t fields[FIELDS] = {mo->type,
                                    mo->x,
                                    mo->y,
                                    mo->z,
                                    (int32_t)mo->angle,
                                    mo->momx,
                                    mo->momy,
                                    mo->momz,
                                    mo->health,
                                    mo->state,
                                    mo->tics,
                                    (int32_t)(mo->flags & 0x0fffffff),
                                    mo->movedir,
                                    mo->movecount,
                                    mo->reactiontime,
                                    mo->threshold,
                                    mo->lastlook,
                                    place_of(t, mo->target),
                                    place_of(t, mo->tracer)};
    memcpy(v, fields, sizeof fields);
}

static uint64_t hash_fields(uint64_t hash, const int32_t v[FIELDS], uint32_t ignored)
{
    for (int i = 0; i < TRACER; i++)
        hash = (hash ^ (i == FLAGS ? (uint32_t)v[i] & ~ignored : (uint32_t)v[i])) * 1099511628211u;
    return hash;
}

static void print_fields(int place, const int32_t v[FIELDS])
{
    printf("m %d", place);
    for (int i = 0; i < FIELDS; i++)
        printf(" %d", v[i]);
    putchar('\n');
}

static void print_tic(struct tap *t)
{
    struct doom *d = t->d;
    const struct mobj *me = NULL;
    const bool full = t->now >= t->from && t->now <= t->to;
    uint64_t hash = 14695981039346656037u;
    int n = number_mobjs(t), place = 0;

    thinker_settle(d);
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo), place++) {
        int32_t v[FIELDS];
        fields_of(t, mo, v);
        hash = hash_fields(hash, v, mo->player ? 0x40040 : 0x40);
        if (mo->player == &d->players[0])
            me = mo;
        if (full)
            print_fields(place, v);
    }
    printf("%" PRIu32 " %d E%dM%d %d %d %016" PRIx64, t->now, d->leveltime, d->episode, d->map, d->prndindex, n, hash);
    if (me)
        printf(" %d %d %d %x %d", me->x, me->y, me->z, me->angle, me->health);
    putchar('\n');
}

/* ---- the world --------------------------------------------------------------------------------------------------- */

static void open_world(struct tap *t, const struct dh_header *h)
{
    const struct dh_keeps nothing_recorded = {0};
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    const char *map;
    char name[9];

    t->ops = dh_world_find(h->game);
    if (!t->ops || strcmp(t->ops->game, "doom") != 0)
        die("not a demo of Doom", NULL);
    if (dh_content_wads(&t->content, t->iwad, t->wads.list, &nothing_recorded, &e) != 0)
        die("", &e);
    const struct dh_world_args args = {h, t->schemas, t->content.files, t->content.n, t->settings};
    if (t->ops->open(&t->world, &args, &map, &e) != 0)
        die("", &e);
    t->d = (struct doom *)t->world;
    if (strcmp(game_map_name(t->d, name), map) != 0)
        die("a world does not begin with its struct doom any more", NULL);
}

/* The first level is loaded with the first state, before anything is pressed: as in a replay with a state at each tic.
 */
static void start(struct tap *t)
{
    struct dh_err e = {.tick = 0, .offset = DH_NOWHERE};
    struct dh_state st = {0};

    dh_state_begin(&st);
    if (t->ops->snapshot(t->world, 0, 0, &st, &e) < 0)
        die("", &e);
    dh_state_free(&st);
    t->started = true;
}

static void run_to(struct tap *t, uint32_t tick)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};

    while (t->now < tick) {
        if (t->ops->tick(t->world, t->now, &t->events, &e) < 0) {
            e.tick = t->now;
            die("", &e);
        }
        t->events.n = 0;
        t->now++;
        print_tic(t);
    }
}

static void take(struct tap *t, const struct dh_record *r)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    int rc = 0;

    if (r->kind == DH_HEADER)
        open_world(t, &r->u.header);
    else if (r->kind == DH_JOIN)
        rc = t->ops->join(t->world, r, &e);
    else if (r->kind == DH_INPUT || r->kind == DH_END) {
        if (!t->started)
            start(t);
        run_to(t, r->tick);
    }
    if (r->kind == DH_INPUT)
        rc = t->ops->input(t->world, r, &e);
    if (rc < 0)
        die("", &e);
}

/* ---- the demo ---------------------------------------------------------------------------------------------------- */

/* Its records, in a file without a name: they are written before they are read, and a pipe holds too few. */
static int convert(const char *demo)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    uint64_t size = LMP_TO_END;
    FILE *file = tmpfile();
    int in = lmp_open(demo, &size, &e);

    if (in < 0)
        die(demo, &e);
    struct dh_writer *w = file ? dh_writer_new(fileno(file), DH_BINARY, false) : NULL;
    if (!w)
        die("no temporary file", NULL);
    int rc = lmp_to_dh(in, size, NULL, w, &e);
    if (dh_writer_free(w, rc == -2 || rc == 0 ? &e : NULL) < 0 || rc < 0)
        die(demo, &e);
    close(in);
    lseek(fileno(file), 0, SEEK_SET);
    return fileno(file);
}

static void play(struct tap *t, const char *demo)
{
    struct dh_reader *rd = dh_reader_new(convert(demo));
    const struct dh_record *r;
    int n = rd ? dh_reader_stream(rd) : -1;

    t->schemas = rd ? dh_reader_schemas(rd) : NULL;
    while (n > 0 && (n = dh_read(rd, &r)) > 0)
        take(t, r);
    if (n < 0)
        die(demo, rd ? dh_reader_error(rd) : NULL);
    t->ops->close(t->world);
    dh_reader_free(rd);
}

static void add(struct list *l, char *word)
{
    l->list = realloc(l->list, (l->n + 2) * sizeof *l->list);
    if (!l->list)
        die("out of memory", NULL);
    if (word)
        l->list[l->n++] = word;
    l->list[l->n] = NULL;
}

static _Noreturn void usage(void)
{
    fputs("usage: doomtap --iwad WAD [--file WAD]... [--nodeh] [--game-version NAME] [-f A-B] DEMO\n", stderr);
    exit(2);
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {{"iwad", required_argument, NULL, 'i'},
                                          {"file", required_argument, NULL, 'p'},
                                          {"nodeh", no_argument, NULL, 'n'},
                                          {"game-version", required_argument, NULL, 'g'},
                                          {0}};
    struct tap t = {.from = 1};
    char version[64];
    int settings = 0;
    bool nodeh = false;

    add(&t.wads, NULL);
    for (int c; (c = getopt_long(argc, argv, "f:", longs, NULL)) != -1;)
        switch (c) {
        case 'i':
            t.iwad = optarg;
            break;
        case 'p':
            add(&t.wads, optarg);
            break;
        case 'n':
            nodeh = true;
            break;
        case 'g':
            snprintf(version, sizeof version, "game-version=%s", optarg);
            t.settings[0] = version;
            settings = 1;
            break;
        case 'f':
            if (sscanf(optarg, "%lu-%lu", &t.from, &t.to) == 1)
                t.to = t.from;
            break;
        default:
            usage();
        }
    if (!t.iwad || argc - optind != 1)
        usage();
    if (nodeh)
        t.settings[settings] = "nodeh=1";
    play(&t, argv[optind]);
    if (fflush(stdout) != 0)
        die("standard output", NULL);
    dh_content_free(&t.content);
    free(t.wads.list);
    free(t.places);
    for (int i = 0; i < t.events.cap; i++)
        dh_buf_free(&t.events.bufs[i]);
    free(t.events.bufs);
    return 0;
}
