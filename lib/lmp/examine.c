/* SPDX-License-Identifier: ISC */
/*
 * What a file is, by its content.
 *
 * The rows of the table that its first bytes fit are its possible readings. Mostly there is one. Where there are
 * several (the versions without a version byte; the two that use 111) each is read to its end, and what fits best
 * counts:
 *
 *   1. a header that makes sense: the episode, level, player flags and classes that its game has
 *   2. commands that end with the marker, and behind it nothing or a known footer: so their size divides the body
 *   3. a last tic that is whole
 *   4. fewer commands with bits that no engine of that game writes
 *   5. the order of the table
 */
#include "lmp/examine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmp/footer.h"
#include "lmp/header.h"
#include "lmp/reading.h"

enum { MAX_READINGS = 8, TEXT_PROBE = 256 };

/* A reading, and how well it fits. */
struct reading {
    struct lmp_demo *d;
    bool sane, ends, whole_tic;
    uint64_t odd;
    struct dh_err err; /* where d is NULL */
};

static int64_t rule(const struct lmp_demo *d, const char *name)
{
    return lmp_rule(d, name, 0);
}

/* ---- how well it fits -------------------------------------------------------------------------------------------- */

static bool within(int64_t v, int64_t lo, int64_t hi)
{
    return hi == 0 || (v >= lo && v <= hi);
}

static bool makes_sense(const struct lmp_demo *d)
{
    const struct lmp_layout *l = d->dialect->layout;
    bool viewpoint = lmp_rule(d, "viewpoint", -1) < 0;

    if (lmp_rule(d, "skill", 0) > 4 || !within(lmp_rule(d, "episode", 1), 1, l->episodes) ||
        !within(lmp_rule(d, "level", 1), 1, l->levels))
        return false;
    for (int i = 0; i < d->nfields; i++) {
        const struct lmp_field *f = &d->fields[i];
        int slot = lmp_presence_slot(f->name);
        /* Ports put flags into player 1's byte: 0x02, 0x10, 0x20, and 0x08 has been seen in its place. */
        if (slot >= 0 && f->number > 1 && !(slot == 0 && l->turns == LMP_TURNS_PLAYER0))
            return false;
        if (strncmp(f->name, "class", 5) == 0 && f->number > 2)
            return false;
    }
    for (int i = 0; i < d->nplayers; i++)
        viewpoint |= lmp_rule(d, "viewpoint", -1) == d->present[i];
    return viewpoint;
}

static uint64_t count_odd(const struct lmp_demo *d)
{
    struct lmp_walk w = lmp_walk(d);
    uint64_t odd = 0;

    while (lmp_next(&w))
        odd += lmp_command_odd(d->command, w.v);
    return odd;
}

static void judge(struct reading *r)
{
    const struct lmp_demo *d = r->d;

    r->sane = makes_sense(d);
    if (d->marker) {
        struct lmp_options o = {0};
        r->ends = lmp_footer_read(d->p + d->end + 1, d->n - d->end - 1, &o, NULL) != LMP_FOOTER_BYTES;
        lmp_options_free(&o);
    }
    r->whole_tic = d->ninputs % (unsigned)d->nplayers == 0;
    r->odd = count_odd(d);
}

/* A word for what made the one better than the other, NULL: nothing did. */
static const char *better(const struct reading *a, const struct reading *b)
{
    if (a->sane != b->sane)
        return a->sane ? "its header makes sense" : NULL;
    if (a->ends != b->ends)
        return a->ends ? "it ends at its marker" : NULL;
    if (a->whole_tic != b->whole_tic)
        return a->whole_tic ? "its last tic is whole" : NULL;
    return a->odd < b->odd ? "its commands make more sense" : NULL;
}

/* Whether a reading that was not taken would do as well, for all that can be told: then it is said. A wrong size of the
 * commands makes nonsense of many. */
static bool would_do(const struct reading *r)
{
    return r->sane && r->ends && r->whole_tic && r->odd * 50 <= r->d->ninputs;
}

static struct reading *choose(struct reading *r, int n)
{
    struct reading *best = NULL;

    for (int i = 0; i < n; i++)
        if (r[i].d && (!best || better(&r[i], best)))
            best = &r[i];
    if (!best)
        return NULL;
    for (int i = 0; i < n; i++) {
        if (&r[i] == best || !r[i].d || !would_do(&r[i]))
            continue;
        const char *why = better(best, &r[i]);
        snprintf(best->d->also, sizeof best->d->also, "read as %s%s%s; it would do as %s too (--dialect settles it)",
                 best->d->dialect->name, why ? ": " : ", the likelier", why ? why : "", r[i].d->dialect->name);
        break;
    }
    return best;
}

/* ---- all readings ------------------------------------------------------------------------------------------------ */

