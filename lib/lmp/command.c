/* SPDX-License-Identifier: ISC */
#include "lmp/command.h"

#include <stdio.h>
#include <string.h>

#include "lmp/button.h"

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* How a column stands in the input block. */
static const struct {
    const char *name;
    uint8_t width;
} columns[LMP_COLUMNS] = {
    [LMP_FORWARD] = {"forward", 1},     [LMP_SIDE] = {"side", 1},          [LMP_TURN] = {"turn", 2},
    [LMP_BUTTONS] = {"buttons", 1},     [LMP_WEAPON] = {"weapon", 1},      [LMP_SAVE] = {"save", 1},
    [LMP_SPARE] = {"spare", 1},         [LMP_LOOK] = {"look", 2},          [LMP_FLY] = {"fly", 1},
    [LMP_ARTIFACT] = {"artifact", 1},   [LMP_ACTIONS] = {"actions", 1},    [LMP_BUTTONS2] = {"buttons2", 1},
    [LMP_INVENTORY] = {"inventory", 1}, [LMP_SAVE_SLOT] = {"saveslot", 1}, [LMP_LOAD_SLOT] = {"loadslot", 1},
    [LMP_ITEM] = {"item", 2},           [LMP_WEAPON_ID] = {"weaponid", 2}, [LMP_WEAPON_SLOT] = {"weaponslot", 1},
    [LMP_MOVES] = {"moves", 1},         [LMP_PITCH] = {"pitch", 2},        [LMP_RANDOM] = {"random", 1},
};

/* What a part's bytes become: its columns in their order, and their schema (%s: the names of the weapons). The action
 * byte of dsda says itself what follows it. */
enum { DSDA_SAVE = 0x02, DSDA_LOAD = 0x04, DSDA_LOOK = 0x20 };

static const struct {
    uint8_t size, ncolumns;
    uint8_t column[4];
    const char *schema;
} parts[LMP_PARTS] = {
    [LMP_PART_FORWARD] = {1, 1, {LMP_FORWARD}, "forward:i8"},
    [LMP_PART_SIDE] = {1, 1, {LMP_SIDE}, "side:i8"},
    [LMP_PART_TURN] = {1, 1, {LMP_TURN}, "turn:i16"},
    [LMP_PART_BUTTONS] = {1, 4, {LMP_BUTTONS, LMP_WEAPON, LMP_SAVE, LMP_SPARE}, LMP_BUTTON_SCHEMA},
    [LMP_PART_LOOKFLY] = {1, 2, {LMP_LOOK, LMP_FLY}, "look:i16 fly:i8"},
    [LMP_PART_ARTIFACT] = {1, 1, {LMP_ARTIFACT}, "artifact:u8"},
    [LMP_PART_HEXEN_ARTIFACT] = {1, 2, {LMP_ARTIFACT, LMP_MOVES}, "artifact:u8 moves:flags8(suicide,jump)"},
    [LMP_PART_BUTTONS2] = {1, 1, {LMP_BUTTONS2}, "buttons2:flags8(lookup,lookdown,center,use,drop,jump,,health)"},
    [LMP_PART_INVENTORY] = {1, 1, {LMP_INVENTORY}, "inventory:u8"},
    [LMP_PART_ACTIONS] = {1, 1, {LMP_ACTIONS}, "actions:flags8(jump,reload,zoom)"},
    [LMP_PART_LOOK8] = {1, 1, {LMP_LOOK}, "look:i16"},
    [LMP_PART_LOOK16] = {2, 1, {LMP_LOOK}, "look:i16"},
    [LMP_PART_FLY] = {1, 1, {LMP_FLY}, "fly:i8"},
    [LMP_PART_ITEM] = {2, 1, {LMP_ITEM}, "item:u16"},
    [LMP_PART_WEAPON_ID] = {2, 1, {LMP_WEAPON_ID}, "weaponid:u16"},
    [LMP_PART_WEAPON_SLOT] = {1, 1, {LMP_WEAPON_SLOT}, "weaponslot:u8"},
    [LMP_PART_RANDOM] = {1, 1, {LMP_RANDOM}, "random:u8"},
    [LMP_PART_DSDA] = {1,
                       4,
                       {LMP_ACTIONS, LMP_SAVE_SLOT, LMP_LOAD_SLOT, LMP_PITCH},
                       "actions:flags8(jump,save,load,god,noclip,look) saveslot:u8 loadslot:u8 pitch:i16"},
};

/* ---- the layout of one demo -------------------------------------------------------------------------------------- */

