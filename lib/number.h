/* SPDX-License-Identifier: ISC */
/* number.h - numbers as text: integers, the shortest decimal of a binary fraction, 16.16 fixed point. */
#ifndef DH_NUMBER_H
#define DH_NUMBER_H

#include "dh.h"

void dh_text_unsigned(struct dh_buf *out, uint64_t v);
void dh_text_signed(struct dh_buf *out, int64_t v);
/* "0x" and at least digits hex digits, lower case. */
void dh_text_hex(struct dh_buf *out, uint64_t v, int digits);
/* "0x" and two digits a byte, in order. */
void dh_text_hexbytes(struct dh_buf *out, const uint8_t *p, size_t n);

/* From the bits of an IEEE 754 number: the shortest decimal that reads back to the same bits, the nearest where several
 * are as short; -0, inf, -inf, nan:BITS. Written as .NET writes it: an exponent (two digits or more, E, signed) where
 * the decimal point would be more than 7 (f64: 15) digits or all digits to the right, or more than four zeros to the
 * left. */
void dh_text_f32(struct dh_buf *out, uint32_t bits);
void dh_text_f64(struct dh_buf *out, uint64_t bits);

/* The same by way of the C library's conversions: slower, used outside the range of 128 bit arithmetic. */
void dh_text_float_slowly(struct dh_buf *out, uint64_t bits, bool wide);

/* The exact decimal of v / 65536. */
void dh_text_fix(struct dh_buf *out, int32_t v);

/* All of p's n bytes as a number; false where they are not one or it is out of range. p[n] has to be readable and no
 * part of a number. Unsigned also takes 0x and hex digits. fix rounds to the nearest, ties to even. */
bool dh_parse_unsigned(const char *p, size_t n, uint64_t max, uint64_t *v);
bool dh_parse_signed(const char *p, size_t n, int64_t min, int64_t max, int64_t *v);
bool dh_parse_f32(const char *p, size_t n, uint32_t *bits);
bool dh_parse_f64(const char *p, size_t n, uint64_t *bits);
bool dh_parse_fix(const char *p, size_t n, int32_t *v);
/* "0x" and two hex digits a byte appended to out. */
bool dh_parse_hexbytes(const char *p, size_t n, struct dh_buf *out);

#endif
