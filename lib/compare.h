/* SPDX-License-Identifier: ISC */
/*
 * compare.h - two states, field by field and bit for bit.
 *
 * Side a is the recorded one, b the replayed one. Entities are matched by type name and id. Different are: a field
 * whose bytes differ (a reference: whose target's type name or id differs), a field that holds a NaN on either side, an
 * entity without a partner. The order of the entities is no difference. Where one of the states holds digests alone,
 * digests are compared.
 */
#ifndef DH_COMPARE_H
#define DH_COMPARE_H

#include "plan.h"

enum dh_diff_kind {
    DH_DIFF_FIELD,   /* field, a, b */
    DH_DIFF_MISSING, /* an entity that is only on side a */
    DH_DIFF_EXTRA,   /* an entity that is only on side b */
    DH_DIFF_COUNT,   /* digests: the number of entities of a type: va, vb */
    DH_DIFF_DIGEST,  /* digests: of a type, or (type NULL) of the whole: va, vb */
};

struct dh_diff {
    enum dh_diff_kind kind;
    const char *type; /* NULL: the state line, or the whole */
    uint64_t id;      /* of the entity (with by_order: side a's) */
    const struct dh_field *field;
    const uint8_t *a, *b;
    size_t na, nb;
    uint64_t va, vb;
};

/* Called for each difference; not 0 stops the comparison of this state. */
typedef int (*dh_diff_fn)(void *ctx, const struct dh_diff *d);

/* What came out for one type. */
enum { DH_SEEN = 1, DH_DIFFERS = 2 };

struct dh_comparison {
    const struct dh_plan *plan;
    bool by_order;  /* match the entities of a type by their place among them; references then too */
    uint8_t *types; /* per plan type: DH_SEEN (there was one in this state), DH_DIFFERS */
    uint8_t state;  /* of the state line */
    /* private */
    size_t *offsets; /* scratch: of the fields of two blocks */
    struct dh_match *match;
};

int dh_comparison_init(struct dh_comparison *c, const struct dh_plan *plan, bool by_order);
void dh_comparison_free(struct dh_comparison *c);

enum dh_outcome { DH_EQUAL, DH_DIFFERENT, DH_NOTHING /* nothing of these states can be compared */ };

/* Compare two states whose kinds are those of the plan. An enum dh_outcome, or -1 with e filled: out of memory, or
 * digests that a filter would have to look into. fn may be NULL. */
int dh_compare(struct dh_comparison *c, const struct dh_record *a, const struct dh_record *b, dh_diff_fn fn, void *ctx,
               struct dh_err *e);

#endif
