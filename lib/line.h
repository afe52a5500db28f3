/* SPDX-License-Identifier: ISC */
/*
 * line.h - files of lines that people write: KIND KEY=VALUE ..., as in dh-text(5).
 *
 * Fields are separated by one space or more; strings are escaped as in the text encoding; empty lines and lines that
 * begin with # are passed over. Reading does not depend on a locale.
 */
#ifndef DH_LINE_H
#define DH_LINE_H

#include "dh.h"

#define DH_LINE_KEYS 24

/* A file in memory. */
struct dh_lines {
    const char *p, *end;
    const char *file; /* for messages */
    unsigned long number;
};

struct dh_line {
    const struct dh_lines *of;
    struct dh_str kind;
    int n;
    struct dh_str keys[DH_LINE_KEYS], values[DH_LINE_KEYS]; /* values as they stand, escaped */
    uint32_t asked;                                         /* which of them were looked for */
};

struct dh_lines dh_lines(const char *file, const void *p, size_t n);

/* The next line: 1, 0 at the end, -1 with e filled (the file, the line's number, what is wrong). */
int dh_line_next(struct dh_lines *ls, struct dh_line *l, struct dh_err *e);

bool dh_line_is(const struct dh_line *l, const char *kind);

/* Fill e with "FILE: line N: ..." and return -1. */
int dh_line_fail(const struct dh_line *l, struct dh_err *e, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The value of a key as it stands; false: the line has no such key. */
bool dh_line_value(struct dh_line *l, const char *key, struct dh_str *value);

/* A string of less than size bytes without NUL, terminated: 1, 0 where the key is not there (out is then empty), -1. */
int dh_line_string(struct dh_line *l, const char *key, char *out, size_t size, struct dh_err *e);

/* least to most finite numbers, separated by commas: how many, 0 where the key is not there, -1. */
int dh_line_numbers(struct dh_line *l, const char *key, float *out, int least, int most, struct dh_err *e);

/* 0 if every key was asked for, otherwise -1: an unknown one is there. */
int dh_line_done(const struct dh_line *l, struct dh_err *e);

#endif
