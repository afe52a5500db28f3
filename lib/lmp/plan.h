/* SPDX-License-Identifier: ISC */
/* plan.h - how a stream is written as a demo: decided by its header, before the first command. */
#ifndef LMP_PLAN_H
#define LMP_PLAN_H

#include "lmp/command.h"
#include "lmp/lmp.h"

struct lmp_plan {
    const struct lmp_dialect *wrapper, *dialect; /* as it is written; wrapper may be NULL */
    struct lmp_command from, to;                 /* the commands of the stream, and as they are written */
    int column[LMP_COLUMNS];                     /* in the stream's input schema, -1: it has none */
    struct dh_buf head;                          /* the header */
    size_t end_at, tics_at;                      /* in head: where dsda_end and dsda_tics are to be filled in; 0: not */
    bool has_end;                                /* the file says where its end is: the marker is not looked for */
    size_t join_size;                            /* bytes that follow it for each player */
    uint32_t keyframe;                           /* bytes of origin part=head that follow then */
    int npresent;
    uint8_t present[LMP_MAX_PLAYERS];
};

/* From a stream's schemas and header. 0, or -1 with e's message. */
int lmp_plan_make(struct lmp_plan *plan, const struct dh_schemas *s, const struct dh_header *h,
                  const struct lmp_writing *how, struct dh_err *e);
void lmp_plan_free(struct lmp_plan *plan);

/* The number of the i-th join field of the layout in the stream's join schema. */
int lmp_plan_join_field(const struct lmp_plan *plan, const struct dh_schema *s, int i);

#endif
