/* SPDX-License-Identifier: ISC */
/*
 * settings.h - the settings that a replay gave its world, in the header of what it wrote: option.dhsim.KEY=VALUE, each
 * a string, so that whoever replays or compares the stream later knows them.
 *
 * A list of settings is "KEY=VALUE" strings, NULL-terminated; NULL is an empty one.
 */
#ifndef DH_SETTINGS_H
#define DH_SETTINGS_H

#include "dh.h"

/* Whether an option is such a setting. */
bool dh_setting_named(const char *field);

/* The settings that a header has, as a list that dh_settings_free takes (NULL: none). 0, or -1 with e filled: out of
 * memory, or a value that cannot be a setting's. */
int dh_settings_read(const struct dh_schemas *s, const struct dh_header *h, char ***list, struct dh_err *e);
void dh_settings_free(char **list);

/* Append to a list of *n with room for most, and its NULL, those of more whose keys are not in it. false: no room. */
bool dh_settings_add(const char **list, size_t *n, size_t most, char *const *more);

/* Whether a header with these options has to change to hold this list, and no other settings. */
bool dh_settings_change(const struct dh_schema *option, const char *const *list);

/* The option schema with this list in place of the settings in it: its own fields first. The fields' names and values
 * are option's where they come from there. -1: out of memory. */
int dh_settings_schema(const struct dh_schema *option, const char *const *list, struct dh_schema *out);
void dh_settings_schema_free(struct dh_schema *s);

/* Append the block of that schema. */
void dh_settings_block(const struct dh_schema *option, const uint8_t *block, size_t n, const char *const *list,
                       struct dh_buf *out);

#endif
