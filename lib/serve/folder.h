/* SPDX-License-Identifier: ISC */
/*
 * folder.h - where recordings go.
 */
#ifndef SRV_FOLDER_H
#define SRV_FOLDER_H

#include "dh.h"

#define SRV_PATH_MAX 4096

/* Create the file of a recording; an existing one is never touched. name: a path where it has a slash; otherwise a
 * name in the user's folder for recordings (dh/demos below XDG_DATA_HOME, or ~/.local/share), which gets .dh-demo
 * at its end unless it has it; NULL or empty: MAP-yyyyMMdd-HHmmss.dh-demo there, by local time. The descriptor; -1 with
 * e filled. path: what it is called. */
int srv_folder_create(const char *name, const char *map, char path[SRV_PATH_MAX], struct dh_err *e);

#endif