static void add(struct lmp_command *c, const struct lmp_place *place, int64_t version, const char *weapons)
{
    char text[256];

    for (; place->part != LMP_PART_END && c->nparts < LMP_MAX_PARTS; place++) {
        if ((place->since && version < place->since) || (place->before && version >= place->before))
            continue;
        c->part[c->nparts++] = (uint8_t)place->part;
        c->size = (uint8_t)(c->size + parts[place->part].size + (place->part == LMP_PART_TURN && c->long_turns));
        c->varies |= place->part == LMP_PART_DSDA;
        for (int i = 0; i < parts[place->part].ncolumns; i++)
            c->column[c->ncolumns++] = parts[place->part].column[i];
        /* The one schema that varies has one %s. */
        if (place->part == LMP_PART_BUTTONS)
            snprintf(text, sizeof text, LMP_BUTTON_SCHEMA, weapons);
        else
            snprintf(text, sizeof text, "%s", parts[place->part].schema);
        size_t n = strlen(c->schema);
        snprintf(c->schema + n, sizeof c->schema - n, "%s%s", n ? " " : "", text);
    }
}

void lmp_command_init(struct lmp_command *c, const struct lmp_layout *l, const struct lmp_layout *wrapper,
                      int64_t version, bool long_turns)
{
    memset(c, 0, sizeof *c);
    c->long_turns = long_turns;
    c->artifacts = l->artifacts;
    add(c, l->command, version, l->weapons);
    if (wrapper)
        add(c, wrapper->command, version, l->weapons);
    c->longest = (uint8_t)(c->size + (c->varies ? 4 : 0));
}

static size_t dsda_extra(uint8_t actions)
{
    return (size_t) !!(actions & DSDA_SAVE) + (size_t) !!(actions & DSDA_LOAD) + (actions & DSDA_LOOK ? 2u : 0u);
}

size_t lmp_command_size(const struct lmp_command *c, const uint8_t *p, size_t n)
{
    size_t size = c->size;

    if (n < size)
        return 0;
    if (c->varies)
        size += dsda_extra(p[size - 1]);
    return n < size ? 0 : size;
}

