/* SPDX-License-Identifier: ISC */
/*
 * Footers. PrBoom+ began to put a small PWAD behind the marker, with its name and command line in lumps; dsda-doom,
 * Woof and Crispy Doom do the same with lumps of theirs. CNDoom has a line of its own, others write text.
 */
#include "lmp/footer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCH = 65536, MAX_LUMPS = 64, MAX_TEXT = 4096, WAD_HEADER = 12, ENTRY = 16, NAME = 8 };

/* ---- options ----------------------------------------------------------------------------------------------------- */

static bool is_name(const char *s)
{
    size_t n = strlen(s);

    if (n == 0 || n >= sizeof((struct lmp_option *)0)->name || (s[0] >= '0' && s[0] <= '9'))
        return false;
    return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == n;
}

const struct lmp_option *lmp_options_find(const struct lmp_options *o, const char *name)
{
    for (int i = 0; i < o->n; i++)
        if (strcmp(o->v[i].name, name) == 0)
            return &o->v[i];
    return NULL;
}

/* NULL: not a name, or it is there already (the first counts, as it does for the ports). */
static struct lmp_option *add(struct lmp_options *o, const char *name)
{
    if (!is_name(name) || lmp_options_find(o, name))
        return NULL;
    if (o->n == o->cap) {
        int cap = o->cap ? o->cap * 2 : 16;
        struct lmp_option *grown = realloc(o->v, (size_t)cap * sizeof *grown);
        if (!grown) {
            o->failed = true;
            return NULL;
        }
        o->v = grown;
        o->cap = cap;
    }
    struct lmp_option *v = &o->v[o->n++];
    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s", name);
    return v;
}

void lmp_options_text(struct lmp_options *o, const char *name, const char *p, size_t n)
{
    char *copy = malloc(n + 1);
    struct lmp_option *v = copy ? add(o, name) : NULL;

    if (!v) {
        o->failed |= !copy;
        free(copy);
        return;
    }
    memcpy(copy, p, n);
    copy[n] = '\0';
    v->type = DH_STR;
    v->text = copy;
    v->n = n;
}

void lmp_options_number(struct lmp_options *o, const char *name, int type, int64_t value)
{
    struct lmp_option *v = add(o, name);

    if (v) {
        v->type = (uint8_t)type;
        v->number = value;
    }
}

void lmp_options_free(struct lmp_options *o)
{
    for (int i = 0; i < o->n; i++)
        free(o->v[i].text);
    free(o->v);
    memset(o, 0, sizeof *o);
}

void lmp_options_schema(const struct lmp_options *o, struct dh_buf *out)
{
    for (int i = 0; i < o->n; i++) {
        const char *type = o->v[i].type == DH_STR ? ":str" : o->v[i].type == DH_U8 ? ":u8" : ":i64";
        if (i > 0)
            dh_put_u8(out, ' ');
        dh_put_bytes(out, o->v[i].name, strlen(o->v[i].name));
        dh_put_bytes(out, type, strlen(type));
    }
}

void lmp_options_block(const struct lmp_options *o, struct dh_buf *out)
{
    for (int i = 0; i < o->n; i++) {
        const struct lmp_option *v = &o->v[i];
        if (v->type == DH_STR)
            dh_put_strn(out, v->text, v->n);
        else if (v->type == DH_U8)
            dh_put_u8(out, (uint8_t)v->number);
        else
            dh_put_u64(out, (uint64_t)v->number);
    }
}

/* ---- dsda's signature -------------------------------------------------------------------------------------------- */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "names of the features\n0x" bits in hex, the highest byte first "-" MD5 in hex, padded with zeros. */
static void read_features(struct lmp_options *o, struct lmp_signed *s, const char *p, size_t n)
{
    const char *line = memchr(p, '\n', n);
    size_t names = line ? (size_t)(line - p) : n;

    lmp_options_text(o, "features", p, names);
    memset(s, 0, sizeof *s);
    s->is_signed = true;
    if (!line || n - names < 3 || memcmp(line, "\n0x", 3) != 0)
        return;
    const char *hex = line + 3, *end = p + n, *dash = memchr(hex, '-', (size_t)(end - hex));
    size_t digits = dash ? (size_t)(dash - hex) : 0;
    if (digits == 0 || digits % 2 || digits / 2 > sizeof s->features)
        return;
    for (size_t i = 0; i < digits / 2; i++) {
        int hi = digit(hex[2 * i]), lo = digit(hex[2 * i + 1]);
        if (hi < 0 || lo < 0)
            return;
        s->features[digits / 2 - 1 - i] = (uint8_t)(hi << 4 | lo);
    }
    s->nfeatures = digits / 2;
    lmp_options_text(o, "features_bits", line + 1, digits + 2);
    size_t md5 = (size_t)(end - dash) - 1;
    memcpy(s->md5, dash + 1, md5 < 32 ? md5 : 32);
}

bool lmp_signature_fits(const struct lmp_signed *s, const MD5_CTX *demo)
{
    uint8_t sum[16];
    char hex[33];
    MD5_CTX md5 = *demo;

    MD5Update(&md5, s->features, s->nfeatures);
    MD5Final(sum, &md5);
    for (int i = 0; i < 16; i++)
        snprintf(hex + 2 * i, 3, "%02x", sum[i]);
    return s->nfeatures > 0 && strcmp(hex, s->md5) == 0;
}

