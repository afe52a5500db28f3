/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mobj.c - moving objects: their coming, their states, their turn in a tic, their going. */
#include "monster.h"
#include "space.h"

#define CHAIN_LIMIT 100000 /* states entered in one go; a patched table can make them a circle of no duration */
#define NEST_LIMIT 1000    /* states entered by what a state does: a patch can need some hundreds */
#define RESPAWN_WAIT (12 * TICRATE)

static void enter_frame(struct doom *d, struct mobj *mo, int frame)
{
    thinker_stir(d, &mo->th);
    mo->state = frame;
    mo->tics = d->frames[frame].tics;
}

/*
 * What a state does it does on being entered, and a state of no duration is followed by its next at once. The next is
 * that of the state entered here even where its action has set another, and the duration looked at is whatever the
 * action left.
 */
bool mobj_set_state(struct doom *d, struct mobj *mo, int frame)
{
    for (int chain = 0; frame != S_NONE; chain++) {
        const struct frame_info *f = &d->frames[frame];
        enter_frame(d, mo, frame);
        if (f->action != ACT_None) {
            if (++d->nesting < NEST_LIMIT)
                action_mobj(d, mo, f->action);
            else
                dh_fail(d->err, DH_TROUBLE, "frame %d leads back to itself by what it does", frame);
            d->nesting--;
        }
        if (mo->tics != 0 || d->err->status)
            return true;
        if (chain >= CHAIN_LIMIT) {
            dh_fail(d->err, DH_TROUBLE, "states lead in a circle without any duration, from frame %d", frame);
            return true;
        }
        frame = f->next;
    }
    mo->state = S_NONE; /* its duration stays what it was */
    mobj_remove(d, mo);
    return false;
}

struct mobj *mobj_spawn(struct doom *d, fixed x, fixed y, fixed z, int type)
{
    struct mobj *mo = thinker_new(d, TK_MOBJ);
    const struct thing_info *info = &d->things[type];
    mo->type = type;
    mo->x = x;
    mo->y = y;
    mo->radius = info->radius;
    mo->height = info->height;
    mo->flags = info->flags;
    if (mo == &d->nobody) /* out of memory, and the run is over: it must not be in a list twice */
        mo->flags |= MF_NOSECTOR | MF_NOBLOCKMAP;
    mo->health = info->health;
    if (d->skill != SK_NIGHTMARE)
        mo->reactiontime = info->reactiontime;
    if (d->version > VERSION_DOOM_1_0) /* there it is drawn at each look (recreated, P_SpawnMobj; 1207) */
        mo->lastlook = rng_next(d) % MAXPLAYERS;
    enter_frame(d, mo, info->frame.spawn); /* without its action */
    if (mo->state == NFRAMES)
        action_mobj(d, mo, ACT_NoFrame);

    block_link(d, mo);
    mo->floorz = mo->subsector->sector->floor;
    mo->ceilingz = mo->subsector->sector->ceiling;
    if (z == ONFLOORZ)
        mo->z = mo->floorz;
    else if (z == ONCEILINGZ)
        mo->z = wrap_sub(mo->ceilingz, info->height);
    else
        mo->z = z;
    return mo;
}

/* Whatever can be picked up comes back in deathmatch 2 (respawn.c), but for the two that would decide a game, and what
 * a monster dropped. 1.0 and 1.1 keep no list (recreated, P_RemoveMobj); chocolate-doom's 1.2 does. */
static bool comes_back(const struct doom *d, const struct mobj *mo)
{
    return d->version >= VERSION_DOOM_1_2 && (mo->flags & MF_SPECIAL) && !(mo->flags & MF_DROPPED) &&
           mo->type != T_Invulnerability && mo->type != T_Invisibility;
}

void mobj_remove(struct doom *d, struct mobj *mo)
{
    if (mo->th.unlinked)
        return;
    if (comes_back(d, mo)) {
        d->itemque[d->iquehead] = mo->spawn;
        d->itemtime[d->iquehead] = d->leveltime;
        d->iquehead = (d->iquehead + 1) & (ITEMQUESIZE - 1);
        if (d->iquehead == d->iquetail) /* full: the oldest is lost */
            d->iquetail = (d->iquetail + 1) & (ITEMQUESIZE - 1);
    }
    block_unlink(d, mo);
    thinker_remove(d, &mo->th);
}

void mobj_explode_missile(struct doom *d, struct mobj *mo)
{
    mo->momx = mo->momy = mo->momz = 0;
    mobj_set_state(d, mo, d->things[mo->type].frame.death);
    monster_stagger(d, mo, 3);
    mo->flags &= ~MF_MISSILE;
}

/* A monster's corpse at its last frame, where monsters rise again. The draw is made on the tics that could bring it
 * back only. */
static void rise_again(struct doom *d, struct mobj *mo)
{
    if (!(mo->flags & MF_COUNTKILL) || !d->respawnmonsters)
        return;
    mo->movecount++;
    if (mo->movecount < RESPAWN_WAIT || (d->leveltime & 31))
        return;
    if (rng_next(d) > 4)
        return;
    monster_nightmare_respawn(d, mo);
}

void mobj_think(struct doom *d, struct mobj *mo)
{
    if (mo->momx != 0 || mo->momy != 0 || (mo->flags & MF_SKULLFLY)) {
        motion_xy(d, mo);
        if (mo->th.removed)
            return;
    }
    if (mo->z != mo->floorz || mo->momz != 0) {
        motion_z(d, mo);
        if (mo->th.removed)
            return;
    }

    if (mo->tics == -1) {
        rise_again(d, mo);
        return;
    }
    if (--mo->tics == 0)
        mobj_set_state(d, mo, d->frames[mo->state].next);
}
