/* SPDX-License-Identifier: ISC */
#include "recorder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct dh_str str(const char *s)
{
    return (struct dh_str){s, strlen(s)};
}

/* The first error is the one that is told. */
static void failed(struct srv_recorder *r, const struct dh_err *e)
{
    if (!r->failed)
        r->err = *e;
    r->failed = true;
}

static void out_of_memory(struct srv_recorder *r)
{
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};

    dh_fail(&e, DH_TROUBLE, "out of memory");
    failed(r, &e);
}

/* The record whose payload was built. */
static void put(struct srv_recorder *r, int kind)
{
    if (r->failed)
        return;
    if (r->payload.failed)
        out_of_memory(r);
    else if (dh_write_payload(r->w, kind, r->payload.p, r->payload.n) < 0)
        failed(r, dh_writer_error(r->w));
}

static struct dh_buf *payload(struct srv_recorder *r)
{
    dh_buf_clear(&r->payload);
    return &r->payload;
}

/* 0, or the errno of the close: some file systems only say there that the disk is full. */
static int release(struct srv_recorder *r)
{
    int error = close(r->fd) < 0 && errno != EINTR ? errno : 0;

    dh_state_free(&r->state);
    dh_buf_free(&r->payload);
    r->w = NULL;
    return error;
}

/* Give up: what is in the file beyond the last whole flush may be the first half of a chunk, and the writer may still
 * put something there as it goes. */
static int give_up(struct srv_recorder *r, struct dh_err *e)
{
    *e = r->err;
    dh_writer_free(r->w, NULL);
    if (ftruncate(r->fd, (off_t)r->good) < 0) {
        size_t n = strlen(e->msg);
        snprintf(e->msg + n, sizeof e->msg - n, "; the file is not cut back to its last whole chunk: %s",
                 strerror(errno));
    }
    release(r);
    return -1;
}

int srv_recorder_flush(struct srv_recorder *r, struct dh_err *e)
{
    if (!r->failed && dh_writer_flush(r->w) < 0)
        failed(r, dh_writer_error(r->w));
    if (r->failed)
        return give_up(r, e);
    r->good = (uint64_t)lseek(r->fd, 0, SEEK_CUR);
    r->ticks += r->unsaved;
    r->unsaved = 0;
    return 0;
}

static void put_schemas(struct srv_recorder *r, const struct srv_game *g)
{
    if (dh_writer_stream(r->w) < 0)
        failed(r, dh_writer_error(r->w));
    for (const char *const *subject = nat_write_order; *subject && !r->failed; subject++)
        if (dh_write_schema(r->w, *subject, nat_schema_text(&g->setup, *subject)) < 0)
            failed(r, dh_writer_error(r->w));
}

static void put_resources(struct srv_recorder *r, const struct dh_content *c)
{
    for (int i = 0; i < c->n; i++) {
        const struct dh_file *f = &c->files[i];
        dh_build_resource(payload(r), str(f->role), str(f->name), f->size, c->sums[i].sha256, c->sums[i].md5);
        put(r, DH_RESOURCE);
    }
}

int srv_recorder_begin(struct srv_recorder *r, const struct srv_game *g, uint32_t now, uint32_t interval, int fd,
                       const char *path, struct dh_err *e)
{
    struct dh_header h = g->header;

    memset(r, 0, sizeof *r);
    r->fd = fd;
    r->start = now;
    r->interval = interval;
    snprintf(r->path, sizeof r->path, "%s", path);
    r->w = dh_writer_new(fd, DH_BINARY, false);
    if (!r->w) {
        close(fd);
        return dh_fail(e, DH_TROUBLE, "out of memory");
    }
    h.start = now;
    h.interval = interval;
    h.fresh = g->ran == 0;
    put_schemas(r, g);
    dh_build_header(payload(r), &h);
    put(r, DH_HEADER);
    put_resources(r, &g->content);
    return srv_recorder_flush(r, e);
}

void srv_recorder_join(struct srv_recorder *r, uint32_t tick, uint16_t slot, uint32_t wire, const char *name,
                       const struct dh_buf *block)
{
    dh_build_join(payload(r), tick, slot, wire, str(name), block->p, block->n);
    r->payload.failed |= block->failed;
    put(r, DH_JOIN);
}

void srv_recorder_leave(struct srv_recorder *r, uint32_t tick, uint16_t slot)
{
    dh_build_leave(payload(r), tick, slot);
    put(r, DH_LEAVE);
}

void srv_recorder_input(struct srv_recorder *r, uint32_t tick, uint16_t slot, const struct nat_input *in)
{
    struct dh_buf block = {0};

    nat_put_input(&block, in);
    dh_build_input(payload(r), tick, slot, block.p, block.n);
    r->payload.failed |= block.failed;
    dh_buf_free(&block);
    put(r, DH_INPUT);
}

void srv_recorder_events(struct srv_recorder *r, const struct dh_world_events *ev)
{
    for (int i = 0; i < ev->n; i++) {
        dh_put_bytes(payload(r), ev->bufs[i].p, ev->bufs[i].n);
        r->payload.failed |= ev->bufs[i].failed;
        put(r, DH_EVENT);
    }
    r->unsaved++;
}

static void checkpoint(struct srv_recorder *r, const struct srv_game *g, uint32_t tick)
{
    struct dh_err e = {.tick = tick, .offset = DH_NOWHERE};

    dh_state_begin(&r->state);
    if (dh_world_native.snapshot(g->world, tick, 0, &r->state, &e) < 0)
        failed(r, &e);
    dh_build_state(payload(r), tick, &r->state);
    put(r, DH_CHECKPOINT);
    r->newest = tick;
    r->checkpoints++;
}

void srv_recorder_open(struct srv_recorder *r, const struct srv_game *g, uint32_t tick)
{
    checkpoint(r, g, tick);
    r->opened = true;
}

void srv_recorder_checkpoint(struct srv_recorder *r, const struct srv_game *g, uint32_t tick)
{
    if (tick % r->interval == 0)
        checkpoint(r, g, tick);
}

uint32_t srv_recorder_next(const struct srv_recorder *r, uint32_t now)
{
    if (!r->opened)
        return now;
    uint32_t from = r->newest >= now ? now + 1 : now, over = from % r->interval;
    return over ? from + (r->interval - over) : from;
}

int srv_recorder_end(struct srv_recorder *r, const struct srv_game *g, uint32_t tick, int reason, struct dh_err *e)
{
    if (r->newest != tick)
        checkpoint(r, g, tick);
    dh_build_end(payload(r), tick, reason);
    put(r, DH_END);
    if (srv_recorder_flush(r, e) < 0)
        return -1;
    dh_writer_free(r->w, NULL);
    int error = release(r);
    return error ? dh_fail(e, DH_TROUBLE, "close failed: %s", strerror(error)) : 0;
}
