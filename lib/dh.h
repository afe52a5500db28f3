/* SPDX-License-Identifier: ISC */
/*
 * dh.h - the record stream of dh: what an embedder includes.
 *
 * A demo is a start state, the inputs applied at each tick, and full-state checkpoints. This header reads and writes
 * such streams in both encodings (dh-demo(5) and dh-text(5)); it knows no game: the stream describes its own fields.
 *
 * Conventions. Every function that can fail returns 0 or a positive count for success and -1 for failure, and fills a
 * struct dh_err; nothing here prints or exits. Pointers inside a record belong to the reader that gave it and are valid
 * until its next call. Integers on the wire are little-endian; "leb" is unsigned LEB128; a string is a leb length and
 * UTF-8 bytes.
 */
#ifndef DH_H
#define DH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- exit statuses and errors ------------------------------------------------------------------------------------ */

enum dh_status {
    DH_OK = 0,         /* done; for dhdiff: at least one state compared, and all equal */
    DH_INCOMPLETE = 1, /* empty or truncated input, no end record, nothing to compare or a state without a partner */
    DH_TROUBLE = 2,    /* usage, I/O, corrupt or unsupported input, game data missing */
    DH_DIVERGED = 3,   /* dhdiff found a difference */
};

/* The worse of two statuses: 2, then 3, then 1, then 0. */
int dh_worse(int a, int b);

#define DH_NOWHERE UINT64_MAX

/* What went wrong and where. tick is -1 and offset is DH_NOWHERE where they do not apply; line is 0 in the binary
 * encoding. */
struct dh_err {
    int status;      /* DH_INCOMPLETE or DH_TROUBLE */
    int64_t tick;    /* the record's tick, or of the last record read */
    uint64_t offset; /* bytes from the start of the input to the fault (its chunk's first byte for a bad chunk) */
    uint64_t line;   /* text: line number from 1 */
    char msg[512];   /* what was expected and what was found */
};

