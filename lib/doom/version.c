/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * version.c - which executable is followed.
 *
 * Named by a setting, or else known by the demo's first byte: 104 to 108 name their executable, 0 to 4 are a skill, as
 * the header of 1.2 and before begins with that. The rest, 109 most of all, was written by several executables, and the
 * IWAD decides: the one with a fourth episode is Ultimate Doom's, TNT and Plutonia are Final Doom's (its first
 * executable, which most of their demos were recorded with), Chex Quest's and Hacx' have their own.
 *
 * chocolate-doom, the reference, takes the same executables for the same IWADs, but for Doom and Doom II it looks at
 * the version of the demos inside the IWAD, and plays no demo of another version than that; with -gameversion it plays
 * what is played here. What 1.4 did differently from 1.5 is not known: its demos are replayed by the next executable's
 * rules.
 *
 * 1.0 and 1.1 are played by no reference. What they did differently is known from two readings of the executables, and
 * the comments name which: "recreated" are the sources of gamesrc-ver-recreation (doom, DM10), written so that they
 * compile to the very executable of 1.0; "1207" is chocolate-doom's open pull request of that number, made from the
 * running executables of 1.0 and 1.1. By both of them together nyan-doom (its pull request 54) plays the demos in the
 * IWADs of 1.0 and 1.1 to their ends. Where they contradict each other, 1.0 is as recreated. 1.1 itself was not
 * recreated: it does what 1.0 does if the recreation's unfinished 1.2 does that still, and else what 1207 says.
 */
#include <stdlib.h>
#include <string.h>

#include "play.h"

static const struct {
    const char *name;
    enum version version;
} names[] = {
    {"1.0", VERSION_DOOM_1_0},      {"1.1", VERSION_DOOM_1_1},     {"1.2", VERSION_DOOM_1_2},
    {"1.5", VERSION_DOOM_1_5},      {"1.666", VERSION_DOOM_1_666}, {"1.7", VERSION_DOOM_1_7},
    {"1.8", VERSION_DOOM_1_8},      {"1.9", VERSION_DOOM_1_9},     {"hacx", VERSION_HACX},
    {"ultimate", VERSION_ULTIMATE}, {"final", VERSION_FINAL},      {"final2", VERSION_FINAL2},
    {"chex", VERSION_CHEX},
};

static int by_name(struct doom *d, const char *name, struct dh_err *e)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, name) == 0) {
            d->version = names[i].version;
            return 0;
        }
    }
    return dh_fail(
        e, DH_TROUBLE,
        "game version '%s': expected 1.0, 1.1, 1.2, 1.5, 1.666, 1.7, 1.8, 1.9, hacx, ultimate, final, final2 "
        "or chex",
        name);
}

const char *version_name(const struct doom *d)
{
    size_t i = 0;

    while (i < sizeof names / sizeof *names - 1 && names[i].version != d->version)
        i++;
    return names[i].name;
}

static enum version by_iwad(const struct doom *d, enum version iwad)
{
    if (iwad == VERSION_CHEX || iwad == VERSION_HACX)
        return iwad;
    if (d->mode == MODE_RETAIL)
        return VERSION_ULTIMATE;
    return d->mission == MISSION_PLUTONIA || d->mission == MISSION_TNT ? VERSION_FINAL : VERSION_DOOM_1_9;
}

static enum version by_demo(const struct doom *d, enum version iwad)
{
    if (iwad == VERSION_CHEX || iwad == VERSION_HACX)
        return iwad;
    switch (d->demoversion) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        return iwad == VERSION_DOOM_1_1 ? VERSION_DOOM_1_1 : VERSION_DOOM_1_2;
    case 104:
    case 105:
        return VERSION_DOOM_1_5;
    case 106:
        return VERSION_DOOM_1_666;
    case 107:
        return VERSION_DOOM_1_7;
    case 108:
        return VERSION_DOOM_1_8;
    default:
        return by_iwad(d, iwad);
    }
}

/* What the tables of 1.0 and 1.1 say otherwise. Keys: recreated, and 1207. Suits: 1207. Lost souls counted as kills
 * until 1.666, and health went up to 199: both readings of 1.0 and 1.2; chocolate-doom's 1.2 has neither. */
static void set_tables(struct doom *d)
{
    if (d->version == VERSION_DOOM_1_0) {
        d->things[T_BlueSkullKey].flags &= ~(uint32_t)MF_NOTDMATCH;
        d->things[T_YellowSkullKey].flags &= ~(uint32_t)MF_NOTDMATCH;
        d->things[T_RedSkullKey].flags &= ~(uint32_t)MF_NOTDMATCH;
    }
    if (d->version < VERSION_DOOM_1_2) {
        d->things[T_RadSuit].flags |= MF_COUNTITEM;
        d->things[T_LostSoul].flags |= MF_COUNTKILL;
        d->misc.max_health = d->misc.max_soulsphere = 199;
    }
}

int version_choose(struct doom *d, const char *name, enum version iwad, struct dh_err *e)
{
    if (!name)
        d->version = by_demo(d, iwad);
    else if (by_name(d, name, e) != 0)
        return -1;

    /* An older executable knows nothing of what a newer one's IWAD has more. */
    if (d->version < VERSION_ULTIMATE && d->mode == MODE_RETAIL)
        d->mode = MODE_REGISTERED;
    if (d->version < VERSION_FINAL && (d->mission == MISSION_PLUTONIA || d->mission == MISSION_TNT))
        d->mission = MISSION_DOOM2;
    if (d->version <= VERSION_DOOM_1_2 && d->deathmatch == 2) /* "altdeath" came with 1.4 */
        d->deathmatch = 1;
    set_tables(d);
    return 0;
}

/* The skill, episode and level that a new game begins with: what is out of range becomes something that exists, in the
 * ways of the executables. A level that does not exist all the same is found missing when it is to be loaded. */
void version_bound_rules(struct doom *d)
{
    if (d->skill < SK_BABY || d->skill > SK_NIGHTMARE)
        d->skill = SK_NIGHTMARE;
    if (d->version < VERSION_DOOM_1_2 && d->skill > SK_HARD) /* nightmare came with 1.2 (recreated, G_InitNew; 1207) */
        d->skill = SK_HARD;
    if (d->version >= VERSION_ULTIMATE)
        d->episode = d->episode == 0 ? 4 : d->episode;
    else
        d->episode = d->episode < 1 ? 1 : d->episode > 3 ? 3 : d->episode;
    if (d->episode > 1 && d->mode == MODE_SHAREWARE)
        d->episode = 1;
    d->map = d->map < 1 ? 1 : d->map;
    if (d->map > 9 && d->mode != MODE_COMMERCIAL)
        d->map = 9;
}
