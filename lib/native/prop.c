/* SPDX-License-Identifier: ISC */
/*
 * prop.c - boxes that fall, come to rest and are pushed. They do not turn.
 *
 * To a prop everything else is in the way: boxes, doors, other props, and pawns (with negative numbers as bodies).
 */
#include "inner.h"

#define MARGIN 0.02f
#define PASSES 4
#define MOST_STEPS 64
#define NEAR_GROUND 0.005f
#define SHARE 0.5f  /* of its speed that a prop gives to the next one */
#define STILL 30    /* ticks without a move after which it rests */
#define MOVED 1e-4f /* metres */

static struct bounds around(const struct dh_world *w, const struct prop *p, float reach)
{
    return nat_bounds_grow(w->bodies[p->body].bounds, reach);
}

void nat_prop_place(struct dh_world *w, struct prop *p)
{
    struct body *b = &w->bodies[p->body];

    b->box.center = p->position;
    nat_body_moved(b);
}

void nat_prop_push(struct prop *p, struct v3 direction, float speed)
{
    float has = v3_dot(p->velocity, direction);

    if (!(speed > has))
        return;
    p->velocity = v3_mad(p->velocity, direction, speed - has);
    p->resting = 0;
    p->still = 0;
}

/* ---- planes ------------------------------------------------------------------------------------------------------ */

static void gather(struct dh_world *w, const struct prop *p, float reach, struct v3 delta, struct contacts *k)
{
    const struct box *box = &w->bodies[p->body].box;
    struct bounds b = around(w, p, reach);
    int n = nat_near(w, &b);

    k->n = k->seen = 0;
    for (int i = 0; i < n; i++) {
        const struct body *body = &w->bodies[w->near[i]];
        if (w->near[i] == p->body || !nat_bounds_meet(&body->bounds, &b))
            continue;
        struct contact c = {.plane = nat_box_box(box, &body->box, delta), .body = w->near[i]};
        if (c.plane.separation <= reach)
            nat_contact_add(k, &c);
    }
    for (int i = 0; i < NAT_SLOTS; i++) {
        const struct pawn *pawn = &w->pawns[i];
        struct capsule c = nat_pawn_capsule(w, pawn);
        struct bounds at = nat_capsule_bounds(&c);
        if (!pawn->live || (pawn->flags & NOCLIP) || !nat_bounds_meet(&at, &b))
            continue;
        struct contact x = {.plane = nat_capsule_box(&c, box), .body = NOBODY - 1 - i};
        x.plane.normal = v3_neg(x.plane.normal);
        if (x.plane.separation <= reach)
            nat_contact_add(k, &x);
    }
    nat_contacts_sort(k);
}

float nat_prop_depth(struct dh_world *w, const struct prop *p)
{
    float deepest = 0.0f;

    gather(w, p, 0.0f, v3(0.0f, 0.0f, 0.0f), &w->contacts);
    for (int i = 0; i < w->contacts.n; i++)
        deepest = real_max(deepest, -w->contacts.c[i].plane.separation);
    return deepest;
}

static void one_step(struct dh_world *w, struct prop *p, struct v3 step, struct contacts *k)
{
    struct v3 target = v3_add(p->position, step);

    for (int pass = 0; pass < PASSES; pass++) {
        struct v3 rest = v3_sub(target, p->position);
        gather(w, p, v3_length(rest) + MARGIN, rest, k);
        struct v3 d = nat_solve(k, rest);
        p->position = v3_add(p->position, d);
        nat_prop_place(w, p);
        if (v3_length(d) < 1e-6f || v3_length(v3_sub(target, p->position)) < TOUCH)
            break;
    }
}

static void slide(struct dh_world *w, struct prop *p, struct v3 delta, struct contacts *k)
{
    struct v3 half = w->bodies[p->body].box.half;
    float size = real_max(real_min(half.x, real_min(half.y, half.z)), MARGIN);
    float steps = v3_length(delta) / size;
    int n = steps > 1.0f ? steps < (float)MOST_STEPS ? (int)steps + 1 : MOST_STEPS : 1;
    struct v3 step = v3_scale(delta, 1.0f / (float)n);

    for (int i = 0; i < n; i++)
        one_step(w, p, step, k);
}

