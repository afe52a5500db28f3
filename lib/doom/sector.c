/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sector.c - what the map's machinery asks of a sector: its neighbours' heights and light, its tag, moving one of its
 * planes, and what its floor does to a player.
 */
#include "play.h"

/* The flag decides, not the second side: a line without the flag has no other side. */
struct sector *sector_across(const struct line *l, const struct sector *s)
{
    if (!(l->flags & ML_TWOSIDED))
        return NULL;
    return l->front == s ? l->back : l->front;
}

/* Iterate over the neighbours: i is the line's place in the sector. NULL ends it. One that is met twice is given twice.
 */
static const struct sector *neighbour(const struct sector *s, int *i)
{
    while (*i < s->nlines) {
        const struct sector *other = sector_across(s->lines[(*i)++], s);
        if (other)
            return other;
    }
    return NULL;
}

fixed sector_lowest_floor(const struct sector *s)
{
    fixed low = s->floor;
    int i = 0;
    for (const struct sector *o; (o = neighbour(s, &i));)
        if (o->floor < low)
            low = o->floor;
    return low;
}

fixed sector_highest_floor(const struct sector *s)
{
    fixed high = FX(-500); /* not the sector's own: a pit deeper than that is never found */
    int i = 0;
    for (const struct sector *o; (o = neighbour(s, &i));)
        if (o->floor > high)
            high = o->floor;
    return high;
}

/*
 * The executable collects the higher floors in an array of 20 on its stack. The 21st lands in unused space, the 22nd in
 * the variable that holds the height to compare with, and what follows destroys the return address.
 *
 * Up to 1.1 the array is read even where nothing was put into it (recreated, P_FindNextHighestFloor): the answer is
 * what the stack holds, which for several sectors of one line is what the last of them left there (1207), and for the
 * first nobody knows: here 0, PrBoom's guess for 1.2.
 */
fixed sector_next_floor(struct doom *d, const struct sector *s, fixed height)
{
    enum { ROOM = 20 };
    fixed above = height, next = height;
    int found = 0, i = 0;
    for (const struct sector *o; (o = neighbour(s, &i));) {
        if (o->floor <= above)
            continue;
        if (found == ROOM + 1)
            above = o->floor;
        if (found == ROOM + 2) {
            dh_fail(d->err, DH_TROUBLE, "sector %d: more than 22 higher neighbours, where the executable crashes",
                    s->index);
            return next;
        }
        if (found == 0 || o->floor < next)
            next = o->floor;
        if (found == 0)
            d->higher = o->floor;
        found++;
    }
    return found == 0 && d->version < VERSION_DOOM_1_2 ? d->higher : next;
}

fixed sector_lowest_ceiling(const struct sector *s)
{
    fixed low = INT32_MAX;
    int i = 0;
    for (const struct sector *o; (o = neighbour(s, &i));)
        if (o->ceiling < low)
            low = o->ceiling;
    return low;
}

fixed sector_highest_ceiling(const struct sector *s)
{
    fixed high = 0;
    int i = 0;
    for (const struct sector *o; (o = neighbour(s, &i));)
        if (o->ceiling > high)
            high = o->ceiling;
    return high;
}

int sector_min_light(const struct sector *s, int max)
{
    int min = max, i = 0;
    for (const struct sector *o; (o = neighbour(s, &i));)
        if (o->light < min)
            min = o->light;
    return min;
}

int sector_by_tag(const struct doom *d, const struct line *l, int start)
{
    for (int i = start + 1; i < d->lev.nsectors; i++)
        if (d->lev.sectors[i].tag == l->tag)
            return i;
    return -1;
}

/*
 * One step of a floor or ceiling towards its goal. The last step is reported as done even when it was undone because
 * something did not fit: whoever moves the plane stops all the same.
 */
enum plane_result sector_move_plane(struct doom *d, struct sector *s, fixed speed, fixed dest, int crush, bool ceiling,
                                    int direction)
{
    fixed *height = ceiling ? &s->ceiling : &s->floor;
    const fixed was = *height;
    const bool up = direction > 0;
    const fixed next = up ? wrap_add(was, speed) : wrap_sub(was, speed);
    const bool last = up ? next > dest : next < dest;

    if (direction != 1 && direction != -1)
        return PLANE_OK;
    *height = last ? dest : next;
    if (!move_change_sector(d, s, crush != CRUSH_NO))
        return last ? PLANE_PASTDEST : PLANE_OK;

    if (!last) {
        if (ceiling && up)
            return PLANE_OK; /* an opening ceiling is never put back */
        if (ceiling != up && crush == CRUSH_YES)
            return PLANE_CRUSHED; /* closing in for good: stays where it got to */
    }
    *height = was;
    move_change_sector(d, s, crush != CRUSH_NO); /* a second time: things go back down, and crushers hurt twice */
    return last ? PLANE_PASTDEST : PLANE_CRUSHED;
}

/* ---- the floor below a player ------------------------------------------------------------------------------------ */

/* The floors hurt once in 32 tics. */
static void burn(struct doom *d, struct player *p, int damage)
{
    if (!(game_pulse(d) & 31))
        damage_mobj(d, p->mo, NULL, NULL, damage);
}

void sector_player(struct doom *d, struct player *p)
{
    struct sector *s = p->mo->subsector->sector;
    if (p->mo->z != s->floor)
        return; /* in the air, or on a ledge of another sector */

    switch (s->special) {
    case 5:
        if (!p->powers[PW_IRONFEET])
            burn(d, p, 10);
        break;
    case 7:
        if (!p->powers[PW_IRONFEET])
            burn(d, p, 5);
        break;
    case 4:
    case 16:
        /* the suit leaks; the number is drawn at every tic, not only at those that hurt */
        if (!p->powers[PW_IRONFEET] || rng_next(d) < 5)
            burn(d, p, 20);
        break;
    case 9:
        p->secrets++;
        s->special = 0;
        break;
    case 11: /* the end of the first episode: nobody leaves it but near death */
        p->cheats &= ~CF_GODMODE;
        burn(d, p, 20);
        if (p->health <= 10)
            game_exit_level(d);
        break;
    default:
        dh_fail(d->err, DH_TROUBLE, "sector %d: unknown special %d below a player", s->index, s->special);
        break;
    }
}
