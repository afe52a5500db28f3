/* SPDX-License-Identifier: ISC */
/*
 * The table of dialects. Sources: doomwiki.org/wiki/Demo; Girlich's description of the LMP format; the Boom and MBF
 * header thread (Doomworld 72033); the documents on their formats of mbf21 and dsda-doom; what the ports write.
 * dh-dialects(7) says what is known of each.
 */
#include "lmp/layout.h"

#include <string.h>

/* ---- headers ----------------------------------------------------------------------------------------------------- */

#define U8(n)                              \
    {                                      \
        LMP_LIE_U8, n, 1, 0, NULL, NULL, 0 \
    }
#define LE16(n)                              \
    {                                        \
        LMP_LIE_LE16, n, 2, 0, NULL, NULL, 0 \
    }
#define BE16(n)                              \
    {                                        \
        LMP_LIE_BE16, n, 2, 0, NULL, NULL, 0 \
    }
#define LE32(n)                              \
    {                                        \
        LMP_LIE_LE32, n, 4, 0, NULL, NULL, 0 \
    }
#define BE32(n)                              \
    {                                        \
        LMP_LIE_BE32, n, 4, 0, NULL, NULL, 0 \
    }
#define CHARS(n, size)                           \
    {                                            \
        LMP_LIE_CHARS, n, size, 0, NULL, NULL, 0 \
    }
#define PSTR(n)                              \
    {                                        \
        LMP_LIE_PSTR, n, 0, 0, NULL, NULL, 0 \
    }
#define BLOB(n, size)                           \
    {                                           \
        LMP_LIE_BLOB, n, size, 0, NULL, NULL, 0 \
    }
#define FIXED(bytes)                                              \
    {                                                             \
        LMP_LIE_FIXED, bytes, sizeof(bytes) - 1, 0, NULL, NULL, 0 \
    }
#define DERIVED(n)                              \
    {                                           \
        LMP_LIE_DERIVED, n, 0, 0, NULL, NULL, 0 \
    }
#define TIMES(size, span)                               \
    {                                                   \
        LMP_LIE_REPEAT, NULL, size, span, NULL, NULL, 0 \
    }
#define NAMED(size, names)                            \
    {                                                 \
        LMP_LIE_REPEAT, NULL, size, 1, names, NULL, 0 \
    }
#define BY_FIELD(field, names)                      \
    {                                               \
        LMP_LIE_REPEAT, field, 0, 1, names, NULL, 0 \
    }
#define PLAYERS(n) TIMES(n, 1), U8("player")
#define PLAYERS_AND_CLASSES(n) TIMES(n, 2), U8("player"), U8("class")
#define END                                    \
    {                                          \
        LMP_LIE_END, NULL, 0, 0, NULL, NULL, 0 \
    }

static const struct lmp_item doom12[] = {U8("skill"), U8("episode"), U8("level"), PLAYERS(4), END};
static const struct lmp_item hexen10[] = {U8("skill"), U8("episode"), U8("level"), PLAYERS_AND_CLASSES(4), END};
static const struct lmp_item hexen[] = {U8("skill"), U8("episode"), U8("level"), PLAYERS_AND_CLASSES(8), END};

#define MODES U8("deathmatch"), U8("respawn"), U8("fast"), U8("nomonsters"), U8("viewpoint")

static const struct lmp_item strife[] = {U8("version"), U8("skill"), U8("level"), MODES, PLAYERS(8), END};
static const struct lmp_item doom[] = {U8("version"), U8("skill"), U8("episode"), U8("level"), MODES, PLAYERS(4), END};
static const struct lmp_item bfg[] = {
    U8("version"), U8("skill"), U8("episode"), U8("mission"), U8("level"), MODES, PLAYERS(4), END,
};

