/* SPDX-License-Identifier: ISC */
/*
 * demo.h - a demo of the Doom family read in memory: what it is, its header, its inputs, its footer.
 *
 * This is how to look into a demo without making a stream of it (lmp_to_dh in lmp.h does that, by the same parts):
 *
 *     struct lmp_view v;                             // the bytes: of a file, a pipe, a lump of a WAD
 *     struct lmp_demo *d = NULL;
 *     struct lmp_how how = {0};                      // or .game = "heretic", .dialect = "bfg"
 *     int fd = lmp_open("run.lmp", &size, &e);       // or any descriptor, with size LMP_TO_END
 *     if (lmp_view_open(&v, fd, size, &e) < 0 || lmp_examine(&d, v.p, v.n, &how, &e) < 0)
 *         ... e: not a demo (status 2, e.msg names what it is), or cut short inside its header (status 1)
 *     d->dialect->name, d->ticks, d->marker, lmp_rule(d, "skill", -1), lmp_footer_text(d, "port")
 *     struct lmp_walk w = lmp_walk(d);
 *     while (lmp_next(&w))
 *         w.tick, w.slot, w.v[LMP_FORWARD], w.v[LMP_TURN], w.v[LMP_BUTTONS] & LMP_ATTACK
 *     lmp_demo_free(d);
 *     lmp_view_close(&v);
 *
 * Bytes that are already in memory need no view: lmp_examine takes any p and n. It keeps p and copies nothing of the
 * inputs, so p has to live as long as d. Nothing here is static or global; no function prints.
 */
#ifndef LMP_DEMO_H
#define LMP_DEMO_H

#include "dh.h"

#define LMP_MARKER 0x80
#define LMP_RATE 35.0 /* tics a second, of every dialect that is read */
#define LMP_TO_END UINT64_MAX
#define LMP_MAX_PLAYERS 32

/* ---- dialects ---------------------------------------------------------------------------------------------------- */

enum lmp_use {
    LMP_READ,    /* read and written */
    LMP_WRAPPER, /* a header in front of another dialect's header */
    LMP_REFUSED, /* a demo, known by name and no more */
    LMP_NO_DEMO, /* not a demo at all, though it could be taken for one */
};

/* A row of the table in dialect.c; what is private to it is in layout.h. */
struct lmp_dialect {
    const char *id;   /* as --dialect takes it: "doom19", "mbf21"; NULL where there is nothing to choose */
    const char *name; /* for people: "Doom 1.9", "MBF21" */
    const char *game; /* of the stream's header: "doom", "heretic", "mbf21" */
    enum lmp_use use;
    const struct lmp_layout *layout; /* private: layout.h */
};

/* The table, for lists: NULL beyond its end. */
const struct lmp_dialect *lmp_dialect_at(int i);
/* By its id; NULL for none. */
const struct lmp_dialect *lmp_dialect_named(const char *id);
/* Whether this can be asked for: an id, or WRAPPER/ID. */
bool lmp_dialect_known(const char *asked);

/* What decides where the bytes alone do not, and who hears of it. All zero is good. */
struct lmp_how {
    const char *game; /* NULL, or doom, heretic, hexen, strife: readings of other games are not tried */
    const char
        *dialect;    /* NULL, or an id: no other is tried. A wrapper's leaves what it wraps open, WRAPPER/ID does not */
    bool repair;     /* lmp_to_dh: close a demo that was cut short at its last whole tic */
    bool unbuffered; /* lmp_to_dh: do not wait for the end of the input: what a footer says is then not known */
    void (*note)(void *arg, const char *text); /* something that is no failure and should be told; may be NULL */
    void *arg;
};

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

/* A whole input in memory: a regular file is read, or mapped if it is large; of anything else up to LMP_READ_AHEAD
 * bytes are read. */
#define LMP_READ_AHEAD ((size_t)8 << 20)

struct lmp_view {
    const uint8_t *p;
    size_t n;
    bool whole;   /* false: there may be more than n */
    void *mapped; /* private */
    size_t mapped_n;
    uint8_t *own;
};

/* At most size bytes from where fd stands. -1 with e filled; an input without a byte is not an error here. */
int lmp_view_open(struct lmp_view *v, int fd, uint64_t size, struct dh_err *e);
void lmp_view_close(struct lmp_view *v);

/* ---- a demo ------------------------------------------------------------------------------------------------------ */

/* A field of the header: as the stream's rule of that name. */
struct lmp_field {
    char name[32];
    uint8_t type;       /* enum dh_type: U8, U16, U32, STR or BYTES */
    uint8_t lie;        /* private: how it lies in the file */
    uint32_t at, size;  /* its bytes, from the demo's first */
    uint32_t number;    /* U8, U16, U32 */
    struct dh_str text; /* STR (without the zeros that pad it), BYTES */
};

