/* SPDX-License-Identifier: ISC */
/* The list of fields, the chain of players, the layout of a header; what the converters do with whole files is in
 * 22-blood.bats. */
#include "t.h"

#include "dem/header.h"

/* The offsets of the page that the layout is from, written out anew. */
static void fields_stand_where_they_should(void)
{
    static const struct {
        const char *name;
        int offset, size;
    } want[] = {
        {"versionMinor", 4, 1},
        {"versionMajor", 5, 1},
        {"nBuild", 6, 4},
        {"nInputCount", 10, 4},
        {"nNetPlayers", 14, 4},
        {"nMyConnectIndex", 18, 2},
        {"nConnectHead", 20, 2},
        {"connectPoint0", 22, 2},
        {"connectPoint7", 36, 2},
        {"nGameType", 38, 1},
        {"nDifficulty", 39, 1},
        {"nEpisode", 40, 4},
        {"nLevel", 44, 4},
        {"zLevelName", 48, 144},
        {"zLevelSong", 192, 144},
        {"nTrackNumber", 336, 4},
        {"szSaveGameName", 340, 16},
        {"szUserGameName", 356, 16},
        {"nSaveGameSlot", 372, 2},
        {"picEntry", 374, 4},
        {"uMapCRC", 378, 4},
        {"nMonsterSettings", 382, 1},
        {"uGameFlags", 383, 4},
        {"uNetGameFlags", 387, 4},
        {"nWeaponSettings", 391, 1},
        {"nTeamSettings", 394, 1},
        {"nMonsterRespawnTime", 395, 4},
        {"nSpecialRespawnTime", 407, 4},
    };

    CHECK_INT(dem_header_size(true), 411);
    CHECK_INT(dem_header_size(false), 407);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        size_t size = 0;
        CHECK_INT(dem_offset(dem_header_fields(true), want[i].name, &size), want[i].offset - DEM_MAGIC_SIZE);
        CHECK_INT(size, want[i].size);
        if (want[i].offset > 6)
            CHECK_INT(dem_offset(dem_header_fields(false), want[i].name, &size), want[i].offset - DEM_MAGIC_SIZE - 4);
    }
    size_t size;
    CHECK_INT(dem_offset(dem_header_fields(false), "nBuild", &size), -1);

    static const char *const names[] = {"sync", "forward", "turn",      "strafe", "buttons",
                                        "keys", "use",     "newWeapon", "mlook"};
    static const int offsets[] = {0, 4, 5, 7, 8, 12, 16, 20, 21};
    for (int minor = 0; minor <= 21; minor += 21)
        for (int i = 0; i < 9; i++)
            CHECK_INT(dem_offset(dem_input_fields(1, (uint8_t)minor), names[i], &size), offsets[i]);
    CHECK(dem_input_fields(1, 0).list != dem_input_fields(1, 21).list);
    CHECK(dem_input_fields(1, 2).list == dem_input_fields(1, 21).list);
}

/* A block of an input is the file's bytes, so that most records need no work. */
static void a_block_is_the_files_bytes(void)
{
    uint8_t bytes[DEM_INPUT_SIZE];
    struct dh_buf text = {0}, block = {0}, back = {0};
    struct dh_schemas *s = dh_schemas_new();
    struct dh_err e;

    for (int i = 0; i < DEM_INPUT_SIZE; i++)
        bytes[i] = (uint8_t)(255 - i);
    dem_schema_text(&text, dem_input_fields(1, 21));
    CHECK_INT(dh_schemas_add(s, "input", (const char *)text.p, &e), 0);
    CHECK_INT(s->input->size, DEM_INPUT_SIZE);
    dem_to_block(&block, dem_input_fields(1, 21), bytes);
    CHECK_INT(block.n, DEM_INPUT_SIZE);
    CHECK_MEM(block.p, bytes, DEM_INPUT_SIZE);
    CHECK_INT(dem_from_block(&back, dem_input_fields(1, 21), s->input, block.p, block.n, &e), 0);
    CHECK_MEM(back.p, bytes, DEM_INPUT_SIZE);
    dh_buf_free(&text);
    dh_buf_free(&block);
    dh_buf_free(&back);
    dh_schemas_free(s);
}

static int walk(int head, int a, int b, int c, int *bad)
{
    const int next[DEM_MAX_PLAYERS] = {a, b, c, -1, -1, -1, -1, -1};
    uint8_t chain[DEM_MAX_PLAYERS];

    return dem_walk_chain(head, next, chain, bad);
}

static void chains_are_walked_with_care(void)
{
    int bad;

    CHECK_INT(walk(0, -1, 9, 9, &bad), 1); /* what it does not come to is not looked at */
    CHECK_INT(walk(0, 1, 2, -32768, &bad), 3);
    CHECK_INT(walk(2, -1, 0, 1, &bad), 3);
    CHECK_INT(walk(7, 0, 0, 0, &bad), 1);
    CHECK_INT(walk(-1, 0, 0, 0, &bad), 0);
    CHECK(bad < 0);
    CHECK_INT(walk(0, 0, 0, 0, &bad), 0);
    CHECK_INT(bad, 0);
    CHECK_INT(walk(0, 1, 2, 1, &bad), 0);
    CHECK_INT(bad, 1);
    CHECK_INT(walk(0, 8, 0, 0, &bad), 0);
    CHECK_INT(bad, 8);
    CHECK_INT(walk(32767, 0, 0, 0, &bad), 0);
}

static void magics(void)
{
    CHECK_INT(dem_recognise((const uint8_t *)"DEM\x1a", 4), DEM_DEMO);
    CHECK_INT(dem_recognise((const uint8_t *)"EDM\x1a", 4), DEM_PRIVATE);
    CHECK_INT(dem_recognise((const uint8_t *)"DEM\x1a", 3), DEM_NOT);
    CHECK_INT(dem_recognise((const uint8_t *)"DEM\x1b", 4), DEM_NOT);
}

int main(void)
{
    T_RUN(fields_stand_where_they_should);
    T_RUN(a_block_is_the_files_bytes);
    T_RUN(chains_are_walked_with_care);
    T_RUN(magics);
    return t_done();
}
