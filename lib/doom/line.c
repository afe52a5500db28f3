/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.c - the line specials: one table says how each number is triggered, by whom, how often, and what it does.
 *
 * The numbers are the map format's. Whoever calls has found that the line was crossed, used or hit.
 */
#include "play.h"

enum trigger { BY_NOTHING, BY_WALK, BY_SWITCH, BY_HAND, BY_SHOT };
enum { ONCE, AGAIN };
/* Besides players. Walked lines: monsters and whatever else moves. */
enum { PLAYERS, ANYONE, OTHERS };

struct event {
    struct line *line;
    struct mobj *mo;
    int side;
};

typedef bool (*effect)(struct doom *d, const struct event *e, int arg);

struct line_special {
    uint8_t trigger, again, who;
    int16_t arg;
    effect run; /* true: something moved, so a switch is pressed */
};

static bool run_door(struct doom *d, const struct event *e, int arg)
{
    return door_do(d, e->line, (enum door_type)arg);
}

static bool run_locked(struct doom *d, const struct event *e, int arg)
{
    return door_locked(d, e->line, (enum door_type)arg, e->mo);
}

static bool run_manual(struct doom *d, const struct event *e, int arg)
{
    (void)arg;
    door_manual(d, e->line, e->mo);
    return false;
}

static bool run_floor(struct doom *d, const struct event *e, int arg)
{
    return floor_do(d, e->line, (enum floor_type)arg);
}

static bool run_ceiling(struct doom *d, const struct event *e, int arg)
{
    /* up to 1.1 the switch lowers and does not crush (recreated, P_UseSpecialLine) */
    if (e->line->special == 49 && d->version < VERSION_DOOM_1_2)
        arg = CEIL_LOWERANDCRUSH;
    return ceiling_do(d, e->line, (enum ceiling_type)arg);
}

/* 40 opens both ways, the ceiling first: by then the sector moves, so that the floor never does. */
static bool run_ceiling_floor(struct doom *d, const struct event *e, int arg)
{
    (void)arg;
    ceiling_do(d, e->line, CEIL_RAISETOHIGHEST);
    return floor_do(d, e->line, FLOOR_LOWERTOLOWEST);
}

static bool run_crush_stop(struct doom *d, const struct event *e, int arg)
{
    (void)arg;
    return ceiling_crush_stop(d, e->line);
}

static bool run_plat(struct doom *d, const struct event *e, int arg)
{
    return plat_do(d, e->line, (enum plat_type)arg, 0);
}

/* arg: by how many units it rises */
static bool run_plat_by(struct doom *d, const struct event *e, int arg)
{
    return plat_do(d, e->line, PLAT_RAISEANDCHANGE, arg);
}

static bool run_plat_stop(struct doom *d, const struct event *e, int arg)
{
    (void)arg;
    plat_stop(d, e->line);
    return false;
}

static bool run_stairs(struct doom *d, const struct event *e, int arg)
{
    return stairs_build(d, e->line, (enum stair_type)arg);
}

static bool run_donut(struct doom *d, const struct event *e, int arg)
{
    (void)arg;
    return floor_donut(d, e->line);
}

static bool run_light(struct doom *d, const struct event *e, int arg)
{
    light_turn_on(d, e->line, arg);
    return true;
}

static bool run_strobe(struct doom *d, const struct event *e, int arg)
{
    (void)arg;
    light_start_strobing(d, e->line);
    return true;
}

static bool run_dark(struct doom *d, const struct event *e, int arg)
{
    (void)arg;
    light_turn_off_tagged(d, e->line);
    return true;
}

static bool run_teleport(struct doom *d, const struct event *e, int arg)
{
    (void)arg;
    return teleport_do(d, e->line, e->side, e->mo);
}

/* arg: 1 for the secret exit */
static bool run_exit(struct doom *d, const struct event *e, int arg)
{
    (void)e;
    if (arg)
        game_secret_exit_level(d);
    else
        game_exit_level(d);
    return true;
}

