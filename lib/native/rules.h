/* SPDX-License-Identifier: ISC */
/*
 * rules.h - the numbers of the world that a recording carries in its header.
 *
 * One line a rule: type, name on the wire, member, default, and the range that makes sense.
 */
#ifndef NAT_RULES_H
#define NAT_RULES_H

#include "map.h"

#define NAT_RULES(R)                                           \
    R(F32, gravity, gravity, 15.0f, 0.0f, 1000.0f)             \
    R(F32, walkSpeed, walk_speed, 6.0f, 0.0f, 100.0f)          \
    R(F32, sprintScale, sprint_scale, 1.5f, 0.0f, 100.0f)      \
    R(F32, crouchScale, crouch_scale, 0.5f, 0.0f, 100.0f)      \
    R(F32, accelerate, accelerate, 30.0f, 0.0f, 1000.0f)       \
    R(F32, airAccelerate, air_accelerate, 1.0f, 0.0f, 1000.0f) \
    R(F32, friction, friction, 4.0f, 0.0f, 1000.0f)            \
    R(F32, stopSpeed, stop_speed, 1.0f, 0.0f, 100.0f)          \
    R(F32, minSpeed, min_speed, 0.01f, 0.0f, 100.0f)           \
    R(F32, jumpSpeed, jump_speed, 5.0f, 0.0f, 100.0f)          \
    R(F32, slopeCos, slope_cos, 0.70710677f, 0.0f, 1.0f)       \
    R(F32, stepHeight, step_height, 0.3f, 0.0f, 10.0f)         \
    R(F32, radius, radius, 0.3f, 0.01f, 10.0f)                 \
    R(F32, standHeight, stand_height, 1.6f, 0.02f, 100.0f)     \
    R(F32, crouchHeight, crouch_height, 1.0f, 0.02f, 100.0f)   \
    R(F32, standEye, stand_eye, 1.5f, 0.0f, 100.0f)            \
    R(F32, crouchEye, crouch_eye, 0.9f, 0.0f, 100.0f)          \
    R(U32, coyoteTicks, coyote_ticks, 6, 0, 1000)              \
    R(U32, jumpBufferTicks, jump_buffer_ticks, 6, 0, 1000)     \
    R(F32, timeScale, time_scale, 1.0f, 0.0f, 10.0f)

#define NAT_CTYPE_F32 float
#define NAT_CTYPE_U32 uint32_t
#define NAT_RULE_MEMBER(type, wire, member, value, lo, hi) NAT_CTYPE_##type member;

struct rules {
    NAT_RULES(NAT_RULE_MEMBER)
    float *grip; /* of each surface of the map */
};

/* What a header says, with the defaults and the surfaces' own grip for what it does not. 0, or -1 with e filled. */
int nat_rules_read(struct rules *r, const struct map *m, const struct dh_world_args *args, struct dh_err *e);
void nat_rules_free(struct rules *r);

#endif
