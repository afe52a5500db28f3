/* SPDX-License-Identifier: ISC */
/*
 * door.c - doors: sliding and hinged boxes that carry who stands on them and push who is in their way.
 *
 * Who cannot be pushed away stops the door: it keeps its phase and tries again at the next tick.
 */
#include "inner.h"

#define DEPTH_ALLOWED 0.005f /* metres that somebody may be squeezed before the door counts as blocked */
#define PIECE 0.1f           /* metres that a corner goes at most in one piece of a tick */
#define MOST_PIECES 64
#define HIGHEST_PILE 8 /* props on props that are carried */

static const char *const state_names[] = {"closed", "opening", "open", "closing"};

/* ---- where it is ------------------------------------------------------------------------------------------------- */

static struct v3 rotate(const struct v3 axes[3], struct v3 v)
{
    return v3_mad(v3_mad(v3_scale(axes[0], v.x), axes[1], v.y), axes[2], v.z);
}

static struct v3 unrotate(const struct v3 axes[3], struct v3 v)
{
    return v3(v3_dot(axes[0], v), v3_dot(axes[1], v), v3_dot(axes[2], v));
}

/* From the phase: position, rotation and the body's box. */
void nat_door_place(struct dh_world *w, struct door *d)
{
    const struct object *o = d->object;
    struct body *b = &w->bodies[d->body];

    if (o->motion == MOTION_SLIDE) {
        d->position = v3_mad(o->center, o->slide, d->phase);
        d->rotation = o->rotation;
    } else {
        struct quat turn = nat_rotation(v3(0.0f, o->turn * d->phase, 0.0f));
        struct v3 axes[3];
        nat_quat_axes(turn, axes);
        d->position = v3_add(o->pivot, rotate(axes, v3_sub(o->center, o->pivot)));
        d->rotation = nat_quat_mul(turn, o->rotation);
    }
    b->box.center = d->position;
    b->box.half = o->half;
    nat_quat_axes(d->rotation, b->box.axis);
    nat_body_moved(b);
}

/* ---- what it is told --------------------------------------------------------------------------------------------- */

static void enter(struct dh_world *w, struct door *d, enum door_state state, int slot)
{
    struct dh_buf *b = nat_event(w, "door", slot < 0 ? DH_NO_SLOT : slot);

    d->state = (uint8_t)state;
    d->timer = 0;
    if (b) {
        dh_build_event_pair(b, "door", "%d", d->body);
        dh_build_event_pair(b, "state", "%s", state_names[state]);
    }
}

void nat_door_use(struct dh_world *w, struct door *d, int slot)
{
    if (!(d->object->opens & OPENS_USE))
        return;
    bool shut = d->state == DOOR_CLOSED || d->state == DOOR_CLOSING;
    enter(w, d, shut ? DOOR_OPENING : DOOR_CLOSING, slot);
}

void nat_door_touch(struct dh_world *w, struct door *d, int slot)
{
    if (!(d->object->opens & OPENS_TOUCH))
        return;
    if (d->state == DOOR_CLOSED || d->state == DOOR_CLOSING)
        enter(w, d, DOOR_OPENING, slot);
    else if (d->state == DOOR_OPEN)
        d->timer = d->waits; /* as long as somebody touches it, it waits */
}

static bool held(const struct dh_world *w, const struct door *d)
{
    for (int i = 0; d->has_plates && i < w->nplates; i++)
        if (w->plates[i].pressed && &w->doors[w->plates[i].door] == d)
            return true;
    return false;
}

/* A door with plates shuts by itself once they are free, another one when it was open for its time, if it has one. */
static void decide(struct dh_world *w, struct door *d)
{
    bool hold = held(w, d);

    if (hold && (d->state == DOOR_CLOSED || d->state == DOOR_CLOSING))
        enter(w, d, DOOR_OPENING, NOBODY);
    if (d->state != DOOR_OPEN || (d->waits == 0 && !d->has_plates))
        return;
    if (hold)
        d->timer = d->waits;
    else if (d->timer > 0)
        d->timer--;
    if (d->timer == 0 && !hold)
        enter(w, d, DOOR_CLOSING, NOBODY);
}

/* ---- who is in the way ------------------------------------------------------------------------------------------- */

struct
try {
    struct dh_world *w;
    const struct door *d;
    struct body before; /* the door's, at its old place */
    const struct body *now;
    struct bounds both;
};

/* Where a point that rides on the door goes. */
static struct v3 carried(const struct try *t, struct v3 p)
{
    const struct box *from = &t->before.box, *to = &t->now->box;

    if (t->d->object->motion == MOTION_SLIDE)
        return v3_sub(to->center, from->center);
    struct v3 local = unrotate(from->axis, v3_sub(p, from->center));
    return v3_sub(v3_add(to->center, rotate(to->axis, local)), p);
}

/* On the door, or on a pile of props on it. */
static bool rides_on(const struct try *t, int32_t body)
{
    for (int i = 0; i < HIGHEST_PILE && body != NOBODY && body != t->d->body; i++) {
        const struct body *b = &t->w->bodies[body];
        if (b->kind != OBJ_PROP)
            return false;
        body = t->w->props[b->part].ground_body;
    }
    return body == t->d->body;
}