static const struct line_special specials[] = {
    /* walked over, once */
    [2] = {BY_WALK, ONCE, PLAYERS, DOOR_OPEN, run_door},
    [3] = {BY_WALK, ONCE, PLAYERS, DOOR_CLOSE, run_door},
    [4] = {BY_WALK, ONCE, ANYONE, DOOR_NORMAL, run_door},
    [5] = {BY_WALK, ONCE, PLAYERS, FLOOR_RAISE, run_floor},
    [6] = {BY_WALK, ONCE, PLAYERS, CEIL_FASTCRUSH, run_ceiling},
    [8] = {BY_WALK, ONCE, PLAYERS, STAIR_BUILD8, run_stairs},
    [10] = {BY_WALK, ONCE, ANYONE, PLAT_DOWNWAITUP, run_plat},
    [12] = {BY_WALK, ONCE, PLAYERS, 0, run_light},
    [13] = {BY_WALK, ONCE, PLAYERS, 255, run_light},
    [16] = {BY_WALK, ONCE, PLAYERS, DOOR_CLOSE30, run_door},
    [17] = {BY_WALK, ONCE, PLAYERS, 0, run_strobe},
    [19] = {BY_WALK, ONCE, PLAYERS, FLOOR_LOWER, run_floor},
    [22] = {BY_WALK, ONCE, PLAYERS, PLAT_RAISETONEAREST, run_plat},
    [25] = {BY_WALK, ONCE, PLAYERS, CEIL_CRUSHANDRAISE, run_ceiling},
    [30] = {BY_WALK, ONCE, PLAYERS, FLOOR_RAISETOTEXTURE, run_floor},
    [35] = {BY_WALK, ONCE, PLAYERS, 35, run_light},
    [36] = {BY_WALK, ONCE, PLAYERS, FLOOR_TURBOLOWER, run_floor},
    [37] = {BY_WALK, ONCE, PLAYERS, FLOOR_LOWERANDCHANGE, run_floor},
    [38] = {BY_WALK, ONCE, PLAYERS, FLOOR_LOWERTOLOWEST, run_floor},
    [39] = {BY_WALK, ONCE, ANYONE, 0, run_teleport},
    [40] = {BY_WALK, ONCE, PLAYERS, 0, run_ceiling_floor},
    [44] = {BY_WALK, ONCE, PLAYERS, CEIL_LOWERANDCRUSH, run_ceiling},
    [52] = {BY_WALK, AGAIN, PLAYERS, 0, run_exit},
    [53] = {BY_WALK, ONCE, PLAYERS, PLAT_PERPETUAL, run_plat},
    [54] = {BY_WALK, ONCE, PLAYERS, 0, run_plat_stop},
    [56] = {BY_WALK, ONCE, PLAYERS, FLOOR_RAISECRUSH, run_floor},
    [57] = {BY_WALK, ONCE, PLAYERS, 0, run_crush_stop},
    [58] = {BY_WALK, ONCE, PLAYERS, FLOOR_RAISE24, run_floor},
    [59] = {BY_WALK, ONCE, PLAYERS, FLOOR_RAISE24ANDCHANGE, run_floor},
    [100] = {BY_WALK, ONCE, PLAYERS, STAIR_TURBO16, run_stairs},
    [104] = {BY_WALK, ONCE, PLAYERS, 0, run_dark},
    [108] = {BY_WALK, ONCE, PLAYERS, DOOR_BLAZERAISE, run_door},
    [109] = {BY_WALK, ONCE, PLAYERS, DOOR_BLAZEOPEN, run_door},
    [110] = {BY_WALK, ONCE, PLAYERS, DOOR_BLAZECLOSE, run_door},
    [119] = {BY_WALK, ONCE, PLAYERS, FLOOR_RAISETONEAREST, run_floor},
    [121] = {BY_WALK, ONCE, PLAYERS, PLAT_BLAZE, run_plat},
    [124] = {BY_WALK, AGAIN, PLAYERS, 1, run_exit},
    [125] = {BY_WALK, ONCE, OTHERS, 0, run_teleport},
    [130] = {BY_WALK, ONCE, PLAYERS, FLOOR_RAISETURBO, run_floor},
    [141] = {BY_WALK, ONCE, PLAYERS, CEIL_SILENTCRUSH, run_ceiling},

    /* walked over, again and again */
    [72] = {BY_WALK, AGAIN, PLAYERS, CEIL_LOWERANDCRUSH, run_ceiling},
    [73] = {BY_WALK, AGAIN, PLAYERS, CEIL_CRUSHANDRAISE, run_ceiling},
    [74] = {BY_WALK, AGAIN, PLAYERS, 0, run_crush_stop},
    [75] = {BY_WALK, AGAIN, PLAYERS, DOOR_CLOSE, run_door},
    [76] = {BY_WALK, AGAIN, PLAYERS, DOOR_CLOSE30, run_door},
    [77] = {BY_WALK, AGAIN, PLAYERS, CEIL_FASTCRUSH, run_ceiling},
    [79] = {BY_WALK, AGAIN, PLAYERS, 35, run_light},
    [80] = {BY_WALK, AGAIN, PLAYERS, 0, run_light},
    [81] = {BY_WALK, AGAIN, PLAYERS, 255, run_light},
    [82] = {BY_WALK, AGAIN, PLAYERS, FLOOR_LOWERTOLOWEST, run_floor},
    [83] = {BY_WALK, AGAIN, PLAYERS, FLOOR_LOWER, run_floor},
    [84] = {BY_WALK, AGAIN, PLAYERS, FLOOR_LOWERANDCHANGE, run_floor},
    [86] = {BY_WALK, AGAIN, PLAYERS, DOOR_OPEN, run_door},
    [87] = {BY_WALK, AGAIN, PLAYERS, PLAT_PERPETUAL, run_plat},
    [88] = {BY_WALK, AGAIN, ANYONE, PLAT_DOWNWAITUP, run_plat},
    [89] = {BY_WALK, AGAIN, PLAYERS, 0, run_plat_stop},
    [90] = {BY_WALK, AGAIN, PLAYERS, DOOR_NORMAL, run_door},
    [91] = {BY_WALK, AGAIN, PLAYERS, FLOOR_RAISE, run_floor},
    [92] = {BY_WALK, AGAIN, PLAYERS, FLOOR_RAISE24, run_floor},
    [93] = {BY_WALK, AGAIN, PLAYERS, FLOOR_RAISE24ANDCHANGE, run_floor},
    [94] = {BY_WALK, AGAIN, PLAYERS, FLOOR_RAISECRUSH, run_floor},
    [95] = {BY_WALK, AGAIN, PLAYERS, PLAT_RAISETONEAREST, run_plat},
    [96] = {BY_WALK, AGAIN, PLAYERS, FLOOR_RAISETOTEXTURE, run_floor},
    [97] = {BY_WALK, AGAIN, ANYONE, 0, run_teleport},
    [98] = {BY_WALK, AGAIN, PLAYERS, FLOOR_TURBOLOWER, run_floor},
    [105] = {BY_WALK, AGAIN, PLAYERS, DOOR_BLAZERAISE, run_door},
    [106] = {BY_WALK, AGAIN, PLAYERS, DOOR_BLAZEOPEN, run_door},
    [107] = {BY_WALK, AGAIN, PLAYERS, DOOR_BLAZECLOSE, run_door},
    [120] = {BY_WALK, AGAIN, PLAYERS, PLAT_BLAZE, run_plat},
    [126] = {BY_WALK, AGAIN, OTHERS, 0, run_teleport},
    [128] = {BY_WALK, AGAIN, PLAYERS, FLOOR_RAISETONEAREST, run_floor},
    [129] = {BY_WALK, AGAIN, PLAYERS, FLOOR_RAISETURBO, run_floor},

    /* doors opened by hand; door.c knows their locks and which of them work once */
    [1] = {BY_HAND, AGAIN, ANYONE, 0, run_manual},
    [26] = {BY_HAND, AGAIN, PLAYERS, 0, run_manual},
    [27] = {BY_HAND, AGAIN, PLAYERS, 0, run_manual},
    [28] = {BY_HAND, AGAIN, PLAYERS, 0, run_manual},
    [31] = {BY_HAND, ONCE, PLAYERS, 0, run_manual},
    [32] = {BY_HAND, ONCE, ANYONE, 0, run_manual}, /* monsters may try, without a key */
    [33] = {BY_HAND, ONCE, ANYONE, 0, run_manual},
    [34] = {BY_HAND, ONCE, ANYONE, 0, run_manual},
    [117] = {BY_HAND, AGAIN, PLAYERS, 0, run_manual},
    [118] = {BY_HAND, ONCE, PLAYERS, 0, run_manual},

    /* switches */
    [7] = {BY_SWITCH, ONCE, PLAYERS, STAIR_BUILD8, run_stairs},
    [9] = {BY_SWITCH, ONCE, PLAYERS, 0, run_donut},
    [11] = {BY_SWITCH, ONCE, PLAYERS, 0, run_exit},
    [14] = {BY_SWITCH, ONCE, PLAYERS, 32, run_plat_by},
    [15] = {BY_SWITCH, ONCE, PLAYERS, 24, run_plat_by},
    [18] = {BY_SWITCH, ONCE, PLAYERS, FLOOR_RAISETONEAREST, run_floor},
    [20] = {BY_SWITCH, ONCE, PLAYERS, PLAT_RAISETONEAREST, run_plat},
    [21] = {BY_SWITCH, ONCE, PLAYERS, PLAT_DOWNWAITUP, run_plat},
    [23] = {BY_SWITCH, ONCE, PLAYERS, FLOOR_LOWERTOLOWEST, run_floor},
    [29] = {BY_SWITCH, ONCE, PLAYERS, DOOR_NORMAL, run_door},
    [41] = {BY_SWITCH, ONCE, PLAYERS, CEIL_LOWERTOFLOOR, run_ceiling},
    [49] = {BY_SWITCH, ONCE, PLAYERS, CEIL_CRUSHANDRAISE, run_ceiling},
    [50] = {BY_SWITCH, ONCE, PLAYERS, DOOR_CLOSE, run_door},
    [51] = {BY_SWITCH, ONCE, PLAYERS, 1, run_exit},
    [55] = {BY_SWITCH, ONCE, PLAYERS, FLOOR_RAISECRUSH, run_floor},
    [71] = {BY_SWITCH, ONCE, PLAYERS, FLOOR_TURBOLOWER, run_floor},
    [101] = {BY_SWITCH, ONCE, PLAYERS, FLOOR_RAISE, run_floor},
    [102] = {BY_SWITCH, ONCE, PLAYERS, FLOOR_LOWER, run_floor},
    [103] = {BY_SWITCH, ONCE, PLAYERS, DOOR_OPEN, run_door},
    [111] = {BY_SWITCH, ONCE, PLAYERS, DOOR_BLAZERAISE, run_door},
    [112] = {BY_SWITCH, ONCE, PLAYERS, DOOR_BLAZEOPEN, run_door},
    [113] = {BY_SWITCH, ONCE, PLAYERS, DOOR_BLAZECLOSE, run_door},
    [122] = {BY_SWITCH, ONCE, PLAYERS, PLAT_BLAZE, run_plat},
    [127] = {BY_SWITCH, ONCE, PLAYERS, STAIR_TURBO16, run_stairs},
    [131] = {BY_SWITCH, ONCE, PLAYERS, FLOOR_RAISETURBO, run_floor},
    [133] = {BY_SWITCH, ONCE, PLAYERS, DOOR_BLAZEOPEN, run_locked},
    [135] = {BY_SWITCH, ONCE, PLAYERS, DOOR_BLAZEOPEN, run_locked},
    [137] = {BY_SWITCH, ONCE, PLAYERS, DOOR_BLAZEOPEN, run_locked},
    [140] = {BY_SWITCH, ONCE, PLAYERS, FLOOR_RAISE512, run_floor},

    /* buttons */
    [42] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_CLOSE, run_door},
    [43] = {BY_SWITCH, AGAIN, PLAYERS, CEIL_LOWERTOFLOOR, run_ceiling},
    [45] = {BY_SWITCH, AGAIN, PLAYERS, FLOOR_LOWER, run_floor},
    [60] = {BY_SWITCH, AGAIN, PLAYERS, FLOOR_LOWERTOLOWEST, run_floor},
    [61] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_OPEN, run_door},
    [62] = {BY_SWITCH, AGAIN, PLAYERS, PLAT_DOWNWAITUP, run_plat},
    [63] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_NORMAL, run_door},
    [64] = {BY_SWITCH, AGAIN, PLAYERS, FLOOR_RAISE, run_floor},
    [65] = {BY_SWITCH, AGAIN, PLAYERS, FLOOR_RAISECRUSH, run_floor},
    [66] = {BY_SWITCH, AGAIN, PLAYERS, 24, run_plat_by},
    [67] = {BY_SWITCH, AGAIN, PLAYERS, 32, run_plat_by},
    [68] = {BY_SWITCH, AGAIN, PLAYERS, PLAT_RAISETONEAREST, run_plat},
    [69] = {BY_SWITCH, AGAIN, PLAYERS, FLOOR_RAISETONEAREST, run_floor},
    [70] = {BY_SWITCH, AGAIN, PLAYERS, FLOOR_TURBOLOWER, run_floor},
    [99] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_BLAZEOPEN, run_locked},
    [114] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_BLAZERAISE, run_door},
    [115] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_BLAZEOPEN, run_door},
    [116] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_BLAZECLOSE, run_door},
    [123] = {BY_SWITCH, AGAIN, PLAYERS, PLAT_BLAZE, run_plat},
    [132] = {BY_SWITCH, AGAIN, PLAYERS, FLOOR_RAISETURBO, run_floor},
    [134] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_BLAZEOPEN, run_locked},
    [136] = {BY_SWITCH, AGAIN, PLAYERS, DOOR_BLAZEOPEN, run_locked},
    [138] = {BY_SWITCH, AGAIN, PLAYERS, 255, run_light},
    [139] = {BY_SWITCH, AGAIN, PLAYERS, 35, run_light},

    /* shot at */
    [24] = {BY_SHOT, ONCE, PLAYERS, FLOOR_RAISE, run_floor},
    [46] = {BY_SHOT, AGAIN, ANYONE, DOOR_OPEN, run_door},
    [47] = {BY_SHOT, ONCE, PLAYERS, PLAT_RAISETONEAREST, run_plat},
};

