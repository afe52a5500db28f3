/* SPDX-License-Identifier: ISC */
#include "map.h"

#include <stdlib.h>

#include "../line.h"

#define MOST_OBJECTS 1000000
#define MOST_OF_A_KIND 4096 /* of other kinds than boxes: those are gone through one by one, every tick */
#define FAR 100000.0f       /* metres; beyond it f32 has no centimetres */

static const char *const kinds[] = {"box", "spawn", "door", "plate", "prop"};

const char *nat_object_name(int kind)
{
    return kinds[kind];
}

/* ---- what the lines hold ----------------------------------------------------------------------------------------- */

static bool within(struct v3 v, float lo, float hi)
{
    return v.x >= lo && v.x <= hi && v.y >= lo && v.y <= hi && v.z >= lo && v.z <= hi;
}

/* 1, 0 where the key is not there, -1. */
static int vector(struct dh_line *l, const char *key, bool must, float lo, float hi, struct v3 *v, struct dh_err *e)
{
    float f[3];
    int n = dh_line_numbers(l, key, f, 3, 3, e);

    if (n < 0 || (n == 0 && !must))
        return n;
    if (n == 0)
        return dh_line_fail(l, e, "expected %s=X,Y,Z", key);
    *v = v3(f[0], f[1], f[2]);
    if (!within(*v, lo, hi))
        return dh_line_fail(l, e, "%s: expected numbers from %g to %g", key, (double)lo, (double)hi);
    return 1;
}

static int number(struct dh_line *l, const char *key, bool must, float lo, float hi, float *v, struct dh_err *e)
{
    int n = dh_line_numbers(l, key, v, 1, 1, e);

    if (n < 0 || (n == 0 && !must))
        return n;
    if (n == 0)
        return dh_line_fail(l, e, "expected %s=NUMBER", key);
    if (!(*v >= lo && *v <= hi))
        return dh_line_fail(l, e, "%s: expected a number from %g to %g", key, (double)lo, (double)hi);
    return 1;
}

/* Four numbers are a quaternion, three a rotation vector. */
static int rotation(struct dh_line *l, struct quat *q, struct dh_err *e)
{
    float f[4];
    int n = dh_line_numbers(l, "rotation", f, 3, 4, e);

    *q = (struct quat){0.0f, 0.0f, 0.0f, 1.0f};
    if (n <= 0)
        return n;
    if (n == 3) {
        struct v3 v = v3(f[0], f[1], f[2]);
        if (!within(v, -100.0f, 100.0f))
            return dh_line_fail(l, e, "rotation: expected radians from -100 to 100");
        *q = nat_rotation(v);
        return 1;
    }
    float length = sqrtf(f[0] * f[0] + f[1] * f[1] + f[2] * f[2] + f[3] * f[3]);
    if (!(length > 0.5f && length < 2.0f))
        return dh_line_fail(l, e, "rotation: expected a quaternion of length 1");
    *q = (struct quat){f[0] / length, f[1] / length, f[2] / length, f[3] / length};
    return 1;
}

static int find_surface(const struct map *m, const char *name)
{
    for (int i = 0; i < m->nsurfaces; i++)
        if (strcmp(m->surfaces[i].name, name) == 0)
            return i;
    return -1;
}

static int solid(struct map *m, struct dh_line *l, struct object *o, bool rotates, struct dh_err *e)
{
    char name[64];
    int rc;

    if (vector(l, "center", true, -FAR, FAR, &o->center, e) < 0 ||
        vector(l, "half", true, 0.001f, FAR, &o->half, e) < 0 || (rotates && rotation(l, &o->rotation, e) < 0))
        return -1;
    if (o->kind == OBJ_PLATE)
        return 0;
    if ((rc = dh_line_string(l, "surface", name, sizeof name, e)) <= 0)
        return rc;
    o->surface = find_surface(m, name);
    return o->surface < 0 ? dh_line_fail(l, e, "surface: no pallet of the closure has a surface '%s'", name) : 0;
}

static bool word(struct dh_str s, const char *w)
{
    return s.n == strlen(w) && memcmp(s.p, w, s.n) == 0;
}

static int opens(struct dh_line *l, struct object *o, struct dh_err *e)
{
    struct dh_str v;

    if (!dh_line_value(l, "opens", &v))
        return 0;
    for (const char *p = v.p, *end = v.p + v.n; p <= end;) {
        const char *comma = p < end ? memchr(p, ',', (size_t)(end - p)) : NULL;
        struct dh_str w = {p, (size_t)((comma ? comma : end) - p)};
        if (word(w, "use"))
            o->opens |= OPENS_USE;
        else if (word(w, "touch"))
            o->opens |= OPENS_TOUCH;
        else
            return dh_line_fail(l, e, "opens: expected use, touch or both, with a comma between");
        p = (comma ? comma : end) + 1;
    }
    return 0;
}

