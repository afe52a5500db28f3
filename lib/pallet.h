/* SPDX-License-Identifier: ISC */
/*
 * pallet.h - pallets: folders of maps, found by id, with what they depend on (dh-map(5)).
 *
 * A pallet is a folder with a manifest pallet.dh and maps maps/NAME.dh-map. Its maps are named by barcodes:
 * PALLET-ID:maps/NAME.
 */
#ifndef DH_PALLET_H
#define DH_PALLET_H

#include "content.h"

#define DH_BARCODE_MAX 256 /* bytes with the terminator */

struct dh_pallets;

/* Look where pallets are: in the folders dirs (NULL-terminated; may be NULL), then in those of path (split at colons;
 * may be NULL: what DHPATH has is the caller's to give). Each is a pallet itself or a folder of pallets; the first of
 * an id is the one. A folder of dirs that is not there is an error, one of path is passed over. NULL with e filled. The
 * caller frees it. */
struct dh_pallets *dh_pallets_new(char *const *dirs, const char *path, struct dh_err *e);
void dh_pallets_free(struct dh_pallets *ps);

/* The barcode of a map by a name as people give it: a barcode, or the NAME of a map of any pallet. 0, or -1 with e
 * filled: there is none, or several pallets have one. */
int dh_pallets_map(const struct dh_pallets *ps, const char *name, char barcode[DH_BARCODE_MAX], struct dh_err *e);

/* Append the files of the pallet that a barcode names and of everything that it depends on to c, with role "pallet",
 * names "PALLET-ID:PATH", sorted by pallet id and path, and set c's closure hash: SHA-256 over the pallets sorted by
 * id, each as the lines "ID VERSION HASH\n", HASH being the SHA-256 in hex of the lines "PATH SHA256\n" of its files
 * sorted by path. 0, or -1 with e filled: a pallet or version is not there, a manifest is wrong. */
int dh_pallets_load(const struct dh_pallets *ps, struct dh_str barcode, struct dh_content *c, struct dh_err *e);

#endif
