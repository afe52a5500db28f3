/* SPDX-License-Identifier: ISC */
/* command.h - a player's command of one tic: its bytes, its columns, and the input block of the stream. */
#ifndef LMP_COMMAND_H
#define LMP_COMMAND_H

#include "lmp/layout.h"

enum { LMP_MAX_PARTS = 20, LMP_MAX_COMMAND = 32 };

/* The commands of one demo. */
struct lmp_command {
    int nparts;
    uint8_t part[LMP_MAX_PARTS];
    bool long_turns;
    bool varies;     /* the last part says how long it is */
    uint8_t size;    /* bytes; where they vary, the fewest */
    uint8_t longest; /* where they vary, the most */
    int ncolumns;
    uint8_t column[LMP_COLUMNS]; /* enum lmp_column, in the order of the input schema */
    char schema[640];
    int artifacts; /* as in the layout */
};

/* wrapper may be NULL. version: of the rules, times 256 and the subversion. */
void lmp_command_init(struct lmp_command *c, const struct lmp_layout *l, const struct lmp_layout *wrapper,
                      int64_t version, bool long_turns);

/* The bytes of the command at p, 0 where the n that are there do not hold it whole. */
size_t lmp_command_size(const struct lmp_command *c, const uint8_t *p, size_t n);

/* Take the command at p apart; all of its bytes are there. Columns that it does not have become 0. */
void lmp_command_read(const struct lmp_command *c, const uint8_t *p, int32_t v[LMP_COLUMNS]);

/* Append the command with these columns. -1, with e's message: no command says that. */
int lmp_command_write(const struct lmp_command *c, const int32_t v[LMP_COLUMNS], struct dh_buf *out, struct dh_err *e);

/* The columns as a block of the input schema, at most LMP_MAX_COMMAND bytes; how many. */
size_t lmp_command_block(const struct lmp_command *c, const int32_t v[LMP_COLUMNS], uint8_t *block);

/* The name of a column as the schema has it, NULL where this dialect does not have it. */
const char *lmp_column_name(const struct lmp_command *c, enum lmp_column column);

/* Whether an engine, which acts on every bit it knows, would hardly have written it: bits without a meaning. */
bool lmp_command_odd(const struct lmp_command *c, const int32_t v[LMP_COLUMNS]);

#endif
