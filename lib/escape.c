/* SPDX-License-Identifier: ISC */
#include "escape.h"

#define LIBBSD_NETBSD_VIS /* which strnvis: none is used, but the header wants to be told */
#include <bsd/vis.h>
#include <string.h>

#include "bytes.h"

/* What vis leaves alone under our flags. */
static bool plain(char c)
{
    return c > ' ' && c < 0x7f && c != '\\' && c != ',' && c != '=';
}

void dh_text_escaped(struct dh_buf *out, const char *p, size_t n)
{
    enum { PIECE = 256 };
    const char *end = p + n;

    while (p < end) {
        const char *q = p;

        while (q < end && plain(*q))
            q++;
        dh_put_bytes(out, p, (size_t)(q - p));
        /* An octal escape depends on no neighbour, so pieces give what the whole would, in bounded memory. */
        for (p = q; q < end && q - p < PIECE && !plain(*q);)
            q++;
        char *to = q > p ? (char *)dh_buf_room(out, 4 * PIECE + 1) : NULL;
        if (to)
            out->n += (size_t)strsvisx(to, p, (size_t)(q - p), VIS_OCTAL | VIS_WHITE | VIS_NOLOCALE, ",=");
        p = q;
    }
}

bool dh_parse_escaped(struct dh_buf *out, const char *p, size_t n)
{
    const char *end = p + n;
    uint8_t *to = dh_buf_room(out, n ? n : 1); /* an escape is never shorter than what it stands for */

    if (!to)
        return true; /* out->failed tells */
    while (p < end) {
        if (*p != '\\') {
            *to++ = (uint8_t)*p++;
            continue;
        }
        int state = 0;
        char c = 0; /* unvis gathers an octal number in it */
        do {
            bool last = p == end;

            switch (unvis(&c, last ? '\0' : *p, &state, last ? UNVIS_END : 0)) {
            case UNVIS_VALIDPUSH: /* the character just looked at is the next one's */
                *to++ = (uint8_t)c;
                state = 0;
                break;
            case UNVIS_VALID:
                *to++ = (uint8_t)c;
                p += !last;
                state = 0;
                break;
            case UNVIS_NOCHAR: /* inside an escape, or at the end of one that stands for nothing */
                if (last && state != 0)
                    return false;
                p += !last;
                break;
            default:
                return false;
            }
        } while (state != 0);
    }
    out->n = (size_t)(to - out->p);
    return true;
}
