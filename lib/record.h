/* SPDX-License-Identifier: ISC */
/*
 * record.h - the shape of each kind of record: the one list that both encodings are made from.
 *
 * A record's payload is its tick, word, slot and own fields as its shape says, then its tail. In the text tick, word
 * and slot stand in this order without a key, the rest are KEY=VALUE. schema and the two state kinds have forms of
 * their own (schema.h, state.c), of which the shape tells the tick and the keys.
 */
#ifndef DH_RECORD_H
#define DH_RECORD_H

#include "dh.h"

enum dh_slot { DH_SLOT_NONE, DH_SLOT_ALWAYS, DH_SLOT_MAYBE /* DH_NO_SLOT is left out of the text */ };

enum dh_tail {
    DH_TAIL_NONE,
    DH_TAIL_INPUT, /* a block by the input schema; the text leaves out fields that are zero */
    DH_TAIL_JOIN,
    DH_TAIL_HEADER, /* a block by the rule schema, one by the option schema; keys begin with rule. and option. */
    DH_TAIL_PAIRS,  /* leb pairs, two strings each */
    DH_TAIL_HEX,    /* 1 to DH_ORIGIN_MAX bytes: hex= */
    DH_TAIL_STATE,
    DH_TAIL_SCHEMA,
};

struct dh_shape {
    const char *name;
    bool tick;
    size_t word; /* the offset in struct dh_record of a non-empty string, 0 for none */
    enum dh_slot slot;
    struct dh_schema own; /* its own fields */
    const size_t *at;     /* the offset of each in struct dh_record */
    uint32_t shown;       /* bit i: the text has own field i even when it is zero */
    enum dh_tail tail;
};

/* kind < DH_KINDS */
const struct dh_shape *dh_shape_of(int kind);
/* The kind of a name, -1 for none. */
int dh_kind_named(const char *p, size_t n);
/* The largest payload of a chunk of this kind. */
uint32_t dh_payload_cap(uint8_t kind);

/* Append the payload of a record of a kind other than schema and state from its members. */
void dh_encode(struct dh_buf *b, int kind, const struct dh_record *r);

enum dh_verdict { DH_CANONICAL, DH_RAW_FORM, DH_CORRUPT };

/* state.c: what follows the tick. */
enum dh_verdict dh_decode_state(const struct dh_schemas *s, int kind, struct dh_cur *c, struct dh_record *r,
                                struct dh_err *e);
/* The end of a digest form: what follows its count. types ascend. */
void dh_build_digest_parts(struct dh_buf *b, uint64_t whole, const struct dh_digest *types, uint32_t ntypes);

#endif
