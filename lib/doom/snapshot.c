/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - the whole state of a world, entity by entity. */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "member.h"
#include "play.h"

struct out {
    struct doom *d;
    struct dh_state *st;
    int first_type;
    bool plain; /* block_lists_plain */
};

static void entity(struct out *o, int etype, uint64_t id, const void *base)
{
    int n;
    const struct member *m = member_table(etype, &n);
    dh_state_entity(o->st, o->first_type + etype, id);
    member_put(&o->st->body, o->d, o->first_type, m, n, base);
}

static void put_players(struct out *o)
{
    for (int i = 0; i < MAXPLAYERS; i++)
        if (o->d->playeringame[i])
            entity(o, ET_PLAYER, (uint64_t)i, &o->d->players[i]);
}

static void put_queues(struct out *o)
{
    struct doom *d = o->d;
    for (int i = 0; i < BODYQUESIZE; i++)
        if (d->bodyque[i])
            entity(o, ET_BODYQUE, (uint64_t)i, &(struct state_ref){d->bodyque[i]});
    for (int i = d->iquetail; i != d->iquehead; i = (i + 1) & (ITEMQUESIZE - 1))
        entity(o, ET_ITEMQUE, (uint64_t)i, &(struct state_item){d->itemque[i], d->itemtime[i]});
    for (int i = 0; i < MAXBUTTONS; i++)
        if (d->buttons[i].timer)
            entity(o, ET_BUTTON, (uint64_t)i, &d->buttons[i]);
    for (int i = 0; i < d->nbraintargets; i++)
        entity(o, ET_BRAINTARGET, (uint64_t)i, &(struct state_ref){d->braintargets[i]});
    /* one that an earlier level had and this one lacks, or that an overrun wrote to */
    for (int i = 0; i < MAXPLAYERS; i++)
        if (memcmp(&d->playerstarts[i], &d->playerstarts0[i], sizeof d->playerstarts[i]) != 0)
            entity(o, ET_PLAYERSTART, (uint64_t)i, &d->playerstarts[i]);
}

static bool sector_differs(const struct sector *s, const struct sector0 *t)
{
    return s->floor != t->floor || s->ceiling != t->ceiling || s->floorpic != t->floorpic ||
           s->ceilingpic != t->ceilingpic || s->light != t->light || s->special != t->special || s->tag != t->tag ||
           s->soundtarget;
}

static void put_map(struct out *o)
{
    struct level *lev = &o->d->lev;
    for (int i = 0; i < lev->nsectors; i++)
        if (sector_differs(&lev->sectors[i], &lev->sectors0[i]))
            entity(o, ET_SECTOR, (uint64_t)i, &lev->sectors[i]);
    for (int i = 0; i < lev->nlines; i++) {
        const struct line *l = &lev->lines[i];
        const struct line0 *t = &lev->lines0[i];
        if (l->flags != t->flags || l->special != t->special || l->tag != t->tag)
            entity(o, ET_LINE, (uint64_t)i, l);
    }
    for (int i = 0; i < lev->nsides; i++) {
        const struct side *s = &lev->sides[i];
        const struct side0 *t = &lev->sides0[i];
        if (s->xoff != t->xoff || s->yoff != t->yoff || s->top != t->top || s->bottom != t->bottom || s->mid != t->mid)
            entity(o, ET_SIDE, (uint64_t)i, s);
    }
}

/* Of those kinds whose state is all in the thinker itself. */
static int etype_of(const struct thinker *th)
{
    static const uint8_t kinds[TK_KINDS] = {
        [TK_FLICKER] = ET_FLICKER,
        [TK_FLASH] = ET_FLASH,
        [TK_STROBE] = ET_STROBE,
        [TK_GLOW] = ET_GLOW,
    };
    return th->kind == TK_MOBJ ? ((const struct mobj *)th)->type : kinds[th->kind];
}

static void put_plat(struct out *o, const struct plat *p)
{
    struct state_plat s = {*p, -1, p->sector->specialdata == &p->th};
    for (int i = 0; i < MAXPLATS; i++)
        if (o->d->activeplats[i] == p)
            s.slot = i;
    entity(o, ET_PLAT, p->th.serial, &s);
}

static void put_ceiling(struct out *o, const struct ceilmove *c)
{
    struct state_ceiling s = {*c, -1, c->sector->specialdata == &c->th};
    for (int i = 0; i < MAXCEILINGS; i++)
        if (o->d->activeceilings[i] == c)
            s.slot = i;
    entity(o, ET_CEILING, c->th.serial, &s);
}

static void put_thinker(struct out *o, const struct thinker *th)
{
    const void *p = th;
    switch (th->kind) {
    case TK_PLAT:
        put_plat(o, p);
        break;
    case TK_CEILING:
        put_ceiling(o, p);
        break;
    case TK_DOOR: {
        const struct door *t = p;
        entity(o, ET_DOOR, th->serial, &(struct state_door){*t, t->sector->specialdata == th});
        break;
    }
    case TK_FLOOR: {
        const struct floormove *t = p;
        entity(o, ET_FLOOR, th->serial, &(struct state_floor){*t, t->sector->specialdata == th});
        break;
    }
    default:
        entity(o, etype_of(th), th->serial, p);
        break;
    }
}

