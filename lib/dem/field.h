/* SPDX-License-Identifier: ISC */
/*
 * field.h - the fields of a header and of an input: the one list that schema, reader and writer are made from.
 *
 * A field stands in the file where the sizes of those before it put it. A number is the same bytes in the file and in a
 * record's block. A text of fixed size is two fields of a record: what stands before its NUL, and NAMERest, the bytes
 * after it up to the last that is not 0; the engine does not clear its buffers, so there mostly is something.
 */
#ifndef DEM_FIELD_H
#define DEM_FIELD_H

#include "dem/dem.h"

#define DEM_REST "Rest"

struct dem_field {
    const char *name;
    const char *type; /* as in a schema record; NULL: a text */
    uint16_t size;    /* bytes in the file */
};

struct dem_fields {
    const struct dem_field *list;
    int n;
};

/* What follows the magic: with nBuild (411 bytes in all) or without it (407). */
struct dem_fields dem_header_fields(bool has_build);
/* An input as the version lays it out. */
struct dem_fields dem_input_fields(uint8_t major, uint8_t minor);

/* The content of a schema record, terminated. */
void dem_schema_text(struct dh_buf *out, struct dem_fields f);

/* Append the block of a record from the file's bytes. */
void dem_to_block(struct dh_buf *out, struct dem_fields f, const uint8_t *p);
/* Append the file's bytes from a block by a schema that has these fields, in any order. 0, or -1 with e filled. */
int dem_from_block(struct dh_buf *out, struct dem_fields f, const struct dh_schema *s, const uint8_t *block, size_t n,
                   struct dh_err *e);

/* The offset of a field from the list's first byte, -1 where there is none of that name. */
int dem_offset(struct dem_fields f, const char *name, size_t *size);

#endif
