/* SPDX-License-Identifier: GPL-2.0-or-later */
/* world.c - the Doom world's door: headers, joins and inputs in, events and snapshots out. */
#include "../world.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"
#include "play.h"
#include "snapshot.h"

struct dh_world {
    struct doom d;
    char map[9];
    bool started; /* the first level is loaded when the joins are known */
    bool ended;
    struct {
        int forward, side, turn, buttons, weapon, save, spare;
    } field; /* numbers in the stream's input schema */
    const struct dh_schema *input;
    const struct dh_schemas *schemas; /* of the incoming stream */
};

static int schemas(struct dh_schemas *s, struct dh_err *e)
{
    return member_schemas(s, e);
}

/* ---- which game it is -------------------------------------------------------------------------------------------- */

static bool named(const struct dh_file *f, const char *stem)
{
    size_t n = strlen(stem), i = 0;
    for (; i < n && tolower((unsigned char)f->name[i]) == stem[i]; i++)
        continue;
    return i == n && (f->name[n] == '\0' || f->name[n] == '.');
}

/* A "key=value" of the settings; NULL: it is not among them. */
static const char *setting(const struct dh_world_args *a, const char *key)
{
    const size_t n = strlen(key);
    for (const char *const *s = a->settings; s && *s; s++)
        if (strncmp(*s, key, n) == 0 && (*s)[n] == '=')
            return *s + n + 1;
    return NULL;
}

static const struct dh_file *the_iwad(const struct dh_world_args *a)
{
    for (int i = 0; i < a->nfiles; i++)
        if (strcmp(a->files[i].role, "iwad") == 0)
            return &a->files[i];
    return NULL;
}

/* Whether the IWAD has a lump; where there is no IWAD, whether any file has it. */
static bool iwad_has(const struct doom *d, const struct dh_world_args *a, const char *name)
{
    const struct dh_file *iwad = the_iwad(a);
    for (int i = 0; i < wad_count(d->wad); i++) {
        const struct lump *l = wad_lump(d->wad, i);
        if (strcmp(l->name, name) == 0 && (!iwad || &a->files[l->file] == iwad))
            return true;
    }
    return false;
}

/* The mission packs have Doom II's lumps: only the file's name tells, as it does for the ports. Otherwise the IWAD's
 * maps decide. */
static int identify(struct doom *d, const struct dh_world_args *a, struct dh_err *e)
{
    const struct dh_file *iwad = the_iwad(a);
    const bool chex = iwad && named(iwad, "chex"), hacx = iwad && named(iwad, "hacx");
    bool doom1 = false, doom2 = false;
    for (int i = 0; i < wad_count(d->wad) && !doom1 && !doom2; i++) {
        const struct lump *l = wad_lump(d->wad, i);
        if (iwad && &a->files[l->file] != iwad)
            continue;
        doom2 = strcmp(l->name, "MAP01") == 0;
        doom1 = strcmp(l->name, "E1M1") == 0;
    }
    if (!doom1 && !doom2)
        return dh_fail(e, DH_TROUBLE, "%s: neither MAP01 nor E1M1 in it: not a Doom IWAD",
                       iwad ? iwad->name : "the WAD files given");
    d->mission = doom1 ? MISSION_DOOM : MISSION_DOOM2;
    if (doom2 && iwad && named(iwad, "plutonia"))
        d->mission = MISSION_PLUTONIA;
    if (doom2 && iwad && named(iwad, "tnt"))
        d->mission = MISSION_TNT;
    if (doom2)
        d->mode = MODE_COMMERCIAL;
    else if (iwad_has(d, a, "E4M1"))
        d->mode = MODE_RETAIL;
    else
        d->mode = iwad_has(d, a, "E3M1") ? MODE_REGISTERED : MODE_SHAREWARE;
    return version_choose(d, setting(a, "game-version"),
                          chex   ? VERSION_CHEX
                          : hacx ? VERSION_HACX
                          /* the status bar of 1.0 and 1.1 is in two parts: what nyan-doom knows these by */
                          : iwad_has(d, a, "STMBARL") ? VERSION_DOOM_1_1
                                                      : VERSION_DOOM_1_9,
                          e);
}

