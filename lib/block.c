/* SPDX-License-Identifier: ISC */
/* Blocks: the fields of a schema one after another, without padding. */
#include "schema.h"

#include "bytes.h"

static enum dh_fit leb_fit(const struct dh_cur *c)
{
    return c->overlong ? DH_ODD : c->bad ? DH_SHORT : DH_FITS;
}

enum dh_fit dh_value_skip(const struct dh_schemas *all, enum dh_type t, int kind, struct dh_cur *c)
{
    int size = dh_type_size(t);

    if (size >= 0)
        return dh_get_bytes(c, (size_t)size) ? DH_FITS : DH_SHORT;
    if (t != DH_REF) {
        dh_get_str(c);
        return leb_fit(c);
    }
    uint64_t type = dh_get_leb(c);
    if (c->bad || type == 0)
        return leb_fit(c);
    if (all && type > (uint64_t)all->ntypes)
        return DH_NO_TYPE;
    dh_get_leb(c);
    if (!c->bad && all && !dh_type_fits(all, type - 1, kind))
        return DH_ODD;
    return leb_fit(c);
}

enum dh_fit dh_block_skip(const struct dh_schemas *all, const struct dh_schema *s, int kind, struct dh_cur *c)
{
    if (!s)
        return DH_FITS;
    if (s->size >= 0)
        return s->size == 0 || dh_get_bytes(c, (size_t)s->size) ? DH_FITS : DH_SHORT;

    enum dh_fit worst = DH_FITS;
    for (int i = 0; i < s->nfields; i++) {
        enum dh_fit fit = dh_value_skip(all, s->fields[i].type, kind, c);

        /* after an overlong leb the cursor is stuck; after an odd reference it can go on, and what follows may be worse
         */
        if (fit != DH_FITS)
            worst = fit;
        if (fit != DH_FITS && (fit != DH_ODD || c->bad))
            break;
    }
    return worst;
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
    int known = i;
    while (s->offsets[known] < 0)
        known--;

    struct dh_cur c = dh_cur(block, n);
    dh_get_bytes(&c, (size_t)s->offsets[known]);
    for (; known < i; known++)
        dh_value_skip(NULL, s->fields[known].type, 0, &c);
    const uint8_t *start = c.p;
    dh_value_skip(NULL, s->fields[i].type, 0, &c);
    *size = (size_t)(c.p - start);
    return start;
}

int64_t dh_block_int(const struct dh_schema *s, const uint8_t *block, size_t n, int i)
{
    size_t size;
    uint64_t v = 0;

    if (i < 0 || !s || i >= s->nfields)
        return 0;
    enum dh_type t = s->fields[i].type;
    const uint8_t *p = dh_block_field(s, block, n, i, &size);
    bool number = dh_type_size(t) >= 0 && size <= 8 && t != DH_F32 && t != DH_F64;
    for (size_t k = 0; number && k < size; k++)
        v |= (uint64_t)p[k] << 8 * k;
    if (number && (t <= DH_I64 || t == DH_FIX) && size < 8) { /* sign bit up */
        uint64_t sign = UINT64_C(1) << (8 * size - 1);

        v = (v ^ sign) - sign;
    }
    return (int64_t)v;
}