const char *lmp_column_name(const struct lmp_command *c, enum lmp_column column)
{
    return memchr(c->column, (int)column, (size_t)c->ncolumns) ? columns[column].name : NULL;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static int32_t s16(const uint8_t *p)
{
    return (int16_t)(p[0] | p[1] << 8);
}

static int32_t u16(const uint8_t *p)
{
    return p[0] | p[1] << 8;
}

static int32_t nibble(int v)
{
    return v > 7 ? v - 16 : v;
}

static const uint8_t *read_part(enum lmp_part part, bool long_turns, const uint8_t *p, int32_t *v)
{
    switch (part) {
    case LMP_PART_TURN:
        v[LMP_TURN] = long_turns ? s16(p) : (int16_t)(p[0] << 8);
        return p + 1 + long_turns;
    case LMP_PART_BUTTONS: {
        struct lmp_buttons b = lmp_buttons_split(*p);
        v[LMP_BUTTONS] = b.buttons;
        v[LMP_WEAPON] = b.weapon;
        v[LMP_SAVE] = b.save;
        v[LMP_SPARE] = b.spare;
        return p + 1;
    }
    case LMP_PART_LOOKFLY:
        v[LMP_LOOK] = nibble(*p & 15);
        v[LMP_FLY] = nibble(*p >> 4);
        return p + 1;
    case LMP_PART_HEXEN_ARTIFACT:
        v[LMP_ARTIFACT] = *p & 0x3f;
        v[LMP_MOVES] = *p >> 6;
        return p + 1;
    case LMP_PART_LOOK16:
        v[LMP_LOOK] = s16(p);
        return p + 2;
    case LMP_PART_ITEM:
    case LMP_PART_WEAPON_ID:
        v[parts[part].column[0]] = u16(p);
        return p + 2;
    case LMP_PART_DSDA:
        v[LMP_ACTIONS] = *p++;
        if (v[LMP_ACTIONS] & DSDA_SAVE)
            v[LMP_SAVE_SLOT] = *p++;
        if (v[LMP_ACTIONS] & DSDA_LOAD)
            v[LMP_LOAD_SLOT] = *p++;
        if (v[LMP_ACTIONS] & DSDA_LOOK) {
            v[LMP_PITCH] = s16(p);
            p += 2;
        }
        return p;
    case LMP_PART_FORWARD:
    case LMP_PART_SIDE:
    case LMP_PART_LOOK8:
    case LMP_PART_FLY:
        v[parts[part].column[0]] = (int8_t)*p;
        return p + 1;
    default:
        v[parts[part].column[0]] = *p;
        return p + 1;
    }
}

void lmp_command_read(const struct lmp_command *c, const uint8_t *p, int32_t v[LMP_COLUMNS])
{
    memset(v, 0, LMP_COLUMNS * sizeof *v);
    for (int i = 0; i < c->nparts; i++)
        p = read_part((enum lmp_part)c->part[i], c->long_turns, p, v);
}

size_t lmp_command_block(const struct lmp_command *c, const int32_t v[LMP_COLUMNS], uint8_t *block)
{
    size_t n = 0;

    for (int i = 0; i < c->ncolumns; i++) {
        int32_t value = v[c->column[i]];

        block[n++] = (uint8_t)value;
        if (columns[c->column[i]].width == 2)
            block[n++] = (uint8_t)(value >> 8);
    }
    return n;
}

bool lmp_command_odd(const struct lmp_command *c, const int32_t v[LMP_COLUMNS])
{
    return v[LMP_SPARE] != 0 || (c->artifacts && v[LMP_ARTIFACT] > c->artifacts);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static int outside(struct dh_err *e, const char *name, int32_t v, int lo, int hi)
{
    return dh_fail(e, DH_TROUBLE, "%s=%d: expected %d to %d", name, (int)v, lo, hi);
}

/* A column that has no place unless its bit is set would be lost. */
static int unasked(struct dh_err *e, const int32_t *v, enum lmp_column column, const char *action)
{
    return dh_fail(e, DH_TROUBLE, "%s=%d without actions=%s", columns[column].name, (int)v[column], action);
}

static int write_dsda(const int32_t *v, struct dh_buf *out, struct dh_err *e)
{
    int32_t actions = v[LMP_ACTIONS];

    if (v[LMP_SAVE_SLOT] && !(actions & DSDA_SAVE))
        return unasked(e, v, LMP_SAVE_SLOT, "save");
    if (v[LMP_LOAD_SLOT] && !(actions & DSDA_LOAD))
        return unasked(e, v, LMP_LOAD_SLOT, "load");
    if (v[LMP_PITCH] && !(actions & DSDA_LOOK))
        return unasked(e, v, LMP_PITCH, "look");
    dh_put_u8(out, (uint8_t)actions);
    if (actions & DSDA_SAVE)
        dh_put_u8(out, (uint8_t)v[LMP_SAVE_SLOT]);
    if (actions & DSDA_LOAD)
        dh_put_u8(out, (uint8_t)v[LMP_LOAD_SLOT]);
    if (actions & DSDA_LOOK)
        dh_put_u16(out, (uint16_t)v[LMP_PITCH]);
    return 0;
}

static int write_buttons(const int32_t *v, struct dh_buf *out, struct dh_err *e)
{
    struct lmp_buttons b = {(uint8_t)v[LMP_BUTTONS], (uint8_t)v[LMP_WEAPON], (uint8_t)v[LMP_SAVE],
                            (uint8_t)v[LMP_SPARE]};
    int byte = lmp_buttons_join(b);

    if (byte < 0)
        return dh_fail(e, DH_TROUBLE, "no button byte has buttons %d, weapon %d, save %d and spare 0x%02x together",
                       b.buttons, b.weapon, b.save, b.spare);
    dh_put_u8(out, (uint8_t)byte);
    return 0;
}

static int write_part(const struct lmp_command *c, enum lmp_part part, const int32_t *v, struct dh_buf *out,
                      struct dh_err *e)
{
    int32_t value = v[parts[part].column[0]];

    switch (part) {
    case LMP_PART_TURN:
        if (c->long_turns)
            dh_put_u16(out, (uint16_t)value);
        else if (value & 0xff)
            return dh_fail(e, DH_TROUBLE, "turn=%d does not fit its byte: expected a multiple of 256", (int)value);
        else
            dh_put_u8(out, (uint8_t)(value >> 8));
        return 0;
    case LMP_PART_BUTTONS:
        return write_buttons(v, out, e);
    case LMP_PART_LOOKFLY:
        if (v[LMP_LOOK] < -8 || v[LMP_LOOK] > 7)
            return outside(e, "look", v[LMP_LOOK], -8, 7);
        if (v[LMP_FLY] < -8 || v[LMP_FLY] > 7)
            return outside(e, "fly", v[LMP_FLY], -8, 7);
        dh_put_u8(out, (uint8_t)((v[LMP_LOOK] & 15) | (v[LMP_FLY] & 15) << 4));
        return 0;
    case LMP_PART_HEXEN_ARTIFACT:
        if (v[LMP_ARTIFACT] > 0x3f)
            return outside(e, "artifact", v[LMP_ARTIFACT], 0, 0x3f);
        if (v[LMP_MOVES] > 3)
            return outside(e, "moves", v[LMP_MOVES], 0, 3);
        dh_put_u8(out, (uint8_t)(v[LMP_ARTIFACT] | v[LMP_MOVES] << 6));
        return 0;
    case LMP_PART_LOOK8:
        if (value < -128 || value > 127)
            return outside(e, "look", value, -128, 127);
        dh_put_u8(out, (uint8_t)value);
        return 0;
    case LMP_PART_LOOK16:
    case LMP_PART_ITEM:
    case LMP_PART_WEAPON_ID:
        dh_put_u16(out, (uint16_t)value);
        return 0;
    case LMP_PART_DSDA:
        return write_dsda(v, out, e);
    default:
        dh_put_u8(out, (uint8_t)value);
        return 0;
    }
}

int lmp_command_write(const struct lmp_command *c, const int32_t v[LMP_COLUMNS], struct dh_buf *out, struct dh_err *e)
{
    for (int i = 0; i < c->nparts; i++)
        if (write_part(c, (enum lmp_part)c->part[i], v, out, e) < 0)
            return -1;
    return 0;
}
