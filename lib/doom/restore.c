/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * restore.c - a recorded state into a world.
 *
 * The level is started first as a new game would start it, which gives everything that follows from the map alone
 * (player and deathmatch starts, scrolling walls, switch textures). Then all that acts is thrown away, and the state's
 * own is put in its place, in its order.
 */
#include <stdlib.h>
#include <string.h>

#include "member.h"
#include "play.h"
#include "snapshot.h"

/* A pointer that waits for the mobj of that serial. */
struct pending {
    struct mobj **at;
    uint64_t serial;
};

/* What is before a thing in its block's list. */
struct before {
    uint64_t serial; /* the thing's */
    struct mobj *mo;
};

struct in {
    struct doom *d;
    const struct dh_schemas *all;
    struct dh_err *e;
    struct pending *pending;
    int npending, cap;
    struct before *before; /* room for as many as there are entities */
    uint32_t nbefore, entities;
    bool lists; /* the lists of blocks are in the state: they do not follow from the things */
    bool failed;
    /* the match of the type met last: entities of a type come in runs */
    int type, etype, count, fields[MEMBER_MAX];
    const struct member *m;
};

static void point(void *ctx, struct mobj **at, uint64_t serial)
{
    struct in *in = ctx;
    if (in->npending == in->cap) {
        int cap = in->cap ? in->cap * 2 : 256;
        struct pending *p = realloc(in->pending, (size_t)cap * sizeof *p);
        if (!p) {
            in->failed = true;
            return;
        }
        in->pending = p;
        in->cap = cap;
    }
    in->pending[in->npending++] = (struct pending){at, serial};
}

/* In a replay's own output the types have names of their own where the recording's are others. */
static int etype_named(const char *name)
{
    static const char replayed[] = "snapshot.";
    if (strncmp(name, replayed, sizeof replayed - 1) == 0)
        name += sizeof replayed - 1;
    for (int t = 0; t < ET_END; t++)
        if (strcmp(member_name(t), name) == 0)
            return t;
    return -1;
}

static int match(struct in *in, int type)
{
    if (type == in->type)
        return 0;
    const struct dh_etype *t = &in->all->types[type];
    in->etype = etype_named(t->name);
    if (in->etype < 0)
        return dh_fail(in->e, DH_TROUBLE, "entity type %s: not one of a game of Doom", t->name);
    in->m = member_table(in->etype, &in->count);
    if (in->count > MEMBER_MAX)
        return dh_fail(in->e, DH_TROUBLE, "entity type %s: more members than MEMBER_MAX", t->name);
    in->type = type;
    return member_match(in->m, in->count, t->schema, t->name, in->fields, in->e);
}

static int get(struct in *in, const struct dh_entity *en, void *base)
{
    const struct member_source src = {in->all->types[en->type].schema, en->block, en->n, in->fields, point, in};
    return member_get(in->d, in->m, in->count, &src, base, in->e);
}

/* ---- entities ---------------------------------------------------------------------------------------------------- */

static int number_of(struct in *in, const struct dh_entity *en, int most)
{
    if (en->id < (uint64_t)most)
        return (int)en->id;
    return dh_fail(in->e, DH_TROUBLE, "entity %s@%llu: expected a number below %d", member_name(in->etype),
                   (unsigned long long)en->id, most);
}

static int get_queue(struct in *in, const struct dh_entity *en)
{
    struct doom *d = in->d;
    struct state_item item = {{0}, 0};
    int i;
    switch (in->etype) {
    case ET_BODYQUE:
        return (i = number_of(in, en, BODYQUESIZE)) < 0 ? -1 : get(in, en, &d->bodyque[i]);
    case ET_BRAINTARGET:
        return (i = number_of(in, en, MAXBRAINTARGETS)) < 0 ? -1 : get(in, en, &d->braintargets[i]);
    case ET_BUTTON:
        return (i = number_of(in, en, MAXBUTTONS)) < 0 ? -1 : get(in, en, &d->buttons[i]);
    default:
        if ((i = number_of(in, en, ITEMQUESIZE)) < 0 || get(in, en, &item) != 0)
            return -1;
        d->itemque[i] = item.thing;
        d->itemtime[i] = item.time;
        return 0;
    }
}

