/* SPDX-License-Identifier: ISC */
/* contact.c - the planes around a mover, and moving along them. */
#include "inner.h"

/* Planes are gathered a little further than the move goes, for what lies along the way out of an overlap. */
#define MARGIN 0.02f
#define ROUNDS 24 /* of the solver over all planes */
#define PASSES 4  /* of gathering anew within one step */
#define MOST_STEPS 64
/* A plane whose normal has at least so much that is level can stand up as a wall. */
#define LEANS 0.1f
/* What lies on the way down counts as reached together with ground that is this much further. */
#define ALONGSIDE 0.02f

/* ---- who is near ------------------------------------------------------------------------------------------------- */

void nat_body_moved(struct body *b)
{
    b->bounds = nat_box_bounds(&b->box);
}

int nat_near(struct dh_world *w, const struct bounds *b)
{
    int n = nat_tree_query(&w->tree, b, w->near);

    for (int i = 0; i < w->nmovers; i++)
        if (nat_bounds_meet(&w->bodies[w->movers[i]].bounds, b))
            w->near[n++] = w->movers[i];
    return n;
}

/* Nearer, or as near and with a lower number. */
static bool goes_first(const struct contact *a, const struct contact *b)
{
    if (a->plane.separation != b->plane.separation)
        return a->plane.separation < b->plane.separation;
    return a->body < b->body;
}

void nat_contact_add(struct contacts *k, const struct contact *c)
{
    int worst = 0;

    k->seen++;
    if (k->n < MOST_CONTACTS) {
        k->c[k->n++] = *c;
        return;
    }
    for (int i = 1; i < k->n; i++)
        if (goes_first(&k->c[worst], &k->c[i]))
            worst = i;
    if (goes_first(c, &k->c[worst]))
        k->c[worst] = *c;
}

void nat_contacts_sort(struct contacts *k)
{
    for (int i = 1; i < k->n; i++) {
        struct contact c = k->c[i];
        int j = i;
        for (; j > 0 && (k->c[j - 1].body > c.body || (k->c[j - 1].body == c.body && k->c[j - 1].shape > c.shape)); j--)
            k->c[j] = k->c[j - 1];
        k->c[j] = c;
    }
}

void nat_gather(struct dh_world *w, const struct capsule *c, float reach, struct contacts *out)
{
    struct bounds b = nat_bounds_grow(nat_capsule_bounds(c), reach);
    int n = nat_near(w, &b);

    out->n = out->seen = 0;
    for (int i = 0; i < n; i++) {
        const struct body *body = &w->bodies[w->near[i]];
        if (!nat_bounds_meet(&body->bounds, &b))
            continue;
        struct contact k = {.plane = nat_capsule_box(c, &body->box), .body = w->near[i]};
        if (k.plane.separation <= reach)
            nat_contact_add(out, &k);
    }
    nat_contacts_sort(out);
}

