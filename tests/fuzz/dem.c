/* SPDX-License-Identifier: ISC */
/* Any bytes as a Blood demo: what dem2dh accepts, whole or cut short, dh2dem gives back byte for byte, with the same
 * status. */
#include "fuzz.h"

#include "dem/dem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one(const uint8_t *data, size_t size, enum dh_encoding encoding)
{
    int demo = fuzz_file(data, size), stream = fuzz_file("", 0), back = fuzz_file("", 0);
    struct dh_writer *w = dh_writer_new(stream, encoding, false);
    struct dh_err e;

    MUST(w);
    int status = dem_to_dh(demo, w, NULL, NULL, &e) < 0 ? e.status : DH_OK;
    MUST(dh_writer_free(w, &e) == 0);

    if (lseek(stream, 0, SEEK_END) > 0) {
        MUST(status == DH_OK || status == DH_INCOMPLETE);
        MUST(lseek(stream, 0, SEEK_SET) == 0);
        struct dh_reader *r = dh_reader_new(stream);
        MUST(r);
        int again = dh_to_dem(r, back, &e) < 0 ? e.status : DH_OK;
        dh_reader_free(r);
        MUST(again == status);
        MUST(fuzz_same(demo, back));
    } else {
        MUST(status != DH_OK);
    }
    close(demo);
    close(stream);
    close(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    one(data, size, DH_TEXT);
    one(data, size, DH_BINARY);
    return 0;
}
