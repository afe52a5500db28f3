/* SPDX-License-Identifier: ISC */
#include "lmp/header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEAT = 256 };

/* ---- items ------------------------------------------------------------------------------------------------------- */

static bool is_there(const struct lmp_item *item, int64_t (*number)(void *, const char *), void *ctx)
{
    if (item->when && !(number(ctx, item->when) & 1))
        return false;
    return item->since == 0 || number(ctx, "version") << 8 >= (int64_t)item->since - number(ctx, "subversion");
}

static void repeated_name(char *name, size_t size, const struct lmp_item *repeat, const struct lmp_item *item, int i)
{
    const char *const *names = repeat->names;

    for (int k = 0; names && names[k] && k <= i; k++)
        if (k == i) {
            snprintf(name, size, "%s", names[k]);
            return;
        }
    snprintf(name, size, "%s%d", item->name, i);
}

int lmp_items_walk(const struct lmp_item *items, int (*visit)(void *ctx, const struct lmp_item *item, const char *name),
                   int64_t (*number)(void *ctx, const char *name), void *ctx)
{
    int r = 0;

    for (const struct lmp_item *it = items; it->lie != LMP_LIE_END && r == 0; it++) {
        if (it->lie != LMP_LIE_REPEAT) {
            if (is_there(it, number, ctx))
                r = visit(ctx, it, it->lie == LMP_LIE_FIXED ? "" : it->name);
            continue;
        }
        int64_t times = it->size ? it->size : number(ctx, it->name);
        for (int i = 0; i < times && i < MAX_REPEAT && r == 0; i++)
            for (int k = 1; k <= it->span && r == 0; k++) {
                char name[sizeof((struct lmp_field *)0)->name];
                repeated_name(name, sizeof name, it, &it[k], i);
                r = visit(ctx, &it[k], name);
            }
        it += it->span;
    }
    return r;
}

int lmp_item_type(const struct lmp_item *item)
{
    switch (item->lie) {
    case LMP_LIE_U8:
    case LMP_LIE_DERIVED:
        return DH_U8;
    case LMP_LIE_LE16:
    case LMP_LIE_BE16:
        return DH_U16;
    case LMP_LIE_LE32:
    case LMP_LIE_BE32:
        return DH_U32;
    case LMP_LIE_CHARS:
    case LMP_LIE_PSTR:
        return DH_STR;
    case LMP_LIE_BLOB:
        return DH_BYTES;
    default:
        return -1;
    }
}

const char *lmp_type_name(int type)
{
    switch (type) {
    case DH_U8:
        return "u8";
    case DH_U16:
        return "u16";
    case DH_U32:
        return "u32";
    case DH_I64:
        return "i64";
    case DH_STR:
        return "str";
    default:
        return "bytes";
    }
}

