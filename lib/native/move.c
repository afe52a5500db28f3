/* SPDX-License-Identifier: ISC */
/* move.c - a pawn on foot and in the air: from its velocity to where it gets. */
#include "inner.h"

#define PUSH_SHARE 0.5f /* of a walker's speed that a prop in its way takes on */
#define LEDGE 1e-4f     /* rounding of a step's height */
#define BELOW 0.02f     /* ground is looked for this much further down than a step */

struct capsule nat_pawn_capsule(const struct dh_world *w, const struct pawn *p)
{
    return (struct capsule){p->position, w->rules.radius, p->height};
}

static void touch(struct dh_world *w, const struct pawn *p, int body)
{
    const struct body *b = &w->bodies[body];

    if (b->kind == OBJ_DOOR)
        nat_door_touch(w, &w->doors[b->part], p->slot);
}

static void push_prop(struct dh_world *w, const struct pawn *p, const struct contact *c)
{
    const struct body *b = &w->bodies[c->body];
    struct v3 level = v3_level(c->plane.normal);
    float length = v3_length(level);

    if (b->kind != OBJ_PROP || length < 0.7f)
        return;
    struct v3 away = v3_scale(level, -1.0f / length);
    nat_prop_push(&w->props[b->part], away, v3_dot(p->velocity, away) * PUSH_SHARE);
}

/* What the planes of the way do to the pawn and the pawn to their bodies. */
static void meet(struct dh_world *w, struct pawn *p, const struct contacts *k)
{
    for (int i = 0; i < k->n; i++) {
        if (!(k->c[i].push > TOUCH))
            continue;
        touch(w, p, k->c[i].body);
        push_prop(w, p, &k->c[i]);
    }
    p->velocity = nat_clip(p->velocity, k);
    nat_log_contacts(w, p, k);
    if (k->seen > k->n) {
        struct dh_buf *b = nat_event(w, "overflow", p->slot);
        if (b)
            dh_build_event_pair(b, "planes", "%d", k->seen);
    }
}

static void stand_on(struct dh_world *w, struct pawn *p, int body, const struct plane *at)
{
    p->flags |= GROUNDED;
    p->ground_body = body;
    /* On an edge: the face whose edge it is. */
    p->ground_normal = at->normal.y >= w->rules.slope_cos ? at->normal : at->face;
    p->since_grounded = 0;
    p->velocity.y = 0.0f;
    touch(w, p, body);
}

static void leave_ground(struct pawn *p)
{
    p->flags = (uint8_t)(p->flags & ~GROUNDED);
    p->ground_body = NOBODY;
    p->ground_normal = v3(0.0f, 0.0f, 0.0f);
    if (p->since_grounded != FOREVER)
        p->since_grounded++;
}

/* ---- on foot ----------------------------------------------------------------------------------------------------- */

static float progress(struct v3 from, struct v3 to, struct v3 direction)
{
    return v3_dot(v3_level(v3_sub(to, from)), direction);
}

/* Up by a step's height, along, and down again onto what is there. False: that leads nowhere. */
static bool climb(struct dh_world *w, const struct pawn *p, struct capsule *c, struct v3 delta, struct contacts *k)
{
    struct plane at;
    int body;
    float up = nat_headroom(w, c, w->rules.step_height);

    if (up < TOUCH)
        return false;
    c->feet.y += up;
    nat_slide(w, c, v3_level(delta), WALKING, k);
    struct contacts keep = *k;
    float down = nat_ground(w, c, up, true, &body, &at);
    *k = keep;
    /* The capsule's round end could roll up an edge that is higher than a step: what counts is the edge. */
    if (down < 0.0f || at.point.y - p->position.y > w->rules.step_height + LEDGE)
        return false;
    c->feet.y -= down;
    return true;
}

static bool hindered(const struct contacts *k)
{
    for (int i = 0; i < k->n; i++)
        if (k->c[i].push > TOUCH && !k->c[i].floor)
            return true;
    return false;
}

void nat_pawn_walk(struct dh_world *w, struct pawn *p)
{
    struct v3 delta = v3_scale(p->velocity, w->dt), n = p->ground_normal;
    float far = v3_length(delta);
    struct capsule c = nat_pawn_capsule(w, p), stepped = c;
    struct contacts k, up;
    struct plane at;
    int body;

    /* The speed of a walk is its speed on the map; uphill and downhill it follows the ground. */
    if (n.y > 0.0f)
        delta.y = -(n.x * delta.x + n.z * delta.z) / n.y;
    nat_slide(w, &c, delta, WALKING, &k);
    if (far > TOUCH && hindered(&k)) {
        struct v3 direction = v3_scale(v3_level(delta), 1.0f / far);
        float got = progress(p->position, c.feet, direction);
        if (got < far - LEDGE && climb(w, p, &stepped, delta, &up) &&
            progress(p->position, stepped.feet, direction) > got + LEDGE) {
            c = stepped;
            k = up;
        }
    }
    meet(w, p, &k);
    p->position = c.feet;
    float down = nat_ground(w, &c, w->rules.step_height + BELOW, true, &body, &at);
    if (down < 0.0f) {
        leave_ground(p);
        return;
    }
    /* Less is rounding; following it would make a pawn at rest tremble. */
    if (down > LEDGE)
        p->position.y -= down;
    stand_on(w, p, body, &at);
}

/* ---- in the air -------------------------------------------------------------------------------------------------- */

static bool land(struct dh_world *w, struct pawn *p, const struct capsule *c)
{
    struct contacts *k = &w->contacts;
    int best = -1;

    nat_gather(w, c, 1e-3f, k);
    for (int i = 0; i < k->n; i++) {
        const struct plane *x = &k->c[i].plane;
        if (x->normal.y < w->rules.slope_cos || v3_dot(x->normal, p->velocity) > 1e-3f)
            continue;
        if (best < 0 || x->normal.y > k->c[best].plane.normal.y)
            best = i;
    }
    if (best < 0)
        return false;
    struct contact ground = k->c[best];
    stand_on(w, p, ground.body, &ground.plane);
    return true;
}

/* Half of gravity before the move and half after it: so a jump is as high as the formula says at any tick rate. */
void nat_pawn_fall(struct dh_world *w, struct pawn *p)
{
    struct capsule c = nat_pawn_capsule(w, p);
    struct contacts k;
    float half = w->rules.gravity * w->dt * 0.5f;

    p->velocity.y -= half;
    nat_slide(w, &c, v3_scale(p->velocity, w->dt), p->velocity.y > 0.0f ? RISING : SLIDING, &k);
    meet(w, p, &k);
    p->position = c.feet;
    if (land(w, p, &c))
        return;
    p->velocity.y -= half;
    leave_ground(p);
}
