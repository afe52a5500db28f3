/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boss.c - deaths that change the map: the last of a level's bosses opens tag 666 or 667, or ends the level.
 */
#include "monster.h"

enum boss_effect { BOSS_EXIT, BOSS_LOWER_FLOOR, BOSS_RAISE_FLOOR, BOSS_OPEN_DOOR };

static void take_effect(struct doom *d, enum boss_effect effect, int16_t tag)
{
    struct line junk = {.tag = tag}; /* no line of the map: just something to carry a tag */

    switch (effect) {
    case BOSS_EXIT:
        game_exit_level(d);
        break;
    case BOSS_LOWER_FLOOR:
        floor_do(d, &junk, FLOOR_LOWERTOLOWEST);
        break;
    case BOSS_RAISE_FLOOR:
        floor_do(d, &junk, FLOOR_RAISETOTEXTURE);
        break;
    case BOSS_OPEN_DOOR:
        door_do(d, &junk, DOOR_BLAZEOPEN);
        break;
    }
}

/* Which type's death counts on this map of Doom. The executables from Ultimate Doom on know a boss for each episode;
 * before, any that ran this action did on a map 8, except that Barons counted in the first episode only. */
static bool counts(const struct doom *d, int32_t type)
{
    if (d->version < VERSION_ULTIMATE)
        return d->map == 8 && (type != T_BaronOfHell || d->episode == 1);
    switch (d->episode) {
    case 1:
        return d->map == 8 && type == T_BaronOfHell;
    case 2:
        return d->map == 8 && type == T_Cyberdemon;
    case 3:
        return d->map == 8 && type == T_SpiderMastermind;
    case 4:
        return (d->map == 6 && type == T_Cyberdemon) || (d->map == 8 && type == T_SpiderMastermind);
    default:
        return d->map == 8;
    }
}

static bool anyone_alive(const struct doom *d)
{
    for (int i = 0; i < MAXPLAYERS; i++)
        if (d->playeringame[i] && d->players[i].health > 0)
            return true;
    return false;
}

void boss_death(struct doom *d, struct mobj *mo)
{
    const bool doom2 = d->mode == MODE_COMMERCIAL;

    if (doom2 ? d->map != 7 || (mo->type != T_Mancubus && mo->type != T_Arachnotron) : !counts(d, mo->type))
        return;
    if (d->version > VERSION_DOOM_1_0 && !anyone_alive(d)) /* 1.0 does not ask (recreated, A_BossDeath) */
        return;
    if (!monster_is_last(d, mo))
        return;

    if (doom2 && mo->type == T_Mancubus)
        take_effect(d, BOSS_LOWER_FLOOR, 666);
    else if (doom2)
        take_effect(d, BOSS_RAISE_FLOOR, 667);
    else if (d->episode == 1 || (d->episode == 4 && d->map == 8))
        take_effect(d, BOSS_LOWER_FLOOR, 666);
    else if (d->episode == 4 && d->map == 6)
        take_effect(d, BOSS_OPEN_DOOR, 666);
    else
        take_effect(d, BOSS_EXIT, 0);
}

void boss_keen_die(struct doom *d, struct mobj *mo)
{
    struct line junk = {.tag = 666};

    monster_fall(d, mo);
    if (monster_is_last(d, mo))
        door_do(d, &junk, DOOR_OPEN);
}
