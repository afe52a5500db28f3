/* SPDX-License-Identifier: ISC */
/*
 * natrec - record the dh world without a clock: scripted players and bots.
 *
 * natrec [-b] --pallet DIR --map NAME [--ticks N] [--interval N] [--start T] [--script FILE] [--bots N] [--seed S]
 *        [--rule NAME=NUMBER]...
 *
 * The stream goes to standard output; recording begins at tick T (0: fresh=1). A script has lines of these kinds, ticks
 * ascending; an input holds until the next one:
 *
 *   join tick=0 slot=0 name=Ada spawn=1        join tick=0 slot=0 position=1,0,2 yaw=1.5
 *   input tick=10 slot=0 move=0,1,0 yaw=0 pitch=0 buttons=3
 *   leave tick=90 slot=0
 *
 * Bots take the highest slots, join at tick 0, and do what a generator of the given seed says.
 */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "line.h"
#include "native/native.h"
#include "pallet.h"

struct player {
    bool live;
    uint32_t wire;
    char name[32];
    struct nat_input in;
    uint32_t bot; /* state of its generator, 0: it is none */
    uint32_t turn_at;
};

static struct {
    struct dh_content content;
    struct nat_setup setup;
    struct dh_schemas *schemas;
    struct dh_world *world;
    struct dh_writer *w;
    struct dh_header header;
    char barcode[DH_BARCODE_MAX];
    struct player players[NAT_SLOTS];
    struct dh_buf payload, block;
    struct dh_state state;
    struct dh_world_events events;
    uint32_t wires, interval, start;
    bool recording;
} g = {.interval = 300};

static struct dh_err error = {.tick = -1, .offset = DH_NOWHERE};

_Noreturn static void die(void)
{
    errx(2, "%s", error.msg);
}

static void check(int rc)
{
    if (rc < 0)
        die();
}

static void put(int kind)
{
    if (g.recording && dh_write_payload(g.w, kind, g.payload.p, g.payload.n) < 0)
        errx(2, "%s", dh_writer_error(g.w)->msg);
}

static struct dh_record decode(int kind)
{
    struct dh_record r;

    check(dh_decode(g.schemas, (uint8_t)kind, g.payload.p, g.payload.n, &r, &error));
    return r;
}

static struct dh_str str(const char *s)
{
    return (struct dh_str){s, strlen(s)};
}

/* ---- players ----------------------------------------------------------------------------------------------------- */

static void put_join(uint32_t tick, int slot)
{
    struct player *p = &g.players[slot];

    dh_buf_clear(&g.payload);
    dh_build_join(&g.payload, tick, (uint16_t)slot, p->wire, str(p->name), g.block.p, g.block.n);
}

static void join(uint32_t tick, int slot, const char *name, int spawn, const float *position, float yaw)
{
    struct player *p = &g.players[slot];

    *p = (struct player){.live = true, .wire = ++g.wires, .bot = p->bot};
    snprintf(p->name, sizeof p->name, "%s", name);
    dh_buf_clear(&g.block);
    nat_spawn_block(g.world, spawn, &g.block);
    for (int i = 0; position && i < 4; i++) { /* position and yaw come first in a join */
        uint32_t bits;
        memcpy(&bits, i < 3 ? &position[i] : &yaw, sizeof bits);
        for (int k = 0; k < 4; k++)
            g.block.p[4 * i + k] = (uint8_t)(bits >> 8 * k);
    }
    struct dh_cur c = dh_cur(g.block.p + 12, 4);
    p->in.yaw = dh_get_f32(&c);
    put_join(tick, slot);
    struct dh_record r = decode(DH_JOIN);
    check(dh_world_native.join(g.world, &r, &error));
    put(DH_JOIN);
}

static void leave(uint32_t tick, int slot)
{
    dh_buf_clear(&g.payload);
    dh_build_leave(&g.payload, tick, (uint16_t)slot);
    struct dh_record r = decode(DH_LEAVE);
    check(dh_world_native.leave(g.world, &r, &error));
    g.players[slot].live = false;
    put(DH_LEAVE);
}

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % below;
}

