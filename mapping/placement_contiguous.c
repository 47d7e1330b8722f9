/*
 * Contiguous placement, and other jobs that leave holes: the choice of a batch system on a machine
 * that is in use. Must not know ranks.
 *
 * The rule is Slurm's best fit over consecutive nodes (its plugin select/linear): take the smallest
 * run of free nodes that is large enough for the remaining ranks; if no run is, take the largest
 * run, and repeat. Ranks then take the chosen nodes in order of their numbers.
 */
#include "core/memory/memory.h"
#include "core/simulation/random.h"
#include "mapping/placement.h"

#include <stdlib.h>

struct node_run {
    uint32_t first;
    uint32_t length;
};

/* Orders runs by length, longest first; of equal lengths, the lower node first. */
static int by_length(const void *first, const void *second) {
    const struct node_run *a = first, *b = second;
    if (a->length != b->length) return a->length > b->length ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static int by_number(const void *first, const void *second) {
    uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
    return (a > b) - (a < b);
}

static uint32_t find_runs(const bool *taken, uint32_t node_count, struct node_run *runs) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < node_count; node++) {
        if (taken[node]) continue;
        if (node == 0 || taken[node - 1]) runs[count++] = (struct node_run){node, 0};
        runs[count - 1].length++;
    }
    return count;
}

/* Returns the index of the shortest run, from index `from` on, that has at least `needed` nodes; of
 * equal lengths, the first. Runs are in order of falling length. If none is long enough, returns
 * `from`, the longest. */
static uint32_t smallest_sufficient_run(const struct node_run *runs, uint32_t from, uint32_t count,
                                        uint32_t needed) {
    uint32_t best = from;
    for (uint32_t i = from; i < count && runs[i].length >= needed; i++)
        if (runs[i].length < runs[best].length) best = i;
    return best;
}

status_code placement_contiguous_choose(const struct placement_request *request,
                                        struct placement_pick *pick, struct status *status) {
    uint32_t node_count = request->machine->node_count;
    struct node_run *runs = memory_new(node_count / 2 + 1, sizeof *runs);
    RETURN_ERROR_IF(runs == NULL, status, STATUS_MEMORY, "out of memory for %u nodes", node_count);
    uint32_t count = find_runs(pick->taken, node_count, runs);
    qsort(runs, count, sizeof *runs, by_length);
    for (uint32_t i = 0; i < count && pick->count < pick->wanted; i++) {
        uint32_t needed = pick->wanted - pick->count;
        const struct node_run *run = &runs[smallest_sufficient_run(runs, i, count, needed)];
        for (uint32_t k = 0; k < run->length && k < needed; k++)
            placement_offer(pick, run->first + k);
    }
    free(runs);
    qsort(pick->nodes, pick->count, sizeof *pick->nodes, by_number);
    return STATUS_OK;
}

/*
 * Adds jobs one after another until they hold the share. Each job has 2^k nodes, with k evenly
 * distributed from 0 to the largest k for which 2^k is at most an eighth of the machine. A job
 * takes the next free nodes from a random node on, and continues at node 0 after the last.
 */
void placement_mark_occupied(bool *taken, const struct placement_machine *machine,
                             int64_t share_millionths, uint64_t seed) {
    uint32_t node_count = machine->node_count, sizes = 1;
    uint32_t left = (uint32_t)((uint64_t)node_count * (uint64_t)share_millionths / 1000000);
    while (((uint64_t)1 << sizes) * 8 <= node_count)
        sizes++;
    for (uint32_t node = 0; node < node_count; node++)
        if (taken[node] && left > 0) left--;
    for (uint64_t job = 0; left > 0; job++) {
        struct random_block draw =
            random_draw(seed, RANDOM_PLACEMENT, PLACEMENT_DRAW_OCCUPIED, job);
        uint32_t length = UINT32_C(1) << random_below(draw.word[0], sizes);
        uint32_t node = random_below(draw.word[1], node_count);
        if (length > left) length = left;
        left -= length;
        for (; length > 0; node = node + 1 < node_count ? node + 1 : 0) {
            if (taken[node]) continue;
            taken[node] = true;
            length--;
        }
    }
}
