/* SPDX-License-Identifier: ISC */
/*
 * content.h - the files that a run depends on: found, read, hashed, recorded.
 */
#ifndef DH_CONTENT_H
#define DH_CONTENT_H

#include "keep.h"
#include "sums.h"
#include "world.h"

/* Files in load order. All zero is a valid empty one. */
struct dh_content {
    struct dh_file *files; /* what a world is given; their bytes and names belong to this struct */
    struct dh_sums *sums;  /* of each */
    bool *mapped;          /* private: how the bytes of each are held */
    int n;
    char closure[65]; /* the closure hash in hex where it is made otherwise than dh_content_closure says; else empty */
};

/* The file that a WAD's name means, malloc'd for the caller: the name itself where there is such a file; otherwise, for
 * a name without a slash, the entry of that name, with or without ".wad" and without regard to case, in the first of
 * these folders that has it: DOOMWADDIR, those of DOOMWADPATH (split at colons), ~/.local/share/games/doom,
 * /usr/local/share/games/doom, /usr/share/games/doom, /usr/local/share/doom, /usr/share/doom, and the working folder.
 * NULL with e filled. */
char *dh_content_find(const char *name, struct dh_err *e);

/* The entry of a folder that a name means, as above, malloc'd for the caller; NULL: none. */
char *dh_content_find_in(const char *dir, const char *name);

/* Read a whole file, hash it, append it. 0, or -1 with e filled. A large file is mapped: what cuts it short meanwhile
 * makes its bytes fault (SIGBUS). */
int dh_content_add(struct dh_content *c, const char *role, const char *path, struct dh_err *e);
/* The same under a name of its own instead of the path's last part. */
int dh_content_add_as(struct dh_content *c, const char *role, const char *path, const char *name, struct dh_err *e);

/* The files of a Doom run. iwad: a name or path, "none", or NULL for the one that a resource record of the recording
 * names; without either that is an error, never a guess. wads: the -file list, NULL-terminated and possibly empty; NULL
 * for the ones that resource records name. 0, or -1 with e filled. */
int dh_content_wads(struct dh_content *c, const char *iwad, char *const *wads, const struct dh_keeps *recorded,
                    struct dh_err *e);

/* The DEHACKED patches of a Doom run, after its WADs. dehs: names or paths, NULL-terminated and possibly empty; NULL
 * for the ones that resource records name. 0, or -1 with e filled. */
int dh_content_dehs(struct dh_content *c, char *const *dehs, const struct dh_keeps *recorded, struct dh_err *e);

/* The closure hash in hex (65 bytes with the terminator): SHA-256 over the lines "ROLE SHA256\n" of the files in load
 * order; empty where there is no file. Names are left out: a file is its content. */
void dh_content_closure(const struct dh_content *c, char hex[65]);

/* Say how the files differ from the recording's resource records (closure: its header's): one call of warn a
 * difference. */
void dh_content_compare(const struct dh_content *c, const struct dh_keeps *recorded, struct dh_str closure,
                        void (*warn)(void *ctx, const char *text), void *ctx);

void dh_content_free(struct dh_content *c);

#endif