static bool move_pawn(struct try *t, struct pawn *p)
{
    struct capsule c = nat_pawn_capsule(t->w, p);
    struct bounds b = nat_capsule_bounds(&c);
    bool rides = rides_on(t, p->ground_body);

    if (!rides && !(nat_bounds_meet(&t->now->bounds, &b) && nat_capsule_box(&c, &t->now->box).separation < -TOUCH))
        return true;
    struct contacts k;
    nat_slide(t->w, &c, rides ? carried(t, p->position) : v3(0.0f, 0.0f, 0.0f), SLIDING, &k);
    float depth = nat_depth(t->w, &c);
    /* Who was stuck before is not the door's doing. */
    if (depth > DEPTH_ALLOWED && nat_capsule_box(&c, &t->now->box).separation < -DEPTH_ALLOWED)
        return false;
    p->position = c.feet;
    return true;
}

static bool move_prop(struct try *t, struct prop *p)
{
    const struct body *b = &t->w->bodies[p->body];
    bool rides = rides_on(t, p->ground_body);

    if (!rides && !(nat_bounds_meet(&t->now->bounds, &b->bounds) &&
                    nat_box_box(&b->box, &t->now->box, v3(0.0f, 0.0f, 0.0f)).separation < -TOUCH))
        return true;
    nat_prop_shift(t->w, p, rides ? carried(t, p->position) : v3(0.0f, 0.0f, 0.0f));
    p->resting = 0;
    p->still = 0;
    return nat_box_box(&b->box, &t->now->box, v3(0.0f, 0.0f, 0.0f)).separation >= -DEPTH_ALLOWED &&
           nat_prop_depth(t->w, p) <= DEPTH_ALLOWED;
}

/* One piece of the way: everybody makes room, or nobody has moved. */
static bool move_to(struct dh_world *w, struct door *d, float phase)
{
    struct try t = {.w = w, .d = d, .before = w->bodies[d->body], .now = &w->bodies[d->body]};
    struct v3 pawns[NAT_SLOTS];
    float before = d->phase;
    bool free_way = true;

    for (int i = 0; i < NAT_SLOTS; i++)
        pawns[i] = w->pawns[i].position;
    for (int i = 0; i < w->nprops; i++)
        w->put_back[i] = w->props[i].position;
    d->phase = phase;
    nat_door_place(w, d);
    /* Pawns first: who stands on a prop would keep it from rising. */
    for (int i = 0; i < NAT_SLOTS && free_way; i++)
        if (w->pawns[i].live && !(w->pawns[i].flags & NOCLIP))
            free_way = move_pawn(&t, &w->pawns[i]);
    for (int i = 0; i < w->nprops && free_way; i++)
        free_way = move_prop(&t, &w->props[i]);
    if (free_way)
        return true;
    d->phase = before;
    nat_door_place(w, d);
    for (int i = 0; i < NAT_SLOTS; i++)
        w->pawns[i].position = pawns[i];
    for (int i = 0; i < w->nprops; i++) {
        w->props[i].position = w->put_back[i];
        nat_prop_place(w, &w->props[i]);
    }
    return false;
}

void nat_door_tick(struct dh_world *w, struct door *d)
{
    int8_t was = d->direction;

    decide(w, d);
    d->direction = 0;
    if (d->state != DOOR_OPENING && d->state != DOOR_CLOSING)
        return;
    float way = d->state == DOOR_OPENING ? d->step : -d->step, from = d->phase;
    float to = real_clamp(from + way, 0.0f, 1.0f);
    for (int i = 1; i <= d->pieces; i++) {
        float phase = i == d->pieces ? to : from + (to - from) * ((float)i / (float)d->pieces);
        if (!move_to(w, d, phase))
            break;
        d->direction = way > 0.0f ? 1 : -1;
    }
    if (d->direction == 0 && was != 0) {
        struct dh_buf *b = nat_event(w, "door", DH_NO_SLOT);
        if (b) {
            dh_build_event_pair(b, "door", "%d", d->body);
            dh_build_event_pair(b, "state", "blocked");
        }
    }
    if (d->state == DOOR_OPENING && d->phase >= 1.0f) {
        enter(w, d, DOOR_OPEN, NOBODY);
        d->timer = d->waits;
    } else if (d->state == DOOR_CLOSING && d->phase <= 0.0f)
        enter(w, d, DOOR_CLOSED, NOBODY);
}

/* ---- when it is made --------------------------------------------------------------------------------------------- */

void nat_door_init(struct dh_world *w, struct door *d, int body)
{
    const struct object *o = d->object = &w->map.objects[body];
    struct v3 arm = v3_level(v3_sub(o->center, o->pivot));
    float way =
        o->motion == MOTION_SLIDE ? v3_length(o->slide) : real_abs(o->turn) * (v3_length(arm) + v3_length(o->half));

    d->body = body;
    d->step = w->dt / o->seconds;
    float pieces = way * d->step / PIECE;
    d->pieces = pieces < (float)MOST_PIECES ? (int)pieces + 1 : MOST_PIECES;
    float waits = w->dt > 0.0f ? o->wait / w->dt + 0.5f : 0.0f;
    d->waits = waits < 1e9f ? (uint32_t)waits : 1000000000u;
    nat_door_place(w, d);
}
