/* SPDX-License-Identifier: ISC */
/* facts.h - from a header's rules and options, by their names, to columns: the same for a file and for its stream. */
#ifndef INFO_FACTS_H
#define INFO_FACTS_H

#include "info/info.h"

struct facts {
    const void *ctx;
    /* A rule or an option by its name; false where there is none, or it is of the other sort. */
    bool (*number)(const void *ctx, bool option, const char *name, int64_t *v);
    bool (*text)(const void *ctx, bool option, const char *name, struct dh_str *v);
    const char *game; /* whose maps, modes and flags these are: the dialect's, not its wrapper's */
};

/* What demos of the Doom family say, for so many players. Columns that are filled already are left alone. */
void facts_doom(struct row *i, const struct facts *f, unsigned players);
/* What Blood's say. */
void facts_blood(struct row *i, const struct facts *f);

#endif
