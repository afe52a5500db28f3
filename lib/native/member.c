/* SPDX-License-Identifier: ISC */
#include "member.h"

#include <stddef.h>

/* type, name on the wire, member, names of bits or values */

#define INPUT(M)                                                    \
    M(VEC3, move, move, "")                                         \
    M(F32, yaw, yaw, "")                                            \
    M(F32, pitch, pitch, "")                                        \
    M(FLAGS32, buttons, buttons, "(jump,crouch,sprint,use,noclip)") \
    M(ENUM8, source, source, "(received,held,neutral)")

#define JOIN(M)                                                              \
    M(VEC3, position, position, "")                                          \
    M(F32, yaw, yaw, "")                                                     \
    M(F32, pitch, pitch, "")                                                 \
    M(VEC3, velocity, velocity, "")                                          \
    M(VEC3, groundNormal, ground_normal, "")                                 \
    M(I32, groundBody, ground_body, "")                                      \
    M(U32, ticksSinceGrounded, since_grounded, "")                           \
    M(U32, ticksSinceJump, since_jump, "")                                   \
    M(F32, height, height, "")                                               \
    M(F32, eyeHeight, eye_height, "")                                        \
    M(FLAGS32, prevButtons, prev_buttons, "(jump,crouch,sprint,use,noclip)") \
    M(FLAGS8, flags, flags, "(grounded,crouched,noclip,sprinting,jumpConsumed)")

#define PAWN(M) \
    JOIN(M)     \
    M(U16, slot, slot, "")

#define DOOR(M)                                             \
    M(F32, phase, phase, "")                                \
    M(ENUM8, state, state, "(closed,opening,open,closing)") \
    M(I8, direction, direction, "")                         \
    M(U32, timer, timer, "")                                \
    M(VEC3, position, position, "")                         \
    M(QUAT, rotation, rotation, "")

#define PLATE(M)                \
    M(U8, pressed, pressed, "") \
    M(HEX64, pawns, pawns, "")  \
    M(U32, props, props, "")

#define PROP(M)                         \
    M(VEC3, position, position, "")     \
    M(VEC3, velocity, velocity, "")     \
    M(I32, groundBody, ground_body, "") \
    M(U8, resting, resting, "")         \
    M(U8, still, still, "")

#define TYPE_I8 "i8"
#define TYPE_I32 "i32"
#define TYPE_U8 "u8"
#define TYPE_U16 "u16"
#define TYPE_U32 "u32"
#define TYPE_F32 "f32"
#define TYPE_VEC3 "vec3"
#define TYPE_QUAT "quat"
#define TYPE_HEX64 "hex64"
#define TYPE_FLAGS8 "flags8"
#define TYPE_FLAGS32 "flags32"
#define TYPE_ENUM8 "enum8"

#define TEXT(type, wire, member, names) " " #wire ":" TYPE_##type names
#define ROW(type, wire, member, names) {#wire, offsetof(STRUCT, member), DH_##type},
#define TABLE(subject, text, rows)                                 \
    {                                                              \
        subject, &text[1], rows, (int)(sizeof rows / sizeof *rows) \
    }

static const char input_text[] = INPUT(TEXT), join_text[] = JOIN(TEXT), pawn_text[] = PAWN(TEXT),
                  door_text[] = DOOR(TEXT), plate_text[] = PLATE(TEXT), prop_text[] = PROP(TEXT);

#define STRUCT struct nat_input
static const struct member input_rows[] = {INPUT(ROW)};
#undef STRUCT
#define STRUCT struct pawn
static const struct member join_rows[] = {JOIN(ROW)};
static const struct member pawn_rows[] = {PAWN(ROW)};
#undef STRUCT
#define STRUCT struct door
static const struct member door_rows[] = {DOOR(ROW)};
#undef STRUCT
#define STRUCT struct plate
static const struct member plate_rows[] = {PLATE(ROW)};
#undef STRUCT
#define STRUCT struct prop
static const struct member prop_rows[] = {PROP(ROW)};
#undef STRUCT

