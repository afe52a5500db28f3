/* SPDX-License-Identifier: ISC */
/* Any bytes as a demo of any format: every row prints, in all three ways, and a file that gives none has failed. */
#include "fuzz.h"

#include "info/info.h"
#include "walk/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct dh_buf out;
static int rows, failures;

static int give(void *ctx, const struct row *i)
{
    (void)ctx;
    rows++;
    dh_buf_clear(&out);
    row_block(&out, i);
    row_tsv(&out, i);
    row_json(&out, i);
    for (size_t k = 0; k < out.n; k++) /* no control character gets through but what the rows are made of */
        MUST(out.p[k] >= 0x20 || out.p[k] == '\n' || out.p[k] == '\t');
    return 0;
}

static void fail(void *ctx, const char *name, const struct dh_err *e)
{
    (void)ctx;
    (void)name;
    MUST(e->status == DH_INCOMPLETE || e->status == DH_TROUBLE);
    failures++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct info_how how = {.give = give, .fail = fail};
    const struct walk_found f = {.name = "fuzz", .fd = -1, .sort = walk_sort_of(data, size), .p = data, .n = size};

    rows = failures = 0;
    int status = info_found(&f, &how);
    MUST((status == DH_OK) == (failures == 0));
    MUST(rows > 0 || failures > 0);
    return 0;
}
