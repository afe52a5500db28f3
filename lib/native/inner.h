/* SPDX-License-Identifier: ISC */
/*
 * inner.h - the structures of a running world, and what its parts offer each other.
 *
 *   world.c            the door that world.h describes; a tick's order
 *   pawn.c move.c      players: what an input does; walking, falling, steps
 *   door.c plate.c prop.c   the map's machinery
 *   contact.c          who touches whom: gathering planes, solving them, sliding along them
 *   shape.c tree.c     geometry; the broad phase
 *   member.c snapshot.c   the one list of what is state; states out and in
 *   map.c rules.c      what a map and a header say
 *   server.c log.c     what native.h offers; lines for people
 */
#ifndef NAT_INNER_H
#define NAT_INNER_H

#include "map.h"
#include "native.h"
#include "rules.h"
#include "tree.h"

#define NOBODY (-1)
#define FOREVER 0xffffffffu /* ticks since something that never was */
#define TOUCH 1e-5f         /* a push by more than this is a touch, by less it is rounding */
#define TOP_SPEED 100.0f    /* metres a second */

enum pawn_flag { GROUNDED = 1, CROUCHED = 2, NOCLIP = 4, SPRINTING = 8, JUMP_CONSUMED = 16 };

struct pawn {
    bool live;
    uint32_t wire;

    /* state: whatever a tick reads before it writes it (member.c) */
    uint16_t slot;
    struct v3 position, velocity, ground_normal;
    float yaw, pitch, height, eye_height;
    int32_t ground_body;
    uint32_t since_grounded, since_jump; /* since_jump: since the jump button went down */
    uint32_t prev_buttons;
    uint8_t flags;

    struct nat_input next, ran;
    bool given, has_run;
};

enum door_state { DOOR_CLOSED, DOOR_OPENING, DOOR_OPEN, DOOR_CLOSING };

struct door {
    int body; /* its authored index */
    const struct object *object;
    float step;     /* of phase, a tick */
    int pieces;     /* a tick's turn is made in so many, so that no corner jumps over anybody */
    uint32_t waits; /* ticks that it stays open by itself, 0: it does not close by itself */
    bool has_plates;

    /* state */
    float phase; /* 0 closed, 1 open */
    struct v3 position;
    struct quat rotation; /* both follow from phase */
    uint8_t state;
    int8_t direction; /* what phase did in the last tick: -1, 0, 1; 0 while it is blocked */
    uint32_t timer;   /* ticks until it closes */
};

struct plate {
    int body, door; /* door: index into doors */
    struct box box;
    struct bounds bounds;

    /* state */
    uint8_t pressed;
    uint64_t pawns; /* slots, bit by bit, that stand on it */
    uint32_t props; /* how many */
};

struct prop {
    int body;

    /* state */
    struct v3 position, velocity;
    int32_t ground_body;
    uint8_t resting;
    uint8_t still; /* ticks without a move */
};

/* Something solid of the map; its number is its authored index. */
struct body {
    uint8_t kind; /* enum object_kind; spawns and plates are no bodies */
    int part;     /* index into doors or props */
    struct box box;
    struct bounds bounds;
    float grip;
};

/* ---- contact.c --------------------------------------------------------------------------------------------------- */

#define MOST_CONTACTS 64

struct contact {
    struct plane plane;
    int body, shape; /* shape: always 0, a body has one */
    float push;      /* how far the solver moved the mover along the normal, because of this plane */
    bool floor;      /* while walking: a plane to walk on, not a wall */
    float into;      /* how fast the body moves along the normal */
};

/* Sorted by body, then shape: the order in which planes are solved changes the result. */
struct contacts {
    int n, seen; /* seen: with those that found no room */
    struct contact c[MOST_CONTACTS];
};

struct dh_world {
    struct map map;
    struct rules rules;
    const struct dh_schemas *schemas;
    float dt;

    struct body *bodies;  /* by authored index */
    struct tree tree;     /* of the boxes */
    int *movers, nmovers; /* bodies that move: doors and props, ascending */
    int *near;            /* scratch: candidates of a query */
    struct pawn pawns[NAT_SLOTS];
    struct door *doors;
    struct plate *plates;
    struct prop *props;
    struct v3 *put_back; /* scratch: of each prop, while a door tries to push it */
    int ndoors, nplates, nprops;
    int *spawns, nspawns;

