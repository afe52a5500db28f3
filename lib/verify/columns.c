/* SPDX-License-Identifier: ISC */
/* The columns of a verdict, and a level as an object of JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verify/inner.h"

/* The next part of MAP:END:TIC:TICS:KILLS/OF:ITEMS/OF:SECRETS/OF, which ends at a colon or a slash. */
static struct dh_str part(const char **p, const char *end)
{
    const char *from = *p;

    while (*p < end && **p != ':' && **p != '/')
        ++*p;
    struct dh_str s = {from, (size_t)(*p - from)};
    *p += *p < end;
    return s;
}

static void put(struct dh_buf *out, const char *s)
{
    dh_put_bytes(out, s, strlen(s));
}

static void level(struct dh_buf *out, const uint8_t *item, size_t n)
{
    static const char *const numbers[] = {"tic",   "tics",       "kills",   "totalkills",
                                          "items", "totalitems", "secrets", "totalsecrets"};
    const char *p = (const char *)item, *end = p + n;
    struct dh_str map = part(&p, end), how = part(&p, end);

    put(out, "{\"map\":");
    row_quoted(out, (const uint8_t *)map.p, map.n);
    put(out, ",\"end\":");
    row_quoted(out, (const uint8_t *)how.p, how.n);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct dh_str number = part(&p, end);
        put(out, ",\"");
        put(out, numbers[i]);
        put(out, "\":");
        if (number.n > 0)
            dh_put_bytes(out, number.p, number.n);
        else
            put(out, "null");
    }
    put(out, "}");
}

static const struct row_heading headings[VERIFY_COLUMNS] = {
    [VERIFY_VERDICT] = {"verdict", "verdict", ROW_TEXT, NULL},
    [VERIFY_FILE] = {"file", "file", ROW_TEXT, NULL},
    [VERIFY_MAP] = {"map", "map", ROW_TEXT, NULL},
    [VERIFY_SKILL] = {"skill", "skill", ROW_NUMBER, NULL},
    [VERIFY_PLAYERS] = {"players", "players", ROW_NUMBER, NULL},
    [VERIFY_TICS] = {"tics", "tics", ROW_NUMBER, NULL},
    [VERIFY_TIME] = {"time", "time", ROW_TEXT, NULL},
    [VERIFY_EXITS] = {"exits", "exits", ROW_NUMBER, NULL},
    [VERIFY_LEVEL_TICS] = {"leveltics", "tics in levels", ROW_NUMBER, NULL},
    [VERIFY_LEVEL_TIME] = {"leveltime", "time in levels", ROW_TEXT, NULL},
    [VERIFY_KILLS] = {"kills", "kills", ROW_TEXT, NULL},
    [VERIFY_ITEMS] = {"items", "items", ROW_TEXT, NULL},
    [VERIFY_SECRETS] = {"secrets", "secrets", ROW_TEXT, NULL},
    [VERIFY_DEATHS] = {"deaths", "deaths", ROW_NUMBER, NULL},
    [VERIFY_LEVELS] = {"levels", "levels", ROW_LIST, level},
    [VERIFY_VERSION] = {"version", "version", ROW_TEXT, NULL},
    [VERIFY_IWAD] = {"iwad", "iwad", ROW_TEXT, NULL},
    [VERIFY_IWAD_BY] = {"iwadby", "iwad chosen by", ROW_TEXT, NULL},
    [VERIFY_FILES] = {"files", "files", ROW_LIST, NULL},
    [VERIFY_FILES_BY] = {"filesby", "files chosen by", ROW_LIST, NULL},
    [VERIFY_SETTINGS] = {"settings", "settings", ROW_LIST, NULL},
    [VERIFY_CLOSURE] = {"closure", "closure", ROW_TEXT, NULL},
    [VERIFY_DIGEST] = {"digest", "digest", ROW_TEXT, NULL},
    [VERIFY_END] = {"end", "end", ROW_TEXT, NULL},
    [VERIFY_NOTES] = {"notes", "notes", ROW_NOTES, NULL},
};

const struct row_shape verify_shape = {headings, VERIFY_COLUMNS};

/* ---- filled in --------------------------------------------------------------------------------------------------- */

static void put_time(struct row *r, int tics_column, int time_column, uint64_t tics)
{
    uint64_t cc = tics * 100 / 35, s = cc / 100;
    char text[64];

    row_number(r, tics_column, (int64_t)tics);
    snprintf(text, sizeof text, "%" PRIu64 ":%02d:%02d.%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60),
             (int)(cc % 100));
    row_string(r, time_column, text);
}