/* ---- DEHACKED ---------------------------------------------------------------------------------------------------- */

static int load_lump(struct doom *d, const struct dh_world_args *a, int i, int flags, struct dh_err *e)
{
    const struct lump *l = wad_lump(d->wad, i);
    return deh_load(d, a->files[l->file].name, l->p, l->size, flags, e);
}

static bool is_patch(const struct doom *d, const struct dh_world_args *a, int i, const char *role)
{
    const struct lump *l = wad_lump(d->wad, i);
    return strcmp(l->name, "DEHACKED") == 0 && strcmp(a->files[l->file].role, role) == 0;
}

/* Freedoom's IWADs carry one without which they are not what they are; old ones had faults in it. Hacx has one too. */
static int load_iwad_patch(struct doom *d, const struct dh_world_args *a, struct dh_err *e)
{
    const bool hacx = d->version == VERSION_HACX, freedoom = iwad_has(d, a, "FREEDOOM");
    int i = wad_count(d->wad) - 1;
    if (!freedoom && !hacx)
        return 0;
    while (i >= 0 && !is_patch(d, a, i, "iwad"))
        i--;
    if (i >= 0)
        return load_lump(d, a, i, freedoom ? DEH_TOLERANT : DEH_LONGTEXT, e);
    return freedoom ? 0 : dh_fail(e, DH_TROUBLE, "Hacx: expected a lump DEHACKED in its IWAD, found none");
}

