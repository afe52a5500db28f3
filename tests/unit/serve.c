/* SPDX-License-Identifier: ISC */
/* The server's parts that stand by themselves: input queues, rate limits, the clock, chance, lines of the console. */
#include "t.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/clock.h"
#include "serve/console.h"
#include "serve/limit.h"
#include "serve/queue.h"
#include "serve/random.h"

static struct nat_input numbered(float n)
{
    return (struct nat_input){.yaw = n, .move = {1, 0, 0}, .buttons = NAT_JUMP};
}

static enum srv_verdict put(struct srv_queue *q, uint32_t tick)
{
    struct nat_input in = numbered((float)tick);

    return srv_queue_put(q, tick, &in);
}

static void a_tick_takes_its_own_input(void)
{
    struct srv_queue q = {0};

    srv_queue_reset(&q, 100);
    CHECK_INT(put(&q, 101), SRV_TAKEN);
    CHECK_INT(put(&q, 100), SRV_TAKEN);
    CHECK_INT(put(&q, 99), SRV_LATE);
    CHECK_INT(put(&q, 100), SRV_DUPLICATE);
    CHECK_INT(put(&q, 100 + SRV_AHEAD - 1), SRV_TAKEN);
    CHECK_INT(put(&q, 100 + SRV_AHEAD), SRV_EARLY);
    CHECK_INT(put(&q, UINT32_MAX), SRV_EARLY);
    CHECK_INT(put(&q, 0), SRV_LATE);
    CHECK_INT(srv_queue_ready(&q), 2);
    for (int t = 100; t < 102; t++) {
        struct nat_input in = srv_queue_take(&q, 15);
        CHECK_INT(in.source, NAT_RECEIVED);
        CHECK(in.yaw == (float)t);
    }
    CHECK_INT(put(&q, 101), SRV_LATE);
    CHECK_INT(q.got[SRV_TAKEN], 3);
    CHECK_INT(q.got[SRV_LATE], 3);
    CHECK_INT(q.got[SRV_DUPLICATE], 1);
    CHECK_INT(q.got[SRV_EARLY], 2);
}

static void a_starved_tick_holds_and_then_is_neutral(void)
{
    struct srv_queue q = {0};
    struct nat_input in;

    srv_queue_reset(&q, 7);
    in = srv_queue_take(&q, 3); /* nothing to hold yet */
    CHECK_INT(in.source, NAT_NEUTRAL);
    put(&q, 8);
    in = srv_queue_take(&q, 3);
    CHECK_INT(in.source, NAT_RECEIVED);
    for (int i = 0; i < 3; i++) {
        in = srv_queue_take(&q, 3);
        CHECK_INT(in.source, NAT_HELD);
        CHECK(in.yaw == 8.0f && in.move[0] == 1.0f && in.buttons == NAT_JUMP);
    }
    in = srv_queue_take(&q, 3);
    CHECK_INT(in.source, NAT_NEUTRAL);
    CHECK(isnan(in.yaw) && isnan(in.pitch) && in.move[0] == 0.0f && in.buttons == 0);
    put(&q, 13);
    srv_queue_take(&q, 3);
    in = srv_queue_take(&q, 3); /* an input ends the hunger, and the count begins anew */
    CHECK_INT(in.source, NAT_HELD);
    CHECK_INT(q.ran[NAT_RECEIVED], 2);
    CHECK_INT(q.ran[NAT_HELD], 4);
    CHECK_INT(q.ran[NAT_NEUTRAL], 2);
    srv_queue_reset(&q, 500); /* another map: nothing of the old one is held */
    in = srv_queue_take(&q, 3);
    CHECK_INT(in.source, NAT_NEUTRAL);
}

static void inputs_without_a_tick_queue_up(void)
{
    struct srv_queue q = {0};
    struct nat_input in;

    srv_queue_reset(&q, UINT32_MAX - 2);
    for (int i = 0; i < 3; i++) {
        in = numbered((float)i);
        CHECK_INT(srv_queue_append(&q, &in), SRV_TAKEN);
    }
    for (int i = 0; i < 3; i++)
        CHECK(srv_queue_take(&q, 3).yaw == (float)i);
    srv_queue_reset(&q, 0);
    for (int i = 0; i < SRV_AHEAD; i++)
        CHECK_INT(srv_queue_append(&q, &in), SRV_TAKEN);
    CHECK_INT(srv_queue_append(&q, &in), SRV_EARLY);
}

