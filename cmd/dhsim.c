/* SPDX-License-Identifier: ISC */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lmp/used.h"
#include "pallet.h"
#include "replay.h"
#include "settings.h"

enum {
    OPT_IWAD = 0x100,
    OPT_FILE,
    OPT_PALLET,
    OPT_DEH,
    OPT_NODEH,
    OPT_DEHLUMP,
    OPT_GAME_VERSION,
    OPT_EVERY,
    OPT_UNTIL,
    OPT_WINDOW,
    OPT_DIGEST,
    OPT_CHECKPOINT,
    OPT_FRESH,
    OPT_RESTART,
    OPT_LOG,
    OPT_FOOTER,
    OPT_RESET
};

static const struct option longs[] = {
    {"iwad", required_argument, NULL, OPT_IWAD},
    {"file", required_argument, NULL, OPT_FILE},
    {"pallet", required_argument, NULL, OPT_PALLET},
    {"every", required_argument, NULL, OPT_EVERY},
    {"until", required_argument, NULL, OPT_UNTIL},
    {"window", required_argument, NULL, OPT_WINDOW},
    {"digest", no_argument, NULL, OPT_DIGEST},
    {"checkpoint", no_argument, NULL, OPT_CHECKPOINT},
    {"fresh", no_argument, NULL, OPT_FRESH},
    {"log", required_argument, NULL, OPT_LOG},
    {"deh", required_argument, NULL, OPT_DEH},
    {"nodeh", no_argument, NULL, OPT_NODEH},
    {"dehlump", no_argument, NULL, OPT_DEHLUMP},
    {"game-version", required_argument, NULL, OPT_GAME_VERSION},
    {"use-footer", no_argument, NULL, OPT_FOOTER},
    {"reset", no_argument, NULL, OPT_RESET},
    {"restart-every", required_argument, NULL, OPT_RESTART},
    {0},
};

static const struct cmd_tool tool = {
    .name = "dhsim",
    .usage = "[-bu] [--iwad WAD] [--file WAD]... [--pallet DIR]... [--every N] "
             "[--until T]\n"
             "[--window A:B] [--digest] [--checkpoint] [--fresh] [--restart-every N]\n"
             "[--log TOPICS] [--deh FILE]... [--nodeh] [--dehlump] [--game-version NAME]\n"
             "[--use-footer] [--reset] [file ...]",
    .help = "Replay demo streams: pass their records on and add the world's states "
            "and events.\n"
            "  --iwad WAD    the game's WAD, by path or name; none: there is none\n"
            "  --file WAD    a WAD on top of it, in load order; none: no more, "
            "whatever was recorded\n"
            "  --pallet DIR  a pallet, or a folder of pallets, of a game of dh; DHPATH "
            "has more\n"
            "  --every N     a state every N ticks; 0: at recorded checkpoints and "
            "the end alone\n"
            "  --until T     stop before tick T\n"
            "  --window A:B  a state, in full, at every tick from A up to, not "
            "including, B\n"
            "  --digest      digests in place of whole states\n"
            "  --checkpoint  write states as checkpoints, in place of the recorded "
            "ones\n"
            "  --fresh       start from the map as it is loaded, not from the "
            "opening checkpoint\n"
            "  --restart-every N  leave the world every N ticks, and go on in another that "
            "starts from its state\n"
            "  --log TOPICS  lines for people, of the topics that the world has, split by commas\n"
            "  --deh FILE    a DEHACKED patch for Doom; none: there is none, whatever was recorded\n"
            "  --nodeh       without the patch that Freedoom's IWADs have in them\n"
            "  --dehlump     with the patches that the WADs of --file have in them\n"
            "  --game-version NAME  Doom's executable: 1.0, 1.1, 1.2, 1.5, 1.666, 1.7, 1.8, 1.9, hacx, "
            "ultimate, final, final2, chex\n"
            "  --use-footer  the files and settings that a Doom demo's footer names, where none are given\n"
            "  --reset       without the settings that an earlier replay wrote into the stream\n"
            "  -b            write the binary encoding\n"
            "  -u            write each record at once",
    .options = "bu",
    .longs = longs,
};

#define MAX_SETTINGS 15

