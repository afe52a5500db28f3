/* SPDX-License-Identifier: ISC */
/* chunk.h - the framing of the binary encoding, and telling what an input is from its first bytes. */
#ifndef DH_CHUNK_H
#define DH_CHUNK_H

#include "dh.h"

#define DH_MAGIC "DHDM"
enum { DH_MAGIC_SIZE = 8, DH_CHUNK_HEAD = 5, DH_SNIFF = 16 };

/* Magic and format version. */
void dh_chunk_magic(struct dh_buf *out);
void dh_chunk_head(struct dh_buf *out, uint8_t kind, uint32_t n);

/* The length in a chunk's head (5 bytes), checked against the kind's cap. */
int dh_chunk_length(const uint8_t *head, uint32_t *n, struct dh_err *e);

enum dh_sniffed { DH_SNIFFED_BINARY, DH_SNIFFED_TEXT, DH_SNIFFED_SHORT /* could become either */, DH_SNIFFED_OTHER };

/* From the first n bytes, DH_SNIFF or all there are. OTHER: e says what it looks like, and which tool reads that. */
enum dh_sniffed dh_sniff(const uint8_t *p, size_t n, struct dh_err *e);

#endif
