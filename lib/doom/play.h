/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play.h - what the rooms of the Doom world call of each other, by file.
 *
 * d is the world in every call. Behaviour is that of the 1.9 family of executables as chocolate-doom keeps it; where it
 * looks wrong, the .c file says why it is right.
 */
#ifndef DOOM_PLAY_H
#define DOOM_PLAY_H

#include "doom.h"

/* ---- wad.c: the archive ------------------------------------------------------------------------------------------ */

struct dh_file;

struct lump {
    char name[9];
    const uint8_t *p;
    uint32_t size;
    int file;
};

/* The directory of all files in load order, checked; later lumps win by name. NULL with e filled on a broken file. */
struct wad *wad_open(const struct dh_file *files, int nfiles, struct dh_err *e);
void wad_close(struct wad *w);
int wad_count(const struct wad *w);
const struct lump *wad_lump(const struct wad *w, int i);
int wad_find(const struct wad *w, const char *name); /* last lump of that name, -1 */
const char *wad_filename(const struct wad *w, int file);

/* ---- textures.c: numbers of wall textures and flats, heights of textures ----------------------------------------- */

struct textures *tex_open(const struct wad *w, struct dh_err *e);
void tex_close(struct textures *t);
/* 8 bytes, not terminated, case does not matter. Texture 0 is "-" and any unknown wall is -1; a flat gets its number
 * when first asked for. */
int tex_wall(const struct textures *t, const char *name);
int tex_flat(struct textures *t, const char *name);
fixed tex_height(const struct textures *t, int wall);          /* of a texture number */
int tex_sky(const struct textures *t);                         /* the flat F_SKY1, -1 if there is none */
void tex_set_sky(struct textures *t, const char *name);        /* another flat is the sky */
const char *tex_wall_name(const struct textures *t, int wall); /* for snapshots; "-" for 0 */
const char *tex_flat_name(const struct textures *t, int flat);

/* ---- rng.c trig.c ------------------------------------------------------------------------------------------------ */

int rng_next(struct doom *d); /* 0-255: the play sequence */
int rng_diff(struct doom *d); /* first draw minus second draw */
extern const uint8_t rng_table[256];

#define FINEANGLES 8192
#define FINEMASK (FINEANGLES - 1)
#define FINESHIFT 19
#define ANG45 0x20000000u
#define ANG90 0x40000000u
#define ANG180 0x80000000u
#define ANG270 0xc0000000u
extern const int32_t trig_sine[10240];
extern const int32_t trig_tangent[4096];
extern const uint32_t trig_arctan[2049];
fixed trig_sine_1_0(uint32_t i); /* Doom 1.0's own: trig_sine[i] but for a few */
static inline fixed trig_sine_at(const struct doom *d, uint32_t i)
{
    return d->version == VERSION_DOOM_1_0 ? trig_sine_1_0(i) : trig_sine[i];
}
static inline fixed trig_sin(const struct doom *d, bam a)
{
    return trig_sine_at(d, a >> FINESHIFT);
}
static inline fixed trig_cos(const struct doom *d, bam a)
{
    return trig_sine_at(d, (a >> FINESHIFT) + FINEANGLES / 4);
}
/* Doom 1.0 has a coarse sine besides, for how a player walks and reaches, and sways: by i / 256 of a circle. */
#define COARSEANGLES 256
fixed trig_coarse(uint32_t i);
/* The direction of a player's steps and reach. */
fixed trig_step_sin(const struct doom *d, bam a);
fixed trig_step_cos(const struct doom *d, bam a);
bam trig_angle(const struct doom *d, fixed x1, fixed y1, fixed x2, fixed y2); /* direction from 1 to 2 */
fixed trig_distance(fixed dx, fixed dy); /* the executable's estimate: the longer plus half the shorter */

/* ---- level.c blockmap.c bsp.c ------------------------------------------------------------------------------------ */

/* Load a map by its lump name, every reference checked; the former level is freed. -1 with e filled. Spawns nothing. */
int level_load(struct doom *d, const char *name, struct dh_err *e);
void level_free(struct doom *d);

/* ---- original.c -------------------------------------------------------------------------------------------------- */

