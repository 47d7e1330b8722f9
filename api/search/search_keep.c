/*
 * Which candidates a stage of a search keeps. Candidates stand in Pareto fronts: the first front
 * has those that no other beats, the second those that only the first beats, and so on
 * (non-dominated sorting). One beats another if it costs no more and takes no longer, and is better
 * in one of both.
 */
#include "api/search/search.h"

#include "core/memory.h"

#include <stdlib.h>

struct contestant {
    int64_t cost, time_ps;
    size_t index;
    size_t front; /* from 0 */
};

static int compare_numbers(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int by_cost(const void *first, const void *second) {
    const struct contestant *a = first, *b = second;
    if (a->cost != b->cost) return compare_numbers(a->cost, b->cost);
    if (a->time_ps != b->time_ps) return compare_numbers(a->time_ps, b->time_ps);
    return a->index < b->index ? -1 : 1;
}

static int by_front(const void *first, const void *second) {
    const struct contestant *a = first, *b = second;
    if (a->front != b->front) return a->front < b->front ? -1 : 1;
    if (a->time_ps != b->time_ps) return compare_numbers(a->time_ps, b->time_ps);
    if (a->cost != b->cost) return compare_numbers(a->cost, b->cost);
    return a->index < b->index ? -1 : 1;
}

/* Finds the fronts of contestants in the order of their costs. One is in the first front whose
 * fastest member so far is slower than it; the fastest members of the fronts are in order. */
static void find_fronts(struct contestant *list, size_t count, int64_t *fastest_ps) {
    size_t fronts = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && list[i].cost == list[i - 1].cost && list[i].time_ps == list[i - 1].time_ps) {
            list[i].front = list[i - 1].front;
            continue;
        }
        size_t low = 0, high = fronts;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (fastest_ps[middle] > list[i].time_ps)
                high = middle;
            else
                low = middle + 1;
        }
        list[i].front = low;
        fastest_ps[low] = list[i].time_ps;
        if (low == fronts) fronts++;
    }
}

status_code search_keep(bool *kept, size_t *kept_count, const struct search_candidate *candidates,
                        const int64_t *times_ps, size_t count, size_t wanted,
                        struct status *status) {
    struct contestant *list = memory_new(count, sizeof *list);
    int64_t *fastest_ps = memory_new(count, sizeof *fastest_ps);
    size_t listed = 0;
    *kept_count = 0;
    if (list == NULL || fastest_ps == NULL) {
        free(list);
        free(fastest_ps);
        return status_set(status, STATUS_MEMORY, "out of memory for %zu candidates", count);
    }
    for (size_t i = 0; i < count; i++) {
        kept[i] = false;
        if (times_ps[i] >= 0)
            list[listed++] =
                (struct contestant){candidates[i].figures[SEARCH_COST], times_ps[i], i, 0};
    }
    if (listed > 0) qsort(list, listed, sizeof *list, by_cost);
    find_fronts(list, listed, fastest_ps);
    if (listed > 0) qsort(list, listed, sizeof *list, by_front);
    for (size_t i = 0; i < listed && (i < wanted || list[i].front == 0); i++, (*kept_count)++)
        kept[list[i].index] = true;
    free(list);
    free(fastest_ps);
    return STATUS_OK;
}
