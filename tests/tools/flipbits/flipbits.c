/* SPDX-License-Identifier: ISC */
/*
 * flipbits - a stream once for every bit of its checkpoints' fields, with that bit flipped.
 *
 * flipbits [-s STEP] LIST TICK... <stream >streams
 *
 * Of the checkpoints at these ticks every STEPth bit (default: every bit) of every entity's field is flipped, one at a
 * time; the stream goes out for each, binary. LIST gets a line each: "tick TYPE@ID field FLIPPED TRUE".
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keep.h"

static struct dh_reader *in;
static struct dh_writer *out;
static struct dh_keeps all;
static FILE *list;

static void emit(void)
{
    if (dh_writer_stream(out) < 0)
        errx(2, "%s", dh_writer_error(out)->msg);
    for (size_t i = 0; i < all.n; i++)
        if (dh_write(out, &all.items[i].rec) < 0)
            errx(2, "%s", dh_writer_error(out)->msg);
}

static void value(const struct dh_field *f, const uint8_t *p, size_t n)
{
    struct dh_buf b = {0};

    dh_value_text(&b, dh_reader_schemas(in), f, p, n);
    fprintf(list, " %.*s", (int)b.n, (const char *)b.p);
    dh_buf_free(&b);
}

static void flip_field(const struct dh_record *r, const struct dh_entity *en, int i, unsigned long step,
                       unsigned long *count)
{
    const struct dh_schemas *s = dh_reader_schemas(in);
    const struct dh_etype *t = &s->types[en->type];
    const struct dh_field *f = &t->schema->fields[i];
    size_t n;
    uint8_t *p = (uint8_t *)(uintptr_t)dh_block_field(t->schema, en->block, en->n, i, &n);

    for (size_t bit = 0; bit < n * 8; bit++) {
        if ((*count)++ % step != 0)
            continue;
        p[bit / 8] ^= (uint8_t)(1u << bit % 8);
        fprintf(list, "%lu %s@%llu %s", (unsigned long)r->tick, t->name, (unsigned long long)en->id, f->name);
        value(f, p, n);
        emit();
        p[bit / 8] ^= (uint8_t)(1u << bit % 8);
        value(f, p, n);
        fputc('\n', list);
    }
}

int main(int argc, char **argv)
{
    const struct dh_record *rec;
    unsigned long step = 1, count = 0;
    int got;

    if (argc > 2 && strcmp(argv[1], "-s") == 0) {
        step = strtoul(argv[2], NULL, 10);
        argv += 2;
        argc -= 2;
    }
    if (argc < 3 || step == 0 || !(list = fopen(argv[1], "w")))
        errx(2, "usage: flipbits [-s STEP] LIST TICK... <stream >streams");
    in = dh_reader_new(STDIN_FILENO);
    out = dh_writer_new(STDOUT_FILENO, DH_BINARY, false);
    if (dh_reader_stream(in) != 1)
        errx(2, "no stream");
    while ((got = dh_read(in, &rec)) > 0)
        if (dh_keeps_add(&all, rec) < 0)
            errx(2, "out of memory");
    if (got < 0)
        errx(2, "%s", dh_reader_error(in)->msg);
    for (int a = 2; a < argc; a++)
        for (size_t i = 0; i < all.n; i++) {
            const struct dh_record *r = &all.items[i].rec;
            if (r->kind != DH_CHECKPOINT || r->tick != strtoul(argv[a], NULL, 10))
                continue;
            struct dh_cur c = dh_cur(r->u.state.entities, r->u.state.entities_n);
            for (struct dh_entity en; dh_entity_next(dh_reader_schemas(in), &c, &en);)
                for (int f = 0; f < dh_reader_schemas(in)->types[en.type].schema->nfields; f++)
                    flip_field(r, &en, f, step, &count);
        }
    fclose(list);
    return dh_writer_free(out, NULL) < 0 ? 2 : 0;
}
