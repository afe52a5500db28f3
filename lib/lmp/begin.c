/* SPDX-License-Identifier: ISC */
#include "lmp/begin.h"

#include <string.h>

#include "lmp/command.h"
#include "lmp/footer.h"
#include "lmp/header.h"
#include "lmp/lmp.h"

static struct lmp_fields rules_of(const struct lmp_demo *d)
{
    return (struct lmp_fields){d->fields, d->nfields, 0};
}

static struct lmp_options options_of(const struct lmp_demo *d)
{
    return (struct lmp_options){d->options, d->noptions, 0, false};
}

/* ---- schemas ----------------------------------------------------------------------------------------------------- */

struct listing {
    int (*fn)(void *ctx, const char *subject, const char *fields);
    void *ctx;
    struct dh_buf text;
    struct dh_err *e;
};

static int give(struct listing *l, const char *subject)
{
    dh_put_u8(&l->text, 0);
    int rc =
        l->text.failed ? dh_fail(l->e, DH_TROUBLE, "out of memory") : l->fn(l->ctx, subject, (const char *)l->text.p);
    dh_buf_clear(&l->text);
    return rc;
}

static int each(struct listing *l, const struct lmp_demo *d)
{
    const struct lmp_fields rules = rules_of(d);
    const struct lmp_options options = options_of(d);
    const char *join = d->dialect->layout->join;
    int rc;

    lmp_fields_schema(&rules, &l->text);
    if ((rc = give(l, "rule")) != 0)
        return rc;
    lmp_options_schema(&options, &l->text);
    if (options.n > 0 && (rc = give(l, "option")) != 0)
        return rc;
    dh_put_bytes(&l->text, d->command->schema, strlen(d->command->schema));
    if ((rc = give(l, "input")) != 0 || !join)
        return rc;
    dh_put_bytes(&l->text, join, strlen(join));
    return give(l, "join");
}

int lmp_each_schema(const struct lmp_demo *d, int (*fn)(void *ctx, const char *subject, const char *fields), void *ctx,
                    struct dh_err *e)
{
    struct listing l = {.fn = fn, .ctx = ctx, .e = e};
    int rc = each(&l, d);

    dh_buf_free(&l.text);
    return rc;
}

/* ---- the header -------------------------------------------------------------------------------------------------- */

static struct dh_str str(const char *s)
{
    return (struct dh_str){s, s ? strlen(s) : 0};
}

static struct dh_str text_of(const struct lmp_demo *d, const char *rule)
{
    const struct lmp_field *f = lmp_field(d, rule);

    return f && f->type == DH_STR ? f->text : str("");
}

int lmp_header(const struct lmp_demo *d, struct dh_header *h, struct dh_buf *rules, struct dh_buf *options,
               struct dh_err *e)
{
    const struct lmp_fields fields = rules_of(d);
    const struct lmp_options o = options_of(d);

    lmp_fields_block(&fields, rules);
    lmp_options_block(&o, options);
    if (rules->failed || options->failed)
        return dh_fail(e, DH_TROUBLE, "out of memory");
    *h = (struct dh_header){
        .game = str(d->game),
        .map = text_of(d, "map"),
        .engine = str(lmp_footer_text(d, "port")),
        .rate = LMP_RATE,
        .interval = LMP_INTERVAL,
        .fresh = !d->head,
        .rules = rules->p,
        .rules_n = rules->n,
        .options = options->p,
        .options_n = options->n,
    };
    return 0;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

struct adding {
    struct dh_schemas *to;
    struct dh_err *e;
};

static int add(void *ctx, const char *subject, const char *fields)
{
    const struct adding *a = ctx;

    return dh_schemas_add(a->to, subject, fields, a->e);
}

int lmp_begin(struct lmp_beginning *b, const struct lmp_demo *d, struct dh_err *e)
{
    memset(b, 0, sizeof *b);
    b->schemas = dh_schemas_new();
    struct adding a = {b->schemas, e};
    int rc = b->schemas ? lmp_each_schema(d, add, &a, e) : dh_fail(e, DH_TROUBLE, "out of memory");
    if (rc == 0)
        rc = lmp_header(d, &b->header, &b->rules, &b->options, e);
    if (rc != 0)
        lmp_beginning_free(b);
    return rc;
}

void lmp_beginning_free(struct lmp_beginning *b)
{
    dh_schemas_free(b->schemas);
    dh_buf_free(&b->rules);
    dh_buf_free(&b->options);
    memset(b, 0, sizeof *b);
}
