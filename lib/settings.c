/* SPDX-License-Identifier: ISC */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

#define SCOPE "dhsim."

bool dh_setting_named(const char *field)
{
    return strncmp(field, SCOPE, strlen(SCOPE)) == 0;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

void dh_settings_free(char **list)
{
    for (char **p = list; p && *p; p++)
        free(*p);
    free(list);
}

/* "KEY=VALUE" of a field; NULL: out of memory. */
static char *setting(const char *key, struct dh_str value)
{
    size_t n = strlen(key);
    char *text = malloc(n + 1 + value.n + 1);

    if (!text)
        return NULL;
    memcpy(text, key, n);
    text[n] = '=';
    memcpy(text + n + 1, value.p, value.n);
    text[n + 1 + value.n] = '\0';
    return text;
}

/* The next setting of the list, or -1 with e filled. */
static int read_one(const struct dh_schema *option, int i, const struct dh_header *h, char **text, struct dh_err *e)
{
    const struct dh_field *f = &option->fields[i];
    size_t size;
    const uint8_t *p = dh_block_field(option, h->options, h->options_n, i, &size);
    struct dh_cur c = dh_cur(p, size);

    if (f->type != DH_STR)
        return dh_fail(e, DH_TROUBLE, "header: option.%s: expected a text", f->name);
    struct dh_str v = dh_get_str(&c);
    if (v.n > 0 && memchr(v.p, '\0', v.n))
        return dh_fail(e, DH_TROUBLE, "header: option.%s: expected a text without a zero byte", f->name);
    *text = setting(f->name + strlen(SCOPE), v);
    return *text ? 0 : dh_fail(e, DH_TROUBLE, "out of memory");
}

int dh_settings_read(const struct dh_schemas *s, const struct dh_header *h, char ***list, struct dh_err *e)
{
    const struct dh_schema *option = s->option;
    int n = 0, rc = 0;

    *list = NULL;
    if (!option)
        return 0;
    *list = calloc((size_t)option->nfields + 1, sizeof **list);
    if (!*list)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    for (int i = 0; i < option->nfields && rc == 0; i++)
        if (dh_setting_named(option->fields[i].name))
            rc = read_one(option, i, h, &(*list)[n++], e);
    if (rc < 0) {
        dh_settings_free(*list);
        *list = NULL;
    }
    return rc;
}

/* ---- joining ----------------------------------------------------------------------------------------------------- */

bool dh_settings_add(const char **list, size_t *n, size_t most, char *const *more)
{
    const size_t had = *n;

    for (char *const *p = more; p && *p; p++) {
        size_t key = strcspn(*p, "=") + 1, i = 0;

        while (i < had && strncmp(list[i], *p, key) != 0)
            i++;
        if (i < had)
            continue;
        if (*n == most)
            return false;
        list[(*n)++] = *p;
    }
    list[*n] = NULL;
    return true;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static size_t key_length(const char *text)
{
    return strcspn(text, "=");
}

bool dh_settings_change(const struct dh_schema *option, const char *const *list)
{
    if (list && *list)
        return true;
    for (int i = 0; option && i < option->nfields; i++)
        if (dh_setting_named(option->fields[i].name))
            return true;
    return false;
}

static char *field_name(const char *text)
{
    size_t n = key_length(text);
    char *name = malloc(strlen(SCOPE) + n + 1);

    if (!name)
        return NULL;
    memcpy(name, SCOPE, strlen(SCOPE));
    memcpy(name + strlen(SCOPE), text, n);
    name[strlen(SCOPE) + n] = '\0';
    return name;
}

int dh_settings_schema(const struct dh_schema *option, const char *const *list, struct dh_schema *out)
{
    size_t most = (size_t)(option ? option->nfields : 0);

    for (const char *const *p = list; p && *p; p++)
        most++;
    *out = (struct dh_schema){.fields = calloc(most + 1, sizeof *out->fields)};
    if (!out->fields)
        return -1;
    for (int i = 0; option && i < option->nfields; i++)
        if (!dh_setting_named(option->fields[i].name))
            out->fields[out->nfields++] = option->fields[i];
    for (const char *const *p = list; p && *p; p++) {
        struct dh_field *f = &out->fields[out->nfields];
        f->type = DH_STR;
        if (!(f->name = field_name(*p))) {
            dh_settings_schema_free(out);
            return -1;
        }
        out->nfields++;
    }
    return 0;
}

/* Only the names of settings are its own. */
void dh_settings_schema_free(struct dh_schema *s)
{
    for (int i = 0; i < s->nfields; i++)
        if (dh_setting_named(s->fields[i].name))
            free(s->fields[i].name);
    free(s->fields);
    *s = (struct dh_schema){0};
}

void dh_settings_block(const struct dh_schema *option, const uint8_t *block, size_t n, const char *const *list,
                       struct dh_buf *out)
{
    for (int i = 0; option && i < option->nfields; i++) {
        size_t size;
        const uint8_t *p = dh_block_field(option, block, n, i, &size);
        if (!dh_setting_named(option->fields[i].name))
            dh_put_bytes(out, p, size);
    }
    for (const char *const *p = list; p && *p; p++) {
        const char *value = *p + key_length(*p);
        dh_put_str(out, *value ? value + 1 : value);
    }
}
