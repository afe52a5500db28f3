/* SPDX-License-Identifier: ISC */
/*
 * Deflate, RFC 1951: blocks of bits, least significant first. What was put out is the window that copies look back
 * into.
 *
 * A code's bits are looked up FAST at a time; the few codes that are longer are found by their length, as codes of one
 * length are consecutive numbers (3.2.2).
 */
#include <string.h>

#include "zip/zip.h"

enum { MAX_BITS = 15, FAST = 10, MAX_LITERALS = 288, MAX_DISTANCES = 30, LENGTH_CODES = 19 };

struct bits {
    const uint8_t *p, *end;
    uint64_t hold;
    int n;    /* of the bits in hold */
    bool bad; /* more was asked for than there is, or it made no sense */
};

/* A code, by its first bits and by its lengths. As numbers of MAX_BITS bits, most significant first, the codes of a
 * length end before limit[length]. */
struct code {
    uint16_t fast[1 << FAST];       /* symbol << 4 | length; 0: longer than FAST, or none */
    uint16_t symbols[MAX_LITERALS]; /* by length, then by number */
    uint32_t limit[MAX_BITS + 1];
    int32_t shift[MAX_BITS + 1]; /* from a code to its place in symbols */
};

struct output {
    uint8_t *p;
    size_t n, size;
};

/* ---- bits -------------------------------------------------------------------------------------------------------- */

/* At least 32 bits in hold, as far as there are: beyond the end come zeros, which count as bad once they are taken. */
static void fill(struct bits *b)
{
    while (b->n <= 56 && b->p < b->end) {
        b->hold |= (uint64_t)*b->p++ << b->n;
        b->n += 8;
    }
}

static void drop(struct bits *b, int n)
{
    if (n > b->n) {
        b->bad = true;
        n = b->n;
    }
    b->hold >>= n;
    b->n -= n;
}

static unsigned take(struct bits *b, int n)
{
    fill(b);
    unsigned v = (unsigned)b->hold & ((1u << n) - 1);
    drop(b, n);
    return v;
}

/* ---- codes ------------------------------------------------------------------------------------------------------- */

static unsigned reversed(unsigned v, int n)
{
    unsigned r = 0;
    for (int i = 0; i < n; i++)
        r |= (v >> i & 1) << (n - 1 - i);
    return r;
}

/* A code from the lengths of its symbols. false: over-full, or incomplete, which is allowed of a single code of one bit
 * (3.2.7). */
static bool make(struct code *c, const uint8_t *lengths, int n)
{
    int count[MAX_BITS + 1] = {0}, at[MAX_BITS + 1], symbols = 0;
    unsigned next[MAX_BITS + 1], code = 0; /* the numbers go on from length to length, a bit longer each time */

    memset(c, 0, sizeof *c);
    for (int i = 0; i < n; i++)
        count[lengths[i]]++;
    for (int len = 1; len <= MAX_BITS; len++) {
        code <<= 1;
        next[len] = code;
        at[len] = symbols;
        c->shift[len] = symbols - (int32_t)code;
        code += (unsigned)count[len];
        symbols += count[len];
        if (code > 1u << len)
            return false;
        c->limit[len] = code << (MAX_BITS - len);
    }
    if (code < 1u << MAX_BITS && symbols > 0 && !(symbols == 1 && count[1] == 1))
        return false;
    for (int i = 0; i < n; i++) {
        int len = lengths[i];
        if (len == 0)
            continue;
        unsigned bits = reversed(next[len]++, len);
        c->symbols[at[len]++] = (uint16_t)i;
        for (unsigned k = bits; len <= FAST && k < 1u << FAST; k += 1u << len)
            c->fast[k] = (uint16_t)(i << 4 | len);
    }
    return true;
}

static int slowly(struct bits *b, const struct code *c)
{
    unsigned v = reversed((unsigned)b->hold & ((1u << MAX_BITS) - 1), MAX_BITS);

    for (int len = FAST + 1; len <= MAX_BITS; len++)
        if (v < c->limit[len]) {
            drop(b, len);
            return c->symbols[(int32_t)(v >> (MAX_BITS - len)) + c->shift[len]];
        }
    b->bad = true;
    return 0;
}

