/* SPDX-License-Identifier: ISC */
/*
 * report.h - what a comparison found, in words.
 *
 *     DIVERGED tick 900 PlayerPawn@7 position: recorded (3.25, 0, -1.5), replayed (3.2500002, 0, -1.5) delta
 * (2.3841858E-07, 0, 0) still equal at tick 900: state, Door demo: replayed 900 tick(s) to 1020, checked 4
 * checkpoint(s): DIVERGED at tick 900 PlayerPawn@7 position, 2 of 4 differ
 */
#ifndef DH_REPORT_H
#define DH_REPORT_H

#include "diff.h"

enum dh_report_form {
    DH_REPORT_FIRST, /* the first difference */
    DH_REPORT_ALL,   /* a line for every difference */
    DH_REPORT_TAP,   /* a test for every state */
    DH_REPORT_QUIET, /* nothing */
};

/* All zero but for form and flush is the beginning of a report over any number of streams. */
struct dh_report {
    enum dh_report_form form;
    /* Called when out holds whole lines; it takes them away (dh_buf_clear). */
    void (*flush)(struct dh_report *r);
    struct dh_buf out;
    /* private */
    bool told_diff, told_alone; /* in this stream */
    uint32_t told_tick;
    struct dh_buf where, line; /* of the first difference of the stream, of this state */
    unsigned long tests;
};

/* The callbacks of struct dh_diff_opts, with a struct dh_report as ctx. */
void dh_report_setup(void *ctx, const char *what, const char *recorded, const char *replayed);
int dh_report_diff(void *ctx, const struct dh_diff_place *at, const struct dh_diff *d);
void dh_report_state(void *ctx, const struct dh_diff_place *at, bool different);
void dh_report_alone(void *ctx, uint32_t tick, bool recorded);

/* The summary of a stream, or of two; the report is then ready for the next. */
void dh_report_stream(struct dh_report *r, const struct dh_diff_result *res, bool two);

/* What comes last of all, and the end of the report's memory. */
void dh_report_end(struct dh_report *r);

#endif
