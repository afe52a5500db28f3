/* SPDX-License-Identifier: ISC */
/* What the console says: a verb and the rest of the line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"

/* The next word of *line, terminated; empty where there is none. */
static char *word(char **line)
{
    char *p = *line + strspn(*line, " \t");
    size_t n = strcspn(p, " \t");

    *line = p + n;
    if (p[n] != '\0') {
        p[n] = '\0';
        *line += 1;
    }
    return p;
}

/* What is left, without the spaces around it. */
static char *rest(char *line)
{
    char *p = line + strspn(line, " \t");
    size_t n = strlen(p);

    while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t'))
        p[--n] = '\0';
    return p;
}

static int number(const char *text, uint32_t least, uint32_t most, uint32_t *v, struct dh_err *e)
{
    char *end = NULL;
    unsigned long long n = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;

    if (!end || *end != '\0' || n < least || n > most)
        return dh_fail(e, DH_TROUBLE, "expected a number from %u to %u, found '%.40s'", least, most, text);
    *v = (uint32_t)n;
    return 0;
}

static int need_map(const struct srv *s, struct dh_err *e)
{
    return s->game ? 0 : dh_fail(e, DH_TROUBLE, "there is no map");
}

/* ---- map, demo --------------------------------------------------------------------------------------------------- */

static int do_map(struct srv *s, char *line, struct dh_err *e)
{
    return srv_map(s, rest(line), e);
}

static int demo_status(struct srv *s)
{
    const struct srv_recorder *r = &s->rec;

    if (!r->w) {
        srv_line(&s->text, s->armed ? "demo armed" : "demo none");
        srv_print(s, &s->text);
        return 0;
    }
    srv_line(&s->text, "demo recording %u start=%u ticks=%llu checkpoints=%llu next=%u interval=%u bytes=%llu", s->now,
             r->start, (unsigned long long)r->ticks, (unsigned long long)r->checkpoints, srv_recorder_next(r, s->now),
             r->interval, (unsigned long long)r->good);
    srv_add_text(&s->text, "path", r->path);
    srv_print(s, &s->text);
    return 0;
}

static int demo_stop(struct srv *s, struct dh_err *e)
{
    if (s->rec.w)
        return srv_record_end(s, DH_STOP, e);
    if (!s->armed)
        return dh_fail(e, DH_TROUBLE, "there is no recording");
    s->armed = false;
    return 0;
}

static int do_demo(struct srv *s, char *line, struct dh_err *e)
{
    const char *what = word(&line), *name = rest(line);

    if (strcmp(what, "record") == 0)
        return srv_record(s, name, e);
    if (*name == '\0' && strcmp(what, "stop") == 0)
        return demo_stop(s, e);
    if (*name == '\0' && strcmp(what, "status") == 0)
        return demo_status(s);
    return dh_fail(e, DH_TROUBLE, "expected demo record [NAME], demo stop or demo status");
}

/* ---- players ----------------------------------------------------------------------------------------------------- */

static int do_say(struct srv *s, char *line, struct dh_err *e)
{
    const char *text = rest(line);

    if (*text == '\0')
        return dh_fail(e, DH_TROUBLE, "expected say TEXT");
    srv_line(&s->text, "say %u -", s->now);
    srv_add_text(&s->text, "text", text);
    srv_announce(s, &s->text);
    return 0;
}

static int do_kick(struct srv *s, char *line, struct dh_err *e)
{
    const char *who = rest(line);
    struct srv_client *c = srv_client_find(s, who);

    if (!c || c->gone)
        return dh_fail(e, DH_TROUBLE, "no one player has the slot or name '%.40s'", who);
    srv_client_drop(s, c, "kicked");
    return 0;
}

