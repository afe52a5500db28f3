/* SPDX-License-Identifier: ISC */
/*
 * columns.h - chosen fields of the records of one kind as lines of tab-separated values.
 *
 * Columns are named as in the text: kind, tick, slot, what (of an event), topic (of a log), a record's keys. Of a state
 * they are type, id, entity (TYPE@ID) and fields of entities: a row for each entity that has one of them; or, where
 * every name is one of the state's first line, a row a state. A value that a record does not have is an empty column.
 */
#ifndef DH_COLUMNS_H
#define DH_COLUMNS_H

#include "dh.h"

struct dh_columns;

/* names: separated by commas. kind: a record's name ("input"). NULL with e filled. */
struct dh_columns *dh_columns_new(int fd, const char *names, const char *kind, bool unbuffered, struct dh_err *e);
/* Before each stream. */
void dh_columns_stream(struct dh_columns *c);
/* The rows of a record, none where it is of another kind. -1: a name that this stream does not know (status 2, once the
 * header is there), or a failed write. */
int dh_columns_write(struct dh_columns *c, const struct dh_schemas *s, const struct dh_record *r, struct dh_err *e);
/* Whether it was a write that failed. */
bool dh_columns_broken(const struct dh_columns *c);
/* Flush and free. */
int dh_columns_free(struct dh_columns *c, struct dh_err *e);

#endif
