/* SPDX-License-Identifier: ISC */
/*
 * t.h - a C unit test is one program of small functions, run one by one, printing TAP.
 *
 *     static void adds(void) { CHECK_INT(1 + 1, 2); }
 *     int main(void) { T_RUN(adds); return t_done(); }
 *
 * A check that fails says where and goes on; its function counts as one failed test however many of its checks fail.
 */
#ifndef T_H
#define T_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int t_tests, t_tests_failed; /* functions so far */
static int t_checks_failed;         /* in the running function */
static const char *t_skip_reason;   /* set by the running function */

static inline bool t_check(bool good, const char *file, int line, const char *what)
{
    if (!good) {
        t_checks_failed++;
        printf("# %s:%d: not true: %s\n", file, line, what);
    }
    return good;
}

static inline bool t_int(intmax_t got, intmax_t want, const char *file, int line, const char *what)
{
    if (got != want) {
        t_checks_failed++;
        printf("# %s:%d: %s is %" PRIdMAX " (%#" PRIxMAX "), want %" PRIdMAX " (%#" PRIxMAX ")\n", file, line, what,
               got, (uintmax_t)got, want, (uintmax_t)want);
    }
    return got == want;
}

static inline bool t_str(const char *got, const char *want, const char *file, int line, const char *what)
{
    bool good = got != NULL && strcmp(got, want) == 0;

    if (!good) {
        t_checks_failed++;
        printf("# %s:%d: %s is %s%s%s, want \"%s\"\n", file, line, what, got ? "\"" : "", got ? got : "NULL",
               got ? "\"" : "", want);
    }
    return good;
}

static inline bool t_mem(const void *got, const void *want, size_t n, const char *file, int line, const char *what)
{
    const uint8_t *g = got, *w = want;

    for (size_t i = 0; i < n; i++) {
        if (g[i] != w[i]) {
            t_checks_failed++;
            printf("# %s:%d: %s: byte %zu of %zu is %02x, want %02x\n", file, line, what, i, n, g[i], w[i]);
            return false;
        }
    }
    return true;
}

/* Each gives whether it held, for what makes no sense to look at otherwise: if (!CHECK(p != NULL)) return; */
#define CHECK(cond) t_check((cond), __FILE__, __LINE__, #cond)
#define CHECK_INT(got, want) t_int((intmax_t)(got), (intmax_t)(want), __FILE__, __LINE__, #got)
#define CHECK_STR(got, want) t_str((got), (want), __FILE__, __LINE__, #got)
#define CHECK_MEM(got, want, n) t_mem((got), (want), (n), __FILE__, __LINE__, #got)

/* Marks the running function as skipped; it returns right after. */
#define T_SKIP(reason)            \
    do {                          \
        t_skip_reason = (reason); \
        return;                   \
    } while (0)

#define T_RUN(fn) t_run(#fn, fn)

static inline void t_run(const char *name, void (*fn)(void))
{
    t_checks_failed = 0;
    t_skip_reason = NULL;
    fn();
    t_tests++;
    if (t_checks_failed > 0)
        t_tests_failed++;
    printf("%sok %d %s", t_checks_failed > 0 ? "not " : "", t_tests, name);
    if (t_skip_reason != NULL)
        printf(" # SKIP %s", t_skip_reason);
    printf("\n");
    fflush(stdout); /* what was done stays said when the next one crashes */
}

/* The plan comes last: a program that dies on the way has none, and the runner counts that as a failure. */
static inline int t_done(void)
{
    printf("1..%d\n", t_tests);
    return t_tests_failed > 0;
}

#endif
