/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doom.h - the state of one headless Doom world, and the tables' numbers.
 *
 * One struct doom is the whole world: nothing of it lives in a global or in a function's static, so that several worlds
 * can run in one process and a checkpoint can hold all that a later tic reads. Names are the field's own (thing,
 * linedef, sector, mobj, tic). Distances are fixed (16.16 map units), angles bam, times tics of 1/35 s.
 */
#ifndef DOOM_H
#define DOOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../dh.h"
#include "fixed.h"

struct doom;
struct mobj;
struct player;
struct sector;
struct line;
struct thinker;

/* ---- table numbers ----------------------------------------------------------------------------------------------- */

enum thing_type {
#define THING(label, ...) T_##label,
#include "thing.def"
#undef THING
    NTHINGTYPES /* 137 */
};

enum frame {
#define FRAME(name, ...) S_##name,
#include "frame.def"
#undef FRAME
    NFRAMES /* 967 */
};

enum sprite {
#define SPRITE(name) SPR_##name,
#include "sprite.def"
#undef SPRITE
    NSPRITES
};

enum sound {
    SND_None,
#define SOUND(name) SND_##name,
#include "sound.def"
#undef SOUND
    NSOUNDS
};

enum action {
    ACT_None,
#define ACTION(name) ACT_##name,
#include "action.def"
#undef ACTION
    NACTIONS
};

struct frame_info {
    uint16_t sprite;
    int16_t action;
    int32_t tics; /* -1: stays */
    uint16_t next;
};

struct thing_info {
    int32_t doomednum, health, reactiontime, painchance;
    int32_t speed; /* map units a step for a walker, fixed for a missile */
    fixed radius, height;
    int32_t mass, damage;
    uint32_t flags;
    struct {
        uint16_t spawn, see, pain, melee, missile, death, gib, raise;
    } frame;
    struct {
        uint8_t see, attack, pain, death, active;
    } sound;
};

extern const char *const thing_labels[NTHINGTYPES];

/* Thing flags, the bits as in the executable (DEHACKED patches name them). */
enum {
    MF_SPECIAL = 0x1,
    MF_SOLID = 0x2,
    MF_SHOOTABLE = 0x4,
    MF_NOSECTOR = 0x8,
    MF_NOBLOCKMAP = 0x10,
    MF_AMBUSH = 0x20,
    MF_JUSTHIT = 0x40,
    MF_JUSTATTACKED = 0x80,
    MF_SPAWNCEILING = 0x100,
    MF_NOGRAVITY = 0x200,
    MF_DROPOFF = 0x400,
    MF_PICKUP = 0x800,
    MF_NOCLIP = 0x1000,
    MF_SLIDE = 0x2000,
    MF_FLOAT = 0x4000,
    MF_TELEPORT = 0x8000,
    MF_MISSILE = 0x10000,
    MF_DROPPED = 0x20000,
    MF_SHADOW = 0x40000,
    MF_NOBLOOD = 0x80000,
    MF_CORPSE = 0x100000,
    MF_INFLOAT = 0x200000,
    MF_COUNTKILL = 0x400000,
    MF_COUNTITEM = 0x800000,
    MF_SKULLFLY = 0x1000000,
    MF_NOTDMATCH = 0x2000000,
    MF_TRANSLATION = 0xc000000,
    MF_TRANSSHIFT = 26
};

