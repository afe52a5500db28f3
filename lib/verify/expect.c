/* SPDX-License-Identifier: ISC */
#include "verify/expect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "io.h"

enum { MOST_CELLS = 64 };

struct expected_row {
    struct dh_str line, name;
    bool met;
};

struct expect {
    struct dh_buf text;
    bool table;
    struct dh_str header;  /* of a table */
    struct dh_buf heading; /* of one as it is printed now */
    struct expected_row *rows;
    struct expected_row **by_name; /* of one name in their order */
    size_t n, cap;
    struct dh_buf found;
};

/* ---- cells ------------------------------------------------------------------------------------------------------- */

struct cell {
    struct dh_str key, value;
};

struct cells {
    struct cell v[MOST_CELLS];
    int n;
};

/* The piece up to the next separator or the end; *s is what follows. */
static struct dh_str piece(struct dh_str *s, char separator)
{
    const char *end = memchr(s->p, separator, s->n);
    struct dh_str p = {s->p, end ? (size_t)(end - s->p) : s->n};
    size_t skip = p.n + (end != NULL);

    s->p += skip;
    s->n -= skip;
    return p;
}

static struct dh_str str(const char *s)
{
    return (struct dh_str){s, strlen(s)};
}

/* VERDICT FILE KEY=VALUE ... */
static void split_line(struct cells *c, struct dh_str line)
{
    for (c->n = 0; line.n > 0 && c->n < MOST_CELLS; c->n++) {
        struct dh_str word = piece(&line, ' ');
        if (c->n < 2)
            c->v[c->n] = (struct cell){str(verify_shape.headings[c->n].name), word};
        else {
            c->v[c->n].key = piece(&word, '=');
            c->v[c->n].value = word;
        }
    }
}

static void split_table(struct cells *c, struct dh_str header, struct dh_str line)
{
    for (c->n = 0; header.n > 0 && c->n < MOST_CELLS; c->n++) {
        c->v[c->n].key = piece(&header, '\t');
        c->v[c->n].value = piece(&line, '\t');
    }
}

static void split(const struct expect *x, struct cells *c, struct dh_str header, struct dh_str line)
{
    if (x->table)
        split_table(c, header, line);
    else
        split_line(c, line);
}

static const struct dh_str *value(const struct cells *c, const char *key)
{
    for (int i = 0; i < c->n; i++)
        if (c->v[i].key.n == strlen(key) && memcmp(c->v[i].key.p, key, c->v[i].key.n) == 0)
            return &c->v[i].value;
    return NULL;
}

