/* SPDX-License-Identifier: ISC */
#include "setup.h"

#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "settings.h"
#include "sums.h"

struct setups {
    const struct dh_setup *a, *b;
    const struct dh_schemas *sa, *sb;
    void (*differs)(void *ctx, const char *what, const char *a, const char *b);
    void *ctx;
    struct dh_buf ta, tb; /* the values' text */
};

int dh_setup_keep(struct dh_setup *s, const struct dh_record *r)
{
    return r->kind == DH_HEADER ? dh_keep(&s->header, r) : dh_keeps_add(&s->resources, r);
}

void dh_setup_free(struct dh_setup *s)
{
    dh_kept_free(&s->header);
    dh_keeps_free(&s->resources);
}

static const char *text(struct dh_buf *b)
{
    if (b->n == 0)
        dh_put_u8(b, '-');
    dh_put_u8(b, 0);
    return b->failed ? "-" : (const char *)b->p;
}

/* The values that ta and tb have collected; true: they differ. */
static bool settle(struct setups *s, const char *what)
{
    const bool differ = s->ta.n != s->tb.n || (s->ta.n > 0 && memcmp(s->ta.p, s->tb.p, s->ta.n) != 0);

    if (differ)
        s->differs(s->ctx, what, text(&s->ta), text(&s->tb));
    dh_buf_clear(&s->ta);
    dh_buf_clear(&s->tb);
    return differ;
}

static void put_field(struct dh_buf *out, const struct dh_schemas *all, const struct dh_schema *s, const uint8_t *block,
                      size_t n, int i)
{
    size_t size;

    if (i < 0)
        return;
    const uint8_t *p = dh_block_field(s, block, n, i, &size);
    dh_value_text(out, all, &s->fields[i], p, size);
}

static void compare_rules(struct setups *s)
{
    const struct dh_header *ha = &s->a->header.rec.u.header, *hb = &s->b->header.rec.u.header;
    const struct dh_schema *ra = s->sa->rule, *rb = s->sb->rule;
    char what[128];

    for (int i = 0; ra && i < ra->nfields; i++) {
        int j = dh_schema_find(rb, ra->fields[i].name);
        if (j < 0)
            continue;
        put_field(&s->ta, s->sa, ra, ha->rules, ha->rules_n, i);
        put_field(&s->tb, s->sb, rb, hb->rules, hb->rules_n, j);
        snprintf(what, sizeof what, "rule.%s", ra->fields[i].name);
        settle(s, what);
    }
}

static void compare_setting(struct setups *s, const char *name)
{
    const struct dh_header *ha = &s->a->header.rec.u.header, *hb = &s->b->header.rec.u.header;
    const struct dh_schema *oa = s->sa->option, *ob = s->sb->option;
    char what[128];

    put_field(&s->ta, s->sa, oa, ha->options, ha->options_n, dh_schema_find(oa, name));
    put_field(&s->tb, s->sb, ob, hb->options, hb->options_n, dh_schema_find(ob, name));
    snprintf(what, sizeof what, "option.%s", name);
    settle(s, what);
}

static void compare_settings(struct setups *s)
{
    const struct dh_schema *oa = s->sa->option, *ob = s->sb->option;

    for (int i = 0; oa && i < oa->nfields; i++)
        if (dh_setting_named(oa->fields[i].name))
            compare_setting(s, oa->fields[i].name);
    for (int i = 0; ob && i < ob->nfields; i++)
        if (dh_setting_named(ob->fields[i].name) && dh_schema_find(oa, ob->fields[i].name) < 0)
            compare_setting(s, ob->fields[i].name);
}

/* "pwad more.wad 269c36ab9d2e3bc8" of the i-th file; enough of its sum to know it by. */
static void put_resource(struct dh_buf *out, const struct dh_setup *s, size_t i)
{
    enum { SHOWN = 8 };
    char hex[2 * SHOWN + 1];

    if (i >= s->resources.n)
        return;
    const struct dh_record *r = &s->resources.items[i].rec;
    dh_text_escaped(out, r->u.resource.role.p, r->u.resource.role.n);
    dh_put_u8(out, ' ');
    dh_text_escaped(out, r->u.resource.name.p, r->u.resource.name.n);
    dh_put_u8(out, ' ');
    dh_sums_hex(r->u.resource.sha256, SHOWN, hex);
    dh_put_bytes(out, hex, strlen(hex));
}

/* A stream that was not replayed yet may name no files. */
static void compare_files(struct setups *s)
{
    const struct dh_header *ha = &s->a->header.rec.u.header, *hb = &s->b->header.rec.u.header;
    const size_t na = s->a->resources.n, nb = s->b->resources.n;
    bool told = false;
    char what[64];

    for (size_t i = 0; na > 0 && nb > 0 && (i < na || i < nb); i++) {
        put_resource(&s->ta, s->a, i);
        put_resource(&s->tb, s->b, i);
        snprintf(what, sizeof what, "resource %zu", i + 1);
        told |= settle(s, what);
    }
    if (told || ha->closure.n == 0 || hb->closure.n == 0)
        return;
    dh_text_escaped(&s->ta, ha->closure.p, ha->closure.n);
    dh_text_escaped(&s->tb, hb->closure.p, hb->closure.n);
    settle(s, "closure");
}

static void compare_map(struct setups *s)
{
    const struct dh_str ma = s->a->header.rec.u.header.map, mb = s->b->header.rec.u.header.map;

    if (ma.n == 0 || mb.n == 0)
        return;
    dh_text_escaped(&s->ta, ma.p, ma.n);
    dh_text_escaped(&s->tb, mb.p, mb.n);
    settle(s, "map");
}

int dh_setup_compare(const struct dh_setup *a, const struct dh_schemas *sa, const struct dh_setup *b,
                     const struct dh_schemas *sb,
                     void (*differs)(void *ctx, const char *what, const char *a, const char *b), void *ctx)
{
    struct setups s = {.a = a, .b = b, .sa = sa, .sb = sb, .differs = differs, .ctx = ctx};

    compare_settings(&s);
    compare_files(&s);
    compare_map(&s);
    compare_rules(&s);
    const bool failed = s.ta.failed || s.tb.failed;
    dh_buf_free(&s.ta);
    dh_buf_free(&s.tb);
    return failed ? -1 : 0;
}