/* PrBoom's names; MBF has the first 19, and Boom looks at none (nor at anything from monster_infighting on). */
static const char *const comps[] = {
    "comp_telefrag",
    "comp_dropoff",
    "comp_vile",
    "comp_pain",
    "comp_skull",
    "comp_blazing",
    "comp_doorlight",
    "comp_model",
    "comp_god",
    "comp_falloff",
    "comp_floors",
    "comp_skymap",
    "comp_pursuit",
    "comp_doorstuck",
    "comp_staylift",
    "comp_zombie",
    "comp_stairs",
    "comp_infcheat",
    "comp_zerotags",
    "comp_moveblock",
    "comp_respawn",
    "comp_sound",
    "comp_666",
    "comp_soul",
    "comp_maskedanim",
    "comp_ouchface",
    "comp_maxhealth",
    "comp_translucency",
    "comp_ledgeblock",
    "comp_friendlyspawn",
    "comp_voodooscroller",
    "comp_reservedlineflag",
    NULL,
};
static const char *const mbf21_comps[] = {
    "comp_telefrag",
    "comp_dropoff",
    "comp_vile",
    "comp_pain",
    "comp_skull",
    "comp_blazing",
    "comp_doorlight",
    "comp_model",
    "comp_god",
    "comp_falloff",
    "comp_floors",
    "comp_skymap",
    "comp_pursuit",
    "comp_doorstuck",
    "comp_staylift",
    "comp_zombie",
    "comp_stairs",
    "comp_infcheat",
    "comp_zerotags",
    "comp_respawn",
    "comp_soul",
    "comp_ledgeblock",
    "comp_friendlyspawn",
    "comp_voodooscroller",
    "comp_reservedlineflag",
    NULL,
};
static const char *const eternity_comps[] = {
    "comp_telefrag",
    "comp_dropoff",
    "comp_vile",
    "comp_pain",
    "comp_skull",
    "comp_blazing",
    "comp_doorlight",
    "comp_model",
    "comp_god",
    "comp_falloff",
    "comp_floors",
    "comp_skymap",
    "comp_pursuit",
    "comp_doorstuck",
    "comp_staylift",
    "comp_zombie",
    "comp_stairs",
    "comp_infcheat",
    "comp_zerotags",
    "comp_terrain",
    "comp_respawnfix",
    "comp_fallingdmg",
    "comp_soul",
    "comp_theights",
    "comp_overunder",
    "comp_planeshoot",
    "comp_special",
    "comp_ninja",
    "comp_jump",
    "comp_thingsectorlight",
    NULL,
};

#define START U8("skill"), U8("episode"), U8("level"), U8("deathmatch"), U8("viewpoint")

/* The 64 bytes of options as far as all have them in the same places: 58 of them. */
#define OPTIONS                                                                                                   \
    U8("monsters_remember"), U8("variable_friction"), U8("weapon_recoil"), U8("allow_pushers"), U8("option4"),    \
        U8("player_bobbing"), U8("respawn"), U8("fast"), U8("nomonsters"), U8("demo_insurance"), BE32("rngseed"), \
        U8("monster_infighting"), U8("dogs"), U8("classic_bfg"), U8("beta"), BE16("distfriend"),                  \
        U8("monster_backing"), U8("monster_avoid_hazards"), U8("monster_friction"), U8("help_friends"),           \
        U8("dog_jumping"), U8("monkeys")
#define COMPS(names) NAMED(32, names), U8("comp")
#define OPTIONS_END U8("force_old_bsp"), BLOB("options_rest", 5)

#define BOOM_SIGNATURE "\x1d\x42oom\xe6"
#define MBF_SIGNATURE "\x1dMBF\xe6\0"
#define CDOOM_SIGNATURE "CDOOMC"
#define ETERNITY_SIGNATURE "\xff\x45TERN\0"
#define KEX_SIGNATURE "\xffOSRS2"
#define PRUM_SIGNATURE "\xffPR+UM\0"
#define DSDA_SIGNATURE "\xff\x1d\x44SDA\xe6"
#define A_WAD "a WAD: name a lump in it, as in FILE:DEMO1"