static bool is(const char *id, const char *asked, size_t n)
{
    return strlen(id) == n && memcmp(id, asked, n) == 0;
}

static bool wanted(const struct lmp_how *how, const struct lmp_dialect *wrapper, const struct lmp_dialect *d)
{
    const char *slash = how->dialect ? strchr(how->dialect, '/') : NULL;

    if (how->game && strcmp(how->game, d->layout->family) != 0)
        return false;
    if (!how->dialect)
        return true;
    if (slash)
        return wrapper && is(wrapper->id, how->dialect, (size_t)(slash - how->dialect)) &&
               strcmp(d->id, slash + 1) == 0;
    return strcmp(how->dialect, d->id) == 0 || (wrapper && strcmp(how->dialect, wrapper->id) == 0);
}

bool lmp_dialect_known(const char *asked)
{
    const char *slash = strchr(asked, '/');
    const struct lmp_dialect *d;

    if (!slash)
        return lmp_dialect_named(asked) != NULL;
    d = lmp_dialect_named(slash + 1);
    if (!d || d->use != LMP_READ)
        return false;
    for (int i = 0; (d = lmp_dialect_at(i)); i++)
        if (d->use == LMP_WRAPPER && is(d->id, asked, (size_t)(slash - asked)))
            return true;
    return false;
}

struct search {
    const uint8_t *p;
    size_t n;
    bool whole;
    const struct lmp_how *how;
    struct reading r[MAX_READINGS];
    int nr;
    const struct lmp_dialect *unwanted; /* fits, and was not asked for */
    bool cut;                           /* the bytes end where a header would begin */
};

static void try(struct search *s, const struct lmp_dialect *wrapper, const struct lmp_dialect *d)
{
    if (!wanted(s->how, wrapper, d)) {
        s->unwanted = wrapper ? wrapper : d;
        return;
    }
    if (s->nr < MAX_READINGS) {
        struct reading *r = &s->r[s->nr++];
        r->d = lmp_read_as(wrapper, d, s->p, s->n, s->whole, s->how->repair, &r->err);
    }
}

/* Whether the bytes end inside the signature of a row, and are its beginning. */
static bool cut_inside(const struct lmp_dialect *d, const uint8_t *p, size_t n)
{
    const struct lmp_layout *l = d->layout;

    return (d->use == LMP_READ || d->use == LMP_WRAPPER) && p[0] >= l->lo && p[0] <= l->hi &&
           n < (size_t)l->at + l->len && (n <= l->at || memcmp(p + l->at, l->signature, n - l->at) == 0);
}

static void try_inside(struct search *s, const struct lmp_dialect *wrapper)
{
    struct lmp_fields f = {0};
    struct dh_err e = {0};
    size_t at = 0;
    int r = lmp_header_read(&f, wrapper->layout->header, wrapper->name, s->p, s->n, &at, &e);

    lmp_fields_free(&f);
    if (r < 0 || at == s->n) {
        s->cut = true;
        return;
    }
    /* A wrapper in a wrapper nobody writes; 255 is no version of what they wrap. */
    const struct lmp_dialect *d;
    for (int i = 0; (d = lmp_dialect_at(i)); i++)
        if (d->use == LMP_READ && s->p[at] != 0xff) {
            s->cut |= cut_inside(d, s->p + at, s->n - at);
            if (lmp_row_fits(d, s->p + at, s->n - at))
                try(s, wrapper, d);
        }
}

/* A demo's header holds numbers below 9, which no text does. */
static bool is_text(const uint8_t *p, size_t n)
{
    if (n > TEXT_PROBE)
        n = TEXT_PROBE;
    for (size_t i = 0; i < n; i++)
        if (p[i] < '\t' || (p[i] > '\r' && p[i] < ' ' && p[i] != 0x1b) || p[i] == 0x7f)
            return false;
    return n >= 4 && p[0] < 0x80;
}

static int nothing_fits(const struct search *s, struct dh_err *e)
{
    const char *asked = s->how->dialect ? s->how->dialect : s->how->game;

    if (s->cut)
        dh_fail(e, DH_INCOMPLETE, "truncated: %zu bytes, and the header is not over", s->n);
    else if (s->unwanted)
        dh_fail(e, DH_TROUBLE, "not a demo of %s: it is of %s", asked, s->unwanted->name);
    else if (asked)
        dh_fail(e, DH_TROUBLE, "not a demo of %s: none begins with byte %d", asked, s->p[0]);
    else
        dh_fail(e, DH_TROUBLE, "not a demo: no known one begins with byte %d", s->p[0]);
    if (e) {
        e->tick = -1;
        e->offset = s->cut ? s->n : 0;
    }
    return -1;
}

