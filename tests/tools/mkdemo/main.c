/* SPDX-License-Identifier: ISC */
#include "mkdemo.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SEEDS = 256, MAX_PLANTS = 65536 };

void die(const char *fmt, ...)
{
    va_list ap;
    fputs("mkdemo: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(2);
}

static _Noreturn void usage(FILE *to, int status)
{
    fputs("usage: mkdemo [-s SEED[,SEED]...] [-t TICS] [-e EPISODE] [-m MAP] [-k SKILL] [-p PLAYERS] [-d 0|1|2] [-f] "
          "[-r] [-n] > demo\n"
          "       mkdemo --plant TIC[,TIC]... [--idle] < demo > demo\n"
          "  -s  what the players do; of several seeds, each governs an equal share of the tics (default: 1)\n"
          "  -t  length (2100)    -e, -m  where (1, 1)    -k  skill 1 to 5 (4)    -p  players, 1 to 4 (1)\n"
          "  -d  deathmatch 1 or 2    -f  fast monsters    -r  monsters come back    -n  no monsters\n"
          "  --plant  press player 1's save button at these tics (from 0) and name them on standard error\n"
          "  --idle   each at the next tic at which no button is pressed\n",
          to);
    exit(status);
}

static long number(const char *s, long lo, long hi)
{
    char *end;
    long v = strtol(s, &end, 10);
    if (end == s || *end || v < lo || v > hi)
        die("'%s' is not a number from %ld to %ld", s, lo, hi);
    return v;
}

static int list(char *s, long *v, int max)
{
    int n = 0;
    for (char *t = strtok(s, ","); t; t = strtok(NULL, ",")) {
        if (n == max)
            die("more than %d numbers in the list", max);
        v[n++] = number(t, 0, 0x7fffffff);
    }
    if (!n)
        die("an empty list");
    return n;
}

struct plan {
    long seeds[MAX_SEEDS], tics;
    int nseeds, players;
    uint8_t header[PRESENCE];
};

static void make(const struct plan *p)
{
    struct walker walkers[SLOTS] = {0};
    uint8_t command[COMMAND];
    long part = -1;
    fwrite(p->header, 1, PRESENCE, stdout);
    for (int i = 0; i < SLOTS; i++)
        putchar(i < p->players ? 1 : 0);
    for (long t = 0; t < p->tics; t++) {
        if (t * p->nseeds / p->tics != part) {
            part = t * p->nseeds / p->tics;
            for (int i = 0; i < p->players; i++)
                walker_start(&walkers[i], (uint64_t)p->seeds[part], i);
        }
        for (int i = 0; i < p->players; i++) {
            walker_next(&walkers[i], command);
            fwrite(command, 1, sizeof command, stdout);
        }
    }
    putchar(END_MARKER);
}

int main(int argc, char **argv)
{
    enum { VERSION, SKILL, EPISODE, MAP, MODE, RESPAWN, FAST, NO_MONSTERS };
    enum { PLANT = 256, IDLE };
    static const struct option words[] = {
        {"plant", required_argument, NULL, PLANT}, {"idle", no_argument, NULL, IDLE}, {NULL, 0, NULL, 0}};
    static long plants[MAX_PLANTS];
    static struct plan p = {.seeds = {1}, .nseeds = 1, .tics = 2100, .players = 1, .header = {LAST_VERSION, 3, 1, 1}};
    int c, nplants = 0;
    bool idle = false;
    while ((c = getopt_long(argc, argv, "s:t:e:m:k:p:d:frnh", words, NULL)) != -1) {
        switch (c) {
        case 's':
            p.nseeds = list(optarg, p.seeds, MAX_SEEDS);
            break;
        case 't':
            p.tics = number(optarg, 0, 10000000);
            break;
        case 'e':
            p.header[EPISODE] = (uint8_t)number(optarg, 1, 4);
            break;
        case 'm':
            p.header[MAP] = (uint8_t)number(optarg, 1, 99);
            break;
        case 'k':
            p.header[SKILL] = (uint8_t)(number(optarg, 1, 5) - 1);
            break;
        case 'p':
            p.players = (int)number(optarg, 1, SLOTS);
            break;
        case 'd':
            p.header[MODE] = (uint8_t)number(optarg, 0, 2);
            break;
        case 'f':
            p.header[FAST] = 1;
            break;
        case 'r':
            p.header[RESPAWN] = 1;
            break;
        case 'n':
            p.header[NO_MONSTERS] = 1;
            break;
        case PLANT:
            nplants = list(optarg, plants, MAX_PLANTS);
            break;
        case IDLE:
            idle = true;
            break;
        case 'h':
            usage(stdout, 0);
        default:
            usage(stderr, 2);
        }
    }
    if (optind != argc)
        usage(stderr, 2);
    if (nplants)
        plant(plants, nplants, idle);
    else
        make(&p);
    if (fflush(stdout) || ferror(stdout))
        die("standard output: write error");
    return 0;
}