/* What the footer says, by name; see dh-dialects(7) for the names. */
struct lmp_option {
    char name[32];
    uint8_t type; /* enum dh_type: STR, U8, I64 */
    int64_t number;
    char *text; /* STR: n bytes and a zero */
    size_t n;
};

enum lmp_footer { LMP_NO_FOOTER, LMP_FOOTER_PWAD, LMP_FOOTER_CNDOOM, LMP_FOOTER_TEXT, LMP_FOOTER_BYTES };
enum lmp_signature { LMP_UNSIGNED, LMP_VALID, LMP_INVALID };

struct lmp_demo {
    const uint8_t *p; /* the bytes, the caller's */
    size_t n;
    const struct lmp_dialect *dialect; /* what its inputs are for */
    const struct lmp_dialect *wrapper; /* the header in front of it, or NULL */
    const char *game;                  /* the wrapper's or the dialect's */

    int nfields;
    struct lmp_field *fields;
    struct lmp_command *command; /* private */
    bool long_turns;
    int nplayers;
    uint8_t present[LMP_MAX_PLAYERS]; /* the slots, ascending */

    size_t joins, join_size; /* of each player a state in join_size bytes, from joins on; join_size 0: none */
    size_t body;             /* the first command's byte */
    size_t head, nhead;      /* a key frame between header and body: nhead bytes from head; 0: none */
    size_t end;              /* the byte after the last whole command: the marker's, where there is one */
    bool marker;             /* false: truncated */
    uint32_t ticks;          /* whole tics */
    uint64_t ninputs;        /* whole commands: more than ticks * nplayers where the last tic is partial */

    enum lmp_footer footer;
    size_t footer_at;             /* its bytes: from here to n */
    enum lmp_signature signature; /* of dsda's footer: whether it fits the demo's bytes */
    int noptions;
    struct lmp_option *options;

    char also[256]; /* "" or a sentence: another reading fits too, and why this one was taken */
};

/* Read a demo of n bytes. 0 and *d; -1 with e filled: status DH_INCOMPLETE where p is empty or ends inside the header.
 * A demo without its marker is read, and has marker false. */
int lmp_examine(struct lmp_demo **d, const uint8_t *p, size_t n, const struct lmp_how *how, struct dh_err *e);
void lmp_demo_free(struct lmp_demo *d);

/* A numeric rule; otherwise where there is none of that name. */
int64_t lmp_rule(const struct lmp_demo *d, const char *name, int64_t otherwise);
const struct lmp_field *lmp_field(const struct lmp_demo *d, const char *name); /* NULL: none */
/* What the footer says. NULL, otherwise: it does not. */
const struct lmp_option *lmp_option(const struct lmp_demo *d, const char *name);
const char *lmp_footer_text(const struct lmp_demo *d, const char *name);
int64_t lmp_footer_number(const struct lmp_demo *d, const char *name, int64_t otherwise);

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

/* The fields of an input, in all dialects; what a dialect does not have is 0. Meanings: lmp2dh(1), dh-dialects(7). */
enum lmp_column {
    LMP_FORWARD,
    LMP_SIDE,
    LMP_TURN,    /* 1/65536 of a circle, left is positive, whatever the file stores of it */
    LMP_BUTTONS, /* LMP_ATTACK | LMP_USE | LMP_PAUSE of button.h */
    LMP_WEAPON,  /* 0 none, 1 + the weapon's number */
    LMP_SAVE,    /* 0 none, 1 + the slot */
    LMP_SPARE,
    LMP_LOOK,
    LMP_FLY,
    LMP_ARTIFACT,
    LMP_ACTIONS,
    LMP_BUTTONS2,
    LMP_INVENTORY,
    LMP_SAVE_SLOT,
    LMP_LOAD_SLOT,
    LMP_ITEM,
    LMP_WEAPON_ID,
    LMP_WEAPON_SLOT,
    LMP_MOVES,
    LMP_PITCH,
    LMP_RANDOM,
    LMP_COLUMNS
};

struct lmp_walk {
    const struct lmp_demo *d;
    size_t at; /* the next command's first byte */
    int next;  /* index into present */
    uint32_t next_tick;
    uint32_t tick; /* of the input that was given */
    uint16_t slot;
    int32_t v[LMP_COLUMNS];
};

struct lmp_walk lmp_walk(const struct lmp_demo *d);
/* The next whole command; false after the last. */
bool lmp_next(struct lmp_walk *w);

#endif
