/* SPDX-License-Identifier: ISC */
/* escape.h - strings of any bytes as text without white space, commas, equal signs and newlines, and back. */
#ifndef DH_ESCAPE_H
#define DH_ESCAPE_H

#include "dh.h"

/* As strsvisx(3) with VIS_OCTAL | VIS_WHITE | VIS_NOLOCALE and ",=". */
void dh_text_escaped(struct dh_buf *out, const char *p, size_t n);

/* Appends what the n bytes at p stand for; false where an escape is none that unvis(3) knows. */
bool dh_parse_escaped(struct dh_buf *out, const char *p, size_t n);

#endif