static int door(struct map *m, struct dh_line *l, struct object *o, struct dh_err *e)
{
    char motion[8];

    if (solid(m, l, o, true, e) < 0 || dh_line_string(l, "name", o->name, sizeof o->name, e) < 0 || opens(l, o, e) < 0)
        return -1;
    if (dh_line_string(l, "motion", motion, sizeof motion, e) < 0)
        return -1;
    if (strcmp(motion, "slide") == 0) {
        o->motion = MOTION_SLIDE;
        if (vector(l, "travel", true, -1000.0f, 1000.0f, &o->slide, e) < 0)
            return -1;
    } else if (strcmp(motion, "hinge") == 0) {
        o->motion = MOTION_HINGE;
        if (vector(l, "pivot", true, -FAR, FAR, &o->pivot, e) < 0 ||
            number(l, "travel", true, -6.3f, 6.3f, &o->turn, e) < 0)
            return -1;
    } else
        return dh_line_fail(l, e, "expected motion=slide or motion=hinge");
    if (number(l, "seconds", true, 0.05f, 3600.0f, &o->seconds, e) < 0 ||
        number(l, "wait", false, 0.0f, 3600.0f, &o->wait, e) < 0)
        return -1;
    return 0;
}

static int read_object(struct map *m, struct dh_line *l, struct object *o, struct dh_err *e)
{
    char target[64];

    switch (o->kind) {
    case OBJ_SPAWN:
        if (vector(l, "position", true, -FAR, FAR, &o->center, e) < 0)
            return -1;
        return number(l, "yaw", false, -7.0f, 7.0f, &o->yaw, e);
    case OBJ_DOOR:
        return door(m, l, o, e);
    case OBJ_PLATE:
        if (solid(m, l, o, true, e) < 0 || dh_line_string(l, "target", target, sizeof target, e) < 0)
            return -1;
        return *target ? 0 : dh_line_fail(l, e, "expected target=DOOR-NAME");
    default:
        return solid(m, l, o, o->kind == OBJ_BOX, e);
    }
}

/* ---- the files --------------------------------------------------------------------------------------------------- */

static const struct dh_file *find_file(const struct dh_file *files, int n, struct dh_str barcode)
{
    static const char suffix[] = ".dh-map";

    for (int i = 0; i < n; i++)
        if (strlen(files[i].name) == barcode.n + strlen(suffix) && memcmp(files[i].name, barcode.p, barcode.n) == 0 &&
            strcmp(files[i].name + barcode.n, suffix) == 0)
            return &files[i];
    return NULL;
}

static int add_surface(struct map *m, struct dh_line *l, struct dh_err *e)
{
    struct surface s = {.grip = 1.0f};
    int at = m->nsurfaces;

    if (dh_line_string(l, "name", s.name, sizeof s.name, e) < 0 ||
        number(l, "grip", true, 0.0f, 100.0f, &s.grip, e) < 0 || dh_line_done(l, e) < 0)
        return -1;
    for (const char *p = s.name; *p || p == s.name; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '-' ||
              *p == '_'))
            return dh_line_fail(l, e, "expected name= of letters, digits, - and _");
    if (find_surface(m, s.name) >= 0)
        return dh_line_fail(l, e, "the surface '%s' is there twice in the closure", s.name);
    struct surface *grown = realloc(m->surfaces, (size_t)(m->nsurfaces + 1) * sizeof *grown);
    if (!grown)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    m->surfaces = grown;
    for (; at > 0 && strcmp(grown[at - 1].name, s.name) > 0; at--)
        grown[at] = grown[at - 1];
    grown[at] = s;
    m->nsurfaces++;
    return 0;
}

static bool is_manifest(const struct dh_file *f)
{
    static const char suffix[] = ":pallet.dh";
    size_t n = strlen(f->name);

    return strcmp(f->role, NAT_ROLE) == 0 && n > strlen(suffix) && strcmp(f->name + n - strlen(suffix), suffix) == 0;
}

/* The rest of a manifest is for those who look for pallets. */
static int load_surfaces(struct map *m, const struct dh_file *files, int nfiles, struct dh_err *e)
{
    for (int i = 0; i < nfiles; i++) {
        struct dh_lines ls = dh_lines(files[i].name, files[i].bytes, files[i].size);
        struct dh_line l;
        int got = 0;
        while (is_manifest(&files[i]) && (got = dh_line_next(&ls, &l, e)) > 0)
            if (dh_line_is(&l, "surface") && add_surface(m, &l, e) < 0)
                return -1;
        if (got < 0)
            return -1;
    }
    return 0;
}

