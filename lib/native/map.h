/* SPDX-License-Identifier: ISC */
/*
 * map.h - a map as its author wrote it (dh-map(5)), and the surfaces of its pallets.
 *
 * An object's index, which bodies and entities are known by, is its place among the objects of the map, from 0.
 */
#ifndef NAT_MAP_H
#define NAT_MAP_H

#include "native.h"
#include "shape.h"

enum object_kind { OBJ_BOX, OBJ_SPAWN, OBJ_DOOR, OBJ_PLATE, OBJ_PROP, OBJ_KINDS };

enum motion { MOTION_SLIDE, MOTION_HINGE };

enum opens { OPENS_USE = 1, OPENS_TOUCH = 2 };

struct object {
    uint8_t kind;
    unsigned long line;
    struct v3 center, half; /* a spawn's position is its center */
    struct quat rotation;
    int surface; /* number in the map's list, -1: the plain one */

    float yaw; /* of a spawn */

    /* of a door */
    char name[64];
    uint8_t motion;
    uint8_t opens;   /* bits of enum opens */
    struct v3 slide; /* from closed to open */
    struct v3 pivot;
    float turn; /* from closed to open, about the vertical through pivot */
    float seconds, wait;

    int target; /* of a plate: the door's index */
};

struct surface {
    char name[64];
    float grip;
};

struct map {
    char name[128];
    int nobjects, count[OBJ_KINDS];
    struct object *objects;
    int nsurfaces;
    struct surface *surfaces; /* sorted by name */
};

/* 0, or -1 with e filled: there is no such map among the files, or one of them is wrong (its name, the line, what). */
int nat_map_load(struct map *m, const struct dh_file *files, int nfiles, struct dh_str barcode, struct dh_err *e);
void nat_map_free(struct map *m);

const char *nat_object_name(int kind);

#endif
