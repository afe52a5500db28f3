/* SPDX-License-Identifier: ISC */
/* Any bytes as a zip archive: each member is read to the size that the directory says, or refused. */
#include "fuzz.h"

#include "zip/zip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t out[4096];
    struct dh_buf b = {0};
    struct dh_err e;
    int fd = fuzz_file(data, size);
    struct zip *z = zip_open(fd, &e);

    for (size_t i = 0; z && i < zip_count(z); i++) {
        MUST(zip_find(z, zip_name(z, i)) <= (int64_t)i);
        if (zip_read(z, i, 1 << 20, &b, &e) == 0)
            MUST(b.n <= 1 << 20);
    }
    dh_buf_free(&b);
    zip_close(z);
    close(fd);
    (void)zip_inflate(data, size, out, size % sizeof out); /* few archives get as far as that */
    return 0;
}
