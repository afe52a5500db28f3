/* SPDX-License-Identifier: ISC */
#include "savelines.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void die(const char *fmt, ...)
{
    va_list ap;
    fputs("savelines: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(2);
}

void *allocate(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        die("out of memory");
    return p;
}

static _Noreturn void usage(FILE *to, int status)
{
    fputs("usage: savelines --wad WAD [--wad WAD]... SAVEGAME\n"
          "       dhsim -b --every 1 ... | savelines --wad WAD [--wad WAD]... --stream TICK[,TICK]... [-o FOLDER]\n"
          "One line each for the level, its sectors, lines and sides, the players, mobjs and active specials, of a "
          "savegame of\n"
          "chocolate-doom or of the snapshot at TICK. -o: into FOLDER/TICK. Ticks ascend; WADs in load order.\n",
          to);
    exit(status);
}

int main(int argc, char **argv)
{
    enum { WAD = 256, STREAM, MAX_TICKS = 65536 };
    static const struct option words[] = {
        {"wad", required_argument, NULL, WAD}, {"stream", required_argument, NULL, STREAM}, {NULL, 0, NULL, 0}};
    static long ticks[MAX_TICKS];
    const char *folder = NULL;
    int c, n = 0, wads = 0;
    while ((c = getopt_long(argc, argv, "o:h", words, NULL)) != -1) {
        switch (c) {
        case WAD:
            wad_add(optarg);
            wads++;
            break;
        case STREAM:
            for (char *t = strtok(optarg, ","); t && n < MAX_TICKS; t = strtok(NULL, ","))
                ticks[n++] = strtol(t, NULL, 10);
            break;
        case 'o':
            folder = optarg;
            break;
        case 'h':
            usage(stdout, 0);
        default:
            usage(stderr, 2);
        }
    }
    if (!wads || (n ? optind != argc : optind + 1 != argc))
        usage(stderr, 2);
    if (n)
        stream_print(ticks, n, folder);
    else
        save_print(argv[optind]);
    if (fflush(stdout) || ferror(stdout))
        die("write error");
    return 0;
}
