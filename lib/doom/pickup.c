/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pickup.c - what a player takes by touching it. An item is known by the sprite that it shows, not by its type.
 */
#include "play.h"

#define BONUS 6 /* the yellow flash of something taken */
#define HEALTH_FULL 100

enum gift {
    GIFT_NONE,
    GIFT_ARMOR, /* n: 1 the green one, 2 the blue one */
    GIFT_HEALTH_BONUS,
    GIFT_ARMOR_BONUS,
    GIFT_SOULSPHERE,
    GIFT_MEGASPHERE,
    GIFT_CARD,   /* what: the card */
    GIFT_BODY,   /* n: health, up to 100 */
    GIFT_POWER,  /* what: the power */
    GIFT_AMMO,   /* what: the ammunition, n: clips; dropped: half a clip */
    GIFT_WEAPON, /* what: the weapon; dropped: one clip instead of two, and it does not stay in a net game */
    GIFT_BACKPACK,
};

struct pickup {
    uint8_t gift, what, n;
    bool droppable; /* whether MF_DROPPED makes a difference */
};

static const struct pickup pickups[NSPRITES + 1] = {
    /* the last of a number that is no sprite's */
    [SPR_ARM1] = {GIFT_ARMOR, 0, 1, false},
    [SPR_ARM2] = {GIFT_ARMOR, 0, 2, false},
    [SPR_BON1] = {GIFT_HEALTH_BONUS, 0, 0, false},
    [SPR_BON2] = {GIFT_ARMOR_BONUS, 0, 0, false},
    [SPR_SOUL] = {GIFT_SOULSPHERE, 0, 0, false},
    [SPR_MEGA] = {GIFT_MEGASPHERE, 0, 0, false},
    [SPR_BKEY] = {GIFT_CARD, CARD_BLUE, 0, false},
    [SPR_YKEY] = {GIFT_CARD, CARD_YELLOW, 0, false},
    [SPR_RKEY] = {GIFT_CARD, CARD_RED, 0, false},
    [SPR_BSKU] = {GIFT_CARD, SKULL_BLUE, 0, false},
    [SPR_YSKU] = {GIFT_CARD, SKULL_YELLOW, 0, false},
    [SPR_RSKU] = {GIFT_CARD, SKULL_RED, 0, false},
    [SPR_STIM] = {GIFT_BODY, 0, 10, false},
    [SPR_MEDI] = {GIFT_BODY, 0, 25, false},
    [SPR_PINV] = {GIFT_POWER, PW_INVULNERABILITY, 0, false},
    [SPR_PSTR] = {GIFT_POWER, PW_STRENGTH, 0, false},
    [SPR_PINS] = {GIFT_POWER, PW_INVISIBILITY, 0, false},
    [SPR_SUIT] = {GIFT_POWER, PW_IRONFEET, 0, false},
    [SPR_PMAP] = {GIFT_POWER, PW_ALLMAP, 0, false},
    [SPR_PVIS] = {GIFT_POWER, PW_INFRARED, 0, false},
    [SPR_CLIP] = {GIFT_AMMO, AM_CLIP, 1, true},
    [SPR_AMMO] = {GIFT_AMMO, AM_CLIP, 5, false},
    [SPR_ROCK] = {GIFT_AMMO, AM_MISSILE, 1, false},
    [SPR_BROK] = {GIFT_AMMO, AM_MISSILE, 5, false},
    [SPR_CELL] = {GIFT_AMMO, AM_CELL, 1, false},
    [SPR_CELP] = {GIFT_AMMO, AM_CELL, 5, false},
    [SPR_SHEL] = {GIFT_AMMO, AM_SHELL, 1, false},
    [SPR_SBOX] = {GIFT_AMMO, AM_SHELL, 5, false},
    [SPR_BPAK] = {GIFT_BACKPACK, 0, 0, false},
    [SPR_BFUG] = {GIFT_WEAPON, WP_BFG, 0, false},
    [SPR_MGUN] = {GIFT_WEAPON, WP_CHAINGUN, 0, true},
    [SPR_CSAW] = {GIFT_WEAPON, WP_CHAINSAW, 0, false},
    [SPR_LAUN] = {GIFT_WEAPON, WP_MISSILE, 0, false},
    [SPR_PLAS] = {GIFT_WEAPON, WP_PLASMA, 0, false},
    [SPR_SHOT] = {GIFT_WEAPON, WP_SHOTGUN, 0, true},
    [SPR_SGN2] = {GIFT_WEAPON, WP_SUPERSHOTGUN, 0, true},
};