/* A client that only exists for the script: LABEL LINE. */
static int do_client(struct srv *s, char *line, struct dh_err *e)
{
    const char *label = word(&line), *said = line + strspn(line, " \t");
    struct srv_client *c;

    if (*label == '\0' || *said == '\0')
        return dh_fail(e, DH_TROUBLE, "expected client LABEL LINE");
    if (strlen(label) >= sizeof c->label)
        return dh_fail(e, DH_TROUBLE, "a label of more than %zu bytes", sizeof c->label - 1);
    c = srv_client_labelled(s, label);
    if (!c)
        c = srv_client_new(s, -1, label);
    if (!c)
        return dh_fail(e, DH_TROUBLE, "there is no room for another client");
    c->line++;
    srv_client_says(s, c, said, strlen(said));
    return 0;
}

/* ---- status ------------------------------------------------------------------------------------------------------ */

static void player_status(struct srv *s, const struct srv_client *c)
{
    const struct srv_queue *q = &c->queue;
    float position[3];

    srv_line(&s->text,
             "player %u wire=%u received=%llu held=%llu neutral=%llu late=%llu duplicate=%llu early=%llu limited=%llu "
             "ready=%u",
             c->slot, c->wire, (unsigned long long)q->ran[NAT_RECEIVED], (unsigned long long)q->ran[NAT_HELD],
             (unsigned long long)q->ran[NAT_NEUTRAL], (unsigned long long)q->got[SRV_LATE],
             (unsigned long long)q->got[SRV_DUPLICATE], (unsigned long long)q->got[SRV_EARLY],
             (unsigned long long)q->got[SRV_LIMITED], srv_queue_ready(q));
    if (nat_position(s->game->world, c->slot, position))
        srv_add_vector(&s->text, "position", position);
    srv_add_text(&s->text, "name", c->name);
    srv_print(s, &s->text);
}

static int do_status(struct srv *s, char *line, struct dh_err *e)
{
    int n = 0;

    (void)line, (void)e;
    for (int i = 0; i < NAT_SLOTS; i++)
        n += s->slots[i] != NULL;
    srv_line(&s->text, "status %u players=%d late=%llu", s->now, n, (unsigned long long)s->late);
    srv_add_text(&s->text, "map", s->game ? s->game->setup.map : "");
    srv_add_text(&s->text, "barcode", s->game ? s->game->barcode : "");
    srv_add_text(&s->text, "closure", s->game ? s->game->content.closure : "");
    srv_print(s, &s->text);
    for (int i = 0; i < NAT_SLOTS; i++)
        if (s->slots[i])
            player_status(s, s->slots[i]);
    return 0;
}

/* The slope limit as a recording has it is a cosine; the degrees are for people. */
static void add_degrees(struct srv *s, const struct dh_field *f, const uint8_t *p)
{
    struct dh_cur c = dh_cur(p, 4);
    float degrees;

    if (strcmp(f->name, "slopeCos") != 0 || f->type != DH_F32)
        return;
    bool exact = nat_slope_degrees(dh_get_f32(&c), &degrees);
    srv_add(&s->text, exact ? " degrees=" : " nearest=");
    uint8_t bytes[4];
    memcpy(bytes, &degrees, sizeof bytes);
    struct dh_field value = {.type = DH_F32};
    struct dh_buf b = {0};
    dh_put_f32(&b, degrees);
    dh_value_text(&s->text, NULL, &value, b.p, b.n);
    dh_buf_free(&b);
}