struct sim {
    struct dh_replay_opts opts;
    struct dh_writer *w;
    const char *iwad;
    struct cmd_list wads;            /* list NULL: those of the recording */
    struct cmd_list pallets;         /* folders */
    struct cmd_list dehs;            /* as wads */
    const char *given[MAX_SETTINGS]; /* on the command line */
    size_t ngiven;
    const char *settings[MAX_SETTINGS + 1]; /* for the stream's world, NULL-terminated */
    size_t nsettings;
    bool use_footer, reset;
    struct lmp_used used; /* of the stream's footer */
    char **recorded;      /* settings in the stream's header */
    struct dh_reader *in;
    const char *name; /* of the input */
};

static int load_pallets(const struct sim *s, const struct dh_header *h, struct dh_content *c, struct dh_err *e)
{
    struct dh_pallets *ps = dh_pallets_new(s->pallets.list, getenv("DHPATH"), e);
    int rc = ps ? dh_pallets_load(ps, h->barcode, c, e) : -1;

    dh_pallets_free(ps);
    return rc;
}

static void warn(void *ctx, const char *text)
{
    const struct sim *s = ctx;

    cmd_warn(s->name, "warning: %s", text);
}

static int add_settings(struct sim *s, char *const *list, struct dh_err *e)
{
    return dh_settings_add(s->settings, &s->nsettings, MAX_SETTINGS, list)
               ? 0
               : dh_fail(e, DH_TROUBLE, "more than %d settings", MAX_SETTINGS);
}

/* What was of the stream before. */
static void forget(struct sim *s)
{
    lmp_used_free(&s->used);
    dh_settings_free(s->recorded);
    s->recorded = NULL;
    s->nsettings = 0;
    s->settings[0] = NULL;
}

static int read_footer(struct sim *s, const struct dh_header *h, struct dh_err *e)
{
    int none = lmp_used_read(&s->used, dh_reader_schemas(s->in), h, warn, s, e);

    if (none > 0)
        warn(s, "no footer with a command line in this stream: nothing to use");
    return none < 0 ? -1 : 0;
}

/* What the command line does not say, the footer says if it was asked; and else what the stream was replayed with. */
static int other_settings(struct sim *s, const struct dh_header *h, struct dh_err *e)
{
    while (s->nsettings < s->ngiven) {
        s->settings[s->nsettings] = s->given[s->nsettings];
        s->nsettings++;
    }
    if (s->use_footer && read_footer(s, h, e) < 0)
        return -1;
    if (!s->reset && dh_settings_read(dh_reader_schemas(s->in), h, &s->recorded, e) < 0)
        return -1;
    return add_settings(s, s->used.settings, e) < 0 ? -1 : add_settings(s, s->recorded, e);
}

static int content(void *ctx, const struct dh_world_ops *ops, const struct dh_header *h,
                   const struct dh_keeps *recorded, struct dh_content *c, struct dh_err *e)
{
    struct sim *s = ctx;
    bool doom = strcmp(ops->game, "doom") == 0, dh = strcmp(ops->game, "dh") == 0;

    /* Who gives both has streams of both games. */
    bool wads = s->iwad || s->wads.list, pallets = s->pallets.list;
    forget(s);
    if (!doom && wads && !pallets)
        return dh_fail(e, DH_TROUBLE, "game=%s takes no WADs: --iwad and --file are for Doom", ops->game);
    if (!doom && (s->dehs.list || s->ngiven) && !pallets)
        return dh_fail(e, DH_TROUBLE, "game=%s: --deh, --nodeh, --dehlump and --game-version are for Doom", ops->game);
    if (!dh && pallets && !wads)
        return dh_fail(e, DH_TROUBLE, "game=%s takes no pallets: --pallet is for dh", ops->game);
    if (dh)
        return load_pallets(s, h, c, e);
    if (!doom)
        return 0;
    if (other_settings(s, h, e) < 0)
        return -1;
    const char *iwad = s->iwad ? s->iwad : s->used.iwad;
    return dh_content_wads(c, iwad, s->wads.list ? s->wads.list : s->used.wads, recorded, e) < 0
               ? -1
               : dh_content_dehs(c, s->dehs.list ? s->dehs.list : s->used.dehs, recorded, e);
}

static int one_input(int fd, const char *name, void *arg)
{
    struct sim *s = arg;
    struct dh_reader *r = dh_reader_new(fd);
    int status = DH_OK, got;

    if (!r)
        cmd_die(DH_TROUBLE, NULL, "out of memory");
    s->name = name;
    s->in = r;
    while ((got = dh_reader_stream(r)) > 0) {
        struct dh_err e = {.tick = -1, .offset = DH_NOWHERE};
        int rc = dh_replay(r, s->w, &s->opts, &e);
        if (rc == DH_REPLAY_WRITE_FAILED)
            cmd_write_failed(s->w);
        if (rc < 0)
            status = dh_worse(status, cmd_error(name, &e));
        if (status == DH_TROUBLE)
            break;
    }
    if (got < 0)
        status = dh_worse(status, cmd_error(name, dh_reader_error(r)));
    forget(s);
    dh_reader_free(r);
    return status;
}

