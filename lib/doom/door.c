/* SPDX-License-Identifier: GPL-2.0-or-later */
/* door.c - doors: ceilings that open and close. */
#include "play.h"

#define DOOR_SPEED FX(2)
#define DOOR_BLAZE FX(8)
#define DOOR_WAIT 150 /* tics that a door stays open */

enum { DIR_WAIT = 0, DIR_UP = 1, DIR_DOWN = -1, DIR_FIRSTWAIT = 2 };

static void door_end(struct doom *d, struct door *t)
{
    t->sector->specialdata = NULL;
    thinker_remove(d, &t->th);
}

static void door_waited(struct door *t)
{
    switch (t->type) {
    case DOOR_BLAZERAISE:
    case DOOR_NORMAL:
        t->direction = DIR_DOWN;
        break;
    case DOOR_CLOSE30:
        t->direction = DIR_UP;
        break;
    default:
        break;
    }
}

static void door_down(struct doom *d, struct door *t)
{
    /* the goal is the floor as it is now: a door follows a floor that moves below it */
    switch (sector_move_plane(d, t->sector, t->speed, t->sector->floor, CRUSH_NO, true, DIR_DOWN)) {
    case PLANE_PASTDEST:
        if (t->type == DOOR_CLOSE30) {
            t->direction = DIR_WAIT;
            t->countdown = 30 * TICRATE;
        } else if (t->type == DOOR_BLAZERAISE || t->type == DOOR_BLAZECLOSE || t->type == DOOR_NORMAL ||
                   t->type == DOOR_CLOSE) {
            door_end(d, t);
        }
        break;
    case PLANE_CRUSHED:
        if (t->type != DOOR_BLAZECLOSE && t->type != DOOR_CLOSE)
            t->direction = DIR_UP; /* something is in the way: open again */
        break;
    case PLANE_OK:
        break;
    }
}

static void door_up(struct doom *d, struct door *t)
{
    if (sector_move_plane(d, t->sector, t->speed, t->top, CRUSH_NO, true, DIR_UP) != PLANE_PASTDEST)
        return;
    switch (t->type) {
    case DOOR_BLAZERAISE:
    case DOOR_NORMAL:
        t->direction = DIR_WAIT;
        t->countdown = t->topwait;
        break;
    case DOOR_CLOSE30:
    case DOOR_BLAZEOPEN:
    case DOOR_OPEN:
        door_end(d, t);
        break;
    default:
        break;
    }
}

void door_think(struct doom *d, struct door *t)
{
    switch (t->direction) {
    case DIR_WAIT:
        if (!--t->countdown)
            door_waited(t);
        break;
    case DIR_FIRSTWAIT:
        if (!--t->countdown && t->type == DOOR_RAISEIN5) {
            t->direction = DIR_UP;
            t->type = DOOR_NORMAL;
        }
        break;
    case DIR_DOWN:
        door_down(d, t);
        break;
    case DIR_UP:
        door_up(d, t);
        break;
    default:
        break;
    }
}

static struct door *door_new(struct doom *d, struct sector *s, enum door_type type)
{
    struct door *t = thinker_new(d, TK_DOOR);
    s->specialdata = &t->th;
    t->sector = s;
    t->type = type;
    t->speed = DOOR_SPEED;
    t->topwait = DOOR_WAIT;
    return t;
}

/* How far a door opens: four units below the lowest ceiling around. */
static fixed door_top(const struct sector *s)
{
    return wrap_sub(sector_lowest_ceiling(s), FX(4));
}

