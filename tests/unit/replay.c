/* SPDX-License-Identifier: ISC */
/* The replay driver on a world small enough to work out by hand: players are numbers, an input is added to its
 * player's. */
#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include "replay.h"

/* ---- the world --------------------------------------------------------------------------------------------------- */

enum { MOST = 4 };

struct dh_world {
    bool live[MOST];
    int32_t at[MOST], add[MOST];
    uint32_t ticks, since; /* since: the last time somebody reached a multiple of ten */
    int last;
    const struct dh_schemas *schemas;
};

static char wanted[256]; /* a call that goes wrong is noted here */

static int toy_schemas(struct dh_schemas *s, struct dh_err *e)
{
    return dh_schemas_add(s, "state", "ticks:u32", e) < 0 || dh_schemas_add(s, "Pawn", "at:i32", e) < 0 ||
                   dh_schemas_add(s, "Last", "who:ref since:u32", e) < 0
               ? -1
               : 0;
}

static int toy_open(struct dh_world **w, const struct dh_world_args *args, const char **map, struct dh_err *e)
{
    if (args->header->map.n == 3 && memcmp(args->header->map.p, "bad", 3) == 0)
        return dh_fail(e, DH_TROUBLE, "no such map");
    *w = calloc(1, sizeof **w);
    (*w)->last = -1;
    (*w)->schemas = args->schemas;
    (*w)->ticks = args->header->start;
    *map = "FIELD";
    return 0;
}

static int toy_join(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    (void)e;
    w->live[r->slot] = true;
    w->at[r->slot] = (int32_t)dh_block_int(w->schemas->join, r->block, r->block_n, 0);
    return 0;
}

static int toy_leave(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    (void)e;
    w->live[r->slot] = false;
    return 0;
}

static int toy_input(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    int64_t add = dh_block_int(w->schemas->input, r->block, r->block_n, 0);

    if (r->tick != w->ticks)
        snprintf(wanted, sizeof wanted, "an input of tick %u in tick %u", (unsigned)r->tick, (unsigned)w->ticks);
    if (add == 99)
        return dh_fail(e, DH_TROUBLE, "ninety-nine is too much");
    w->add[r->slot] = (int32_t)add;
    return 0;
}

static int toy_tick(struct dh_world *w, uint32_t tick, struct dh_world_events *ev, struct dh_err *e)
{
    (void)e;
    if (tick != w->ticks)
        snprintf(wanted, sizeof wanted, "tick %u after %u ticks", (unsigned)tick, (unsigned)w->ticks);
    for (int i = 0; i < MOST; i++) {
        w->at[i] += w->add[i];
        if (w->add[i] && w->at[i] % 10 == 0) {
            dh_build_event(dh_world_event(ev), tick + 1, "ten", (uint16_t)i);
            w->last = i;
            w->since = tick + 1;
        }
        w->add[i] = 0;
    }
    w->ticks++;
    return 0;
}

static int toy_snapshot(struct dh_world *w, uint32_t tick, int first_type, struct dh_state *st, struct dh_err *e)
{
    (void)e;
    if (tick != w->ticks)
        snprintf(wanted, sizeof wanted, "a snapshot of tick %u after %u ticks", (unsigned)tick, (unsigned)w->ticks);
    dh_put_u32(&st->head, w->ticks);
    for (int i = 0; i < MOST; i++) {
        if (!w->live[i])
            continue;
        dh_state_entity(st, first_type, (uint64_t)i);
        dh_put_u32(&st->body, (uint32_t)w->at[i]);
    }
    dh_state_entity(st, first_type + 1, 0);
    dh_put_ref(&st->body, w->last < 0 ? -1 : first_type, (uint64_t)(w->last < 0 ? 0 : w->last));
    dh_put_u32(&st->body, w->since);
    return 0;
}