/* Numbers of the executable that several rooms share. */
#define TICRATE 35
#define MAXPLAYERS 4
#define HIDERS 8
#define MAXRADIUS FX(32)
#define MELEERANGE FX(64)
#define MISSILERANGE FX(32 * 64)
#define USERANGE FX(64)
#define GRAVITY FX_ONE
#define MAXMOVE FX(30)
#define ONFLOORZ INT32_MIN
#define ONCEILINGZ INT32_MAX
#define VIEWHEIGHT FX(41)
#define FLOATSPEED FX(4)
#define MAXSPECHIT 8             /* beyond it the executable overran its array */
#define LINE_ADDRESS 0x01c09c98u /* where most demos that overran it had the first line */
#define MAXINTERCEPTS 128
#define BODYQUESIZE 32
#define ITEMQUESIZE 128
#define MAXPLATS 30
#define MAXCEILINGS 30
#define MAXBUTTONS 16
#define MAXLINEANIMS 64     /* of the executables from 1.4 on */
#define MAXLINEANIMS_1_2 66 /* as many as 1.2 was seen to stand */
#define MAXSWITCHES 40      /* pairs of textures in the executable's list */
#define MAXDMSTARTS 10
#define MAXBRAINTARGETS 32
#define MAPBLOCKSHIFT (FX_BITS + 7)
#define BUTTON_TICS 35
#define CACHE_LINE 64
#define MODEST 16383 /* map units: the differences of places no further out than this fit into 16 bits */

/* ---- the map ----------------------------------------------------------------------------------------------------- */

struct vertex {
    fixed x, y;
};

enum { BOXTOP, BOXBOTTOM, BOXLEFT, BOXRIGHT };

struct sector {
    fixed floor, ceiling;
    int16_t floorpic, ceilingpic; /* flat numbers, see textures.c */
    int16_t light, special, tag;
    int16_t soundtraversed; /* 0 untraversed, 1 or 2: lines crossed + 1 */
    struct mobj *soundtarget;
    struct mobj *things;         /* list through mobj.snext */
    struct thinker *specialdata; /* the mover at work here, NULL if none */
    uint32_t validcount;
    int32_t blockbox[4]; /* blocks that a height change concerns, inclusive */
    int32_t nlines;
    struct line **lines;
    int32_t index;
    /* scratch of a noise (noise.c): where it came from, and how many of the lines it has done */
    struct sector *soundfrom;
    int32_t soundline;
};

struct side {
    fixed xoff, yoff;
    int16_t top, bottom, mid; /* texture numbers, 0 is none ("-") */
    struct sector *sector;
    int32_t index;
};

enum {
    ML_BLOCKING = 1,
    ML_BLOCKMONSTERS = 2,
    ML_TWOSIDED = 4,
    ML_DONTPEGTOP = 8,
    ML_DONTPEGBOTTOM = 16,
    ML_SECRET = 32,
    ML_SOUNDBLOCK = 64,
    ML_DONTDRAW = 128,
    ML_MAPPED = 256
};
enum slope { SLOPE_HORIZONTAL, SLOPE_VERTICAL, SLOPE_POSITIVE, SLOPE_NEGATIVE };

struct line {
    /* what a check of a position reads comes first */
    fixed bbox[4];
    fixed dx, dy;
    struct vertex *v1, *v2;
    struct sector *front, *back; /* back NULL: one-sided */
    enum slope slope;
    uint32_t validcount;
    int16_t flags, special, tag;
    int32_t sidenum[2]; /* -1: none (second only) */
    int32_t index;
};

struct seg {
    struct vertex *v1, *v2;
    struct line *line;
    struct sector *front, *back; /* back NULL unless the line is two-sided */
};

struct subsector {
    struct sector *sector;
    int32_t nsegs, firstseg;
};

struct divline {
    fixed x, y, dx, dy;
};

#define NF_SUBSECTOR 0x8000
#define NO_NODE UINT32_MAX
/* A partition in whole units, as the map has it: five nodes to a cache line, for the walks down the tree are among the
 * busiest code. */
struct partition {
    int16_t x, y, dx, dy;
};
struct node {
    struct partition line;
    uint16_t child[2]; /* front, back: NF_SUBSECTOR | subsector, or a node */
};

/* A seg's whole line as the line of sight reads it (sight.c). */
struct sightline {
    int32_t line;
    int16_t x1, y1, x2, y2;
    uint16_t subsector;
};

struct mapthing {
    int16_t x, y, angle, type, options;
};

/* What can change of the map and is state, as it was loaded. */
struct sector0 {
    fixed floor, ceiling;
    int16_t floorpic, ceilingpic, light, special, tag;
};
struct side0 {
    fixed xoff, yoff;
    int16_t top, bottom, mid;
};
struct line0 {
    int16_t flags, special, tag;
};