int original_keep(struct level *lev, struct dh_err *e); /* at the end of loading */
void original_restore(struct level *lev);               /* the map as it was, without things */

void block_link(struct doom *d,
                struct mobj *mo); /* find the subsector, enter into sector and block lists (by its flags) */
void block_link_in(struct doom *d, struct mobj *mo, struct subsector *sub); /* the same where the subsector is known */
void block_unlink(struct doom *d, struct mobj *mo);
/* A thing is about to be moved without leaving its list: from now on lists need not be those of their things' blocks.
 */
void block_strays(struct doom *d, const struct mobj *mo);
int block_count(const struct level *lev);             /* blocks in memory */
void block_set_head(struct doom *d, struct mobj *mo); /* its block's list begins with it (restore.c) */
/* Visit what is in one block; false ends it early (and is returned). */
bool block_things(struct doom *d, int bx, int by, bool (*fn)(struct doom *, struct mobj *));
int bsp_grid_init(struct level *v); /* once the blockmap is loaded; -1: out of memory */
struct subsector *bsp_subsector(struct doom *d, fixed x, fixed y);
int bsp_side(const struct partition *l, fixed x, fixed y); /* 0 front, 1 back; the BSP's own rounding */

/* ---- crowd.c ----------------------------------------------------------------------------------------------------- */

int block_lines_init(struct level *v, int words); /* by bm.line, so many words of it; -1: out of memory */
int crowd_init(struct level *v);                  /* once the blockmap is loaded; -1: out of memory */
void crowd_free(struct level *v);
void crowd_forget(struct level *v);                /* nothing stands anywhere */
void crowd_enter(struct doom *d, struct mobj *mo); /* with its block's list; one that is not solid does not */
void crowd_leave(struct doom *d, struct mobj *mo);
void crowd_rise(struct doom *d, struct mobj *mo); /* its flags or its radius are new ones */
void crowd_gather(struct doom *d);                /* all anew, once the lists are whole (restore.c) */
struct mobj *
crowd_bump(struct doom *d); /* a solid thing that is in the way of the place that d->tm looks at, or NULL */
/* Things are where the blockmap has them. */
static inline bool crowd_known(const struct doom *d)
{
    return !d->lev.nblocks && !d->lev.strays;
}

/* ---- geometry.c -------------------------------------------------------------------------------------------------- */

int geo_line_side(const struct line *l, fixed x, fixed y);                    /* 0 front, 1 back */
int geo_box_side(const fixed box[4], const struct line *l);                   /* 0, 1, or -1: the box is cut */
int geo_divline_side(const struct divline *l, fixed x, fixed y);              /* the hitscan's rounding */
fixed geo_intercept(const struct divline *trace, const struct divline *line); /* fraction along trace */
void geo_divline(const struct line *l, struct divline *out);
void geo_opening(struct doom *d, const struct line *l); /* fills d->open; range 0 for a one-sided line */

/* ---- thinker.c mobj.c -------------------------------------------------------------------------------------------- */

void thinker_init(struct doom *d);
/* A new zeroed thinker of the kind's size, the last of the roster. Never NULL: out of memory sets d->err and gives a
 * scratch one. */
void *thinker_new(struct doom *d, enum thinker_kind kind);
void thinker_remove(struct doom *d, struct thinker *th);
void thinker_unlink(struct doom *d, struct thinker *th); /* a removed one leaves the roster; a mobj is kept, as gone */
void thinker_run(struct doom *d);                        /* each one acts once, in order */
void thinker_free_all(struct doom *d);
void thinker_settle(struct doom *d); /* between runs: the tics of those that wait are what they should be */
void thinker_rouse(struct doom *d, struct thinker *th); /* one that waits; see thinker_stir */
/* What is written into a mobj from outside, be it its state, its momentum, its height or that it is removed, may be for
 * its next turn to act on. */
static inline void thinker_stir(struct doom *d, struct thinker *th)
{
    if (th->place != 0 && d->roster.due[th->place] != 0)
        thinker_rouse(d, th);
}
struct thinker *thinker_next(struct doom *d, struct thinker *th); /* iteration: NULL starts, NULL ends; skips nothing */
struct mobj *thinker_next_mobj(struct doom *d, struct mobj *mo);  /* mobjs that are not removed, in order */

