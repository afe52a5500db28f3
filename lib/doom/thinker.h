/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thinker.h - what the files of the thinkers' life share: their memory, their turns, their end. */
#ifndef DOOM_THINKER_H
#define DOOM_THINKER_H

#include "play.h"

/* pool.c: a zeroed thinker of the kind's size that is in no list, NULL where there is no memory; and back */
void *pool_take(struct doom *d, int kind);
void pool_give(struct doom *d, int kind, void *thinker);
void pool_free_all(struct doom *d);

/* gone.c: mobjs that are out of the roster while something may still point at them */
void gone_init(struct doom *d);
void gone_add(struct doom *d, struct mobj *mo);
void gone_sweep(struct doom *d); /* frees, where it is time for it, those that nothing points at */

#endif
