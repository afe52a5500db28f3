/* SPDX-License-Identifier: ISC */
/*
 * cuts: a recording that was cut short, at every byte there is.
 *
 *   cuts FILE
 *
 * Of each beginning of the file the reader has to give the records of its whole chunks, the same as of the whole file,
 * and then say that it ends early (status 1). Prints the number of beginnings; status 1 and the first that is read
 * otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dh.h"

static uint8_t *whole;
static size_t size;

static void load(const char *path)
{
    FILE *f = fopen(path, "rb");

    whole = malloc(16 << 20);
    if (!f || !whole) {
        fprintf(stderr, "cuts: %s cannot be read\n", path);
        exit(2);
    }
    size = fread(whole, 1, 16 << 20, f);
    fclose(f);
}

/* The whole chunks in the first n bytes: after the magic and the version, each a kind, a length and so many bytes. */
static size_t chunks(size_t n)
{
    size_t at = 8, count = 0;

    while (at + 5 <= n) {
        size_t length = whole[at + 1] | whole[at + 2] << 8 | whole[at + 3] << 16 | (size_t)whole[at + 4] << 24;
        if (length > n - at - 5)
            break;
        at += 5 + length;
        count++;
    }
    return count;
}

/* One beginning, from a file of its own. */
static bool is_read(size_t n, FILE *f)
{
    const struct dh_record *rec;
    size_t at = 8, count = 0;
    int got = -1;

    if (ftruncate(fileno(f), 0) < 0 || pwrite(fileno(f), whole, n, 0) != (ssize_t)n)
        return false;
    lseek(fileno(f), 0, SEEK_SET);
    struct dh_reader *r = dh_reader_new(fileno(f));
    if (dh_reader_stream(r) > 0)
        while ((got = dh_read(r, &rec)) > 0) {
            if (memcmp(rec->payload, whole + at + 5, rec->len) != 0)
                break;
            at += 5 + rec->len;
            count++;
        }
    int status = got < 0 ? dh_reader_error(r)->status : DH_OK;
    dh_reader_free(r);
    if (status == DH_INCOMPLETE && count == chunks(n))
        return true;
    printf("cut after %zu bytes: status %d, %zu records of %zu\n", n, status, count, chunks(n));
    return false;
}

int main(int argc, char **argv)
{
    FILE *f = tmpfile();

    if (argc != 2 || !f)
        return 2;
    load(argv[1]);
    for (size_t n = 0; n < size; n++)
        if (!is_read(n, f))
            return 1;
    printf("%zu\n", size);
    return 0;
}