static int toy_restore(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);

    for (struct dh_entity en; dh_entity_next(w->schemas, &c, &en);) {
        if (strcmp(w->schemas->types[en.type].name, "Pawn") != 0)
            continue;
        if (en.id >= MOST || !w->live[en.id])
            return dh_fail(e, DH_TROUBLE, "a pawn of nobody");
        w->at[en.id] = (int32_t)dh_block_int(w->schemas->types[en.type].schema, en.block, en.n, 0);
    }
    return 0;
}

static void toy_final(struct dh_world *w, uint32_t tick, struct dh_world_events *ev)
{
    for (int i = 0; i < MOST; i++) {
        if (!w->live[i])
            continue;
        struct dh_buf *b = dh_world_event(ev);
        dh_build_event(b, tick, "final", (uint16_t)i);
        dh_build_event_pair(b, "at", "%d", w->at[i]);
    }
}

static int toy_log_topics(struct dh_world *w, const char *topics, struct dh_err *e)
{
    (void)w;
    return strcmp(topics, "count") == 0 ? 0 : dh_fail(e, DH_TROUBLE, "the only topic is count");
}

static void toy_log(struct dh_world *w, uint32_t tick, struct dh_world_events *log)
{
    if (tick != w->ticks)
        snprintf(wanted, sizeof wanted, "a log of tick %u after %u ticks", (unsigned)tick, (unsigned)w->ticks);
    dh_build_log(dh_world_event(log), tick, (struct dh_str){"count", 5}, (struct dh_str){"one more", 8});
}

static void toy_close(struct dh_world *w)
{
    free(w);
}

static const struct dh_world_ops toy = {
    .game = "toy",
    .rate = 10,
    .schemas = toy_schemas,
    .open = toy_open,
    .join = toy_join,
    .leave = toy_leave,
    .input = toy_input,
    .tick = toy_tick,
    .snapshot = toy_snapshot,
    .restore = toy_restore,
    .final = toy_final,
    .log_topics = toy_log_topics,
    .log = toy_log,
    .close = toy_close,
};

static const struct dh_world_ops *find(struct dh_str game)
{
    return game.n == 3 && memcmp(game.p, "toy", 3) == 0 ? &toy : NULL;
}

/* ---- running it -------------------------------------------------------------------------------------------------- */

static struct dh_err error;
static int result;

/* A stream given as text through the driver (o) or, without, as it comes out of the reader; as text. The caller frees
 * it. result and error are the call's. */
static char *pass(const char *in, const struct dh_replay_opts *o)
{
    FILE *from = tmpfile(), *to = tmpfile();
    struct dh_reader *r;
    struct dh_writer *w;
    const struct dh_record *rec;
    long n;

    wanted[0] = '\0';
    fputs(in, from);
    fflush(from);
    rewind(from);
    r = dh_reader_new(fileno(from));
    w = dh_writer_new(fileno(to), DH_TEXT, false);
    memset(&error, 0, sizeof error);
    result = dh_reader_stream(r) == 1 ? 0 : -3;
    if (result == 0 && o)
        result = dh_replay(r, w, o, &error);
    else if (result == 0)
        for (dh_writer_stream(w); dh_read(r, &rec) == 1;)
            dh_write(w, rec);
    dh_writer_free(w, NULL);
    dh_reader_free(r);
    fseek(to, 0, SEEK_END);
    n = ftell(to);
    rewind(to);
    char *out = calloc(1, (size_t)n + 1);
    if (fread(out, 1, (size_t)n, to) != (size_t)n)
        out[0] = '\0';
    fclose(from);
    fclose(to);
    CHECK_STR(wanted, "");
    return out;
}

static char *replay(const char *in, struct dh_replay_opts o)
{
    o.world = find;
    return pass(in, &o);
}

/* Says which line is the first that differs, and why the run failed if it did. */
static void check_text(const char *got, const char *want)
{
    int line = 1;

    for (; *got && *got == *want; got++, want++)
        line += *got == '\n';
    if (!CHECK(*got == *want))
        printf("# line %d: got ...%.*s, want ...%.*s (%d %s)\n", line, (int)strcspn(got, "\n"), got,
               (int)strcspn(want, "\n"), want, result, error.msg);
}

