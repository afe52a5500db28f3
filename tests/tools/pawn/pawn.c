/* SPDX-License-Identifier: ISC */
/*
 * pawn: a player on a server's socket, in real time.
 *
 *   pawn SOCKET NAME TICKS MODE...
 *
 * Connects (waiting some seconds for the socket), joins, and plays each mode for TICKS of the server's ticks:
 *
 *   steady   an input for each tick, as soon as the server tells of it
 *   starve   not a word
 *   flood    for each tick some fifty lines: duplicates, ticks long gone and far ahead, lines that are none
 *   deaf     inputs, but what the server says is not read (for TICKS sixtieths of a second)
 *   say      one say line, then as steady
 *
 * Then it leaves. What the server says, but for ticks and errors, goes to standard output.
 *
 *   pawn SOCKET -
 *
 * Sends standard input as it is, and copies what comes back.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int server;
static char heard[65536];
static size_t nheard;

_Noreturn static void die(const char *what)
{
    fprintf(stderr, "pawn: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void nap(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

static void reach(const char *path)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};

    strncpy(a.sun_path, path, sizeof a.sun_path - 1);
    for (int i = 0; i < 500; i++) {
        server = socket(AF_UNIX, SOCK_STREAM, 0);
        if (server >= 0 && connect(server, (struct sockaddr *)&a, sizeof a) == 0)
            return;
        close(server);
        nap(10000000);
    }
    die(path);
}

static void tell(const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    /* Who floods finds the server's end full: what does not go at once is not worth waiting for. */
    if (send(server, text, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN)
        die("send");
}

/* The next line of the server, without its end; NULL: it closed. */
static const char *next(void)
{
    static char line[4096];
    char *end;

    while (!(end = memchr(heard, '\n', nheard))) {
        ssize_t n = recv(server, heard + nheard, sizeof heard - nheard, 0);
        if (n <= 0)
            return NULL;
        nheard += (size_t)n;
    }
    size_t n = (size_t)(end - heard);
    snprintf(line, sizeof line, "%.*s", (int)n, heard);
    memmove(heard, end + 1, nheard -= n + 1);
    return line;
}

/* The tick that the server is about to run. */
static bool hear_tick(unsigned *tick)
{
    for (const char *line; (line = next());) {
        if (sscanf(line, "tick %u", tick) == 1)
            return true;
        if (strncmp(line, "error ", 6) != 0)
            puts(line);
    }
    return false;
}

static void input(unsigned tick, unsigned n)
{
    static const char *const buttons[] = {"", " buttons=jump", " buttons=sprint", " buttons=crouch,use"};
    unsigned turn = tick / 7 * 37 % 200; /* never the same for long, and no two pawns alike */

    tell("input %u move=%d,1,0 yaw=%.2f%s\n", tick, (int)(tick / 30 % 3) - 1, (turn + n) % 200 * 0.0314 - 3.14,
         buttons[(tick / 20 + n) % 4]);
}

static void flood(unsigned tick, unsigned n)
{
    for (unsigned i = 0; i < 10; i++) {
        input(tick, n);
        input(tick, n + i);
        input(tick > 100 ? tick - i : 0, n);
        input(tick + 20 + i * 7, n);
        tell(i % 3 ? "nonsense and more of it\n" : "map somewhere\n");
    }
}

static void deaf(long ticks, unsigned n)
{
    for (long i = 0; i < ticks; i++) {
        tell("input move=0,1,0 yaw=%u\n", n);
        nap(1000000000 / 60);
    }
}

static void play(const char *mode, long ticks, unsigned n)
{
    unsigned tick;

    if (strcmp(mode, "deaf") == 0) {
        deaf(ticks, n);
        return;
    }
    if (strcmp(mode, "say") == 0)
        tell("say text=hello\\040there\n");
    for (long i = 0; i < ticks; i++) {
        if (!hear_tick(&tick))
            exit(1);
        if (strcmp(mode, "flood") == 0)
            flood(tick, n);
        else if (strcmp(mode, "starve") != 0)
            input(tick, n);
    }
}

/* Standard input as it is, then whatever comes back. */
static int pass_on(void)
{
    char text[4096];
    ssize_t n;

    while ((n = read(STDIN_FILENO, text, sizeof text)) > 0)
        if (send(server, text, (size_t)n, MSG_NOSIGNAL) != n)
            break; /* the server has heard enough */
    shutdown(server, SHUT_WR);
    while ((n = recv(server, text, sizeof text, 0)) > 0)
        fwrite(text, 1, (size_t)n, stdout);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned n = 0;

    if (argc == 3 && strcmp(argv[2], "-") == 0) {
        reach(argv[1]);
        return pass_on();
    }

    if (argc < 4) {
        fputs("usage: pawn SOCKET NAME TICKS MODE...\n", stderr);
        return 2;
    }
    for (const char *p = argv[2]; *p; p++)
        n = n * 31 + (unsigned char)*p;
    reach(argv[1]);
    tell("join name=%s every=1\n", argv[2]);
    for (int i = 4; i < argc; i++)
        play(argv[i], atol(argv[3]), n);
    tell("leave\n");
    for (const char *line; (line = next());)
        if (strncmp(line, "tick ", 5) != 0 && strncmp(line, "error ", 6) != 0)
            puts(line);
    return 0;
}
