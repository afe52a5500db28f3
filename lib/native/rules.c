/* SPDX-License-Identifier: ISC */
#include "rules.h"

#include <stddef.h>
#include <stdlib.h>

#include "../line.h"

struct rule {
    const char *name;
    size_t offset;
    uint8_t type; /* DH_F32 or DH_U32 */
    float value, lo, hi;
};

#define ROW(type, wire, member, value, lo, hi) \
    {#wire, offsetof(struct rules, member), DH_##type, (float)(value), (float)(lo), (float)(hi)},
static const struct rule rules[] = {NAT_RULES(ROW)};
#define NRULES ((int)(sizeof rules / sizeof *rules))

static void set(struct rules *r, const struct rule *rule, float value)
{
    uint32_t whole = (uint32_t)value;

    if (rule->type == DH_U32)
        memcpy((char *)r + rule->offset, &whole, sizeof whole);
    else
        memcpy((char *)r + rule->offset, &value, sizeof value);
}

static int set_checked(struct rules *r, const struct rule *rule, float value, struct dh_err *e)
{
    if (!(value >= rule->lo && value <= rule->hi))
        return dh_fail(e, DH_TROUBLE, "rule %s: expected a number from %g to %g", rule->name, (double)rule->lo,
                       (double)rule->hi);
    set(r, rule, value);
    return 0;
}

/* What no single rule's range can say. */
static int fit(const struct rules *r, struct dh_err *e)
{
    if (r->stand_height < 2.0f * r->radius || r->crouch_height < 2.0f * r->radius || r->crouch_height > r->stand_height)
        return dh_fail(e, DH_TROUBLE,
                       "rules standHeight, crouchHeight, radius: a capsule is at least twice its radius high, and no "
                       "higher crouched than standing");
    return 0;
}

static int begin(struct rules *r, const struct map *m, struct dh_err *e)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < NRULES; i++)
        set(r, &rules[i], rules[i].value);
    r->grip = malloc(((size_t)m->nsurfaces + 1) * sizeof *r->grip);
    if (!r->grip)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    for (int i = 0; i < m->nsurfaces; i++)
        r->grip[i] = m->surfaces[i].grip;
    return 0;
}

void nat_rules_free(struct rules *r)
{
    free(r->grip);
    r->grip = NULL;
}

/* ---- from a header ----------------------------------------------------------------------------------------------- */

/* 1, 0 where the header has no such rule, -1. */
static int recorded(const struct dh_world_args *a, const char *name, uint8_t type, float *value, struct dh_err *e)
{
    const struct dh_schema *s = a->schemas->rule;
    int i = dh_schema_find(s, name);
    size_t n;

    if (i < 0)
        return 0;
    if (s->fields[i].type != type)
        return dh_fail(e, DH_TROUBLE, "schema rule: %s: expected the type %s", name, type == DH_F32 ? "f32" : "u32");
    struct dh_cur c = dh_cur(dh_block_field(s, a->header->rules, a->header->rules_n, i, &n), 4);
    *value = type == DH_F32 ? dh_get_f32(&c) : (float)dh_get_u32(&c);
    return 1;
}

static int read_grips(struct rules *r, const struct map *m, const struct dh_world_args *a, struct dh_err *e)
{
    for (int i = 0; i < m->nsurfaces; i++) {
        char name[80] = "grip.";
        strcat(name, m->surfaces[i].name);
        int rc = recorded(a, name, DH_F32, &r->grip[i], e);
        if (rc > 0 && !(r->grip[i] >= 0.0f && r->grip[i] <= 100.0f))
            return dh_fail(e, DH_TROUBLE, "rule %s: expected a number from 0 to 100", name);
        if (rc < 0)
            return -1;
    }
    return 0;
}

int nat_rules_read(struct rules *r, const struct map *m, const struct dh_world_args *a, struct dh_err *e)
{
    if (begin(r, m, e) < 0)
        return -1;
    for (int i = 0; i < NRULES; i++) {
        float value = rules[i].value;
        int rc = recorded(a, rules[i].name, rules[i].type, &value, e);
        if (rc < 0 || (rc > 0 && set_checked(r, &rules[i], value, e) < 0))
            return -1;
    }
    return read_grips(r, m, a, e) < 0 ? -1 : fit(r, e);
}