static void check_replay(const char *in, struct dh_replay_opts o, const char *want)
{
    char *got = replay(in, o), *canonical;
    int was = result;
    struct dh_err why = error;

    canonical = pass(want, NULL);
    CHECK_INT(result, 0);
    result = was;
    error = why;
    check_text(got, canonical);
    free(canonical);
    free(got);
}

#define SCHEMAS "dhdm 1\nschema input add:i8\nschema join at:i32\n"
#define OURS "schema state ticks:u32\nschema Pawn at:i32\nschema Last who:ref since:u32\n"

static const char plain[] = SCHEMAS "header game=toy rate=10 interval=2 fresh=1\n"
                                    "join 0 0 wire=0 at=8\n"
                                    "input 0 0 add=1\n"
                                    "input 1 0 add=1\n"
                                    "join 2 1 wire=1 at=5\n"
                                    "input 2 0 add=1\n"
                                    "input 2 1 add=5\n"
                                    "leave 3 0\n"
                                    "input 3 1 add=1\n"
                                    "input 4 1 add=7\n"
                                    "origin part=tail hex=0xaabb\n"
                                    "end 4 reason=stop\n";

static const char replayed[] = SCHEMAS OURS "header game=toy map=FIELD rate=10 interval=2 fresh=1\n"
                                            "join 0 0 wire=0 at=8\n"
                                            "snapshot 0 - entities=2 ticks=0\n"
                                            "snapshot 0 Pawn@0 at=8\n"
                                            "snapshot 0 Last@0 who=- since=0\n"
                                            "input 0 0 add=1\n"
                                            "input 1 0 add=1\n"
                                            "event 2 ten 0\n"
                                            "join 2 1 wire=1 at=5\n"
                                            "snapshot 2 - entities=3 ticks=2\n"
                                            "snapshot 2 Pawn@0 at=10\n"
                                            "snapshot 2 Pawn@1 at=5\n"
                                            "snapshot 2 Last@0 who=Pawn@0 since=2\n"
                                            "input 2 0 add=1\n"
                                            "input 2 1 add=5\n"
                                            "event 3 ten 1\n"
                                            "leave 3 0\n"
                                            "input 3 1 add=1\n"
                                            "event 4 final 1 at=11\n"
                                            "snapshot 4 - entities=2 ticks=4\n"
                                            "snapshot 4 Pawn@1 at=11\n"
                                            "snapshot 4 Last@0 who=Pawn@1 since=3\n"
                                            "input 4 1 add=7\n"
                                            "origin part=tail hex=0xaabb\n"
                                            "end 4 reason=stop\n";

/* Order within a tick, the partial last tick, the states at multiples and at the end. */
static void a_run(void)
{
    check_replay(plain, (struct dh_replay_opts){0}, replayed);
    CHECK_INT(result, 0);
}

static void a_replay_of_a_replay_is_the_same(void)
{
    check_replay(replayed, (struct dh_replay_opts){0}, replayed);
    CHECK_INT(result, 0);
}

/* Snapshots and events that an earlier replay with other options left are dropped. */
static void options_of_the_last_replay_win(void)
{
    char *once = replay(plain, (struct dh_replay_opts){
                                   .has_every = true, .every = 3, .has_window = true, .window = 1, .window_end = 3});

    CHECK(strstr(once, "snapshot 1 -") != NULL);
    CHECK(strstr(once, "snapshot 2 -") != NULL);
    CHECK(strstr(once, "snapshot 3 -") != NULL);
    check_replay(once, (struct dh_replay_opts){0}, replayed);
    free(once);
}

static void no_interval(void)
{
    char *got = replay(plain, (struct dh_replay_opts){.has_every = true});

    CHECK(strstr(got, "snapshot 0") == NULL);
    CHECK(strstr(got, "snapshot 2") == NULL);
    CHECK(strstr(got, "snapshot 4 -") != NULL);
    free(got);
}

