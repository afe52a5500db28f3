/* SPDX-License-Identifier: ISC */
/* clang-format off */
/*
 * mkwalk: a script of key presses in, a demo lump out.
 *
 *   mkwalk [-v VERSION] in.script out.lmp
 *
 * One statement a line, # begins a comment:
 *
 *   demo KEY=VALUE ...   the header: version skill (1-5) episode map deathmatch respawn fast nomonsters viewpoint players;
 *                        version 109 unless given; 0 is the header of 1.2 and before, without version and most rules
 *   player N [angle=DEG] the lines that follow are the keys of player N, who looks that way at first (0 east, 90 north)
 *   N [WORD ...]         N tics of: run walk back, left right (sidestep), forward=N side=N turn=N, fire use weapon=N,
 *                        save pause, buttons=N; without words stand still
 *   face DEG             turn there in one tic; the script keeps count of its turns
 *   facing DEG           no tic: from here on the player is known to look there (a teleporter turned him)
 *   random N seed=S      N tics of somebody who runs about, shoots and tries doors
 *
 * The demo is as long as the longest player's keys; the others stand still from where theirs end. -v: the version,
 * whatever the script says.
 */
/* clang-format on */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PLAYERS 4
#define MAX_TICS 100000
#define END_MARK 0x80

enum { FORWARD, SIDE, TURN, BUTTONS, CMD_SIZE };
enum { BT_FIRE = 1, BT_USE = 2, BT_CHANGE = 4, BT_WEAPON_SHIFT = 3, BT_PAUSE = 0x81, BT_SAVE = 0x82 };

static const char *const HEADER[] = {"version", "skill", "episode",    "map",       "deathmatch",
                                     "respawn", "fast",  "nomonsters", "viewpoint", "players"};
enum { VERSION, SKILL, EPISODE, MAP, PLAYERS = 9, HEADER_SIZE };

struct keys {
    int8_t (*cmd)[CMD_SIZE];
    int n;
    int angle; /* in turn units: 256 are a full turn */
};

static const char *file;
static int where;
static struct keys keys[MAX_PLAYERS];

static _Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void die(const char *fmt, ...)
{
    va_list ap;

    fprintf(stderr, "mkwalk: %s:%d: ", file, where);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(2);
}

static int number(const char *s, long lo, long hi)
{
    char *end;
    long v = strtol(s, &end, 10);

    if (end == s || *end || v < lo || v > hi)
        die("'%s' is not a number from %ld to %ld", s, lo, hi);
    return (int)v;
}

static const char *value(const char *word, const char *key)
{
    size_t n = strlen(key);

    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

static void press(struct keys *k, const int8_t cmd[CMD_SIZE])
{
    if (k->n == MAX_TICS)
        die("more than %d tics", MAX_TICS);
    memcpy(k->cmd[k->n++], cmd, CMD_SIZE);
    k->angle = (k->angle + cmd[TURN]) & 255;
}

static int degrees(const char *s)
{
    return (number(s, -360, 720) * 256 + 360 * 256 * 2 + 180) / 360 & 255;
}

static void parse_word(const char *w, int8_t cmd[CMD_SIZE])
{
    static const struct {
        const char *word;
        int field, v;
    } PLAIN[] = {
        {"run", FORWARD, 50},     {"walk", FORWARD, 25},      {"back", FORWARD, -50},
        {"left", SIDE, -40},      {"right", SIDE, 40},        {"fire", BUTTONS, BT_FIRE},
        {"use", BUTTONS, BT_USE}, {"save", BUTTONS, BT_SAVE}, {"pause", BUTTONS, BT_PAUSE},
    };
    static const char *const SET[CMD_SIZE] = {"forward", "side", "turn", "buttons"};
    const char *v;

    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
        if (strcmp(w, PLAIN[i].word) == 0) {
            cmd[PLAIN[i].field] = (int8_t)(cmd[PLAIN[i].field] | PLAIN[i].v);
            return;
        }
    }
    for (int i = 0; i < CMD_SIZE; i++) {
        if ((v = value(w, SET[i])) != NULL) {
            /* a byte either way; a forward of -128 would read as the end mark */
            cmd[i] = (int8_t)number(v, i == BUTTONS ? 0 : -127, i == BUTTONS ? 255 : 127);
            return;
        }
    }
    if ((v = value(w, "weapon")) == NULL)
        die("unknown word '%s'", w);
    cmd[BUTTONS] = (int8_t)(cmd[BUTTONS] | BT_CHANGE | (number(v, 1, 8) - 1) << BT_WEAPON_SHIFT);
}

static uint32_t next_random(uint32_t *s, uint32_t below)
{
    *s = *s * 1664525 + 1013904223; /* a plain linear congruential sequence; its upper half is good enough */
    return (*s >> 16) % below;
}

