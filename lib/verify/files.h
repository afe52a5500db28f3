/* SPDX-License-Identifier: ISC */
/*
 * files.h - WADs and patches, each read and hashed once: by path, or as a member of the archive that is worked on.
 */
#ifndef VERIFY_FILES_H
#define VERIFY_FILES_H

#include "content.h"
#include "zip/zip.h"

enum { FILES_KEPT = 64 }; /* of those by path; more are forgotten, those used longest ago first */

struct file {
    struct dh_file file; /* role NULL */
    struct dh_sums sums;
    bool wad, iwad; /* begins as a WAD, as an IWAD */
};

struct files;

struct files *files_new(void); /* NULL: out of memory */
void files_free(struct files *f);

/* What files_path and files_member gave may be forgotten from now on: a demo begins. */
void files_next(struct files *f);

/* The file of a path; NULL with e filled. Only regular files are read, so that none is waited for. */
const struct file *files_path(struct files *f, const char *path, struct dh_err *e);

/* A member of an archive, by the name that both have together. What is kept of another archive is forgotten: archive is
 * its name. */
const struct file *files_member(struct files *f, const char *archive, const struct zip *z, size_t i, struct dh_err *e);

#endif