static void until(void)
{
    static const char want[] = SCHEMAS OURS "header game=toy map=FIELD rate=10 interval=2 fresh=1\n"
                                            "join 0 0 wire=0 at=8\n"
                                            "input 0 0 add=1\n"
                                            "input 1 0 add=1\n"
                                            "event 2 ten 0\n"
                                            "input 2 0 add=1\n"
                                            "event 3 ten 1\n"
                                            "event 3 final 0 at=11\n"
                                            "event 3 final 1 at=10\n"
                                            "leave 3 0\n"
                                            "snapshot 3 - entities=2 ticks=3\n"
                                            "snapshot 3 Pawn@1 at=10\n"
                                            "snapshot 3 Last@0 who=Pawn@1 since=3\n"
                                            "end 3 reason=until\n";
    char *got = replay(plain, (struct dh_replay_opts){.has_until = true, .until = 3, .has_every = true});
    char *join = strstr(got, "join 2 1"), *input = strstr(got, "input 2 1");

    CHECK_INT(result, 0);
    if (CHECK(join != NULL && input != NULL)) { /* leave two lines out of sight, they are in the other tests */
        memmove(input, strchr(input, '\n') + 1, strlen(strchr(input, '\n') + 1) + 1);
        memmove(join, strchr(join, '\n') + 1, strlen(strchr(join, '\n') + 1) + 1);
        char *canonical = pass(want, NULL);
        check_text(got, canonical);
        free(canonical);
    }
    free(got);
    /* at the end's tick or later it changes nothing */
    check_replay(plain, (struct dh_replay_opts){.has_until = true, .until = 4}, replayed);
    check_replay(plain, (struct dh_replay_opts){.has_until = true, .until = 400}, replayed);
    /* before anything is run */
    got = replay(plain, (struct dh_replay_opts){.has_until = true});
    CHECK(strstr(got, "snapshot 0 Pawn@0 at=8\n") != NULL);
    CHECK(strstr(got, "\ninput") == NULL);
    CHECK(strstr(got, "end 0 reason=until\n") != NULL);
    free(got);
}

/* Without an end the tick whose inputs are all there is run, and no other. */
static void truncated(void)
{
    char in[sizeof plain], *got;

    strcpy(in, plain);
    strstr(in, "end 4")[0] = '\0';
    got = replay(in, (struct dh_replay_opts){0});
    CHECK_INT(result, -1);
    CHECK_INT(error.status, DH_INCOMPLETE);
    CHECK(strstr(got, "input 4 1 add=7\norigin") == NULL);
    CHECK(strstr(got, "snapshot 5 Pawn@1 at=18\n") != NULL);
    CHECK(strstr(got, "\nend") == NULL);
    free(got);

    strstr(in, "input 2 1")[0] = '\0';
    got = replay(in, (struct dh_replay_opts){0});
    CHECK_INT(error.status, DH_INCOMPLETE);
    CHECK(strstr(got, "snapshot 2 Pawn@1 at=5\n") != NULL);
    CHECK(strstr(got, "input 2 0 add=1\n") != NULL);
    CHECK(strstr(got, "snapshot 3") == NULL);
    free(got);
}

static void golden(void)
{
    struct dh_replay_opts o = {.checkpoint = true, .has_every = true, .every = 1};
    char *first = replay(plain, o), *again;

    CHECK_INT(result, 0);
    CHECK(strstr(first, "interval=1 ") != NULL);
    CHECK(strstr(first, "snapshot") == NULL);
    CHECK(strstr(first, "checkpoint 3 Pawn@1 at=10\n") != NULL);
    again = replay(first, o);
    check_text(again, first);
    free(again);

    /* and snapshots beside its checkpoints are of the same types */
    again = replay(first, (struct dh_replay_opts){0});
    CHECK(strstr(again, "schema snapshot.") == NULL);
    CHECK(strstr(again, "checkpoint 3 Pawn@1 at=10\n") != NULL);
    CHECK(strstr(again, "snapshot 3 Pawn@1 at=10\n") != NULL);
    CHECK(strstr(again, "snapshot 3 Last@0 who=Pawn@1 since=3\n") != NULL);
    free(again);
    free(first);
}