static int get_map(struct in *in, const struct dh_entity *en)
{
    struct level *lev = &in->d->lev;
    int i = number_of(in, en,
                      in->etype == ET_SECTOR ? lev->nsectors
                      : in->etype == ET_LINE ? lev->nlines
                                             : lev->nsides);
    if (i < 0)
        return -1;
    return get(in, en,
               in->etype == ET_SECTOR ? (void *)&lev->sectors[i]
               : in->etype == ET_LINE ? (void *)&lev->lines[i]
                                      : (void *)&lev->sides[i]);
}

static struct thinker *add_thinker(struct in *in, const struct dh_entity *en, enum thinker_kind kind)
{
    struct thinker *th = thinker_new(in->d, kind);
    th->serial = (uint32_t)en->id;
    return th;
}

static int get_mobj(struct in *in, const struct dh_entity *en)
{
    struct mobj *mo = (struct mobj *)add_thinker(in, en, TK_MOBJ);
    if (get(in, en, mo) != 0)
        return -1;
    if (mo->type != in->etype || mo->state < 0 || mo->state >= NFRAMES)
        return dh_fail(in->e, DH_TROUBLE, "entity %s@%llu: a type or state that is not one of its",
                       member_name(in->etype), (unsigned long long)en->id);
    return 0;
}

/* ---- movers --------------------------------------------------------------------------------------------------------
 */

static void set_current(struct sector *s, struct thinker *th, bool current)
{
    if (current)
        s->specialdata = th;
}

static int bad_slot(struct in *in, const struct dh_entity *en, int slot, int most)
{
    return dh_fail(in->e, DH_TROUBLE, "entity %s@%llu: slot %d, expected one below %d", member_name(in->etype),
                   (unsigned long long)en->id, slot, most);
}

static int get_plat(struct in *in, const struct dh_entity *en)
{
    struct plat *p = (struct plat *)add_thinker(in, en, TK_PLAT);
    struct state_plat s = {*p, -1, false};
    if (get(in, en, &s) != 0)
        return -1;
    *p = s.plat;
    set_current(p->sector, &p->th, s.current);
    if (s.slot >= MAXPLATS)
        return bad_slot(in, en, s.slot, MAXPLATS);
    if (s.slot >= 0)
        in->d->activeplats[s.slot] = p;
    return 0;
}

static int get_ceiling(struct in *in, const struct dh_entity *en)
{
    struct ceilmove *c = (struct ceilmove *)add_thinker(in, en, TK_CEILING);
    struct state_ceiling s = {*c, -1, false};
    if (get(in, en, &s) != 0)
        return -1;
    *c = s.ceiling;
    set_current(c->sector, &c->th, s.current);
    if (s.slot >= MAXCEILINGS)
        return bad_slot(in, en, s.slot, MAXCEILINGS);
    if (s.slot >= 0)
        in->d->activeceilings[s.slot] = c;
    return 0;
}

static int get_door(struct in *in, const struct dh_entity *en)
{
    struct door *t = (struct door *)add_thinker(in, en, TK_DOOR);
    struct state_door s = {*t, false};
    if (get(in, en, &s) != 0)
        return -1;
    *t = s.door;
    set_current(t->sector, &t->th, s.current);
    return 0;
}

static int get_floor(struct in *in, const struct dh_entity *en)
{
    struct floormove *t = (struct floormove *)add_thinker(in, en, TK_FLOOR);
    struct state_floor s = {*t, false};
    if (get(in, en, &s) != 0)
        return -1;
    *t = s.floor;
    set_current(t->sector, &t->th, s.current);
    return 0;
}

/* ---- the lists of blocks, where they are in the state -------------------------------------------------------------
 */

static int get_blockmap(struct in *in, const struct dh_entity *en)
{
    struct level *lev = &in->d->lev;
    const int blocks = block_count(lev);
    if (get(in, en, lev) != 0)
        return -1;
    if (lev->nblocks != blocks || lev->bmwidth < 0 || lev->bmheight < 0 ||
        (int64_t)lev->bmwidth * lev->bmheight > blocks)
        return dh_fail(in->e, DH_TROUBLE, "entity %s@%llu: expected %d blocks, found %d, of %d x %d",
                       member_name(in->etype), (unsigned long long)en->id, blocks, lev->nblocks, lev->bmwidth,
                       lev->bmheight);
    return 0;
}

static int get_before(struct in *in, const struct dh_entity *en)
{
    if (!in->before && !(in->before = calloc(in->entities, sizeof *in->before)))
        return dh_fail(in->e, DH_TROUBLE, "out of memory");
    struct before *b = &in->before[in->nbefore++];
    b->serial = en->id;
    return get(in, en, &b->mo);
}