/* options of a map thing */
enum { MTF_EASY = 1, MTF_NORMAL = 2, MTF_HARD = 4, MTF_AMBUSH = 8, MTF_NOTSINGLE = 16 };

/* The lines of a block: so many words of the blockmap. */
struct blocklist {
    int32_t first, n;
};

/* The blockmap's words, side by side what is asked of a line first, so that several are asked at once (lanes.h): in map
 * units the box around it (move.c), its middle, and half of it (trace.c). After the last word there is room for a read
 * of as many as are asked. */
struct blocklines {
    int32_t *line; /* -1: the end of a list */
    int16_t *left, *right, *bottom, *top;
    float *x, *y, *dx, *dy; /* NULL: some line lies further out than MODEST (trace.c) */
};

/* The solid things by squares of the ground (crowd.c). */
struct crowd {
    int32_t width, height;
    int32_t *first; /* by square: its first bunch */
    int32_t n, room;
    struct bunch *bunches;
    struct mobj **faces; /* by bunch: who is in it */
};

/* Where the walk down the tree begins for the points of a square of the ground (bsp.c); filled as it is asked for. */
struct bspgrid {
    fixed x, y;                       /* its corner */
    int32_t width, height, widewidth; /* in blocks, in wide squares */
    uint16_t *start;                  /* a node's child each, negated */
    uint16_t *wide;                   /* the same of wider squares */
};

/* The tree with larger leaves, for a short look (glance.c). */
struct glance {
    int32_t looks; /* until it is made */
    bool made;
    struct node *nodes; /* by the tree's own numbers; NF_SUBSECTOR | leaf */
    int32_t nleaves;
    int32_t *first; /* by leaf: its first bundle; and one past the last leaf */
    struct glance_bundle *bundles;
    float *x, *y, *width, *height;    /* by bundle: the middle of the box around it, and half its sides */
    int16_t left, right, bottom, top; /* of all lines */
};

/* Where a noise goes on from each sector (noise.c). */
struct noiseways {
    int32_t *first; /* by sector: its first way; and one past the last sector */
    struct way *ways;
    int32_t *heard; /* scratch: sectors */
    /* the last noise: all who hear it have heard it, and none since; NULL: there was none */
    const struct sector *from;
    const struct mobj *target;
    uint32_t heightchange; /* this count of level's */
};

struct level {
    bool loaded;
    int32_t marker; /* the map's lump */
    int32_t nvertexes, nsectors, nsides, nlines, nsegs, nsubsectors, nnodes, nthings;
    struct vertex *vertexes;
    struct sector *sectors;
    struct side *sides;
    struct line *lines;
    struct seg *segs;
    struct subsector *subsectors;
    struct node *nodes;
    struct mapthing *things;
    struct line **sectorlines; /* backing of sector.lines */
    /* as loaded, to tell what differs now (snapshot.c) */
    struct sector0 *sectors0;
    struct side0 *sides0;
    struct line0 *lines0;
    /* blockmap */
    fixed bmorgx, bmorgy;
    int32_t bmwidth, bmheight;
    struct blocklist *bmlists; /* per block; a list begins with the lump's own leading 0 */
    struct blocklines bm;
    uint32_t heightchange; /* counts the changes of sectors' heights */
    bool oddlines;         /* there are lines that are flagged two-sided and have one side, see geo_opening */
    int32_t nblocks; /* 0, or how many blocks there are in memory while bmwidth and bmheight are wrong (overrun.c) */
    bool strays;     /* a thing may be in the list of another block than its own (block_strays) */
    struct mobj **blocklinks; /* per block: things, list through mobj.bnext */
    /* reject: bit s1 * nsectors + s2; the lump's own, or where that is too short a padded copy (group.c) */
    const uint8_t *reject;
    uint8_t *longreject; /* the copy */
    struct bspgrid grid;
    struct noiseways ways;
    struct crowd crowd;
    /* for the line of sight */
    struct sightline *sightlines; /* by seg */
    uint32_t *sightmarks;         /* by line: the last sight that looked at it */
    uint32_t sightcount;
    uint32_t *nodeabove, *subsectorabove; /* 2 * the node that it is a child of + which child; the root: NO_NODE */
    struct glance glance;
    struct hiding *hidings; /* by seg (hider.c) */
};

