/* SPDX-License-Identifier: ISC */
/*
 * Whole streams: the sample of the man pages cut at every byte, with every byte damaged, and streams written for one
 * rule each. Takes the sample files from the folder DATA of the environment, else tests/data.
 */
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "schema.h"

/* ---- files in memory --------------------------------------------------------------------------------------------- */

static int scratch_file(void)
{
    FILE *f = tmpfile();

    return f ? fileno(f) : -1; /* left open until the program ends: there are a handful */
}

static void fill(int fd, const void *p, size_t n)
{
    if (ftruncate(fd, 0) < 0 || pwrite(fd, p, n, 0) != (ssize_t)n || lseek(fd, 0, SEEK_SET) < 0)
        abort();
}

static void load(int fd, struct dh_buf *b)
{
    struct stat st;

    dh_buf_clear(b);
    if (fstat(fd, &st) < 0)
        abort();
    uint8_t *to = dh_buf_room(b, (size_t)st.st_size + 1);
    if (!to || pread(fd, to, (size_t)st.st_size, 0) != st.st_size)
        abort();
    b->n = (size_t)st.st_size;
    to[b->n] = 0;
}

static void load_sample(const char *name, struct dh_buf *b)
{
    const char *folder = getenv("DATA");
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/data", name);
    FILE *f = fopen(path, "rb");
    if (!CHECK(f != NULL))
        exit(1);
    load(fileno(f), b);
    fclose(f);
}

/* ---- copying ----------------------------------------------------------------------------------------------------- */

static int in_fd, out_fd;
static struct dh_err last; /* of the copy, where it failed */
static int records;        /* passed on by the copy */

/* All streams of the n bytes at p, in an encoding, to out. The status, as dhcat would have it. */
static int copy(const void *p, size_t n, enum dh_encoding enc, struct dh_buf *out)
{
    struct dh_reader *r = dh_reader_new(in_fd);
    struct dh_writer *w = dh_writer_new(out_fd, enc, false);
    const struct dh_record *rec;
    int got, status = 0;

    fill(in_fd, p, n);
    fill(out_fd, "", 0);
    records = 0;
    while ((got = dh_reader_stream(r)) > 0) {
        CHECK_INT(dh_writer_stream(w), 0);
        while ((got = dh_read(r, &rec)) > 0) {
            CHECK_INT(dh_write(w, rec), 0);
            records++;
        }
        if (got < 0) {
            last = *dh_reader_error(r);
            status = dh_worse(status, last.status);
        }
    }
    if (got < 0) {
        last = *dh_reader_error(r);
        status = dh_worse(status, last.status);
    }
    CHECK_INT(dh_writer_free(w, NULL), 0);
    dh_reader_free(r);
    if (out)
        load(out_fd, out);
    return status;
}

static int copy_text(const char *s, struct dh_buf *out)
{
    return copy(s, strlen(s), DH_TEXT, out);
}

static struct dh_buf binary, text, a, b;

static bool is(const struct dh_buf *got, const struct dh_buf *want)
{
    return CHECK_INT(got->n, want->n) && CHECK_MEM(got->p, want->p, want->n);
}

static void the_sample_is_the_same_in_both(void)
{
    CHECK_INT(copy(binary.p, binary.n, DH_TEXT, &a), 0);
    is(&a, &text);
    CHECK_INT(copy(text.p, text.n, DH_BINARY, &a), 0);
    is(&a, &binary);
    CHECK_INT(copy(binary.p, binary.n, DH_BINARY, &a), 0);
    is(&a, &binary);
    CHECK_INT(copy(text.p, text.n, DH_TEXT, &a), 0);
    is(&a, &text);
}

/* Where each record of the input ends, by reading it whole. */
static int ends(const struct dh_buf *in, size_t *end, int max)
{
    struct dh_reader *r = dh_reader_new(in_fd);
    const struct dh_record *rec;
    int n = 0;

    fill(in_fd, in->p, in->n);
    CHECK_INT(dh_reader_stream(r), 1);
    for (; dh_read(r, &rec) > 0 && n < max; n++)
        if (n)
            end[n - 1] = (size_t)rec->offset;
    end[n - 1] = in->n;
    CHECK_INT(dh_reader_stream(r), 0);
    dh_reader_free(r);
    return n;
}

static void every_prefix_gives_its_whole_records(const struct dh_buf *in)
{
    size_t end[64], out_end[64];
    int n = ends(in, end, 64), whole = 0;

    ends(&binary, out_end, 64);
    for (size_t cut = 0; cut < in->n; cut++) {
        while (end[whole] <= cut)
            whole++;
        CHECK_INT(copy(in->p, cut, DH_BINARY, &a), DH_INCOMPLETE);
        CHECK_INT(records, whole);
        if (whole)
            CHECK_INT(a.n, out_end[whole - 1]);
        if (!CHECK_MEM(a.p, binary.p, a.n)) {
            printf("# cut at byte %zu\n", cut);
            return;
        }
    }
    CHECK_INT(whole, n - 1);
}

static void every_binary_prefix(void)
{
    every_prefix_gives_its_whole_records(&binary);
}

static void every_text_prefix(void)
{
    every_prefix_gives_its_whole_records(&text);
}

