/* SPDX-License-Identifier: ISC */
/*
 * schema.h - the library's own side of schemas.
 *
 * Text:    SUBJECT[,SUBJECT]... FIELD:TYPE[(NAME,...)] ...
 * Payload: leb subjects, a string each; leb fields, each a string, u8 type and, for flags and enum, leb names, a string
 * each.
 */
#ifndef DH_SCHEMA_H
#define DH_SCHEMA_H

#include "dh.h"

/* The content of a schema record. */
struct dh_schema_record {
    char **subjects; /* the names are in the schema's text */
    int nsubjects;
    struct dh_schema *schema;
    /* private */
    char *room; /* while it is built: for the next name, */
    int most;   /* and how many fields there is memory for */
};

/* From and to both encodings. 0, or -1 with e filled and nothing to free. The payload form is canonical or refused: the
 * rest of the stream depends on it. */
int dh_schema_from_payload(struct dh_schema_record *r, const uint8_t *p, size_t n, struct dh_err *e);
int dh_schema_from_text(struct dh_schema_record *r, const char *p, size_t n, struct dh_err *e);
void dh_schema_to_payload(const struct dh_schema_record *r, struct dh_buf *out);
void dh_schema_to_text(const struct dh_schema_record *r, struct dh_buf *out);
void dh_schema_record_clear(struct dh_schema_record *r);

/* Make its schema that of its subjects; takes r's content in every case. */
int dh_schemas_apply(struct dh_schemas *s, struct dh_schema_record *r, struct dh_err *e);
int dh_schemas_add_payload(struct dh_schemas *s, const uint8_t *p, size_t n, struct dh_err *e);

/* Whether entities and references of this type have a place in records of this kind. */
static inline bool dh_type_fits(const struct dh_schemas *s, uint64_t type, int kind)
{
    const struct dh_etype *t = &s->types[type];

    return kind == DH_SNAPSHOT ? !t->shadowed : !t->snapshot_only;
}

/* ---- types ---- */

struct dh_type_info {
    const char *name;
    int8_t size;   /* bytes of a value, -1 where they vary */
    int16_t names; /* how many names of bits or values it can have */
};
extern const struct dh_type_info dh_types[DH_TYPES];

static inline const char *dh_type_name(enum dh_type t)
{
    return dh_types[t].name;
}

/* Bytes of a value, -1 where they vary. */
static inline int dh_type_size(enum dh_type t)
{
    return dh_types[t].size;
}

static inline bool dh_type_has_names(enum dh_type t)
{
    return dh_types[t].names > 0;
}

/* ---- blocks ---- */

/* Fields of fixed size next to each other, and the one of variable size after them: so a block is passed over in as
 * many steps as it has of the latter. The last span of a schema ends with the block: varying is 0. */
struct dh_span {
    int bytes;
    uint8_t varying; /* enum dh_type */
};

/* A field is in, or the end of, the span of this number, so many bytes after its beginning. */
struct dh_place {
    int span, bytes;
};

enum dh_fit {
    DH_FITS,
    DH_SHORT,   /* the bytes end early */
    DH_ODD,     /* fits, but is not canonical: an overlong leb, a reference to a type that is for other records */
    DH_NO_TYPE, /* a reference to a type that the stream does not name */
};

/* Move c over one value, over a block. all may be NULL: references are then checked for form alone. */
enum dh_fit dh_value_skip(const struct dh_schemas *all, enum dh_type t, int kind, struct dh_cur *c);
enum dh_fit dh_block_skip(const struct dh_schemas *all, const struct dh_schema *s, int kind, struct dh_cur *c);

/* ---- values ---- */

/* Append the value that its text stands for. p[n] has to be readable and no part of a value. */
int dh_value_parse(struct dh_buf *out, const struct dh_schemas *all, const struct dh_field *f, int kind, const char *p,
                   size_t n, struct dh_err *e);
/* Append the value that a missing field has: all bits zero. */
void dh_value_zero(struct dh_buf *out, const struct dh_field *f);

#endif