static void put_thinkers(struct out *o)
{
    for (struct thinker *th = thinker_next(o->d, NULL); th; th = thinker_next(o->d, th))
        if (!th->removed)
            put_thinker(o, th);
}

/* Removed mobjs that something of the state still points at, sorted by serial. */
struct gone {
    struct mobj **v;
    int n, cap;
    bool failed;
};

static void note(struct gone *g, struct mobj *mo)
{
    if (!mo || !mo->th.removed)
        return;
    int at = g->n;
    while (at > 0 && g->v[at - 1]->th.serial >= mo->th.serial)
        at--;
    if (at < g->n && g->v[at] == mo)
        return;
    if (g->n == g->cap) {
        int cap = g->cap ? g->cap * 2 : 32;
        struct mobj **v = realloc(g->v, (size_t)cap * sizeof *v);
        if (!v) {
            g->failed = true;
            return;
        }
        g->v = v;
        g->cap = cap;
    }
    memmove(g->v + at + 1, g->v + at, (size_t)(g->n - at) * sizeof *g->v);
    g->v[at] = mo;
    g->n++;
}

/* What the blocks' lists lead to, where that is put into the state. */
static void note_blocks(struct doom *d, struct gone *g)
{
    for (int i = 0; i < block_count(&d->lev); i++)
        note(g, d->lev.blocklinks[i]);
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo)) {
        note(g, mo->bnext);
        note(g, mo->bprev);
    }
}

static void note_all(struct doom *d, struct gone *g, bool plain)
{
    if (!plain)
        note_blocks(d, g);
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo)) {
        note(g, mo->target);
        note(g, mo->tracer);
    }
    for (int i = 0; i < MAXPLAYERS; i++) {
        note(g, d->players[i].mo);
        note(g, d->players[i].attacker);
    }
    for (int i = 0; i < d->lev.nsectors; i++)
        note(g, d->lev.sectors[i].soundtarget);
    for (int i = 0; i < BODYQUESIZE; i++)
        note(g, d->bodyque[i]);
    for (int i = 0; i < d->nbraintargets; i++)
        note(g, d->braintargets[i]);
    /* and what those point at in turn, until nothing new is met */
    for (int before = -1; before != g->n && !g->failed;) {
        before = g->n;
        for (int i = 0; i < g->n; i++) {
            struct mobj *mo = g->v[i];
            note(g, mo->target);
            note(g, mo->tracer);
            if (!plain) {
                note(g, mo->bnext);
                note(g, mo->bprev);
            }
        }
    }
}

/* Their health and flags are read through the pointers to them, so they are state, after everything that still acts. */
static void put_gone(struct out *o)
{
    struct gone g = {0};
    note_all(o->d, &g, o->plain);
    for (int i = 0; i < g.n; i++) {
        struct mobj mo = *g.v[i];
        if (o->plain)
            mo.bnext = NULL; /* it is in no block any more */
        entity(o, mo.type, mo.th.serial, &mo);
    }
    for (int i = 0; i < g.n && !o->plain; i++)
        entity(o, ET_BLOCKPREV, g.v[i]->th.serial, &(struct state_ref){g.v[i]->bprev});
    o->st->body.failed |= g.failed;
    free(g.v);
}

/* The lists of blocks, where they do not follow from the things: after all of these, so that they are there. */
static void put_blocks(struct out *o)
{
    struct doom *d = o->d;
    if (d->lev.nblocks)
        entity(o, ET_BLOCKMAP, 0, &d->lev);
    for (int i = 0; i < block_count(&d->lev); i++)
        if (d->lev.blocklinks[i])
            entity(o, ET_BLOCKHEAD, (uint64_t)i, &(struct state_ref){d->lev.blocklinks[i]});
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo))
        if (mo->bprev)
            entity(o, ET_BLOCKPREV, mo->th.serial, &(struct state_ref){mo->bprev});
}

static int count_mobjs(struct doom *d)
{
    int n = 0;
    for (struct mobj *mo = thinker_next_mobj(d, NULL); mo; mo = thinker_next_mobj(d, mo))
        n++;
    return n;
}

void snapshot_put(struct doom *d, int first_type, struct dh_state *st)
{
    struct out o = {d, st, first_type, block_lists_plain(d)};
    struct state_line line = {{0}, d->leveltime, d->prndindex, (int32_t)d->gamestate, count_mobjs(d)};
    int n;
    const struct member *m = member_table(-1, &n);
    thinker_settle(d);
    game_map_name(d, line.map);
    member_put(&st->head, d, first_type, m, n, &line);
    entity(&o, ET_GAME, 0, d);
    put_players(&o);
    if (d->gamestate == GS_INTERMISSION)
        entity(&o, ET_INTERMISSION, 0, &d->wi);
    if (d->gamestate == GS_FINALE)
        entity(&o, ET_FINALE, 0, &d->fin);
    put_queues(&o);
    put_map(&o);
    put_thinkers(&o);
    put_gone(&o);
    if (!o.plain)
        put_blocks(&o);
}