/* Damage is either told, or it made another valid stream: then that one comes back as it is. */
static void every_damaged_byte_of_the_binary(void)
{
    static const uint8_t flips[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff};
    struct dh_buf bad = {0};
    int told = 0, valid = 0;

    dh_put_bytes(&bad, binary.p, binary.n);
    for (size_t i = 0; i < bad.n; i++)
        for (size_t k = 0; k < sizeof flips; k++) {
            bad.p[i] ^= flips[k];
            int status = copy(bad.p, bad.n, DH_TEXT, &a);

            if (status == 0) {
                valid++;
                CHECK_INT(copy(a.p, a.n, DH_BINARY, &b), 0);
                is(&b, &bad);
            } else {
                told++;
                CHECK(status == 1 || status == 2);
            }
            bad.p[i] ^= flips[k];
        }
    CHECK(told > 500 && valid > 500); /* or the test says little */
    dh_buf_free(&bad);
}

/* Text says one thing in several ways, so what comes back is the canonical form: and that is stable. */
static void every_damaged_byte_of_the_text(void)
{
    static const uint8_t flips[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80};
    struct dh_buf bad = {0}, canonical = {0};

    dh_put_bytes(&bad, text.p, text.n);
    for (size_t i = 0; i < bad.n; i++)
        for (size_t k = 0; k < sizeof flips; k++) {
            bad.p[i] ^= flips[k];
            int status = copy(bad.p, bad.n, DH_BINARY, &a);

            if (status == 0) {
                CHECK_INT(copy(a.p, a.n, DH_TEXT, &canonical), 0);
                CHECK_INT(copy(canonical.p, canonical.n, DH_BINARY, &b), 0);
                is(&b, &a);
            } else
                CHECK(status == 1 || status == 2);
            bad.p[i] ^= flips[k];
        }
    dh_buf_free(&bad);
    dh_buf_free(&canonical);
}

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

static void chunk(struct dh_buf *out, uint8_t kind, const void *p, size_t n)
{
    dh_put_u8(out, kind);
    dh_put_u32(out, (uint32_t)n);
    dh_put_bytes(out, p, n);
}

