/* SPDX-License-Identifier: ISC */
#include "sums.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <md5.h>

#include "sha.h"

#define WORTH_IT ((size_t)1 << 20) /* smaller files are hashed faster than looked up */
#define CACHE_MAX 65536            /* a cache that has grown beyond this starts over */
#define SETTLED 3                  /* seconds: longer than any file system's clock ticks */

struct hashes {
    struct dh_sha sha;
    MD5_CTX md5;
};

static void begin(struct hashes *h)
{
    dh_sha_init(&h->sha);
    MD5Init(&h->md5);
}

static void add(struct hashes *h, const uint8_t *p, size_t n)
{
    dh_sha_add(&h->sha, p, n);
    MD5Update(&h->md5, p, n);
}

static void end(struct hashes *h, struct dh_sums *sums)
{
    dh_sha_end(&h->sha, sums->sha256);
    MD5Final(sums->md5, &h->md5);
}

static void hash(const uint8_t *p, size_t n, struct dh_sums *sums)
{
    struct hashes h;

    begin(&h);
    add(&h, p, n);
    end(&h, sums);
}

/* From the file, so that a large one that is mapped does not come into memory whole for this. false: it cannot be read,
 * or is shorter. */
static bool hash_file(int fd, size_t n, struct dh_sums *sums)
{
    uint8_t piece[16 << 10];
    struct hashes h;

    begin(&h);
    for (size_t at = 0; at < n;) {
        ssize_t k = pread(fd, piece, n - at < sizeof piece ? n - at : sizeof piece, (off_t)at);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        add(&h, piece, (size_t)k);
        at += (size_t)k;
    }
    end(&h, sums);
    return true;
}

void dh_sums_hex(const uint8_t *p, size_t n, char *hex)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        hex[2 * i] = digits[p[i] >> 4];
        hex[2 * i + 1] = digits[p[i] & 15];
    }
    hex[2 * n] = '\0';
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool from_hex(const char *hex, uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int hi = digit(hex[2 * i]), lo = hi < 0 ? -1 : digit(hex[2 * i + 1]);
        if (lo < 0)
            return false;
        p[i] = (uint8_t)(hi << 4 | lo);
    }
    return true;
}

/* ---- the cache: lines "KEY SHA256 MD5" --------------------------------------------------------------------------- */

/* -1 where there is none, and there is no place for one. */
static int open_cache(void)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char path[4096];
    int n;

    if (xdg && *xdg == '/')
        n = snprintf(path, sizeof path - 8, "%s", xdg);
    else if (home && *home == '/')
        n = snprintf(path, sizeof path - 8, "%s/.cache", home);
    else
        return -1;
    if (n < 0 || (size_t)n >= sizeof path - 8)
        return -1;
    mkdir(path, 0700);
    strcat(path, "/dh");
    mkdir(path, 0700);
    strcat(path, "/sums");
    return open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void make_key(const struct stat *st, char key[160])
{
    snprintf(key, 160, "\n%llx.%llx.%llx.%lld.%ld.%lld.%ld ", (unsigned long long)st->st_dev,
             (unsigned long long)st->st_ino, (unsigned long long)st->st_size, (long long)st->st_mtim.tv_sec,
             st->st_mtim.tv_nsec, (long long)st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
}

/* A damaged line is no line. */
static bool look_up(int cache, const char *key, struct dh_sums *sums)
{
    char *text = malloc(CACHE_MAX + 2);
    bool found = false;

    if (!text)
        return false;
    ssize_t n = pread(cache, text + 1, CACHE_MAX, 0);
    if (n > 0) {
        text[0] = '\n';
        text[n + 1] = '\0';
        const char *line = strstr(text, key), *sha = line ? line + strlen(key) : NULL;
        found = sha && strlen(sha) >= 64 + 1 + 32 + 1 && sha[64] == ' ' && sha[97] == '\n' &&
                from_hex(sha, sums->sha256, 32) && from_hex(sha + 65, sums->md5, 16);
    }
    free(text);
    return found;
}

/* One write, so that what several runs remember at a time does not mix. */
static void remember(int cache, const char *key, const struct dh_sums *sums)
{
    char line[160 + 64 + 1 + 32 + 2], sha[65], md5[33];
    struct stat st;

    dh_sums_hex(sums->sha256, 32, sha);
    dh_sums_hex(sums->md5, 16, md5);
    int n = snprintf(line, sizeof line, "%s%s %s\n", key + 1, sha, md5);
    if (fstat(cache, &st) == 0 && st.st_size + n > CACHE_MAX && ftruncate(cache, 0) < 0)
        return;
    if (write(cache, line, (size_t)n) != n)
        return;
}

void dh_sums_of(int fd, const uint8_t *p, size_t n, struct dh_sums *sums)
{
    struct stat st;
    char key[160];

    if (n < WORTH_IT || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size != n) {
        hash(p, n, sums);
        return;
    }
    make_key(&st, key);
    int cache = open_cache();
    if (cache < 0 || !look_up(cache, key, sums)) {
        if (!hash_file(fd, n, sums))
            hash(p, n, sums);
        if (cache >= 0 && st.st_ctim.tv_sec < time(NULL) - SETTLED)
            remember(cache, key, sums);
    }
    if (cache >= 0)
        close(cache);
}