    uint32_t tick;                  /* the one that runs */
    struct dh_world_events *events; /* NULL outside of a tick */
    struct contacts contacts;       /* scratch */
    uint32_t topics;                /* of the log */
    bool census_told;
    struct dh_world_events *noted; /* what was noted for the log since it was last asked for */
};

/* The planes within reach of a capsule. */
void nat_gather(struct dh_world *w, const struct capsule *c, float reach, struct contacts *out);

/* How planes that are too steep to stand on are taken: as they are; or, where a pawn must not get up them, as walls. */
enum manner {
    SLIDING, /* as they are */
    RISING,  /* in the air and on the way up: those that face upwards are walls, so that no run-up leads over them */
    WALKING, /* all are walls, and the others are floors */
};

/* Move a capsule by delta as far as the planes let it, along them where not; out of what it overlaps, too. c is moved;
 * last are the planes of the last step, with their pushes. */
void nat_slide(struct dh_world *w, struct capsule *c, struct v3 delta, enum manner manner, struct contacts *last);

/* Take out of a velocity what goes into the planes that pushed. */
struct v3 nat_clip(struct v3 v, const struct contacts *k);

/* How far a capsule can go up before it touches something. */
float nat_headroom(struct dh_world *w, const struct capsule *c, float far);

/* The ground below a capsule, at most far down: how far, or negative where there is none to stand on. *body and *at are
 * what it is. perched: the edge of a face that one can stand on counts as that face, however the capsule touches it; so
 * a step can be climbed slowly and a pawn stands at a ledge's very end. */
float nat_ground(struct dh_world *w, const struct capsule *c, float far, bool perched, int *body, struct plane *at);

/* How deep a capsule is in a body: 0 or more. */
float nat_depth(struct dh_world *w, const struct capsule *c);

/* A body's box has changed. */
void nat_body_moved(struct body *b);
/* The bodies that may meet the bounds, into w->near: how many. */
int nat_near(struct dh_world *w, const struct bounds *b);

/* Add a plane; of too many the nearest stay. */
void nat_contact_add(struct contacts *k, const struct contact *c);
void nat_contacts_sort(struct contacts *k);
/* The move nearest to target that no plane forbids. */
struct v3 nat_solve(struct contacts *k, struct v3 target);

/* ---- the parts --------------------------------------------------------------------------------------------------- */

struct capsule nat_pawn_capsule(const struct dh_world *w, const struct pawn *p);
void nat_pawn_tick(struct dh_world *w, struct pawn *p);
/* Walking and falling: from velocity to position. */
void nat_pawn_walk(struct dh_world *w, struct pawn *p);
void nat_pawn_fall(struct dh_world *w, struct pawn *p);

void nat_door_init(struct dh_world *w, struct door *d, int body);
void nat_door_place(struct dh_world *w, struct door *d);
void nat_door_tick(struct dh_world *w, struct door *d);
void nat_door_use(struct dh_world *w, struct door *d, int slot);
void nat_door_touch(struct dh_world *w, struct door *d, int slot);

void nat_plate_tick(struct dh_world *w, struct plate *p);

void nat_prop_tick(struct dh_world *w, struct prop *p);
/* Move a prop by delta as far as everything else lets it, and out of what it overlaps. */
void nat_prop_shift(struct dh_world *w, struct prop *p, struct v3 delta);
/* How deep it is in something: 0 or more. */
float nat_prop_depth(struct dh_world *w, const struct prop *p);
/* Somebody pushes it along a level direction of length 1, at that speed. */
void nat_prop_push(struct prop *p, struct v3 direction, float speed);
void nat_prop_place(struct dh_world *w, struct prop *p);

struct dh_buf *nat_event(struct dh_world *w, const char *what, int slot);

/* ---- state ------------------------------------------------------------------------------------------------------- */

int nat_snapshot(struct dh_world *w, int first_type, struct dh_state *st);
int nat_restore(struct dh_world *w, const struct dh_record *r, struct dh_err *e);
int nat_pawn_join(struct dh_world *w, const struct dh_record *r, struct dh_err *e);

/* ---- the log ----------------------------------------------------------------------------------------------------- */

enum topic { LOG_POSITIONS = 1, LOG_GROUND = 2, LOG_CONTACTS = 4 };

int nat_log_topics(struct dh_world *w, const char *topics, struct dh_err *e);
void nat_log_contacts(struct dh_world *w, const struct pawn *p, const struct contacts *k);
void nat_log(struct dh_world *w, uint32_t tick, struct dh_world_events *log);
void nat_log_free(struct dh_world *w);

#endif
