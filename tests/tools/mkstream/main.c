/* SPDX-License-Identifier: ISC */
/*
 * mkstream BYTES: a binary stream of a little more than BYTES, the same every time, as fast as it can be written: four
 * players' inputs, and a checkpoint of 1,000 entities every 100 ticks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dh.h"

enum { SLOTS = 4, ENTITIES = 1000, INTERVAL = 100 };

static uint64_t written;

static void put(struct dh_writer *w, int kind, struct dh_buf *b)
{
    if (b->failed || dh_write_payload(w, kind, b->p, b->n) < 0) {
        fprintf(stderr, "mkstream: %s\n", dh_writer_error(w)->msg);
        exit(2);
    }
    written += 5 + b->n;
    dh_buf_clear(b);
}

static uint32_t noise(uint32_t x)
{
    x *= 0x9e3779b1u;
    x ^= x >> 15;
    return x * 0x85ebca6bu;
}

static void checkpoint(struct dh_writer *w, struct dh_buf *b, uint32_t tick)
{
    static struct dh_state st;

    dh_state_begin(&st);
    dh_put_u32(&st.head, tick);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        uint32_t x = noise(tick + i);

        dh_state_entity(&st, i % 2, i);
        for (int k = 0; k < 3; k++)
            dh_put_f32(&st.body, (float)(int32_t)(x << k) / 65536);
        dh_put_u32(&st.body, x);
        dh_put_u32(&st.body, x & 0x11);
        dh_put_ref(&st.body, i % 3 ? 0 : -1, i / 2);
    }
    dh_build_state(b, tick, &st);
    put(w, DH_CHECKPOINT, b);
}

int main(int argc, char **argv)
{
    struct dh_writer *w = dh_writer_new(STDOUT_FILENO, DH_BINARY, false);
    struct dh_buf b = {0};
    uint64_t bytes = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    uint32_t tick = 0;

    if (bytes == 0 || !w || dh_writer_stream(w) < 0 ||
        dh_write_schema(w, "input", "forward:i8 side:i8 turn:i16 buttons:flags8(attack,use)") < 0 ||
        dh_write_schema(w, "state", "leveltime:u32") < 0 ||
        dh_write_schema(w, "Imp,Sector", "position:vec3 angle:bam flags:flags32(a,b) target:ref") < 0) {
        fprintf(stderr, "usage: mkstream BYTES\n");
        return 2;
    }
    dh_build_header(&b, &(struct dh_header){.game = {"big", 3}, .rate = 35, .interval = INTERVAL});
    put(w, DH_HEADER, &b);
    for (; written < bytes; tick++) {
        if (tick % INTERVAL == 0)
            checkpoint(w, &b, tick);
        for (uint16_t slot = 0; slot < SLOTS; slot++) {
            uint32_t x = noise(tick * SLOTS + slot);
            uint8_t block[5];

            memcpy(block, &x, 4);
            block[4] = x >> 13 & 3;
            dh_build_input(&b, tick, slot, block, sizeof block);
            put(w, DH_INPUT, &b);
        }
    }
    dh_build_end(&b, tick, DH_STOP);
    put(w, DH_END, &b);
    dh_buf_free(&b);
    return dh_writer_free(w, NULL) < 0 ? 2 : 0;
}
