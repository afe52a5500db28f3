/* SPDX-License-Identifier: ISC */
/*
 * natbench - what a tick of the dh world costs.
 *
 * natbench NAME=FILE...   the files of the sample pallet, as natpure takes them
 *
 * Prints, tab-separated: the yard with 1 to 64 bots, then 8 bots on maps of 10 to 10,000 boxes of the same density.
 * Columns: what, how many, ticks a second, microseconds a tick, and per pawn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "native/native.h"

static struct dh_err error;
static struct dh_file files[16];
static int nfiles;

static void check(int rc)
{
    if (rc < 0) {
        fprintf(stderr, "natbench: %s\n", error.msg);
        exit(2);
    }
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % below;
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

static void run(const char *what, int many, const struct dh_file *f, int n, const char *barcode, int bots)
{
    struct nat_setup setup;
    struct nat_input in[NAT_SLOTS] = {0};
    struct dh_world_events events = {0};
    struct dh_str code = {barcode, strlen(barcode)};
    struct dh_world *w;
    const char *name;
    uint32_t seed = 7, ticks = 0;

    check(nat_setup_init(&setup, f, n, code, NULL, &error));
    struct dh_schemas *s = nat_schemas_new(&setup, &error);
    check(s ? 0 : -1);
    struct dh_header h = {.barcode = code, .rate = NAT_RATE, .rules = setup.rules.p, .rules_n = setup.rules.n};
    check(dh_world_native.open(&w, &(struct dh_world_args){&h, s, f, n, NULL}, &name, &error));
    for (int i = 0; i < bots; i++)
        join(w, s, i);
    double begin = seconds(), spent = 0;
    for (; spent < 1.0 || ticks < 1000; ticks++) {
        for (int i = 0; i < bots; i++) {
            if (draw(&seed, 30) == 0) {
                in[i].yaw = (float)draw(&seed, 6283) * 0.001f;
                in[i].move[1] = 1.0f;
                in[i].buttons = draw(&seed, 16);
            }
            nat_give(w, i, &in[i]);
        }
        check(dh_world_native.tick(w, ticks, &events, &error));
        events.n = 0;
        if (ticks % 256 == 0)
            spent = seconds() - begin;
    }
    spent = seconds() - begin;
    double micros = spent * 1e6 / (double)ticks;
    printf("%s\t%d\t%.0f\t%.2f\t%.2f\n", what, many, (double)ticks / spent, micros, micros / (double)bots);
    fflush(stdout);
    dh_world_native.close(w);
    dh_schemas_free(s);
    nat_setup_free(&setup);
    for (int i = 0; i < events.cap; i++)
        dh_buf_free(&events.bufs[i]);
    free(events.bufs);
}

/* Boxes to walk around, one every two metres, on one floor. */
static char *boxes(int n)
{
    size_t size = (size_t)n * 96 + 512, at;
    char *text = malloc(size);
    int side = 1;

    if (!text)
        exit(2);
    while (side * side < n - 1)
        side++;
    at = (size_t)snprintf(text, size, "map name=Boxes\nbox center=0,-0.5,0 half=%d,0.5,%d\n", side + 2, side + 2);
    for (int i = 0; i < 8; i++)
        at += (size_t)snprintf(text + at, size - at, "spawn position=%d,0,1\n", 2 * (i % 4) - 3);
    for (int i = 0; i < n - 1; i++)
        at += (size_t)snprintf(text + at, size - at, "box center=%d,%s,%d half=0.4,%s,0.4\n", 2 * (i % side) - side,
                               i % 3 ? "0.5" : "0.1", 2 * (i / side) - side, i % 3 ? "0.5" : "0.1");
    return text;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 17)
        return 2;
    for (int i = 1; i < argc; i++) {
        static uint8_t bytes[1 << 20];
        char *eq = strchr(argv[i], '=');
        FILE *in = eq ? fopen(eq + 1, "rb") : NULL;
        if (!in)
            return 2;
        *eq = '\0';
        size_t n = fread(bytes, 1, sizeof bytes, in);
        uint8_t *own = malloc(n + 1);
        if (!own)
            return 2;
        memcpy(own, bytes, n);
        files[nfiles++] = (struct dh_file){NAT_ROLE, argv[i], own, n};
        fclose(in);
    }
    for (int bots = 1; bots <= NAT_SLOTS; bots *= 4)
        run("pawns", bots, files, nfiles, "io.dh.yard:maps/yard", bots);
    for (int n = 10; n <= 10000; n *= 10) {
        char *text = boxes(n);
        struct dh_file f = {NAT_ROLE, "t:maps/m.dh-map", (const uint8_t *)text, strlen(text)};
        run("boxes", n, &f, 1, "t:maps/m", 8);
        free(text);
    }
    return 0;
}