static int symbol(struct bits *b, const struct code *c)
{
    fill(b);
    unsigned entry = c->fast[b->hold & ((1u << FAST) - 1)];
    if (entry == 0)
        return slowly(b, c);
    drop(b, (int)(entry & 15));
    return (int)(entry >> 4);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static bool copy(struct output *o, size_t distance, size_t length)
{
    if (distance > o->n || length > o->size - o->n)
        return false;
    for (const uint8_t *from = o->p + o->n - distance; length > 0; length--)
        o->p[o->n++] = *from++; /* one by one: what is copied may be part of what it makes */
    return true;
}

static bool packed(struct bits *b, const struct code *literals, const struct code *distances, struct output *o)
{
    /* 3.2.5 */
    static const uint16_t base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    enum { END = 256, LENGTHS = 257 };

    while (!b->bad) {
        unsigned s = (unsigned)symbol(b, literals);
        if (b->bad)
            return false;
        if (s == END)
            return true;
        if (s < END) {
            if (o->n == o->size)
                return false;
            o->p[o->n++] = (uint8_t)s;
            continue;
        }
        s -= LENGTHS;
        if (s >= sizeof base / sizeof base[0])
            return false;
        size_t length = base[s] + (size_t)take(b, extra[s]);
        int d = symbol(b, distances);
        if (d >= MAX_DISTANCES)
            return false;
        int more = d < 4 ? 0 : d / 2 - 1; /* the extra bits of a distance; two symbols have each number of them */
        size_t distance = d < 4 ? (size_t)d + 1 : ((size_t)(2 + (d & 1)) << more) + 1 + take(b, more);
        if (b->bad || !copy(o, distance, length))
            return false;
    }
    return false;
}

static bool stored(struct bits *b, struct output *o)
{
    drop(b, b->n & 7);
    unsigned n = take(b, 16), check = take(b, 16);

    b->p -= b->n / 8; /* whole bytes that were looked at too early */
    b->hold = 0;
    b->n = 0;
    if (b->bad || (n ^ check) != 0xffff || n > o->size - o->n || n > (size_t)(b->end - b->p))
        return false;
    if (n > 0)
        memcpy(o->p + o->n, b->p, n);
    b->p += n;
    o->n += n;
    return true;
}

/* 3.2.6 */
static bool with_fixed_codes(struct bits *b, struct output *o)
{
    uint8_t lengths[MAX_LITERALS];
    struct code literals, distances;

    for (int i = 0; i < MAX_LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make(&literals, lengths, MAX_LITERALS);
    memset(lengths, 5, 32);
    make(&distances, lengths, 32);
    return packed(b, &literals, &distances, o);
}

/* 3.2.7: the lengths of both codes, packed by a third. */
static bool with_own_codes(struct bits *b, struct output *o)
{
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    int nliterals = (int)take(b, 5) + 257, ndistances = (int)take(b, 5) + 1, n = (int)take(b, 4) + 4;
    uint8_t lengths[MAX_LITERALS + MAX_DISTANCES + 2] = {0};
    struct code code, distances;

    if (nliterals > 286 || ndistances > MAX_DISTANCES)
        return false;
    for (int i = 0; i < n; i++)
        lengths[order[i]] = (uint8_t)take(b, 3);
    if (!make(&code, lengths, LENGTH_CODES))
        return false;
    for (int i = 0; i < nliterals + ndistances && !b->bad;) {
        int s = symbol(b, &code), times = 1, value = s;
        if (s == 16) {
            if (i == 0)
                return false;
            value = lengths[i - 1];
            times = 3 + (int)take(b, 2);
        } else if (s > 16) {
            value = 0;
            times = s == 17 ? 3 + (int)take(b, 3) : 11 + (int)take(b, 7);
        }
        if (times > nliterals + ndistances - i)
            return false;
        memset(lengths + i, value, (size_t)times);
        i += times;
    }
    return !b->bad && make(&distances, lengths + nliterals, ndistances) && make(&code, lengths, nliterals) &&
           packed(b, &code, &distances, o);
}

bool zip_inflate(const uint8_t *p, size_t n, uint8_t *out, size_t size)
{
    struct bits b = {.p = p, .end = p + n};
    struct output o = {.p = out, .size = size};
    bool last = false, good = true;

    while (good && !last) {
        last = take(&b, 1);
        unsigned kind = take(&b, 2);
        good = !b.bad && (kind == 0   ? stored(&b, &o)
                          : kind == 1 ? with_fixed_codes(&b, &o)
                          : kind == 2 ? with_own_codes(&b, &o)
                                      : false);
    }
    return good && o.n == size;
}