struct mobj *mobj_spawn(struct doom *d, fixed x, fixed y, fixed z, int type);
void mobj_remove(struct doom *d, struct mobj *mo);               /* also queues an item for respawn */
bool mobj_set_state(struct doom *d, struct mobj *mo, int frame); /* false: it was removed */
void mobj_think(struct doom *d, struct mobj *mo);
void mobj_explode_missile(struct doom *d, struct mobj *mo);

/* ---- move.c slide.c ---------------------------------------------------------------------------------------------- */

bool move_check(struct doom *d, struct mobj *mo, fixed x, fixed y); /* result in d->tm */
void move_look_under(struct doom *d); /* d->tm gets the subsector of the place's middle, its floor and its ceiling */
bool move_try(struct doom *d, struct mobj *mo, fixed x, fixed y); /* moves, crosses special lines; sets d->tm.floatok */
bool move_teleport(struct doom *d, struct mobj *mo, fixed x, fixed y); /* stomps what is there */
bool move_change_sector(struct doom *d, struct sector *s,
                        bool crunch); /* after a height change; true: something does not fit */
void slide_move(struct doom *d, struct mobj *mo);

/* ---- footing.c --------------------------------------------------------------------------------------------------- */

/* A monster's step: move_try to the place that lies in one of the eight directions, always as far away. */
bool footing_step(struct doom *d, struct mobj *mo, int dir, fixed x, fixed y);
/* The floor and ceiling where a mobj stands, as a check of its own place finds them. */
void footing_heights(struct doom *d, struct mobj *mo);

/* ---- trace.c sight.c noise.c ------------------------------------------------------------------------------------- */

enum { TRACE_LINES = 1, TRACE_THINGS = 2, TRACE_EARLYOUT = 4 };
/* Visit what a line from 1 to 2 meets, nearest first; false from fn ends it. Fills d->trace.line. */
bool trace_path(struct doom *d, fixed x1, fixed y1, fixed x2, fixed y2, int flags,
                bool (*fn)(struct doom *, struct intercept *));
fixed trace_aim(struct doom *d, struct mobj *mo, bam angle,
                fixed distance); /* slope; d->linetarget: what was aimed at, or NULL */
void trace_attack(struct doom *d, struct mobj *mo, bam angle, fixed distance, fixed slope, int damage);
void trace_use(struct doom *d, struct player *p);
void trace_radius_attack(struct doom *d, struct mobj *spot, struct mobj *source, int damage);
int sight_init(struct level *v); /* once the map is loaded; -1: out of memory */
void glance_free(struct level *v);
/* By the reject table, which says so of two sectors: one does not see the other. */
static inline bool sight_rejected(const struct doom *d, const struct mobj *from, const struct mobj *to)
{
    const size_t pair =
        (size_t)from->subsector->sector->index * (size_t)d->lev.nsectors + (size_t)to->subsector->sector->index;
    return d->lev.reject[pair >> 3] & 1u << (pair & 7);
}
bool sight_look(struct doom *d, struct mobj *from, struct mobj *to); /* of two that the table does not reject */
static inline bool sight_check(struct doom *d, struct mobj *from, struct mobj *to)
{
    return !sight_rejected(d, from, to) && sight_look(d, from, to);
}
/* Whether a look that nobody waits for must be made all the same: 1.2 collects what its line meets, and can overrun. */
static inline bool sight_leaves_traces(const struct doom *d)
{
    return d->version <= VERSION_DOOM_1_2;
}
bool sight_check_1_2(struct doom *d, const struct mobj *from,
                     const struct mobj *to); /* sight12.c, after the reject table */
int noise_init(struct level *v);             /* once the lines are grouped; -1: out of memory */
void noise_free(struct level *v);
void noise_alert(struct doom *d, struct mobj *target, struct mobj *emitter);

/* ---- monster.c missile.c ----------------------------------------------------------------------------------------- */

