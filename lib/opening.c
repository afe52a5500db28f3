/* SPDX-License-Identifier: ISC */
/* What comes before the first tick of a replay. */
#include <string.h>

#include "graft.h"
#include "run.h"
#include "settings.h"

static int put_header(struct dh_run *u, const char *map)
{
    struct dh_header h = u->header.rec.u.header;
    char closure[65];

    if (map && *map)
        h.map = (struct dh_str){map, strlen(map)};
    dh_content_closure(&u->content, closure);
    if (*closure)
        h.closure = (struct dh_str){closure, strlen(closure)};
    if (u->o->checkpoint) {
        h.interval = u->interval;
        if (!u->restores) /* or the next replay would take the opening checkpoint for something to restore */
            h.fresh = 1;
    }
    const struct dh_schema *option = dh_reader_schemas(u->r)->option;
    struct dh_buf options = {0};
    if (dh_settings_change(option, u->o->settings)) {
        dh_settings_block(option, h.options, h.options_n, u->o->settings, &options);
        h.options = options.p;
        h.options_n = options.n;
    }
    dh_buf_clear(&u->payload);
    dh_build_header(&u->payload, &h);
    int rc = options.failed ? dh_fail(u->e, DH_TROUBLE, "out of memory") : dh_run_put(u, DH_HEADER, &u->payload);
    dh_buf_free(&options);
    return rc;
}

static int put_resources(struct dh_run *u)
{
    const struct dh_content *c = &u->content;
    int rc = 0;

    for (size_t i = 0; c->n == 0 && i < u->recorded.n && rc == 0; i++)
        rc = dh_run_put_record(u, &u->recorded.items[i].rec);
    for (int i = 0; i < c->n && rc == 0; i++) {
        const struct dh_file *f = &c->files[i];
        dh_buf_clear(&u->payload);
        dh_build_resource(&u->payload, (struct dh_str){f->role, strlen(f->role)},
                          (struct dh_str){f->name, strlen(f->name)}, f->size, c->sums[i].sha256, c->sums[i].md5);
        rc = dh_run_put(u, DH_RESOURCE, &u->payload);
    }
    return rc;
}

int dh_run_new_world(struct dh_run *u, const struct dh_schemas *s, const char **map)
{
    const struct dh_world_args args = {
        .header = &u->header.rec.u.header,
        .schemas = s,
        .files = u->content.files,
        .nfiles = u->content.n,
        .settings = u->o->settings,
    };

    if (u->ops->open(&u->world, &args, map, u->e) < 0)
        return -1;
    if (u->o->log && !u->ops->log_topics)
        return dh_fail(u->e, DH_TROUBLE, "game=%s: its world has no logs", u->ops->game);
    return u->o->log && u->ops->log_topics(u->world, u->o->log, u->e) < 0 ? -1 : 0;
}

static int open_world(struct dh_run *u)
{
    const struct dh_header *h = &u->header.rec.u.header;
    const struct dh_replay_opts *o = u->o;
    const char *map = NULL;

    u->ops = o->world(h->game);
    if (!u->ops)
        return dh_fail(u->e, DH_TROUBLE, "game=%.*s: there is no world to replay it in", (int)h->game.n, h->game.p);
    if (o->content && o->content(o->ctx, u->ops, h, &u->recorded, &u->content, u->e) < 0)
        return -1;
    if (o->warn)
        dh_content_compare(&u->content, &u->recorded, h->closure, o->warn, o->ctx);
    if (dh_run_new_world(u, dh_reader_schemas(u->r), &map) < 0)
        return -1;
    if (dh_writer_stream(u->w) < 0)
        return dh_run_write_failed(u);
    struct dh_graft graft = {.ops = u->ops, .replace = o->checkpoint, .settings = o->settings};
    int rc = dh_graft(&graft, &u->schemas, dh_reader_schemas(u->r), u->w, &u->first_type, u->e);
    if (rc == DH_REPLAY_WRITE_FAILED)
        return dh_run_write_failed(u);
    if (rc != 0 || (rc = put_header(u, map)) != 0 || (rc = dh_spool_play(&u->origin, dh_run_put_record, u, u->e)) != 0)
        return rc;
    return put_resources(u);
}

/* Where the run starts: from the map as it is loaded, or from the checkpoint in the first tick's group. */
static int choose_start(struct dh_run *u)
{
    const struct dh_record *checkpoint = NULL;

    for (size_t i = 0; i < u->group.n && u->group_tick == u->start; i++)
        if (u->group.items[i].rec.kind == DH_CHECKPOINT)
            checkpoint = &u->group.items[i].rec;
    if (u->o->fresh || u->header.rec.u.header.fresh)
        return 0;
    u->restores = checkpoint && !checkpoint->u.state.digest_only;
    if (!u->restores && u->start != 0)
        return dh_fail(u->e, DH_TROUBLE, "the recording starts at tick %lu %s", (unsigned long)u->start,
                       checkpoint ? "with a checkpoint of digests alone, which nothing can start from"
                                  : "without a checkpoint to start from (--fresh starts from the map as it is loaded)");
    return 0;
}

int dh_run_open(struct dh_run *u)
{
    return choose_start(u) < 0 ? -1 : open_world(u);
}