static const struct lmp_item boom[] = {
    U8("version"), FIXED(BOOM_SIGNATURE), U8("compatibility"), START, OPTIONS,
    COMPS(comps),  OPTIONS_END,           PLAYERS(32),         END,
};
/* 2.00 leaves 256 bytes for options. */
static const struct lmp_item boom200[] = {
    U8("version"), FIXED(BOOM_SIGNATURE), U8("compatibility"),          START,       OPTIONS,
    COMPS(comps),  OPTIONS_END,           BLOB("options_rest200", 192), PLAYERS(32), END,
};
static const struct lmp_item lxdoom[] = {
    U8("version"), FIXED(BOOM_SIGNATURE), START, OPTIONS, COMPS(comps), OPTIONS_END, PLAYERS(32), END,
};
static const struct lmp_item mbf[] = {
    U8("version"), FIXED(MBF_SIGNATURE), U8("compatibility"), START, OPTIONS,
    COMPS(comps),  OPTIONS_END,          PLAYERS(32),         END,
};
/* Of three signatures, so it is a field. */
static const struct lmp_item cdoom[] = {
    U8("version"), BLOB("signature", 6), U8("compatibility"), START, OPTIONS,
    COMPS(comps),  OPTIONS_END,          PLAYERS(32),         END,
};
static const struct lmp_item mbf21[] = {
    U8("version"),
    FIXED(MBF_SIGNATURE),
    START,
    U8("monsters_remember"),
    U8("weapon_recoil"),
    U8("player_bobbing"),
    U8("respawn"),
    U8("fast"),
    U8("nomonsters"),
    BE32("rngseed"),
    U8("monster_infighting"),
    U8("dogs"),
    BE16("distfriend"),
    U8("monster_backing"),
    U8("monster_avoid_hazards"),
    U8("monster_friction"),
    U8("help_friends"),
    U8("dog_jumping"),
    U8("monkeys"),
    U8("comps"),
    BY_FIELD("comps", mbf21_comps),
    U8("comp"),
    PLAYERS(32),
    END,
};
static const struct lmp_item eternity[] = {
    FIXED(ETERNITY_SIGNATURE),
    LE32("version"),
    U8("subversion"),
    U8("compatibility"),
    START,
    {LMP_LIE_LE32, "dmflags", 4, 0, NULL, NULL, 331 << 8},
    {LMP_LIE_CHARS, "map", 8, 0, NULL, NULL, 329 << 8 | 5},
    OPTIONS,
    COMPS(eternity_comps),
    U8("autoaim"),
    U8("allowmlook"),
    U8("pitchedflight"),
    BLOB("options_rest", 3),
    PLAYERS(32),
    END,
};

/* The documents differ on whether one more byte belongs to the signature; the rest of the header tells. */
#define KEX BE32("edition"), CHARS("build", 9), U8("skill"), U8("episode"), U8("level"), MODES, PLAYERS(4)
static const struct lmp_item kex[] = {FIXED(KEX_SIGNATURE), U8("signature_end"), KEX, END};
static const struct lmp_item kex31[] = {FIXED(KEX_SIGNATURE), KEX, END};

/* ---- headers in front of a header -------------------------------------------------------------------------------- */

static const struct lmp_item bare255[] = {FIXED("\xff"), END};
static const struct lmp_item prum[] = {
    FIXED(PRUM_SIGNATURE), U8("um_version"), LE16("um_count"), PSTR("um_extension"), CHARS("um_map", 8), END,
};

/* dsda_end is the offset of the end marker, dsda_tics the number of commands: both follow from what comes after, and
 * are written anew, unless dsda_keep says that they stood in the file otherwise. */
#define DSDA(version) FIXED(DSDA_SIGNATURE version), BE32("dsda_end"), BE32("dsda_tics"), DERIVED("dsda_keep")
static const struct lmp_item dsda1[] = {DSDA("\1"), END};
static const struct lmp_item dsda2[] = {DSDA("\2"), U8("dsda_flags"), END};
static const struct lmp_item dsda3[] = {DSDA("\3"), U8("dsda_flags"), U8("dsda_udmf"), END};
static const struct lmp_item dsda_after[] = {{LMP_LIE_LE32, "keyframe", 4, 0, NULL, "dsda_flags", 0}, END};
static const struct lmp_item none[] = {END};

/* ---- commands ---------------------------------------------------------------------------------------------------- */

#define P(part)               \
    {                         \
        LMP_PART_##part, 0, 0 \
    }
#define MOVE P(FORWARD), P(SIDE), P(TURN), P(BUTTONS)

