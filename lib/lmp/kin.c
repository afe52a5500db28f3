/* SPDX-License-Identifier: ISC */
/* A stream does not name its dialect: its game, its version and the names of its rules and input fields do. */
#include "lmp/kin.h"

#include <inttypes.h>
#include <string.h>

#include "lmp/header.h"

int64_t lmp_stream_number(const struct lmp_maker *m, const char *name)
{
    return dh_block_int(m->s->rule, m->h->rules, m->h->rules_n, dh_schema_find(m->s->rule, name));
}

struct dh_str lmp_stream_text(const struct lmp_maker *m, const char *name)
{
    size_t n;
    int i = dh_schema_find(m->s->rule, name);

    if (i < 0 || (m->s->rule->fields[i].type != DH_STR && m->s->rule->fields[i].type != DH_BYTES))
        return (struct dh_str){"", 0};
    const uint8_t *p = dh_block_field(m->s->rule, m->h->rules, m->h->rules_n, i, &n);
    struct dh_cur c = dh_cur(p, n);
    return dh_get_str(&c);
}

static int add_field(void *ctx, const struct lmp_item *item, const char *name)
{
    struct lmp_maker *m = ctx;
    struct dh_buf *out = &m->plan->head; /* free until the header is made */
    int type = lmp_item_type(item);

    if (type >= 0) {
        if (out->n)
            dh_put_u8(out, ' ');
        dh_put_bytes(out, name, strlen(name));
        dh_put_u8(out, ':');
        dh_put_bytes(out, lmp_type_name(type), strlen(lmp_type_name(type)));
    }
    return 0;
}

static int64_t plain_number(void *ctx, const char *name)
{
    return lmp_stream_number(ctx, name);
}

static bool same_field(const struct dh_field *a, const struct dh_field *b)
{
    if (a->type != b->type || a->nnames != b->nnames)
        return false;
    for (int i = 0; i < a->nnames; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

/* How many fields differ; e tells of the first. Any order will do, but what has no byte would be lost without a word.
 */
static int differences(const char *what, const char *dialect, const struct dh_schema *theirs,
                       const struct dh_schema *ours, struct dh_err *e)
{
    int n = 0;

    for (int i = 0; theirs && i < theirs->nfields; i++)
        if (dh_schema_find(ours, theirs->fields[i].name) < 0 && n++ == 0)
            dh_fail(e, DH_TROUBLE, "%s field %s has no byte in a demo of %s", what, theirs->fields[i].name, dialect);
    for (int i = 0; ours && i < ours->nfields; i++) {
        int k = dh_schema_find(theirs, ours->fields[i].name);
        if (k < 0 && n++ == 0)
            dh_fail(e, DH_TROUBLE,
                    "the %s schema has no field %s, as a demo of %s has: expected a stream as lmp2dh "
                    "writes it",
                    what, ours->fields[i].name, dialect);
        if (k >= 0 && !same_field(&theirs->fields[k], &ours->fields[i]) && n++ == 0)
            dh_fail(e, DH_TROUBLE, "%s field %s is not of the type that lmp2dh writes", what, ours->fields[i].name);
    }
    return n;
}

static bool turns_are_long(const struct lmp_layout *l, int64_t full_version, int64_t player0)
{
    return l->turns == LMP_TURNS_LONG || (l->turns == LMP_TURNS_PLAYER0 && (player0 & 0x10)) ||
           (l->turns == LMP_TURNS_ETERNITY && full_version >= (333 << 8 | 50));
}

static int64_t full_version(int64_t version, int64_t sub)
{
    return version << 8 | sub;
}

int lmp_distance(struct lmp_maker *m, const struct lmp_dialect *w, const struct lmp_dialect *d, struct dh_err *e)
{
    struct dh_buf *rules = &m->plan->head;
    struct lmp_command *c = &m->plan->from;
    struct dh_schemas *ours = dh_schemas_new();
    int n = -1;

    dh_buf_clear(rules);
    if (w)
        lmp_items_walk(w->layout->header, add_field, plain_number, m);
    lmp_items_walk(d->layout->header, add_field, plain_number, m);
    if (w)
        lmp_items_walk(w->layout->after, add_field, plain_number, m);
    dh_put_u8(rules, 0);
    int64_t version = full_version(lmp_stream_number(m, "version"), lmp_stream_number(m, "subversion"));
    lmp_command_init(c, d->layout, w ? w->layout : NULL, version,
                     turns_are_long(d->layout, version, lmp_stream_number(m, "player0")));
    if (!ours || rules->failed) {
        dh_fail(e, DH_TROUBLE, "out of memory");
    } else if (dh_schemas_add(ours, "rule", (const char *)rules->p, e) == 0 &&
               dh_schemas_add(ours, "input", c->schema, e) == 0 &&
               (!d->layout->join || dh_schemas_add(ours, "join", d->layout->join, e) == 0)) {
        n = differences("rule", d->name, m->s->rule, ours->rule, e);
        n += differences("input", d->name, m->s->input, ours->input, n ? NULL : e);
        n += differences("join", d->name, m->s->join, ours->join, n ? NULL : e);
    }
    dh_schemas_free(ours);
    return n;
}

static bool is_game(const struct dh_str game, const char *name)
{
    return game.n == strlen(name) && memcmp(game.p, name, game.n) == 0;
}

/* A row that writes the stream's first byte, and its signature where that is a field. */
static bool has_version(const struct lmp_maker *m, const struct lmp_dialect *d)
{
    const struct lmp_layout *l = d->layout;
    int64_t v = lmp_stream_number(m, "version");
    struct dh_str signature = lmp_stream_text(m, "signature");

    if (signature.n > 0 && (signature.n != l->len || memcmp(signature.p, l->signature, l->len) != 0))
        return false;
    return l->hi == 255 || dh_schema_find(m->s->rule, "version") < 0 || (v >= l->lo && v <= l->hi);
}

/* The dialect that the stream is nearest to; it has to be there, all of it. */
int lmp_find_dialect(struct lmp_maker *m)
{
    const struct lmp_dialect *w, *d;
    struct dh_err e = {0};
    int best = -1;
    bool game = false;

    for (int i = -1; i < 0 || (w = lmp_dialect_at(i)); i++) {
        if (i < 0)
            w = NULL;
        else if (w->use != LMP_WRAPPER || !is_game(m->h->game, w->game))
            continue;
        for (int k = 0; (d = lmp_dialect_at(k)); k++) {
            if (d->use != LMP_READ || (w ? d->layout->lo == 255 : !is_game(m->h->game, d->game)))
                continue;
            game = true;
            if (!has_version(m, d))
                continue;
            int n = lmp_distance(m, w, d, &e);
            if (n < 0) {
                *m->e = e;
                return -1;
            }
            if (best < 0 || n < best) {
                best = n;
                *m->e = e;
                m->from_wrapper = w;
                m->from = d;
            }
        }
    }
    if (!game)
        return dh_fail(m->e, DH_TROUBLE, "game=%.*s: expected a game of the Doom family (doom, heretic, mbf21, ...)",
                       (int)(m->h->game.n < 64 ? m->h->game.n : 64), m->h->game.p);
    if (best < 0)
        return dh_fail(m->e, DH_TROUBLE, "rule version is %" PRId64 ": expected one that demos of game=%.*s have",
                       lmp_stream_number(m, "version"), (int)m->h->game.n, m->h->game.p);
    return best > 0 ? -1 : 0;
}
