/* SPDX-License-Identifier: ISC */
/* A row: its columns, and how they are filled. */
#include "info/info.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

const struct info_heading info_headings[INFO_COLUMNS] = {
    [INFO_FILE] = {"file", "file", INFO_TEXT},
    [INFO_FORMAT] = {"format", "format", INFO_TEXT},
    [INFO_GAME] = {"game", "game", INFO_TEXT},
    [INFO_DIALECT] = {"dialect", "dialect", INFO_TEXT},
    [INFO_ENGINE] = {"engine", "engine", INFO_TEXT},
    [INFO_MAP] = {"map", "map", INFO_TEXT},
    [INFO_SKILL] = {"skill", "skill", INFO_NUMBER},
    [INFO_MODE] = {"mode", "mode", INFO_TEXT},
    [INFO_PLAYERS] = {"players", "players", INFO_NUMBER},
    [INFO_SLOTS] = {"slots", "slots", INFO_LIST},
    [INFO_VIEW] = {"viewpoint", "viewpoint", INFO_NUMBER},
    [INFO_TICS] = {"tics", "tics", INFO_NUMBER},
    [INFO_RATE] = {"rate", "tics/second", INFO_NUMBER},
    [INFO_TIME] = {"time", "time", INFO_TEXT},
    [INFO_FLAGS] = {"flags", "flags", INFO_LIST},
    [INFO_IWAD] = {"iwad", "iwad", INFO_TEXT},
    [INFO_FILES] = {"files", "files", INFO_LIST},
    [INFO_FOOTER] = {"footer", "footer", INFO_TEXT},
    [INFO_COMMAND] = {"command", "command line", INFO_TEXT},
    [INFO_STATES] = {"checkpoints", "checkpoints", INFO_NUMBER},
    [INFO_REPLAYED] = {"snapshots", "snapshots", INFO_NUMBER},
    [INFO_END] = {"end", "end", INFO_TEXT},
    [INFO_TURBO] = {"turbo", "turbo speeds", INFO_NUMBER},
    [INFO_STRAFE50] = {"strafe50", "strafe-50 turns", INFO_NUMBER},
    [INFO_ONETIC] = {"onetic", "one-tic turns", INFO_NUMBER},
    [INFO_NOTES] = {"notes", "odd", INFO_LIST},
};

void info_clear(struct info *i)
{
    for (int c = 0; c < INFO_COLUMNS; c++) {
        dh_buf_clear(&i->v[c]);
        i->v[c].failed = false;
    }
}

void info_free(struct info *i)
{
    for (int c = 0; c < INFO_COLUMNS; c++)
        dh_buf_free(&i->v[c]);
}

bool info_failed(const struct info *i)
{
    for (int c = 0; c < INFO_COLUMNS; c++)
        if (i->v[c].failed)
            return true;
    return false;
}

void info_text(struct info *i, enum info_column c, const char *p, size_t n)
{
    dh_buf_clear(&i->v[c]);
    dh_put_bytes(&i->v[c], p, n);
}

void info_string(struct info *i, enum info_column c, const char *s)
{
    info_text(i, c, s, strlen(s));
}

void info_number(struct info *i, enum info_column c, int64_t v)
{
    dh_buf_clear(&i->v[c]);
    dh_text_signed(&i->v[c], v);
}

void info_length(struct info *i, uint64_t tics, double rate)
{
    char text[64];

    info_number(i, INFO_TICS, (int64_t)tics);
    if (!(rate >= 0.01 && rate <= 1e6)) /* whatever a header may say */
        return;
    uint64_t bits, cc = (uint64_t)((double)tics * 100.0 / rate), s = cc / 100;
    memcpy(&bits, &rate, sizeof bits);
    dh_buf_clear(&i->v[INFO_RATE]);
    dh_text_f64(&i->v[INFO_RATE], bits);
    snprintf(text, sizeof text, "%" PRIu64 ":%02d:%02d.%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60),
             (int)(cc % 100));
    info_string(i, INFO_TIME, text);
}

void info_item(struct info *i, enum info_column c, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    dh_put_bytes(&i->v[c], text, strlen(text) + 1);
}
