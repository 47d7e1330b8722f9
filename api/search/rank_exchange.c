/* Exchanges ranks as long as the measure falls, and repeats this from the best placement with some
 * random exchanges. A table of digests keeps placements from being measured twice. */
#include "api/search/rank_exchange.h"

#include "core/base/digest.h"
#include "core/base/greatest_common_divisor.h"
#include "core/memory/map.h"
#include "core/memory/memory.h"
#include "core/simulation/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    NOBODY = UINT32_MAX,
    KICK_SHARE = 8,   /* a fresh start makes two random exchanges, and one more for each KICK_SHARE
                         ranks */
    ATTEMPTS_MAX = 50 /* most pairs tried per placement of the budget: few may be new in the end */
};

/* A placement that has been measured, by its digest. */
struct exchange_known {
    uint64_t key;
    bool is_known;
    struct rank_exchange_value value;
};

static inline bool exchange_is_known(const struct exchange_known *known) {
    return known->is_known;
}
MAP_DEFINE(exchange_known, struct exchange_known, uint64_t, map_hash_of_word, map_is_same_word,
           exchange_is_known)

struct exchange_work {
    const struct rank_exchange_task *task;
    uint32_t *node_of_rank;
    uint32_t *slot_of_rank;
    uint32_t *rank_of_slot; /* NOBODY: free */
    uint32_t *best;         /* slot_of_rank of the best placement so far */
    struct rank_exchange_found *found;
    struct exchange_known_map known;
    uint64_t draws;
    uint64_t attempts;
};

static bool is_less(const struct rank_exchange_value *one,
                    const struct rank_exchange_value *other) {
    if (one->first != other->first) return one->first < other->first;
    return one->second < other->second;
}

static uint64_t draw_number(struct exchange_work *work) {
    const struct random_block block =
        random_draw(work->task->seed, RANDOM_PLACEMENT, UINT32_MAX, work->draws++);
    return (uint64_t)block.word[0] << 32 | block.word[1];
}

static void put_rank(struct exchange_work *work, uint32_t rank, uint32_t slot) {
    work->slot_of_rank[rank] = slot;
    work->rank_of_slot[slot] = rank;
    work->node_of_rank[rank] = work->task->node_of_slot[slot];
}

/* Moves a rank to a slot; a rank that has the slot gets the first one's slot. Returns the slot that
 * the first rank had, so that a second call undoes the exchange. */
static uint32_t move_rank(struct exchange_work *work, uint32_t rank, uint32_t slot) {
    const uint32_t left = work->slot_of_rank[rank], other = work->rank_of_slot[slot];
    work->rank_of_slot[left] = NOBODY;
    if (other != NOBODY) put_rank(work, other, left);
    put_rank(work, rank, slot);
    return left;
}

static status_code measure_placement(struct exchange_work *work, struct rank_exchange_value *value,
                                     struct status *status) {
    const struct rank_exchange_task *task = work->task;
    uint64_t digest = DIGEST_GOLDEN;
    for (uint32_t rank = 0; rank < task->rank_count; rank++)
        digest = digest_mix(digest, work->node_of_rank[rank]);
    struct exchange_known *known = exchange_known_map_find(&work->known, &digest);
    if (known == NULL) {
        FORWARD_IF_ERROR(task->measure(task->context, work->node_of_rank, value, status));
        known = exchange_known_map_add(&work->known, &digest);
        RETURN_ERROR_IF(known == NULL, status, STATUS_MEMORY, "out of memory for a search");
        known->is_known = true;
        known->value = *value;
        work->found->measures++;
    }
    *value = known->value;
    return STATUS_OK;
}

static bool is_over(const struct exchange_work *work) {
    return work->found->measures >= work->task->budget ||
           work->attempts / ATTEMPTS_MAX >= work->task->budget;
}

/* Returns whether an exchange gives another placement, and is not tried from the other rank as
 * well. */
static bool is_proposal(const struct exchange_work *work, uint32_t rank, uint32_t slot) {
    const uint32_t other = work->rank_of_slot[slot];
    if (other != NOBODY && other <= rank) return false;
    return work->task->node_of_slot[slot] != work->node_of_rank[rank];
}

/* Exchanges ranks until no exchange lowers the measure. It tries the pairs of a rank and a slot in
 * steps of a random number that has no common divisor with the number of pairs, so that each pair
 * is tried once. */
static status_code descend(struct exchange_work *work, struct rank_exchange_value *value,
                           struct status *status) {
    const uint64_t slots = work->task->slot_count;
    const uint64_t pairs = work->task->rank_count * slots;
    uint64_t at = draw_number(work) % pairs, step = draw_number(work) % pairs;
    while (greatest_common_divisor(step, pairs) != 1)
        step = (step + 1) % pairs;
    for (uint64_t without = 0; without < pairs && !is_over(work); without++) {
        const uint32_t rank = (uint32_t)(at / slots), slot = (uint32_t)(at % slots);
        at = at < pairs - step ? at + step : at - (pairs - step);
        work->attempts++;
        if (!is_proposal(work, rank, slot)) continue;
        struct rank_exchange_value next;
        const uint32_t left = move_rank(work, rank, slot);
        FORWARD_IF_ERROR(measure_placement(work, &next, status));
        if (is_less(&next, value)) {
            *value = next;
            without = 0;
        } else {
            move_rank(work, rank, left);
        }
    }
    return STATUS_OK;
}