static int get_block(struct in *in, const struct dh_entity *en)
{
    struct level *lev = &in->d->lev;
    int i;
    in->lists = lev->strays = true;
    switch (in->etype) {
    case ET_BLOCKMAP:
        return get_blockmap(in, en);
    case ET_BLOCKHEAD:
        return (i = number_of(in, en, block_count(lev))) < 0 ? -1 : get(in, en, &lev->blocklinks[i]);
    default:
        return get_before(in, en);
    }
}

static int get_entity(struct in *in, const struct dh_entity *en)
{
    struct doom *d = in->d;
    int i;
    if (match(in, en->type) != 0)
        return -1;
    if (in->etype < NTHINGTYPES)
        return get_mobj(in, en);
    switch (in->etype) {
    case ET_GAME:
        return get(in, en, d);
    case ET_PLAYER:
        return (i = number_of(in, en, MAXPLAYERS)) < 0 ? -1 : get(in, en, &d->players[i]);
    case ET_INTERMISSION:
        return get(in, en, &d->wi);
    case ET_FINALE:
        return get(in, en, &d->fin);
    case ET_BODYQUE:
    case ET_ITEMQUE:
    case ET_BUTTON:
    case ET_BRAINTARGET:
        return get_queue(in, en);
    case ET_PLAYERSTART:
        return (i = number_of(in, en, MAXPLAYERS)) < 0 ? -1 : get(in, en, &d->playerstarts[i]);
    case ET_BLOCKMAP:
    case ET_BLOCKHEAD:
    case ET_BLOCKPREV:
        return get_block(in, en);
    case ET_SECTOR:
    case ET_LINE:
    case ET_SIDE:
        return get_map(in, en);
    case ET_DOOR:
        return get_door(in, en);
    case ET_FLOOR:
        return get_floor(in, en);
    case ET_CEILING:
        return get_ceiling(in, en);
    case ET_PLAT:
        return get_plat(in, en);
    case ET_FLICKER:
        return get(in, en, add_thinker(in, en, TK_FLICKER));
    case ET_FLASH:
        return get(in, en, add_thinker(in, en, TK_FLASH));
    case ET_STROBE:
        return get(in, en, add_thinker(in, en, TK_STROBE));
    case ET_GLOW:
        return get(in, en, add_thinker(in, en, TK_GLOW));
    default:
        return dh_fail(in->e, DH_TROUBLE, "entity type %s: not one of a game of Doom", member_name(in->etype));
    }
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

static void clear(struct doom *d)
{
    struct level *lev = &d->lev;
    thinker_free_all(d);
    original_restore(lev);
    memset(d->bodyque, 0, sizeof d->bodyque);
    memset(d->braintargets, 0, sizeof d->braintargets);
    memset(d->activeplats, 0, sizeof d->activeplats);
    memset(d->activeceilings, 0, sizeof d->activeceilings);
    memset(d->buttons, 0, sizeof d->buttons);
}

static int by_serial(const void *a, const void *b)
{
    const struct mobj *x = *(struct mobj *const *)a, *y = *(struct mobj *const *)b;
    return x->th.serial < y->th.serial ? -1 : x->th.serial > y->th.serial;
}

static struct mobj **find_serial(struct mobj **v, size_t n, uint64_t serial)
{
    struct mobj key = {.th = {.serial = (uint32_t)serial}}, *k = &key;
    return bsearch(&k, v, n, sizeof *v, by_serial);
}

/* Thinkers come in order of their serials, but the gone ones after all others. */
static int resolve(struct in *in)
{
    struct doom *d = in->d;
    size_t n = 0;
    for (struct thinker *th = thinker_next(d, NULL); th; th = thinker_next(d, th))
        n += th->kind == TK_MOBJ;
    struct mobj **v = malloc((n + 1) * sizeof *v);
    if (!v)
        return dh_fail(in->e, DH_TROUBLE, "out of memory");
    n = 0;
    for (struct thinker *th = thinker_next(d, NULL); th; th = thinker_next(d, th))
        if (th->kind == TK_MOBJ)
            v[n++] = (struct mobj *)th;
    qsort(v, n, sizeof *v, by_serial);
    int result = 0;
    for (int i = 0; i < in->npending && result == 0; i++) {
        struct mobj **found = find_serial(v, n, in->pending[i].serial);
        if (found)
            *in->pending[i].at = *found;
        else
            result = dh_fail(in->e, DH_TROUBLE, "something points at entity %llu, which is not in the state",
                             (unsigned long long)in->pending[i].serial);
    }
    for (uint32_t i = 0; i < in->nbefore && result == 0; i++) {
        struct mobj **found = find_serial(v, n, in->before[i].serial);
        if (found)
            (*found)->bprev = in->before[i].mo;
    }
    free(v);
    return result;
}

/* The lists of sectors, in any order since no tic reads it. */
static void link_sectors(struct doom *d)
{
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo)) {
        if (mo->flags & MF_NOSECTOR)
            continue;
        struct sector *s = mo->subsector->sector;
        mo->snext = s->things;
        if (s->things)
            s->things->sprev = mo;
        s->things = mo;
    }
}