/* WADs are mapped: one that somebody cuts short meanwhile has bytes that are nowhere any more. */
_Noreturn static void cut_short(int sig)
{
    static const char text[] = "dhsim: a WAD was cut short while it was in use\n";

    (void)sig;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(DH_TROUBLE);
    _exit(DH_TROUBLE);
}

/* In place of an earlier one of the same key. */
static void set(struct sim *s, const char *setting)
{
    const size_t key = strcspn(setting, "=") + 1;
    size_t i = 0;

    while (i < s->ngiven && strncmp(s->given[i], setting, key) != 0)
        i++;
    s->given[i] = setting;
    s->ngiven += i == s->ngiven;
}

/* A:B, either of them left out for the first and the last tick there can be. */
static void window(struct dh_replay_opts *o, char *arg)
{
    char *colon = arg + strcspn(arg, ":");

    if (*colon == '\0')
        cmd_usage("--window: expected A:B, found '%s'", arg);
    *colon = '\0';
    o->has_window = true;
    o->window = *arg ? (uint32_t)cmd_number("--window", arg, 0, UINT32_MAX) : 0;
    o->window_end = colon[1] ? (uint32_t)cmd_number("--window", colon + 1, 0, UINT32_MAX) : UINT32_MAX;
    if (o->window >= o->window_end)
        cmd_usage("--window: %lu:%lu holds no tick", (unsigned long)o->window, (unsigned long)o->window_end);
}

int main(int argc, char **argv)
{
    struct sim s = {.opts = {.world = dh_world_find, .content = content, .warn = warn}};
    enum dh_encoding enc = DH_TEXT;
    bool unbuffered = false;
    char *version = NULL, *named;

    cmd_start(&tool);
    signal(SIGBUS, cut_short);
    for (int c; (c = cmd_option(argc, argv)) != -1;)
        switch (c) {
        case 'b':
            enc = DH_BINARY;
            break;
        case 'u':
            unbuffered = true;
            break;
        case OPT_IWAD:
            s.iwad = optarg;
            break;
        case OPT_FILE:
            cmd_list_add(&s.wads, strcmp(optarg, "none") == 0 ? NULL : optarg);
            break;
        case OPT_PALLET:
            cmd_list_add(&s.pallets, optarg);
            break;
        case OPT_DEH:
            cmd_list_add(&s.dehs, strcmp(optarg, "none") == 0 ? NULL : optarg);
            break;
        case OPT_NODEH:
            set(&s, "nodeh=1");
            break;
        case OPT_DEHLUMP:
            set(&s, "dehlump=1");
            break;
        case OPT_GAME_VERSION:
            set(&s, named = cmd_setting("game-version", optarg));
            free(version); /* the one before */
            version = named;
            break;
        case OPT_RESTART:
            s.opts.restart = (uint32_t)cmd_number("--restart-every", optarg, 1, UINT32_MAX);
            break;
        case OPT_EVERY:
            s.opts.has_every = true;
            s.opts.every = (uint32_t)cmd_number("--every", optarg, 0, UINT32_MAX);
            break;
        case OPT_UNTIL:
            s.opts.has_until = true;
            s.opts.until = (uint32_t)cmd_number("--until", optarg, 0, UINT32_MAX);
            break;
        case OPT_WINDOW:
            window(&s.opts, optarg);
            break;
        case OPT_DIGEST:
            s.opts.digest = true;
            break;
        case OPT_CHECKPOINT:
            s.opts.checkpoint = true;
            break;
        case OPT_FRESH:
            s.opts.fresh = true;
            break;
        case OPT_LOG:
            s.opts.log = optarg;
            break;
        case OPT_FOOTER:
            s.use_footer = true;
            break;
        case OPT_RESET:
            s.reset = true;
            break;
        }
    s.opts.ctx = &s;
    s.opts.settings = s.settings;
    s.w = cmd_writer(enc, unbuffered);
    int status = cmd_finish(cmd_inputs(argc - optind, argv + optind, one_input, &s), s.w);
    free(s.wads.list);
    free(s.pallets.list);
    free(s.dehs.list);
    free(version);
    return status;
}