/* Recorded states that are not quite of the world's kind keep their schemas; the world's get names of their own. */
static void other_schemas(void)
{
    static const char in[] = SCHEMAS "schema state mood:u8\nschema Tree height:u8\nschema Pawn at:i32 hat:u8\n"
                                     "header game=toy rate=10 fresh=1\n"
                                     "join 0 0 wire=0 at=8\n"
                                     "checkpoint 0 - entities=1 mood=3\n"
                                     "checkpoint 0 Pawn@0 at=8 hat=1\n"
                                     "input 0 0 add=2\n"
                                     "end 1 reason=stop\n";
    static const char want[] =
        SCHEMAS "schema state mood:u8\nschema Tree height:u8\nschema Pawn at:i32 hat:u8\n"
                "schema snapshot.state ticks:u32\nschema snapshot.Pawn at:i32\nschema snapshot.Last who:ref since:u32\n"
                "header game=toy map=FIELD rate=10 fresh=1\n"
                "join 0 0 wire=0 at=8\n"
                "checkpoint 0 - entities=1 mood=3\n"
                "checkpoint 0 Pawn@0 at=8 hat=1\n"
                "snapshot 0 - entities=2 ticks=0\n"
                "snapshot 0 Pawn@0 at=8\n"
                "snapshot 0 Last@0 who=- since=0\n"
                "input 0 0 add=2\n"
                "event 1 ten 0\n"
                "event 1 final 0 at=10\n"
                "snapshot 1 - entities=2 ticks=1\n"
                "snapshot 1 Pawn@0 at=10\n"
                "snapshot 1 Last@0 who=Pawn@0 since=1\n"
                "end 1 reason=stop\n";

    check_replay(in, (struct dh_replay_opts){0}, want);
    check_replay(want, (struct dh_replay_opts){0}, want);
    char *got = replay(want, (struct dh_replay_opts){.checkpoint = true});
    CHECK(strstr(got, "Tree") == NULL);
    CHECK(strstr(got, "mood") == NULL);
    CHECK(strstr(got, "\nschema Pawn at:i32\n") != NULL);
    CHECK(strstr(got, "checkpoint 1 Pawn@0 at=10\n") != NULL);
    free(got);
}

static const char later[] = SCHEMAS OURS "header game=toy rate=10 interval=2 start=7\n"
                                         "join 7 0 wire=0 at=1\n"
                                         "checkpoint 7 - entities=1 ticks=7\n"
                                         "checkpoint 7 Pawn@0 at=41\n"
                                         "input 7 0 add=1\n"
                                         "checkpoint 8 - entities=1 ticks=8\n"
                                         "checkpoint 8 Pawn@0 at=42\n"
                                         "end 8 reason=stop\n";

static void restores(void)
{
    static const char want[] = SCHEMAS OURS "header game=toy map=FIELD rate=10 interval=2 start=7\n"
                                            "event 7 restored\n"
                                            "join 7 0 wire=0 at=1\n"
                                            "checkpoint 7 - entities=1 ticks=7\n"
                                            "checkpoint 7 Pawn@0 at=41\n"
                                            "input 7 0 add=1\n"
                                            "event 8 final 0 at=42\n"
                                            "checkpoint 8 - entities=1 ticks=8\n"
                                            "checkpoint 8 Pawn@0 at=42\n"
                                            "snapshot 8 - entities=2 ticks=8\n"
                                            "snapshot 8 Pawn@0 at=42\n"
                                            "snapshot 8 Last@0 who=- since=0\n"
                                            "end 8 reason=stop\n";

    check_replay(later, (struct dh_replay_opts){0}, want);
    check_replay(want, (struct dh_replay_opts){0}, want);

    /* a golden file begins with the state that the world has taken over, and starts there again */
    char *got = replay(later, (struct dh_replay_opts){.checkpoint = true});
    CHECK(strstr(got, "fresh=1") == NULL);
    CHECK(strstr(got, "event 7 restored\n") != NULL);
    CHECK(strstr(got, "checkpoint 7 Last@0 who=- since=0\n") != NULL);
    CHECK(strstr(got, "snapshot") == NULL);
    char *again = replay(got, (struct dh_replay_opts){.checkpoint = true});
    check_text(again, got);
    free(again);
    free(got);

    /* as its join says, not its checkpoint */
    got = replay(later, (struct dh_replay_opts){.fresh = true});
    CHECK(strstr(got, "restored") == NULL);
    CHECK(strstr(got, "snapshot 7 Pawn@0 at=1\n") != NULL);
    CHECK(strstr(got, "snapshot 8 Pawn@0 at=2\n") != NULL);
    free(got);
}