/* Those of blocks in the order that the state gives. */
static void link_blocks(struct doom *d)
{
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo))
        if (mo->bnext)
            mo->bnext->bprev = mo;
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo))
        if (!(mo->flags & MF_NOBLOCKMAP) && !mo->bprev)
            block_set_head(d, mo);
}

/* What was removed before the last tic is in no list any more. */
static void bury(struct doom *d)
{
    for (struct thinker *th = thinker_next(d, NULL), *next; th; th = next) {
        next = thinker_next(d, th);
        if (th->unlinked)
            thinker_unlink(d, th);
    }
}

static int find_game(const struct dh_schemas *all, const struct dh_record *r, struct dh_entity *en, struct dh_err *e)
{
    struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);
    if (r->u.state.digest_only)
        return dh_fail(e, DH_TROUBLE, "a state of digests alone cannot start a replay");
    while (dh_entity_next(all, &c, en))
        if (etype_named(all->types[en->type].name) == ET_GAME)
            return 0;
    return dh_fail(e, DH_TROUBLE, "no entity Game in the state: it is not one of a game of Doom");
}

int restore_prepare(struct doom *d, const struct dh_schemas *all, const struct dh_record *r, struct dh_err *e)
{
    struct dh_entity en;
    if (find_game(all, r, &en, e) != 0)
        return -1;
    const struct dh_schema *s = all->types[en.type].schema;
    d->skill = (int32_t)dh_block_int(s, en.block, en.n, dh_schema_find(s, "skill"));
    d->episode = (int32_t)dh_block_int(s, en.block, en.n, dh_schema_find(s, "episode"));
    d->map = (int32_t)dh_block_int(s, en.block, en.n, dh_schema_find(s, "level"));
    return 0;
}

static int get_line(struct in *in, const struct dh_record *r)
{
    struct state_line line;
    int n, fields[MEMBER_MAX];
    const struct dh_schema *s = dh_state_schema(in->all, r->kind);
    const struct member *m = member_table(-1, &n);
    if (member_match(m, n, s, "state", fields, in->e) != 0)
        return -1;
    const struct member_source src = {s, r->block, r->block_n, fields, point, in};
    if (member_get(in->d, m, n, &src, &line, in->e) != 0)
        return -1;
    in->d->gamestate = (enum gamestate)line.gamestate;
    in->d->leveltime = line.leveltime;
    in->d->prndindex = (uint8_t)line.rng;
    return 0;
}

int restore_get(struct doom *d, const struct dh_schemas *all, const struct dh_record *r, struct dh_err *e)
{
    struct in in = {.d = d, .all = all, .e = e, .entities = r->u.state.count, .type = -1};
    struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);
    struct dh_entity en;
    int result = 0;
    uint32_t serial = 0;
    clear(d);
    while (result == 0 && dh_entity_next(all, &c, &en)) {
        result = get_entity(&in, &en);
        if (in.etype == ET_GAME)
            serial = d->serial;
    }
    if (result == 0 && in.failed)
        result = dh_fail(e, DH_TROUBLE, "out of memory");
    if (result == 0)
        result = resolve(&in);
    if (result == 0)
        result = get_line(&in, r);
    d->serial = serial; /* adding the thinkers has counted it up */
    free(in.pending);
    free(in.before);
    if (result != 0 || restore_plausible(d, e) != 0)
        return -1;
    link_sectors(d);
    if (!in.lists)
        link_blocks(d);
    crowd_gather(d);
    bury(d);
    return 0;
}
