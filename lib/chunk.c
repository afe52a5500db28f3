/* SPDX-License-Identifier: ISC */
#include "chunk.h"

#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "record.h"
#include "text.h"

void dh_chunk_magic(struct dh_buf *out)
{
    dh_put_bytes(out, DH_MAGIC, 4);
    dh_put_u32(out, DH_FORMAT_VERSION);
}

void dh_chunk_head(struct dh_buf *out, uint8_t kind, uint32_t n)
{
    dh_put_u8(out, kind);
    dh_put_u32(out, n);
}

int dh_chunk_length(const uint8_t *head, uint32_t *n, struct dh_err *e)
{
    uint32_t cap = dh_payload_cap(head[0]);
    const char *name = dh_kind_name(head[0]);

    *n = dh_load32(head + 1);
    if (*n > INT32_MAX)
        return dh_fail(e, DH_TROUBLE, "chunk of kind %d (%s): negative length %ld", head[0], name,
                       (long)*n - (1L << 16 << 16));
    if (*n > cap)
        return dh_fail(e, DH_TROUBLE, "chunk of kind %d (%s): expected at most %lu bytes, found a length of %lu",
                       head[0], name, (unsigned long)cap, (unsigned long)*n);
    return 0;
}

/* ---- what else it could be --------------------------------------------------------------------------------------- */

static const struct {
    uint8_t n;
    char magic[8];
    const char *what;
} known[] = {
    {4, "IWAD", "a WAD (lmp2dh reads its demo lumps: WAD:LUMP)"},
    {4, "PWAD", "a WAD (lmp2dh reads its demo lumps: WAD:LUMP)"},
    {4, "DEM\x1a", "a Blood demo (dem2dh reads those)"},
    {4, "EDM\x1a", "a demo of NBlood's own format"},
    {2, "\x1f\x8b", "gzip (gzip -dc)"},
    {4, "PK\3\4", "a zip archive (unzip -p)"},
    {4, "\x28\xb5\x2f\xfd", "zstd (zstd -dc)"},
    {6,
     "\xfd"
     "7zXZ",
     "xz (xz -dc)"},
    {3, "BZh", "bzip2 (bzip2 -dc)"},
    {6, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
    {4,
     "\x7f"
     "ELF",
     "a program"},
    {3, "\xef\xbb\xbf", "text with a byte order mark in front (take it away)"},
    {2, "\xff\xfe", "UTF-16 text (a shell that re-encodes what it redirects?)"},
    {2, "\xfe\xff", "UTF-16 text (a shell that re-encodes what it redirects?)"},
};

/* The version byte of a Doom demo, old style (skill, episode, map) or new. */
static bool like_lmp(const uint8_t *p, size_t n)
{
    if (n < 13)
        return false;
    return (p[0] >= 104 && p[0] <= 111 && p[1] <= 4) || (p[0] >= 200 && p[0] <= 221) || p[0] == 255 ||
           (p[0] <= 4 && p[1] >= 1 && p[1] <= 4 && p[2] >= 1 && p[2] <= 9);
}

static void describe(const uint8_t *p, size_t n, struct dh_err *e)
{
    static const char want[] = "not a demo stream: expected DHDM or dhdm 1";
    char shown[3 * DH_SNIFF + 1] = "";
    bool printable = true;
    int len = 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (n >= known[i].n && memcmp(p, known[i].magic, known[i].n) == 0) {
            dh_fail(e, DH_TROUBLE, "%s, found %s", want, known[i].what);
            return;
        }
    for (size_t i = 0; i < n && i < 8; i++)
        printable &= p[i] >= ' ' && p[i] < 0x7f;
    if (!printable && like_lmp(p, n)) {
        dh_fail(e, DH_TROUBLE, "%s, found what looks like a Doom demo of version %d (lmp2dh reads those)", want, p[0]);
        return;
    }
    for (size_t i = 0; i < n && i < 8; i++)
        len += printable ? snprintf(shown + len, sizeof shown - (size_t)len, "%c", p[i])
                         : snprintf(shown + len, sizeof shown - (size_t)len, "%s%02x", i ? " " : "", p[i]);
    dh_fail(e, DH_TROUBLE, printable ? "%s, found '%s'" : "%s, found bytes %s", want, shown);
}

enum dh_sniffed dh_sniff(const uint8_t *p, size_t n, struct dh_err *e)
{
    size_t m = n < 4 ? n : 4, t = n < 5 ? n : 5;

    if (memcmp(p, DH_MAGIC, m) == 0)
        return n < 4 ? DH_SNIFFED_SHORT : DH_SNIFFED_BINARY;
    if (memcmp(p, DH_TEXT_MAGIC, t) == 0)
        return n < 5 ? DH_SNIFFED_SHORT : DH_SNIFFED_TEXT;
    describe(p, n, e);
    return DH_SNIFFED_OTHER;
}
