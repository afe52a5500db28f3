/* SPDX-License-Identifier: ISC */
#include "match.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *x, const void *y)
{
    const struct dh_matched *a = *(struct dh_matched *const *)x, *b = *(struct dh_matched *const *)y;

    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->seq > b->seq) - (a->seq < b->seq);
}

static int by_id(const void *x, const void *y)
{
    const struct dh_matched *a = *(struct dh_matched *const *)x, *b = *(struct dh_matched *const *)y;

    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->entity.id > b->entity.id) - (a->entity.id < b->entity.id);
}

static int append(struct dh_matched **list, size_t *n, size_t *cap, const struct dh_matched *m)
{
    if (*n == *cap) {
        size_t more = *cap ? *cap * 2 : 64;
        struct dh_matched *grown = realloc(*list, more * sizeof *grown);
        if (!grown)
            return -1;
        *list = grown;
        *cap = more;
    }
    (*list)[*n] = *m;
    (*list)[*n].seq = *n;
    ++*n;
    return 0;
}

static int collect(const struct dh_plan *p, struct dh_cur c, const struct dh_schemas *s, const int *of,
                   uint64_t *places, bool by_order, struct dh_matched **list, size_t *n, size_t *cap)
{
    struct dh_matched m = {.partner = DH_ALONE};

    if (by_order)
        memset(places, 0, ((size_t)p->ntypes + 1) * sizeof *places);
    *n = 0;
    while (dh_entity_next(s, &c, &m.entity)) {
        m.type = of[m.entity.type];
        m.key = by_order && m.type >= 0 ? places[m.type]++ : m.entity.id;
        if (append(list, n, cap, &m) < 0)
            return -1;
    }
    return 0;
}

static struct dh_matched **sort(struct dh_matched *list, size_t n, struct dh_matched ***mem, size_t *cap,
                                int (*order)(const void *, const void *))
{
    if (n > *cap || !*mem) {
        struct dh_matched **grown = realloc(*mem, (n + 1) * sizeof(struct dh_matched *));
        if (!grown)
            return NULL;
        *mem = grown;
        *cap = n;
    }
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        (*mem)[i] = &list[i];
        sorted &= i == 0 || order(&(*mem)[i - 1], &(*mem)[i]) <= 0;
    }
    if (!sorted)
        qsort(*mem, n, sizeof(struct dh_matched *), order);
    return *mem;
}

static void forget_ids(struct dh_match *m)
{
    free(m->ids_a);
    free(m->ids_b);
    m->ids_a = m->ids_b = NULL;
}

int dh_match(struct dh_match *m, const struct dh_plan *p, struct dh_cur a, struct dh_cur b, bool by_order)
{
    forget_ids(m);
    if (by_order && !m->places && !(m->places = malloc(((size_t)p->ntypes + 1) * sizeof *m->places)))
        return -1;
    if (collect(p, a, p->a, p->of_a, m->places, by_order, &m->a, &m->na, &m->cap_a) < 0 ||
        collect(p, b, p->b, p->of_b, m->places, by_order, &m->b, &m->nb, &m->cap_b) < 0)
        return -1;
    struct dh_matched **x = sort(m->a, m->na, &m->sorted_a, &m->cap_sorted_a, by_key);
    struct dh_matched **y = sort(m->b, m->nb, &m->sorted_b, &m->cap_sorted_b, by_key);
    if (!x || !y)
        return -1;
    for (size_t i = 0, j = 0; i < m->na && j < m->nb;) {
        int order =
            x[i]->type != y[j]->type ? x[i]->type - y[j]->type : (x[i]->key > y[j]->key) - (x[i]->key < y[j]->key);
        if (order == 0) {
            x[i]->partner = y[j]->seq;
            y[j]->partner = x[i]->seq;
        }
        i += order <= 0;
        j += order >= 0;
    }
    return 0;
}

bool dh_match_place(struct dh_match *m, int side, int type, uint64_t id, uint64_t *place, bool *oom)
{
    struct dh_matched ***ids = side ? &m->ids_b : &m->ids_a;
    size_t n = side ? m->nb : m->na, cap = 0;
    struct dh_matched key = {.type = type, .entity = {.id = id}}, *k = &key, **found;

    if (!*ids && !sort(side ? m->b : m->a, n, ids, &cap, by_id)) {
        *oom = true;
        return false;
    }
    found = bsearch(&k, *ids, n, sizeof(struct dh_matched *), by_id);
    if (found)
        *place = (*found)->key;
    return found != NULL;
}

void dh_match_free(struct dh_match *m)
{
    forget_ids(m);
    free(m->a);
    free(m->b);
    free(m->places);
    free(m->sorted_a);
    free(m->sorted_b);
    memset(m, 0, sizeof *m);
}
