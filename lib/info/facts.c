/* SPDX-License-Identifier: ISC */
#include "info/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_FILES = 64 };

static int64_t number(const struct facts *f, bool option, const char *name, int64_t otherwise)
{
    int64_t v;
    return f->number(f->ctx, option, name, &v) ? v : otherwise;
}

static int64_t rule(const struct facts *f, const char *name, int64_t otherwise)
{
    return number(f, false, name, otherwise);
}

static bool empty(const struct row *i, enum info_column c)
{
    return i->v[c].n == 0;
}

static void copy_option(struct row *i, enum info_column c, const struct facts *f, const char *name)
{
    struct dh_str s;
    if (empty(i, c) && f->text(f->ctx, true, name, &s))
        row_text(i, c, s.p, s.n);
}

static bool is(const struct facts *f, const char *game)
{
    return strcmp(f->game, game) == 0;
}

/* ---- the map ----------------------------------------------------------------------------------------------------- */

/* Whether the name of an IWAD (its path and ending do not matter) says that the maps are numbered through. */
static bool iwad_is(const struct dh_str *s, const char *const *names)
{
    size_t from = s->n, end;

    while (from > 0 && s->p[from - 1] != '/' && s->p[from - 1] != '\\')
        from--;
    for (end = from; end < s->n && s->p[end] != '.';)
        end++;
    for (; *names; names++)
        if (strlen(*names) == end - from && strncasecmp(*names, s->p + from, end - from) == 0)
            return true;
    return false;
}

static void put_map(struct row *i, const struct facts *f)
{
    static const char *const numbered[] = {"doom2", "doom2f", "tnt", "plutonia", "freedoom2", "freedm", "hacx", NULL};
    static const char *const episodes[] = {"doom", "doom1", "doomu", "ultdoom", "freedoom1", "chex", "chex3", NULL};
    static const char *const own[] = {"map", "um_map"};
    struct dh_str s;
    int64_t episode = rule(f, "episode", 1), level;
    char text[64];

    for (int k = 0; k < 2; k++)
        if (f->text(f->ctx, false, own[k], &s) && s.n > 0) {
            row_text(i, INFO_MAP, s.p, s.n);
            return;
        }
    if (!f->number(f->ctx, false, "level", &level))
        return;
    bool iwad = f->text(f->ctx, true, "iwad", &s);
    bool through = is(f, "hexen") || is(f, "strife") || (iwad && iwad_is(&s, numbered));
    bool split = is(f, "heretic") || (iwad && iwad_is(&s, episodes));
    if (through || (!split && level > 9))
        snprintf(text, sizeof text, "MAP%02" PRId64, level);
    else if (split || episode != 1)
        snprintf(text, sizeof text, "E%" PRId64 "M%" PRId64, episode, level);
    else /* which of the two is the IWAD's to say */
        snprintf(text, sizeof text, "E1M%" PRId64 " or MAP%02" PRId64, level, level);
    row_string(i, INFO_MAP, text);
}

/* ---- how it is played -------------------------------------------------------------------------------------------- */

static void put_mode(struct row *i, const struct facts *f, unsigned players)
{
    static const char *const deaths[] = {NULL, "deathmatch", "altdeath", "deathmatch 3"};
    static const char *const eternity[] = {"single", "coop", "deathmatch"}; /* its byte is the type of game */
    int64_t v = rule(f, "deathmatch", 0);
    const char *mode = players > 1 ? "coop" : number(f, true, "solo_net", 0) ? "solo-net" : "single";

    if (is(f, "eternity"))
        mode = v >= 0 && v < 3 ? eternity[v] : NULL;
    else if (v != 0)
        mode = v > 0 && v < 4 ? deaths[v] : "deathmatch";
    if (mode)
        row_string(i, INFO_MODE, mode);
}