/* ---- thinkers ---------------------------------------------------------------------------------------------------- */

enum thinker_kind {
    TK_MOBJ,
    TK_DOOR,
    TK_FLOOR,
    TK_CEILING,
    TK_PLAT,
    TK_FLICKER,
    TK_FLASH,
    TK_STROBE,
    TK_GLOW,
    TK_KINDS
};

/* Everything that acts each tic, in a roster in order of creation. A removed one stays there until its next turn
 * comes. */
struct thinker {
    int32_t place;   /* in the roster; 0: in none */
    uint32_t serial; /* order of creation on this level, from 1 */
    uint8_t kind;    /* enum thinker_kind */
    bool removed;    /* to be unlinked when its turn comes */
    bool stasis;     /* a plat or ceiling that waits for its tag: stays in the roster and does nothing */
    bool unlinked;   /* a mobj that is gone from the roster but may still be pointed at */
};

/* Who acts, and when (thinker.c). A run is one tic's turns. */
struct roster {
    struct thinker **who; /* by place, from 1; NULL: it has left */
    int32_t *due;         /* the run in which it acts next; 0: each */
    uint64_t *calendar;   /* the same the other way round */
    int32_t n, room;      /* of places; 0, which is none, counts */
    int32_t left;         /* places of those that have left */
    int32_t run;          /* this one's number, from 1 on each level, or the last one's */
    int32_t turn;         /* whose it is; INT32_MAX between runs */
};

enum { DI_EAST, DI_NORTHEAST, DI_NORTH, DI_NORTHWEST, DI_WEST, DI_SOUTHWEST, DI_SOUTH, DI_SOUTHEAST, DI_NODIR };

/* What footing.c knows of a mobj and its place: hints, no state. By direction (DI_EAST first): what ended the mobj's
 * step there last. */
struct footing {
    fixed x, y, radius;    /* the place, for this radius: */
    bool open;             /* the box meets no line */
    uint8_t walls;         /* bits: a wall, which will always end it */
    uint8_t ledges;        /* bits: floors or ceilings, which will end it with: */
    uint32_t heightchange; /* this count of level's */
    fixed z, height;       /* these of the mobj's */
    uint32_t climbs;       /* and these of its flags, see footing.c */
    struct mobj *bumps[8]; /* wherever it is: a thing, or NULL; it may be gone, and another in its memory */
};

/* In the first 64 bytes is what its turn reads of a mobj that lies still, in the second what a walk through a block
 * does; pool.c gives out memory by them. */
struct mobj {
    struct thinker th; /* first */
    int32_t tics;      /* while it waits for their end, what thinker_settle makes of them */
    fixed momx, momy, momz;
    fixed z, floorz;
    uint32_t flags;
    int32_t state;         /* enum frame */
    int32_t type;          /* enum thing_type */
    struct player *player; /* also set on a voodoo doll */
    int32_t health;
    int32_t movedir;

    fixed x, y;
    fixed radius, height;
    struct mobj *bnext, *bprev; /* block list */
    fixed ceilingz;             /* as floorz, of all that it stands over */
    bam angle;
    struct mobj *snext, *sprev; /* sector list */
    struct subsector *subsector;

    int32_t movecount;
    int32_t stand; /* its number in the crowd, 0 if it is not in it: a hint, no state */
    struct mobj *target;
    int32_t reactiontime, threshold;
    int32_t lastlook;
    struct mapthing spawn;
    struct mobj *tracer;
    struct footing footing;
    int32_t hider[MAXPLAYERS]; /* 1 + the seg that hid each player from it last: hints for sight.c, no state */
};

