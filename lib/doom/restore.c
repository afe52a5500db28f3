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

struct in {
    struct doom *d;
    const struct dh_schemas *all;
    int kind;
    struct dh_err *e;
    struct pending *pending;
    int npending, cap;
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
    if (!mo->subsector && !mo->th.removed)
        return dh_fail(in->e, DH_TROUBLE, "entity %s@%llu: in no subsector", member_name(in->etype),
                       (unsigned long long)en->id);
    return 0;
}

/* The mover of a sector is known from both sides. */
static int get_mover(struct in *in, const struct dh_entity *en)
{
    struct doom *d = in->d;
    if (in->etype == ET_PLAT) {
        struct plat *p = (struct plat *)add_thinker(in, en, TK_PLAT);
        struct state_plat s = {*p, -1};
        if (get(in, en, &s) != 0 || s.slot >= MAXPLATS)
            return -1;
        *p = s.plat;
        p->sector->specialdata = &p->th;
        if (s.slot >= 0)
            d->activeplats[s.slot] = p;
        return 0;
    }
    if (in->etype == ET_CEILING) {
        struct ceilmove *c = (struct ceilmove *)add_thinker(in, en, TK_CEILING);
        struct state_ceiling s = {*c, -1};
        if (get(in, en, &s) != 0 || s.slot >= MAXCEILINGS)
            return -1;
        *c = s.ceiling;
        c->sector->specialdata = &c->th;
        if (s.slot >= 0)
            d->activeceilings[s.slot] = c;
        return 0;
    }
    struct thinker *th = add_thinker(in, en, in->etype == ET_DOOR ? TK_DOOR : TK_FLOOR);
    if (get(in, en, th) != 0)
        return -1;
    struct sector *s = in->etype == ET_DOOR ? ((struct door *)th)->sector : ((struct floormove *)th)->sector;
    s->specialdata = th;
    return 0;
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
    case ET_SECTOR:
    case ET_LINE:
    case ET_SIDE:
        return get_map(in, en);
    case ET_FLICKER:
        return get(in, en, add_thinker(in, en, TK_FLICKER));
    case ET_FLASH:
        return get(in, en, add_thinker(in, en, TK_FLASH));
    case ET_STROBE:
        return get(in, en, add_thinker(in, en, TK_STROBE));
    case ET_GLOW:
        return get(in, en, add_thinker(in, en, TK_GLOW));
    default:
        return get_mover(in, en);
    }
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

static void clear(struct doom *d)
{
    struct level *lev = &d->lev;
    thinker_free_all(d);
    memset(lev->blocklinks, 0, (size_t)lev->bmwidth * (size_t)lev->bmheight * sizeof *lev->blocklinks);
    for (int i = 0; i < lev->nsectors; i++) {
        struct sector *s = &lev->sectors[i];
        const struct sector *t = &lev->sectors0[i];
        s->floor = t->floor;
        s->ceiling = t->ceiling;
        s->floorpic = t->floorpic;
        s->ceilingpic = t->ceilingpic;
        s->light = t->light;
        s->special = t->special;
        s->tag = t->tag;
        s->things = NULL;
        s->soundtarget = NULL;
        s->specialdata = NULL;
    }
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
        struct mobj key = {.th = {.serial = (uint32_t)in->pending[i].serial}}, *k = &key;
        struct mobj **found = bsearch(&k, v, n, sizeof *v, by_serial);
        if (found)
            *in->pending[i].at = *found;
        else
            result = dh_fail(in->e, DH_TROUBLE, "something points at entity %llu, which is not in the state",
                             (unsigned long long)in->pending[i].serial);
    }
    free(v);
    return result;
}

/* The lists of sectors, in any order since no tic reads it, and those of blocks in the order that the state gives. */
static void link_all(struct doom *d)
{
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo)) {
        if (!(mo->flags & MF_NOSECTOR)) {
            struct sector *s = mo->subsector->sector;
            mo->snext = s->things;
            if (s->things)
                s->things->sprev = mo;
            s->things = mo;
        }
        if (mo->bnext)
            mo->bnext->bprev = mo;
    }
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo))
        if (!(mo->flags & MF_NOBLOCKMAP) && !mo->bprev)
            block_set_head(d, mo);
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
    struct in in = {.d = d, .all = all, .kind = r->kind, .e = e, .type = -1};
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
    link_all(d);
    free(in.pending);
    return result;
}
