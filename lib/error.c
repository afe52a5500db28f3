/* SPDX-License-Identifier: ISC */
#include "dh.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

int dh_worse(int a, int b)
{
    static const int rank[] = {[DH_OK] = 0, [DH_INCOMPLETE] = 1, [DH_DIVERGED] = 2, [DH_TROUBLE] = 3};

    return rank[a & 3] >= rank[b & 3] ? a : b;
}

int dh_fail(struct dh_err *e, int status, const char *fmt, ...)
{
    va_list ap;

    if (!e)
        return -1;
    e->status = status;
    e->tick = -1;
    e->offset = DH_NOWHERE;
    e->line = 0;
    va_start(ap, fmt);
    vsnprintf(e->msg, sizeof e->msg, fmt, ap);
    va_end(ap);
    return -1;
}

void dh_err_format(const struct dh_err *e, char *buf, size_t n)
{
    char tick[40] = "", place[40] = "";

    if (e->tick >= 0)
        snprintf(tick, sizeof tick, "tick %" PRId64, e->tick);
    if (e->line)
        snprintf(place, sizeof place, "line %" PRIu64, e->line);
    else if (e->offset != DH_NOWHERE)
        snprintf(place, sizeof place, "byte %" PRIu64, e->offset);
    snprintf(buf, n, "%s%s%s%s%s", e->msg, tick[0] || place[0] ? ": " : "", tick, tick[0] && place[0] ? ", " : "",
             place);
}
