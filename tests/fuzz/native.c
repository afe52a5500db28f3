/* SPDX-License-Identifier: ISC */
/* Maps, and states to start from: whatever they say, the dh world refuses them or runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native/native.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char yard[] = "map name=Y\n"
                           "box center=0,-0.5,0 half=9,0.5,9\n"
                           "spawn position=0,0,0\n"
                           "box center=0,0,-4 half=1,0.2,3 rotation=0.5,0,0\n"
                           "door name=d motion=slide center=2,1,0 half=1,1,0.1 travel=0,2,0 seconds=1 opens=touch\n"
                           "door motion=hinge center=-2,1,0 half=1,1,0.1 pivot=-3,1,0 travel=1.5 seconds=1 opens=use\n"
                           "plate center=0,0.2,2 half=1,0.2,1 target=d\n"
                           "prop center=0,3,-2 half=0.4,0.4,0.4\n"
                           "prop center=0,4,-2 half=0.4,0.4,0.4\n";

static void join(struct dh_world *w, const struct dh_schemas *s, int slot)
{
    struct dh_buf block = {0}, payload = {0};
    struct dh_record r;
    struct dh_err e;

    nat_spawn_block(w, 0, &block);
    dh_build_join(&payload, 0, (uint16_t)slot, (uint32_t)slot, (struct dh_str){"x", 1}, block.p, block.n);
    if (dh_decode(s, DH_JOIN, payload.p, payload.n, &r, &e) < 0 || dh_world_native.join(w, &r, &e) < 0)
        abort();
    dh_buf_free(&block);
    dh_buf_free(&payload);
}

static void run(struct dh_world *w, int ticks)
{
    struct dh_world_events events = {0};
    struct dh_state st = {0};
    struct dh_err e;

    for (int t = 0; t < ticks; t++) {
        for (int slot = 0; slot < 3; slot++) {
            struct nat_input in = {{(float)(slot - 1), 1, 0}, (float)t * 0.1f, 0.1f, (uint32_t)(t * 7 % 16), 0};
            nat_give(w, slot, &in);
        }
        if (dh_world_native.tick(w, (uint32_t)t, &events, &e) < 0)
            abort();
        events.n = 0;
    }
    dh_state_begin(&st);
    if (dh_world_native.snapshot(w, (uint32_t)ticks, 0, &st, &e) < 0)
        abort();
    dh_state_free(&st);
    for (int i = 0; i < events.cap; i++)
        dh_buf_free(&events.bufs[i]);
    free(events.bufs);
}

/* The state that the fuzzer changes is one of this world itself: its bytes are xored into it. */
static void restore(struct dh_world *w, const struct dh_schemas *s, const uint8_t *data, size_t size)
{
    struct dh_state st = {0};
    struct dh_buf payload = {0};
    struct dh_record r;
    struct dh_err e;

    dh_state_begin(&st);
    if (dh_world_native.snapshot(w, 0, 0, &st, &e) < 0)
        abort();
    dh_build_state(&payload, 0, &st);
    for (size_t i = 0; i < size && i < payload.n; i++)
        payload.p[payload.n - 1 - i] ^= data[i];
    if (dh_decode(s, DH_CHECKPOINT, payload.p, payload.n, &r, &e) == 0 && r.kind == DH_CHECKPOINT &&
        !r.u.state.digest_only && dh_world_native.restore(w, &r, &e) == 0)
        run(w, 40);
    dh_buf_free(&payload);
    dh_state_free(&st);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dh_file files[2];
    struct nat_setup setup;
    struct dh_world *w;
    struct dh_err e;
    const char *name;
    bool map = size > 0 && data[0] != '!';

    files[0] =
        (struct dh_file){NAT_ROLE, "t:maps/m.dh-map", map ? data : (const uint8_t *)yard, map ? size : sizeof yard - 1};
    files[1] = (struct dh_file){NAT_ROLE, "t:pallet.dh", (const uint8_t *)"surface name=ice grip=0.1\n", 26};
    struct dh_str code = {"t:maps/m", 8};
    if (nat_setup_init(&setup, files, 2, code, NULL, &e) < 0)
        return 0;
    struct dh_schemas *s = nat_schemas_new(&setup, &e);
    if (!s)
        abort();
    struct dh_header h = {.barcode = code, .rate = NAT_RATE, .rules = setup.rules.p, .rules_n = setup.rules.n};
    if (dh_world_native.open(&w, &(struct dh_world_args){&h, s, files, 2, NULL}, &name, &e) < 0)
        abort();
    for (int slot = 0; slot < 3; slot++)
        join(w, s, slot);
    if (map)
        run(w, 40);
    else if (size > 0)
        restore(w, s, data + 1, size - 1);
    dh_world_native.close(w);
    dh_schemas_free(s);
    nat_setup_free(&setup);
    return 0;
}