int lmp_presence_slot(const char *name)
{
    static const char player[] = "player";
    const char *digits = name + sizeof player - 1;

    if (strncmp(name, player, sizeof player - 1) != 0 || *digits < '0' || *digits > '9')
        return -1;
    return atoi(digits);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct reading {
    struct lmp_fields *f;
    const char *dialect;
    const uint8_t *p;
    size_t n, *at;
    struct dh_err *e;
};

const struct lmp_field *lmp_fields_find(const struct lmp_fields *f, const char *name)
{
    for (int i = 0; i < f->n; i++)
        if (strcmp(f->v[i].name, name) == 0)
            return &f->v[i];
    return NULL;
}

int64_t lmp_fields_number(const struct lmp_fields *f, const char *name, int64_t otherwise)
{
    const struct lmp_field *v = lmp_fields_find(f, name);

    return v && (v->type == DH_U8 || v->type == DH_U16 || v->type == DH_U32) ? v->number : otherwise;
}

static int64_t read_number(void *ctx, const char *name)
{
    return lmp_fields_number(((struct reading *)ctx)->f, name, 0);
}

static struct lmp_field *append(struct lmp_fields *f)
{
    if (f->n == f->cap) {
        int cap = f->cap ? f->cap * 2 : 32;
        struct lmp_field *grown = realloc(f->v, (size_t)cap * sizeof *grown);

        if (!grown)
            return NULL;
        f->v = grown;
        f->cap = cap;
    }
    memset(&f->v[f->n], 0, sizeof f->v[0]);
    return &f->v[f->n++];
}

static uint32_t load(enum lmp_lie lie, const uint8_t *p)
{
    switch (lie) {
    case LMP_LIE_U8:
        return p[0];
    case LMP_LIE_LE16:
        return p[0] | (uint32_t)p[1] << 8;
    case LMP_LIE_BE16:
        return p[1] | (uint32_t)p[0] << 8;
    case LMP_LIE_LE32:
        return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    case LMP_LIE_BE32:
        return p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
    default:
        return 0;
    }
}

static int short_of(struct reading *r, const char *name)
{
    dh_fail(r->e, DH_INCOMPLETE, "truncated: %zu bytes, and the header of %s is not over: expected %s", r->n,
            r->dialect, *name ? name : "its signature");
    return -1;
}

static int read_item(void *ctx, const struct lmp_item *item, const char *name)
{
    struct reading *r = ctx;
    const uint8_t *p = r->p + *r->at;
    size_t left = r->n - *r->at, size = item->size;

    if (item->lie == LMP_LIE_PSTR)
        size = left ? (size_t)1 + p[0] : 1;
    if (item->lie == LMP_LIE_FIXED && memcmp(p, item->name, left < size ? left : size) != 0)
        return dh_fail(r->e, DH_TROUBLE, "the signature of %s is not there", r->dialect);
    if (left < size)
        return short_of(r, name);
    if (item->lie != LMP_LIE_FIXED) {
        struct lmp_field *f = append(r->f);

        if (!f)
            return dh_fail(r->e, DH_TROUBLE, "out of memory");
        snprintf(f->name, sizeof f->name, "%s", name);
        f->type = (uint8_t)lmp_item_type(item);
        f->at = (uint32_t)*r->at;
        f->size = (uint32_t)size;
        f->number = load(item->lie, p);
        f->text = (struct dh_str){(const char *)p, size};
        if (item->lie == LMP_LIE_PSTR)
            f->text = (struct dh_str){(const char *)p + 1, size - 1};
        else if (item->lie == LMP_LIE_CHARS)
            while (f->text.n > 0 && p[f->text.n - 1] == 0)
                f->text.n--;
    }
    *r->at += size;
    return 0;
}

int lmp_header_read(struct lmp_fields *f, const struct lmp_item *items, const char *dialect, const uint8_t *p, size_t n,
                    size_t *at, struct dh_err *e)
{
    struct reading r = {f, dialect, p, n, at, e};

    if (lmp_items_walk(items, read_item, read_number, &r) == 0)
        return 0;
    if (e) {
        e->tick = -1;
        e->offset = e->status == DH_INCOMPLETE ? n : *at;
    }
    return -1;
}

/* ---- as schema and block ----------------------------------------------------------------------------------------- */

void lmp_fields_schema(const struct lmp_fields *f, struct dh_buf *out)
{
    for (int i = 0; i < f->n; i++) {
        if (i > 0)
            dh_put_u8(out, ' ');
        dh_put_bytes(out, f->v[i].name, strlen(f->v[i].name));
        dh_put_u8(out, ':');
        dh_put_bytes(out, lmp_type_name(f->v[i].type), strlen(lmp_type_name(f->v[i].type)));
    }
}

void lmp_fields_block(const struct lmp_fields *f, struct dh_buf *out)
{
    for (int i = 0; i < f->n; i++) {
        const struct lmp_field *v = &f->v[i];

        if (v->type == DH_U8)
            dh_put_u8(out, (uint8_t)v->number);
        else if (v->type == DH_U16)
            dh_put_u16(out, (uint16_t)v->number);
        else if (v->type == DH_U32)
            dh_put_u32(out, v->number);
        else
            dh_put_strn(out, v->text.p, v->text.n);
    }
}

void lmp_fields_free(struct lmp_fields *f)
{
    free(f->v);
    *f = (struct lmp_fields){0};
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_be(struct dh_buf *out, int64_t v, int bytes)
{
    while (bytes-- > 0)
        dh_put_u8(out, (uint8_t)(v >> 8 * bytes));
}

int lmp_item_put(const struct lmp_item *item, int64_t number, struct dh_str text, struct dh_buf *out)
{
    switch (item->lie) {
    case LMP_LIE_U8:
        dh_put_u8(out, (uint8_t)number);
        return 0;
    case LMP_LIE_LE16:
        dh_put_u16(out, (uint16_t)number);
        return 0;
    case LMP_LIE_LE32:
        dh_put_u32(out, (uint32_t)number);
        return 0;
    case LMP_LIE_BE16:
    case LMP_LIE_BE32:
        put_be(out, number, item->size);
        return 0;
    case LMP_LIE_PSTR:
        if (text.n > 255)
            return -1;
        dh_put_u8(out, (uint8_t)text.n);
        dh_put_bytes(out, text.p, text.n);
        return 0;
    case LMP_LIE_BLOB:
        if (text.n != item->size)
            return -1;
        dh_put_bytes(out, text.p, text.n);
        return 0;
    case LMP_LIE_CHARS:
        if (text.n > item->size)
            return -1;
        dh_put_bytes(out, text.p, text.n);
        for (size_t i = text.n; i < item->size; i++)
            dh_put_u8(out, 0);
        return 0;
    case LMP_LIE_FIXED:
        dh_put_bytes(out, item->name, item->size);
        return 0;
    default:
        return 0;
    }
}
