/* SPDX-License-Identifier: ISC */
/* The columns of a demo's row, and a length as three of them. */
#include "info/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

static const struct row_heading headings[INFO_COLUMNS] = {
    [INFO_FILE] = {"file", "file", ROW_TEXT, NULL},
    [INFO_FORMAT] = {"format", "format", ROW_TEXT, NULL},
    [INFO_GAME] = {"game", "game", ROW_TEXT, NULL},
    [INFO_DIALECT] = {"dialect", "dialect", ROW_TEXT, NULL},
    [INFO_ENGINE] = {"engine", "engine", ROW_TEXT, NULL},
    [INFO_MAP] = {"map", "map", ROW_TEXT, NULL},
    [INFO_SKILL] = {"skill", "skill", ROW_NUMBER, NULL},
    [INFO_MODE] = {"mode", "mode", ROW_TEXT, NULL},
    [INFO_PLAYERS] = {"players", "players", ROW_NUMBER, NULL},
    [INFO_SLOTS] = {"slots", "slots", ROW_NUMBERS, NULL},
    [INFO_VIEW] = {"viewpoint", "viewpoint", ROW_NUMBER, NULL},
    [INFO_TICS] = {"tics", "tics", ROW_NUMBER, NULL},
    [INFO_RATE] = {"rate", "tics/second", ROW_NUMBER, NULL},
    [INFO_TIME] = {"time", "time", ROW_TEXT, NULL},
    [INFO_FLAGS] = {"flags", "flags", ROW_LIST, NULL},
    [INFO_IWAD] = {"iwad", "iwad", ROW_TEXT, NULL},
    [INFO_FILES] = {"files", "files", ROW_LIST, NULL},
    [INFO_FOOTER] = {"footer", "footer", ROW_TEXT, NULL},
    [INFO_COMMAND] = {"command", "command line", ROW_TEXT, NULL},
    [INFO_STATES] = {"checkpoints", "checkpoints", ROW_NUMBER, NULL},
    [INFO_REPLAYED] = {"snapshots", "snapshots", ROW_NUMBER, NULL},
    [INFO_END] = {"end", "end", ROW_TEXT, NULL},
    [INFO_TURBO] = {"turbo", "turbo speeds", ROW_NUMBER, NULL},
    [INFO_STRAFE50] = {"strafe50", "strafe-50 turns", ROW_NUMBER, NULL},
    [INFO_ONETIC] = {"onetic", "one-tic turns", ROW_NUMBER, NULL},
    [INFO_NOTES] = {"notes", "odd", ROW_NOTES, NULL},
};

const struct row_shape info_shape = {headings, INFO_COLUMNS};

void info_length(struct row *i, uint64_t tics, double rate)
{
    char text[64];

    row_number(i, INFO_TICS, (int64_t)tics);
    if (!(rate >= 0.01 && rate <= 1e6)) /* whatever a header may say */
        return;
    uint64_t bits, cc = (uint64_t)((double)tics * 100.0 / rate), s = cc / 100;
    memcpy(&bits, &rate, sizeof bits);
    dh_buf_clear(&i->v[INFO_RATE]);
    dh_text_f64(&i->v[INFO_RATE], bits);
    snprintf(text, sizeof text, "%" PRIu64 ":%02d:%02d.%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60),
             (int)(cc % 100));
    row_string(i, INFO_TIME, text);
}
