/* SPDX-License-Identifier: ISC */
#include "verify/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bytes.h"
#include "io.h"

enum { HEAD = 16, PIECE = 1 << 16 }; /* u64 job, u64 length */

/* In memory that all processes share. */
struct shared {
    _Atomic size_t next; /* the job to be taken */
};

/* As the process that asked has it. */
struct worker {
    pid_t pid;
    int fd; /* -1: it has ended */
    struct dh_buf in;
    size_t at; /* what is before that is handed over */
};

struct pool {
    const struct pool_how *how;
    struct shared *shared;
    struct worker *workers;
    struct pollfd *polled;
    size_t next; /* the job whose output is handed over next */
    int signal;  /* of the worker that died last */
};

/* As the worker's process has it. */
struct pool_side {
    struct shared *shared;
    size_t n;
    int fd;
};

/* ---- in a worker ------------------------------------------------------------------------------------------------- */

int pool_work(void *worker, void (*job)(void *ctx, size_t i, struct dh_buf *out), void *ctx)
{
    const struct pool_side *side = worker;
    struct dh_buf out = {0}, head = {0};
    int rc = 0;

    for (size_t i; rc == 0 && (i = atomic_fetch_add(&side->shared->next, 1)) < side->n;) {
        dh_buf_clear(&out);
        dh_buf_clear(&head);
        job(ctx, i, &out);
        dh_put_u64(&head, i);
        dh_put_u64(&head, out.n);
        if (out.failed || head.failed)
            rc = -1; /* as if it had died */
        else if (dh_write_all(side->fd, head.p, head.n) < 0 || dh_write_all(side->fd, out.p, out.n) < 0)
            rc = -1;
    }
    dh_buf_free(&out);
    dh_buf_free(&head);
    return rc;
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

/* It holds no end of another's pipe, so that a writer learns that nobody reads any more. */
_Noreturn static void begin(const struct pool *p, int fd)
{
    struct pool_side side = {.shared = p->shared, .n = p->how->n, .fd = fd};

    for (int i = 0; i < p->how->workers; i++)
        if (p->workers[i].fd >= 0)
            close(p->workers[i].fd);
    p->how->child(p->how->ctx, &side);
    for (;;) /* two processes that go on as one would be worse */
        kill(getpid(), SIGKILL);
}

static int start(struct pool *p, struct worker *w)
{
    int fds[2];

    if (pipe(fds) < 0)
        return -1;
    fcntl(fds[0], F_SETFD, FD_CLOEXEC);
    fcntl(fds[1], F_SETFD, FD_CLOEXEC);
    fcntl(fds[0], F_SETFL, O_NONBLOCK);
    w->pid = fork();
    if (w->pid == 0) {
        close(fds[0]);
        begin(p, fds[1]);
    }
    int why = errno;
    close(fds[1]);
    w->fd = fds[0];
    if (w->pid < 0) {
        close(fds[0]);
        w->fd = -1;
        errno = why;
    }
    return w->pid < 0 ? -1 : 0;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Whether the output of a job is there as a whole, from at on. */
static bool whole(const struct worker *w, size_t at, size_t *job, size_t *n)
{
    size_t have = w->in.n - at;

    if (have < HEAD)
        return false;
    *job = (size_t)dh_load64(w->in.p + at);
    *n = (size_t)dh_load64(w->in.p + at + 8);
    return have - HEAD >= *n;
}

static bool at_hand(const struct worker *w, size_t *job, size_t *n)
{
    return whole(w, w->at, job, n);
}

/* Of what a worker that died had begun to write, nothing is left. */
static void drop_part(struct worker *w)
{
    size_t at = w->at, job, n;

    while (whole(w, at, &job, &n))
        at += HEAD + n;
    w->in.n = at;
}

static void take(struct worker *w, size_t n)
{
    w->at += HEAD + n;
    if (w->at < w->in.n && w->at < POOL_AHEAD)
        return;
    memmove(w->in.p, w->in.p + w->at, w->in.n - w->at);
    w->in.n -= w->at;
    w->at = 0;
}

static void ended(struct pool *p, struct worker *w)
{
    int status = 0;

    close(w->fd);
    w->fd = -1;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    p->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    drop_part(w);
    if (atomic_load(&p->shared->next) < p->how->n)
        start(p, w);
}

static void read_some(struct pool *p, struct worker *w)
{
    uint8_t *to = dh_buf_room(&w->in, PIECE);
    ssize_t n = to ? read(w->fd, to, PIECE) : 0;

    if (n > 0)
        w->in.n += (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        ended(p, w);
}

/* Wait for more, from those that have room for it. */
static void wait_for_more(struct pool *p)
{
    size_t job, len;

    for (int i = 0; i < p->how->workers; i++) {
        struct worker *w = &p->workers[i];
        bool more = w->fd >= 0 && (w->in.n - w->at < POOL_AHEAD || !at_hand(w, &job, &len));
        p->polled[i] = (struct pollfd){.fd = more ? w->fd : -1, .events = POLLIN};
    }
    if (poll(p->polled, (nfds_t)p->how->workers, -1) < 0)
        return;
    for (int i = 0; i < p->how->workers; i++)
        if (p->polled[i].fd >= 0 && p->polled[i].revents)
            read_some(p, &p->workers[i]);
}

/* Hand over the next job, if its output is there, or never will be. */
static bool hand_over(struct pool *p)
{
    bool pending = false;
    size_t job, n;

    for (int i = 0; i < p->how->workers; i++) {
        struct worker *w = &p->workers[i];
        if (!at_hand(w, &job, &n)) {
            pending |= w->fd >= 0;
            continue;
        }
        if (job != p->next)
            continue;
        p->how->done(p->how->ctx, job, w->in.p + w->at + HEAD, n);
        take(w, n);
        p->next++;
        return true;
    }
    if (pending)
        return false;
    p->how->died(p->how->ctx, p->next++, p->signal);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void run(struct pool *p)
{
    while (p->next < p->how->n)
        if (!hand_over(p))
            wait_for_more(p);
    for (int i = 0; i < p->how->workers; i++)
        if (p->workers[i].fd >= 0)
            ended(p, &p->workers[i]);
}

int pool_run(const struct pool_how *how, struct dh_err *e)
{
    struct pool p = {.how = how};
    int started = 0;

    p.shared = mmap(NULL, sizeof *p.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    p.workers = calloc((size_t)how->workers, sizeof *p.workers);
    p.polled = calloc((size_t)how->workers, sizeof *p.polled);
    if (p.shared == MAP_FAILED || !p.workers || !p.polled) {
        if (p.shared != MAP_FAILED)
            munmap(p.shared, sizeof *p.shared);
        free(p.workers);
        free(p.polled);
        return dh_fail(e, DH_TROUBLE, "out of memory");
    }
    for (int i = 0; i < how->workers; i++)
        p.workers[i].fd = -1;
    for (int i = 0; i < how->workers; i++)
        started += start(&p, &p.workers[i]) == 0;
    int rc = started > 0 ? 0 : dh_fail(e, DH_TROUBLE, "no process for the work: %s", strerror(errno));
    if (rc == 0)
        run(&p);
    for (int i = 0; i < how->workers; i++)
        dh_buf_free(&p.workers[i].in);
    munmap(p.shared, sizeof *p.shared);
    free(p.workers);
    free(p.polled);
    return rc;
}