static void lengths_are_checked_before_memory_is_asked_for(void)
{
    static const struct {
        uint8_t kind;
        uint32_t length;
        int status;
    } cases[] = {
        {DH_LOG, 0xffffffff, 2},     {DH_LOG, 0x80000000, 2},
        {DH_LOG, (16 << 20) + 1, 2}, {DH_LOG, 16 << 20, 1},
        {77, 0x7fffffff, 2},         {DH_CHECKPOINT, 256 << 20, 1},
        {DH_SNAPSHOT, 256 << 20, 1}, {DH_CHECKPOINT, (256 << 20) + 1, 2},
        {DH_END, 0xfffffffe, 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dh_buf in = {0};

        dh_put_bytes(&in, binary.p, 8);
        dh_put_u8(&in, cases[i].kind);
        dh_put_u32(&in, cases[i].length);
        dh_put_u32(&in, 0);
        CHECK_INT(copy(in.p, in.n, DH_TEXT, NULL), cases[i].status);
        CHECK_INT(last.offset, 8);
        CHECK_INT(last.line, 0);
        dh_buf_free(&in);
    }
}

/* A payload in a stream by itself, after the sample's schemas and header: what becomes of it. */
static int alone(uint8_t kind, const struct dh_buf *payload, struct dh_buf *printed)
{
    size_t end[64];
    struct dh_buf in = {0};
    int status;

    ends(&binary, end, 64);
    dh_put_bytes(&in, binary.p, end[6]); /* six schemas, a header */
    chunk(&in, kind, payload->p, payload->n);
    chunk(&in, DH_END, "\3\0\0\0\0", 5);
    status = copy(in.p, in.n, DH_TEXT, &a);
    if (status == 0) { /* the record's lines alone: between the header's and end's */
        const char *line = strstr((char *)a.p, "\nheader ");
        const char *first = strchr(line + 1, '\n') + 1;

        dh_buf_clear(printed);
        dh_put_bytes(printed, first, (size_t)(strstr(first, "end 3 ") - first));
        dh_put_u8(printed, 0);
        CHECK_INT(copy(a.p, a.n, DH_BINARY, &b), 0);
        is(&b, &in);
    }
    dh_buf_free(&in);
    return status;
}

static struct dh_buf p, printed;

static struct dh_buf *hex(const char *digits)
{
    dh_buf_clear(&p);
    for (; *digits; digits += *digits == ' ' ? 1 : 2)
        if (*digits != ' ') {
            char two[3] = {digits[0], digits[1], 0};

            dh_put_u8(&p, (uint8_t)strtoul(two, NULL, 16));
        }
    return &p;
}

#define PRINTS(kind, digits, want)                        \
    do {                                                  \
        CHECK_INT(alone(kind, hex(digits), &printed), 0); \
        CHECK_STR((char *)printed.p, want "\n");          \
    } while (0)

static void what_is_not_canonical_is_raw(void)
{
    PRINTS(DH_LEAVE, "01000000 0500", "leave 1 5");
    PRINTS(DH_LEAVE, "01000000 0500 00", "raw kind=3 hex=0x01000000050000"); /* a byte more */
    PRINTS(DH_LOG, "01000000 0161 0162", "log 1 a text=b");
    PRINTS(DH_LOG, "01000000 0161 8100 62", "raw kind=10 hex=0x010000000161810062"); /* overlong length */
    PRINTS(DH_LOG, "01000000 00 0162", "raw kind=10 hex=0x01000000000162");          /* no topic */
    PRINTS(DH_ORIGIN, "00 ff", "origin part=head hex=0xff");
    PRINTS(DH_ORIGIN, "02 ff", "origin part=2 hex=0xff");
    PRINTS(DH_ORIGIN, "00", "raw kind=7 hex=0x00"); /* no bytes */
    PRINTS(DH_EVENT, "01000000 0161 ffff 02 0162 0163 0164 00", "event 1 a b=c d=");
    PRINTS(DH_EVENT, "01000000 0161 0700 00", "event 1 a 7");
    PRINTS(DH_EVENT, "01000000 0161 ffff 02 0162 0163 0162 00",
           "raw kind=8 hex=0x010000000161ffff020162016301620"
           "0"); /* a key twice */
    PRINTS(DH_EVENT, "01000000 0161 ffff 01 00 0163",
           "raw kind=8 hex=0x010000000161ffff01000163");                      /* a key of nothing */
    PRINTS(DH_CHECKPOINT, "01000000 02 07", "raw kind=5 hex=0x010000000207"); /* a form that nobody knows */
    PRINTS(DH_CHECKPOINT, "01000000 00 07 00000000", "checkpoint 1 - entities=0 digest=0xca358758f6d27e6c rng=7");
    PRINTS(DH_SNAPSHOT, "01000000 01 07 01000000 0200000000000000 01 01 01000000 0300000000000000",
           "snapshot 1 digest entities=1 digest=0x0000000000000002 rng=7 digest.Gate=1:0x0000000000000003");
    /* digests out of the types' order */
    PRINTS(DH_SNAPSHOT,
           "01000000 01 07 01000000 0200000000000000 02 01 01000000 0300000000000000 00 01000000 0300000000000000",
           "raw kind=6 hex=0x01000000010701000000020000000000000002010100000003000000000000000001000000"
           "0300000000000000");
    PRINTS(255, "", "raw kind=255 hex=");
    PRINTS(12, "00", "raw kind=12 hex=0x00");
}

static void what_is_short_is_corrupt(void)
{
    static const struct {
        uint8_t kind;
        const char *digits;
    } cases[] = {
        {DH_LEAVE, "01000000 05"},
        {DH_LEAVE, ""},
        {DH_LOG, "01000000 0161 0262"},
        {DH_INPUT, "01000000 0000 07"},
        {DH_EVENT, "01000000 0161 ffff 02 0162 0163"},
        {DH_EVENT, "01000000 0161 ffff ffffffff0f 0162 0163"},
        {DH_CHECKPOINT, "01000000 00 07 01000000 01 02 000000"},
        {DH_CHECKPOINT, "01000000 00 07 ffffffff"},
        {DH_CHECKPOINT, "01000000 00 07 01000000 02 02 00000000"}, /* a type that there is not */
        {DH_CHECKPOINT, "01000000 00 07 01000000 00 02 00000000 00000000 00000000 03 01"}, /* a reference to such */
        {DH_CHECKPOINT, "01000000 01 07 01000000 0200000000000000 01 02 01000000 0300000000000000"},
        {DH_RESOURCE, "0161"},
        {DH_ORIGIN, ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!CHECK_INT(alone(cases[i].kind, hex(cases[i].digits), &printed), 2))
            printf("# kind %d: %s\n", cases[i].kind, cases[i].digits);
}

/* A schema decides how the rest is read, so one that is not canonical is refused, not kept. */
static void schemas_are_canonical_or_refused(void)
{
    static const char *const bad[] = {
        "00 00",                                                              /* no subject */
        "01 0161",                                                            /* no fields' count */
        "01 8100 61 00",                                                      /* overlong */
        "01 0161 01 0162 00",                                                 /* type 0 */
        "01 0161 01 0162 63",                                                 /* type 99 */
        "01 0161 02 0162 01 0162 01",                                         /* a field twice */
        "01 0161 01 0131 01",                                                 /* a name that begins with a digit */
        "01 0161 01 0220 61 01",                                              /* a blank in one */
        "01 0161 01 0162 13 02 0163 00",                                      /* a last name that is empty */
        "01 0161 01 0162 13 02 0163 0163",                                    /* a bit's name twice */
        "01 0161 01 0162 13 09 0161 0162 0163 0164 0165 0166 0167 0168 0169", /* nine bits in eight */
        "01 0161 01 0162 01 00",                                              /* a byte more */
        "02 0161 0161 00",                                                    /* a type twice */
        "01 046a6f696e 01 04 6e616d65 19",                                    /* join name: the record has one */
        "01 057374617465 01 06 646967657374 01",                              /* state digest */
        "01 057374617465 01 08 6469676573742e61 01",                          /* state digest.a */
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct dh_buf in = {0};

        dh_put_bytes(&in, binary.p, 8);
        hex(bad[i]);
        chunk(&in, DH_SCHEMA, p.p, p.n);
        if (!CHECK_INT(copy(in.p, in.n, DH_TEXT, NULL), 2))
            printf("# %s\n", bad[i]);
        dh_buf_free(&in);
    }
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

#define HEAD "dhdm 1\nschema input a:i8\nheader game=x rate=1 interval=1 start=5\n"

static void order_is_checked(void)
{
    static const struct {
        const char *lines;
        int status;
    } cases[] = {
        {"end 5 reason=stop\n", 0},
        {"end 4 reason=stop\n", 2},
        {"leave 4 0\n", 2},
        {"leave 6 0\nleave 5 0\nend 7 reason=stop\n", 2},
        {"event 5 a\nleave 5 0\njoin 5 0 wire=1 name=\ncheckpoint 5 - entities=0\nsnapshot 5 - entities=0\nlog 5 a "
         "text=\ninput 5 1\n"
         "input 5 0\nend 6 reason=stop\n",
         0},
        {"leave 5 0\nevent 5 a\nend 6 reason=stop\n", 2},
        {"join 5 0 wire=1\nleave 5 0\nend 6 reason=stop\n", 2},
        {"input 5 0\nlog 5 a text=b\nend 6 reason=stop\n", 2},
        {"snapshot 5 - entities=0\ncheckpoint 5 - entities=0\nend 6 reason=stop\n", 2},
        {"input 5 0\ninput 5 0\nend 6 reason=stop\n", 2},
        {"input 5 0\ninput 6 0\ninput 6 65535\nend 6 reason=stop\n", 0},
        {"input 7 0\nend 6 reason=stop\n", 0}, /* a last tick that was never run */
        {"checkpoint 5 - entities=0\ncheckpoint 5 - entities=0\nend 6 reason=stop\n", 2},
        {"snapshot 5 - entities=0\nsnapshot 5 digest entities=0\nend 6 reason=stop\n", 2},
        {"schema join a:i8\nend 6 reason=stop\n", 2},
        {"header rate=1 interval=1 start=5\nend 6 reason=stop\n", 2},
        {"raw kind=99 hex=0x00\nresource role=a name=b size=0\norigin part=tail hex=0x00\nend 5 reason=stop\n", 0},
        {"end 5 reason=stop\nend 5 reason=stop\n", 2}, /* only a stream comes after one */
        {"", 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char in[1024];

        snprintf(in, sizeof in, HEAD "%s", cases[i].lines);
        if (!CHECK_INT(copy_text(in, NULL), cases[i].status))
            printf("# %s# %s\n", cases[i].lines, last.msg);
    }
    CHECK_INT(copy_text("dhdm 1\ninput 0 0\nend 0 reason=stop\n", NULL), 2); /* no header */
    CHECK_INT(copy_text("dhdm 1\nend 0 reason=stop\n", NULL), 2);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void text_that_is_taken(void)
{
    /* any order, missing keys, CRLF, other spellings of numbers; digest= of a full state is not read */
    CHECK_INT(
        copy_text("dhdm 1\r\nschema input a:i8 b:flags8(x,y) c:enum8(p,q) d:f32 e:fix f:hex16\r\nschema Ball m:vec3\r\n"
                  "header start=0x10 interval=0 rate=3.5e1 game=g\r\n"
                  "checkpoint 16 - digest=0x1 entities=1\r\ncheckpoint 16 Ball@0x7\r\n"
                  "input 16 0 e=0.1 d=1e0 c=1 b=0x1,y a=-5 f=255\r\ninput 17 0 b= c=7\r\nend 18\r\n",
                  &a),
        0);
    CHECK_STR((char *)a.p,
              "dhdm 1\nschema input a:i8 b:flags8(x,y) c:enum8(p,q) d:f32 e:fix f:hex16\nschema Ball m:vec3\n"
              "header game=g rate=35 interval=0 start=16\n"
              "checkpoint 16 - entities=1 digest=0x21d622fe846adbe0\ncheckpoint 16 Ball@7 m=0,0,0\n"
              "input 16 0 a=-5 b=x,y c=q d=1 e=0.100006103515625 f=0x00ff\ninput 17 0 c=7\nend 18 reason=stop\n");
}

static void text_that_is_refused(void)
{
    static const struct {
        const char *line;
        const char *says;
    } cases[] = {
        {"", "blank line"},
        {"input 5 0 b=1", "unknown key 'b'"},
        {"input 5 0 a=1 a=2", "there twice"},
        {"input 5 0 a=128", "a: expected a whole number"},
        {"input 5 0 a=", "found ''"},
        {"input 5 0  a=1", "one space"},
        {"input 5 0 ", "one space"},
        {" input 5 0", "one space"},
        {"input 5 0 a", "KEY=VALUE"},
        {"input 5 0 =1", "KEY=VALUE"},
        {"input 5", "a slot"},
        {"input -1 0", "a tick"},
        {"input 4294967296 0", "a tick"},
        {"input 5 65536", "a slot"},
        {"input", "a tick"},
        {"inputs 5 0", "found 'inputs'"},
        {"dhdm", "found 'dhdm'"},
        {"log 5 a\\ text=b", "\\ escapes"},
        {"log 5", "a word"},
        {"origin part=head hex=0x0", "hex"},
        {"origin part=head hex=00", "hex"},
        {"raw hex=0x00", "kind=0"},
        {"raw kind=256 hex=0x00", "kind=0"},
        {"raw kind=3 hex=0x00", "leave"},
        {"resource role=a name=b size=0 sha256=0x00", "64 hex digits"},
        {"event 5 a 0 1", "KEY=VALUE"},
        {"event 5 a k=1 k=2", "there twice"},
        {"checkpoint 5", "- or digest"},
        {"checkpoint 5 Ball@1", "first line"},
        {"checkpoint 5 - entities=x", "a number"},
        {"checkpoint 5 - entities=1 rng=1", "unknown key"},
        {"checkpoint 5 - entities=1 digest.Ball=1:0x1", "unknown key"},
        {"checkpoint 5 digest entities=1 digest.Bull=1:0x1", "unknown entity type"},
        {"checkpoint 5 digest entities=1 digest.Ball=1", "COUNT:0xDIGEST"},
        {"checkpoint 5 digest entities=1 digest.Ball=1:0x1 digest.Ball=1:0x1", "there twice"},
        {"checkpoint 5 - entities=1\nleave 5 0", "expected the next of 1 more entity lines"},
        {"checkpoint 5 - entities=1\ncheckpoint 6 Ball@1", "expected the next of 1 more entity lines"},
        {"checkpoint 5 - entities=1\ncheckpoint 5 Bull@1", "unknown entity type"},
        {"checkpoint 5 - entities=1\ncheckpoint 5 Ball@", "after the @"},
        {"checkpoint 5 - entities=1\ncheckpoint 5 Ball@1 o=Bull@1", "TYPE@ID"},
        {"checkpoint 5 - entities=1\ncheckpoint 5 - entities=1", "expected the next of 1 more entity lines"},
        {"checkpoint 5 - entities=1\ncheckpoint 5 Ball@1\ncheckpoint 5 Ball@2", "first line"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char in[1024];
        int lines = 4; /* of the head, and the case's own */

        snprintf(in, sizeof in,
                 "dhdm 1\nschema input a:i8\nschema Ball o:ref\nheader start=5 rate=1 interval=1\n%s\nend 9\n",
                 cases[i].line);
        for (const char *c = in; c < strstr(in, "\nend 9"); c++)
            lines += *c == '\n' && c > strstr(in, "header");
        bool good = CHECK_INT(copy_text(in, NULL), 2);
        good &= CHECK(strstr(last.msg, cases[i].says) != NULL) && CHECK_INT(last.line, lines);
        if (!good)
            printf("# %s\n# gives: line %d, %s\n", cases[i].line, (int)last.line, last.msg);
    }
}

static void a_zero_byte_in_a_line_is_refused(void)
{
    static const char in[] = "dhdm 1\nheader rate=1 interval=1 start=0\nlog 0 a text=b\0c\nend 1\n";

    CHECK_INT(copy(in, sizeof in - 1, DH_TEXT, NULL), 2);
    CHECK_INT(last.line, 3);
}

/* All pairs of bytes, in every place that a string can stand. */
static void every_pair_of_bytes_comes_back(void)
{
    struct dh_buf stream = {0};

    dh_put_bytes(&stream, binary.p, 8);
    hex("01 05 696e707574 02 0161 1b 0162 1c"); /* schema input a:str b:bytes */
    chunk(&stream, DH_SCHEMA, p.p, p.n);
    struct dh_header h = {0};
    dh_buf_clear(&p);
    dh_build_header(&p, &h);
    chunk(&stream, DH_HEADER, p.p, p.n);
    for (uint32_t pair = 0; pair < 65536; pair++) {
        char two[2] = {(char)(pair >> 8), (char)pair};
        struct dh_str str = dh_str(two, 2);

        dh_buf_clear(&p);
        dh_put_u32(&p, pair);
        dh_put_strn(&p, two, 2); /* event word, key, value */
        dh_put_u16(&p, DH_NO_SLOT);
        dh_put_leb(&p, 1);
        dh_put_strn(&p, two, 2);
        dh_put_strn(&p, two, 2);
        chunk(&stream, DH_EVENT, p.p, p.n);
        dh_buf_clear(&p);
        dh_build_log(&p, pair, str, str);
        chunk(&stream, DH_LOG, p.p, p.n);
        dh_buf_clear(&p);
        dh_put_u32(&p, pair);
        dh_put_u16(&p, 0);
        dh_put_strn(&p, two, 2);
        dh_put_strn(&p, two, 2);
        chunk(&stream, DH_INPUT, p.p, p.n);
    }
    chunk(&stream, DH_END, "\0\0\1\0\0", 5);
    CHECK_INT(copy(stream.p, stream.n, DH_TEXT, &a), 0);
    CHECK(!strstr((char *)a.p, "\nraw"));
    CHECK_INT(copy(a.p, a.n, DH_BINARY, &b), 0);
    is(&b, &stream);
    dh_buf_free(&stream);
}

/* Every type with every byte pattern that matters, as an input's field and as an entity's. */
static void every_type_comes_back(void)
{
    static const char fields[] = "a:i8 b:i16 c:i32 d:i64 e:u8 f:u16 g:u32 h:u64 i:f32 j:f64 k:vec3 l:quat m:fix n:bam "
                                 "o:hex8 p:hex16 q:hex32 r:hex64 "
                                 "s:flags8(x,,z) t:flags16 u:flags32(q) v:flags64(h) w:enum8(n,,m) x:enum16(r) "
                                 "y:enum32 z:enum64 aa:str ab:bytes ac:ref "
                                 "ad:hash16 ae:hash32";
    struct dh_buf stream = {0};
    struct dh_schema_record sr;
    char line[1024];

    snprintf(line, sizeof line, "input,Ball,Gate %s", fields);
    CHECK_INT(dh_schema_from_text(&sr, line, strlen(line), &last), 0);
    dh_put_bytes(&stream, binary.p, 8);
    dh_buf_clear(&p);
    dh_schema_to_payload(&sr, &p);
    chunk(&stream, DH_SCHEMA, p.p, p.n);
    dh_buf_clear(&p);
    dh_build_header(&p, &(struct dh_header){.rate = 1});
    chunk(&stream, DH_HEADER, p.p, p.n);

    uint64_t x = 88172645463325252u;
    struct dh_state st = {0};
    for (uint32_t tick = 0; tick < 2000; tick++) {
        struct dh_buf block = {0};

        for (int i = 0; i < sr.schema->nfields; i++) {
            enum dh_type t = sr.schema->fields[i].type;
            int size = dh_type_size(t);

            if (t == DH_REF) {
                x ^= x << 13, x ^= x >> 7, x ^= x << 17;
                dh_put_ref(&block, (int)(x % 3) - 1, x >> (x >> 8 & 63));
            } else if (size < 0) {
                x ^= x << 13, x ^= x >> 7, x ^= x << 17;
                dh_put_strn(&block, (const char *)&x, x & 7);
            }
            for (int k = 0; k < size; k++) {
                x ^= x << 13, x ^= x >> 7, x ^= x << 17;
                dh_put_u8(&block, tick % 4 == 0   ? 0
                                  : tick % 4 == 1 ? 0xff
                                                  : (uint8_t)(x >> 32 & (x >> 40 & 1 ? 0 : 0xff)));
            }
        }
        dh_state_begin(&st);
        for (int type = 0; type < 2; type++) {
            dh_state_entity(&st, type, x >> 1);
            dh_put_bytes(&st.body, block.p, block.n);
        }
        dh_buf_clear(&p);
        dh_build_state(&p, tick, &st);
        chunk(&stream, DH_SNAPSHOT, p.p, p.n);
        dh_buf_clear(&p);
        dh_build_input(&p, tick, 3, block.p, block.n);
        chunk(&stream, DH_INPUT, p.p, p.n);
        dh_buf_free(&block);
    }
    dh_state_free(&st);
    dh_schema_record_clear(&sr);
    chunk(&stream, DH_END, "\0\0\1\0\0", 5);
    CHECK_INT(copy(stream.p, stream.n, DH_TEXT, &a), 0);
    CHECK(!strstr((char *)a.p, "\nraw"));
    CHECK_INT(copy(a.p, a.n, DH_BINARY, &b), 0);
    is(&b, &stream);
    dh_buf_free(&stream);
}

/* Fields of fixed and of variable size in any order: each is found where one finds it by going from the first on, and a
 * block that is cut short is none. */
static void fields_are_found_where_they_lie(void)
{
    static const char *const types[] = {"i8", "u16", "fix", "u64", "vec3", "str", "bytes", "ref"};
    uint64_t x = 88172645463325252u;

    for (int round = 0; round < 300; round++) {
        char fields[512] = "Ball";
        struct dh_schema_record sr;
        int64_t v[12];
        size_t at[13] = {0};

        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        int nfields = (int)(x % 13);
        for (int i = 0; i < nfields; i++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            size_t n = strlen(fields);
            snprintf(fields + n, sizeof fields - n, " f%d:%s", i, types[(x >> 30) % 8]);
        }
        CHECK_INT(dh_schema_from_text(&sr, fields, strlen(fields), &last), 0);
        dh_buf_clear(&p);
        for (int i = 0; i < nfields; i++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            v[i] = 0;
            switch (sr.schema->fields[i].type) {
            case DH_I8:
                dh_put_u8(&p, (uint8_t)(v[i] = (int8_t)x));
                break;
            case DH_U16:
                dh_put_u16(&p, (uint16_t)(v[i] = (uint16_t)x));
                break;
            case DH_FIX:
                dh_put_u32(&p, (uint32_t)(v[i] = (int32_t)x));
                break;
            case DH_U64:
                dh_put_u64(&p, (uint64_t)(v[i] = (int64_t)x));
                break;
            case DH_VEC3:
                dh_put_bytes(&p, "twelve bytes", 12);
                break;
            case DH_REF:
                dh_put_ref(&p, (int)(x % 300) - 1, x >> (x >> 8 & 63));
                break;
            default:
                dh_put_strn(&p, fields, x % 200);
            }
            at[i + 1] = p.n;
        }
        for (int i = 0; i < nfields; i++) {
            size_t size;

            CHECK(dh_block_field(sr.schema, p.p, p.n, i, &size) == p.p + at[i]);
            CHECK_INT(size, at[i + 1] - at[i]);
            CHECK_INT(dh_block_int(sr.schema, p.p, p.n, i), v[i]);
        }
        for (size_t n = 0; n <= p.n; n++)
            CHECK_INT(dh_block_size(sr.schema, p.p, n), n < p.n ? -1 : (int64_t)n);
        dh_schema_record_clear(&sr);
    }
}

static void snapshots_have_types_of_their_own(void)
{
    static const char in[] = "dhdm 1\nschema Ball,Gate a:i8\nschema snapshot.Ball a:i8 b:ref\nschema state r:u8\n"
                             "schema snapshot.state r:u8 q:u8\nheader rate=1 interval=1 start=0\n"
                             "checkpoint 0 - entities=1 r=1\ncheckpoint 0 Ball@1 a=2\n"
                             "snapshot 0 - entities=2 r=1 q=2\nsnapshot 0 Ball@1 a=2 b=Ball@1\nsnapshot 0 Gate@1 a=3\n"
                             "snapshot 1 digest entities=1 r=1 q=2 digest.Ball=1:0x1\n"
                             "end 1 reason=stop\n";

    CHECK_INT(copy_text(in, &a), 0);
    CHECK(strstr((char *)a.p, "\nsnapshot 0 Ball@1 a=2 b=Ball@1\nsnapshot 0 Gate@1 a=3\n") != NULL);
    CHECK_INT(copy(a.p, a.n, DH_BINARY, &b), 0);
    CHECK_INT(copy(b.p, b.n, DH_TEXT, &p), 0);
    is(&p, &a);
    /* the checkpoints' Ball in a snapshot would print as the snapshots' */
    CHECK_INT(copy_text("dhdm 1\nschema Ball a:i8\nschema snapshot.Ball a:i8 b:i8\nheader rate=1 interval=1 start=0\n"
                        "raw kind=6 hex=0x000000000001000000000102\nraw kind=6 hex=0x00000000000100000001010203\n"
                        "end 1 reason=stop\n",
                        &a),
              0);
    CHECK(strstr((char *)a.p, "\nraw kind=6 hex=0x000000000001000000000102\nsnapshot 0 - entities=1 ") != NULL);
    CHECK(strstr((char *)a.p, "\nsnapshot 0 Ball@1 a=2 b=3\n") != NULL);
}

/* ---- sequences --------------------------------------------------------------------------------------------------- */

static void several_streams_in_one_input(void)
{
    struct dh_buf in = {0};

    dh_put_bytes(&in, binary.p, binary.n);
    dh_put_bytes(&in, text.p, text.n);
    dh_put_bytes(&in, binary.p, binary.n);
    CHECK_INT(copy(in.p, in.n, DH_BINARY, &a), 0);
    CHECK_INT(a.n, 3 * binary.n);
    /* what comes after is cut, or is none */
    CHECK_INT(copy(in.p, in.n - 1, DH_BINARY, &a), 1);
    CHECK_INT(copy(in.p, 2 * binary.n + text.n, DH_BINARY, &a), 0);
    CHECK_INT(copy(in.p, binary.n + 3, DH_BINARY, &a), 1);
    dh_put_u8(&in, '\n');
    CHECK_INT(copy(in.p, in.n, DH_BINARY, &a), 2);
    CHECK_INT(last.offset, in.n - 1);
    dh_buf_free(&in);
}

static void a_stream_cut_by_the_next(void)
{
    size_t end[64];
    int n = ends(&binary, end, 64);
    struct dh_buf in = {0};

    /* without its end record, between records */
    dh_put_bytes(&in, binary.p, end[n - 2]);
    dh_put_bytes(&in, text.p, text.n);
    CHECK_INT(copy(in.p, in.n, DH_BINARY, &a), 1);
    CHECK_INT(records, 2 * n - 1);
    dh_buf_clear(&in);
    ends(&text, end, 64);
    dh_put_bytes(&in, text.p, end[n - 2]);
    dh_put_bytes(&in, binary.p, binary.n);
    dh_put_bytes(&in, text.p, end[n - 2]);
    dh_put_bytes(&in, text.p, text.n);
    CHECK_INT(copy(in.p, in.n, DH_BINARY, &a), 1);
    CHECK_INT(records, 4 * n - 2);
    dh_buf_free(&in);
}

static void what_it_found_instead(void)
{
    static const struct {
        const char *in;
        size_t n;
        const char *says;
    } cases[] = {
        {"IWAD\1\0\0\0\0\0\0\0", 12, "a WAD"},
        {"\x1f\x8b\b\0\0\0\0\0", 8, "gzip"},
        {"m\2\1\1\0\0\0\0\0\1\0\0\0\x80", 14, "version 109"},
        {"hello, world\n", 13, "'hello, w'"},
        {"\0\0\0\0", 4, "bytes 00 00 00 00"},
        {"\xff\xfe"
         "d\0h\0",
         6, "UTF-16"},
        {"\xef\xbb\xbf"
         "dhdm 1\n",
         10, "byte order mark"},
        {"dhdm 2\n", 7, "format version 1"},
        {"dhdm 1 \n", 8, "format version 1"},
        {"DHDM\2\0\0\0", 8, "format version 1, found 2"},
        {"\n", 1, "0a"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!CHECK_INT(copy(cases[i].in, cases[i].n, DH_TEXT, NULL), 2) ||
            !CHECK(strstr(last.msg, cases[i].says) != NULL))
            printf("# %s: %s\n", cases[i].says, last.msg);
    CHECK_INT(copy("", 0, DH_TEXT, NULL), 1);
    CHECK_INT(copy("D", 1, DH_TEXT, NULL), 1);
    CHECK_INT(copy("dhdm", 4, DH_TEXT, NULL), 1);
    CHECK_INT(copy("dhdm 1", 6, DH_TEXT, NULL), 1);
    CHECK_INT(copy("DX", 2, DH_TEXT, NULL), 2);
}

/* ---- the index --------------------------------------------------------------------------------------------------- */

static void the_index(void)
{
    size_t end[64];
    struct dh_index ix;

    ends(&binary, end, 64);
    fill(in_fd, binary.p, binary.n);
    CHECK_INT(dh_index_scan(in_fd, &ix, &last), 0);
    CHECK_INT(lseek(in_fd, 0, SEEK_CUR), 0);
    CHECK_INT(ix.n, 2);
    CHECK(ix.complete);
    CHECK_INT(ix.entries[0].tick, 0);
    CHECK_INT(ix.entries[1].tick, 2);
    CHECK_INT(ix.entries[1].offset, end[14]);
    CHECK_INT(dh_index_find(&ix, 0)->tick, 0);
    CHECK_INT(dh_index_find(&ix, 1)->tick, 0);
    CHECK_INT(dh_index_find(&ix, 2)->tick, 2);
    CHECK_INT(dh_index_find(&ix, UINT32_MAX)->tick, 2);
    dh_index_free(&ix);

    for (size_t cut = 8; cut < binary.n; cut++) {
        size_t n = (cut >= end[10]) + (cut >= end[15]);

        fill(in_fd, binary.p, cut);
        CHECK_INT(dh_index_scan(in_fd, &ix, &last), 0);
        CHECK_INT(ix.n, n);
        CHECK(!ix.complete);
        CHECK((dh_index_find(&ix, 0) != NULL) == (n > 0));
        dh_index_free(&ix);
    }

    fill(in_fd, text.p, text.n);
    CHECK_INT(dh_index_scan(in_fd, &ix, &last), -1);
    CHECK_INT(last.status, 2);
    fill(in_fd, binary.p, 8);
    if (pwrite(in_fd, "\5\xff\xff\xff\xff", 5, 8) != 5)
        abort();
    CHECK_INT(dh_index_scan(in_fd, &ix, &last), -1);
    CHECK_INT(last.offset, 8);
}

/* ---- the writer -------------------------------------------------------------------------------------------------- */

static void the_writer_refuses_what_no_reader_would_take(void)
{
    struct dh_writer *w = dh_writer_new(out_fd, DH_BINARY, false);

    fill(out_fd, "", 0);
    CHECK_INT(dh_write_payload(w, DH_LEAVE, "\0\0\0\0\0\0", 6), -1); /* no stream yet */
    CHECK_INT(dh_writer_stream(w), 0);
    CHECK_INT(dh_write_schema(w, "input", "a:i8 b:str"), 0);
    CHECK_INT(dh_write_schema(w, "input", "a:i8"), -1);
    CHECK_INT(dh_write_schema(w, "Ball", "a:i9"), -1);
    CHECK_INT(dh_write_payload(w, DH_INPUT, "\0\0\0\0\0\0\1\1x", 9), 0);
    CHECK_INT(dh_write_payload(w, DH_INPUT, "\0\0\0\0\0\0\1\2x", 9), -1);
    CHECK_INT(dh_write_payload(w, DH_INPUT, "\0\0\0\0\0\0\1\1xy", 10), -1);
    CHECK(strstr(dh_writer_error(w)->msg, "input") != NULL);
    CHECK_INT(dh_writer_free(w, NULL), 0);
    load(out_fd, &a);
    CHECK_INT(a.n, 8 + 19 + 14); /* and nothing of what was refused */
}

static void the_writer_reports_what_did_not_go_out(void)
{
    int full = open("/dev/full", O_WRONLY);
    struct dh_writer *w;

    if (full < 0)
        T_SKIP("no /dev/full here");
    w = dh_writer_new(full, DH_TEXT, false);
    CHECK_INT(dh_writer_stream(w), 0);
    CHECK_INT(dh_writer_free(w, &last), -1);
    CHECK_INT(last.status, 2);
    CHECK(strstr(last.msg, strerror(ENOSPC)) != NULL);
    w = dh_writer_new(full, DH_BINARY, true);
    CHECK_INT(dh_writer_stream(w), -1);
    CHECK_INT(dh_writer_free(w, NULL), -1);
    close(full);
}

int main(void)
{
    in_fd = scratch_file();
    out_fd = scratch_file();
    load_sample("sample.dh-demo", &binary);
    load_sample("sample.dh-text", &text);
    T_RUN(the_sample_is_the_same_in_both);
    T_RUN(every_binary_prefix);
    T_RUN(every_text_prefix);
    T_RUN(every_damaged_byte_of_the_binary);
    T_RUN(every_damaged_byte_of_the_text);
    T_RUN(lengths_are_checked_before_memory_is_asked_for);
    T_RUN(what_is_not_canonical_is_raw);
    T_RUN(what_is_short_is_corrupt);
    T_RUN(schemas_are_canonical_or_refused);
    T_RUN(order_is_checked);
    T_RUN(text_that_is_taken);
    T_RUN(text_that_is_refused);
    T_RUN(a_zero_byte_in_a_line_is_refused);
    T_RUN(every_pair_of_bytes_comes_back);
    T_RUN(every_type_comes_back);
    T_RUN(fields_are_found_where_they_lie);
    T_RUN(snapshots_have_types_of_their_own);
    T_RUN(several_streams_in_one_input);
    T_RUN(a_stream_cut_by_the_next);
    T_RUN(what_it_found_instead);
    T_RUN(the_index);
    T_RUN(the_writer_refuses_what_no_reader_would_take);
    T_RUN(the_writer_reports_what_did_not_go_out);
    dh_buf_free(&binary);
    dh_buf_free(&text);
    dh_buf_free(&a);
    dh_buf_free(&b);
    dh_buf_free(&p);
    dh_buf_free(&printed);
    return t_done();
}
