/* SPDX-License-Identifier: ISC */
#include "verify/level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void levels_begin(struct levels *l, const char *map)
{
    l->n = 0;
    l->more = l->exits = l->tics = l->deaths = 0;
    l->died = -1;
    snprintf(l->map, sizeof l->map, "%s", map);
    l->left = l->failed = false;
}

void levels_free(struct levels *l)
{
    free(l->v);
    memset(l, 0, sizeof *l);
}

static void add(struct levels *l, const struct level *level)
{
    if (l->n == LEVELS_MAX) {
        l->more++;
        return;
    }
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 64;
        struct level *v = realloc(l->v, cap * sizeof *v);
        if (!v) {
            l->failed = true;
            return;
        }
        l->v = v;
        l->cap = cap;
    }
    l->v[l->n++] = *level;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static bool is(struct dh_str s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

static struct dh_str value(const struct dh_record *r, const char *name)
{
    struct dh_cur c = dh_cur(r->u.event.pairs, r->u.event.pairs_n);
    struct dh_str key, v;

    while (dh_pair_next(&c, &key, &v))
        if (is(key, name))
            return v;
    return (struct dh_str){"", 0};
}

/* A number as the worlds write them. */
static int64_t number(const struct dh_record *r, const char *name)
{
    struct dh_str s = value(r, name);
    size_t i = s.n > 0 && s.p[0] == '-';
    int64_t v = 0;

    for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && v < INT64_MAX / 20; i++)
        v = v * 10 + (s.p[i] - '0');
    return s.n > 0 && s.p[0] == '-' ? -v : v;
}

static void take_map(char map[16], struct dh_str s)
{
    size_t n = s.n < 15 ? s.n : 15;

    memcpy(map, s.p, n);
    map[n] = '\0';
}

/* A level begins; where the last one did not end, it was lost, and this is the next attempt at it. */
static void begun(struct levels *l, const struct dh_record *r)
{
    if (l->map[0]) {
        struct level lost = {.end = LEVEL_DIED, .tick = r->tick, .tics = l->died};
        memcpy(lost.map, l->map, sizeof lost.map);
        add(l, &lost);
        l->left = false;
    }
    take_map(l->map, value(r, "map"));
    l->died = -1;
}

/* One event a player; together they are the end of one level. */
static void left(struct levels *l, const struct dh_record *r)
{
    if (l->map[0]) {
        struct level level = {
            .end = number(r, "secret") ? LEVEL_SECRET : LEVEL_EXIT,
            .tick = r->tick,
            .tics = number(r, "time"),
            .counted = true,
            .totalkills = number(r, "totalkills"),
            .totalitems = number(r, "totalitems"),
            .totalsecrets = number(r, "totalsecrets"),
        };
        take_map(level.map, value(r, "map"));
        add(l, &level);
        l->exits++;
        l->left = true;
        l->tics += level.tics > 0 ? (uint64_t)level.tics : 0;
        l->map[0] = '\0';
    }
    if (l->n > 0 && l->v[l->n - 1].tick == r->tick && l->v[l->n - 1].counted) {
        l->v[l->n - 1].kills += number(r, "kills");
        l->v[l->n - 1].items += number(r, "items");
        l->v[l->n - 1].secrets += number(r, "secrets");
    }
}

void levels_event(struct levels *l, const struct dh_record *r)
{
    if (is(r->u.event.what, "map"))
        begun(l, r);
    else if (is(r->u.event.what, "exit"))
        left(l, r);
    else if (is(r->u.event.what, "death")) {
        l->deaths++;
        l->died = number(r, "time");
    }
}

/* ---- the last state ---------------------------------------------------------------------------------------------- */

static int64_t field(const struct dh_schema *s, const uint8_t *block, size_t n, const char *name)
{
    return dh_block_int(s, block, n, dh_schema_find(s, name));
}

/* What an enum's value is called; "" where it has no name. */
static const char *word(const struct dh_schema *s, const uint8_t *block, size_t n, const char *name)
{
    int i = dh_schema_find(s, name);
    int64_t v = dh_block_int(s, block, n, i);

    return i >= 0 && v >= 0 && v < s->fields[i].nnames ? s->fields[i].names[v] : "";
}

static void player(struct level_last *last, const struct dh_schema *s, const struct dh_entity *en)
{
    last->alive |= strcmp(word(s, en->block, en->n, "state"), "live") == 0;
    last->level.kills += field(s, en->block, en->n, "kills");
    last->level.items += field(s, en->block, en->n, "items");
    last->level.secrets += field(s, en->block, en->n, "secrets");
}

static void game(struct level_last *last, const struct dh_schema *s, const struct dh_entity *en)
{
    last->exited = strcmp(word(s, en->block, en->n, "action"), "completed") == 0;
    last->secret = field(s, en->block, en->n, "secretexit") != 0;
    last->level.totalkills = field(s, en->block, en->n, "totalkills");
    last->level.totalitems = field(s, en->block, en->n, "totalitems");
    last->level.totalsecrets = field(s, en->block, en->n, "totalsecrets");
}

bool levels_look(struct level_last *last, const struct dh_schemas *s, const struct dh_record *r)
{
    const struct dh_schema *state = dh_state_schema(s, DH_SNAPSHOT);
    int map = dh_schema_find(state, "map"), games = 0, players = 0;
    struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);
    struct dh_entity en;
    size_t n;

    memset(last, 0, sizeof *last);
    if (map < 0 || state->fields[map].type != DH_STR || dh_schema_find(state, "gamestate") < 0)
        return false;
    const uint8_t *p = dh_block_field(state, r->block, r->block_n, map, &n);
    struct dh_cur text = dh_cur(p, n);
    take_map(last->level.map, dh_get_str(&text));
    last->in_level = strcmp(word(state, r->block, r->block_n, "gamestate"), "level") == 0;
    last->level.tick = r->tick;
    last->level.tics = field(state, r->block, r->block_n, "leveltime");
    last->level.counted = true;
    while (dh_entity_next(s, &c, &en)) {
        const struct dh_etype *type = &s->types[en.type];
        if (strcmp(type->name, "Game") == 0) {
            game(last, type->schema, &en);
            games++;
        } else if (strcmp(type->name, "Player") == 0) {
            player(last, type->schema, &en);
            players++;
        } else if (games > 0 && players > 0)
            break; /* they come first, and the rest is long */
    }
    return games > 0 && players > 0;
}

enum level_verdict levels_end(struct levels *l, const struct level_last *last)
{
    struct level level = last->level;

    if (!last->in_level)
        return l->exits > 0 ? RUN_FINISHED : RUN_UNFINISHED;
    level.end = !last->alive ? LEVEL_DIED : LEVEL_STOP;
    if (last->exited)
        level.end = last->secret ? LEVEL_SECRET : LEVEL_EXIT;
    add(l, &level);
    l->map[0] = '\0';
    if (last->exited) {
        l->exits++;
        l->tics += level.tics > 0 ? (uint64_t)level.tics : 0;
        return RUN_FINISHED;
    }
    if (!last->alive)
        return RUN_DIED;
    return l->left && level.tics <= LEVEL_RUN_ON ? RUN_FINISHED : RUN_UNFINISHED;
}
