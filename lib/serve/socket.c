/* SPDX-License-Identifier: ISC */
/* A socket in the file system. Nothing here waits: what cannot be done now is done when poll(2) says so. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "server.h"

static bool prepare(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

/* A socket that nobody listens on is what a server that was killed left behind. */
static bool is_left_over(const struct sockaddr_un *a)
{
    struct stat st;
    int fd;

    if (lstat(a->sun_path, &st) < 0 || !S_ISSOCK(st.st_mode) || (fd = socket(AF_UNIX, SOCK_STREAM, 0)) < 0)
        return false;
    bool refused = connect(fd, (const struct sockaddr *)a, sizeof *a) < 0 && errno == ECONNREFUSED;
    close(fd);
    return refused;
}

/* The file gets its mode as it is made: there is no moment at which others could connect. */
static int bind_with(int fd, const struct sockaddr_un *a, unsigned mode)
{
    mode_t mask = umask(0777 & ~(mode_t)mode);
    int rc = bind(fd, (const struct sockaddr *)a, sizeof *a);

    if (rc < 0 && errno == EADDRINUSE) {
        if (is_left_over(a) && unlink(a->sun_path) == 0)
            rc = bind(fd, (const struct sockaddr *)a, sizeof *a);
        else
            errno = EADDRINUSE;
    }
    int error = errno;
    umask(mask);
    errno = error;
    return rc;
}

int srv_socket_open(struct srv *s, struct dh_err *e)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    struct stat st;
    int fd;

    if (strlen(s->o.socket) >= sizeof a.sun_path)
        return dh_fail(e, DH_TROUBLE, "%s: a socket's path has to be shorter than %zu bytes", s->o.socket,
                       sizeof a.sun_path);
    strcpy(a.sun_path, s->o.socket);
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || !prepare(fd))
        dh_fail(e, DH_TROUBLE, "socket: %s", strerror(errno));
    else if (bind_with(fd, &a, s->o.mode) < 0)
        dh_fail(e, DH_TROUBLE, "%s: %s", a.sun_path, strerror(errno));
    else if (listen(fd, SRV_CLIENTS) < 0 || lstat(a.sun_path, &st) < 0) {
        dh_fail(e, DH_TROUBLE, "%s: %s", a.sun_path, strerror(errno));
        unlink(a.sun_path);
    } else {
        s->listener = fd;
        s->socket_ino = st.st_ino;
        s->socket_dev = st.st_dev;
        return 0;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

void srv_socket_close(struct srv *s)
{
    struct stat st;

    if (s->listener < 0)
        return;
    close(s->listener);
    s->listener = -1;
    if (lstat(s->o.socket, &st) == 0 && st.st_ino == s->socket_ino && st.st_dev == s->socket_dev)
        unlink(s->o.socket);
}

void srv_socket_accept(struct srv *s)
{
    int fd;

    while (s->listener >= 0 && (fd = accept(s->listener, NULL, NULL)) >= 0)
        if (!prepare(fd) || !srv_client_new(s, fd, ""))
            close(fd);
}

/* Each whole line in the client's buffer. It may be gone after any. */
static void read_lines(struct srv *s, struct srv_client *c)
{
    size_t at = 0;
    const char *end;

    while (!c->gone && c->used && (end = memchr(c->in + at, '\n', c->in_n - at))) {
        size_t n = (size_t)(end - (c->in + at)), text = n;
        if (text > 0 && c->in[at + text - 1] == '\r')
            text--;
        c->line++;
        srv_client_says(s, c, c->in + at, text);
        at += n + 1;
    }
    if (!c->used || c->gone)
        return;
    c->in_n -= at;
    memmove(c->in, c->in + at, c->in_n);
    if (c->in_n == sizeof c->in)
        srv_client_drop(s, c, "a line is too long");
}

void srv_client_read(struct srv *s, struct srv_client *c)
{
    while (c->used && !c->gone) {
        size_t room = sizeof c->in - c->in_n, may = srv_limit_left(&c->bytes, s->time);
        if (may == 0)
            return; /* who floods waits, in the host's buffers */
        ssize_t n = recv(c->fd, c->in + c->in_n, room < may ? room : may, 0);
        if (n > 0) {
            srv_limit_take(&c->bytes, (uint32_t)n, s->time);
            c->in_n += (size_t)n;
            read_lines(s, c);
        } else if (n == 0)
            srv_client_drop(s, c, "closed");
        else if (errno != EINTR) {
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                srv_client_drop(s, c, strerror(errno));
            return;
        }
    }
}

void srv_client_send(struct srv_client *c)
{
    while (c->fd >= 0 && c->out_at < c->out.n) {
        ssize_t n = send(c->fd, c->out.p + c->out_at, c->out.n - c->out_at, MSG_NOSIGNAL);
        if (n >= 0)
            c->out_at += (size_t)n;
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        else if (errno != EINTR)
            c->out_at = c->out.n; /* nobody is there: what is read next, the connection's end, says so */
    }
}