static const struct lmp_place doom_command[] = {MOVE, P(END)};
static const struct lmp_place tas_command[] = {P(BUTTONS), P(FORWARD), P(SIDE), P(TURN), P(END)};
static const struct lmp_place bfg_debug_command[] = {MOVE, P(RANDOM), P(END)};
static const struct lmp_place heretic_command[] = {MOVE, P(LOOKFLY), P(ARTIFACT), P(END)};
static const struct lmp_place hexen_command[] = {MOVE, P(LOOKFLY), P(HEXEN_ARTIFACT), P(END)};
static const struct lmp_place strife_command[] = {MOVE, P(BUTTONS2), P(INVENTORY), P(END)};
static const struct lmp_place eternity_command[] = {
    MOVE,
    {LMP_PART_ACTIONS, 335 << 8, 0},
    {LMP_PART_LOOK8, 329 << 8, 333 << 8},
    {LMP_PART_LOOK16, 333 << 8, 0},
    {LMP_PART_FLY, 340 << 8 | 23, 0},
    {LMP_PART_ITEM, 401 << 8, 0},
    {LMP_PART_WEAPON_ID, 401 << 8, 0},
    {LMP_PART_WEAPON_SLOT, 401 << 8, 0},
    P(END),
};
static const struct lmp_place dsda_command[] = {P(DSDA), P(END)};
static const struct lmp_place no_command[] = {P(END)};

/* By the numbers of the engine; a name for each of the eight that a button byte can say. */
#define DOOM_WEAPONS "fist,pistol,shotgun,chaingun,launcher,plasma,bfg,chainsaw"
#define HERETIC_WEAPONS "staff,wand,crossbow,claw,hellstaff,phoenix,mace,gauntlets"
#define HEXEN_WEAPONS "first,second,third,fourth,w5,w6,w7,w8"
#define STRIFE_WEAPONS "dagger,crossbow,rifle,missile,grenade,flame,mauler,sigil"

/* Doom Classic's players, as they come to the level. */
#define BFG_JOIN                                                                                                  \
    "health:i32 armor:i32 armortype:i32 weapon:i32 "                                                              \
    "fist:i32 pistol:i32 shotgun:i32 chaingun:i32 launcher:i32 plasma:i32 bfg:i32 chainsaw:i32 supershotgun:i32 " \
    "bullets:i32 maxbullets:i32 shells:i32 maxshells:i32 cells:i32 maxcells:i32 rockets:i32 maxrockets:i32"

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* A row matches a first byte from lo to hi and, where it has a signature, those bytes at that place. What several rows
 * match is decided by the rest of the file (examine.c); where that decides nothing, the first counts. */

#define SIGNED(place, bytes) .at = place, .len = sizeof(bytes) - 1, .signature = bytes
#define BYTES(first, last) .lo = first, .hi = last
#define READS(id, name, game, ...)                           \
    {                                                        \
        id, name, game, LMP_READ, &(const struct lmp_layout) \
        {                                                    \
            __VA_ARGS__                                      \
        }                                                    \
    }
#define WRAPS(id, name, game, ...)                              \
    {                                                           \
        id, name, game, LMP_WRAPPER, &(const struct lmp_layout) \
        {                                                       \
            __VA_ARGS__                                         \
        }                                                       \
    }
#define REFUSES(name, ...)                                        \
    {                                                             \
        NULL, name, NULL, LMP_REFUSED, &(const struct lmp_layout) \
        {                                                         \
            __VA_ARGS__                                           \
        }                                                         \
    }
#define NO_DEMO(name, ...)                                        \
    {                                                             \
        NULL, name, NULL, LMP_NO_DEMO, &(const struct lmp_layout) \
        {                                                         \
            __VA_ARGS__                                           \
        }                                                         \
    }

#define DOOM(items) .family = "doom", .header = items, .command = doom_command, .weapons = DOOM_WEAPONS
#define VANILLA(byte) BYTES(byte, byte), DOOM(doom), .group = "doom"
#define RAVEN(fam, items, arts) \
    .family = fam, .group = fam, .header = items, .turns = LMP_TURNS_PLAYER0, .artifacts = arts
#define HEXEN(items) \
    RAVEN("hexen", items, 33), .command = hexen_command, .weapons = HEXEN_WEAPONS, .episodes = 1, .levels = 99