/* Who had nothing to shoot with takes up a better weapon with the first round for it. */
static void switch_for_ammo(struct player *p, int ammo)
{
    const bool fist = p->ready == WP_FIST, weak = fist || p->ready == WP_PISTOL;

    switch (ammo) {
    case AM_CLIP:
        if (fist)
            p->pending = p->owned[WP_CHAINGUN] ? WP_CHAINGUN : WP_PISTOL;
        break;
    case AM_SHELL:
        if (weak && p->owned[WP_SHOTGUN])
            p->pending = WP_SHOTGUN;
        break;
    case AM_CELL:
        if (weak && p->owned[WP_PLASMA])
            p->pending = WP_PLASMA;
        break;
    case AM_MISSILE:
        if (fist && p->owned[WP_MISSILE])
            p->pending = WP_MISSILE;
        break;
    default:
        break;
    }
}

/* False: it cannot be carried. 0 clips are half of one. */
static bool give_ammo(struct doom *d, struct player *p, int ammo, int clips)
{
    if (ammo == AM_NOAMMO)
        return false;
    if (ammo < 0 || ammo >= NAMMO) {
        dh_fail(d->err, DH_TROUBLE, "ammunition %d in a weapon that is taken, where the executable stops", ammo);
        return false;
    }
    if (p->ammo[ammo] == p->maxammo[ammo])
        return false;

    int rounds = clips ? wrap_mul(clips, d->clipammo[ammo]) : d->clipammo[ammo] / 2;
    if (d->skill == SK_BABY || d->skill == SK_NIGHTMARE)
        rounds = wrap_shl(rounds, 1);
    const int before = p->ammo[ammo];
    p->ammo[ammo] = wrap_add(before, rounds);
    if (p->ammo[ammo] > p->maxammo[ammo])
        p->ammo[ammo] = p->maxammo[ammo];
    if (!before)
        switch_for_ammo(p, ammo);
    return true;
}

/* False: it stays where it is, be it of no use or placed for everyone. */
static bool give_weapon(struct doom *d, struct player *p, int weapon, bool dropped)
{
    const int ammo = d->weapons[weapon].ammo;

    if (d->netgame && d->deathmatch != 2 && !dropped) {
        if (p->owned[weapon])
            return false;
        p->bonuscount += BONUS;
        p->owned[weapon] = true;
        /* up to 1.1 two clips in any game (recreated, P_GiveWeapon) */
        give_ammo(d, p, ammo, d->deathmatch && d->version >= VERSION_DOOM_1_2 ? 5 : 2);
        p->pending = weapon;
        return false;
    }

    const bool gave_ammo = give_ammo(d, p, ammo, dropped ? 1 : 2);
    if (p->owned[weapon])
        return gave_ammo;
    p->owned[weapon] = true;
    p->pending = weapon;
    return true;
}

static bool give_body(struct player *p, int n)
{
    if (p->health >= HEALTH_FULL)
        return false;
    p->health += n;
    if (p->health > HEALTH_FULL)
        p->health = HEALTH_FULL;
    p->mo->health = p->health;
    return true;
}

/* A sphere or a bonus: beyond 100. */
static void give_health(struct player *p, int n, int most)
{
    p->health = wrap_add(p->health, n);
    if (p->health > most)
        p->health = most;
    p->mo->health = p->health;
}

/* Worth 100 a class. */
static bool give_armor(struct player *p, int class)
{
    const int worth = wrap_mul(class, 100);
    if (p->armor >= worth)
        return false;
    p->armortype = class;
    p->armor = worth;
    return true;
}

