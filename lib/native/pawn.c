/* SPDX-License-Identifier: ISC */
/* pawn.c - what a player's input does. */
#include "inner.h"

#define EYE_SPEED 4.0f /* metres a second that the eyes move when the pawn crouches or stands up */
#define USE_REACH 2.0f /* metres from the eyes */
#define QUARTER 1.5707964f
#define PI 3.1415927f

/* ---- the input --------------------------------------------------------------------------------------------------- */

/* Into [-pi, pi], for an angle that is beyond; one that is within stays as it is. */
static float wrapped(float a, float otherwise)
{
    if (!real_finite(a) || real_abs(a) > 1e6f)
        return otherwise;
    if (real_abs(a) > PI) {
        int32_t turns = (int32_t)(a / (2.0f * PI) + (a < 0.0f ? -0.5f : 0.5f));
        a = real_clamp(a - (float)turns * (2.0f * PI), -PI, PI);
    }
    return a;
}

static float fitted(float v)
{
    return real_finite(v) ? real_clamp(v, -1.0f, 1.0f) : 0.0f;
}

int nat_give(struct dh_world *w, int slot, const struct nat_input *in)
{
    if (slot < 0 || slot >= NAT_SLOTS || !w->pawns[slot].live)
        return -1;
    struct pawn *p = &w->pawns[slot];
    p->given = true;
    p->next = *in;
    for (int i = 0; i < 3; i++)
        p->next.move[i] = fitted(in->move[i]);
    p->next.yaw = wrapped(in->yaw, p->yaw);
    p->next.pitch = real_finite(in->pitch) ? real_clamp(in->pitch, -QUARTER, QUARTER) : p->pitch;
    return 0;
}

/* ---- moving by will ---------------------------------------------------------------------------------------------- */

/* The level direction that the input asks for; *length is how much of it, at most 1. */
static struct v3 wish(const struct pawn *p, const struct nat_input *in, float *length)
{
    float s = nat_sin(p->yaw), c = nat_cos(p->yaw);
    struct v3 right = v3(c, 0.0f, -s), forward = v3(-s, 0.0f, -c);
    struct v3 v = v3_mad(v3_scale(right, in->move[0]), forward, in->move[1]);

    *length = v3_length(v);
    if (*length < 1e-6f) {
        *length = 0.0f;
        return v3(0.0f, 0.0f, 0.0f);
    }
    v = v3_scale(v, 1.0f / *length);
    *length = real_min(*length, 1.0f);
    return v;
}

static void accelerate(struct pawn *p, struct v3 direction, float speed, float by)
{
    float lacking = speed - v3_dot(p->velocity, direction);

    if (lacking > 0.0f)
        p->velocity = v3_mad(p->velocity, direction, real_min(by, lacking));
}

static void rub(const struct rules *r, struct pawn *p, float grip, float dt)
{
    float speed = v3_length(p->velocity);

    if (speed < r->min_speed) {
        p->velocity = v3(0.0f, 0.0f, 0.0f);
        return;
    }
    float left = speed - real_max(speed, r->stop_speed) * r->friction * grip * dt;
    p->velocity = left > 0.0f ? v3_scale(p->velocity, left / speed) : v3(0.0f, 0.0f, 0.0f);
}

static void cap_speed(struct pawn *p)
{
    float speed = v3_length(p->velocity);

    if (speed > TOP_SPEED)
        p->velocity = v3_scale(p->velocity, TOP_SPEED / speed);
}

static struct v3 look(const struct pawn *p)
{
    float level = nat_cos(p->pitch);

    return v3(-nat_sin(p->yaw) * level, nat_sin(p->pitch), -nat_cos(p->yaw) * level);
}

static void fly(struct dh_world *w, struct pawn *p, const struct nat_input *in)
{
    float speed = w->rules.walk_speed * (in->buttons & NAT_SPRINT ? w->rules.sprint_scale : 1.0f);
    struct v3 right = v3(nat_cos(p->yaw), 0.0f, -nat_sin(p->yaw));
    struct v3 v = v3_mad(v3_scale(right, in->move[0]), look(p), in->move[1]);

    v.y += in->move[2];
    float length = v3_length(v);
    if (length > 1.0f)
        v = v3_scale(v, 1.0f / length);
    p->velocity = v3_scale(v, speed);
    p->position = v3_mad(p->position, p->velocity, w->dt);
    p->flags = (uint8_t)(p->flags & ~(GROUNDED | SPRINTING));
    p->ground_body = NOBODY;
    p->ground_normal = v3(0.0f, 0.0f, 0.0f);
    p->since_grounded = FOREVER; /* leaving noclip in the air is no reason for a last jump */
}

static float top_speed(const struct dh_world *w, const struct pawn *p)
{
    float speed = w->rules.walk_speed;

    if (p->flags & CROUCHED)
        speed *= w->rules.crouch_scale;
    else if (p->flags & SPRINTING)
        speed *= w->rules.sprint_scale;
    return speed;
}

