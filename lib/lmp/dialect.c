/* SPDX-License-Identifier: ISC */
/* What a file is, by its first bytes: one row a dialect. Sources: doomwiki.org/wiki/Demo and the ports' own documents.
 */
#include "lmp/lmp.h"

#include <string.h>

#include "lmp/button.h"

#define RULES                                                                                              \
    "version:u8 skill:u8 episode:u8 level:u8 deathmatch:u8 respawn:u8 fast:u8 nomonsters:u8 viewpoint:u8 " \
    "player0:u8 player1:u8 player2:u8 player3:u8"
#define INPUT "forward:i8 side:i8 turn:i16 " LMP_BUTTON_SCHEMA

static const struct lmp_layout layouts[] = {
    {"Doom 1.9", 109, 13, 9, 4, 4, 1, RULES, INPUT},
    {"long turns", 111, 13, 9, 4, 5, 2, RULES, INPUT},
};

/* A row matches a first byte from lo to hi and, where it has a signature, those bytes at that place. The first match
 * counts: a signature stands before the plain byte that it refines. */
struct row {
    uint8_t lo, hi, at, len;
    const char *signature;
    struct lmp_dialect dialect;
};

#define ANY 0, 0, ""
#define AT(at, signature) at, sizeof(signature) - 1, signature
#define UNREAD true, NULL
#define READ(n) true, &layouts[n]
#define NO_DEMO false, NULL
#define A_WAD "a WAD: name a lump in it, as in FILE:DEMO1"

static const struct row rows[] = {
    {0, 0, AT(0, "\x00\x05\x16\x07"), {"an AppleDouble file (the companion that macOS writes)", NO_DEMO}},
    {0, 4, ANY, {"Doom up to 1.2, Heretic or Hexen", UNREAD}},
    {101, 101, ANY, {"Strife", UNREAD}},
    {104, 104, ANY, {"Doom 1.4", UNREAD}},
    {105, 105, ANY, {"Doom 1.5", UNREAD}},
    {106, 106, ANY, {"Doom 1.6 or 1.666", UNREAD}},
    {107, 107, ANY, {"Doom 1.7", UNREAD}},
    {108, 108, ANY, {"Doom 1.8", UNREAD}},
    {109, 109, ANY, {"Doom 1.9", READ(0)}},
    {110, 110, ANY, {"TASDoom", UNREAD}},
    {111, 111, ANY, {"long turns", READ(1)}},
    {129, 144, ANY, {"Doom Legacy", UNREAD}},
    {200, 202, ANY, {"Boom", UNREAD}},
    {203, 203, AT(2, "B"), {"LxDoom", UNREAD}},
    {203, 203, ANY, {"MBF", UNREAD}},
    {205, 207, ANY, {"CDoom", UNREAD}},
    {210, 214, ANY, {"PrBoom", UNREAD}},
    {221, 221, ANY, {"MBF21", UNREAD}},
    {255, 255, AT(1, "PR+UM"), {"PrBoom+um (extended header)", UNREAD}},
    {255, 255, AT(1, "\x1d\x44SDA"), {"dsda-doom (extended)", UNREAD}},
    {255, 255, AT(1, "ETERN"), {"Eternity", UNREAD}},
    {255, 255, AT(1, "OSRS2"), {"KEX Doom + Doom II", UNREAD}},
    {255, 255, ANY, {"a header behind a bare 255, as PrBoom+um 2.5.1.7 writes", UNREAD}},
    {'Z', 'Z', AT(0, "ZDEM"), {"ZDoom", UNREAD}},
    {'F', 'F', AT(8, "ZDEM"), {"ZDoom", UNREAD}},
    {'Z', 'Z', AT(0, "ZDD\0"), {"ZDaemon", UNREAD}},
    {'O', 'O', AT(0, "ODAD"), {"Odamex", UNREAD}},
    {'D', 'D', AT(0, "DM64"), {"Doom64 EX", UNREAD}},
    {'D', 'D', AT(0, "DHDM"), {"a record stream already", NO_DEMO}},
    {'d', 'd', AT(0, "dhdm "), {"a record stream already", NO_DEMO}},
    {'I', 'I', AT(0, "IWAD"), {A_WAD, NO_DEMO}},
    {'P', 'P', AT(0, "PWAD"), {A_WAD, NO_DEMO}},
    {'P', 'P', AT(0, "PK\x03\x04"), {"a zip archive", NO_DEMO}},
};

const struct lmp_dialect *lmp_recognise(const uint8_t *p, size_t n)
{
    for (size_t i = 0; n > 0 && i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *r = &rows[i];
        if (p[0] < r->lo || p[0] > r->hi)
            continue;
        if (r->len == 0 || (n >= (size_t)r->at + r->len && memcmp(p + r->at, r->signature, r->len) == 0))
            return &r->dialect;
    }
    return NULL;
}

const struct lmp_layout *lmp_layout_of(int64_t version)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].version == version)
            return &layouts[i];
    return NULL;
}