/* The special of a line if it is triggered this way by that mobj (a voodoo doll is a player), or NULL. */
static const struct line_special *find(const struct line *l, const struct mobj *mo, enum trigger trigger)
{
    if (l->special < 0 || l->special >= (int)(sizeof specials / sizeof *specials))
        return NULL;
    const struct line_special *sp = &specials[l->special];
    if (sp->trigger != trigger || sp->who == (mo->player ? OTHERS : PLAYERS))
        return NULL;
    return sp;
}

/* Missiles that trigger nothing since 1.4. The list is the executable's: those of later monsters are not in it, and do.
 */
static bool never_triggers(int type)
{
    switch (type) {
    case T_Rocket:
    case T_PlasmaBall:
    case T_BFGBall:
    case T_ImpFireball:
    case T_CacodemonFireball:
    case T_BaronFireball:
        return true;
    default:
        return false;
    }
}

void line_cross(struct doom *d, struct line *l, int side, struct mobj *mo)
{
    /* 1.2 does not have the later numbers, and lets any missile trigger (chocolate-doom, P_CrossSpecialLine) */
    if (d->version <= VERSION_DOOM_1_2 ? l->special > 98 && l->special != 104 : !mo->player && never_triggers(mo->type))
        return;
    const struct line_special *sp = find(l, mo, BY_WALK);
    if (!sp)
        return;
    sp->run(d, &(struct event){.line = l, .mo = mo, .side = side}, sp->arg);
    /* up to 1.1 the exit, too (recreated, P_CrossSpecialLine) */
    if (sp->again == ONCE || (l->special == 52 && d->version < VERSION_DOOM_1_2))
        l->special = 0; /* used up, even where nothing came of it */
}

