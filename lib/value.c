/* SPDX-License-Identifier: ISC */
/* One value of a field as text, and back. */
#include "schema.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "escape.h"
#include "number.h"

static uint64_t load(const uint8_t *p, size_t n)
{
    uint64_t v = 0;

    for (size_t i = 0; i < n; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static void put(struct dh_buf *out, uint64_t v, size_t n)
{
    uint8_t *to = dh_buf_room(out, n);

    for (size_t i = 0; to && i < n; i++)
        to[i] = (uint8_t)(v >> 8 * i);
    out->n += to ? n : 0;
}

static void put_text(struct dh_buf *out, const char *s)
{
    dh_put_bytes(out, s, strlen(s));
}

/* ---- to text ----------------------------------------------------------------------------------------------------- */

static void flags_text(struct dh_buf *out, const struct dh_field *f, uint64_t v)
{
    bool first = true;

    if (v == 0)
        dh_put_u8(out, '0');
    for (int i = 0; i < f->nnames && v >> i; i++) {
        if (!(v >> i & 1) || f->names[i][0] == '\0')
            continue;
        put_text(out, first ? "" : ",");
        put_text(out, f->names[i]);
        v &= ~(UINT64_C(1) << i);
        first = false;
    }
    if (v) {
        put_text(out, first ? "" : ",");
        dh_text_hex(out, v, 1);
    }
}

static void ref_text(struct dh_buf *out, const struct dh_schemas *all, const uint8_t *p, size_t n)
{
    struct dh_cur c = dh_cur(p, n);
    uint64_t type = dh_get_leb(&c);

    if (type == 0) {
        dh_put_u8(out, '-');
        return;
    }
    if (all && type <= (uint64_t)all->ntypes)
        put_text(out, all->types[type - 1].name);
    dh_put_u8(out, '@');
    dh_text_unsigned(out, dh_get_leb(&c));
}

void dh_value_text(struct dh_buf *out, const struct dh_schemas *all, const struct dh_field *f, const uint8_t *p,
                   size_t n)
{
    switch (f->type) {
    case DH_I8:
        dh_text_signed(out, (int8_t)p[0]);
        break;
    case DH_I16:
        dh_text_signed(out, (int16_t)load(p, 2));
        break;
    case DH_I32:
        dh_text_signed(out, (int32_t)load(p, 4));
        break;
    case DH_I64:
        dh_text_signed(out, (int64_t)load(p, 8));
        break;
    case DH_U8:
    case DH_U16:
    case DH_U32:
    case DH_U64:
        dh_text_unsigned(out, load(p, n));
        break;
    case DH_F32:
        dh_text_f32(out, dh_load32(p));
        break;
    case DH_F64:
        dh_text_f64(out, dh_load64(p));
        break;
    case DH_VEC3:
    case DH_QUAT:
        for (size_t i = 0; i < n; i += 4) {
            if (i)
                dh_put_u8(out, ',');
            dh_text_f32(out, dh_load32(p + i));
        }
        break;
    case DH_FIX:
        dh_text_fix(out, (int32_t)dh_load32(p));
        break;
    case DH_BAM:
    case DH_HEX8:
    case DH_HEX16:
    case DH_HEX32:
    case DH_HEX64:
        dh_text_hex(out, load(p, n), (int)n * 2);
        break;
    case DH_FLAGS8:
    case DH_FLAGS16:
    case DH_FLAGS32:
    case DH_FLAGS64:
        flags_text(out, f, load(p, n));
        break;
    case DH_ENUM8:
    case DH_ENUM16:
    case DH_ENUM32:
    case DH_ENUM64: {
        uint64_t v = load(p, n);

        if (v < (uint64_t)f->nnames && f->names[v][0])
            put_text(out, f->names[v]);
        else
            dh_text_unsigned(out, v);
        break;
    }
    case DH_STR:
    case DH_BYTES: {
        struct dh_cur c = dh_cur(p, n);
        struct dh_str s = dh_get_str(&c);

        if (f->type == DH_STR)
            dh_text_escaped(out, s.p, s.n);
        else if (s.n)
            dh_text_hexbytes(out, (const uint8_t *)s.p, s.n);
        break;
    }
    case DH_REF:
        ref_text(out, all, p, n);
        break;
    case DH_HASH16:
    case DH_HASH32:
        dh_text_hexbytes(out, p, n);
        break;
    case DH_TYPES:
        break;
    }
}

/* ---- from text --------------------------------------------------------------------------------------------------- */

static bool name_is(const char *name, const char *p, size_t n)
{
    return n > 0 && strncmp(name, p, n) == 0 && name[n] == '\0';
}

static bool parse_flags(const struct dh_field *f, const char *p, size_t n, uint64_t max, uint64_t *v)
{
    const char *end = p + n;

    *v = 0;
    for (bool more = n > 0; more;) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        size_t len = (size_t)((comma ? comma : end) - p);
        uint64_t bits = 0;
        int i = 0;

        while (i < f->nnames && !name_is(f->names[i], p, len))
            i++;
        if (i < f->nnames)
            bits = UINT64_C(1) << i;
        else if (!dh_parse_unsigned(p, len, max, &bits))
            return false;
        *v |= bits;
        more = comma != NULL;
        p += len + more;
    }
    return true;
}

static bool parse_floats(struct dh_buf *out, const char *p, size_t n, int count)
{
    const char *end = p + n;

    for (int i = 0; i < count; i++) {
        const char *comma = i < count - 1 ? memchr(p, ',', (size_t)(end - p)) : end;
        uint32_t bits;

        if (!comma || !dh_parse_f32(p, (size_t)(comma - p), &bits))
            return false;
        put(out, bits, 4);
        p = comma + 1;
    }
    return true;
}

static bool parse_ref(struct dh_buf *out, const struct dh_schemas *all, int kind, const char *p, size_t n)
{
    if (n == 1 && *p == '-') {
        dh_put_ref(out, -1, 0);
        return true;
    }
    const char *at = memchr(p, '@', n);
    uint64_t id;
    if (!at || !all || !dh_parse_unsigned(at + 1, (size_t)(p + n - at - 1), UINT64_MAX, &id))
        return false;
    int type = dh_schemas_type(all, p, (size_t)(at - p), kind);
    if (type < 0)
        return false;
    dh_put_ref(out, type, id);
    return true;
}

static bool parse(struct dh_buf *out, const struct dh_schemas *all, const struct dh_field *f, int kind, const char *p,
                  size_t n)
{
    int size = dh_type_size(f->type);
    uint64_t max = size == 8 || size < 0 ? UINT64_MAX : (UINT64_C(1) << (8 * size % 64)) - 1;
    uint64_t u = 0;
    int64_t i;
    int32_t fix;
    bool ok;

    switch (f->type) {
    case DH_I8:
    case DH_I16:
    case DH_I32:
    case DH_I64:
        ok = dh_parse_signed(p, n, -(int64_t)(max >> 1) - 1, (int64_t)(max >> 1), &i);
        u = ok ? (uint64_t)i : 0;
        break;
    case DH_U8:
    case DH_U16:
    case DH_U32:
    case DH_U64:
    case DH_BAM:
    case DH_HEX8:
    case DH_HEX16:
    case DH_HEX32:
    case DH_HEX64:
        ok = dh_parse_unsigned(p, n, max, &u);
        break;
    case DH_F32:
    case DH_VEC3:
    case DH_QUAT:
        return parse_floats(out, p, n, size / 4);
    case DH_F64:
        ok = dh_parse_f64(p, n, &u);
        break;
    case DH_FIX:
        ok = dh_parse_fix(p, n, &fix);
        u = ok ? (uint32_t)fix : 0;
        break;
    case DH_FLAGS8:
    case DH_FLAGS16:
    case DH_FLAGS32:
    case DH_FLAGS64:
        ok = parse_flags(f, p, n, max, &u);
        break;
    case DH_ENUM8:
    case DH_ENUM16:
    case DH_ENUM32:
    case DH_ENUM64:
        ok = true;
        for (u = 0; u < (uint64_t)f->nnames && !name_is(f->names[u], p, n);)
            u++;
        if (u == (uint64_t)f->nnames)
            ok = dh_parse_unsigned(p, n, max, &u);
        break;
    case DH_STR: {
        size_t start = out->n;

        /* The length comes first and is known last: write it in front when it is. */
        if (n == 0 || !memchr(p, '\\', n)) {
            dh_put_strn(out, p, n);
            return true;
        }
        struct dh_buf plain = {0};
        ok = dh_parse_escaped(&plain, p, n);
        out->failed |= plain.failed;
        if (ok && !plain.failed)
            dh_put_strn(out, (const char *)plain.p, plain.n);
        else
            out->n = start;
        dh_buf_free(&plain);
        return ok;
    }
    case DH_BYTES:
        if (n == 0) {
            dh_put_leb(out, 0);
            return true;
        }
        if (n < 2 || n % 2)
            return false;
        dh_put_leb(out, n / 2 - 1);
        return dh_parse_hexbytes(p, n, out);
    case DH_REF:
        return parse_ref(out, all, kind, p, n);
    case DH_HASH16:
    case DH_HASH32:
        return n == (size_t)size * 2 + 2 && dh_parse_hexbytes(p, n, out);
    default:
        return false;
    }
    if (ok)
        put(out, u, (size_t)size);
    return ok;
}

/* What a value of the type looks like, for messages. */
static const char *looks(enum dh_type t)
{
    switch (t) {
    case DH_F32:
    case DH_F64:
        return "a decimal number, inf, -inf or nan:BITS";
    case DH_VEC3:
        return "three numbers with commas between them";
    case DH_QUAT:
        return "four numbers with commas between them";
    case DH_FIX:
        return "a decimal number from -32768 to 32767.9999";
    case DH_FLAGS8:
    case DH_FLAGS16:
    case DH_FLAGS32:
    case DH_FLAGS64:
        return "names of bits with commas between them, or a number";
    case DH_ENUM8:
    case DH_ENUM16:
    case DH_ENUM32:
    case DH_ENUM64:
        return "the name of a value, or a number";
    case DH_STR:
        return "a string with valid \\ escapes";
    case DH_BYTES:
        return "0x and two hex digits a byte";
    case DH_REF:
        return "TYPE@ID of a known type, or -";
    case DH_HASH16:
        return "0x and 32 hex digits";
    case DH_HASH32:
        return "0x and 64 hex digits";
    default:
        return "a whole number within range";
    }
}

int dh_value_parse(struct dh_buf *out, const struct dh_schemas *all, const struct dh_field *f, int kind, const char *p,
                   size_t n, struct dh_err *e)
{
    if (parse(out, all, f, kind, p, n))
        return 0;
    return dh_fail(e, DH_TROUBLE, "%s: expected %s (%s), found '%.*s'", f->name, looks(f->type), dh_type_name(f->type),
                   (int)(n > 80 ? 80 : n), p);
}

void dh_value_zero(struct dh_buf *out, const struct dh_field *f)
{
    int size = dh_type_size(f->type);
    uint8_t *to = dh_buf_room(out, (size_t)(size < 0 ? 1 : size));

    if (!to)
        return;
    /* For a str, bytes or ref that is the length zero, the type none. */
    memset(to, 0, (size_t)(size < 0 ? 1 : size));
    out->n += (size_t)(size < 0 ? 1 : size);
}
