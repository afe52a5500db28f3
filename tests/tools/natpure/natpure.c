/* SPDX-License-Identifier: ISC */
/*
 * natpure - the dh world alone, to be built by any compiler for any machine: what it computes must not depend on that.
 *
 * natpure BARCODE TICKS BOTS SEED NAME=FILE...
 *
 * Runs bots through a map and prints, every 50 ticks, a hash of the whole state and the first bot's place in hex. It
 * needs of the library what the world needs, so that a cross compiler without libbsd builds it (with shim/).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native/native.h"

static struct dh_err error;

static void check(int rc)
{
    if (rc < 0) {
        fprintf(stderr, "natpure: %s\n", error.msg);
        exit(2);
    }
}

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % below;
}

static void think(struct nat_input *in, uint32_t *state, uint32_t tick)
{
    if (tick % 16 != 0 && draw(state, 8) != 0)
        return;
    in->yaw = (float)draw(state, 6283) * 0.001f - 3.1415f;
    in->pitch = (float)draw(state, 800) * 0.001f - 0.4f;
    in->move[0] = (float)draw(state, 201) * 0.01f - 1.0f;
    in->move[1] = (float)draw(state, 201) * 0.01f - 0.5f;
    in->buttons = draw(state, 16);
}

static void join(struct dh_world *w, const struct dh_schemas *s, int slot)
{
    struct dh_buf block = {0}, payload = {0};
    struct dh_record r;

    nat_spawn_block(w, slot % nat_spawns(w), &block);
    dh_build_join(&payload, 0, (uint16_t)slot, (uint32_t)slot + 1, (struct dh_str){"bot", 3}, block.p, block.n);
    check(dh_decode(s, DH_JOIN, payload.p, payload.n, &r, &error));
    check(dh_world_native.join(w, &r, &error));
    dh_buf_free(&block);
    dh_buf_free(&payload);
}

static void show(struct dh_world *w, struct dh_state *st, uint32_t tick)
{
    uint64_t hash = 14695981039346656037u;
    float at[3] = {0};

    dh_state_begin(st);
    check(dh_world_native.snapshot(w, tick, 0, st, &error));
    for (size_t i = 0; i < st->body.n; i++)
        hash = (hash ^ st->body.p[i]) * 1099511628211u;
    nat_position(w, 0, at);
    printf("%lu %016llx", (unsigned long)tick, (unsigned long long)hash);
    for (int i = 0; i < 3; i++) {
        uint32_t bits;
        memcpy(&bits, &at[i], sizeof bits);
        printf(" %08lx", (unsigned long)bits);
    }
    printf("\n");
}

static void load(struct dh_file *f, char *arg)
{
    static uint8_t bytes[1 << 20];
    char *eq = strchr(arg, '=');
    FILE *in = eq ? fopen(eq + 1, "rb") : NULL;

    if (!in) {
        fprintf(stderr, "natpure: cannot read %s\n", arg);
        exit(2);
    }
    *eq = '\0';
    size_t n = fread(bytes, 1, sizeof bytes, in);
    uint8_t *own = malloc(n + 1);
    if (own)
        memcpy(own, bytes, n);
    *f = (struct dh_file){NAT_ROLE, arg, own, own ? n : 0};
    fclose(in);
}

int main(int argc, char **argv)
{
    struct dh_file files[16];
    struct nat_setup setup;
    struct nat_input in[NAT_SLOTS] = {0};
    struct dh_world_events events = {0};
    struct dh_state st = {0};
    struct dh_world *w;
    const char *name;
    int n = 0;

    if (argc < 6 || argc > 20)
        return 2;
    struct dh_str barcode = {argv[1], strlen(argv[1])};
    uint32_t ticks = (uint32_t)strtoul(argv[2], NULL, 10), seed = (uint32_t)strtoul(argv[4], NULL, 10);
    int bots = (int)strtoul(argv[3], NULL, 10) % (NAT_SLOTS + 1);
    for (int i = 5; i < argc; i++)
        load(&files[n++], argv[i]);
    check(nat_setup_init(&setup, files, n, barcode, NULL, &error));
    struct dh_schemas *s = nat_schemas_new(&setup, &error);
    check(s ? 0 : -1);
    struct dh_header h = {.barcode = barcode, .rate = NAT_RATE, .rules = setup.rules.p, .rules_n = setup.rules.n};
    check(dh_world_native.open(&w, &(struct dh_world_args){&h, s, files, n, NULL}, &name, &error));
    for (int i = 0; i < bots; i++)
        join(w, s, i);
    for (uint32_t t = 0; t <= ticks; t++) {
        if (t % 50 == 0)
            show(w, &st, t);
        for (int i = 0; i < bots; i++) {
            think(&in[i], &seed, t);
            nat_give(w, i, &in[i]);
        }
        check(dh_world_native.tick(w, t, &events, &error));
        events.n = 0;
    }
    dh_world_native.close(w);
    return 0;
}