static int refuse(const struct lmp_dialect *d, uint8_t first, struct dh_err *e)
{
    if (d->use == LMP_NO_DEMO)
        dh_fail(e, DH_TROUBLE, "not a demo: %s", d->name);
    else
        dh_fail(e, DH_TROUBLE, "unsupported dialect: %s (first byte %d)", d->name, first);
    if (e) {
        e->tick = -1;
        e->offset = 0;
    }
    return -1;
}

/* All readings that the first bytes allow. -1: none, and e says why. */
static int search(struct search *s, struct dh_err *e)
{
    static const struct lmp_dialect text = {NULL, "text", NULL, LMP_NO_DEMO, NULL};
    const struct lmp_dialect *d;
    bool plain = is_text(s->p, s->n);

    for (int i = 0; (d = lmp_dialect_at(i)); i++) {
        s->cut |= cut_inside(d, s->p, s->n);
        if (!lmp_row_fits(d, s->p, s->n) || (plain && d->layout->len == 0))
            continue;
        if (d->use == LMP_READ)
            try(s, NULL, d);
        else if (d->use == LMP_WRAPPER && s->nr == 0 && !s->cut)
            try_inside(s, d);
        else if (s->nr == 0 && !s->cut && !s->unwanted && d->use != LMP_WRAPPER)
            return refuse(d, s->p[0], e);
    }
    if (plain && s->nr == 0)
        return refuse(&text, s->p[0], e);
    return s->nr > 0 ? 0 : nothing_fits(s, e);
}

/* ---- the footer -------------------------------------------------------------------------------------------------- */

static int read_footer(struct lmp_demo *d, struct dh_err *e)
{
    struct lmp_options o = {0};
    struct lmp_signed s;

    d->footer_at = d->marker ? d->end + 1 : d->n;
    d->footer = lmp_footer_read(d->p + d->footer_at, d->n - d->footer_at, &o, &s);
    if (d->footer && s.is_signed) {
        MD5_CTX demo;

        MD5Init(&demo);
        MD5Update(&demo, d->p, d->footer_at);
        d->signature = lmp_signature_fits(&s, &demo) ? LMP_VALID : LMP_INVALID;
        const char *text = d->signature == LMP_VALID ? "valid" : "invalid";
        lmp_options_text(&o, "signature", text, strlen(text));
    }
    d->options = o.v;
    d->noptions = o.n;
    return o.failed ? dh_fail(e, DH_TROUBLE, "out of memory") : 0;
}

/* dsda_keep: what the header says of the end is not so, or the end is not known. */
static void check_stated(struct lmp_demo *d, bool whole, bool repair)
{
    for (int i = 0; i < d->nfields; i++)
        if (strcmp(d->fields[i].name, "dsda_keep") == 0)
            d->fields[i].number = !repair && !(whole && d->marker && rule(d, "dsda_end") == (int64_t)d->end &&
                                               rule(d, "dsda_tics") == (int64_t)d->ninputs);
}

int lmp_examine_part(struct lmp_demo **out, const uint8_t *p, size_t n, bool whole, const struct lmp_how *how,
                     struct dh_err *e)
{
    static const struct lmp_how nothing = {0};
    struct dh_err mine = {0};
    struct search s = {.p = p, .n = n, .whole = whole, .how = how ? how : &nothing};
    int result = -1;

    *out = NULL;
    if (!e)
        e = &mine;
    e->tick = -1;
    e->offset = DH_NOWHERE;
    e->line = 0;
    if (n == 0) {
        dh_fail(e, DH_INCOMPLETE, "empty: expected a demo");
        e->offset = 0;
        return -1;
    }
    if (search(&s, e) < 0)
        return -1;
    if (s.nr > 1)
        for (int i = 0; i < s.nr; i++)
            if (s.r[i].d)
                judge(&s.r[i]);
    struct reading *best = choose(s.r, s.nr);
    if (!best) {
        *e = s.r[0].err;
        for (int i = 0; i < s.nr && e->status != DH_INCOMPLETE; i++)
            if (s.r[i].err.status == DH_INCOMPLETE)
                *e = s.r[i].err;
    } else if (s.nr > 1 && p[0] <= 4 && !best->sane && !s.how->dialect && !s.how->game) {
        dh_fail(e, DH_TROUBLE,
                "not a demo that makes sense: begins with byte %d, as demos of Doom up to 1.2, Heretic "
                "and Hexen do (--game or --dialect reads it as one of those)",
                p[0]);
        e->offset = 0;
    } else {
        check_stated(best->d, whole, s.how->repair);
        result = whole ? read_footer(best->d, e) : 0;
        if (result == 0) {
            *out = best->d;
            best->d = NULL;
        }
    }
    for (int i = 0; i < s.nr; i++)
        lmp_demo_free(s.r[i].d);
    return result;
}

int lmp_examine(struct lmp_demo **d, const uint8_t *p, size_t n, const struct lmp_how *how, struct dh_err *e)
{
    return lmp_examine_part(d, p, n, true, how, e);
}
