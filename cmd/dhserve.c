/* SPDX-License-Identifier: ISC */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "serve/random.h"
#include "serve/serve.h"

enum { OPT_LOCKSTEP = 0x100, OPT_SOCKET, OPT_MODE, OPT_PALLET, OPT_RULE, OPT_SEED };

static const struct option longs[] = {
    {"lockstep", no_argument, NULL, OPT_LOCKSTEP},
    {"socket", required_argument, NULL, OPT_SOCKET},
    {"mode", required_argument, NULL, OPT_MODE},
    {"pallet", required_argument, NULL, OPT_PALLET},
    {"rule", required_argument, NULL, OPT_RULE},
    {"seed", required_argument, NULL, OPT_SEED},
    {0},
};

static const struct cmd_tool tool = {
    .name = "dhserve",
    .usage = "[--lockstep] [--socket PATH] [--mode OCTAL] [--pallet DIR]...\n"
             "[--rule NAME=NUMBER]... [--seed N] [file ...]",
    .help = "Run a map of the dh world for players on a socket, and record what they do.\n"
            "Console lines are read from the files, or standard input; `help` lists them.\n"
            "  --lockstep     tick when the console says so: no clock\n"
            "  --socket PATH  where players connect; default: dh.sock in XDG_RUNTIME_DIR,\n"
            "                 none with --lockstep\n"
            "  --mode OCTAL   of the socket; default 600\n"
            "  --pallet DIR   a pallet or a folder of pallets, before those of DHPATH\n"
            "  --rule NAME=NUMBER\n"
            "                 a rule of the world other than its default\n"
            "  --seed N       of the choice of spawn points",
    .options = "",
    .longs = longs,
};

static volatile sig_atomic_t end;

static void on_signal(int sig)
{
    (void)sig;
    end = 1;
}

/* The signals that end a server are let in where it waits and nowhere else; so none comes between a look and a wait. */
static void catch_signals(sigset_t *waiting, bool lockstep)
{
    struct sigaction a = {.sa_handler = on_signal};
    sigset_t blocked;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, waiting);
    sigdelset(waiting, SIGTERM);
    sigdelset(waiting, SIGINT);
    sigaction(SIGTERM, &a, NULL);
    sigaction(SIGINT, &a, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a recording that may not grow ends as on a full disk does, and the server goes on */
    if (!lockstep)
        signal(SIGPIPE, SIG_IGN); /* the players play on when the console's reader is gone */
}

struct serving {
    struct srv *s;
    bool lockstep, over;
    const char *console; /* the name of the console's input read last */
};

/* Nobody's full pipe may hold up a tick. */
static void warn(void *ctx, const char *file, const struct dh_err *e)
{
    const struct serving *v = ctx;
    struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};

    if (v->lockstep || poll(&p, 1, 0) > 0)
        cmd_error(file, e);
}

static int one_console(int fd, const char *name, void *arg)
{
    struct serving *v = arg;
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};

    if (v->over)
        return DH_OK;
    v->console = name;
    switch (srv_run(v->s, fd, name, &e)) {
    case SRV_QUIT:
        v->over = true;
        return DH_OK;
    case SRV_CONSOLE:
        return DH_OK;
    default:
        v->over = true;
        return cmd_error(name, &e);
    }
}

/* The console's lines are over, and none of them was quit. */
static int without_console(struct serving *v)
{
    if (v->lockstep || !srv_serves(v->s)) {
        cmd_warn(v->console, v->lockstep ? "the console's input ended without quit"
                                         : "the console's input ended, and there is no map to serve");
        return DH_INCOMPLETE;
    }
    return one_console(-1, "server", v);
}

/* NULL where nothing says where. malloc'd. */
static char *usual_socket(void)
{
    const char *dir = getenv("XDG_RUNTIME_DIR");
    char *path = NULL;

    if (!dir || *dir != '/')
        return NULL;
    size_t n = strlen(dir) + sizeof "/dh.sock";
    path = malloc(n);
    if (!path)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    snprintf(path, n, "%s/dh.sock", dir);
    return path;
}

static unsigned octal(const char *arg)
{
    unsigned v = 0;
    const char *p = arg;

    for (; *p >= '0' && *p <= '7' && v <= 0777; p++)
        v = v * 8 + (unsigned)(*p - '0');
    if (p == arg || *p != '\0' || v > 0777)
        cmd_usage("--mode: expected octal digits up to 777, found '%s'", arg);
    return v;
}

/* A list that ends with NULL grows by one. */
static const char **add(const char **list, const char *text)
{
    size_t n = 0;

    while (list && list[n])
        n++;
    const char **grown = realloc(list, (n + 2) * sizeof *grown);
    if (!grown)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    grown[n] = text;
    grown[n + 1] = NULL;
    return grown;
}

int main(int argc, char **argv)
{
    struct serving v = {0};
    struct srv_opts o = {.mode = 0600, .out = STDOUT_FILENO, .end = &end, .warn = warn, .ctx = &v};
    struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
    const char **pallets = NULL, **rules = NULL;
    bool seeded = false;
    sigset_t waiting;

    cmd_start(&tool);
    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case OPT_LOCKSTEP:
            o.lockstep = true;
            break;
        case OPT_SOCKET:
            o.socket = optarg;
            break;
        case OPT_MODE:
            o.mode = octal(optarg);
            break;
        case OPT_PALLET:
            pallets = add(pallets, optarg);
            break;
        case OPT_RULE:
            rules = add(rules, optarg);
            break;
        case OPT_SEED:
            o.seed = cmd_number("--seed", optarg, 0, UINT64_MAX);
            seeded = true;
            break;
        }
    char *usual = o.lockstep || o.socket ? NULL : usual_socket();
    if (usual)
        o.socket = usual;
    if (!o.lockstep && !seeded)
        o.seed = srv_random_seed();
    v.lockstep = o.lockstep;
    o.pallets = (char *const *)pallets;
    o.pallet_path = getenv("DHPATH");
    o.rules = rules;
    catch_signals(&waiting, o.lockstep);
    o.waiting = &waiting;
    v.s = srv_new(&o, &e);
    if (!v.s)
        return cmd_finish(cmd_error(NULL, &e), NULL);
    int status = cmd_inputs(argc - optind, argv + optind, one_console, &v);
    if (status == DH_OK && !v.over)
        status = without_console(&v);
    if (srv_free(v.s, &e) < 0)
        status = dh_worse(status, cmd_error(NULL, &e));
    free(usual);
    free(pallets);
    free(rules);
    return cmd_finish(status, NULL);
}
