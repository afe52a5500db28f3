/* SPDX-License-Identifier: ISC */
/*
 * choose.h - what a demo is replayed on. It is never guessed without saying so: each choice has a word for where it is
 * from, and the row has these.
 *
 * IWAD and other WADs each are, in this order: what the command line says; what the demo's footer says; what is in the
 * archive that the demo is in. An IWAD is also the first of a list of names that is found and has the demo's map.
 */
#ifndef VERIFY_CHOOSE_H
#define VERIFY_CHOOSE_H

#include "lmp/begin.h"
#include "lmp/used.h"
#include "verify/files.h"
#include "verify/verify.h"
#include "walk/walk.h"

enum { CHOICE_FILES = 200, CHOICE_SETTINGS = 24 };

struct chooser;

/* how has to stay. NULL with e filled: out of memory, or a file that it names is not found. */
struct chooser *chooser_new(const struct verify_how *how, struct dh_err *e);
void chooser_free(struct chooser *c);

/* The demo at hand. archive is the name of the zip archive that found is in. */
struct subject {
    const struct walk_found *found;
    const char *archive;
    const struct lmp_demo *demo;
    const struct lmp_beginning *begin;
};

struct choice {
    struct dh_content content; /* in load order; it all belongs to the chooser, until the next choice */
    struct dh_file files[CHOICE_FILES];
    struct dh_sums sums[CHOICE_FILES];
    const char *by[CHOICE_FILES];          /* of each: option, footer, archive, map, guess */
    const char *settings[CHOICE_SETTINGS]; /* "key=value" for the world, NULL-terminated */
    struct lmp_used used;                  /* of the footer: empty where it is not looked at */
};

/* 0; -1 with e filled: what is missing. What should be told goes to notes, a list column of row. */
int choose(struct chooser *c, const struct subject *s, struct choice *out, struct row *row, int notes,
           struct dh_err *e);
void choice_free(struct choice *c);

#endif
