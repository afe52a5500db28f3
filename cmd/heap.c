/* SPDX-License-Identifier: ISC */
/*
 * heap.c - malloc and its kin for tools that replay Doom: they take much memory at once, and the same over and over.
 *
 * musl's map each larger block for itself and give what is freed back to the system at once, and take it again for the
 * next world: on some machines that is most of the time that a short replay takes. Here blocks come out of one region
 * in huge pages, and one that is freed waits for the next of its size, four sizes to a doubling, so that there is never
 * more of any size than was in use at one time. For one thread, and for static programs: the Makefile says which. The
 * host's libc needs none of this.
 */
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SMALLEST_BITS = 6,
    LARGEST_BITS = 25,
    CLASSES = 4 * (LARGEST_BITS - SMALLEST_BITS) + 1,
    LARGE = CLASSES,
    INSIDE
};
#define REGION ((size_t)16 << 20) /* of addresses: only what is written to takes memory */
#define PAGE ((size_t)4096)
#define HUGE ((size_t)2 << 20)

/* In front of each block, which is as aligned as this is long. */
struct head {
    size_t class; /* LARGE: mapped for itself; INSIDE: further on in a block, so that it is aligned better */
    size_t size;  /* of all, the head with it; INSIDE: how much further */
};

struct spare {
    struct head head;
    struct spare *next;
};

static struct spare *waiting[CLASSES];
static uint8_t *region;
static size_t left; /* bytes of the region */

static size_t size_of(size_t class)
{
    return (4 + class % 4) << (class / 4 + SMALLEST_BITS - 2);
}

/* The smallest class with room for so many bytes. */
static size_t class_of(size_t size)
{
    int bits = SMALLEST_BITS;

    if (size <= size_of(0))
        return 0;
    while ((size - 1) >> bits > 1)
        bits++;
    return 4 * (size_t)(bits - SMALLEST_BITS) + ((size - 1) >> (bits - 2)) - 3;
}

static void *map(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

/* In huge pages where the system has them to give: that is one fault in place of 512. */
static bool new_region(void)
{
    uint8_t *p = map(REGION + HUGE);

    if (!p)
        return false;
    region = p + (HUGE - (uintptr_t)p % HUGE) % HUGE;
    left = REGION;
#ifdef MADV_HUGEPAGE
    int why = errno;
    madvise(region, REGION, MADV_HUGEPAGE);
    errno = why;
#endif
    return true;
}

/* Memory that nobody had before, all zero behind its head. */
static struct head *fresh(size_t class, size_t size)
{
    if (class == LARGE || size > REGION) {
        size = (size + PAGE - 1) & ~(PAGE - 1);
        struct head *h = map(size);
        if (h)
            *h = (struct head){class, size};
        return h;
    }
    if (size > left && !new_region())
        return NULL;
    struct head *h = (struct head *)region;
    region += size;
    left -= size;
    *h = (struct head){class, size};
    return h;
}

/* By names of their own: the compiler knows what malloc and free do, and would make calloc of calloc. *used: somebody
 * had the block before, so it need not be zero. */
static void *take(size_t n, bool *used)
{
    struct head *h = NULL;

    *used = false;
    if (n <= PTRDIFF_MAX - sizeof *h - PAGE) {
        size_t size = n + sizeof *h, class = size > size_of(CLASSES - 1) ? LARGE : class_of(size);
        if (class < LARGE)
            size = size_of(class);
        if (class < LARGE && waiting[class]) {
            h = &waiting[class]->head;
            waiting[class] = waiting[class]->next;
            *used = true;
        } else
            h = fresh(class, size);
    }
    if (!h)
        errno = ENOMEM;
    return h ? h + 1 : NULL;
}

/* The head of the block that p, which somebody was given, is in. */
static struct head *head_of(void *p)
{
    struct head *h = (struct head *)p - 1;

    return h->class == INSIDE ? (struct head *)((uint8_t *)p - h->size) - 1 : h;
}

static void give(void *p)
{
    struct head *h = head_of(p);

    if (h->class < LARGE) {
        struct spare *s = (struct spare *)h;
        s->next = waiting[h->class];
        waiting[h->class] = s;
    } else {
        int why = errno;
        munmap(h, h->size);
        errno = why;
    }
}

void *malloc(size_t n)
{
    bool used;

    return take(n, &used);
}

void free(void *p)
{
    if (p)
        give(p);
}

void *calloc(size_t n, size_t each)
{
    if (each > 0 && n > PTRDIFF_MAX / each) {
        errno = ENOMEM;
        return NULL;
    }
    bool used;
    void *p = take(n * each, &used);
    return p && used ? memset(p, 0, n * each) : p;
}

/* The bytes from p to the end of its block. */
static size_t room_of(void *p)
{
    struct head *h = head_of(p);

    return h->size - (size_t)((uint8_t *)p - (uint8_t *)h);
}

void *realloc(void *p, size_t n)
{
    size_t room = p ? room_of(p) : 0;

    if (p && n <= room && n >= room / 4)
        return p;
    void *q = malloc(n);
    if (p && q) {
        memcpy(q, p, n < room ? n : room);
        give(p);
    }
    return q;
}

/* Every way to memory has to be here: what musl's own had given, free would take for ours. */
void *aligned_alloc(size_t align, size_t n)
{
    uint8_t *p =
        align <= REGION && n <= PTRDIFF_MAX - REGION ? malloc(align > sizeof(struct head) ? n + align : n) : NULL;

    if (!p)
        errno = ENOMEM;
    if (!p || align <= sizeof(struct head))
        return p;
    size_t more = (align - (uintptr_t)p % align) % align; /* as the head's size a multiple of that */
    if (more > 0)
        ((struct head *)(p + more))[-1] = (struct head){INSIDE, more};
    return p + more;
}

void *memalign(size_t align, size_t n)
{
    return aligned_alloc(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
    int before = errno;
    void *q = aligned_alloc(align, n);

    errno = before;
    if (q)
        *p = q;
    return q ? 0 : ENOMEM;
}

size_t malloc_usable_size(void *p)
{
    return p ? room_of(p) : 0;
}