static void limits(void)
{
    const uint64_t second = 1000000000;
    struct srv_limit l;

    srv_limit_init(&l, 10, 20, 5 * second);
    CHECK(srv_limit_take(&l, 20, 5 * second));
    CHECK(!srv_limit_take(&l, 1, 5 * second));
    CHECK(srv_limit_wait(&l, 5 * second) == second / 10 + 1);
    CHECK(!srv_limit_take(&l, 1, 5 * second + second / 20));
    CHECK(srv_limit_take(&l, 1, 5 * second + second / 10));
    CHECK_INT(srv_limit_left(&l, 6 * second), 9);
    CHECK(!srv_limit_take(&l, 10, 6 * second));
    CHECK_INT(srv_limit_left(&l, 6 * second), 9); /* none were taken */
    CHECK_INT(srv_limit_left(&l, 1000000 * second), 20);
    CHECK(srv_limit_wait(&l, 1000000 * second) == 0);
    CHECK_INT(srv_limit_left(&l, UINT64_MAX), 20);
}

static void ticks_do_not_drift(void)
{
    const uint64_t hour = UINT64_C(3600) * 1000000000, start = 123456789;
    struct srv_clock c;

    srv_clock_start(&c, start);
    CHECK(srv_clock_due(&c) == start + 1000000000 / SRV_RATE);
    for (long i = 0; i < 3600L * SRV_RATE - 1; i++)
        srv_clock_done(&c);
    CHECK(srv_clock_due(&c) == start + hour);
    CHECK(srv_clock_skip(&c, start + hour) == 0);
    CHECK(srv_clock_skip(&c, start + hour + 200000000) == 0); /* 12 ticks: those are caught up with */
    CHECK(srv_clock_skip(&c, start + 2 * hour) == 3600 * SRV_RATE);
    CHECK(srv_clock_due(&c) == start + 2 * hour + 1000000000 / SRV_RATE);
}

static void chance_is_fair_and_repeats(void)
{
    struct srv_random a = {42}, b = {42};
    int seen[3] = {0};

    for (int i = 0; i < 3000; i++) {
        uint32_t v = srv_random_below(&a, 3);
        CHECK(v < 3);
        CHECK(v == srv_random_below(&b, 3));
        seen[v % 3]++;
    }
    for (int i = 0; i < 3; i++)
        CHECK(seen[i] > 900 && seen[i] < 1100);
    CHECK_INT(srv_random_below(&a, 1), 0);
}

/* A console that reads what is given here. */
static struct srv_console typed(const char *text, size_t n)
{
    int p[2];

    if (pipe(p) < 0 || write(p[1], text, n) != (ssize_t)n)
        abort();
    close(p[1]);
    return (struct srv_console){.in = p[0], .out = -1};
}

static void console_lines(void)
{
    static char text[3 * SRV_CONSOLE_LINE];
    char line[SRV_CONSOLE_LINE];
    struct dh_err e = {0};
    int n = snprintf(text, sizeof text, "one\ntwo\r\n");

    memset(text + n, 'x', SRV_CONSOLE_LINE + 100); /* a line that is too long, and its rest is no line */
    n += SRV_CONSOLE_LINE + 100;
    n += snprintf(text + n, sizeof text - (size_t)n, "quit\nthree\nfo");
    struct srv_console c = typed(text, (size_t)n);
    static const char *const want[] = {"one", "two", NULL, "three", NULL};
    for (int i = 0; i < 5; i++) {
        int got;
        while ((got = srv_console_line(&c, line, &e)) == 0 && !c.ended)
            CHECK_INT(srv_console_read(&c, &e), 0);
        CHECK_INT(got, want[i] ? 1 : -1);
        if (want[i])
            CHECK(strcmp(line, want[i]) == 0);
    }
    CHECK_INT(e.status, DH_INCOMPLETE); /* the last one was cut short */
    CHECK_INT(srv_console_line(&c, line, &e), 0);
    CHECK_INT((int)c.line, 5);
    close(c.in);
}

int main(void)
{
    T_RUN(a_tick_takes_its_own_input);
    T_RUN(a_starved_tick_holds_and_then_is_neutral);
    T_RUN(inputs_without_a_tick_queue_up);
    T_RUN(limits);
    T_RUN(ticks_do_not_drift);
    T_RUN(chance_is_fair_and_repeats);
    T_RUN(console_lines);
    return t_done();
}
