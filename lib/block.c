/* SPDX-License-Identifier: ISC */
/* Blocks: the fields of a schema one after another, without padding. */
#include "schema.h"

#include "bytes.h"

static enum dh_fit leb_fit(const struct dh_cur *c)
{
    return c->overlong ? DH_ODD : c->bad ? DH_SHORT : DH_FITS;
}

static enum dh_fit skip_varying(const struct dh_schemas *all, enum dh_type t, int kind, struct dh_cur *c)
{
    if (t != DH_REF) {
        dh_get_str(c);
        return leb_fit(c);
    }
    uint64_t type = dh_take_leb(c);
    if (c->bad || type == 0)
        return leb_fit(c);
    if (all && type > (uint64_t)all->ntypes)
        return DH_NO_TYPE;
    dh_take_leb(c);
    if (!c->bad && all && !dh_type_fits(all, type - 1, kind))
        return DH_ODD;
    return leb_fit(c);
}

enum dh_fit dh_value_skip(const struct dh_schemas *all, enum dh_type t, int kind, struct dh_cur *c)
{
    int size = dh_type_size(t);

    if (size >= 0)
        return dh_take(c, (size_t)size) ? DH_FITS : DH_SHORT;
    return skip_varying(all, t, kind, c);
}

enum dh_fit dh_block_skip(const struct dh_schemas *all, const struct dh_schema *s, int kind, struct dh_cur *c)
{
    enum dh_fit worst = DH_FITS;

    if (!s || s->size == 0)
        return DH_FITS;
    for (const struct dh_span *span = s->spans;; span++) {
        if (!dh_take(c, (size_t)span->bytes))
            return DH_SHORT;
        if (!span->varying)
            return worst;
        enum dh_fit fit = skip_varying(all, span->varying, kind, c);

        /* after an overlong leb the cursor is stuck; after an odd reference it can go on, and what follows may be worse
         */
        if (fit != DH_FITS)
            worst = fit;
        if (fit != DH_FITS && (fit != DH_ODD || c->bad))
            return worst;
    }
}

int64_t dh_field_size(const struct dh_field *f, const uint8_t *p, size_t n)
{
    struct dh_cur c = dh_cur(p, n);
    const uint8_t *start = c.p;

    return dh_value_skip(NULL, f->type, 0, &c) == DH_FITS ? c.p - start : -1;
}

int64_t dh_block_size(const struct dh_schema *s, const uint8_t *p, size_t n)
{
    struct dh_cur c = dh_cur(p, n);
    const uint8_t *start = c.p;

    return dh_block_skip(NULL, s, 0, &c) == DH_FITS ? c.p - start : -1;
}

const uint8_t *dh_block_field(const struct dh_schema *s, const uint8_t *block, size_t n, int i, size_t *size)
{
    struct dh_place at = s->places[i];
    int fixed = dh_type_size(s->fields[i].type);
    if (at.span == 0 && fixed >= 0 && n >= (size_t)at.bytes + (size_t)fixed) {
        *size = (size_t)fixed;
        return block + at.bytes;
    }

    struct dh_cur c = dh_cur(block, n);
    for (int k = 0; k < at.span; k++) {
        dh_take(&c, (size_t)s->spans[k].bytes);
        skip_varying(NULL, s->spans[k].varying, 0, &c);
    }
    dh_take(&c, (size_t)at.bytes);
    const uint8_t *start = c.p;
    dh_value_skip(NULL, s->fields[i].type, 0, &c);
    *size = (size_t)(c.p - start);
    return start;
}

int64_t dh_block_int(const struct dh_schema *s, const uint8_t *block, size_t n, int i)
{
    size_t size;

    if (i < 0 || !s || i >= s->nfields)
        return 0;
    enum dh_type t = s->fields[i].type;
    const uint8_t *p = dh_block_field(s, block, n, i, &size);
    bool is_signed = t <= DH_I64 || t == DH_FIX;
    if (dh_type_size(t) != (int)size || t == DH_F32 || t == DH_F64) /* varies, or the block is none */
        return 0;
    switch (size) {
    case 1:
        return is_signed ? (int8_t)p[0] : p[0];
    case 2:
        return is_signed ? (int16_t)dh_load16(p) : dh_load16(p);
    case 4:
        return is_signed ? (int32_t)dh_load32(p) : (int64_t)dh_load32(p);
    case 8:
        return (int64_t)dh_load64(p);
    default: /* a vector, a hash */
        return 0;
    }
}
