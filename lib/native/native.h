/* SPDX-License-Identifier: ISC */
/*
 * native.h - the dh world (game=dh): what whoever records one needs beyond world.h.
 *
 * A replay drives the world through dh_world_native alone. A server does that too, and besides makes what a replay
 * finds in its stream: the header's rules, the schemas, the join of a new player, the inputs as applied. In order:
 *
 *   load a map       dh_pallets_load (pallet.h) gives the files and the closure hash; nat_setup_init the map's name and
 *                    the rules; nat_schemas_new the schemas; with a dh_header made from these dh_world_native.open.
 *   begin a file     dh_writer_stream; nat_write_order and nat_schema_text name the schema records, one
 *                    dh_write_schema each; then the header and one resource record a file.
 *   a player comes   draw an index below nat_spawns from a random source of your own; nat_spawn_block gives the block
 *                    of the join; dh_build_join, dh_decode, dh_world_native.join. What was drawn is in the record, and
 *                    the world never draws.
 *   a tick T         one nat_give a pawn, dh_world_native.tick(T), then for the recording nat_applied of each slot in
 *                    slot order: the input of tick T as the world ran it. The events that tick gave are of T + 1.
 *   a checkpoint     dh_world_native.snapshot with first_type 0 and dh_build_state, after the joins of its tick.
 *   mid-session      header.start = T, fresh = 0, nat_join_block of every live slot, then a checkpoint.
 *
 * Of what the world reads nothing is a clock, a random number or a file. See dh-native(7) and dh-map(5).
 */
#ifndef NAT_NATIVE_H
#define NAT_NATIVE_H

#include "../world.h"

extern const struct dh_world_ops dh_world_native;

#define NAT_GAME "dh"
#define NAT_RATE 60.0
#define NAT_SLOTS 64 /* slots are 0 to NAT_SLOTS - 1 */

/* The files of a world: role "pallet", name "PALLET-ID:PATH" with the path inside the pallet, as in
 * "io.dh.yard:pallet.dh" and "io.dh.yard:maps/yard.dh-map"; the pallets of the whole closure, sorted by that name. */
#define NAT_ROLE "pallet"

/* ---- rules and schemas ------------------------------------------------------------------------------------------- */

/* What a header says of a map. All zero before init. */
struct nat_setup {
    char map[128];        /* for header.map */
    struct dh_buf schema; /* the fields of `schema rule`, a C string */
    struct dh_buf rules;  /* the block for header.rules */
};

/* The defaults, with one rule "grip.NAME" for each surface of the files, overridden by rules: "name=number", a
 * NULL-terminated list or NULL. barcode: "PALLET-ID:maps/NAME". 0, or -1 with e filled (no such map, unknown rule, not
 * a number, out of its range). */
int nat_setup_init(struct nat_setup *s, const struct dh_file *files, int nfiles, struct dh_str barcode,
                   const char *const *rules, struct dh_err *e);
void nat_setup_free(struct nat_setup *s);

/* The subjects of a recording's schema records in their order (rule, input, join, then the entity types),
 * NULL-terminated; and the fields of each. */
extern const char *const nat_write_order[];
const char *nat_schema_text(const struct nat_setup *s, const char *subject);

/* All of them, for dh_world_args, dh_decode and the like. The caller frees it; NULL with e filled. */
struct dh_schemas *nat_schemas_new(const struct nat_setup *s, struct dh_err *e);

/* The limit in degrees that a slope's cosine was made from: of the f32 values from 0 to 90 one whose cosine is
 * bit-identical. false: there is none (as for a good part of the steep ones), and *degrees is the nearest. Not for the
 * tick. */
bool nat_slope_degrees(float cosine, float *degrees);

/* ---- players ----------------------------------------------------------------------------------------------------- */

/* The number of spawn points, at least 1. */
int nat_spawns(const struct dh_world *w);

/* Append the join block of a new pawn at spawn point index (0 to nat_spawns - 1). */
void nat_spawn_block(const struct dh_world *w, int index, struct dh_buf *block);

/* Append the join block of a live pawn as it stands: its whole movement state. false: no pawn has this slot. */
bool nat_join_block(const struct dh_world *w, int slot, struct dh_buf *block);

/* For people: where a pawn is. false: no pawn has this slot. */
bool nat_position(const struct dh_world *w, int slot, float position[3]);

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

enum nat_button {
    NAT_JUMP = 1,
    NAT_CROUCH = 2,
    NAT_SPRINT = 4,
    NAT_USE = 8,
    NAT_NOCLIP = 16, /* pressing it turns noclip on and off: a server takes it out where it does not allow that */
};

enum nat_source { NAT_RECEIVED, NAT_HELD, NAT_NEUTRAL };

struct nat_input {
    float move[3]; /* right, forward, up: -1 to 1 each */
    float yaw, pitch;
    uint32_t buttons;
    uint8_t source; /* enum nat_source; for people, the tick never reads it */
};

/* The input of a record, read by the schemas of its stream; a field that is missing there is 0. */
void nat_read_input(const struct dh_schemas *s, const struct dh_record *r, struct nat_input *in);

/* The same with a block as nat_schema_text(s, "input") has it. */
void nat_put_input(struct dh_buf *block, const struct nat_input *in);

/* The input that a pawn's next tick is to run (as dh_world_native.input, which takes a record). What does not fit is
 * made to fit: moves are cut to their range, the pitch to a quarter turn up and down, an angle that is no number is the
 * pawn's present one. Without one a pawn runs the neutral input: no move, no buttons, looking where it looked. -1: no
 * pawn has this slot. */
int nat_give(struct dh_world *w, int slot, const struct nat_input *in);

/* What the last tick ran. false: no pawn has this slot, or it joined after that tick. */
bool nat_applied(const struct dh_world *w, int slot, struct nat_input *in);

#endif