void action_mobj(struct doom *d, struct mobj *mo, int action); /* enum action, for a mobj's state */
void monster_nightmare_respawn(struct doom *d, struct mobj *mo);
struct mobj *missile_spawn(struct doom *d, struct mobj *source, struct mobj *dest, int type);
/* A player's aim: straight ahead, else a little left, else a little right. The slope, 0 without d->linetarget; *angle
 * is set to the angle that met something, and to straight ahead if none did. */
fixed missile_aim(struct doom *d, struct mobj *mo, bam *angle);
void missile_spawn_player(struct doom *d, struct mobj *source, int type);
int32_t missile_tics(struct doom *d, fixed way, int32_t speed);
void missile_check_spawn(struct doom *d, struct mobj *mo);
void missile_puff(struct doom *d, fixed x, fixed y, fixed z, fixed attackrange);
void missile_blood(struct doom *d, fixed x, fixed y, fixed z, int damage);

/* ---- damage.c pickup.c ------------------------------------------------------------------------------------------- */

void damage_mobj(struct doom *d, struct mobj *target, struct mobj *inflictor, struct mobj *source, int damage);
void pickup_touch(struct doom *d, struct mobj *special, struct mobj *toucher);
bool pickup_power(struct doom *d, struct player *p, int power);

/* ---- weapon.c player.c ------------------------------------------------------------------------------------------- */

void weapon_setup(struct doom *d, struct player *p); /* when a player enters a level */
void weapon_tick(struct doom *d, struct player *p);  /* psprites */
void weapon_drop(struct doom *d, struct player *p);  /* at death */
void weapon_bring_up(struct doom *d, struct player *p);
void weapon_set_psprite(struct doom *d, struct player *p, int which, int frame);
void player_think(struct doom *d, struct player *p);

/* What happens every few tics goes by the level's clock; in 1.0 by the game's, which a pause does not stop (recreated,
 * pleveltime). */
static inline uint32_t game_pulse(const struct doom *d)
{
    return d->version == VERSION_DOOM_1_0 ? d->gametic : (uint32_t)d->leveltime;
}

/* ---- line.c sector.c door.c plat.c floor.c ceiling.c stairs.c light.c switch.c teleport.c ------------------------ */

void line_cross(struct doom *d, struct line *l, int side, struct mobj *mo);
bool line_use(struct doom *d, struct mobj *mo, struct line *l,
              int side); /* true: the line did something (its texture switched) */
void line_shoot(struct doom *d, struct mobj *mo, struct line *l);
void line_spawn_specials(struct doom *d);             /* at level start: lights, timed doors, scrollers */
void line_update_specials(struct doom *d);            /* each tic: level timer, scrollers, buttons */
void sector_player(struct doom *d, struct player *p); /* damage, secrets, exits of the floor below */

enum plane_result { PLANE_OK, PLANE_CRUSHED, PLANE_PASTDEST };
/* crush: CRUSH_NO, CRUSH_YES, CRUSH_STAIRS; direction: 1 up, -1 down */
enum plane_result sector_move_plane(struct doom *d, struct sector *s, fixed speed, fixed dest, int crush, bool ceiling,
                                    int direction);
fixed sector_lowest_floor(const struct sector *s);  /* of it and its neighbours */
fixed sector_highest_floor(const struct sector *s); /* of the neighbours, at least -500 */
fixed sector_next_floor(struct doom *d, const struct sector *s, fixed height);
fixed sector_lowest_ceiling(const struct sector *s);
fixed sector_highest_ceiling(const struct sector *s);
int sector_min_light(const struct sector *s, int max);
struct sector *sector_across(const struct line *l, const struct sector *s); /* the other side, NULL if one-sided */
int sector_by_tag(const struct doom *d, const struct line *l, int start);   /* next sector number after start, -1 */

void door_think(struct doom *d, struct door *t);
void floor_think(struct doom *d, struct floormove *t);
void ceiling_think(struct doom *d, struct ceilmove *t);
void plat_think(struct doom *d, struct plat *t);
void light_flicker(struct doom *d, struct flicker *t);
void light_flash(struct doom *d, struct flash *t);
void light_strobe(struct doom *d, struct strobe *t);
void light_glow(struct doom *d, struct glow *t);

