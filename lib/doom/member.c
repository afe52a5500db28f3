/* SPDX-License-Identifier: GPL-2.0-or-later */
/* member.c - the tables of what is state, and their schemas. */
#include "member.h"

#include <string.h>

#include "play.h"
#include "snapshot.h"

#define ON(S, name, type, store, member)                      \
    {                                                         \
#name, "", offsetof(S, member), DH_##type, ST_##store \
    }
#define ENUM(S, name, type, store, member, names)                \
    {                                                            \
#name, names, offsetof(S, member), DH_##type, ST_##store \
    }

#define F(name, type, store, member) ON(struct state_line, name, type, store, member)
static const struct member state_line[] = {
    F(map, STR, CHARS, map),
    F(leveltime, I32, S32, leveltime),
    F(rng, U8, S32, rng),
    ENUM(struct state_line, gamestate, ENUM8, S32, gamestate, "(level,intermission,finale,end)"),
    F(mobjs, U32, S32, mobjs),
};
#undef F

#define F(name, type, store, member) ON(struct mobj, name, type, store, member)
static const struct member mobj[] = {
    F(type, U8, S32, type),
    F(x, FIX, S32, x),
    F(y, FIX, S32, y),
    F(z, FIX, S32, z),
    F(angle, BAM, S32, angle),
    F(momx, FIX, S32, momx),
    F(momy, FIX, S32, momy),
    F(momz, FIX, S32, momz),
    F(floorz, FIX, S32, floorz),
    F(ceilingz, FIX, S32, ceilingz),
    F(radius, FIX, S32, radius),
    F(height, FIX, S32, height),
    F(health, I32, S32, health),
    F(state, U16, S32, state),
    F(tics, I32, S32, tics),
    F(flags, HEX32, S32, flags),
    F(movedir, I32, S32, movedir),
    F(movecount, I32, S32, movecount),
    F(reactiontime, I32, S32, reactiontime),
    F(threshold, I32, S32, threshold),
    F(lastlook, I32, S32, lastlook),
    F(target, REF, MOBJ, target),
    F(tracer, REF, MOBJ, tracer),
    F(player, I8, PLAYER, player),
    F(spawnx, I16, S16, spawn.x),
    F(spawny, I16, S16, spawn.y),
    F(spawnangle, I16, S16, spawn.angle),
    F(spawntype, I16, S16, spawn.type),
    F(spawnoptions, I16, S16, spawn.options),
    F(subsector, I32, SUBSECTOR, subsector),
    F(blocknext, REF, MOBJ, bnext),     /* the block lists' order decides who is hit first */
    F(gone, U8, BOOL, th.removed),      /* out of the game, and still pointed at */
    F(unlinked, U8, BOOL, th.unlinked), /* and since longer than a tic */
};
#undef F

#define F(name, type, store, member) ON(struct doom, name, type, store, member)
static const struct member game[] = {
    F(skill, U8, S32, skill),
    F(episode, U8, S32, episode),
    F(level, U8, S32, map),
    ENUM(struct doom, action, ENUM8, S32, gameaction, "(nothing,loadlevel,completed,victory,worlddone)"),
    F(paused, U8, BOOL, paused),
    F(secretexit, U8, BOOL, secretexit),
    F(respawnmonsters, U8, BOOL, respawnmonsters),
    F(gametic, U32, S32, gametic),
    F(levelstarttic, I32, S32, levelstarttic),
    F(serial, U32, S32, serial),
    F(totalkills, I32, S32, totalkills),
    F(totalitems, I32, S32, totalitems),
    F(totalsecrets, I32, S32, totalsecrets),
    F(bodyqueslot, I32, S32, bodyqueslot),
    F(itemquehead, I32, S32, iquehead),
    F(itemquetail, I32, S32, iquetail),
    F(braintargets, I32, S32, nbraintargets),
    F(braintargeton, I32, S32, braintargeton),
    F(braineasy, I32, S32, braineasy),
    F(shotrange, FIX, S32, shot.range), /* of whoever aimed or shot last: a tracer's puff looks at it */
    F(onground, U8, BOOL, onground),    /* of whoever moved last: a player who may not move yet looks at it */
    /* of the line last looked through: a two-sided line without a back side is shot through the same opening */
    F(opentop, FIX, S32, open.top),
    F(openbottom, FIX, S32, open.bottom),
    F(openrange, FIX, S32, open.range),
    F(lowfloor, FIX, S32, open.lowfloor),
    /* the level that comes after the one that was left last: read after a closing text, and by a secret exit where
     * there is none */
    F(next, I32, S32, wi.next),
    F(countsfrags, U8, BOOL, wi.dofrags), /* the intermissions of a coop game do, once there were any */
    F(leveltimer, U8, BOOL, leveltimer),
    F(leveltimecount, I32, S32, leveltimecount),
};
#undef F