/* 99, 100 and those after 104 came with 1.4 and Doom II (recreated, P_UseSpecialLine). chocolate-doom's 1.2 has them.
 */
static bool to_come(const struct doom *d, const struct line *l)
{
    return d->version < VERSION_DOOM_1_2 && (l->special == 99 || l->special == 100 || l->special > 104);
}

bool line_use(struct doom *d, struct mobj *mo, struct line *l, int side)
{
    /* Only fronts work. The executable lets the back of a secret exit line pass for the sake of a door that never was;
     * it does nothing. */
    if (side && l->special != 124)
        return false;
    const bool hand = l->special >= 0 && l->special < (int)(sizeof specials / sizeof *specials) &&
                      specials[l->special].trigger == BY_HAND;
    const struct line_special *sp = to_come(d, l) ? NULL : find(l, mo, hand ? BY_HAND : BY_SWITCH);
    /* a monster is told whether there was something that it may use: it waits for the door then */
    if (!mo->player && (!sp || (l->flags & ML_SECRET)))
        return false;
    /* a switch that moved nothing stays unpressed */
    if (sp && sp->run(d, &(struct event){.line = l, .mo = mo, .side = side}, sp->arg))
        switch_change(d, l, sp->again == AGAIN);
    return true;
}

void line_shoot(struct doom *d, struct mobj *mo, struct line *l)
{
    const struct line_special *sp = find(l, mo, BY_SHOT);
    if (!sp)
        return;
    sp->run(d, &(struct event){.line = l, .mo = mo}, sp->arg);
    switch_change(d, l, sp->again == AGAIN); /* a hit shows, whether something moved or not */
}
