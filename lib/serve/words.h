/* SPDX-License-Identifier: ISC */
/* words.h - lines to write: KIND [TICK [SUBJECT]] KEY=VALUE ..., as in dh-text(5). */
#ifndef SRV_WORDS_H
#define SRV_WORDS_H

#include "dh.h"

void srv_line(struct dh_buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3))); /* begins one: b is emptied */
void srv_add(struct dh_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void srv_add_text(struct dh_buf *b, const char *key, const char *text); /* " key=text", escaped */
void srv_add_vector(struct dh_buf *b, const char *key, const float v[3]);

#endif