#define F(name, type, store, member) ON(struct player, name, type, store, member)
static const struct member player[] = {
    F(mo, REF, MOBJ, mo),
    ENUM(struct player, state, ENUM8, S32, state, "(live,dead,reborn)"),
    F(health, I32, S32, health),
    F(armor, I32, S32, armor),
    F(armortype, I32, S32, armortype),
    F(ready, U8, S32, ready),
    F(pending, U8, S32, pending),
    F(bullets, I32, S32, ammo[AM_CLIP]),
    F(shells, I32, S32, ammo[AM_SHELL]),
    F(cells, I32, S32, ammo[AM_CELL]),
    F(rockets, I32, S32, ammo[AM_MISSILE]),
    F(maxbullets, I32, S32, maxammo[AM_CLIP]),
    F(maxshells, I32, S32, maxammo[AM_SHELL]),
    F(maxcells, I32, S32, maxammo[AM_CELL]),
    F(maxrockets, I32, S32, maxammo[AM_MISSILE]),
    F(fist, U8, BOOL, owned[WP_FIST]),
    F(pistol, U8, BOOL, owned[WP_PISTOL]),
    F(shotgun, U8, BOOL, owned[WP_SHOTGUN]),
    F(chaingun, U8, BOOL, owned[WP_CHAINGUN]),
    F(rocketlauncher, U8, BOOL, owned[WP_MISSILE]),
    F(plasmarifle, U8, BOOL, owned[WP_PLASMA]),
    F(bfg, U8, BOOL, owned[WP_BFG]),
    F(chainsaw, U8, BOOL, owned[WP_CHAINSAW]),
    F(supershotgun, U8, BOOL, owned[WP_SUPERSHOTGUN]),
    F(bluecard, U8, BOOL, cards[CARD_BLUE]),
    F(yellowcard, U8, BOOL, cards[CARD_YELLOW]),
    F(redcard, U8, BOOL, cards[CARD_RED]),
    F(blueskull, U8, BOOL, cards[SKULL_BLUE]),
    F(yellowskull, U8, BOOL, cards[SKULL_YELLOW]),
    F(redskull, U8, BOOL, cards[SKULL_RED]),
    F(backpack, U8, BOOL, backpack),
    F(invulnerability, I32, S32, powers[PW_INVULNERABILITY]),
    F(strength, I32, S32, powers[PW_STRENGTH]),
    F(invisibility, I32, S32, powers[PW_INVISIBILITY]),
    F(ironfeet, I32, S32, powers[PW_IRONFEET]),
    F(allmap, I32, S32, powers[PW_ALLMAP]),
    F(infrared, I32, S32, powers[PW_INFRARED]),
    F(kills, I32, S32, kills),
    F(items, I32, S32, items),
    F(secrets, I32, S32, secrets),
    F(frags0, I32, S32, frags[0]),
    F(frags1, I32, S32, frags[1]),
    F(frags2, I32, S32, frags[2]),
    F(frags3, I32, S32, frags[3]),
    F(viewz, FIX, S32, viewz),
    F(viewheight, FIX, S32, viewheight),
    F(deltaviewheight, FIX, S32, deltaviewheight),
    F(bob, FIX, S32, bob),
    F(attackdown, U8, BOOL, attackdown),
    F(usedown, U8, BOOL, usedown),
    F(refire, I32, S32, refire),
    F(damagecount, I32, S32, damagecount),
    F(bonuscount, I32, S32, bonuscount),
    F(attacker, REF, MOBJ, attacker),
    F(extralight, I32, S32, extralight),
    F(fixedcolormap, I32, S32, fixedcolormap),
    F(cheats, HEX32, S32, cheats),
    F(weaponstate, U16, S32, psp[PS_WEAPON].state),
    F(weapontics, I32, S32, psp[PS_WEAPON].tics),
    F(weaponx, FIX, S32, psp[PS_WEAPON].sx),
    F(weapony, FIX, S32, psp[PS_WEAPON].sy),
    F(flashstate, U16, S32, psp[PS_FLASH].state),
    F(flashtics, I32, S32, psp[PS_FLASH].tics),
    F(flashx, FIX, S32, psp[PS_FLASH].sx),
    F(flashy, FIX, S32, psp[PS_FLASH].sy),
    F(didsecret, U8, BOOL, didsecret),
};
#undef F

