/* SPDX-License-Identifier: ISC */
/* The command line that a port leaves in its footer: what a replay needs of it. */
#include "lmp/footer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 1024, MAX_FILES = 64 };

enum takes { NOTHING, NUMBER, WORD, FILE_NAME, FILE_NAMES, SETTING };

static const struct {
    const char *flag;
    enum takes takes;
    const char *option;
} flags[] = {
    {"-iwad", FILE_NAME, "iwad"},
    {"-file", FILE_NAMES, "pwad"},
    {"-deh", FILE_NAMES, "deh"},
    {"-bex", FILE_NAMES, "deh"},
    {"-complevel", WORD, "complevel"},
    {"-gameversion", WORD, "gameversion"},
    {"-emulate", WORD, "emulate"},
    {"-solo-net", NOTHING, "solo_net"},
    {"-coop_spawns", NOTHING, "coop_spawns"},
    {"-coopspawns", NOTHING, "coop_spawns"},
    {"-chain_episodes", NOTHING, "chain_episodes"},
    {"-respawn", NOTHING, "respawn"},
    {"-fast", NOTHING, "fast"},
    {"-nomonsters", NOTHING, "nomonsters"},
    {"-pistolstart", NOTHING, "pistolstart"},
    {"-longtics", NOTHING, "longtics"},
    {"-turbo", NUMBER, "turbo"},
    {"-spechit", NUMBER, "spechit"},
    {"-set", SETTING, NULL},
};

struct words {
    const char *p, *end;
    char word[MAX_WORD];
    bool quoted; /* so that "-file" in quotes is a name */
};

/* The next word: up to a blank, or between quotes. A word that is longer than any name is cut. */
static bool next(struct words *w)
{
    size_t n = 0;

    while (w->p < w->end && (*w->p == ' ' || *w->p == '\t' || *w->p == '\n' || *w->p == '\r' || *w->p == '\0'))
        w->p++;
    if (w->p == w->end)
        return false;
    w->quoted = *w->p == '"';
    if (w->quoted)
        w->p++;
    while (w->p < w->end && (w->quoted ? *w->p != '"' : *w->p != ' ' && *w->p != '\n' && *w->p != '\0')) {
        if (n < sizeof w->word - 1)
            w->word[n++] = *w->p;
        w->p++;
    }
    if (w->quoted && w->p < w->end)
        w->p++;
    w->word[n] = '\0';
    return true;
}

static bool is_number(const char *s)
{
    s += *s == '-';
    return *s != '\0' && strspn(s, "0123456789") == strlen(s) && strlen(s) < 19;
}

static void set(struct lmp_options *o, const char *name, const char *value)
{
    if (is_number(value))
        lmp_options_number(o, name, DH_I64, strtoll(value, NULL, 10));
    else
        lmp_options_text(o, name, value, strlen(value));
}

/* name=value */
static void setting(struct lmp_options *o, struct words *w)
{
    char *sign = strchr(w->word, '=');

    if (!sign)
        return;
    *sign = '\0';
    set(o, w->word, sign + 1);
}

static void file_names(struct lmp_options *o, struct words *w, const char *option)
{
    char name[32];
    int i = 0;

    do
        snprintf(name, sizeof name, "%s%d", option, i++);
    while (lmp_options_find(o, name) && i < MAX_FILES);
    lmp_options_text(o, name, w->word, strlen(w->word));
}

void lmp_cmdline_read(struct lmp_options *o, const char *p, size_t n)
{
    struct words w = {.p = p, .end = p + n};
    enum takes takes = NOTHING;
    const char *option = NULL;

    while (next(&w)) {
        bool flag = !w.quoted && w.word[0] == '-' && !((takes == NUMBER || takes == WORD) && is_number(w.word));

        if (flag) {
            takes = NOTHING;
            for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
                if (strcmp(w.word, flags[i].flag) == 0) {
                    takes = flags[i].takes;
                    option = flags[i].option;
                    if (takes == NOTHING)
                        lmp_options_number(o, option, DH_U8, 1);
                }
            continue;
        }
        switch (takes) {
        case NOTHING:
            break;
        case SETTING:
            setting(o, &w);
            break;
        case FILE_NAMES:
            file_names(o, &w, option);
            continue;
        case FILE_NAME:
            lmp_options_text(o, option, w.word, strlen(w.word));
            break;
        case NUMBER:
        case WORD:
            set(o, option, w.word);
            break;
        }
        takes = NOTHING;
    }
}