bool door_do(struct doom *d, struct line *l, enum door_type type);
bool door_locked(struct doom *d, struct line *l, enum door_type type, struct mobj *mo);
void door_manual(struct doom *d, struct line *l, struct mobj *mo);
void door_spawn_close30(struct doom *d, struct sector *s);
void door_spawn_raise5(struct doom *d, struct sector *s);
bool floor_do(struct doom *d, struct line *l, enum floor_type type);
bool floor_donut(struct doom *d, struct line *l);
enum stair_type { STAIR_BUILD8, STAIR_TURBO16 };
bool stairs_build(struct doom *d, struct line *l, enum stair_type type);
bool ceiling_do(struct doom *d, struct line *l, enum ceiling_type type);
bool ceiling_crush_stop(struct doom *d, struct line *l);
bool plat_do(struct doom *d, struct line *l, enum plat_type type, int amount);
void plat_stop(struct doom *d, struct line *l);
void light_turn_on(struct doom *d, struct line *l, int bright);
void light_start_strobing(struct doom *d, struct line *l);
void light_turn_off_tagged(struct doom *d, struct line *l);
void light_spawn(struct doom *d, struct sector *s, int special); /* the thinker of a sector's light special */
void switch_change(struct doom *d, struct line *l, bool again);
void switch_tick(struct doom *d);
const char *switch_name(int i, char name[9]); /* of the executable's list: of each pair off, then on */
void switch_init(struct doom *d);             /* once a game: find the numbers of the switches' textures */
bool teleport_do(struct doom *d, struct line *l, int side, struct mobj *mo);

/* ---- version.c: which executable is followed --------------------------------------------------------------------- */

/* Set d->version, by name ("1.9", "final2") or where that is NULL by the demo's version and the IWAD, after mode,
 * mission, demoversion and deathmatch are known; those and the tables are changed to what that executable knows. iwad:
 * VERSION_CHEX, VERSION_HACX or VERSION_DOOM_1_1 where the IWAD is of these games. 0, or -1 with e filled: no such
 * name. */
int version_choose(struct doom *d, const char *name, enum version iwad, struct dh_err *e);
const char *version_name(const struct doom *d); /* as the setting has it */
void version_bound_rules(struct doom *d);       /* bring skill, episode and map into the executable's range */

/* ---- game.c spawn.c respawn.c intermission.c finale.c dehacked.c ------------------------------------------------- */

int game_start(struct doom *d, struct dh_err *e); /* from the rules in d: new game, first level */
int game_tick(struct doom *d, struct dh_err *e);  /* one tic with the players' cmd; 0 or -1 */
void game_exit_level(struct doom *d);
void game_secret_exit_level(struct doom *d);
void game_world_done(struct doom *d); /* the intermission is over: a closing text or the next level */
void game_player_reborn(struct doom *d, int slot);
const char *game_map_name(const struct doom *d, char buf[9]); /* E1M1 or MAP01 of the current map */

void spawn_map_things(struct doom *d);                           /* all things of the level */
void spawn_map_thing(struct doom *d, const struct mapthing *mt); /* by skill and mode */
void spawn_player(struct doom *d, const struct mapthing *mt);
void respawn_items(struct doom *d); /* deathmatch 2: each tic */
bool respawn_deathmatch(struct doom *d, int slot);
void respawn_player(struct doom *d, int slot); /* after death */

void intermission_start(struct doom *d);
void intermission_tick(struct doom *d); /* sets gameaction when done */
#define CAST_SIZE 17
void finale_start(struct doom *d);
void finale_tick(struct doom *d);

/* dehacked.c: apply a patch to the world's tables. name is the file's, for errors. */
enum {
    DEH_TOLERANT = 1, /* a faulty line ends the patch and is no error */
    DEH_LONGTEXT = 2  /* texts may be longer than the executable has room for */
};
int deh_load(struct doom *d, const char *name, const uint8_t *p, size_t n, int flags, struct dh_err *e);
void tables_init(struct doom *d); /* tables.c: fill frames, things, weapons, ammo, pars with the executable's */

/* ---- event.c: what happened, for event records ------------------------------------------------------------------- */

void event_death(struct doom *d, struct player *p, struct mobj *source);
void event_exit(struct doom *d);
void event_map(struct doom *d);

#endif