void nat_prop_shift(struct dh_world *w, struct prop *p, struct v3 delta)
{
    struct contacts k;

    slide(w, p, delta, &k);
}

/* ---- a tick ------------------------------------------------------------------------------------------------------ */

/* What it lies on: the most level plane that is near enough. Its normal, or none. */
static bool find_ground(struct dh_world *w, struct prop *p, struct v3 *normal)
{
    struct contacts *k = &w->contacts;
    int best = -1;

    gather(w, p, NEAR_GROUND, v3(0.0f, 0.0f, 0.0f), k);
    for (int i = 0; i < k->n; i++) {
        const struct plane *x = &k->c[i].plane;
        if (k->c[i].body < 0 || x->normal.y < w->rules.slope_cos || v3_dot(x->normal, p->velocity) > 1e-3f)
            continue;
        if (best < 0 || x->normal.y > k->c[best].plane.normal.y)
            best = i;
    }
    p->ground_body = best < 0 ? NOBODY : k->c[best].body;
    *normal = best < 0 ? v3(0.0f, 0.0f, 0.0f) : k->c[best].plane.normal;
    return best >= 0;
}

static void rub(const struct dh_world *w, struct prop *p)
{
    const struct rules *r = &w->rules;
    float speed = v3_length(p->velocity), grip = w->bodies[p->ground_body].grip;

    if (speed < r->min_speed) {
        p->velocity = v3(0.0f, 0.0f, 0.0f);
        return;
    }
    float left = speed - real_max(speed, r->stop_speed) * r->friction * grip * w->dt;
    p->velocity = left > 0.0f ? v3_scale(p->velocity, left / speed) : v3(0.0f, 0.0f, 0.0f);
}

static void pass_on(struct dh_world *w, const struct prop *p, const struct contacts *k)
{
    for (int i = 0; i < k->n; i++) {
        const struct contact *c = &k->c[i];
        struct v3 level = v3_level(c->plane.normal);
        float length = v3_length(level);
        if (!(c->push > TOUCH) || c->body < 0 || w->bodies[c->body].kind != OBJ_PROP || length < 0.7f)
            continue;
        struct v3 away = v3_scale(level, -1.0f / length);
        nat_prop_push(&w->props[w->bodies[c->body].part], away, v3_dot(p->velocity, away) * SHARE);
    }
}

/* What it rests on has begun to move. */
static bool woken(const struct dh_world *w, const struct prop *p)
{
    const struct body *b = &w->bodies[p->ground_body];

    return (b->kind == OBJ_DOOR && w->doors[b->part].direction != 0) ||
           (b->kind == OBJ_PROP && !w->props[b->part].resting);
}

static void fall_asleep(const struct dh_world *w, struct prop *p, struct v3 from)
{
    bool still = p->ground_body != NOBODY && v3_length(p->velocity) < w->rules.min_speed &&
                 v3_length(v3_sub(p->position, from)) < MOVED;

    p->still = still ? (uint8_t)(p->still + 1) : 0;
    if (p->still < STILL)
        return;
    p->resting = 1;
    p->still = 0;
    p->velocity = v3(0.0f, 0.0f, 0.0f);
}

void nat_prop_tick(struct dh_world *w, struct prop *p)
{
    float half = w->rules.gravity * w->dt * 0.5f;
    struct v3 normal, from = p->position;
    struct contacts k;

    if (p->resting && !woken(w, p))
        return;
    p->resting = 0;
    bool grounded = find_ground(w, p, &normal);
    if (grounded) {
        p->velocity.y = 0.0f;
        rub(w, p);
    } else
        p->velocity.y -= half;
    float speed = v3_length(p->velocity);
    if (speed > TOP_SPEED)
        p->velocity = v3_scale(p->velocity, TOP_SPEED / speed);
    struct v3 delta = v3_scale(p->velocity, w->dt);
    if (grounded)
        delta.y = -(normal.x * delta.x + normal.z * delta.z) / normal.y;
    slide(w, p, delta, &k);
    pass_on(w, p, &k);
    p->velocity = nat_clip(p->velocity, &k);
    if (!grounded)
        p->velocity.y -= half;
    fall_asleep(w, p, from);
}
