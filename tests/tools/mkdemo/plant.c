/* SPDX-License-Identifier: ISC */
#include "mkdemo.h"

#include <stdio.h>
#include <stdlib.h>

enum { SAVE = 0x82, SLOT_SHIFT = 2, SAVE_SLOTS = 8 };

static uint8_t *read_all(size_t *n)
{
    uint8_t *p = NULL;
    size_t cap = 0;
    *n = 0;
    do {
        cap = cap * 2 + 65536;
        uint8_t *more = realloc(p, cap);
        if (!more)
            die("out of memory");
        p = more;
        *n += fread(p + *n, 1, cap - *n, stdin);
    } while (*n == cap);
    if (ferror(stdin))
        die("standard input: read error");
    return p;
}

/* The engine writes the file just before it runs the tic after the planted one: it holds the state after tic T (counted
 * from 0), and T must not be the last. The tic's command of player 1 loses what else its button byte held. A dead
 * player's button also reads as `use`, so that it comes back to life: in the executable too. */
void plant(const long *at, int n, bool idle)
{
    size_t size;
    uint8_t *p = read_all(&size);
    if (size < HEADER || (p[0] != LAST_VERSION && p[0] != LONG_TURNS) || !p[PRESENCE])
        die("standard input: no demo of version 109 or 111 with player 1 in it");
    int players = 0, command = p[0] == LONG_TURNS ? COMMAND + 1 : COMMAND;
    for (int i = 0; i < SLOTS; i++)
        players += p[PRESENCE + i] != 0;
    size_t tic = (size_t)players * (size_t)command;
    long tics = 0, last = -1;
    while (HEADER + (size_t)(tics + 1) * tic <= size && p[HEADER + (size_t)tics * tic] != END_MARKER)
        tics++;
    for (int i = 0, slot = 0; i < n; i++) {
        long t = at[i] > last ? at[i] : last + 1;
        while (idle && t < tics && p[HEADER + (size_t)t * tic + (size_t)command - 1])
            t++;
        if (t < 0 || t + 1 >= tics)
            break;
        p[HEADER + (size_t)t * tic + (size_t)command - 1] = (uint8_t)(SAVE | slot << SLOT_SHIFT);
        slot = (slot + 1) % SAVE_SLOTS;
        last = t;
        fprintf(stderr, "%ld\n", t);
    }
    fwrite(p, 1, size, stdout);
    free(p);
}