bool door_do(struct doom *d, struct line *l, enum door_type type)
{
    bool moved = false;
    for (int n = -1; (n = sector_by_tag(d, l, n)) >= 0;) {
        struct sector *s = &d->lev.sectors[n];
        if (s->specialdata)
            continue;
        struct door *t = door_new(d, s, type);
        moved = true;
        t->top = type == DOOR_CLOSE30 ? s->ceiling : door_top(s);
        t->direction = type == DOOR_BLAZECLOSE || type == DOOR_CLOSE || type == DOOR_CLOSE30 ? DIR_DOWN : DIR_UP;
        if (type == DOOR_BLAZECLOSE || type == DOOR_BLAZERAISE || type == DOOR_BLAZEOPEN)
            t->speed = DOOR_BLAZE;
    }
    return moved;
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

/* Which keys open the lock of a line special; a skull opens what a card of its colour does. */
static bool has_key(const struct player *p, int special)
{
    switch (special) {
    case 26: /* manual doors */
    case 32:
    case 99: /* switches */
    case 133:
        return p->cards[CARD_BLUE] || p->cards[SKULL_BLUE];
    case 27:
    case 34:
    case 136:
    case 137:
        return p->cards[CARD_YELLOW] || p->cards[SKULL_YELLOW];
    case 28:
    case 33:
    case 134:
    case 135:
        return p->cards[CARD_RED] || p->cards[SKULL_RED];
    default:
        return true;
    }
}

bool door_locked(struct doom *d, struct line *l, enum door_type type, struct mobj *mo)
{
    if (!mo->player || !has_key(mo->player, l->special))
        return false;
    return door_do(d, l, type);
}

/* ---- doors that are opened by hand ------------------------------------------------------------------------------- */

/*
 * The executable takes whatever moves in the sector for a door and turns its direction round. Where it is none, that is
 * the field at the same place of the other structure (in its 32-bit layout); some demos use a lift as a door, so it
 * matters.
 */
static int32_t *as_direction(struct thinker *th)
{
    switch (th->kind) {
    case TK_DOOR:
        return &((struct door *)(void *)th)->direction;
    case TK_PLAT:
        return &((struct plat *)(void *)th)->wait;
    case TK_FLOOR:
        return &((struct floormove *)(void *)th)->newspecial;
    case TK_CEILING:
        return &((struct ceilmove *)(void *)th)->speed;
    default:
        return NULL;
    }
}

static void turn_round(struct thinker *th, const struct mobj *mo)
{
    int32_t *direction = as_direction(th);
    if (!direction)
        return;
    if (*direction == DIR_DOWN)
        *direction = DIR_UP;
    else if (mo->player) /* monsters never close one */
        *direction = DIR_DOWN;
}

void door_manual(struct doom *d, struct line *l, struct mobj *mo)
{
    static const struct {
        int16_t special;
        uint8_t type;
        bool once;
    } manual[] = {
        {1, DOOR_NORMAL, false},       {26, DOOR_NORMAL, false},    {27, DOOR_NORMAL, false}, {28, DOOR_NORMAL, false},
        {31, DOOR_OPEN, true},         {32, DOOR_OPEN, true},       {33, DOOR_OPEN, true},    {34, DOOR_OPEN, true},
        {117, DOOR_BLAZERAISE, false}, {118, DOOR_BLAZEOPEN, true},
    };
    int k = 0;
    while (manual[k].special != l->special)
        if (++k == (int)(sizeof manual / sizeof *manual))
            return;

    const bool locked = (l->special >= 26 && l->special <= 28) || (l->special >= 32 && l->special <= 34);
    if (locked && (!mo->player || !has_key(mo->player, l->special)))
        return;
    if (l->sidenum[1] < 0) {
        dh_fail(d->err, DH_TROUBLE, "line %d: a door that has no back side was used", l->index);
        return;
    }

    struct sector *s = d->lev.sides[l->sidenum[1]].sector;
    /* The kinds that open for good ignore what already moves there and start a second mover in the same sector. */
    if (s->specialdata && !manual[k].once) {
        turn_round(s->specialdata, mo);
        return;
    }
    struct door *t = door_new(d, s, (enum door_type)manual[k].type);
    t->direction = DIR_UP;
    if (t->type == DOOR_BLAZERAISE || t->type == DOOR_BLAZEOPEN)
        t->speed = DOOR_BLAZE;
    if (manual[k].once)
        l->special = 0;
    t->top = door_top(s);
}

/* ---- doors that the level starts with ---------------------------------------------------------------------------- */

void door_spawn_close30(struct doom *d, struct sector *s)
{
    struct door *t = door_new(d, s, DOOR_NORMAL);
    s->special = 0;
    t->direction = DIR_WAIT;
    t->topwait = 0; /* the executable leaves it and the top unset: it only reads them when the door is blocked */
    t->countdown = 30 * TICRATE;
}

void door_spawn_raise5(struct doom *d, struct sector *s)
{
    struct door *t = door_new(d, s, DOOR_RAISEIN5);
    s->special = 0;
    t->direction = DIR_FIRSTWAIT;
    t->top = door_top(s);
    t->countdown = 5 * 60 * TICRATE;
}