static const struct lmp_dialect rows[] = {
    NO_DEMO("an AppleDouble file (the companion that macOS writes)", BYTES(0, 0), SIGNED(0, "\0\5\x16\7")),
    NO_DEMO("an AppleSingle file", BYTES(0, 0), SIGNED(0, "\0\5\x16\0")),
    READS("doom12", "Doom up to 1.2", "doom", BYTES(0, 4), DOOM(doom12), .group = "doom", .episodes = 4, .levels = 9),
    READS("heretic", "Heretic", "heretic", BYTES(0, 4), RAVEN("heretic", doom12, 10), .command = heretic_command,
          .weapons = HERETIC_WEAPONS, .episodes = 6, .levels = 9),
    READS("hexen", "Hexen 1.1", "hexen", BYTES(0, 4), HEXEN(hexen)),
    READS("hexen10", "Hexen 1.0", "hexen", BYTES(0, 4), HEXEN(hexen10)),
    READS("strife", "Strife", "strife", BYTES(101, 101), .family = "strife", .header = strife,
          .command = strife_command, .weapons = STRIFE_WEAPONS),
    READS("doom14", "Doom 1.4", "doom", VANILLA(104)),
    READS("doom15", "Doom 1.5", "doom", VANILLA(105)),
    READS("doom16", "Doom 1.6 or 1.666", "doom", VANILLA(106)),
    READS("doom17", "Doom 1.7", "doom", VANILLA(107)),
    READS("doom18", "Doom 1.8", "doom", VANILLA(108)),
    READS("doom19", "Doom 1.9", "doom", VANILLA(109)),
    READS("tasdoom", "TASDoom", "doom", BYTES(110, 110), .family = "doom", .group = "doom", .header = doom,
          .command = tas_command, .weapons = DOOM_WEAPONS),
    READS("longturns", "Doom with long turns", "doom", VANILLA(111), .turns = LMP_TURNS_LONG),
    READS("bfg", "Doom Classic of the BFG edition", "doomclassic", BYTES(111, 111), DOOM(bfg), .join = BFG_JOIN,
          .turns = LMP_TURNS_LONG),
    READS("bfgdebug", "Doom Classic of the BFG edition (debugging)", "doomclassic", BYTES(112, 112), .family = "doom",
          .header = bfg, .join = BFG_JOIN, .command = bfg_debug_command, .turns = LMP_TURNS_LONG,
          .weapons = DOOM_WEAPONS),
    NO_DEMO("a PNG image", BYTES(0x89, 0x89), SIGNED(0, "\x89PNG")),
    REFUSES("Doom Legacy", BYTES(129, 144)),
    READS("boom200", "Boom 2.00", "boom", BYTES(200, 200), SIGNED(1, BOOM_SIGNATURE), DOOM(boom200)),
    READS("boom", "Boom", "boom", BYTES(201, 202), SIGNED(1, BOOM_SIGNATURE), DOOM(boom)),
    READS("lxdoom", "LxDoom", "lxdoom", BYTES(203, 203), SIGNED(1, BOOM_SIGNATURE), DOOM(lxdoom)),
    READS("mbf", "MBF", "mbf", BYTES(203, 203), SIGNED(1, MBF_SIGNATURE), DOOM(mbf)),
    READS("cdoom", "CDoom", "cdoom", BYTES(205, 207), SIGNED(1, CDOOM_SIGNATURE), DOOM(cdoom), .turns = LMP_TURNS_LONG),
    READS("cdoomb", "CDoom (with Boom's signature)", "cdoom", BYTES(205, 207), SIGNED(1, BOOM_SIGNATURE), DOOM(cdoom),
          .turns = LMP_TURNS_LONG),
    READS("cdoomm", "CDoom (with MBF's signature)", "cdoom", BYTES(205, 207), SIGNED(1, MBF_SIGNATURE), DOOM(cdoom),
          .turns = LMP_TURNS_LONG),
    READS("prboom", "PrBoom", "prboom", BYTES(210, 213), SIGNED(1, MBF_SIGNATURE), DOOM(mbf)),
    READS("prboom6", "PrBoom (long turns)", "prboom", BYTES(214, 214), SIGNED(1, MBF_SIGNATURE), DOOM(mbf),
          .turns = LMP_TURNS_LONG),
    READS("mbf21", "MBF21", "mbf21", BYTES(221, 221), SIGNED(1, MBF_SIGNATURE), DOOM(mbf21), .turns = LMP_TURNS_LONG),
    READS("eternity", "Eternity", "eternity", BYTES(255, 255), SIGNED(0, ETERNITY_SIGNATURE), .family = "doom",
          .header = eternity, .command = eternity_command, .turns = LMP_TURNS_ETERNITY, .weapons = DOOM_WEAPONS),
    READS("kex", "Doom + Doom II (KEX)", "kex", BYTES(255, 255), SIGNED(0, KEX_SIGNATURE), DOOM(kex),
          .turns = LMP_TURNS_LONG),
    READS("kex31", "Doom + Doom II (KEX, short signature)", "kex", BYTES(255, 255), SIGNED(0, KEX_SIGNATURE),
          DOOM(kex31), .turns = LMP_TURNS_LONG),
    WRAPS("prboom-um", "PrBoom+um", "prboom-um", BYTES(255, 255), SIGNED(0, PRUM_SIGNATURE), .header = prum,
          .after = none, .command = no_command),
    WRAPS("dsda1", "dsda-doom 1", "dsda", BYTES(255, 255), SIGNED(0, DSDA_SIGNATURE "\1"), .header = dsda1,
          .after = none, .command = dsda_command),
    WRAPS("dsda2", "dsda-doom 2", "dsda", BYTES(255, 255), SIGNED(0, DSDA_SIGNATURE "\2"), .header = dsda2,
          .after = dsda_after, .command = dsda_command),
    WRAPS("dsda", "dsda-doom 3", "dsda", BYTES(255, 255), SIGNED(0, DSDA_SIGNATURE "\3"), .header = dsda3,
          .after = dsda_after, .command = dsda_command),
    REFUSES("dsda-doom of a later format", BYTES(255, 255), SIGNED(0, DSDA_SIGNATURE)),
    NO_DEMO("a JPEG image", BYTES(255, 255), SIGNED(0, "\xff\xd8\xff")),
    NO_DEMO("text in UTF-16", BYTES(255, 255), SIGNED(0, "\xff\xfe")),
    WRAPS("prboom-um0", "PrBoom+um 2.5.1.7", "prboom-um", BYTES(255, 255), SIGNED(0, "\xff"), .header = bare255,
          .after = none, .command = no_command),
    REFUSES("ZDoom", BYTES('Z', 'Z'), SIGNED(0, "ZDEM")),
    REFUSES("ZDoom", BYTES('F', 'F'), SIGNED(8, "ZDEM")),
    REFUSES("ZDaemon", BYTES('Z', 'Z'), SIGNED(0, "ZDD\0")),
    REFUSES("Odamex", BYTES('O', 'O'), SIGNED(0, "ODAD")),
    REFUSES("Doom64 EX", BYTES('D', 'D'), SIGNED(0, "DM64")),
    NO_DEMO("a record stream already", BYTES('D', 'D'), SIGNED(0, "DHDM")),
    NO_DEMO("a record stream already", BYTES('d', 'd'), SIGNED(0, "dhdm ")),
    NO_DEMO("a Blood demo: dem2dh reads it", BYTES('D', 'D'), SIGNED(0, "DEM\x1a")),
    NO_DEMO(A_WAD, BYTES('I', 'I'), SIGNED(0, "IWAD")),
    NO_DEMO(A_WAD, BYTES('P', 'P'), SIGNED(0, "PWAD")),
    NO_DEMO("a zip archive", BYTES('P', 'P'), SIGNED(0, "PK\3\4")),
    NO_DEMO("an empty zip archive", BYTES('P', 'P'), SIGNED(0, "PK\5\6")),
    NO_DEMO("a gzip file", BYTES(0x1f, 0x1f), SIGNED(0, "\x1f\x8b")),
    NO_DEMO("a 7z archive", BYTES('7', '7'), SIGNED(0, "7z\xbc\xaf")),
    NO_DEMO("a rar archive", BYTES('R', 'R'), SIGNED(0, "Rar!")),
    NO_DEMO("an ELF program", BYTES(0x7f, 0x7f), SIGNED(0, "\x7f\x45LF")),
    NO_DEMO("a DOS or Windows program", BYTES('M', 'M'), SIGNED(0, "MZ")),
};

const struct lmp_dialect *lmp_dialect_at(int i)
{
    return i >= 0 && (size_t)i < sizeof rows / sizeof rows[0] ? &rows[i] : NULL;
}

const struct lmp_dialect *lmp_dialect_named(const char *id)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].id && strcmp(rows[i].id, id) == 0)
            return &rows[i];
    return NULL;
}

bool lmp_row_fits(const struct lmp_dialect *d, const uint8_t *p, size_t n)
{
    const struct lmp_layout *l = d->layout;

    if (n == 0 || p[0] < l->lo || p[0] > l->hi)
        return false;
    return l->len == 0 || (n >= (size_t)l->at + l->len && memcmp(p + l->at, l->signature, l->len) == 0);
}