/* ---- the PWAD ---------------------------------------------------------------------------------------------------- */

static bool named(const uint8_t *name, const char *want)
{
    return strncmp((const char *)name, want, NAME) == 0;
}

/* Lumps out of their file's bounds, or a directory that is: the rest is not looked at. */
static bool read_pwad(const uint8_t *p, size_t n, struct lmp_options *o, struct lmp_signed *s)
{
    struct dh_cur c = dh_cur(p + 4, n - 4);
    uint32_t count = dh_get_u32(&c), directory = dh_get_u32(&c);

    if (c.bad || directory > n || count > MAX_LUMPS || count > (n - directory) / ENTRY)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        c = dh_cur(p + directory + (size_t)i * ENTRY, ENTRY);
        uint32_t at = dh_get_u32(&c), size = dh_get_u32(&c);
        const uint8_t *name = dh_get_bytes(&c, NAME);
        if (at > n || size > n - at)
            continue;
        const char *text = (const char *)p + at;
        size_t len = size;
        if (named(name, "FEATURES") && s)
            read_features(o, s, text, len);
        while (len > 0 && text[len - 1] == '\0')
            len--;
        if (named(name, "PORTNAME"))
            lmp_options_text(o, "port", text, len);
        else if (named(name, "VERSION"))
            lmp_options_text(o, "footer_version", text, len);
        else if (named(name, "CMDLINE")) {
            while (len > 0 && text[len - 1] == ' ')
                len--;
            lmp_options_text(o, "cmdline", text, len);
            lmp_cmdline_read(o, text, len);
        }
    }
    return true;
}

/* ---- CNDoom's line ----------------------------------------------------------------------------------------------- */

/* "*CNDM#" and then fields that end in '#', up to a '*'. */
static void read_cndoom(const uint8_t *p, size_t n, struct lmp_options *o)
{
    static const char *const names[] = {
        "cndoom_format", "cndoom_version", "cndoom_player1", "cndoom_player2",  "cndoom_player3", "cndoom_player4",
        "cndoom_game",   "cndoom_episode", "cndoom_map",     "cndoom_category", "cndoom_run",     "cndoom_mode",
        "cndoom_skill",  "cndoom_kills",   "cndoom_items",   "cndoom_secrets",  "cndoom_time",
    };
    const char *at = (const char *)p + 6, *end = (const char *)p + n;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && at < end && *at != '*'; i++) {
        const char *stop = memchr(at, '#', (size_t)(end - at));
        if (!stop || stop - at > 64)
            return;
        size_t len = strnlen(at, (size_t)(stop - at)); /* shorter ones are filled up with whatever was there */
        if (i == 1) {
            char port[80];
            snprintf(port, sizeof port, "CNDoom %.*s", (int)len, at);
            lmp_options_text(o, "port", port, strlen(port));
        }
        lmp_options_text(o, names[i], at, len);
        at = stop + 1;
    }
}

/* ---- any --------------------------------------------------------------------------------------------------------- */

static bool is_text(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!((p[i] >= ' ' && p[i] != 0x7f) || (p[i] >= '\t' && p[i] <= '\r') || p[i] == 0x1a))
            return false;
    return true;
}

static const uint8_t *find(const uint8_t *p, size_t n, const char *what)
{
    size_t len = strlen(what);

    for (size_t i = 0; i + len <= n && i < SEARCH; i++)
        if (p[i] == (uint8_t)what[0] && memcmp(p + i, what, len) == 0)
            return p + i;
    return NULL;
}

enum lmp_footer lmp_footer_read(const uint8_t *p, size_t n, struct lmp_options *o, struct lmp_signed *s)
{
    static const char *const kinds[] = {"", "pwad", "cndoom", "text", "bytes"};
    struct lmp_options found = {0};
    enum lmp_footer kind = LMP_FOOTER_BYTES;
    const uint8_t *at;

    if (s)
        s->is_signed = false;
    if (n == 0)
        return LMP_NO_FOOTER;
    if ((at = find(p, n, "PWAD")) && read_pwad(at, n - (size_t)(at - p), &found, s)) {
        kind = LMP_FOOTER_PWAD;
    } else if ((at = find(p, n, "*CNDM#"))) {
        kind = LMP_FOOTER_CNDOOM;
        read_cndoom(at, n - (size_t)(at - p), &found);
    } else if (is_text(p, n)) {
        kind = LMP_FOOTER_TEXT;
        lmp_options_text(&found, "text", (const char *)p, n < MAX_TEXT ? n : MAX_TEXT);
    }
    lmp_options_text(o, "footer", kinds[kind], strlen(kinds[kind]));
    for (int i = 0; i < found.n; i++) {
        if (found.v[i].type == DH_STR)
            lmp_options_text(o, found.v[i].name, found.v[i].text, found.v[i].n);
        else
            lmp_options_number(o, found.v[i].name, found.v[i].type, found.v[i].number);
    }
    o->failed |= found.failed;
    lmp_options_free(&found);
    return kind;
}