static void go(struct dh_world *w, struct pawn *p, const struct nat_input *in)
{
    const struct rules *r = &w->rules;
    float length;
    struct v3 direction = wish(p, in, &length);
    float speed = top_speed(w, p) * length;

    if (p->flags & GROUNDED) {
        float grip = w->bodies[p->ground_body].grip;
        rub(r, p, grip, w->dt);
        accelerate(p, direction, speed, r->accelerate * grip * speed * w->dt);
        cap_speed(p);
        nat_pawn_walk(w, p);
    } else {
        accelerate(p, direction, speed, r->air_accelerate * speed * w->dt);
        cap_speed(p);
        nat_pawn_fall(w, p);
    }
}

/* ---- what buttons do --------------------------------------------------------------------------------------------- */

static void crouch(struct dh_world *w, struct pawn *p, const struct nat_input *in)
{
    const struct rules *r = &w->rules;
    float grow = r->stand_height - r->crouch_height, step = EYE_SPEED * w->dt;

    if (in->buttons & NAT_CROUCH) {
        p->flags |= CROUCHED;
        p->height = r->crouch_height;
    } else if (p->flags & CROUCHED) {
        struct capsule c = nat_pawn_capsule(w, p);
        if ((p->flags & NOCLIP) || nat_headroom(w, &c, grow) >= grow) {
            p->flags = (uint8_t)(p->flags & ~CROUCHED);
            p->height = r->stand_height;
        }
    }
    float eye = p->flags & CROUCHED ? r->crouch_eye : r->stand_eye;
    p->eye_height = real_clamp(eye, p->eye_height - step, p->eye_height + step);
}

static void jump(struct dh_world *w, struct pawn *p, uint32_t pressed)
{
    const struct rules *r = &w->rules;

    if (pressed & NAT_JUMP) {
        p->since_jump = 0;
        p->flags = (uint8_t)(p->flags & ~JUMP_CONSUMED);
    } else if (p->since_jump != FOREVER)
        p->since_jump++;
    if (p->since_jump > r->jump_buffer_ticks || (p->flags & JUMP_CONSUMED))
        return;
    if (!(p->flags & GROUNDED) && p->since_grounded > r->coyote_ticks)
        return;
    p->velocity.y = r->jump_speed;
    p->flags = (uint8_t)((p->flags & ~GROUNDED) | JUMP_CONSUMED);
    p->ground_body = NOBODY;
    p->ground_normal = v3(0.0f, 0.0f, 0.0f);
    p->since_grounded = FOREVER;
}

/* The first thing in the line of sight is used, if it is a door. */
static void use(struct dh_world *w, struct pawn *p)
{
    struct v3 eye = v3(p->position.x, p->position.y + p->eye_height, p->position.z), direction = look(p);
    struct v3 end = v3_mad(eye, direction, USE_REACH);
    struct bounds b = {v3(real_min(eye.x, end.x), real_min(eye.y, end.y), real_min(eye.z, end.z)),
                       v3(real_max(eye.x, end.x), real_max(eye.y, end.y), real_max(eye.z, end.z))};
    int n = nat_near(w, &b), body = NOBODY;
    float best = USE_REACH;

    for (int i = 0; i < n; i++) {
        float t = nat_ray_box(eye, direction, USE_REACH, &w->bodies[w->near[i]].box);
        if (t < 0.0f || t > best || (t == best && body != NOBODY && w->near[i] > body))
            continue;
        best = t;
        body = w->near[i];
    }
    if (body != NOBODY && w->bodies[body].kind == OBJ_DOOR)
        nat_door_use(w, &w->doors[w->bodies[body].part], p->slot);
}

static void sprint(struct pawn *p, const struct nat_input *in)
{
    bool on = (in->buttons & NAT_SPRINT) && in->move[1] > 0.0f && !(p->flags & CROUCHED);

    p->flags = (uint8_t)(on ? p->flags | SPRINTING : p->flags & ~SPRINTING);
}

void nat_pawn_tick(struct dh_world *w, struct pawn *p)
{
    if (!p->given)
        p->next = (struct nat_input){.yaw = p->yaw, .pitch = p->pitch, .source = NAT_NEUTRAL};
    struct nat_input in = p->ran = p->next;
    uint32_t pressed = in.buttons & ~p->prev_buttons;

    p->given = false;
    p->has_run = true;
    p->prev_buttons = in.buttons;
    p->yaw = in.yaw;
    p->pitch = in.pitch;
    if (pressed & NAT_NOCLIP)
        p->flags ^= NOCLIP;
    crouch(w, p, &in);
    if (pressed & NAT_USE)
        use(w, p);
    if (p->flags & NOCLIP) {
        fly(w, p, &in);
        return;
    }
    sprint(p, &in);
    jump(w, p, pressed);
    go(w, p, &in);
}