static int begin(struct map *m, struct dh_lines *ls, struct dh_err *e)
{
    struct dh_line l;
    int got = dh_line_next(ls, &l, e);

    if (got < 0)
        return -1;
    if (got == 0)
        return dh_fail(e, DH_TROUBLE, "%s: no line: expected `map name=...`", ls->file);
    if (!dh_line_is(&l, "map"))
        return dh_line_fail(&l, e, "expected `map name=...`, found '%.*s'", (int)(l.kind.n < 40 ? l.kind.n : 40),
                            l.kind.p);
    if (dh_line_string(&l, "name", m->name, sizeof m->name, e) < 0 || dh_line_done(&l, e) < 0)
        return -1;
    return *m->name ? 0 : dh_line_fail(&l, e, "expected name=NAME");
}

static int add_object(struct map *m, int *cap, struct dh_line *l, struct dh_err *e)
{
    int kind = 0;

    while (kind < (int)(sizeof kinds / sizeof *kinds) && !dh_line_is(l, kinds[kind]))
        kind++;
    if (kind == (int)(sizeof kinds / sizeof *kinds))
        return dh_line_fail(l, e, "expected box, spawn, door, plate or prop, found '%.*s'",
                            (int)(l->kind.n < 40 ? l->kind.n : 40), l->kind.p);
    if (m->nobjects == MOST_OBJECTS)
        return dh_line_fail(l, e, "more than %d objects", MOST_OBJECTS);
    if (kind != OBJ_BOX && m->count[kind]++ == MOST_OF_A_KIND)
        return dh_line_fail(l, e, "more than %d objects of the kind '%s'", MOST_OF_A_KIND, kinds[kind]);
    if (m->nobjects == *cap) {
        int grown = *cap ? *cap * 2 : 64;
        struct object *objects = realloc(m->objects, (size_t)grown * sizeof *objects);
        if (!objects)
            return dh_fail(e, DH_TROUBLE, "out of memory");
        m->objects = objects;
        *cap = grown;
    }
    struct object *o = &m->objects[m->nobjects];
    memset(o, 0, sizeof *o);
    o->kind = (uint8_t)kind;
    o->line = l->of->number;
    o->surface = -1;
    o->target = -1;
    o->rotation.w = 1.0f;
    if (read_object(m, l, o, e) < 0 || dh_line_done(l, e) < 0)
        return -1;
    m->nobjects++;
    return 0;
}

/* A plate may stand before its door, so its target is looked up when all objects are known. */
static int find_targets(struct map *m, const struct dh_file *f, struct dh_err *e)
{
    struct dh_lines ls = dh_lines(f->name, f->bytes, f->size);
    struct dh_line l;
    int i = -1;

    while (dh_line_next(&ls, &l, e) > 0) {
        char name[64];
        if (i++ < 0 || !dh_line_is(&l, "plate"))
            continue;
        if (dh_line_string(&l, "target", name, sizeof name, e) < 0)
            return -1;
        struct object *plate = &m->objects[i - 1];
        for (int k = 0; k < m->nobjects; k++) {
            if (m->objects[k].kind != OBJ_DOOR || strcmp(m->objects[k].name, name) != 0)
                continue;
            if (plate->target >= 0)
                return dh_line_fail(&l, e, "target: there are several doors of the name '%s'", name);
            plate->target = k;
        }
        if (plate->target < 0)
            return dh_line_fail(&l, e, "target: there is no door of the name '%s'", name);
    }
    return 0;
}

int nat_map_load(struct map *m, const struct dh_file *files, int nfiles, struct dh_str barcode, struct dh_err *e)
{
    const struct dh_file *f = find_file(files, nfiles, barcode);
    struct dh_line l;
    int cap = 0, got;

    memset(m, 0, sizeof *m);
    if (barcode.n == 0)
        return dh_fail(e, DH_TROUBLE, "header: expected the barcode of a map (PALLET-ID:maps/NAME), found none");
    if (!f)
        return dh_fail(e, DH_TROUBLE, "no map %.*s among the files of the pallets",
                       (int)(barcode.n < 200 ? barcode.n : 200), barcode.p);
    struct dh_lines ls = dh_lines(f->name, f->bytes, f->size);
    if (load_surfaces(m, files, nfiles, e) < 0 || begin(m, &ls, e) < 0)
        goto fail;
    while ((got = dh_line_next(&ls, &l, e)) > 0)
        if (add_object(m, &cap, &l, e) < 0)
            goto fail;
    if (got < 0 || find_targets(m, f, e) < 0)
        goto fail;
    if (m->count[OBJ_SPAWN] > 0)
        return 0;
    dh_fail(e, DH_TROUBLE, "%s: no spawn: expected at least one", f->name);
fail:
    nat_map_free(m);
    return -1;
}

void nat_map_free(struct map *m)
{
    free(m->objects);
    free(m->surfaces);
    memset(m, 0, sizeof *m);
}
