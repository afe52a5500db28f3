/* SPDX-License-Identifier: ISC */
/*
 * Any bytes into the reader. What it accepts as whole binary streams comes back byte for byte through the text; what it
 * accepts as text is canonical after one turn, and stays so.
 */
#include "fuzz.h"

#include "dh.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Copies all streams of a file, in an encoding, to a new file. -1 where the input is not whole. */
static int recode(int fd, enum dh_encoding encoding, bool *was_text)
{
    int out = fuzz_file("", 0), got;
    struct dh_reader *r = dh_reader_new(fd);
    struct dh_writer *w = dh_writer_new(out, encoding, false);
    const struct dh_record *rec;

    MUST(r != NULL && w != NULL && lseek(fd, 0, SEEK_SET) == 0);
    while ((got = dh_reader_stream(r)) == 1) {
        *was_text = dh_reader_is_text(r);
        MUST(dh_writer_stream(w) == 0);
        while ((got = dh_read(r, &rec)) == 1)
            MUST(dh_write(w, rec) == 0);
        if (got < 0)
            break;
    }
    MUST(dh_writer_free(w, NULL) == 0);
    if (got < 0) {
        MUST(dh_reader_error(r)->status == DH_INCOMPLETE || dh_reader_error(r)->status == DH_TROUBLE);
        close(out);
        out = -1;
    }
    dh_reader_free(r);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    bool text = false, ignored;
    int in = fuzz_file(p, n), there = recode(in, DH_BINARY, &text);

    if (there >= 0) {
        int middle = recode(there, DH_TEXT, &ignored);
        MUST(middle >= 0);
        int back = recode(middle, DH_BINARY, &ignored);
        MUST(back >= 0 && fuzz_same(there, back));
        if (!text)
            MUST(fuzz_same(in, there));
        close(back);
        close(middle);
        close(there);
    }
    close(in);
    return 0;
}