static void put_flags(struct row *i, const struct facts *f)
{
    static const char *const header[] = {"respawn", "fast", "nomonsters"};
    static const char *const footer[] = {"coop_spawns", "chain_episodes", "pistolstart", "longtics"};
    static const char *const valued[] = {"complevel", "gameversion", "emulate", "turbo", "spechit"};
    /* Ports of Heretic and Hexen have them in player 1's byte (dh-dialects(7)). */
    static const struct {
        int64_t bit;
        const char *name;
    } raven[] = {{0x20, "respawn"}, {0x02, "nomonsters"}, {0x10, "longtics"}};
    bool old = is(f, "heretic") || is(f, "hexen");
    int64_t v;

    for (int k = 0; k < 3; k++) {
        int64_t byte = rule(f, header[k], 0);
        if (byte != 0 || number(f, true, header[k], 0) != 0)
            row_item(i, INFO_FLAGS, "%s", header[k]);
        if (byte != 0 && byte != 1)
            row_item(i, INFO_NOTES, "the byte for %s is %" PRId64 ", not 1", header[k], byte);
    }
    for (int k = 0; old && k < 3; k++)
        if (rule(f, "player0", 0) & raven[k].bit)
            row_item(i, INFO_FLAGS, "%s", raven[k].name);
    for (size_t k = 0; k < sizeof footer / sizeof footer[0]; k++)
        if (number(f, true, footer[k], 0) != 0)
            row_item(i, INFO_FLAGS, "%s", footer[k]);
    for (size_t k = 0; k < sizeof valued / sizeof valued[0]; k++) {
        struct dh_str s;
        if (f->number(f->ctx, true, valued[k], &v))
            row_item(i, INFO_FLAGS, "%s=%" PRId64, valued[k], v);
        else if (f->text(f->ctx, true, valued[k], &s))
            row_item(i, INFO_FLAGS, "%s=%.*s", valued[k], (int)(s.n < 256 ? s.n : 256), s.p);
    }
}

static void put_files(struct row *i, const struct facts *f)
{
    static const char *const sorts[] = {"pwad", "deh"};
    struct dh_str s;
    char name[32];

    copy_option(i, INFO_IWAD, f, "iwad");
    if (!empty(i, INFO_FILES)) /* resources say it better */
        return;
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < MAX_FILES; n++) {
            snprintf(name, sizeof name, "%s%d", sorts[k], n);
            if (!f->text(f->ctx, true, name, &s))
                break;
            row_item(i, INFO_FILES, "%.*s", (int)(s.n < 1000 ? s.n : 1000), s.p);
        }
}

void facts_doom(struct row *i, const struct facts *f, unsigned players)
{
    struct dh_str s;
    int64_t v;

    copy_option(i, INFO_ENGINE, f, "port");
    if (empty(i, INFO_MAP))
        put_map(i, f);
    if (f->number(f->ctx, false, "skill", &v)) {
        row_number(i, INFO_SKILL, v + 1);
        put_mode(i, f, players);
    }
    if (f->number(f->ctx, false, "viewpoint", &v))
        row_number(i, INFO_VIEW, v);
    put_flags(i, f);
    put_files(i, f);
    copy_option(i, INFO_FOOTER, f, "footer");
    copy_option(i, INFO_COMMAND, f, "cmdline");
    if (f->text(f->ctx, true, "signature", &s) && s.n == 7 && memcmp(s.p, "invalid", 7) == 0)
        row_item(i, INFO_NOTES, "the footer's signature does not fit the demo: it was edited");
    if (f->text(f->ctx, true, "features", &s) && s.n > 0)
        row_item(i, INFO_NOTES, "features used: %.*s", (int)(s.n < 500 ? s.n : 500), s.p);
}

/* ---- Blood ------------------------------------------------------------------------------------------------------- */

void facts_blood(struct row *i, const struct facts *f)
{
    static const char *const types[] = {"single", "coop", "bloodbath", "teams"};
    static const char *const builds[] = {NULL, NULL, "shareware", "registered", "plasmapak"};
    int64_t minor = rule(f, "versionMinor", 0), build = rule(f, "nBuild", 0), type = rule(f, "nGameType", -1), v;
    const char *what = build >= 2 && build <= 4 ? builds[build] : NULL;
    struct dh_str s;
    char text[96];

    snprintf(text, sizeof text, "Blood %" PRId64 ".%02" PRId64 "%s%s", rule(f, "versionMajor", 0), minor,
             what ? " " : "", what ? what : "");
    row_string(i, INFO_ENGINE, text);
    if (empty(i, INFO_MAP) && f->text(f->ctx, false, "zLevelName", &s))
        row_text(i, INFO_MAP, s.p, s.n);
    if (f->number(f->ctx, false, "nDifficulty", &v))
        row_number(i, INFO_SKILL, v + 1);
    if (type >= 0 && type < 4)
        row_string(i, INFO_MODE, types[type]);
    if (f->number(f->ctx, false, "nMyConnectIndex", &v))
        row_number(i, INFO_VIEW, v);
}