/* True where the card is to vanish; in a net game it stays for the others. */
static bool give_card(struct doom *d, struct player *p, int card)
{
    if (!p->cards[card]) {
        p->bonuscount = BONUS;
        p->cards[card] = true;
    }
    return !d->netgame;
}

bool pickup_power(struct doom *d, struct player *p, int power)
{
    static const int32_t lasts[NPOWERS] = {
        [PW_INVULNERABILITY] = 30 * TICRATE,
        [PW_INVISIBILITY] = 60 * TICRATE,
        [PW_IRONFEET] = 60 * TICRATE,
        [PW_INFRARED] = 120 * TICRATE,
    };

    (void)d;
    if (lasts[power]) { /* taken even while it lasts */
        p->powers[power] = lasts[power];
        if (power == PW_INVISIBILITY)
            p->mo->flags |= MF_SHADOW;
        return true;
    }
    if (power == PW_STRENGTH)
        give_body(p, HEALTH_FULL);
    else if (p->powers[power])
        return false;
    p->powers[power] = 1;
    return true;
}

static void give_backpack(struct doom *d, struct player *p)
{
    if (!p->backpack) {
        for (int i = 0; i < NAMMO; i++)
            p->maxammo[i] = wrap_shl(p->maxammo[i], 1);
        p->backpack = true;
    }
    for (int i = 0; i < NAMMO; i++)
        give_ammo(d, p, i, 1);
}

/* True: it is taken and vanishes. */
static bool give(struct doom *d, struct player *p, const struct pickup *k, bool dropped)
{
    switch (k->gift) {
    case GIFT_ARMOR:
        return give_armor(p, k->n == 1 ? d->misc.green_class : d->misc.blue_class);
    case GIFT_HEALTH_BONUS:
        give_health(p, 1, d->misc.max_health);
        return true;
    case GIFT_ARMOR_BONUS:
        p->armor = wrap_add(p->armor, 1);
        /* without end in 1.2 (chocolate-doom, P_TouchSpecialThing) */
        if (p->armor > d->misc.max_armor && d->version > VERSION_DOOM_1_2)
            p->armor = d->misc.max_armor;
        if (!p->armortype)
            p->armortype = 1;
        return true;
    case GIFT_SOULSPHERE:
        give_health(p, d->misc.soulsphere, d->misc.max_soulsphere);
        return true;
    case GIFT_MEGASPHERE:
        if (d->mode != MODE_COMMERCIAL)
            return false;
        p->health = d->misc.megasphere;
        p->mo->health = p->health;
        give_armor(p, 2); /* whatever class the blue armour is */
        return true;
    case GIFT_CARD:
        return give_card(d, p, k->what);
    case GIFT_BODY:
        return give_body(p, k->n);
    case GIFT_POWER:
        if (!pickup_power(d, p, k->what))
            return false;
        if (k->what == PW_STRENGTH && p->ready != WP_FIST)
            p->pending = WP_FIST;
        return true;
    case GIFT_AMMO:
        return give_ammo(d, p, k->what, dropped ? 0 : k->n);
    case GIFT_WEAPON:
        return give_weapon(d, p, k->what, dropped);
    case GIFT_BACKPACK:
        give_backpack(d, p);
        return true;
    default:
        return false;
    }
}

void pickup_touch(struct doom *d, struct mobj *special, struct mobj *toucher)
{
    struct player *p = toucher->player;
    const fixed above = wrap_sub(special->z, toucher->z);

    if (above > toucher->height || above < -FX(8))
        return;
    if (toucher->health <= 0 || !p) /* a corpse that slides; a DEHACKED monster that picks up */
        return;

    const struct pickup *k = &pickups[d->frames[special->state].sprite];
    if (k->gift == GIFT_NONE) {
        dh_fail(d->err, DH_TROUBLE, "a player touched a %s: its sprite is of nothing that can be taken",
                thing_labels[special->type]);
        return;
    }
    if (!give(d, p, k, k->droppable && special->flags & MF_DROPPED))
        return;
    if (special->flags & MF_COUNTITEM)
        p->items++;
    mobj_remove(d, special);
    p->bonuscount += BONUS;
}
