/*
 * Which candidates a stage of a search keeps: those with the least regret. The regret of a
 * candidate is its time divided by that of the fastest candidate that costs no more, so it is 1 in
 * the Pareto front.
 */
#include "api/search/search_state.h"

#include "core/base/wide.h"
#include "core/memory/memory.h"

#include <stdlib.h>

/* Candidates with a regret up to NEAR_PERCENT are kept beyond the wanted number, up to a share of
 * all. */
enum { NEAR_PERCENT = 105, NEAR_SHARE = 2 };

struct contestant {
    int64_t cost, time_ps;
    int64_t best_ps; /* fastest time at this cost or less */
    size_t index;
    bool is_front;
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

static int by_regret(const void *first, const void *second) {
    const struct contestant *a = first, *b = second;
    if (a->is_front != b->is_front) return a->is_front ? -1 : 1;
    const wide own = (wide)(uint64_t)a->time_ps * (uint64_t)b->best_ps;
    const wide other = (wide)(uint64_t)b->time_ps * (uint64_t)a->best_ps;
    if (own != other) return own < other ? -1 : 1;
    return by_cost(first, second);
}

/* Finds the fastest times and the front of contestants in the order of their costs. */
static void find_front(struct contestant *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct contestant *before = i > 0 ? &list[i - 1] : NULL;
        const bool is_equal =
            before != NULL && before->cost == list[i].cost && before->time_ps == list[i].time_ps;
        const bool is_faster = before == NULL || list[i].time_ps < before->best_ps;
        list[i].best_ps = is_faster ? list[i].time_ps : before->best_ps;
        list[i].is_front = is_faster || (is_equal && before->is_front);
    }
}

static bool is_near(const struct contestant *contestant) {
    return (wide)(uint64_t)contestant->time_ps * 100 <=
           (wide)(uint64_t)contestant->best_ps * NEAR_PERCENT;
}

status_code search_keep(bool *kept, size_t *kept_count, const struct search_candidate *candidates,
                        const int64_t *times_ps, size_t count, size_t wanted,
                        struct status *status) {
    struct contestant *list = memory_new(count, sizeof *list);
    size_t listed = 0;
    *kept_count = 0;
    RETURN_ERROR_IF(list == NULL, status, STATUS_MEMORY, "out of memory for %zu candidates", count);
    for (size_t i = 0; i < count; i++) {
        kept[i] = false;
        if (times_ps[i] >= 0)
            list[listed++] = (struct contestant){
                .cost = candidates[i].figures[SEARCH_COST], .time_ps = times_ps[i], .index = i};
    }
    if (listed > 0) qsort(list, listed, sizeof *list, by_cost);
    find_front(list, listed);
    if (listed > 0) qsort(list, listed, sizeof *list, by_regret);
    for (size_t i = 0; i < listed; i++) {
        const bool is_near_front = i < listed / NEAR_SHARE && is_near(&list[i]);
        if (i >= wanted && !list[i].is_front && !is_near_front) break;
        kept[list[i].index] = true;
        (*kept_count)++;
    }
    free(list);
    return STATUS_OK;
}
