/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as a demo file. What is taken as one, whole or cut short, comes back byte for byte.
 */
#include "fuzz.h"

#include "dh.h"
#include "lmp/lmp.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    int in = fuzz_file(p, n), stream = fuzz_file("", 0), out = fuzz_file("", 0);
    struct dh_err e = {0};
    struct dh_writer *w = dh_writer_new(stream, n > 0 && p[n - 1] & 1 ? DH_TEXT : DH_BINARY, false);

    MUST(w != NULL);
    int r = lmp_to_dh(in, LMP_TO_END, w, &e);
    MUST(dh_writer_free(w, NULL) == 0);
    MUST(r == 0 || (r == -1 && (e.status == DH_INCOMPLETE || e.status == DH_TROUBLE)));

    /* A header cut short is incomplete too, and nothing is written of it. */
    if ((r == 0 || e.status == DH_INCOMPLETE) && lseek(stream, 0, SEEK_END) > 0) {
        int want = r;

        MUST(lseek(stream, 0, SEEK_SET) == 0);
        struct dh_reader *rd = dh_reader_new(stream);
        MUST(rd != NULL && dh_reader_stream(rd) == 1);
        r = dh_to_lmp(rd, out, false, &e);
        MUST(r == want && (r == 0 || e.status == DH_INCOMPLETE));
        MUST(fuzz_same(in, out));
        dh_reader_free(rd);
    }
    close(out);
    close(stream);
    close(in);
    return 0;
}
