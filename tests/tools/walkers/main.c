/* SPDX-License-Identifier: ISC */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "walkers.h"

static FILE *console, *server;
static pid_t child;

_Noreturn void die(const char *fmt, ...)
{
    va_list ap;

    fputs("walkers: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(2);
}

static void start(char **command)
{
    int in[2], out[2];

    if (pipe(in) < 0 || pipe(out) < 0 || (child = fork()) < 0)
        die("cannot start %s", command[0]);
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execvp(command[0], command);
        die("cannot run %s", command[0]);
    }
    close(in[0]), close(out[1]);
    console = fdopen(in[1], "w");
    server = fdopen(out[0], "r");
}

/* The server ended, in its own way. */
_Noreturn static void over(void)
{
    int status;

    fflush(stdout);
    waitpid(child, &status, 0);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
}

static struct player *labelled(struct plan *p, const char *name)
{
    for (int i = 0; i < p->nplayers; i++)
        if (strcmp(p->players[i].name, name) == 0)
            return &p->players[i];
    return NULL;
}

/* What concerns a walker: its welcome, where it is, that it was thrown out. */
static void hear(struct plan *p, const char *line)
{
    struct player *who;
    char name[32], what[16];
    float y;

    if (sscanf(line, "client %31s %15s", name, what) != 2 || !(who = labelled(p, name)))
        return;
    const char *at = strstr(line, " position=");
    if (strcmp(what, "welcome") == 0)
        who->welcome = true;
    else if (strcmp(what, "bye") == 0)
        who->in = who->welcome = false;
    else if (strcmp(what, "map") == 0)
        who->welcome = false;
    if (strcmp(what, "tick") == 0 && at)
        sscanf(at, " position=%lf,%f,%lf", &who->x, &y, &who->z);
}

/* Everything that the server says up to its answer to status. */
static void listen(struct plan *p)
{
    char line[4096];

    while (fgets(line, sizeof line, server)) {
        if (strncmp(line, "status ", 7) == 0)
            return;
        if (strncmp(line, "player ", 7) != 0 && !strstr(line, " tick "))
            fputs(line, stdout);
        hear(p, line);
    }
    over();
}

static void one_tick(struct plan *p, long tick)
{
    char line[512];

    for (int i = 0; i < p->norders; i++)
        if (p->orders[i].tick == tick)
            fprintf(console, "%s\n", p->orders[i].line);
    for (int i = 0; i < p->nplayers; i++) {
        struct player *w = &p->players[i];
        if (!w->in && !w->done && tick >= w->joins) {
            fprintf(console, "client %s join name=%s every=1\n", w->name, w->name);
            w->in = true;
        } else if (w->welcome && !w->done && walk(w, tick, line, sizeof line))
            fprintf(console, "client %s %s\n", w->name, line);
    }
    fputs("tick\nstatus\n", console);
    if (fflush(console) != 0)
        over();
    listen(p);
}

int main(int argc, char **argv)
{
    struct plan p = {0};
    char line[4096];

    if (argc < 3)
        die("expected PLAN COMMAND [ARGUMENT...]");
    plan_read(&p, argv[1]);
    start(argv + 2);
    for (long t = 0; t < p.ticks; t++)
        one_tick(&p, t);
    for (int i = 0; i < p.norders; i++)
        if (p.orders[i].tick >= p.ticks)
            fprintf(console, "%s\n", p.orders[i].line);
    fputs("quit\n", console);
    fclose(console);
    while (fgets(line, sizeof line, server))
        fputs(line, stdout);
    over();
}
