/* SPDX-License-Identifier: ISC */
/* Deflate, RFC 1951, by zlib. */
#include <limits.h>
#include <zlib.h>

#include "zip/zip.h"

bool zip_inflate(const uint8_t *p, size_t n, uint8_t *out, size_t size)
{
    uint8_t none = 0; /* zlib wants a place, also for nothing */
    z_stream z = {.next_in = (z_const Bytef *)p, .next_out = size ? out : &none};

    if (n > UINT_MAX || size > UINT_MAX || inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return false;
    z.avail_in = (uInt)n;
    z.avail_out = (uInt)size;
    const bool ended = inflate(&z, Z_FINISH) == Z_STREAM_END;
    const bool all = ended && z.total_out == size;
    inflateEnd(&z);
    return all;
}