static void keep_best(struct exchange_work *work, const struct rank_exchange_value *value) {
    if (!is_less(value, &work->found->best)) return;
    work->found->best = *value;
    memcpy(work->best, work->slot_of_rank, work->task->rank_count * sizeof *work->best);
}

static void go_to_best(struct exchange_work *work) {
    const struct rank_exchange_task *task = work->task;
    for (uint32_t slot = 0; slot < task->slot_count; slot++)
        work->rank_of_slot[slot] = NOBODY;
    for (uint32_t rank = 0; rank < task->rank_count; rank++)
        put_rank(work, rank, work->best[rank]);
}

/* Goes back to the best placement and exchanges some ranks at random. */
static void kick(struct exchange_work *work) {
    const struct rank_exchange_task *task = work->task;
    go_to_best(work);
    for (uint32_t i = 0; i < 2 + task->rank_count / KICK_SHARE; i++)
        move_rank(work, (uint32_t)(draw_number(work) % task->rank_count),
                  (uint32_t)(draw_number(work) % task->slot_count));
    work->attempts++;
}

/* Gives each rank a slot of its node. */
static status_code assign_slots(struct exchange_work *work, struct status *status) {
    const struct rank_exchange_task *task = work->task;
    for (uint32_t slot = 0; slot < task->slot_count; slot++)
        work->rank_of_slot[slot] = NOBODY;
    for (uint32_t rank = 0; rank < task->rank_count; rank++) {
        uint32_t low = 0, high = task->slot_count;
        const uint32_t node = work->node_of_rank[rank];
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (task->node_of_slot[middle] < node)
                low = middle + 1;
            else
                high = middle;
        }
        while (low < task->slot_count && work->rank_of_slot[low] != NOBODY)
            low++;
        RETURN_ERROR_IF(low == task->slot_count || task->node_of_slot[low] != node, status,
                        STATUS_USAGE, "the ranks of node %u do not fit its slots", node);
        put_rank(work, rank, low);
    }
    return STATUS_OK;
}

/* Measures the second start, and goes back to the first one unless the second is better. */
static status_code try_other_start(struct exchange_work *work, struct rank_exchange_value *value,
                                   struct status *status) {
    const struct rank_exchange_task *task = work->task;
    memcpy(work->node_of_rank, task->other_start, task->rank_count * sizeof *work->node_of_rank);
    FORWARD_IF_ERROR(assign_slots(work, status));
    FORWARD_IF_ERROR(measure_placement(work, value, status));
    keep_best(work, value);
    *value = work->found->best;
    go_to_best(work);
    return STATUS_OK;
}

static status_code search_exchanges(struct exchange_work *work, struct status *status) {
    struct rank_exchange_value value;
    FORWARD_IF_ERROR(assign_slots(work, status));
    FORWARD_IF_ERROR(measure_placement(work, &value, status));
    work->found->start = work->found->best = value;
    memcpy(work->best, work->slot_of_rank, work->task->rank_count * sizeof *work->best);
    if (work->task->other_start != NULL && !is_over(work))
        FORWARD_IF_ERROR(try_other_start(work, &value, status));
    FORWARD_IF_ERROR(descend(work, &value, status));
    keep_best(work, &value);
    while (!is_over(work)) {
        kick(work);
        FORWARD_IF_ERROR(measure_placement(work, &value, status));
        FORWARD_IF_ERROR(descend(work, &value, status));
        keep_best(work, &value);
    }
    for (uint32_t rank = 0; rank < work->task->rank_count; rank++)
        work->node_of_rank[rank] = work->task->node_of_slot[work->best[rank]];
    return STATUS_OK;
}

status_code rank_exchange_search(uint32_t *node_of_rank, struct rank_exchange_found *found,
                                 const struct rank_exchange_task *task, struct status *status) {
    *found = (struct rank_exchange_found){.measures = 0};
    struct exchange_work work = {.task = task, .node_of_rank = node_of_rank, .found = found};
    work.slot_of_rank = memory_new(task->rank_count, sizeof *work.slot_of_rank);
    work.best = memory_new(task->rank_count, sizeof *work.best);
    work.rank_of_slot = memory_new(task->slot_count, sizeof *work.rank_of_slot);
    status_code code = work.slot_of_rank != NULL && work.best != NULL && work.rank_of_slot != NULL
                           ? search_exchanges(&work, status)
                           : status_set(status, STATUS_MEMORY, "out of memory for a search");
    free(work.slot_of_rank);
    free(work.best);
    free(work.rank_of_slot);
    exchange_known_map_clear(&work.known);
    return code;
}