static bool same(struct dh_str a, struct dh_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static int wrong(struct dh_err *e, uint64_t line, const char *what)
{
    dh_fail(e, DH_TROUBLE, "%s", what);
    if (e)
        e->line = line;
    return -1;
}

static bool is_verdict(struct dh_str s)
{
    static const char *const words[] = {"finished", "died", "unfinished", "unplayable"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (same(s, str(words[i])))
            return true;
    return false;
}

static int add(struct expect *x, struct dh_str line, uint64_t number, struct dh_err *e)
{
    struct cells c;

    split(x, &c, x->header, line);
    const struct dh_str *verdict = value(&c, "verdict"), *name = value(&c, "file");
    if (!verdict || !name || !is_verdict(*verdict) || name->n == 0)
        return wrong(e, number,
                     "expected a verdict and a file as dhverify prints them, a line a demo or as a table (-t)");
    if (x->n == x->cap) {
        size_t cap = x->cap ? x->cap * 2 : 256;
        struct expected_row *rows = realloc(x->rows, cap * sizeof *rows);
        if (!rows)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        x->rows = rows;
        x->cap = cap;
    }
    x->rows[x->n++] = (struct expected_row){.line = line, .name = *name};
    return 0;
}

static int compare_names(struct dh_str a, struct dh_str b)
{
    int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

    return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int by_name(const void *a, const void *b)
{
    const struct expected_row *x = *(struct expected_row *const *)a, *y = *(struct expected_row *const *)b;
    int order = compare_names(x->name, y->name);

    return order ? order : (x > y) - (x < y);
}

static int parse(struct expect *x, struct dh_err *e)
{
    static const char heading[] = "verdict\tfile\t";
    struct dh_str text = {(const char *)x->text.p, x->text.n};
    uint64_t number = 0;

    row_tsv_header(&x->heading, &verify_shape);
    if (x->heading.failed)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    if (text.n > 0 && text.p[text.n - 1] != '\n')
        return wrong(e, 0, "the last line is not whole");
    x->table = text.n >= strlen(heading) && memcmp(text.p, heading, strlen(heading)) == 0;
    if (x->table) {
        x->header = piece(&text, '\n');
        number++;
    }
    while (text.n > 0) {
        struct dh_str line = piece(&text, '\n');
        if (add(x, line, ++number, e) < 0)
            return -1;
    }
    x->by_name = malloc((x->n + 1) * sizeof(struct expected_row *));
    if (!x->by_name)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    for (size_t i = 0; i < x->n; i++)
        x->by_name[i] = &x->rows[i];
    qsort(x->by_name, x->n, sizeof(struct expected_row *), by_name);
    return 0;
}

struct expect *expect_read(int fd, struct dh_err *e)
{
    struct expect *x = calloc(1, sizeof *x);

    if (!x)
        dh_fail(e, DH_TROUBLE, "out of memory");
    else if (dh_read_rest(fd, &x->text, UINT64_MAX, "rows", e) == 0 && parse(x, e) == 0)
        return x;
    expect_free(x);
    return NULL;
}

void expect_free(struct expect *x)
{
    if (!x)
        return;
    dh_buf_free(&x->text);
    dh_buf_free(&x->found);
    dh_buf_free(&x->heading);
    free(x->rows);
    free(x->by_name);
    free(x);
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static struct expected_row *next_of(struct expect *x, struct dh_str name)
{
    size_t lo = 0, hi = x->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (compare_names(x->by_name[mid]->name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < x->n && same(x->by_name[lo]->name, name); lo++)
        if (!x->by_name[lo]->met)
            return x->by_name[lo];
    return NULL;
}

/* In a line, what is empty is left out; a table that lacks a column says nothing of it. How files were found does not
 * matter, only which they are. */
static bool differs(const struct expect *x, const struct cells *expected, const struct cells *found, int column,
                    struct expect_difference *d)
{
    const char *name = verify_shape.headings[column].name;
    const struct dh_str *a = value(expected, name), *b = value(found, name);

    if ((x->table && !a) || column == VERIFY_IWAD_BY || column == VERIFY_FILES_BY)
        return false;
    d->column = name;
    d->expected = a ? *a : str("");
    d->found = b ? *b : str("");
    return !same(d->expected, d->found);
}

static struct dh_str without_end(const struct dh_buf *line)
{
    return (struct dh_str){(const char *)line->p, line->n - (line->n > 0)};
}

int expect_compare(struct expect *x, const struct row *r, struct expect_difference *d)
{
    struct cells expected, found;

    dh_buf_clear(&x->found);
    if (x->table)
        row_tsv(&x->found, r);
    else
        row_line(&x->found, r);
    if (x->found.failed)
        return -1;
    split(x, &found, without_end(&x->heading), without_end(&x->found));
    struct expected_row *row = next_of(x, *value(&found, "file"));
    if (!row)
        return EXPECT_NONE;
    row->met = true;
    split(x, &expected, x->header, row->line);
    for (int c = VERIFY_VERSION; c <= VERIFY_CLOSURE; c++)
        if (differs(x, &expected, &found, c, d))
            return EXPECT_DIFFERS;
    for (int c = 0; c < verify_shape.n; c++)
        if (differs(x, &expected, &found, c, d))
            return EXPECT_DIFFERS;
    return EXPECT_EQUAL;
}

void expect_missing(const struct expect *x, void (*fn)(void *ctx, struct dh_str name), void *ctx)
{
    for (size_t i = 0; i < x->n; i++)
        if (!x->rows[i].met)
            fn(ctx, x->rows[i].name);
}