const struct members nat_input_members = TABLE("input", input_text, input_rows);
const struct members nat_join_members = TABLE("join", join_text, join_rows);
const struct members nat_members[ENT_KINDS] = {
    [ENT_PAWN] = TABLE("PlayerPawn", pawn_text, pawn_rows),
    [ENT_DOOR] = TABLE("Door", door_text, door_rows),
    [ENT_PLATE] = TABLE("Plate", plate_text, plate_rows),
    [ENT_PROP] = TABLE("Prop", prop_text, prop_rows),
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* How many values of how many bytes a member is in memory, as on the wire. */
static void shape(uint8_t type, int *count, int *size)
{
    *count = type == DH_VEC3 ? 3 : type == DH_QUAT ? 4 : 1;
    switch (type) {
    case DH_I8:
    case DH_U8:
    case DH_ENUM8:
    case DH_FLAGS8:
        *size = 1;
        break;
    case DH_U16:
        *size = 2;
        break;
    case DH_HEX64:
        *size = 8;
        break;
    default:
        *size = 4;
    }
}

static bool is_real(uint8_t type)
{
    return type == DH_F32 || type == DH_VEC3 || type == DH_QUAT;
}

void nat_members_put(struct dh_buf *b, const struct members *t, const void *base)
{
    for (int i = 0; i < t->n; i++) {
        const char *p = (const char *)base + t->m[i].offset;
        int count, size;
        shape(t->m[i].type, &count, &size);
        for (int k = 0; k < count; k++, p += size) {
            uint16_t half;
            uint32_t word;
            uint64_t wide;
            switch (size) {
            case 1:
                dh_put_u8(b, (uint8_t)*p);
                break;
            case 2:
                memcpy(&half, p, sizeof half);
                dh_put_u16(b, half);
                break;
            case 8:
                memcpy(&wide, p, sizeof wide);
                dh_put_u64(b, wide);
                break;
            default:
                memcpy(&word, p, sizeof word);
                dh_put_u32(b, word);
            }
        }
    }
}

static bool get_one(char *p, uint8_t type, struct dh_cur *c)
{
    int count, size;
    bool number = true;

    shape(type, &count, &size);
    for (int k = 0; k < count; k++, p += size) {
        uint8_t byte;
        uint16_t half;
        uint32_t word;
        uint64_t wide;
        switch (size) {
        case 1:
            byte = dh_get_u8(c);
            memcpy(p, &byte, sizeof byte);
            break;
        case 2:
            half = dh_get_u16(c);
            memcpy(p, &half, sizeof half);
            break;
        case 8:
            wide = dh_get_u64(c);
            memcpy(p, &wide, sizeof wide);
            break;
        default:
            word = dh_get_u32(c);
            memcpy(p, &word, sizeof word);
            number = number && !(is_real(type) && (word & 0x7f800000) == 0x7f800000);
        }
    }
    return number;
}

int nat_members_get(const struct members *t, void *base, const struct dh_schema *s, const uint8_t *block, size_t n,
                    const char *what, struct dh_err *e)
{
    for (int i = 0; i < t->n; i++) {
        const struct member *m = &t->m[i];
        int f = dh_schema_find(s, m->name);
        size_t size;
        if (f < 0 || s->fields[f].type != m->type)
            return dh_fail(e, DH_TROUBLE, "schema %s: expected the field %s, of the type that this world gives it",
                           t->subject, m->name);
        const uint8_t *p = dh_block_field(s, block, n, f, &size);
        struct dh_cur c = dh_cur(p, size);
        if (!get_one((char *)base + m->offset, m->type, &c))
            return dh_fail(e, DH_TROUBLE, "%s: %s: expected a finite number", what, m->name);
    }
    return 0;
}

const struct member *nat_members_differ(const struct members *t, const void *a, const void *b)
{
    for (int i = 0; i < t->n; i++) {
        size_t at = t->m[i].offset;
        int count, size;
        shape(t->m[i].type, &count, &size);
        if (memcmp((const char *)a + at, (const char *)b + at, (size_t)(count * size)) != 0)
            return &t->m[i];
    }
    return NULL;
}