enum door_type {
    DOOR_NORMAL,
    DOOR_CLOSE30,
    DOOR_CLOSE,
    DOOR_OPEN,
    DOOR_RAISEIN5,
    DOOR_BLAZERAISE,
    DOOR_BLAZEOPEN,
    DOOR_BLAZECLOSE
};
struct door {
    struct thinker th;
    enum door_type type;
    struct sector *sector;
    fixed top, speed;
    int32_t direction; /* 1 up, 0 waiting at the top, -1 down, 2 initial wait */
    int32_t topwait, countdown;
};

enum floor_type {
    FLOOR_LOWER,
    FLOOR_LOWERTOLOWEST,
    FLOOR_TURBOLOWER,
    FLOOR_RAISE,
    FLOOR_RAISETONEAREST,
    FLOOR_RAISETOTEXTURE,
    FLOOR_LOWERANDCHANGE,
    FLOOR_RAISE24,
    FLOOR_RAISE24ANDCHANGE,
    FLOOR_RAISECRUSH,
    FLOOR_RAISETURBO,
    FLOOR_DONUTRAISE,
    FLOOR_RAISE512
};
/* Stairs hurt what they squeeze as a crusher does and yet give way as a plain floor does (stairs.c). */
enum { CRUSH_NO, CRUSH_YES, CRUSH_STAIRS = 10 };
struct floormove {
    struct thinker th;
    enum floor_type type;
    int32_t crush; /* CRUSH_NO, CRUSH_YES or CRUSH_STAIRS */
    struct sector *sector;
    int32_t direction, newspecial;
    int16_t texture; /* flat number */
    fixed dest, speed;
};

enum ceiling_type {
    CEIL_LOWERTOFLOOR,
    CEIL_RAISETOHIGHEST,
    CEIL_LOWERANDCRUSH,
    CEIL_CRUSHANDRAISE,
    CEIL_FASTCRUSH,
    CEIL_SILENTCRUSH
};
struct ceilmove {
    struct thinker th;
    enum ceiling_type type;
    struct sector *sector;
    fixed bottom, top, speed;
    bool crush;
    int32_t direction, tag, olddirection;
};

enum plat_type { PLAT_PERPETUAL, PLAT_DOWNWAITUP, PLAT_RAISEANDCHANGE, PLAT_RAISETONEAREST, PLAT_BLAZE };
enum plat_status { PLAT_UP, PLAT_DOWN, PLAT_WAITING, PLAT_STASIS };
struct plat {
    struct thinker th;
    struct sector *sector;
    fixed speed, low, high;
    int32_t wait, count;
    enum plat_status status, oldstatus;
    bool crush;
    int32_t tag;
    enum plat_type type;
};

struct flicker {
    struct thinker th;
    struct sector *sector;
    int32_t count, maxlight, minlight;
};
struct flash {
    struct thinker th;
    struct sector *sector;
    int32_t count, maxlight, minlight, maxtime, mintime;
};
struct strobe {
    struct thinker th;
    struct sector *sector;
    int32_t count, minlight, maxlight, darktime, brighttime;
};
struct glow {
    struct thinker th;
    struct sector *sector;
    int32_t minlight, maxlight, direction;
};

enum { BUTTON_NOWHERE, BUTTON_TOP, BUTTON_MIDDLE, BUTTON_BOTTOM };
struct button {
    struct line *line;
    int32_t where;
    int16_t texture;
    int32_t timer;
};

/* ---- players ----------------------------------------------------------------------------------------------------- */