#define F(name, type, store, member) ON(struct intermission, name, type, store, member)
#define PLAYER_COUNTS(i)                                                                                        \
    F(in##i, U8, BOOL, plyr[i].in), F(kills##i, I32, S32, plyr[i].kills), F(items##i, I32, S32, plyr[i].items), \
        F(secrets##i, I32, S32, plyr[i].secrets), F(time##i, I32, S32, plyr[i].time),                           \
        F(frags##i##0, I32, S32, plyr[i].frags[0]), F(frags##i##1, I32, S32, plyr[i].frags[1]),                 \
        F(frags##i##2, I32, S32, plyr[i].frags[2]), F(frags##i##3, I32, S32, plyr[i].frags[3]),                 \
        F(shownkills##i, I32, S32, counters[i][0]), F(shownitems##i, I32, S32, counters[i][1]),                 \
        F(shownsecrets##i, I32, S32, counters[i][2]), F(shownfrags##i, I32, S32, counters[i][3]),               \
        F(dmfrags##i##0, I32, S32, dm_frags[i][0]), F(dmfrags##i##1, I32, S32, dm_frags[i][1]),                 \
        F(dmfrags##i##2, I32, S32, dm_frags[i][2]), F(dmfrags##i##3, I32, S32, dm_frags[i][3]),                 \
        F(dmtotal##i, I32, S32, dm_totals[i])
static const struct member intermission[] = {
    F(state, I32, S32, state),
    F(spstate, I32, S32, sp_state),
    F(ngstate, I32, S32, ng_state),
    F(dmstate, I32, S32, dm_state),
    F(time, I32, S32, time),
    F(par, I32, S32, par),
    F(pause, I32, S32, pause),
    F(count, I32, S32, count),
    F(bcount, I32, S32, bcount),
    F(accelerate, U8, BOOL, accelerate),
    F(dofrags, U8, BOOL, dofrags),
    F(maxkills, I32, S32, maxkills),
    F(maxitems, I32, S32, maxitems),
    F(maxsecrets, I32, S32, maxsecrets),
    F(maxfrags, I32, S32, maxfrags),
    F(partime, I32, S32, partime),
    F(episode, I32, S32, epsd),
    F(last, I32, S32, last),
    F(next, I32, S32, next),
    F(didsecret, U8, BOOL, didsecret),
    PLAYER_COUNTS(0),
    PLAYER_COUNTS(1),
    PLAYER_COUNTS(2),
    PLAYER_COUNTS(3),
};
#undef F

#define F(name, type, store, member) ON(struct finale, name, type, store, member)
static const struct member finale[] = {
    F(stage, I32, S32, stage),
    F(count, I32, S32, count),
    F(textlen, I32, S32, textlen),
    F(castnum, I32, S32, cast_num),
    F(caststate, I32, S32, cast_state),
    F(casttics, I32, S32, cast_tics),
    F(castframes, I32, S32, cast_frames),
    F(castdeath, U8, BOOL, cast_death),
    F(castonmelee, U8, BOOL, cast_onmelee),
    F(castattacking, U8, BOOL, cast_attacking),
};
#undef F

#define F(name, type, store, member) ON(struct state_ref, name, type, store, member)
static const struct member bodyque[] = {F(mobj, REF, MOBJ, mobj)};
static const struct member braintarget[] = {F(mobj, REF, MOBJ, mobj)};
static const struct member blockhead[] = {F(mobj, REF, MOBJ, mobj)};
static const struct member blockprev[] = {F(mobj, REF, MOBJ, mobj)};
#undef F

#define F(name, type, store, member) ON(struct state_item, name, type, store, member)
static const struct member itemque[] = {
    F(x, I16, S16, thing.x),
    F(y, I16, S16, thing.y),
    F(angle, I16, S16, thing.angle),
    F(type, I16, S16, thing.type),
    F(options, I16, S16, thing.options),
    F(time, I32, S32, time),
};
#undef F

#define F(name, type, store, member) ON(struct mapthing, name, type, store, member)
static const struct member playerstart[] = {
    F(x, I16, S16, x),
    F(y, I16, S16, y),
    F(angle, I16, S16, angle),
    F(type, I16, S16, type),
    F(options, I16, S16, options),
};
#undef F

#define F(name, type, store, member) ON(struct level, name, type, store, member)
static const struct member blockmap[] = {
    F(x, FIX, S32, bmorgx),        F(y, FIX, S32, bmorgy),       F(width, I32, S32, bmwidth),
    F(height, I32, S32, bmheight), F(blocks, I32, S32, nblocks),
};
#undef F

#define F(name, type, store, member) ON(struct button, name, type, store, member)
static const struct member button[] = {
    F(line, I32, LINE, line),
    ENUM(struct button, where, ENUM8, S32, where, "(nowhere,top,middle,bottom)"),
    F(texture, STR, WALL, texture),
    F(timer, I32, S32, timer),
};
#undef F

#define F(name, type, store, member) ON(struct sector, name, type, store, member)
static const struct member sector[] = {
    F(floor, FIX, S32, floor),
    F(ceiling, FIX, S32, ceiling),
    F(floorpic, STR, FLAT, floorpic),
    F(ceilingpic, STR, FLAT, ceilingpic),
    F(light, I16, S16, light),
    F(special, I16, S16, special),
    F(tag, I16, S16, tag),
    F(soundtarget, REF, MOBJ, soundtarget),
};
#undef F

#define F(name, type, store, member) ON(struct line, name, type, store, member)
static const struct member line[] = {
    F(flags, HEX16, S16, flags),
    F(special, I16, S16, special),
    F(tag, I16, S16, tag),
};
#undef F

#define F(name, type, store, member) ON(struct side, name, type, store, member)
static const struct member side[] = {
    F(xoff, FIX, S32, xoff),      F(yoff, FIX, S32, yoff), F(top, STR, WALL, top),
    F(bottom, STR, WALL, bottom), F(mid, STR, WALL, mid),
};
#undef F

#define F(name, type, store, member) ON(struct state_door, name, type, store, member)
static const struct member door[] = {
    F(sector, I32, SECTOR, door.sector),
    ENUM(struct state_door, type, ENUM8, S32, door.type,
         "(normal,close30,close,open,raisein5,blazeraise,blazeopen,blazeclose)"),
    F(top, FIX, S32, door.top),
    F(speed, FIX, S32, door.speed),
    F(direction, I32, S32, door.direction),
    F(topwait, I32, S32, door.topwait),
    F(countdown, I32, S32, door.countdown),
    F(current, U8, BOOL, current), /* the one that its sector knows of; several can work at one */
};
#undef F

#define F(name, type, store, member) ON(struct state_floor, name, type, store, member)
static const struct member floormove[] = {
    F(sector, I32, SECTOR, floor.sector),
    ENUM(struct state_floor, type, ENUM8, S32, floor.type,
         "(lower,lowertolowest,turbolower,raise,raisetonearest,raisetotexture,lowerandchange,raise24,raise24andchange,"
         "raisecrush,raiseturbo,donutraise,raise512)"),
    F(crush, U8, S32, floor.crush),
    F(direction, I32, S32, floor.direction),
    F(newspecial, I32, S32, floor.newspecial),
    F(texture, STR, FLAT, floor.texture),
    F(dest, FIX, S32, floor.dest),
    F(speed, FIX, S32, floor.speed),
    F(current, U8, BOOL, current),
};
#undef F

#define F(name, type, store, member) ON(struct state_ceiling, name, type, store, member)
static const struct member ceilmove[] = {
    F(sector, I32, SECTOR, ceiling.sector),
    ENUM(struct state_ceiling, type, ENUM8, S32, ceiling.type,
         "(lowertofloor,raisetohighest,lowerandcrush,crushandraise,fastcrush,silentcrush)"),
    F(bottom, FIX, S32, ceiling.bottom),
    F(top, FIX, S32, ceiling.top),
    F(speed, FIX, S32, ceiling.speed),
    F(crush, U8, BOOL, ceiling.crush),
    F(direction, I32, S32, ceiling.direction),
    F(tag, I32, S32, ceiling.tag),
    F(olddirection, I32, S32, ceiling.olddirection),
    F(stasis, U8, BOOL, ceiling.th.stasis),
    F(slot, I32, S32,
      slot), /* its place among the active ones decides who wakes first, and which is given up when they are full */
    F(current, U8, BOOL, current),
};
#undef F

#define F(name, type, store, member) ON(struct state_plat, name, type, store, member)
static const struct member plat[] = {
    F(sector, I32, SECTOR, plat.sector),
    ENUM(struct state_plat, type, ENUM8, S32, plat.type, "(perpetual,downwaitup,raiseandchange,raisetonearest,blaze)"),
    F(speed, FIX, S32, plat.speed),
    F(low, FIX, S32, plat.low),
    F(high, FIX, S32, plat.high),
    F(wait, I32, S32, plat.wait),
    F(count, I32, S32, plat.count),
    ENUM(struct state_plat, status, ENUM8, S32, plat.status, "(up,down,waiting,stasis)"),
    ENUM(struct state_plat, oldstatus, ENUM8, S32, plat.oldstatus, "(up,down,waiting,stasis)"),
    F(crush, U8, BOOL, plat.crush),
    F(tag, I32, S32, plat.tag),
    F(stasis, U8, BOOL, plat.th.stasis),
    F(slot, I32, S32, slot),
    F(current, U8, BOOL, current),
};
#undef F

#define F(name, type, store, member) ON(struct flicker, name, type, store, member)
static const struct member flicker[] = {
    F(sector, I32, SECTOR, sector),
    F(count, I32, S32, count),
    F(maxlight, I32, S32, maxlight),
    F(minlight, I32, S32, minlight),
};
#undef F

#define F(name, type, store, member) ON(struct flash, name, type, store, member)
static const struct member flash[] = {
    F(sector, I32, SECTOR, sector),  F(count, I32, S32, count),     F(maxlight, I32, S32, maxlight),
    F(minlight, I32, S32, minlight), F(maxtime, I32, S32, maxtime), F(mintime, I32, S32, mintime),
};
#undef F

#define F(name, type, store, member) ON(struct strobe, name, type, store, member)
static const struct member strobe[] = {
    F(sector, I32, SECTOR, sector),  F(count, I32, S32, count),       F(minlight, I32, S32, minlight),
    F(maxlight, I32, S32, maxlight), F(darktime, I32, S32, darktime), F(brighttime, I32, S32, brighttime),
};
#undef F

#define F(name, type, store, member) ON(struct glow, name, type, store, member)
static const struct member glow[] = {
    F(sector, I32, SECTOR, sector),
    F(minlight, I32, S32, minlight),
    F(maxlight, I32, S32, maxlight),
    F(direction, I32, S32, direction),
};
#undef F

#define TABLE(name, t)                       \
    {                                        \
        name, t, (int)(sizeof t / sizeof *t) \
    }
static const struct {
    const char *name;
    const struct member *m;
    int n;
} tables[ET_END - NTHINGTYPES] = {
    TABLE("Game", game),
    TABLE("Player", player),
    TABLE("Intermission", intermission),
    TABLE("Finale", finale),
    TABLE("BodyQue", bodyque),
    TABLE("ItemQue", itemque),
    TABLE("Button", button),
    TABLE("BrainTarget", braintarget),
    TABLE("PlayerStart", playerstart),
    TABLE("Blockmap", blockmap),
    TABLE("BlockHead", blockhead),
    TABLE("BlockPrev", blockprev),
    TABLE("Sector", sector),
    TABLE("Line", line),
    TABLE("Side", side),
    TABLE("Door", door),
    TABLE("Floor", floormove),
    TABLE("Ceiling", ceilmove),
    TABLE("Plat", plat),
    TABLE("Flicker", flicker),
    TABLE("Flash", flash),
    TABLE("Strobe", strobe),
    TABLE("Glow", glow),
};

#define COUNT(t) ((int)(sizeof t / sizeof *t))

const struct member *member_table(int etype, int *count)
{
    if (etype < 0) {
        *count = COUNT(state_line);
        return state_line;
    }
    if (etype < NTHINGTYPES) {
        *count = COUNT(mobj);
        return mobj;
    }
    *count = tables[etype - NTHINGTYPES].n;
    return tables[etype - NTHINGTYPES].m;
}

const char *member_name(int etype)
{
    return etype < NTHINGTYPES ? thing_labels[etype] : tables[etype - NTHINGTYPES].name;
}

static const char *type_name(int type)
{
    static const char *const names[DH_TYPES] = {
        [DH_I8] = "i8",       [DH_I16] = "i16", [DH_I32] = "i32", [DH_U8] = "u8",       [DH_U16] = "u16",
        [DH_U32] = "u32",     [DH_FIX] = "fix", [DH_BAM] = "bam", [DH_HEX16] = "hex16", [DH_HEX32] = "hex32",
        [DH_ENUM8] = "enum8", [DH_STR] = "str", [DH_REF] = "ref",
    };
    return names[type];
}

static void put_text(struct dh_buf *b, const char *s)
{
    dh_put_bytes(b, s, strlen(s));
}

/* "name:type name:type(...)" of a table, NUL-terminated, in b. */
static void schema_text(struct dh_buf *b, const struct member *m, int n)
{
    dh_buf_clear(b);
    for (int i = 0; i < n; i++) {
        put_text(b, i ? " " : "");
        put_text(b, m[i].name);
        put_text(b, ":");
        put_text(b, type_name(m[i].type));
        put_text(b, m[i].names);
    }
    dh_put_u8(b, 0);
}

int member_schemas(struct dh_schemas *s, struct dh_err *e)
{
    struct dh_buf text = {0}, names = {0};
    int n, result = 0;
    const struct member *m = member_table(-1, &n);
    schema_text(&text, m, n);
    result = text.failed ? -1 : dh_schemas_add(s, "state", (const char *)text.p, e);
    for (int i = 0; i < NTHINGTYPES; i++) {
        put_text(&names, i ? "," : "");
        put_text(&names, thing_labels[i]);
    }
    dh_put_u8(&names, 0);
    m = member_table(0, &n);
    schema_text(&text, m, n);
    if (result == 0)
        result = text.failed || names.failed ? -1 : dh_schemas_add(s, (const char *)names.p, (const char *)text.p, e);
    for (int t = NTHINGTYPES; t < ET_END && result == 0; t++) {
        m = member_table(t, &n);
        schema_text(&text, m, n);
        result = text.failed ? -1 : dh_schemas_add(s, member_name(t), (const char *)text.p, e);
    }
    if (result != 0 && (text.failed || names.failed))
        dh_fail(e, DH_TROUBLE, "out of memory");
    dh_buf_free(&text);
    dh_buf_free(&names);
    return result;
}

/* What a pointer or the like is on the wire: a number. */
static int32_t number_of(const struct doom *d, const struct member *m, const void *p)
{
    const void *ptr;
    memcpy(&ptr, p, sizeof ptr);
    switch (m->store) {
    case ST_PLAYER:
        return ptr ? ((const struct player *)ptr)->slot : -1;
    case ST_SECTOR:
        return ((const struct sector *)ptr)->index;
    case ST_SUBSECTOR:
        return ptr ? (int32_t)((const struct subsector *)ptr - d->lev.subsectors) : -1;
    case ST_LINE:
        return ptr ? ((const struct line *)ptr)->index : -1;
    default:
        return 0;
    }
}

/* What follows puts a member at to and gives the byte after it. It may write beyond that: there is room for the
 * longest, a name, behind each. */
enum { NAME_MAX_SIZE = 8, MEMBER_ROOM = 1 + NAME_MAX_SIZE };

static inline uint8_t *put_int(uint8_t *to, int type, uint32_t v)
{
    static const uint8_t width[DH_TYPES] = {
        [DH_I8] = 1,  [DH_U8] = 1,  [DH_ENUM8] = 1, [DH_I16] = 2, [DH_U16] = 2,   [DH_HEX16] = 2,
        [DH_I32] = 4, [DH_U32] = 4, [DH_FIX] = 4,   [DH_BAM] = 4, [DH_HEX32] = 4,
    };
    to[0] = (uint8_t)v;
    to[1] = (uint8_t)(v >> 8);
    to[2] = (uint8_t)(v >> 16);
    to[3] = (uint8_t)(v >> 24);
    return to + width[type];
}

static inline uint8_t *put_leb(uint8_t *to, uint32_t v)
{
    for (; v >= 0x80; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    return to;
}

static uint8_t *put_ref(uint8_t *to, int first_type, const struct mobj *mo)
{
    if (!mo)
        return put_leb(to, 0);
    to = put_leb(to, (uint32_t)(first_type + mo->type) + 1);
    return put_leb(to, mo->th.serial);
}

static uint8_t *put_name(uint8_t *to, const char *name)
{
    int n = 0;
    for (; n < NAME_MAX_SIZE && name[n]; n++)
        to[1 + n] = (uint8_t)name[n];
    *to = (uint8_t)n;
    return to + 1 + n;
}

static inline __attribute__((always_inline)) uint8_t *put_one(uint8_t *to, const struct doom *d, int first_type,
                                                              const struct member *m, const void *p)
{
    const struct mobj *mo;
    uint32_t word;
    int16_t number;
    switch (m->store) {
    case ST_S32:
        memcpy(&word, p, sizeof word);
        return put_int(to, m->type, word);
    case ST_S16:
        memcpy(&number, p, sizeof number);
        return put_int(to, m->type, (uint32_t)number);
    case ST_U8:
    case ST_BOOL:
        return put_int(to, m->type, *(const uint8_t *)p);
    case ST_MOBJ:
        memcpy(&mo, p, sizeof mo);
        return put_ref(to, first_type, mo);
    case ST_FLAT:
    case ST_WALL:
        memcpy(&number, p, sizeof number);
        return put_name(to, m->store == ST_FLAT ? tex_flat_name(d->tex, number) : tex_wall_name(d->tex, number));
    case ST_CHARS:
        return put_name(to, p);
    default:
        return put_int(to, m->type, (uint32_t)number_of(d, m, p));
    }
}

static inline __attribute__((always_inline)) uint8_t *put_all(uint8_t *to, const struct doom *d, int first_type,
                                                              const struct member *m, int count, const void *base)
{
#pragma GCC unroll 64
    for (int i = 0; i < count; i++)
        to = put_one(to, d, first_type, &m[i], (const uint8_t *)base + m[i].offset);
    return to;
}

void member_put(struct dh_buf *b, struct doom *d, int first_type, const struct member *m, int count, const void *base)
{
    uint8_t *to = dh_buf_room(b, (size_t)count * MEMBER_ROOM);
    if (!to)
        return;
    /* Most entities are mobjs: for their table the compiler writes the loop out. */
    to = m == mobj ? put_all(to, d, first_type, mobj, COUNT(mobj), base) : put_all(to, d, first_type, m, count, base);
    b->n = (size_t)(to - b->p);
}

int member_match(const struct member *m, int count, const struct dh_schema *s, const char *what, int *fields,
                 struct dh_err *e)
{
    for (int i = 0; i < count; i++) {
        fields[i] = dh_schema_find(s, m[i].name);
        if (fields[i] < 0)
            return dh_fail(e, DH_TROUBLE, "schema %s: expected a field %s, found none: the state is not whole", what,
                           m[i].name);
        if (s->fields[fields[i]].type != (enum dh_type)m[i].type)
            return dh_fail(e, DH_TROUBLE, "schema %s: expected field %s of type %s, found another", what, m[i].name,
                           type_name(m[i].type));
    }
    return 0;
}

static int store_pointer(struct doom *d, const struct member *m, int64_t v, void *p, struct dh_err *e)
{
    struct level *lev = &d->lev;
    void *ptr = NULL;
    int64_t most = m->store == ST_PLAYER      ? MAXPLAYERS
                   : m->store == ST_SECTOR    ? lev->nsectors
                   : m->store == ST_SUBSECTOR ? lev->nsubsectors
                                              : lev->nlines;
    if (v >= most || v < (m->store == ST_SECTOR ? 0 : -1))
        return dh_fail(e, DH_TROUBLE, "field %s: expected a number below %ld, found %ld", m->name, (long)most, (long)v);
    if (v >= 0)
        ptr = m->store == ST_PLAYER      ? (void *)&d->players[v]
              : m->store == ST_SECTOR    ? (void *)&lev->sectors[v]
              : m->store == ST_SUBSECTOR ? (void *)&lev->subsectors[v]
                                         : (void *)&lev->lines[v];
    memcpy(p, &ptr, sizeof ptr);
    return 0;
}

static int get_one(struct doom *d, const struct member *m, const struct member_source *src, int field, void *p,
                   struct dh_err *e)
{
    size_t n;
    const uint8_t *value = dh_block_field(src->s, src->block, src->n, field, &n);
    struct dh_cur c = dh_cur(value, n);
    char name[9] = {0};
    int16_t number;
    if (m->store == ST_MOBJ) {
        struct mobj *none = NULL;
        memcpy(p, &none, sizeof none);
        if (dh_get_leb(&c) != 0)
            src->point(src->ctx, p, dh_get_leb(&c));
        return 0;
    }
    if (m->store == ST_CHARS)
        return 0;
    if (m->store == ST_FLAT || m->store == ST_WALL) {
        struct dh_str s = dh_get_str(&c);
        memcpy(name, s.p, s.n < 8 ? s.n : 8);
        number = (int16_t)(m->store == ST_FLAT ? tex_flat(d->tex, name) : tex_wall(d->tex, name));
        if (number < 0)
            return dh_fail(e, DH_TROUBLE, "field %s: texture %s is not in the WAD files given", m->name, name);
        memcpy(p, &number, sizeof number);
        return 0;
    }
    int64_t v = dh_block_int(src->s, src->block, src->n, field);
    int32_t word = (int32_t)v;
    switch (m->store) {
    case ST_S32:
        memcpy(p, &word, sizeof word);
        return 0;
    case ST_S16:
        number = (int16_t)v;
        memcpy(p, &number, sizeof number);
        return 0;
    case ST_U8:
        *(uint8_t *)p = (uint8_t)v;
        return 0;
    case ST_BOOL:
        *(bool *)p = v != 0;
        return 0;
    default:
        return store_pointer(d, m, v, p, e);
    }
}

int member_get(struct doom *d, const struct member *m, int count, const struct member_source *src, void *base,
               struct dh_err *e)
{
    for (int i = 0; i < count; i++)
        if (get_one(d, &m[i], src, src->fields[i], (uint8_t *)base + m[i].offset, e) != 0)
            return -1;
    return 0;
}
