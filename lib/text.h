/* SPDX-License-Identifier: ISC */
/* text.h - records as lines, and lines as records. */
#ifndef DH_TEXT_H
#define DH_TEXT_H

#include "dh.h"
#include "schema.h"

#define DH_TEXT_MAGIC "dhdm "
#define DH_FORMAT_VERSION 1

/* ---- print.c: each function appends one line ---- */

/* All but the entities of a full state, which follow as lines of their own. */
void dh_print_record(struct dh_buf *out, const struct dh_schemas *s, const struct dh_record *r);
void dh_print_entity(struct dh_buf *out, const struct dh_schemas *s, const struct dh_record *r,
                     const struct dh_entity *e);

/* ---- parse.c ---- */

/* A value that waits for its turn: keys come in any order, the payload has one. p is NULL where it is missing. */
struct dh_parser {
    struct dh_str *values;
    int nvalues;
    struct dh_buf payload, scratch;
    int kind; /* of the state whose entity lines are awaited */
    uint32_t tick, awaited;
    struct dh_digest *types; /* of a digest form, as they come */
    int ntypes, types_cap;
};

/* Take the next line (n bytes without its end; line[n] is readable and no part of a value) of a stream with these
 * schemas. 1: p->payload is a payload of *kind, to be decoded; 0: a state waits for p->awaited more lines; -1: e says
 * why. */
int dh_parse_line(struct dh_parser *p, const struct dh_schemas *s, const char *line, size_t n, int *kind,
                  struct dh_err *e);
void dh_parser_free(struct dh_parser *p);

#endif
