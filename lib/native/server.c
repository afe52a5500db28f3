/* SPDX-License-Identifier: ISC */
/* server.c - what a recorder of this world calls besides world.h: schemas, joins, inputs as applied. */
#include "member.h"

const char *const nat_write_order[] = {"rule", "input", "join", "PlayerPawn", "Door", "Plate", "Prop", NULL};

const char *nat_schema_text(const struct nat_setup *s, const char *subject)
{
    static const struct members *const others[] = {&nat_input_members, &nat_join_members};

    if (strcmp(subject, "rule") == 0)
        return (const char *)s->schema.p;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i]->subject, subject) == 0)
            return others[i]->fields;
    for (int i = 0; i < ENT_KINDS; i++)
        if (strcmp(nat_members[i].subject, subject) == 0)
            return nat_members[i].fields;
    return NULL;
}

struct dh_schemas *nat_schemas_new(const struct nat_setup *s, struct dh_err *e)
{
    struct dh_schemas *schemas = dh_schemas_new();

    if (!schemas) {
        dh_fail(e, DH_TROUBLE, "out of memory");
        return NULL;
    }
    for (int i = 0; nat_write_order[i]; i++)
        if (dh_schemas_add(schemas, nat_write_order[i], nat_schema_text(s, nat_write_order[i]), e) < 0) {
            dh_schemas_free(schemas);
            return NULL;
        }
    return schemas;
}

/* ---- players ----------------------------------------------------------------------------------------------------- */

int nat_spawns(const struct dh_world *w)
{
    return w->nspawns;
}

void nat_spawn_block(const struct dh_world *w, int index, struct dh_buf *block)
{
    const struct object *o = &w->map.objects[w->spawns[index]];
    struct pawn p = {
        .position = o->center,
        .yaw = o->yaw,
        .height = w->rules.stand_height,
        .eye_height = w->rules.stand_eye,
        .ground_body = NOBODY,
        .since_grounded = FOREVER,
        .since_jump = FOREVER,
    };

    nat_members_put(block, &nat_join_members, &p);
}

static const struct pawn *pawn_of(const struct dh_world *w, int slot)
{
    return slot >= 0 && slot < NAT_SLOTS && w->pawns[slot].live ? &w->pawns[slot] : NULL;
}

bool nat_join_block(const struct dh_world *w, int slot, struct dh_buf *block)
{
    const struct pawn *p = pawn_of(w, slot);

    if (p)
        nat_members_put(block, &nat_join_members, p);
    return p != NULL;
}

bool nat_position(const struct dh_world *w, int slot, float position[3])
{
    const struct pawn *p = pawn_of(w, slot);

    if (!p)
        return false;
    position[0] = p->position.x;
    position[1] = p->position.y;
    position[2] = p->position.z;
    return true;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

void nat_read_input(const struct dh_schemas *s, const struct dh_record *r, struct nat_input *in)
{
    const struct dh_schema *schema = s->input;
    size_t n;

    memset(in, 0, sizeof *in);
    int move = dh_schema_find(schema, "move"), yaw = dh_schema_find(schema, "yaw");
    int pitch = dh_schema_find(schema, "pitch");
    if (move >= 0 && schema->fields[move].type == DH_VEC3) {
        struct dh_cur c = dh_cur(dh_block_field(schema, r->block, r->block_n, move, &n), 12);
        for (int i = 0; i < 3; i++)
            in->move[i] = dh_get_f32(&c);
    }
    if (yaw >= 0 && schema->fields[yaw].type == DH_F32) {
        struct dh_cur c = dh_cur(dh_block_field(schema, r->block, r->block_n, yaw, &n), 4);
        in->yaw = dh_get_f32(&c);
    }
    if (pitch >= 0 && schema->fields[pitch].type == DH_F32) {
        struct dh_cur c = dh_cur(dh_block_field(schema, r->block, r->block_n, pitch, &n), 4);
        in->pitch = dh_get_f32(&c);
    }
    in->buttons = (uint32_t)dh_block_int(schema, r->block, r->block_n, dh_schema_find(schema, "buttons"));
    in->source = (uint8_t)dh_block_int(schema, r->block, r->block_n, dh_schema_find(schema, "source"));
}

void nat_put_input(struct dh_buf *block, const struct nat_input *in)
{
    nat_members_put(block, &nat_input_members, in);
}

bool nat_applied(const struct dh_world *w, int slot, struct nat_input *in)
{
    const struct pawn *p = pawn_of(w, slot);

    if (!p || !p->has_run)
        return false;
    *in = p->ran;
    return true;
}
