/* SPDX-License-Identifier: ISC */
/*
 * log.c - lines for people: where pawns are, what they stand on, which planes held them.
 *
 * A text is KEY:VALUE pairs with semicolons between and slashes in vectors, since commas, equal signs and blanks would
 * be escaped in the text encoding.
 */
#include "inner.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const topic_names[] = {"positions", "ground", "contacts"};
#define TOPICS ((int)(sizeof topic_names / sizeof *topic_names))

int nat_log_topics(struct dh_world *w, const char *topics, struct dh_err *e)
{
    for (const char *p = topics; p;) {
        size_t n = strcspn(p, ",");
        int i = 0;
        while (i < TOPICS && !(strlen(topic_names[i]) == n && memcmp(topic_names[i], p, n) == 0))
            i++;
        if (i == TOPICS)
            return dh_fail(e, DH_TROUBLE, "expected topics of positions, ground, contacts, found '%.*s'",
                           (int)(n < 40 ? n : 40), p);
        w->topics |= 1u << i;
        p = p[n] ? p + n + 1 : NULL;
    }
    return 0;
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static void put_text(struct dh_buf *b, const char *s)
{
    dh_put_bytes(b, s, strlen(s));
}

static void put_key(struct dh_buf *b, const char *key)
{
    put_text(b, ";");
    put_text(b, key);
    put_text(b, ":");
}

static void put_real(struct dh_buf *b, float v)
{
    const struct dh_field field = {.type = DH_F32};
    struct dh_buf bytes = {0};

    dh_put_f32(&bytes, v);
    dh_value_text(b, NULL, &field, bytes.p, bytes.n);
    dh_buf_free(&bytes);
}

static void put_vector(struct dh_buf *b, struct v3 v)
{
    put_real(b, v.x);
    put_text(b, "/");
    put_real(b, v.y);
    put_text(b, "/");
    put_real(b, v.z);
}

static void put_number(struct dh_buf *b, long long v)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", v);
    put_text(b, text);
}

static void begin_pawn(struct dh_buf *b, const struct pawn *p)
{
    dh_buf_clear(b);
    put_text(b, "PlayerPawn@");
    put_number(b, p->wire);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void line(struct dh_world_events *log, uint32_t tick, enum topic topic, const struct dh_buf *text)
{
    struct dh_buf *b = text->failed ? NULL : dh_world_event(log);
    int i = 0;

    while (1 << i != (int)topic)
        i++;
    if (b)
        dh_build_log(b, tick, (struct dh_str){topic_names[i], strlen(topic_names[i])},
                     (struct dh_str){(const char *)text->p, text->n});
}

static void contact_text(struct dh_buf *t, const struct pawn *p, const struct contact *c)
{
    begin_pawn(t, p);
    put_key(t, "body");
    put_number(t, c->body);
    put_key(t, "shape");
    put_number(t, c->shape);
    put_key(t, "normal");
    put_vector(t, c->plane.normal);
    put_key(t, "separation");
    put_real(t, c->plane.separation);
    put_key(t, "point");
    put_vector(t, c->plane.point);
    put_key(t, "push");
    put_real(t, c->push);
}

/* Planes are known while a pawn moves and gone after it, so they are noted then. */
void nat_log_contacts(struct dh_world *w, const struct pawn *p, const struct contacts *k)
{
    struct dh_buf t = {0};

    if (!(w->topics & LOG_CONTACTS))
        return;
    if (!w->noted && !(w->noted = calloc(1, sizeof *w->noted)))
        return;
    for (int i = 0; i < k->n; i++) {
        contact_text(&t, p, &k->c[i]);
        line(w->noted, w->tick + 1, LOG_CONTACTS, &t);
    }
    dh_buf_free(&t);
}

static void census(struct dh_world *w, uint32_t tick, struct dh_world_events *log)
{
    struct dh_buf t = {0};

    for (int i = 0; i < w->map.nobjects; i++) {
        const struct object *o = &w->map.objects[i];
        const struct body *b = &w->bodies[i];
        if (o->kind == OBJ_SPAWN || o->kind == OBJ_PLATE)
            continue;
        dh_buf_clear(&t);
        put_text(&t, "body:");
        put_number(&t, i);
        put_key(&t, "kind");
        put_text(&t, nat_object_name(o->kind));
        put_key(&t, "line");
        put_number(&t, (long long)o->line);
        put_key(&t, "center");
        put_vector(&t, b->box.center);
        put_key(&t, "half");
        put_vector(&t, b->box.half);
        for (int k = 0; k < 3; k++) {
            put_key(&t, k == 0 ? "axisX" : k == 1 ? "axisY" : "axisZ");
            put_vector(&t, b->box.axis[k]);
        }
        if (o->surface >= 0) {
            put_key(&t, "surface");
            put_text(&t, w->map.surfaces[o->surface].name);
        }
        put_key(&t, "grip");
        put_real(&t, b->grip);
        line(log, tick, LOG_CONTACTS, &t);
    }
    dh_buf_free(&t);
}

/* The slope limit as people set it: a plane's normal tells by its height whether it is beyond. */
static void slope_limit(const struct dh_world *w, uint32_t tick, struct dh_world_events *log)
{
    struct dh_buf t = {0};
    float degrees;
    bool exact = nat_slope_degrees(w->rules.slope_cos, &degrees);

    put_text(&t, "slopeCos:");
    put_real(&t, w->rules.slope_cos);
    put_key(&t, "degrees");
    put_real(&t, degrees);
    put_key(&t, "exact");
    put_text(&t, exact ? "yes" : "no");
    line(log, tick, LOG_GROUND, &t);
    dh_buf_free(&t);
}

static void pawn_lines(struct dh_world *w, const struct pawn *p, uint32_t tick, struct dh_world_events *log)
{
    struct dh_buf t = {0};

    if (w->topics & LOG_POSITIONS) {
        begin_pawn(&t, p);
        put_key(&t, "position");
        put_vector(&t, p->position);
        put_key(&t, "velocity");
        put_vector(&t, p->velocity);
        line(log, tick, LOG_POSITIONS, &t);
    }
    if (w->topics & LOG_GROUND) {
        begin_pawn(&t, p);
        put_key(&t, "grounded");
        put_number(&t, p->flags & GROUNDED);
        put_key(&t, "normal");
        put_vector(&t, p->ground_normal);
        put_key(&t, "body");
        put_number(&t, p->ground_body);
        put_key(&t, "ticksSinceGrounded");
        put_number(&t, p->since_grounded);
        line(log, tick, LOG_GROUND, &t);
    }
    dh_buf_free(&t);
}

void nat_log(struct dh_world *w, uint32_t tick, struct dh_world_events *log)
{
    if (!w->topics)
        return;
    if (!w->census_told) {
        if (w->topics & LOG_CONTACTS)
            census(w, tick, log);
        if (w->topics & LOG_GROUND)
            slope_limit(w, tick, log);
    }
    w->census_told = true;
    for (int i = 0; i < NAT_SLOTS; i++)
        if (w->pawns[i].live)
            pawn_lines(w, &w->pawns[i], tick, log);
    for (int i = 0; w->noted && i < w->noted->n; i++) {
        struct dh_buf *b = dh_world_event(log);
        if (b)
            dh_put_bytes(b, w->noted->bufs[i].p, w->noted->bufs[i].n);
    }
    if (w->noted)
        w->noted->n = 0;
}

void nat_log_free(struct dh_world *w)
{
    for (int i = 0; w->noted && i < w->noted->cap; i++)
        dh_buf_free(&w->noted->bufs[i]);
    if (w->noted)
        free(w->noted->bufs);
    free(w->noted);
}