/* ---- for a header ------------------------------------------------------------------------------------------------ */

static void put_text(struct dh_buf *b, const char *s)
{
    dh_put_bytes(b, s, strlen(s));
}

static void put_rules(struct nat_setup *s, const struct rules *r, const struct map *m)
{
    for (int i = 0; i < NRULES; i++) {
        uint32_t bits;
        memcpy(&bits, (const char *)r + rules[i].offset, sizeof bits);
        put_text(&s->schema, i ? " " : "");
        put_text(&s->schema, rules[i].name);
        put_text(&s->schema, rules[i].type == DH_F32 ? ":f32" : ":u32");
        dh_put_u32(&s->rules, bits);
    }
    for (int i = 0; i < m->nsurfaces; i++) {
        put_text(&s->schema, " grip.");
        put_text(&s->schema, m->surfaces[i].name);
        put_text(&s->schema, ":f32");
        dh_put_f32(&s->rules, r->grip[i]);
    }
    dh_put_u8(&s->schema, 0);
}

/* "name=number", by way of the parser of lines. */
static int override(struct rules *r, const struct map *m, const char *text, struct dh_err *e)
{
    struct dh_buf line = {0};
    struct dh_line l;
    float value = 0.0f;
    int rc = -1;

    put_text(&line, "rule ");
    put_text(&line, text);
    put_text(&line, "\n");
    if (line.failed) {
        dh_buf_free(&line);
        return dh_fail(e, DH_TROUBLE, "out of memory");
    }
    struct dh_lines ls = dh_lines("rules", line.p, line.n);
    if (dh_line_next(&ls, &l, e) <= 0 || l.n != 1) {
        dh_buf_free(&line);
        return dh_fail(e, DH_TROUBLE, "rule '%s': expected NAME=NUMBER", text);
    }
    dh_fail(e, DH_TROUBLE, "rule '%s': there is no such rule", text);
    for (int i = 0; i < NRULES; i++)
        if (dh_line_numbers(&l, rules[i].name, &value, 1, 1, e) > 0)
            rc = set_checked(r, &rules[i], value, e);
    for (int i = 0; i < m->nsurfaces; i++) {
        char name[80] = "grip.";
        strcat(name, m->surfaces[i].name);
        if (dh_line_numbers(&l, name, &value, 1, 1, e) <= 0)
            continue;
        rc = value >= 0.0f && value <= 100.0f
                 ? 0
                 : dh_fail(e, DH_TROUBLE, "rule %s: expected a number from 0 to 100", name);
        r->grip[i] = value;
    }
    dh_buf_free(&line);
    return rc;
}

int nat_setup_init(struct nat_setup *s, const struct dh_file *files, int nfiles, struct dh_str barcode,
                   const char *const *list, struct dh_err *e)
{
    struct map m = {0};
    struct rules r = {0};
    int rc = nat_map_load(&m, files, nfiles, barcode, e);

    memset(s, 0, sizeof *s);
    if (rc == 0)
        rc = begin(&r, &m, e);
    for (int i = 0; rc == 0 && list && list[i]; i++)
        rc = override(&r, &m, list[i], e);
    if (rc == 0)
        rc = fit(&r, e);
    if (rc == 0) {
        strcpy(s->map, m.name);
        put_rules(s, &r, &m);
        if (s->schema.failed || s->rules.failed)
            rc = dh_fail(e, DH_TROUBLE, "out of memory");
    }
    nat_rules_free(&r);
    nat_map_free(&m);
    if (rc < 0)
        nat_setup_free(s);
    return rc;
}

void nat_setup_free(struct nat_setup *s)
{
    dh_buf_free(&s->schema);
    dh_buf_free(&s->rules);
    memset(s, 0, sizeof *s);
}
