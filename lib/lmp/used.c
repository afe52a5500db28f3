/* SPDX-License-Identifier: ISC */
#include "lmp/used.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PrBoom's compatibility levels that are executables, by their numbers. */
static const char *const executables[] = {"1.2", "1.666", "1.9", "ultimate", "final"};

/* What is passed on as it is. */
static const struct {
    const char *option, *setting;
} plain[] = {
    {"gameversion", "game-version"}, {"solo_net", "solo-net"}, {"coop_spawns", "coop-spawns"},
    {"respawn", "respawn"},          {"fast", "fast"},         {"nomonsters", "nomonsters"},
    {"spechit", "spechit"},
};

static int add(char ***list, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int add(char ***list, const char *fmt, ...)
{
    size_t n = 0;
    char text[1100];
    va_list ap;

    while (*list && (*list)[n])
        n++;
    char **grown = realloc(*list, (n + 2) * sizeof *grown);
    if (!grown)
        return -1;
    *list = grown;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    grown[n] = strdup(text);
    grown[n + 1] = NULL;
    return grown[n] ? 0 : -1;
}

struct options {
    const struct dh_schema *s;
    const struct dh_header *h;
};

/* The text of an option, or of its number, in buf; false: there is none. */
static bool get(const struct options *o, const char *name, char *buf, size_t size)
{
    int i = dh_schema_find(o->s, name);
    size_t n;

    if (i < 0)
        return false;
    if (o->s->fields[i].type != DH_STR) {
        snprintf(buf, size, "%" PRId64, dh_block_int(o->s, o->h->options, o->h->options_n, i));
        return true;
    }
    const uint8_t *p = dh_block_field(o->s, o->h->options, o->h->options_n, i, &n);
    struct dh_cur c = dh_cur(p, n);
    struct dh_str v = dh_get_str(&c);
    snprintf(buf, size, "%.*s", (int)v.n, v.p);
    return true;
}

static int files(const struct options *o, const char *name, char ***list)
{
    char key[32], value[1024];

    for (int i = 0; i < 64; i++) {
        snprintf(key, sizeof key, "%s%d", name, i);
        if (!get(o, key, value, sizeof value))
            return 0;
        if (add(list, "%s", value) < 0)
            return -1;
    }
    return 0;
}

static int settings(struct lmp_used *u, const struct options *o, void (*warn)(void *, const char *), void *ctx)
{
    char value[1024], text[1100];

    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (get(o, plain[i].option, value, sizeof value) && add(&u->settings, "%s=%s", plain[i].setting, value) < 0)
            return -1;
    if (!get(o, "complevel", value, sizeof value) || dh_schema_find(o->s, "gameversion") >= 0)
        return 0;
    char *end;
    long level = strtol(value, &end, 10);
    if (*end == '\0' && level >= 0 && (size_t)level < sizeof executables / sizeof executables[0])
        return add(&u->settings, "game-version=%s", executables[level]);
    snprintf(text, sizeof text, "the footer's complevel %s is no executable's: not used", value);
    if (warn)
        warn(ctx, text);
    return 0;
}

int lmp_used_read(struct lmp_used *u, const struct dh_schemas *s, const struct dh_header *h,
                  void (*warn)(void *ctx, const char *text), void *ctx, struct dh_err *e)
{
    const struct options o = {s->option, h};
    char iwad[1024];

    memset(u, 0, sizeof *u);
    if (dh_schema_find(s->option, "cmdline") < 0)
        return 1;
    bool ok = files(&o, "pwad", &u->wads) == 0 && files(&o, "deh", &u->dehs) == 0 && settings(u, &o, warn, ctx) == 0;
    if (ok && get(&o, "iwad", iwad, sizeof iwad))
        ok = (u->iwad = strdup(iwad)) != NULL;
    if (ok)
        return 0;
    lmp_used_free(u);
    return dh_fail(e, DH_TROUBLE, "out of memory");
}

static void free_list(char **list)
{
    for (char **p = list; p && *p; p++)
        free(*p);
    free(list);
}

void lmp_used_free(struct lmp_used *u)
{
    free(u->iwad);
    free_list(u->wads);
    free_list(u->dehs);
    free_list(u->settings);
    memset(u, 0, sizeof *u);
}
