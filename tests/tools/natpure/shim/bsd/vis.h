/* SPDX-License-Identifier: ISC */
/* For machines without libbsd: names that need no escapes pass as they are, others are refused. */
#ifndef SHIM_VIS_H
#define SHIM_VIS_H

#include <string.h>

#define VIS_OCTAL 1
#define VIS_WHITE 2
#define VIS_NOLOCALE 4
#define UNVIS_VALID 1
#define UNVIS_VALIDPUSH 2
#define UNVIS_NOCHAR 3
#define UNVIS_SYNBAD -1
#define UNVIS_ERROR -2
#define UNVIS_END 1

static inline int strsvisx(char *to, const char *from, size_t n, int flags, const char *extra)
{
    (void)flags;
    (void)extra;
    memcpy(to, from, n);
    to[n] = '\0';
    return (int)n;
}

static inline int unvis(char *to, char c, int *state, int flags)
{
    (void)state;
    *to = c;
    return flags == UNVIS_END ? UNVIS_NOCHAR : c == '\\' ? UNVIS_SYNBAD : UNVIS_VALID;
}

#endif
