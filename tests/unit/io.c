/* SPDX-License-Identifier: ISC */
/* Reading and writing where the system gives and takes less than asked: short pieces, signals, descriptors that do not
 * block. */
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bytes.h"
#include "io.h"

static volatile sig_atomic_t alarms;

static void on_alarm(int sig)
{
    (void)sig;
    alarms = alarms + 1;
}

/* A signal every half millisecond that interrupts system calls. */
static void alarms_on(bool on)
{
    struct sigaction sa = {.sa_handler = on_alarm}; /* no SA_RESTART */
    struct itimerval t = {{0, on ? 500 : 0}, {0, on ? 500 : 0}};

    sigaction(SIGALRM, &sa, NULL);
    setitimer(ITIMER_REAL, &t, NULL);
}

static void nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

enum { SIZE = 300000 };

static uint8_t byte_at(size_t i)
{
    return (uint8_t)(i * 2654435761u >> 24);
}

/* A child that writes SIZE bytes in pieces of n and pauses now and then. */
static pid_t feeder(int fd, size_t n)
{
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    for (size_t i = 0; i < SIZE;) {
        uint8_t piece[8192];
        size_t k = 0;

        for (; k < n && i + k < SIZE; k++)
            piece[k] = byte_at(i + k);
        if (write(fd, piece, k) != (ssize_t)k)
            _exit(1);
        i += k;
        if (i % (n * 32) == 0)
            usleep(1000);
    }
    _exit(0);
}

static void reads(size_t piece, bool nonblock, bool signals)
{
    int p[2], status;
    struct dh_input in;
    size_t done = 0, want = 1;

    if (!CHECK(pipe(p) == 0))
        return;
    pid_t pid = feeder(p[1], piece);
    close(p[1]);
    if (nonblock)
        nonblocking(p[0]);
    if (signals)
        alarms_on(true);
    dh_input_init(&in, p[0]);
    for (;; want = want * 3 % 70001 + 1) {
        size_t got = dh_input_need(&in, want);

        for (size_t i = 0; i < got; i++)
            if (dh_input_bytes(&in)[i] != byte_at(done + i)) {
                CHECK_INT(dh_input_bytes(&in)[i], byte_at(done + i));
                break;
            }
        CHECK_INT(in.offset, done);
        dh_input_skip(&in, got);
        done += got;
        if (got < want)
            break;
    }
    alarms_on(false);
    CHECK_INT(done, SIZE);
    CHECK(in.eof && in.error == 0);
    CHECK(in.cap <= 512 << 10);
    dh_input_free(&in);
    close(p[0]);
    waitpid(pid, &status, 0);
    CHECK_INT(status, 0);
}

static void reads_short_pieces(void)
{
    reads(1000, false, false);
    reads(8192, false, false);
}

static void reads_through_signals(void)
{
    alarms = 0;
    reads(100, false, true);
    CHECK(alarms > 0);
}

static void reads_what_does_not_block(void)
{
    reads(1000, true, false);
    reads(1000, true, true);
}

static void writes(bool nonblock, bool signals)
{
    static uint8_t all[SIZE];
    int p[2], status;

    if (!CHECK(pipe(p) == 0))
        return;
    pid_t pid = fork();
    if (pid == 0) {
        uint8_t piece[4096];
        size_t done = 0;
        ssize_t n;

        close(p[1]);
        while ((n = read(p[0], piece, 1 + done % sizeof piece)) > 0) {
            for (ssize_t i = 0; i < n; i++)
                if (piece[i] != byte_at(done + (size_t)i))
                    _exit(1);
            done += (size_t)n;
            if (done % 64 == 0)
                usleep(100);
        }
        _exit(done == SIZE ? 0 : 2);
    }
    close(p[0]);
    for (size_t i = 0; i < SIZE; i++)
        all[i] = byte_at(i);
    if (nonblock)
        nonblocking(p[1]);
    if (signals)
        alarms_on(true);
    CHECK_INT(dh_write_all(p[1], all, SIZE), 0);
    alarms_on(false);
    close(p[1]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    CHECK_INT(status, 0);
}

static void writes_all_of_it(void)
{
    writes(false, false);
    writes(true, false);
    writes(false, true);
    writes(true, true);
}

static void errors_are_kept(void)
{
    struct dh_input in;

    dh_input_init(&in, -1);
    CHECK_INT(dh_input_need(&in, 1), 0);
    CHECK_INT(in.error, EBADF);
    CHECK_INT(dh_input_line(&in, 10), 0);
    dh_input_free(&in);
    CHECK_INT(dh_write_all(-1, "x", 1), -1);
    CHECK_INT(dh_write_all(-1, "", 0), 0);
}

static void lines(void)
{
    int p[2];
    struct dh_input in;

    if (!CHECK(pipe(p) == 0))
        return;
    CHECK_INT(write(p[1], "ab\n\ncdef\nrest", 13), 13);
    close(p[1]);
    dh_input_init(&in, p[0]);
    CHECK_INT(dh_input_line(&in, 100), 3);
    dh_input_skip(&in, 3);
    CHECK_INT(dh_input_line(&in, 100), 1);
    dh_input_skip(&in, 1);
    CHECK_INT(dh_input_line(&in, 100), 5);
    dh_input_skip(&in, 5);
    CHECK_INT(dh_input_line(&in, 100), 0);
    CHECK_INT(in.have, 4);
    dh_input_free(&in);
    close(p[0]);
}

int main(void)
{
    T_RUN(reads_short_pieces);
    T_RUN(reads_through_signals);
    T_RUN(reads_what_does_not_block);
    T_RUN(writes_all_of_it);
    T_RUN(errors_are_kept);
    T_RUN(lines);
    return t_done();
}