/* Runs about, jumps, crouches, uses what it looks at; comes home now and then. */
static void think(struct player *p, uint32_t tick)
{
    p->in.buttons &= ~(uint32_t)NAT_USE;
    if (tick < p->turn_at)
        return;
    p->turn_at = tick + 10 + draw(&p->bot, 80);
    p->in.yaw = (float)draw(&p->bot, 6283) * 0.001f - 3.1415f;
    p->in.pitch = (float)draw(&p->bot, 800) * 0.001f - 0.4f;
    p->in.move[0] = (float)draw(&p->bot, 3) - 1.0f;
    p->in.move[1] = draw(&p->bot, 8) == 0 ? -1.0f : 1.0f;
    p->in.buttons = 0;
    if (draw(&p->bot, 3) == 0)
        p->in.buttons |= NAT_JUMP;
    if (draw(&p->bot, 5) == 0)
        p->in.buttons |= NAT_CROUCH;
    if (draw(&p->bot, 2) == 0)
        p->in.buttons |= NAT_SPRINT;
    if (draw(&p->bot, 2) == 0)
        p->in.buttons |= NAT_USE;
}

/* ---- the script -------------------------------------------------------------------------------------------------- */

static struct dh_lines script;
static struct dh_line next;
static bool more;

static void advance(void)
{
    int got = dh_line_next(&script, &next, &error);

    check(got);
    more = got > 0;
}

static float number(const char *key, float otherwise)
{
    float v = otherwise;

    check(dh_line_numbers(&next, key, &v, 1, 1, &error));
    return v;
}

static void run_line(uint32_t tick)
{
    int slot = (int)number("slot", 0);
    struct player *p = &g.players[slot];
    float position[3];
    char name[32];

    if (dh_line_is(&next, "join")) {
        check(dh_line_string(&next, "name", name, sizeof name, &error));
        int n = dh_line_numbers(&next, "position", position, 3, 3, &error);
        check(n);
        join(tick, slot, name, (int)number("spawn", 0), n ? position : NULL, number("yaw", 0));
    } else if (dh_line_is(&next, "leave"))
        leave(tick, slot);
    else if (dh_line_is(&next, "input")) {
        check(dh_line_numbers(&next, "move", p->in.move, 3, 3, &error));
        p->in.yaw = number("yaw", p->in.yaw);
        p->in.pitch = number("pitch", p->in.pitch);
        p->in.buttons = (uint32_t)number("buttons", (float)p->in.buttons);
    } else
        errx(2, "line %lu: expected join, leave or input", script.number);
    check(dh_line_done(&next, &error));
}

/* ---- the recording ----------------------------------------------------------------------------------------------- */

static void checkpoint(uint32_t tick)
{
    dh_state_begin(&g.state);
    check(dh_world_native.snapshot(g.world, tick, 0, &g.state, &error));
    dh_buf_clear(&g.payload);
    dh_build_state(&g.payload, tick, &g.state);
    put(DH_CHECKPOINT);
}

static void begin(uint32_t tick)
{
    struct dh_header h = g.header;

    g.recording = true;
    if (dh_writer_stream(g.w) < 0)
        errx(2, "%s", dh_writer_error(g.w)->msg);
    for (int i = 0; nat_write_order[i]; i++)
        dh_write_schema(g.w, nat_write_order[i], nat_schema_text(&g.setup, nat_write_order[i]));
    h.start = tick;
    h.fresh = tick == 0;
    dh_buf_clear(&g.payload);
    dh_build_header(&g.payload, &h);
    put(DH_HEADER);
    for (int i = 0; i < g.content.n; i++) {
        const struct dh_file *f = &g.content.files[i];
        dh_buf_clear(&g.payload);
        dh_build_resource(&g.payload, str(f->role), str(f->name), f->size, g.content.sums[i].sha256,
                          g.content.sums[i].md5);
        put(DH_RESOURCE);
    }
    for (int i = 0; i < NAT_SLOTS; i++) {
        dh_buf_clear(&g.block);
        if (!nat_join_block(g.world, i, &g.block))
            continue;
        put_join(tick, i);
        put(DH_JOIN);
    }
}

static void one_tick(uint32_t tick)
{
    if (tick == g.start && !g.recording)
        begin(tick);
    for (; more && number("tick", 0) <= (float)tick; advance())
        run_line(tick);
    if (g.recording && (tick == g.start || tick % g.interval == 0))
        checkpoint(tick);
    for (int i = 0; i < NAT_SLOTS; i++) {
        if (!g.players[i].live)
            continue;
        if (g.players[i].bot)
            think(&g.players[i], tick);
        nat_give(g.world, i, &g.players[i].in);
    }
    check(dh_world_native.tick(g.world, tick, &g.events, &error));
    for (int i = 0; i < NAT_SLOTS; i++) {
        struct nat_input in;
        if (!nat_applied(g.world, i, &in))
            continue;
        dh_buf_clear(&g.block);
        nat_put_input(&g.block, &in);
        dh_buf_clear(&g.payload);
        dh_build_input(&g.payload, tick, (uint16_t)i, g.block.p, g.block.n);
        put(DH_INPUT);
    }
    for (int i = 0; i < g.events.n; i++) {
        g.payload.n = 0;
        dh_put_bytes(&g.payload, g.events.bufs[i].p, g.events.bufs[i].n);
        put(DH_EVENT);
    }
    g.events.n = 0;
}