enum { PW_INVULNERABILITY, PW_STRENGTH, PW_INVISIBILITY, PW_IRONFEET, PW_ALLMAP, PW_INFRARED, NPOWERS };
enum { CARD_BLUE, CARD_YELLOW, CARD_RED, SKULL_BLUE, SKULL_YELLOW, SKULL_RED, NCARDS };
enum ammo { AM_CLIP, AM_SHELL, AM_CELL, AM_MISSILE, NAMMO, AM_NOAMMO };
enum weapon {
    WP_FIST,
    WP_PISTOL,
    WP_SHOTGUN,
    WP_CHAINGUN,
    WP_MISSILE,
    WP_PLASMA,
    WP_BFG,
    WP_CHAINSAW,
    WP_SUPERSHOTGUN,
    NWEAPONS,
    WP_NOCHANGE
};
enum { PS_WEAPON, PS_FLASH, NPSPRITES };
enum player_state { PST_LIVE, PST_DEAD, PST_REBORN };
enum { CF_NOCLIP = 1, CF_GODMODE = 2, CF_NOMOMENTUM = 4 };
enum {
    BT_ATTACK = 1,
    BT_USE = 2,
    BT_CHANGE = 4,
    BT_WEAPONMASK = 0x38,
    BT_WEAPONSHIFT = 3,
    BT_SPECIAL = 0x80,
    BTS_PAUSE = 1,
    BTS_SAVEGAME = 2,
    BT_SPECIALMASK = 3
};

struct ticcmd {
    int8_t forward, side;
    int16_t turn;
    uint8_t buttons;
};

struct psprite {
    int32_t state; /* enum frame; S_NONE: not shown */
    int32_t tics;
    fixed sx, sy;
};

struct player {
    struct mobj *mo;
    enum player_state state;
    struct ticcmd cmd;
    fixed viewz, viewheight, deltaviewheight, bob;
    int32_t health; /* between levels; mo->health during one */
    int32_t armor, armortype;
    int32_t powers[NPOWERS];
    bool cards[NCARDS];
    bool backpack;
    int32_t frags[MAXPLAYERS];
    int32_t ready, pending; /* enum weapon */
    bool owned[NWEAPONS];
    int32_t ammo[NAMMO], maxammo[NAMMO];
    bool attackdown, usedown;
    int32_t cheats;
    int32_t refire;
    int32_t kills, items, secrets;
    int32_t damagecount, bonuscount;
    struct mobj *attacker;
    int32_t extralight, fixedcolormap;
    struct psprite psp[NPSPRITES];
    bool didsecret;
    int32_t slot; /* 0-3 */
    /* Hints for sight.c, no state, cleared with the level: 1 + the segs that hid it from others lately. */
    int32_t hiders[HIDERS];
    uint32_t nexthider;
};

struct weapon_info {
    int32_t ammo;                           /* enum ammo */
    int32_t up, down, ready, attack, flash; /* enum frame */
};

/* ---- the game around the levels ---------------------------------------------------------------------------------- */

enum mission { MISSION_DOOM, MISSION_DOOM2, MISSION_PLUTONIA, MISSION_TNT };
enum mode { MODE_SHAREWARE, MODE_REGISTERED, MODE_RETAIL, MODE_COMMERCIAL };
/* Which executable is followed (version.c), in order of age: what changed with one is asked for by < and >=. Only what
 * differs between them reads it. */
enum version {
    VERSION_DOOM_1_0, /* it called itself 0.99 */
    VERSION_DOOM_1_1,
    VERSION_DOOM_1_2,
    VERSION_DOOM_1_5,
    VERSION_DOOM_1_666,
    VERSION_DOOM_1_7,
    VERSION_DOOM_1_8,
    VERSION_DOOM_1_9,
    VERSION_HACX, /* of the 1.9 kind */
    VERSION_ULTIMATE,
    VERSION_FINAL,
    VERSION_FINAL2, /* the later one of Final Doom, of the id Anthology */
    VERSION_CHEX    /* built on Final Doom's */
};
enum gamestate { GS_LEVEL, GS_INTERMISSION, GS_FINALE, GS_DEMOEND };
enum gameaction { GA_NOTHING, GA_LOADLEVEL, GA_COMPLETED, GA_VICTORY, GA_WORLDDONE };
enum { SK_BABY, SK_EASY, SK_MEDIUM, SK_HARD, SK_NIGHTMARE };