static void put_of(struct row *r, int column, int64_t got, int64_t of)
{
    char text[64];

    snprintf(text, sizeof text, "%" PRId64 "/%" PRId64, got, of);
    row_string(r, column, text);
}

static void put_level(struct row *r, const struct level *l)
{
    static const char *const ends[] = {"exit", "secret", "died", "stop"};

    if (l->counted)
        row_item(r, VERIFY_LEVELS,
                 "%s:%s:%" PRIu32 ":%" PRId64 ":%" PRId64 "/%" PRId64 ":%" PRId64 "/%" PRId64 ":%" PRId64 "/%" PRId64,
                 l->map, ends[l->end], l->tick, l->tics, l->kills, l->totalkills, l->items, l->totalitems, l->secrets,
                 l->totalsecrets);
    else if (l->tics >= 0)
        row_item(r, VERIFY_LEVELS, "%s:%s:%" PRIu32 ":%" PRId64, l->map, ends[l->end], l->tick, l->tics);
    else
        row_item(r, VERIFY_LEVELS, "%s:%s:%" PRIu32, l->map, ends[l->end], l->tick);
}

static void put_levels(struct row *r, const struct levels *l)
{
    struct level sum = {.end = LEVEL_EXIT};

    for (size_t i = 0; i < l->n; i++) {
        const struct level *v = &l->v[i];
        put_level(r, v);
        if (v->end != LEVEL_EXIT && v->end != LEVEL_SECRET)
            continue;
        sum.kills += v->kills;
        sum.totalkills += v->totalkills;
        sum.items += v->items;
        sum.totalitems += v->totalitems;
        sum.secrets += v->secrets;
        sum.totalsecrets += v->totalsecrets;
    }
    row_number(r, VERIFY_EXITS, (int64_t)l->exits);
    put_time(r, VERIFY_LEVEL_TICS, VERIFY_LEVEL_TIME, l->tics);
    put_of(r, VERIFY_KILLS, sum.kills, sum.totalkills);
    put_of(r, VERIFY_ITEMS, sum.items, sum.totalitems);
    put_of(r, VERIFY_SECRETS, sum.secrets, sum.totalsecrets);
    row_number(r, VERIFY_DEATHS, (int64_t)l->deaths);
    if (l->more)
        row_item(r, VERIFY_NOTES, "%" PRIu64 " more levels", l->more);
}

void columns_demo(struct row *r, const struct lmp_demo *d)
{
    row_number(r, VERIFY_SKILL, lmp_rule(d, "skill", 0) + 1);
    row_number(r, VERIFY_PLAYERS, d->nplayers);
    row_string(r, VERIFY_END, d->marker ? "whole" : "truncated");
}

void columns_choice(struct row *r, const struct choice *c)
{
    char closure[65];

    for (int i = 0; i < c->content.n; i++) {
        const struct dh_file *f = &c->files[i];
        if (strcmp(f->role, "iwad") == 0) {
            row_string(r, VERIFY_IWAD, f->name);
            row_string(r, VERIFY_IWAD_BY, c->by[i]);
        } else {
            row_item(r, VERIFY_FILES, "%s", f->name);
            row_item(r, VERIFY_FILES_BY, "%s", c->by[i]);
        }
    }
    for (const char *const *p = c->settings; *p; p++) {
        size_t key = strcspn(*p, "=");
        row_item(r, VERIFY_SETTINGS, "%.*s:%s", (int)key, *p, *p + key + 1);
    }
    dh_content_closure(&c->content, closure);
    row_string(r, VERIFY_CLOSURE, closure);
}

void columns_replay(struct row *r, const struct replay *p, const struct levels *l, bool whole)
{
    static const char *const verdicts[] = {"finished", "died", "unfinished"};
    char digest[32];

    row_string(r, VERIFY_MAP, p->map);
    row_string(r, VERIFY_VERSION, p->follows);
    if (p->map[0] == '\0') /* it was not even opened */
        return;
    put_time(r, VERIFY_TICS, VERIFY_TIME, p->tics);
    put_levels(r, l);
    if (!whole)
        return;
    row_string(r, VERIFY_VERDICT, verdicts[p->verdict]);
    snprintf(digest, sizeof digest, "0x%016" PRIx64, p->digest);
    row_string(r, VERIFY_DIGEST, digest);
}