static void open_world(const char *pallet, const char *map, const char *const *rules)
{
    char *dirs[] = {(char *)(uintptr_t)pallet, NULL};
    const char *name;
    struct dh_pallets *ps = dh_pallets_new(dirs, NULL, &error);

    if (!ps)
        die();
    check(dh_pallets_map(ps, map, g.barcode, &error));
    check(dh_pallets_load(ps, str(g.barcode), &g.content, &error));
    dh_pallets_free(ps);
    check(nat_setup_init(&g.setup, g.content.files, g.content.n, str(g.barcode), rules, &error));
    if (!(g.schemas = nat_schemas_new(&g.setup, &error)))
        die();
    g.header = (struct dh_header){
        .game = str(NAT_GAME),
        .map = str(g.setup.map),
        .barcode = str(g.barcode),
        .closure = str(g.content.closure),
        .engine = str("natrec"),
        .rate = NAT_RATE,
        .interval = g.interval,
        .rules = g.setup.rules.p,
        .rules_n = g.setup.rules.n,
    };
    struct dh_world_args args = {
        .header = &g.header, .schemas = g.schemas, .files = g.content.files, .nfiles = g.content.n};
    check(dh_world_native.open(&g.world, &args, &name, &error));
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {
        {"pallet", required_argument, NULL, 'p'}, {"map", required_argument, NULL, 'm'},
        {"ticks", required_argument, NULL, 't'},  {"interval", required_argument, NULL, 'i'},
        {"start", required_argument, NULL, 's'},  {"script", required_argument, NULL, 'f'},
        {"bots", required_argument, NULL, 'n'},   {"seed", required_argument, NULL, 'r'},
        {"rule", required_argument, NULL, 'R'},   {0}};
    const char *pallet = ".", *map = "yard", *file = NULL, *rules[32] = {0};
    uint32_t ticks = 600, bots = 0, seed = 1;
    int nrules = 0;
    enum dh_encoding enc = DH_TEXT;
    struct dh_content text = {0};

    for (int c; (c = getopt_long(argc, argv, "b", longs, NULL)) != -1;)
        switch (c) {
        case 'b':
            enc = DH_BINARY;
            break;
        case 'p':
            pallet = optarg;
            break;
        case 'm':
            map = optarg;
            break;
        case 't':
            ticks = (uint32_t)strtoul(optarg, NULL, 10);
            break;
        case 'i':
            g.interval = (uint32_t)strtoul(optarg, NULL, 10);
            break;
        case 's':
            g.start = (uint32_t)strtoul(optarg, NULL, 10);
            break;
        case 'f':
            file = optarg;
            break;
        case 'n':
            bots = (uint32_t)strtoul(optarg, NULL, 10);
            break;
        case 'r':
            seed = (uint32_t)strtoul(optarg, NULL, 10);
            break;
        case 'R':
            if (nrules < 31)
                rules[nrules++] = optarg;
            break;
        default:
            return 2;
        }
    if (bots > NAT_SLOTS)
        errx(2, "at most %d bots", NAT_SLOTS);
    if (file) {
        check(dh_content_add(&text, "script", file, &error));
        script = dh_lines(file, text.files[0].bytes, text.files[0].size);
        advance();
    }
    open_world(pallet, map, rules);
    g.w = dh_writer_new(STDOUT_FILENO, enc, false);
    if (g.start == 0)
        begin(0);
    for (uint32_t i = 0; i < bots; i++) {
        char name[32];
        int slot = NAT_SLOTS - 1 - (int)i;
        snprintf(name, sizeof name, "Bot%u", i);
        g.players[slot].bot = (seed + i) * 2654435761u | 1;
        join(0, slot, name, (int)(i % (uint32_t)nat_spawns(g.world)), NULL, 0);
    }
    for (uint32_t t = 0; t < ticks; t++)
        one_tick(t);
    if (g.recording && ticks % g.interval == 0)
        checkpoint(ticks);
    dh_buf_clear(&g.payload);
    dh_build_end(&g.payload, ticks, DH_STOP);
    put(DH_END);
    return dh_writer_free(g.w, &error) < 0 ? (warnx("%s", error.msg), 2) : 0;
}