float nat_depth(struct dh_world *w, const struct capsule *c)
{
    float deepest = 0.0f;

    nat_gather(w, c, 0.0f, &w->contacts);
    for (int i = 0; i < w->contacts.n; i++)
        deepest = real_max(deepest, -w->contacts.c[i].plane.separation);
    return deepest;
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* Each plane in turn is made to hold by a push along its normal; what it pushed too much, because of others since, it
 * gives back. */
struct v3 nat_solve(struct contacts *k, struct v3 target)
{
    struct v3 d = target;

    for (int i = 0; i < k->n; i++)
        k->c[i].push = 0.0f;
    for (int round = 0; round < ROUNDS; round++) {
        float most = 0.0f;
        for (int i = 0; i < k->n; i++) {
            struct contact *c = &k->c[i];
            float push = real_max(0.0f, c->push - (c->plane.separation + v3_dot(c->plane.normal, d)));
            float change = push - c->push;
            d = v3_mad(d, c->plane.normal, change);
            c->push = push;
            most = real_max(most, real_abs(change));
        }
        if (most < 1e-6f)
            break;
    }
    return d;
}

static bool stands_up(enum manner manner, struct v3 normal, float slope_cos)
{
    return normal.y < slope_cos && (manner == WALKING || (manner == RISING && normal.y > 0.0f));
}

static void prepare(const struct dh_world *w, struct contacts *k, enum manner manner)
{
    for (int i = 0; i < k->n; i++) {
        struct contact *c = &k->c[i];
        const struct body *b = &w->bodies[c->body];
        struct v3 level = v3_level(c->plane.normal);
        float length = v3_length(level);
        c->floor = manner == WALKING && c->plane.normal.y >= w->rules.slope_cos;
        if (stands_up(manner, c->plane.normal, w->rules.slope_cos) && length > LEANS) {
            c->plane.normal = v3_scale(level, 1.0f / length);
            c->plane.separation /= length;
        }
        if (b->kind == OBJ_PROP)
            c->into = real_min(0.0f, v3_dot(w->props[b->part].velocity, c->plane.normal));
    }
}

/* A plane stands for a whole box only as long as nobody comes round its edge; so where planes hold the mover back they
 * are gathered again from where it got to. */
static void one_step(struct dh_world *w, struct capsule *c, struct v3 step, enum manner manner, struct contacts *last)
{
    struct v3 target = v3_add(c->feet, step);

    for (int pass = 0; pass < PASSES; pass++) {
        struct v3 rest = v3_sub(target, c->feet);
        nat_gather(w, c, v3_length(rest) + MARGIN, last);
        prepare(w, last, manner);
        struct v3 d = nat_solve(last, rest);
        c->feet = v3_add(c->feet, d);
        if (v3_length(d) < 1e-6f || v3_length(v3_sub(target, c->feet)) < TOUCH)
            break;
    }
}

void nat_slide(struct dh_world *w, struct capsule *c, struct v3 delta, enum manner manner, struct contacts *last)
{
    float steps = v3_length(delta) / (c->radius * 0.5f);
    int n = steps > 1.0f ? steps < (float)MOST_STEPS ? (int)steps + 1 : MOST_STEPS : 1;
    struct v3 step = v3_scale(delta, 1.0f / (float)n);

    for (int i = 0; i < n; i++)
        one_step(w, c, step, manner, last);
}

struct v3 nat_clip(struct v3 v, const struct contacts *k)
{
    for (int pass = 0; pass < PASSES; pass++) {
        bool changed = false;
        for (int i = 0; i < k->n; i++) {
            const struct contact *c = &k->c[i];
            float speed = v3_dot(v, c->plane.normal) - c->into;
            if (!(c->push > 0.0f) || c->floor || !(speed < 0.0f))
                continue;
            v = v3_mad(v, c->plane.normal, -speed);
            changed = true;
        }
        if (!changed)
            break;
    }
    return v;
}

/* ---- up and down ------------------------------------------------------------------------------------------------- */

static struct bounds swept(const struct capsule *c, float up, float down)
{
    struct bounds b = nat_capsule_bounds(c);

    b.hi.y += up;
    b.lo.y -= down;
    return b;
}

float nat_headroom(struct dh_world *w, const struct capsule *c, float far)
{
    struct bounds b = swept(c, far, 0.0f);
    int n = nat_near(w, &b);
    float best = far;

    for (int i = 0; i < n; i++) {
        struct plane at;
        float t = nat_cast_box(c, v3(0.0f, 1.0f, 0.0f), far, &w->bodies[w->near[i]].box, &at);
        if (t >= 0.0f)
            best = real_min(best, t);
    }
    return best;
}

static bool can_stand(const struct dh_world *w, const struct plane *p, bool perched)
{
    return p->normal.y >= w->rules.slope_cos || (perched && p->face.y >= w->rules.slope_cos);
}

float nat_ground(struct dh_world *w, const struct capsule *c, float far, bool perched, int *body, struct plane *at)
{
    struct bounds b = swept(c, 0.0f, far);
    int n = nat_near(w, &b), best = -1;
    float first = far, found = far + 1.0f;
    struct contacts *k = &w->contacts;

    /* Of a contact here push is how far down it is. */
    k->n = k->seen = 0;
    for (int i = 0; i < n; i++) {
        struct contact hit = {.body = w->near[i]};
        hit.push = nat_cast_box(c, v3(0.0f, -1.0f, 0.0f), far, &w->bodies[hit.body].box, &hit.plane);
        if (hit.push < 0.0f)
            continue;
        first = real_min(first, hit.push);
        if (!can_stand(w, &hit.plane, perched))
            continue;
        found = real_min(found, hit.push);
        nat_contact_add(k, &hit);
    }
    if (!(found <= first + ALONGSIDE))
        return -1.0f;
    for (int i = 0; i < k->n; i++) {
        const struct contact *x = &k->c[i], *y = best < 0 ? NULL : &k->c[best];
        if (x->push > found + 1e-4f)
            continue;
        if (!y || x->plane.normal.y > y->plane.normal.y ||
            (x->plane.normal.y == y->plane.normal.y && x->body < y->body))
            best = i;
    }
    if (best < 0)
        return -1.0f;
    *body = k->c[best].body;
    *at = k->c[best].plane;
    return k->c[best].push;
}