static int do_rules(struct srv *s, char *line, struct dh_err *e)
{
    (void)line;
    if (need_map(s, e) < 0)
        return -1;
    const struct dh_header *h = &s->game->header;
    const struct dh_schema *rules = s->game->schemas->rule;
    for (int i = 0; rules && i < rules->nfields; i++) {
        size_t n;
        const uint8_t *p = dh_block_field(rules, h->rules, h->rules_n, i, &n);
        srv_line(&s->text, "rule %s=", rules->fields[i].name);
        dh_value_text(&s->text, s->game->schemas, &rules->fields[i], p, n);
        add_degrees(s, &rules->fields[i], p);
        srv_print(s, &s->text);
    }
    return 0;
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

static const struct setting {
    const char *name;
    size_t offset;
    uint32_t least, most;
} settings[] = {
    {"server.demo.checkpointTicks", offsetof(struct srv_settings, checkpoint_ticks), 1, 1000000},
    {"server.input.holdTicks", offsetof(struct srv_settings, hold_ticks), 0, 3600},
    {"server.input.noclip", offsetof(struct srv_settings, noclip), 0, 1},
};

static int do_set(struct srv *s, char *line, struct dh_err *e)
{
    const char *name = word(&line), *value = rest(line);

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const struct setting *t = &settings[i];
        uint32_t *v = (uint32_t *)((char *)&s->set + t->offset);
        if (*name != '\0' && strcmp(name, t->name) != 0)
            continue;
        if (*value != '\0')
            return number(value, t->least, t->most, v, e);
        srv_line(&s->text, "set %s=%u", t->name, *v);
        srv_print(s, &s->text);
        if (*name != '\0')
            return 0;
    }
    return *name == '\0' ? 0 : dh_fail(e, DH_TROUBLE, "there is no setting '%.60s'", name);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static int do_tick(struct srv *s, char *line, struct dh_err *e)
{
    const char *text = rest(line);
    uint32_t n = 1;

    if (need_map(s, e) < 0 || (*text && number(text, 0, UINT32_MAX, &n, e) < 0))
        return -1;
    for (uint32_t i = 0; i < n && !*s->o.end; i++) {
        if (srv_tick(s, e) < 0) {
            s->broken = true;
            return -1;
        }
        s->time = (uint64_t)s->now * 1000000000 / SRV_RATE;
        if (srv_attend(s, e) < 0)
            return -1;
    }
    return 0;
}

static int do_quit(struct srv *s, char *line, struct dh_err *e)
{
    (void)line, (void)e;
    s->quit = true;
    return 0;
}

static int do_help(struct srv *s, char *line, struct dh_err *e);

enum { ALONE = 1, LOCKSTEP = 2 }; /* takes nothing; only where there is no clock */

static const struct verb {
    const char *name, *usage;
    int (*run)(struct srv *s, char *line, struct dh_err *e);
    int how;
} verbs[] = {
    {"map", "map NAME|BARCODE", do_map, 0},
    {"demo", "demo record [NAME] | demo stop | demo status", do_demo, 0},
    {"say", "say TEXT", do_say, 0},
    {"kick", "kick SLOT|NAME", do_kick, 0},
    {"status", "status", do_status, ALONE},
    {"rules", "rules", do_rules, ALONE},
    {"set", "set [NAME [NUMBER]]", do_set, 0},
    {"tick", "tick [NUMBER]", do_tick, LOCKSTEP},
    {"client", "client LABEL LINE", do_client, LOCKSTEP},
    {"help", "help", do_help, ALONE},
    {"quit", "quit", do_quit, ALONE},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static int do_help(struct srv *s, char *line, struct dh_err *e)
{
    (void)line, (void)e;
    for (int i = 0; i < VERBS; i++) {
        if ((verbs[i].how & LOCKSTEP) && !s->o.lockstep)
            continue;
        srv_line(&s->text, "help %s", verbs[i].usage);
        srv_print(s, &s->text);
    }
    return 0;
}

bool srv_is_verb(const char *name, size_t n)
{
    for (int i = 0; i < VERBS; i++)
        if (strlen(verbs[i].name) == n && memcmp(verbs[i].name, name, n) == 0)
            return true;
    return false;
}

int srv_console_says(struct srv *s, char *line, struct dh_err *e)
{
    const char *name = word(&line);

    if (*name == '\0' || *name == '#')
        return 0;
    for (int i = 0; i < VERBS; i++) {
        const struct verb *v = &verbs[i];
        if (strcmp(v->name, name) != 0)
            continue;
        if ((v->how & LOCKSTEP) && !s->o.lockstep)
            return dh_fail(e, DH_TROUBLE, "%s: only with --lockstep", name);
        if ((v->how & ALONE) && *rest(line) != '\0')
            return dh_fail(e, DH_TROUBLE, "expected %s", v->usage);
        return v->run(s, line, e);
    }
    return dh_fail(e, DH_TROUBLE, "there is no '%.40s': help lists what there is", name);
}
