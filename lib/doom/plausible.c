/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plausible.c - a restored state, looked over before it is run: whatever a tic uses as an index or divides by is in
 * range. A stream is anybody's, and no tic looks again.
 */
#include "play.h"
#include "snapshot.h"

static int bad(struct dh_err *e, const char *what, uint64_t id, const char *field, long long found, long most)
{
    return dh_fail(e, DH_TROUBLE, "entity %s@%llu: %s is %lld, expected 0 to %ld", what, (unsigned long long)id, field,
                   found, most);
}

#define CHECK(e, what, id, field, value, most)                       \
    do {                                                             \
        if ((value) < 0 || (value) > (most))                         \
            return bad(e, what, (uint64_t)(id), field, value, most); \
    } while (0)

static int check_mobj(const struct mobj *mo, struct dh_err *e)
{
    const char *what = thing_labels[mo->type];
    CHECK(e, what, mo->th.serial, "state", mo->state, NFRAMES - 1);
    CHECK(e, what, mo->th.serial, "lastlook", mo->lastlook, MAXPLAYERS - 1);
    if (!mo->subsector)
        return bad(e, what, mo->th.serial, "subsector", -1, 65535);
    return 0;
}

static int check_player(const struct player *p, struct dh_err *e)
{
    CHECK(e, "Player", p->slot, "ready", p->ready, NWEAPONS - 1);
    CHECK(e, "Player", p->slot, "pending", p->pending, WP_NOCHANGE);
    CHECK(e, "Player", p->slot, "state", (int)p->state, PST_REBORN);
    for (int i = 0; i < NPSPRITES; i++)
        CHECK(e, "Player", p->slot, i ? "flashstate" : "weaponstate", p->psp[i].state, NFRAMES - 1);
    if (!p->mo)
        return dh_fail(e, DH_TROUBLE, "entity Player@%d: has no mobj", p->slot);
    return 0;
}

static int check_game(const struct doom *d, struct dh_err *e)
{
    CHECK(e, "Game", 0, "skill", d->skill, SK_NIGHTMARE);
    CHECK(e, "Game", 0, "action", (int)d->gameaction, GA_WORLDDONE);
    CHECK(e, "Game", 0, "gamestate", (int)d->gamestate, GS_DEMOEND);
    CHECK(e, "Game", 0, "bodyqueslot", d->bodyqueslot, INT32_MAX - 1);
    CHECK(e, "Game", 0, "itemquehead", d->iquehead, ITEMQUESIZE - 1);
    CHECK(e, "Game", 0, "itemquetail", d->iquetail, ITEMQUESIZE - 1);
    CHECK(e, "Game", 0, "braintargets", d->nbraintargets, MAXBRAINTARGETS);
    CHECK(e, "Game", 0, "braintargeton", d->braintargeton, d->nbraintargets);
    CHECK(e, "Game", 0, "next", d->wi.next, 255);
    for (int i = 0; i < d->nbraintargets; i++)
        if (!d->braintargets[i])
            return dh_fail(e, DH_TROUBLE, "entity BrainTarget@%d: there is none", i);
    for (int i = d->bodyqueslot - BODYQUESIZE; i < d->bodyqueslot; i++)
        if (i >= 0 && !d->bodyque[i % BODYQUESIZE])
            return dh_fail(e, DH_TROUBLE, "entity BodyQue@%d: there is none", i % BODYQUESIZE);
    for (int i = 0; i < MAXBUTTONS; i++)
        if (d->buttons[i].timer && !d->buttons[i].line)
            return dh_fail(e, DH_TROUBLE, "entity Button@%d: of no line", i);
    return 0;
}

static int check_between(const struct doom *d, struct dh_err *e)
{
    if (d->gamestate == GS_INTERMISSION && (d->wi.maxkills < 1 || d->wi.maxitems < 1 || d->wi.maxsecrets < 1))
        return dh_fail(e, DH_TROUBLE, "entity Intermission@0: counts to %d, %d and %d, expected at least 1 each",
                       d->wi.maxkills, d->wi.maxitems, d->wi.maxsecrets);
    if (d->gamestate == GS_FINALE) {
        CHECK(e, "Finale", 0, "castnum", d->fin.cast_num, CAST_SIZE - 1);
        CHECK(e, "Finale", 0, "caststate", d->fin.cast_state, NFRAMES - 1);
    }
    return 0;
}

int restore_plausible(struct doom *d, struct dh_err *e)
{
    if (check_game(d, e) != 0 || check_between(d, e) != 0)
        return -1;
    for (int i = 0; i < MAXPLAYERS; i++)
        if (d->playeringame[i] && check_player(&d->players[i], e) != 0)
            return -1;
    for (struct thinker *th = thinker_next(d, NULL); th; th = thinker_next(d, th))
        if (th->kind == TK_MOBJ && check_mobj((const struct mobj *)th, e) != 0)
            return -1;
    return 0;
}