/* Stretches of one movement each, with doors tried on the way and shots in one stretch of three. */
static void press_random(struct keys *k, int n, uint32_t seed)
{
    static const int8_t GAIT[8][2] = {{50, 0}, {50, 0}, {50, 0}, {25, 0}, {50, 40}, {0, -40}, {-25, 0}, {0, 0}};

    while (n > 0) {
        const int8_t *gait = GAIT[next_random(&seed, 8)];
        int turn = (int)next_random(&seed, 13) - 6, fire = next_random(&seed, 3) == 0;
        int length = 5 + (int)next_random(&seed, 50), weapon = (int)next_random(&seed, 32);
        for (int t = 0; t < length && n > 0; t++, n--) {
            int8_t cmd[CMD_SIZE] = {gait[0], gait[1], (int8_t)turn, (int8_t)fire};
            if (t % 16 == 8)
                cmd[BUTTONS] |= BT_USE;
            if (t == 0 && weapon < 7)
                cmd[BUTTONS] = (int8_t)(BT_CHANGE | weapon << BT_WEAPON_SHIFT);
            press(k, cmd);
        }
    }
}

static void st_header(char **word, int n, int header[HEADER_SIZE])
{
    for (int i = 1; i < n; i++) {
        const char *v = NULL;
        int h = 0;
        while (h < HEADER_SIZE && (v = value(word[i], HEADER[h])) == NULL)
            h++;
        if (!v)
            die("unknown word '%s'", word[i]);
        header[h] = number(v, h == PLAYERS ? 1 : 0, h == PLAYERS ? MAX_PLAYERS : 255);
    }
}

static struct keys *statement(char **word, int n, struct keys *k, int header[HEADER_SIZE])
{
    int8_t cmd[CMD_SIZE] = {0};
    const char *v;

    if (strcmp(word[0], "demo") == 0) {
        st_header(word, n, header);
    } else if (strcmp(word[0], "player") == 0 && n >= 2) {
        k = &keys[number(word[1], 1, header[PLAYERS]) - 1];
        if (n == 3 && (v = value(word[2], "angle")) != NULL)
            k->angle = degrees(v);
    } else if (strcmp(word[0], "face") == 0 && n == 2) {
        int turn = (degrees(word[1]) - k->angle) & 255;
        cmd[TURN] = (int8_t)(turn > 127 ? turn - 256 : turn);
        press(k, cmd);
    } else if (strcmp(word[0], "facing") == 0 && n == 2) {
        k->angle = degrees(word[1]);
    } else if (strcmp(word[0], "random") == 0 && n == 3 && (v = value(word[2], "seed")) != NULL) {
        press_random(k, number(word[1], 1, MAX_TICS), (uint32_t)number(v, 0, 1000000));
    } else {
        int tics = number(word[0], 1, MAX_TICS);
        for (int i = 1; i < n; i++)
            parse_word(word[i], cmd);
        while (tics-- > 0)
            press(k, cmd);
    }
    return k;
}

static void read_script(int header[HEADER_SIZE])
{
    struct keys *k = &keys[0];
    char buf[1024], *word[32];
    FILE *f = fopen(file, "r");

    if (!f)
        die("cannot open");
    while (fgets(buf, sizeof buf, f)) {
        char *save = NULL;
        int n = 0;
        where++;
        for (char *w = strtok_r(buf, " \t\r\n", &save); w && *w != '#'; w = strtok_r(NULL, " \t\r\n", &save)) {
            if (n == 32)
                die("too many words");
            word[n++] = w;
        }
        if (n)
            k = statement(word, n, k, header);
    }
    if (ferror(f))
        die("read error");
    fclose(f);
}

static bool write_demo(const char *path, const int header[HEADER_SIZE])
{
    int tics = 0, players = header[PLAYERS];
    FILE *f = fopen(path, "wb");

    if (!f)
        return false;
    /* 1.2 and before have no version, and of the rules what the level is alone */
    for (int i = 0; i < PLAYERS; i++)
        if (header[VERSION] != 0 || (i >= SKILL && i <= MAP))
            fputc(i == SKILL ? header[i] - 1 : header[i], f);
    for (int i = 0; i < MAX_PLAYERS; i++)
        fputc(i < players ? 1 : 0, f);
    for (int i = 0; i < players; i++)
        tics = keys[i].n > tics ? keys[i].n : tics;
    for (int t = 0; t < tics; t++) {
        for (int i = 0; i < players; i++) {
            static const int8_t STILL[CMD_SIZE];
            fwrite(t < keys[i].n ? keys[i].cmd[t] : STILL, 1, CMD_SIZE, f);
        }
    }
    fputc(END_MARK, f);
    return !(ferror(f) | fclose(f));
}

int main(int argc, char **argv)
{
    int header[HEADER_SIZE] = {[VERSION] = 109, [SKILL] = 4, [EPISODE] = 1, [MAP] = 1, [PLAYERS] = 1};

    const char *version = NULL;

    if (argc == 5 && strcmp(argv[1], "-v") == 0) {
        version = argv[2];
        argv += 2;
        argc -= 2;
    }
    if (argc != 3) {
        fputs("usage: mkwalk [-v VERSION] in.script out.lmp\n", stderr);
        return 2;
    }
    file = argv[1];
    for (int i = 0; i < MAX_PLAYERS; i++) {
        keys[i].cmd = calloc(MAX_TICS, sizeof *keys[i].cmd);
        if (!keys[i].cmd)
            die("out of memory");
    }
    read_script(header);
    if (version)
        header[VERSION] = number(version, 0, 255);
    bool good = write_demo(argv[2], header);
    for (int i = 0; i < MAX_PLAYERS; i++)
        free(keys[i].cmd);
    if (!good) {
        fprintf(stderr, "mkwalk: %s: cannot write\n", argv[2]);
        return 2;
    }
    return 0;
}
