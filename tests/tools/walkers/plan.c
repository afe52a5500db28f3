/* SPDX-License-Identifier: ISC */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "walkers.h"

static const char *file;
static int number;

_Noreturn static void wrong(const char *what)
{
    die("%s: line %d: %s", file, number, what);
}

static void *grow(void *list, int n, size_t each)
{
    void *p = realloc(list, ((size_t)n + 1) * each);

    if (!p)
        die("out of memory");
    memset((char *)p + (size_t)n * each, 0, each);
    return p;
}

static void word(struct step *s, const char *w)
{
    static const char *const buttons[] = {"jump", "crouch", "sprint", "use", "noclip"};
    static const struct {
        const char *name;
        int axis;
        double way;
    } moves[] = {{"back", 1, -1}, {"ahead", 1, 1}, {"left", 0, -1}, {"right", 0, 1}, {"up", 2, 1}, {"down", 2, -1}};

    if (sscanf(w, "near=%lf", &s->near) == 1 || sscanf(w, "ticks=%ld", &s->ticks) == 1)
        return;
    for (unsigned i = 0; i < sizeof buttons / sizeof *buttons; i++)
        if (strcmp(w, buttons[i]) == 0) {
            s->buttons |= 1u << i;
            return;
        }
    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++)
        if (strcmp(w, moves[i].name) == 0) {
            s->move[moves[i].axis] = moves[i].way;
            return;
        }
    wrong("unknown word");
}

static void words(struct step *s, char *rest)
{
    for (char *w = strtok(rest, " "); w; w = strtok(NULL, " "))
        word(s, w);
}

static void add_step(struct player *p, const char *verb, char *rest)
{
    struct step s = {.near = 0.4, .ticks = 300};
    int n = 0;

    if (strcmp(verb, "go") == 0 && sscanf(rest, "%lf,%lf%n", &s.x, &s.z, &n) == 2)
        s.kind = GO;
    else if (strcmp(verb, "face") == 0 && sscanf(rest, "%lf%n %lf%n", &s.x, &n, &s.z, &n) >= 1)
        s.kind = FACE;
    else if (strcmp(verb, "hold") == 0 && sscanf(rest, "%ld%n", &s.ticks, &n) == 1)
        s.kind = HOLD;
    else if (strcmp(verb, "silent") == 0 && sscanf(rest, "%ld%n", &s.ticks, &n) == 1)
        s.kind = SILENT;
    else if (strcmp(verb, "leave") == 0)
        s.kind = LEAVE;
    else if (strcmp(verb, "again") == 0)
        s.kind = AGAIN;
    else
        wrong("unknown statement");
    words(&s, rest + n);
    p->steps = grow(p->steps, p->nsteps, sizeof s);
    p->steps[p->nsteps++] = s;
}

static void statement(struct plan *p, char *line)
{
    char verb[32] = "";
    int n = 0;

    sscanf(line, " %31s %n", verb, &n);
    char *rest = line + n;
    if (*verb == '\0' || *verb == '#')
        return;
    if (strcmp(verb, "ticks") == 0) {
        p->ticks = atol(rest);
    } else if (strcmp(verb, "at") == 0) {
        struct order o = {.tick = strtol(rest, &rest, 10)};
        o.line = strdup(rest + strspn(rest, " "));
        p->orders = grow(p->orders, p->norders, sizeof o);
        p->orders[p->norders++] = o;
    } else if (strcmp(verb, "player") == 0) {
        p->players = grow(p->players, p->nplayers, sizeof *p->players);
        if (sscanf(rest, "%31s %ld", p->players[p->nplayers].name, &p->players[p->nplayers].joins) < 1)
            wrong("a player without a name");
        p->nplayers++;
    } else if (p->nplayers > 0)
        add_step(&p->players[p->nplayers - 1], verb, rest);
    else
        wrong("expected ticks, at or player");
}

void plan_read(struct plan *p, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[1024];

    file = path;
    if (!f)
        die("%s: cannot be opened", path);
    while (fgets(line, sizeof line, f)) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        statement(p, line);
    }
    fclose(f);
}
