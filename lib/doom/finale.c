/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finale.c - closing texts, the art screens of Doom 1, and the cast of Doom II. */
#include "play.h"

enum { STAGE_TEXT, STAGE_ART, STAGE_CAST };
#define TEXT_SPEED 3 /* tics a character */
#define TEXT_WAIT 250

/*
 * The texts' lengths in characters: of them the tics read no more, and only in Doom 1. A DEHACKED lump's [STRINGS] may
 * change those of Doom 1; its old-style Text sections are not looked at, as they name a text by its words.
 */
static const struct {
    uint8_t mission;
    int8_t episode, map; /* episode 0: any */
    int16_t length;
} texts[] = {
    {MISSION_DOOM, 1, 8, 440},      {MISSION_DOOM, 2, 8, 466},      {MISSION_DOOM, 3, 8, 492},
    {MISSION_DOOM, 4, 8, 503},      {MISSION_DOOM2, 0, 6, 405},     {MISSION_DOOM2, 0, 11, 617},
    {MISSION_DOOM2, 0, 20, 312},    {MISSION_DOOM2, 0, 30, 494},    {MISSION_DOOM2, 0, 15, 164},
    {MISSION_DOOM2, 0, 31, 92},     {MISSION_TNT, 0, 6, 389},       {MISSION_TNT, 0, 11, 310},
    {MISSION_TNT, 0, 20, 309},      {MISSION_TNT, 0, 30, 385},      {MISSION_TNT, 0, 15, 173},
    {MISSION_TNT, 0, 31, 353},      {MISSION_PLUTONIA, 0, 6, 433},  {MISSION_PLUTONIA, 0, 11, 193},
    {MISSION_PLUTONIA, 0, 20, 328}, {MISSION_PLUTONIA, 0, 30, 460}, {MISSION_PLUTONIA, 0, 15, 159},
    {MISSION_PLUTONIA, 0, 31, 106},
};

/* Where there is no text for the map, that of the last one stays. */
void finale_start(struct doom *d)
{
    d->gameaction = GA_NOTHING;
    d->gamestate = GS_FINALE;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].mission != d->mission || texts[i].map != d->map)
            continue;
        if (texts[i].episode && texts[i].episode != d->episode)
            continue;
        d->fin.textlen = texts[i].length;
        if (texts[i].episode && d->deh_textlen[texts[i].episode - 1])
            d->fin.textlen = d->deh_textlen[texts[i].episode - 1];
    }
    d->fin.stage = STAGE_TEXT;
    d->fin.count = 0;
}

/* ---- the cast: every monster walks, attacks and dies in turn ----------------------------------------------------- */

static const uint8_t cast[CAST_SIZE] = {
    T_Zombieman, T_ShotgunGuy, T_ChaingunGuy,      T_Imp,         T_Demon,         T_LostSoul,
    T_Cacodemon, T_HellKnight, T_BaronOfHell,      T_Arachnotron, T_PainElemental, T_Revenant,
    T_Mancubus,  T_ArchVile,   T_SpiderMastermind, T_Cyberdemon,  T_Marine,
};

static const struct thing_info *cast_info(const struct doom *d)
{
    return &d->things[cast[d->fin.cast_num]];
}

static void cast_start(struct doom *d)
{
    struct finale *f = &d->fin;
    f->stage = STAGE_CAST;
    f->cast_num = 0;
    f->cast_state = cast_info(d)->frame.see;
    f->cast_tics = d->frames[f->cast_state].tics;
    f->cast_death = false;
    f->cast_frames = 0;
    f->cast_onmelee = false;
    f->cast_attacking = false;
}

static void cast_stop_attack(struct doom *d)
{
    d->fin.cast_attacking = false;
    d->fin.cast_frames = 0;
    d->fin.cast_state = cast_info(d)->frame.see;
}

/* The two attacks take turns; who has only one does that. */
static void cast_attack(struct doom *d)
{
    struct finale *f = &d->fin;
    const struct thing_info *info = cast_info(d);
    f->cast_attacking = true;
    f->cast_state = f->cast_onmelee ? info->frame.melee : info->frame.missile;
    f->cast_onmelee = !f->cast_onmelee;
    if (f->cast_state == S_NONE)
        f->cast_state = f->cast_onmelee ? info->frame.melee : info->frame.missile;
}

static void cast_tick(struct doom *d)
{
    struct finale *f = &d->fin;
    if (--f->cast_tics > 0)
        return;

    const struct frame_info *now = &d->frames[f->cast_state];
    if (now->tics == -1 || now->next == S_NONE) {
        f->cast_num = (f->cast_num + 1) % (int)(sizeof cast / sizeof *cast);
        f->cast_death = false;
        f->cast_state = cast_info(d)->frame.see;
        f->cast_frames = 0;
    } else if (f->cast_state == S_PLAY_ATK1) {
        /* the marine's attack ends here, or it would go on to stand still for ever */
        cast_stop_attack(d);
        goto tics;
    } else {
        f->cast_state = now->next;
        f->cast_frames++;
    }

    if (f->cast_frames == 12)
        cast_attack(d);
    if (f->cast_attacking && (f->cast_frames == 24 || f->cast_state == cast_info(d)->frame.see))
        cast_stop_attack(d);
tics:
    f->cast_tics = d->frames[f->cast_state].tics;
    if (f->cast_tics == -1)
        f->cast_tics = 15;
}

/* ---- the tic ----------------------------------------------------------------------------------------------------- */

/* Held buttons count, and those of players who are not in the game. */
static bool any_button(const struct doom *d)
{
    for (int i = 0; i < MAXPLAYERS; i++)
        if (d->players[i].cmd.buttons)
            return true;
    return false;
}

void finale_tick(struct doom *d)
{
    struct finale *f = &d->fin;

    if (d->mode == MODE_COMMERCIAL && f->count > 50 && any_button(d)) {
        if (d->map == 30)
            cast_start(d); /* at each such tic: a held button keeps the first of the cast on the stage */
        else
            d->gameaction = GA_WORLDDONE;
    }
    f->count++;
    if (f->stage == STAGE_CAST) {
        cast_tick(d);
        return;
    }
    if (d->mode == MODE_COMMERCIAL)
        return;
    /* Doom 1 ends here: nothing leads on from the art screen */
    if (f->stage == STAGE_TEXT && f->count > f->textlen * TEXT_SPEED + TEXT_WAIT) {
        f->count = 0;
        f->stage = STAGE_ART;
    }
}