/* Intermission: counts that the tick moves (intermission.c). */
struct intermission {
    int32_t state; /* -1 no state, 0 stats, 1 next location, 2 (unused) */
    int32_t sp_state, ng_state, dm_state;
    int32_t counters[4][4]; /* per player: kills, items, secrets, frags (percent counted so far) */
    int32_t time, par;      /* counted so far */
    int32_t pause, count, bcount;
    bool accelerate, dofrags;
    int32_t dm_frags[MAXPLAYERS][MAXPLAYERS], dm_totals[MAXPLAYERS];
    /* what it counts to */
    int32_t maxkills, maxitems, maxsecrets, maxfrags, partime;
    int32_t epsd, last, next; /* episode, map just finished, map to come; from 0 */
    bool didsecret;
    struct {
        bool in;
        int32_t kills, items, secrets, time, frags[MAXPLAYERS];
    } plyr[MAXPLAYERS];
};

/* Finale: text, then art or the cast. */
struct finale {
    int32_t stage; /* 0 text, 1 art screen, 2 cast */
    int32_t count;
    bool cast_death, cast_onmelee, cast_attacking;
    int32_t cast_num, cast_state, cast_tics, cast_frames;
    int32_t textlen; /* characters of the text shown, decides the stage's length */
};

/* Scratch of the movement code: what a position check found (move.c). It outlives a tic only where the executable's own
 * globals did: nowhere. */
struct trymove {
    struct mobj *thing;
    uint32_t flags;
    fixed x, y, bbox[4];
    fixed floorz, ceilingz, dropoffz;
    bool floatok;
    struct line *ceilingline;
    struct line *spechit[64];
    int32_t nspechit;                                      /* counts on where the array ends */
    enum { CHECK_NOTHING, CHECK_THING, CHECK_WALL } ended; /* by what */
    struct mobj *bumped;                                   /* the solid thing, of one that a thing ended */
    struct subsector *under;                               /* the place's middle; NULL: not looked up */
    bool met;                                              /* the box meets a line */
    bool crush, nofit;                                     /* of a sector's height change (move_change_sector) */
};

/* Scratch of a slide along a wall (slide.c). */
struct slide {
    struct mobj *thing;
    fixed frac;        /* of the move, to the nearest blocking line */
    struct line *line; /* that line */
    fixed momx, momy;  /* the move that is left, then clipped to the line */
};

/* Scratch of a shot or aim, of a use of lines, of an explosion (trace.c). The range outlives the tic and is state: the
 * puff of a revenant's missile (skel.c) goes by that of the last shot or aim of all. */
struct shot {
    struct mobj *who; /* shoots or uses; NULL: an aim by nobody */
    fixed z, range, slope, top, bottom;
    int32_t damage;
};
struct blast {
    struct mobj *spot, *source;
    int32_t damage;
};

/* Scratch of a look by Doom 1.2's rules (sight12.c): the eye's height, and slopes of what is still seen. */
struct window {
    fixed eyez, top, bottom;
};

struct opening {
    fixed top, bottom, range, lowfloor;
};

/* Cells of one kind of thinker (pool.c). */
struct thinker_pool {
    void *chunks, *spare;
};

struct intercept {
    fixed frac;        /* along the trace */
    struct line *line; /* one of the two */
    struct mobj *thing;
};

struct trace {
    struct divline line;
    struct intercept *v; /* grown as needed; overrun.c's business past MAXINTERCEPTS */
    int32_t n, cap;
};

struct doom {
    /* content and tables */
    struct wad *wad;
    struct textures *tex;
    struct frame_info frames[NFRAMES + 1]; /* the last stands for every number that is no frame's; copies: a DEHACKED
                                              patch edits them */
    struct thing_info things[NTHINGTYPES];
    struct weapon_info weapons[NWEAPONS];
    int32_t maxammo[NAMMO], clipammo[NAMMO];
    int32_t pars1[5][10], pars2[33]; /* par seconds: [episode][map], [map]; a DEHACKED lump edits them */
    int32_t par33;                   /* of MAP33, which has none: the first four letters of a message, as a number */
    char switchnames[2 * MAXSWITCHES]
                    [9]; /* the texture that a DEHACKED patch puts in place of one of the list; else "" */
    struct {
        int32_t initial_health, initial_bullets, max_health, max_armor, green_class, blue_class;
        int32_t max_soulsphere, soulsphere, megasphere, bfg_cells;
        bool infight;       /* monsters of a kind hurt each other */
    } misc;                 /* what a DEHACKED patch's Misc section edits */
    int32_t deh_textlen[4]; /* characters of an episode's closing text as a DEHACKED lump has it; 0: the executable's */
    int16_t switches[2 * MAXSWITCHES]; /* texture numbers, off and on by turns (switch.c) */
    int32_t nswitches;                 /* of them, twice the pairs */
    enum mission mission;
    enum mode mode;
    enum version version;
    int32_t demoversion; /* the demo's version byte: 104 to 111; 0 to 4 where its header has none */

