/* SPDX-License-Identifier: ISC */
#include "dem/field.h"

#include <string.h>

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

#define NUMBER(name, type, size) {name, type, size},
#define TEXT(name, size) {name, NULL, size},

#define BUILD(name, type, size) {name, type, size},
static const struct dem_field with_build[] = {
#include "dem/header.def"
};
#undef BUILD

#define BUILD(name, type, size)
static const struct dem_field without_build[] = {
#include "dem/header.def"
};

#define SYNC_RUN ""
#define BUTTON_RUN "run,"
static const struct dem_field input_100[] = {
#include "dem/input.def"
};
#undef SYNC_RUN
#undef BUTTON_RUN

#define SYNC_RUN ",run"
#define BUTTON_RUN ""
static const struct dem_field input_later[] = {
#include "dem/input.def"
};

struct dem_fields dem_header_fields(bool has_build)
{
    return has_build ? (struct dem_fields){with_build, COUNT(with_build)}
                     : (struct dem_fields){without_build, COUNT(without_build)};
}

struct dem_fields dem_input_fields(uint8_t major, uint8_t minor)
{
    return major == 1 && minor == 0 ? (struct dem_fields){input_100, COUNT(input_100)}
                                    : (struct dem_fields){input_later, COUNT(input_later)};
}

static void put(struct dh_buf *out, const char *s)
{
    dh_put_bytes(out, s, strlen(s));
}

void dem_schema_text(struct dh_buf *out, struct dem_fields f)
{
    for (int i = 0; i < f.n; i++) {
        const struct dem_field *field = &f.list[i];

        put(out, i ? " " : "");
        put(out, field->name);
        put(out, ":");
        put(out, field->type ? field->type : "str");
        if (!field->type) {
            put(out, " ");
            put(out, field->name);
            put(out, DEM_REST ":bytes");
        }
    }
    dh_put_u8(out, '\0');
}

static void text_to_block(struct dh_buf *out, const uint8_t *p, size_t size)
{
    const uint8_t *nul = memchr(p, '\0', size), *end = p + size;

    if (!nul) {
        dh_put_strn(out, (const char *)p, size);
        dh_put_strn(out, "", 0);
        return;
    }
    while (end > nul && end[-1] == 0)
        end--;
    dh_put_strn(out, (const char *)p, (size_t)(nul - p));
    dh_put_strn(out, (const char *)nul + 1, end > nul ? (size_t)(end - nul - 1) : 0);
}

void dem_to_block(struct dh_buf *out, struct dem_fields f, const uint8_t *p)
{
    for (int i = 0; i < f.n; p += f.list[i++].size)
        if (f.list[i].type)
            dh_put_bytes(out, p, f.list[i].size);
        else
            text_to_block(out, p, f.list[i].size);
}

static struct dh_str string_field(const struct dh_schema *s, const uint8_t *block, size_t n, const char *name,
                                  const char *suffix)
{
    char whole[64];
    size_t size, len = strlen(name), more = strlen(suffix);

    if (len + more >= sizeof whole)
        return (struct dh_str){"", 0};
    memcpy(whole, name, len);
    memcpy(whole + len, suffix, more + 1);
    int i = dh_schema_find(s, whole);
    if (i < 0)
        return (struct dh_str){"", 0};
    const uint8_t *p = dh_block_field(s, block, n, i, &size);
    struct dh_cur c = dh_cur(p, size);
    return dh_get_str(&c);
}

static int text_from_block(struct dh_buf *out, const struct dem_field *f, const struct dh_schema *s,
                           const uint8_t *block, size_t n, struct dh_err *e)
{
    static const uint8_t zeros[256];
    struct dh_str name = string_field(s, block, n, f->name, ""), rest = string_field(s, block, n, f->name, DEM_REST);
    size_t used = name.n + (rest.n ? 1 + rest.n : 0);

    if (memchr(name.p, '\0', name.n))
        return dh_fail(e, DH_TROUBLE, "rule %s holds a NUL, which ends it: expected the rest in rule %s" DEM_REST,
                       f->name, f->name);
    if (used > f->size)
        return dh_fail(e, DH_TROUBLE, "rule %s takes %zu bytes%s: expected at most %d", f->name, used,
                       rest.n ? " with a NUL and its rest" : "", f->size);
    dh_put_bytes(out, name.p, name.n);
    if (rest.n) {
        dh_put_u8(out, '\0');
        dh_put_bytes(out, rest.p, rest.n);
    }
    dh_put_bytes(out, zeros, f->size - used);
    return 0;
}

int dem_from_block(struct dh_buf *out, struct dem_fields f, const struct dh_schema *s, const uint8_t *block, size_t n,
                   struct dh_err *e)
{
    for (int i = 0; i < f.n; i++) {
        size_t size;

        if (!f.list[i].type) {
            if (text_from_block(out, &f.list[i], s, block, n, e) < 0)
                return -1;
            continue;
        }
        int k = dh_schema_find(s, f.list[i].name);
        const uint8_t *p = k < 0 ? NULL : dh_block_field(s, block, n, k, &size);
        if (!p || size != f.list[i].size)
            return dh_fail(e, DH_TROUBLE, "no field %s of %d bytes", f.list[i].name, f.list[i].size);
        dh_put_bytes(out, p, size);
    }
    return 0;
}

int dem_offset(struct dem_fields f, const char *name, size_t *size)
{
    int at = 0;

    for (int i = 0; i < f.n; at += f.list[i++].size)
        if (strcmp(f.list[i].name, name) == 0) {
            *size = f.list[i].size;
            return at;
        }
    return -1;
}