static void refuses(const char *in, struct dh_replay_opts o, const char *why)
{
    char *got = replay(in, o);

    CHECK_INT(result, -1);
    CHECK_INT(error.status, DH_TROUBLE);
    if (!CHECK(strstr(error.msg, why) != NULL))
        printf("# said: %s\n", error.msg);
    CHECK(strstr(got, "\nend") == NULL);
    free(got);
}

/* After the state, before the inputs; at every boundary, the first and the last too. */
static void logs(void)
{
    static const char in[] = SCHEMAS "header game=toy rate=10 fresh=1\njoin 0 0 wire=0 at=1\nlog 0 old text=gone\n"
                                     "input 0 0 add=1\nend 1 reason=stop\n";
    static const char want[] = SCHEMAS OURS "header game=toy map=FIELD rate=10 fresh=1\n"
                                            "join 0 0 wire=0 at=1\n"
                                            "log 0 count text=one\\040more\n"
                                            "input 0 0 add=1\n"
                                            "event 1 final 0 at=2\n"
                                            "snapshot 1 - entities=2 ticks=1\n"
                                            "snapshot 1 Pawn@0 at=2\n"
                                            "snapshot 1 Last@0 who=- since=0\n"
                                            "log 1 count text=one\\040more\n"
                                            "end 1 reason=stop\n";

    check_replay(in, (struct dh_replay_opts){.log = "count"}, want);
    refuses(in, (struct dh_replay_opts){.log = "positions"}, "the only topic is count");
}

static void troubles(void)
{
    struct dh_replay_opts none = {0};

    refuses("dhdm 1\nheader game=chess rate=1\nend 0 reason=stop\n", none, "game=chess: there is no world");
    refuses("dhdm 1\nheader game=toy map=bad rate=1\nend 0 reason=stop\n", none, "no such map");
    refuses("dhdm 1\nheader game=toy rate=1 start=5\nend 5 reason=stop\n", none, "without a checkpoint to start from");
    refuses("dhdm 1\nheader game=toy rate=1 start=5 fresh=1\nend 5 reason=stop\n",
            (struct dh_replay_opts){.has_until = true, .until = 4}, "starts at tick 5, after tick 4");
}

static void a_world_that_fails_names_the_tick(void)
{
    static const char in[] = SCHEMAS "header game=toy rate=10 fresh=1\njoin 0 0 wire=0\ninput 0 0\ninput 1 0 add=99\n"
                                     "input 2 0\nend 3 reason=stop\n";

    refuses(in, (struct dh_replay_opts){0}, "ninety-nine");
    CHECK_INT(error.tick, 1);
}

int main(void)
{
    T_RUN(a_run);
    T_RUN(a_replay_of_a_replay_is_the_same);
    T_RUN(options_of_the_last_replay_win);
    T_RUN(no_interval);
    T_RUN(until);
    T_RUN(truncated);
    T_RUN(golden);
    T_RUN(other_schemas);
    T_RUN(restores);
    T_RUN(logs);
    T_RUN(troubles);
    T_RUN(a_world_that_fails_names_the_tick);
    return t_done();
}