/* Fill e (may be NULL) and return -1, so that a caller can `return dh_fail(...)`. */
int dh_fail(struct dh_err *e, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* "msg: tick T, byte N" or "msg: tick T, line N" into buf (size n, always terminated). */
void dh_err_format(const struct dh_err *e, char *buf, size_t n);

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

/* A growable byte string. All zero is a valid empty one. An allocation failure sets failed and drops what follows;
 * whoever uses the content checks failed once. */
struct dh_buf {
    uint8_t *p;
    size_t n, cap;
    bool failed;
};

void dh_buf_free(struct dh_buf *b);
void dh_buf_clear(struct dh_buf *b); /* keeps the memory */
/* Room for n more bytes at b->p + b->n; the caller fills some and adds to b->n. NULL, and failed set, without memory.
 */
uint8_t *dh_buf_room(struct dh_buf *b, size_t n);
void dh_put_bytes(struct dh_buf *b, const void *p, size_t n);
void dh_put_u8(struct dh_buf *b, uint8_t v);
void dh_put_u16(struct dh_buf *b, uint16_t v);
void dh_put_u32(struct dh_buf *b, uint32_t v);
void dh_put_u64(struct dh_buf *b, uint64_t v);
void dh_put_f32(struct dh_buf *b, float v);
void dh_put_f64(struct dh_buf *b, double v);
void dh_put_leb(struct dh_buf *b, uint64_t v);
void dh_put_str(struct dh_buf *b, const char *s);            /* NUL-terminated */
void dh_put_strn(struct dh_buf *b, const char *s, size_t n); /* also for values of type bytes */
void dh_put_ref(struct dh_buf *b, int type, uint64_t id);    /* type -1: points at nothing */

/* A bounds-checked cursor with a sticky error: reading past the end gives zeros and sets bad. */
struct dh_cur {
    const uint8_t *p, *end;
    bool bad;
    bool overlong; /* bad because of a leb that is longer than it need be, or beyond 64 bits: not because the bytes
                      ended */
};

/* A byte string that belongs to somebody else; not terminated. */
struct dh_str {
    const char *p;
    size_t n;
};

struct dh_cur dh_cur(const void *p, size_t n);
uint8_t dh_get_u8(struct dh_cur *c);
uint16_t dh_get_u16(struct dh_cur *c);
uint32_t dh_get_u32(struct dh_cur *c);
uint64_t dh_get_u64(struct dh_cur *c);
float dh_get_f32(struct dh_cur *c);
double dh_get_f64(struct dh_cur *c);
uint64_t dh_get_leb(struct dh_cur *c); /* an overlong form or one beyond 64 bits is bad */
struct dh_str dh_get_str(struct dh_cur *c);
const uint8_t *dh_get_bytes(struct dh_cur *c, size_t n); /* n bytes in place, NULL when bad */

/* ---- schemas ----------------------------------------------------------------------------------------------------- */

/* A field's type; the numbers are the wire's. VEC3 and QUAT are f32; FIX is 16.16 in an i32; BAM is a u32 angle; a REF
 * is leb (type index + 1, 0 for none) and, unless none, leb id. FLAGS and ENUM carry names by bit and by value. */
enum dh_type {
    DH_I8 = 1,
    DH_I16,
    DH_I32,
    DH_I64,
    DH_U8,
    DH_U16,
    DH_U32,
    DH_U64,
    DH_F32,
    DH_F64,
    DH_VEC3,
    DH_QUAT,
    DH_FIX,
    DH_BAM,
    DH_HEX8,
    DH_HEX16,
    DH_HEX32,
    DH_HEX64,
    DH_FLAGS8,
    DH_FLAGS16,
    DH_FLAGS32,
    DH_FLAGS64,
    DH_ENUM8,
    DH_ENUM16,
    DH_ENUM32,
    DH_ENUM64,
    DH_STR,
    DH_BYTES,
    DH_REF,
    DH_HASH16,
    DH_HASH32, /* 16 and 32 bytes, printed in their order (MD5, SHA-256) */
    DH_TYPES
};

struct dh_field {
    char *name;
    enum dh_type type;
    int nnames; /* FLAGS: name of bit i; ENUM: name of value i; an unnamed one is "" */
    char **names;
};

/* The fields of one kind of block: the header's rules or options, an input, a join, the world's own state line, or an
 * entity. */
struct dh_schema {
    int nfields;
    struct dh_field *fields;
    int size;     /* bytes of a block when every field has a fixed size, else -1 */
    int *offsets; /* byte offset of each field, -1 after a field of variable size */
    /* private */
    struct dh_span *spans;   /* a block, span by span */
    struct dh_place *places; /* of each field */
    char *text;              /* what all names are in */
};

/* One entity type: a name and its schema. Types are numbered in the order in which the stream's schema records name
 * them. */
struct dh_etype {
    char *name;
    const struct dh_schema *schema;
    bool snapshot_only; /* `schema snapshot.NAME`: used by snapshots where it differs from what the checkpoints have */
    bool shadowed;      /* there is a snapshot_only type of the same name: this one is not for snapshots */
};

/* All schemas of one stream. rule..state are NULL where the stream has none (an empty block). */
struct dh_schemas {
    const struct dh_schema *rule, *option, *input, *join, *state;
    const struct dh_schema *snapshot_state; /* `schema snapshot.state`; NULL: as state. See dh_state_schema */
    int ntypes;
    struct dh_etype *types;
    /* private */
    struct dh_schema **owned;
    int nowned;
    uint32_t *index; /* types by name: open addressing, type number + 1 */
    uint32_t index_cap;
    size_t bytes;           /* of schema payloads so far */
    struct dh_buf *scratch; /* memory that one digest leaves to the next */
};

struct dh_schemas *dh_schemas_new(void);
void dh_schemas_free(struct dh_schemas *s);

/* Add a schema record's content in its text form: subjects is a comma list of rule, option, input, join, state and
 * entity type names (the latter two may begin with "snapshot."); fields is "name:type name:type ..." as in dh-text(5),
 * e.g. "move:vec3 buttons:flags32(jump,crouch) source:enum8(received,held)". 0, or -1 with e filled. */
int dh_schemas_add(struct dh_schemas *s, const char *subjects, const char *fields, struct dh_err *e);

/* The number of an entity type by name, as used in records of this kind (DH_CHECKPOINT or DH_SNAPSHOT); -1 if there is
 * none. */
int dh_schemas_type(const struct dh_schemas *s, const char *name, size_t n, int kind);

/* The schema of the state line in records of this kind (DH_CHECKPOINT or DH_SNAPSHOT); NULL: none. */
const struct dh_schema *dh_state_schema(const struct dh_schemas *s, int kind);

/* The index of a field by name; -1 if there is none (or schema is NULL). */
int dh_schema_find(const struct dh_schema *s, const char *name);

/* The bytes that one field's value takes at p (n bytes are there), -1 if it does not fit. */
int64_t dh_field_size(const struct dh_field *f, const uint8_t *p, size_t n);

/* Walk a whole block of fields: the bytes it takes, -1 if it does not fit into n or is not canonical. schema may be
 * NULL (0 bytes). */
int64_t dh_block_size(const struct dh_schema *s, const uint8_t *p, size_t n);

/* Field i of a block (valid, n bytes): its first byte and size. */
const uint8_t *dh_block_field(const struct dh_schema *s, const uint8_t *block, size_t n, int i, size_t *size);

/* The value of field i as a signed number, for the integer, fix, bam, hex, flags and enum types; 0 for others and for i
 * < 0. */
int64_t dh_block_int(const struct dh_schema *s, const uint8_t *block, size_t n, int i);

/* Append the canonical text of one value (without its key). */
void dh_value_text(struct dh_buf *out, const struct dh_schemas *all, const struct dh_field *f, const uint8_t *p,
                   size_t n);

/* ---- records ----------------------------------------------------------------------------------------------------- */

enum dh_kind {
    DH_END = 0,
    DH_HEADER,
    DH_JOIN,
    DH_LEAVE,
    DH_INPUT,
    DH_CHECKPOINT,
    DH_SNAPSHOT,
    DH_ORIGIN,
    DH_EVENT,
    DH_SCHEMA,
    DH_LOG,
    DH_RESOURCE,
    DH_KINDS,
    DH_RAW = 256 /* a chunk kept as it is: its kind is unknown, or its payload would not re-encode to the same bytes */
};

enum dh_reason { DH_STOP = 0, DH_MAP_SWITCH, DH_SHUTDOWN, DH_UNTIL, DH_SPLIT };

#define DH_NO_SLOT 0xffff
#define DH_ORIGIN_MAX 65536
#define DH_EVENT_PAIRS 127

struct dh_header {
    struct dh_str game, map, barcode, closure, engine, git; /* closure: hex of the closure hash, or empty */
    double rate;                                            /* ticks a second */
    uint32_t interval;                                      /* ticks between checkpoints, 0: unknown */
    uint32_t start;                                         /* the first tick */
    uint8_t fresh;                                          /* 1: the recording began at map load */
    const uint8_t *rules, *options;                         /* blocks by the rule and option schemas */
    size_t rules_n, options_n;
};

struct dh_digest {
    int type;
    uint32_t count;
    uint64_t digest;
};

/* A record. payload is its canonical encoding (chunk payload); the rest points into it. Which members are set depends
 * on kind. */
struct dh_record {
    int kind;         /* enum dh_kind */
    uint8_t raw_kind; /* DH_RAW: the chunk's kind byte */
    bool has_tick;
    uint32_t tick;
    uint16_t slot;         /* join, leave, input; event (DH_NO_SLOT: nobody) */
    uint64_t offset, line; /* where it began in the input */
    const uint8_t *payload;
    size_t len;

    const uint8_t *block; /* join, input: the fields by schema; state records: the state line's fields */
    size_t block_n;
    union {
        struct {
            uint8_t reason;
        } end;
        struct dh_header header;
        struct {
            uint32_t wire;
            struct dh_str name;
        } join;
        struct {
            bool digest_only;        /* entities left out: digests instead */
            uint32_t count;          /* entities */
            const uint8_t *entities; /* full form: count entities, see dh_entity_next */
            size_t entities_n;
            uint64_t digest; /* digest form; in the full form see dh_state_digest */
            uint32_t ntypes; /* digest form: type digests, see dh_typedigest_next */
            const uint8_t *types;
            size_t types_n;
        } state;
        struct {
            uint8_t part;
            const uint8_t *bytes;
            size_t n;
        } origin; /* part: 0 head, 1 tail */
        struct {
            struct dh_str what;
            uint32_t npairs;
            const uint8_t *pairs;
            size_t pairs_n;
        } event; /* pairs: str key, str value */
        struct {
            struct dh_str topic, text;
        } log;
        struct {
            struct dh_str role, name;
            uint64_t size;
            const uint8_t *sha256, *md5;
        } resource; /* 32 and 16 bytes */
    } u;
};

/* The name of a kind as the text encoding has it ("input"); "raw" for what has none. */
const char *dh_kind_name(int kind);

struct dh_entity {
    int type; /* index into dh_schemas.types */
    uint64_t id;
    const uint8_t *block;
    size_t n;
};

/* Iterate over the entities of a full state: *c = dh_cur(r->u.state.entities, r->u.state.entities_n) first; false at
 * the end. */
bool dh_entity_next(const struct dh_schemas *s, struct dh_cur *c, struct dh_entity *e);

/* The same over the type digests of the digest form (u.state.types). */
bool dh_typedigest_next(struct dh_cur *c, struct dh_digest *d);

/* The digest of a full state: the first 8 bytes (big-endian) of a SHA-256. Per entity type over the encodings of its
 * entities in order (type number left out: id and block); of the whole over the state block and then, in order of
 * their numbers, each type's name (str), count (u32) and digest (u64). *types is malloc'd, sorted by type number, the
 * caller frees it; types and ntypes may be NULL. -1: out of memory. */
int dh_state_digest(const struct dh_schemas *s, const struct dh_record *r, uint64_t *whole, struct dh_digest **types,
                    uint32_t *ntypes);

/* Next pair of an event: false at the end. */
bool dh_pair_next(struct dh_cur *c, struct dh_str *key, struct dh_str *value);

/* Decode a chunk's payload by the schemas so far. 0: r is filled, and re-encoding gives the same bytes. Otherwise r
 * becomes DH_RAW (0 as well) where the chunk is well-formed but not canonical or of unknown kind; -1: corrupt. */
int dh_decode(const struct dh_schemas *s, uint8_t kind, const uint8_t *payload, size_t n, struct dh_record *r,
              struct dh_err *e);

/* Payload builders: append the canonical payload to b (each begins an empty b). */
void dh_build_end(struct dh_buf *b, uint32_t tick, int reason);
void dh_build_header(struct dh_buf *b, const struct dh_header *h);
void dh_build_join(struct dh_buf *b, uint32_t tick, uint16_t slot, uint32_t wire, struct dh_str name, const void *block,
                   size_t n);
void dh_build_leave(struct dh_buf *b, uint32_t tick, uint16_t slot);
void dh_build_input(struct dh_buf *b, uint32_t tick, uint16_t slot, const void *block, size_t n);
void dh_build_origin(struct dh_buf *b, int part, const void *p, size_t n);
void dh_build_log(struct dh_buf *b, uint32_t tick, struct dh_str topic, struct dh_str text);
void dh_build_resource(struct dh_buf *b, struct dh_str role, struct dh_str name, uint64_t size,
                       const uint8_t sha256[32], const uint8_t md5[16]);
/* An event, and then its pairs one by one: at most DH_EVENT_PAIRS (those beyond are dropped), each with a key that is
 * not empty and not an earlier one's; a value is cut after 1023 bytes. what is not empty. */
void dh_build_event(struct dh_buf *b, uint32_t tick, const char *what, uint16_t slot);
void dh_build_event_pair(struct dh_buf *b, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A state under construction. Zero it, begin, put the state block's fields into .head and each entity's fields into
 * .body after announcing it, then build. The memory is kept from one state to the next. */
struct dh_state {
    struct dh_buf head, body;
    uint32_t count;
};

void dh_state_begin(struct dh_state *st);
void dh_state_entity(struct dh_state *st, int type, uint64_t id);
void dh_state_free(struct dh_state *st);
/* The payload of a checkpoint or snapshot (full form), or of its digest form. */
void dh_build_state(struct dh_buf *b, uint32_t tick, const struct dh_state *st);
int dh_build_digest(struct dh_buf *b, uint32_t tick, const struct dh_schemas *s, const struct dh_state *st);

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct dh_reader;

/* Read from a file descriptor (not closed by the reader). The encoding is found from the first bytes. NULL: out of
 * memory. */
struct dh_reader *dh_reader_new(int fd);
void dh_reader_free(struct dh_reader *r);

/* Go to the next stream of the input: 1, or 0 at the end of the input, or -1. An input without any stream is an error
 * (status 1). After an error of dh_read: 0, or 1 where the stream was cut short by the beginning of another. */
int dh_reader_stream(struct dh_reader *r);

/* The next record of the stream: 1, or 0 after its end record was given, or -1 (status 1: truncated, 2: corrupt or
 * I/O). Checks what dh-demo(5) demands of a stream: schemas first, one header, ticks that never decrease, the order
 * within a tick, one input a slot and tick. */
int dh_read(struct dh_reader *r, const struct dh_record **rec);

const struct dh_schemas *dh_reader_schemas(const struct dh_reader *r);
const struct dh_err *dh_reader_error(const struct dh_reader *r);
bool dh_reader_is_text(const struct dh_reader *r);

/* ---- writing ----------------------------------------------------------------------------------------------------- */

struct dh_writer;

enum dh_encoding { DH_TEXT, DH_BINARY };

/* Write to a file descriptor (not closed by the writer); unbuffered: every record goes out at once. */
struct dh_writer *dh_writer_new(int fd, enum dh_encoding enc, bool unbuffered);

/* Begin a stream: the magic or the first line. The schemas of the stream are collected from the schema records written.
 */
int dh_writer_stream(struct dh_writer *w);

/* Write a record that dh_read or dh_decode gave, as it is; its schemas are those that were written. */
int dh_write(struct dh_writer *w, const struct dh_record *rec);
/* Write a record from its payload, built with dh_build_*. One that the schemas do not describe is refused: -1, and
 * nothing is written. */
int dh_write_payload(struct dh_writer *w, int kind, const void *payload, size_t n);

/* Write a schema record from its text form (see dh_schemas_add). */
int dh_write_schema(struct dh_writer *w, const char *subjects, const char *fields);

const struct dh_schemas *dh_writer_schemas(const struct dh_writer *w);
int dh_writer_flush(struct dh_writer *w);
const struct dh_err *dh_writer_error(const struct dh_writer *w);
/* Flush and free. -1 when anything written since the last flush did not go out; e (may be NULL) says why. */
int dh_writer_free(struct dh_writer *w, struct dh_err *e);

/* ---- the checkpoint index ---------------------------------------------------------------------------------------- */

struct dh_index_entry {
    uint32_t tick;
    uint64_t offset; /* of the checkpoint's chunk, from the start of the file */
    bool full;       /* has its entities, so a replay can start there; false: digests alone */
};

struct dh_index {
    struct dh_index_entry *entries;
    size_t n;
    bool complete; /* an end record was reached */
};

/* Index the checkpoints of the stream that begins at fd's offset, in a binary, seekable file, by a scan that passes
 * over the payloads. A file that was cut short gives what there is. The offset is left as it was. -1: not such a file,
 * or corrupt; then there is nothing to free. */
int dh_index_scan(int fd, struct dh_index *ix, struct dh_err *e);
/* The latest full checkpoint at or before a tick; NULL if there is none. */
const struct dh_index_entry *dh_index_find(const struct dh_index *ix, uint32_t tick);
void dh_index_free(struct dh_index *ix);

#ifdef __cplusplus
}
#endif

#endif