    /* rules */
    int32_t skill, episode, map; /* skill 0-4, the others from 1 */
    int32_t deathmatch;          /* 0 coop or single, 1, 2 */
    bool respawnparm, fastparm, nomonsters, respawnmonsters, netgame;
    bool solonet;          /* a net game of one, as the ports have with -solo-net */
    bool coopspawns;       /* the things of a net game, and no more of it */
    uint32_t line_address; /* of the map's first line: what overruns write */
    int32_t consoleplayer;
    bool playeringame[MAXPLAYERS];
    struct player players[MAXPLAYERS];

    /* time and chance */
    uint32_t gametic; /* tics run */
    int32_t leveltime;
    uint8_t prndindex; /* the play random index */
    uint32_t validcount;

    /* flow */
    enum gamestate gamestate;
    enum gameaction gameaction;
    bool paused, secretexit;
    int32_t levelstarttic;
    struct intermission wi;
    struct finale fin;

    /* the level */
    struct level lev;
    struct roster roster;
    uint32_t serial;          /* last one given */
    struct mobj *gone;        /* removed mobjs that are kept while something may point at them, list through snext */
    int32_t ngone, gonelimit; /* past the limit, those that nothing points at are freed */
    struct thinker_pool pools[TK_KINDS];
    struct mobj nobody; /* what thinker_new gives when there is no memory: in no roster */
    int32_t totalkills, totalitems, totalsecrets;
    struct mobj *bodyque[BODYQUESIZE];
    int32_t bodyqueslot; /* counts up, modulo in use */
    struct mapthing itemque[ITEMQUESIZE];
    int32_t itemtime[ITEMQUESIZE];
    int32_t iquehead, iquetail;
    struct mapthing playerstarts[MAXPLAYERS];
    struct mapthing playerstarts0[MAXPLAYERS]; /* as the level has them; zero where it has none */
    bool playerstart_ok[MAXPLAYERS];
    struct mapthing dmstarts[MAXDMSTARTS];
    int32_t ndmstarts;
    struct mobj *braintargets[MAXBRAINTARGETS];
    int32_t nbraintargets, braintargeton;
    int32_t braineasy;
    struct plat *activeplats[MAXPLATS];
    struct ceilmove *activeceilings[MAXCEILINGS];
    struct button buttons[MAXBUTTONS];
    struct line *scrollers[MAXLINEANIMS_1_2];
    int32_t nscrollers;
    bool leveltimer;
    int32_t leveltimecount;

    /* scratch */
    struct trymove tm;
    struct opening open;
    struct trace trace;
    struct slide slide;
    struct shot shot;
    struct blast blast;
    fixed bulletslope; /* of the player who shoots */
    fixed higher;      /* the first higher floor that a line's last sector found (sector_next_floor) */
    struct window window;
    int32_t nesting;         /* of states entered by what a state does */
    struct mobj *linetarget; /* what an aim found */
    bool onground; /* of the player who moved last; one who cannot move (reactiontime) goes by it, in a later tic */
    struct {       /* an arch-vile's search for a corpse, within one action */
        fixed x, y;
        struct mobj *corpse;
    } vile;

    /* what happened this tic, for event records */
    struct dh_world_events *events; /* of world.h */
    struct dh_err *err;             /* where a room reports what makes the world unplayable; err->status is set then */
};

#endif