/* The IWAD's own, then those of the command line, then the PWADs' where they were asked for: the reference's order. */
static int load_dehacked(struct doom *d, const struct dh_world_args *a, struct dh_err *e)
{
    if (!setting(a, "nodeh") && load_iwad_patch(d, a, e) != 0)
        return -1;
    for (int i = 0; i < a->nfiles; i++)
        if (strcmp(a->files[i].role, "deh") == 0 &&
            deh_load(d, a->files[i].name, a->files[i].bytes, a->files[i].size, 0, e) != 0)
            return -1;
    for (int i = 0; i < wad_count(d->wad) && setting(a, "dehlump"); i++)
        if (is_patch(d, a, i, "pwad") && load_lump(d, a, i, 0, e) != 0)
            return -1;
    return 0;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static int rule(const struct dh_world_args *a, const char *name)
{
    const struct dh_schema *s = a->schemas->rule;
    return (int)dh_block_int(s, a->header->rules, a->header->rules_n, dh_schema_find(s, name));
}

/* A rule that headers before 1.4 do not have: the settings may say it. */
static bool flag(const struct dh_world_args *a, const char *name)
{
    const char *s = setting(a, name);
    return dh_schema_find(a->schemas->rule, name) >= 0 ? rule(a, name) != 0 : s && strcmp(s, "0") != 0;
}

static int read_rules(struct dh_world *w, const struct dh_world_args *a, struct dh_err *e)
{
    static const char *const needed[] = {"skill", "episode", "level"};
    struct doom *d = &w->d;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (dh_schema_find(a->schemas->rule, needed[i]) < 0)
            return dh_fail(e, DH_TROUBLE, "header: expected rule.%s for a game of Doom, found no such rule", needed[i]);
    d->demoversion = rule(a, "version");
    d->skill = rule(a, "skill");
    d->episode = rule(a, "episode");
    d->map = rule(a, "level");
    d->deathmatch = rule(a, "deathmatch");
    d->respawnparm = flag(a, "respawn");
    d->fastparm = flag(a, "fast");
    d->nomonsters = flag(a, "nomonsters");
    d->solonet = setting(a, "solo-net") != NULL;
    d->coopspawns = setting(a, "coop-spawns") != NULL;
    const char *address = setting(a, "spechit");
    d->line_address = address ? (uint32_t)strtoul(address, NULL, 10) : LINE_ADDRESS;
    d->consoleplayer = rule(a, "viewpoint") & (MAXPLAYERS - 1);
    return 0;
}

static int read_input_schema(struct dh_world *w, const struct dh_world_args *a, struct dh_err *e)
{
    const struct dh_schema *s = w->input = a->schemas->input;
    w->field.forward = dh_schema_find(s, "forward");
    w->field.side = dh_schema_find(s, "side");
    w->field.turn = dh_schema_find(s, "turn");
    w->field.buttons = dh_schema_find(s, "buttons");
    w->field.weapon = dh_schema_find(s, "weapon");
    w->field.save = dh_schema_find(s, "save");
    w->field.spare = dh_schema_find(s, "spare");
    if (w->field.forward < 0 || w->field.side < 0 || w->field.turn < 0 || w->field.buttons < 0)
        return dh_fail(
            e, DH_TROUBLE,
            "schema input: expected forward, side, turn and buttons for a game of Doom, found no such fields");
    return 0;
}

static void close_world(struct dh_world *w)
{
    if (!w)
        return;
    thinker_free_all(&w->d);
    level_free(&w->d);
    free(w->d.trace.v);
    tex_close(w->d.tex);
    wad_close(w->d.wad);
    free(w);
}

static int open_world(struct dh_world **out, const struct dh_world_args *a, const char **map, struct dh_err *e)
{
    struct dh_world *w = calloc(1, sizeof *w);
    if (!w)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    struct doom *d = &w->d;
    w->schemas = a->schemas;
    tables_init(d);
    thinker_init(d);
    for (int i = 0; i < MAXPLAYERS; i++)
        d->players[i].slot = i;
    if (!(d->wad = wad_open(a->files, a->nfiles, e)) || !(d->tex = tex_open(d->wad, e)) || read_rules(w, a, e) != 0 ||
        identify(d, a, e) != 0 || load_dehacked(d, a, e) != 0 || read_input_schema(w, a, e) != 0)
        goto fail;
    version_bound_rules(d);
    game_map_name(d, w->map);
    if (wad_find(d->wad, w->map) < 0) {
        dh_fail(e, DH_TROUBLE, "map %s (episode %d, level %d): not in the WAD files given", w->map, d->episode, d->map);
        goto fail;
    }
    *map = w->map;
    *out = w;
    return 0;
fail:
    close_world(w);
    return -1;
}

static int start(struct dh_world *w, struct dh_err *e)
{
    if (w->started)
        return 0;
    bool any = false;
    for (int i = 0; i < MAXPLAYERS; i++)
        any |= w->d.playeringame[i];
    if (!any)
        return dh_fail(e, DH_TROUBLE, "no player has joined: expected one of the slots 0-3 before the first tic");
    w->started = true;
    return game_start(&w->d, e);
}

/* ---- what happens at a tic --------------------------------------------------------------------------------------- */

static int join(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    if (r->slot >= MAXPLAYERS)
        return dh_fail(e, DH_TROUBLE, "join of slot %u: Doom has players 0-3", r->slot);
    if (w->started)
        return dh_fail(e, DH_TROUBLE, "join of slot %u in a running game: Doom's players are there from the start",
                       r->slot);
    w->d.playeringame[r->slot] = true;
    return 0;
}

static int leave(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    (void)w;
    return dh_fail(e, DH_TROUBLE, "leave of slot %u: no player leaves a Doom demo", r->slot);
}

/* The button byte is put together from its named parts as lmp2dh(1) takes it apart. */
static uint8_t button_byte(const struct dh_world *w, const struct dh_record *r)
{
#define PART(name) ((unsigned)dh_block_int(w->input, r->block, r->block_n, w->field.name))
    unsigned buttons = PART(buttons), weapon = PART(weapon), save = PART(save), byte = PART(spare);
    if (buttons & 4)
        byte |= BT_SPECIAL | BTS_PAUSE;
    else if (save)
        byte |= BT_SPECIAL | BTS_SAVEGAME | (save - 1) << 2;
    else
        byte |= (buttons & (BT_ATTACK | BT_USE)) | (weapon ? BT_CHANGE | (weapon - 1) << BT_WEAPONSHIFT : 0);
#undef PART
    return (uint8_t)byte;
}

static int input(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    if (r->slot >= MAXPLAYERS || !w->d.playeringame[r->slot])
        return dh_fail(e, DH_TROUBLE, "input of slot %u, which has not joined", r->slot);
    if (start(w, e) != 0) /* a player who appears has pressed nothing yet */
        return -1;
    struct ticcmd *cmd = &w->d.players[r->slot].cmd;
    cmd->forward = (int8_t)dh_block_int(w->input, r->block, r->block_n, w->field.forward);
    cmd->side = (int8_t)dh_block_int(w->input, r->block, r->block_n, w->field.side);
    cmd->turn = (int16_t)dh_block_int(w->input, r->block, r->block_n, w->field.turn);
    cmd->buttons = button_byte(w, r);
    return 0;
}

static int tick(struct dh_world *w, uint32_t t, struct dh_world_events *ev, struct dh_err *e)
{
    (void)t;
    if (start(w, e) != 0)
        return -1;
    w->d.events = ev;
    int result = game_tick(&w->d, e);
    w->d.events = NULL;
    return result;
}

static int snapshot(struct dh_world *w, uint32_t t, int first_type, struct dh_state *st, struct dh_err *e)
{
    (void)t;
    if (start(w, e) != 0)
        return -1;
    snapshot_put(&w->d, first_type, st);
    return 0;
}

static int restore(struct dh_world *w, const struct dh_record *r, struct dh_err *e)
{
    if (w->started)
        return dh_fail(e, DH_TROUBLE, "a state is restored before the first tic only");
    if (restore_prepare(&w->d, w->schemas, r, e) != 0 || start(w, e) != 0)
        return -1;
    return restore_get(&w->d, w->schemas, r, e);
}

/* A coordinate as the stream's other ones are written: the exact decimal. */
static void pair_fix(struct dh_buf *b, const char *key, fixed v)
{
    const struct dh_field f = {.type = DH_FIX};
    struct dh_buf bytes = {0}, text = {0};
    dh_put_u32(&bytes, (uint32_t)v);
    if (!bytes.failed)
        dh_value_text(&text, NULL, &f, bytes.p, bytes.n);
    dh_build_event_pair(b, key, "%.*s", (int)text.n, (const char *)text.p);
    dh_buf_free(&bytes);
    dh_buf_free(&text);
}

static void final(struct dh_world *w, uint32_t t, struct dh_world_events *ev)
{
    for (int i = 0; i < MAXPLAYERS; i++) {
        const struct mobj *mo = w->d.players[i].mo;
        struct dh_buf *b;
        if (!w->d.playeringame[i] || !mo || !(b = dh_world_event(ev)))
            continue;
        dh_build_event(b, t, "final", (uint16_t)i);
        pair_fix(b, "x", mo->x);
        pair_fix(b, "y", mo->y);
        pair_fix(b, "z", mo->z);
        dh_build_event_pair(b, "angle", "0x%08lx", (unsigned long)mo->angle);
        dh_build_event_pair(b, "health", "%d", w->d.players[i].health);
        dh_build_event_pair(b, "rng", "%d", w->d.prndindex);
    }
}

static const char *follows(const struct dh_world *w)
{
    return version_name(&w->d);
}

const struct dh_world_ops dh_world_doom = {
    .game = "doom",
    .rate = TICRATE,
    .schemas = schemas,
    .open = open_world,
    .join = join,
    .leave = leave,
    .input = input,
    .tick = tick,
    .snapshot = snapshot,
    .restore = restore,
    .final = final,
    .follows = follows,
    .close = close_world,
};
