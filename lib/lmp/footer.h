/* SPDX-License-Identifier: ISC */
/* footer.h - what ports write behind the end marker, and what it says. */
#ifndef LMP_FOOTER_H
#define LMP_FOOTER_H

#include <sys/types.h>

#include <md5.h>

#include "lmp/demo.h"

struct lmp_options {
    struct lmp_option *v;
    int n, cap;
    bool failed; /* out of memory: some are missing */
};

void lmp_options_text(struct lmp_options *o, const char *name, const char *p, size_t n);
void lmp_options_number(struct lmp_options *o, const char *name, int type, int64_t v);
const struct lmp_option *lmp_options_find(const struct lmp_options *o, const char *name);
void lmp_options_free(struct lmp_options *o);

/* The options as a schema, and as its block. */
void lmp_options_schema(const struct lmp_options *o, struct dh_buf *out);
void lmp_options_block(const struct lmp_options *o, struct dh_buf *out);

/* dsda's lump FEATURES: which features of the port were used, and the MD5 of the demo, its marker, and those bits. */
struct lmp_signed {
    bool is_signed;
    uint8_t features[32];
    size_t nfeatures;
    char md5[33]; /* as it stands there: 32 hexadecimal digits, where nothing is wrong with it */
};

/* Read what follows the marker. s may be NULL. */
enum lmp_footer lmp_footer_read(const uint8_t *p, size_t n, struct lmp_options *o, struct lmp_signed *s);

/* Whether the demo (its marker included), of which this is the sum so far, is the one that was signed. */
bool lmp_signature_fits(const struct lmp_signed *s, const MD5_CTX *demo);

/* The options that a command line sets, by the names of dh-dialects(7). */
void lmp_cmdline_read(struct lmp_options *o, const char *p, size_t n);

#endif
