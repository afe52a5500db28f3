/* SPDX-License-Identifier: ISC */
/*
 * row.h - what is known of one thing, by columns: as a block for people, a line, a row of a table, a JSON object.
 *
 *     static const struct row_heading headings[] = {{"file", "file", ROW_TEXT}, {"tics", "tics", ROW_NUMBER}};
 *     static const struct row_shape shape = {headings, 2};
 *     struct row r = {.shape = &shape};
 *     row_string(&r, 0, "run.lmp");
 *     row_number(&r, 1, 2443);
 *     row_json(&out, &r);    // {"file":"run.lmp","tics":2443}
 *     row_free(&r);
 *
 * A column that does not apply, or that is not known, is empty.
 */
#ifndef ROW_ROW_H
#define ROW_ROW_H

#include "dh.h"

enum { ROW_COLUMNS = 32 }; /* the most that a row has */

enum row_kind {
    ROW_TEXT,
    ROW_NUMBER,
    ROW_LIST,    /* of texts */
    ROW_NUMBERS, /* a list, too */
    ROW_NOTES,   /* a list of sentences */
};

struct row_heading {
    const char *name;  /* in lines, tables and JSON */
    const char *label; /* in a block */
    enum row_kind kind;
    /* How a value, or an item of a list, stands in JSON; NULL: as its kind has it. */
    void (*json)(struct dh_buf *out, const uint8_t *p, size_t n);
};

struct row_shape {
    const struct row_heading *headings;
    int n;
};

/* A number as its decimal digits; of a list every item ends with a NUL. */
struct row {
    const struct row_shape *shape;
    struct dh_buf v[ROW_COLUMNS];
};

void row_clear(struct row *r); /* keeps the memory */
void row_free(struct row *r);
bool row_failed(const struct row *r); /* out of memory: something is missing */

/* Set a column. */
void row_text(struct row *r, int column, const char *p, size_t n);
void row_string(struct row *r, int column, const char *s);
void row_number(struct row *r, int column, int64_t v);
/* Append an item to a list; what is longer than 1023 bytes is cut. */
void row_item(struct row *r, int column, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- printing ---------------------------------------------------------------------------------------------------- */

/* Bytes that are no printable UTF-8 come as \ooo, so that no file can write to a terminal what it wants to. */
void row_block(struct dh_buf *out, const struct row *r);
/* "FIRST SECOND NAME=VALUE ..." with the escapes of dh-text(5). */
void row_line(struct dh_buf *out, const struct row *r);
void row_tsv_header(struct dh_buf *out, const struct row_shape *shape);
void row_tsv(struct dh_buf *out, const struct row *r);
void row_json(struct dh_buf *out, const struct row *r);
/* A string as it stands in blocks and tables. */
void row_plain(struct dh_buf *out, const uint8_t *p, size_t n);
/* A string in JSON's quotes; of what is no UTF-8 each byte as if it were Latin-1. */
void row_quoted(struct dh_buf *out, const uint8_t *p, size_t n);

#endif
