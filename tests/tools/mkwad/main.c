/* SPDX-License-Identifier: ISC */
#include "mkwad.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void die(const char *fmt, ...)
{
    va_list ap;

    fputs("mkwad: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(2);
}

void *list_grow(void **v, int *n, int *max, size_t size)
{
    if (*n == *max) {
        *max = *max ? *max * 2 : 64;
        *v = realloc(*v, (size_t)*max * size);
        if (!*v)
            die("out of memory");
    }
    char *slot = (char *)*v + (size_t)(*n)++ * size;
    return memset(slot, 0, size);
}

bool name_equal(const char *a, const char *b)
{
    while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b))
        a++, b++;
    return toupper((unsigned char)*a) == toupper((unsigned char)*b);
}

static _Noreturn void usage(FILE *to, int status)
{
    fputs("usage: mkwad [-i | -p] [-m] [-t] out.wad file.map ...\n"
          "  -i  an IWAD (default)    -p  a PWAD\n"
          "  -m  the maps only: no textures, no flats\n"
          "  -t  test the node trees on random points; out.wad is `-` to write nothing\n",
          to);
    exit(status);
}

int main(int argc, char **argv)
{
    static struct source src; /* all that was read is kept to the end of the program */
    bool iwad = true, maps_only = false, test = false;
    int c;

    while ((c = getopt(argc, argv, "ipmth")) != -1) {
        switch (c) {
        case 'i':
            iwad = true;
            break;
        case 'p':
            iwad = false;
            break;
        case 'm':
            maps_only = true;
            break;
        case 't':
            test = true;
            break;
        case 'h':
            usage(stdout, 0);
        default:
            usage(stderr, 2);
        }
    }
    if (argc - optind < 2)
        usage(stderr, 2);
    const char *out = argv[optind++];
    while (optind < argc)
        source_read(&src, argv[optind++]);
    for (int i = 0; i < src.maps.n; i++) {
        geometry_build(&src.maps.v[i]);
        nodes_build(&src.maps.v[i]);
        blockmap_build(&src.maps.v[i]);
    }
    bool good = true;
    if (test) {
        for (int i = 0; i < src.maps.n; i++)
            good = selftest(&src.maps.v[i]) && good;
    }
    if (strcmp(out, "-") != 0)
        wad_write(&src, out, iwad, maps_only);
    if (fflush(stdout) || ferror(stdout))
        die("standard output: write error");
    return good ? 0 : 1;
}
