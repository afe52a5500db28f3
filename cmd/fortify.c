/* SPDX-License-Identifier: ISC */
/*
 * fortify.c - what the host's archives ask of glibc, for programs that are linked with musl by its wrapper.
 *
 * Debian builds its libraries with _FORTIFY_SOURCE: where libnettle.a calls fprintf, it asks for a function that glibc
 * alone has. That is where it says which processor it found, if NETTLE_FAT_VERBOSE is set. glibc's checks the format
 * besides where the flag is above 0; this one prints.
 */
#include <stdarg.h>
#include <stdio.h>

int __fprintf_chk(FILE *f, int flag, const char *format, ...) __attribute__((format(printf, 3, 4)));

int __fprintf_chk(FILE *f, int flag, const char *format, ...)
{
    va_list args;

    (void)flag;
    va_start(args, format);
    int n = vfprintf(f, format, args);
    va_end(args);
    return n;
}
