/* Adds the time that ranks spend in each state to the bins of their rows, under the lock of the
 * row, and adds up the rows of all processes. */
#include "replay/engine/measurement/rank_states.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* A row of ranks may belong to several domains, so a domain takes its lock to add to it. Sums do
 * not depend on the order of additions. */
struct rank_states {
    struct replay_rank_bins *bins;
    atomic_flag *locks; /* [row] */
};

void replay_rank_bins_free(struct replay_rank_bins *bins) {
    if (bins == NULL) return;
    for (uint32_t row = 0; bins->rows != NULL && row < bins->row_count; row++)
        time_bins_free(&bins->rows[row]);
    free(bins->rows);
    free(bins);
}

static status_code new_rows(struct replay_rank_bins *bins, uint32_t count, struct status *status) {
    bins->rows = memory_new(bins->row_count, sizeof *bins->rows);
    RETURN_ERROR_IF(bins->rows == NULL, status, STATUS_MEMORY, "out of memory for time bins");
    for (uint32_t row = 0; row < bins->row_count; row++)
        FORWARD_IF_ERROR(time_bins_new(&bins->rows[row], count, REPLAY_STATES, status));
    return STATUS_OK;
}

status_code rank_states_new(struct replay_engine *engine, uint32_t bin_count, uint32_t max_rows,
                            struct status *status) {
    const uint32_t ranks = engine->program->rank_count;
    const uint32_t rows = max_rows > 0 ? max_rows : REPLAY_BIN_ROWS;
    struct rank_states *states = engine->rank_states = memory_new(1, sizeof *states);
    if (states != NULL) states->bins = memory_new(1, sizeof *states->bins);
    RETURN_ERROR_IF(states == NULL || states->bins == NULL, status, STATUS_MEMORY,
                    "out of memory for time bins");
    struct replay_rank_bins *bins = states->bins;
    bins->rank_count = ranks;
    bins->ranks_per_row = ranks / rows + (ranks % rows > 0);
    if (bins->ranks_per_row == 0) bins->ranks_per_row = 1;
    bins->row_count = (ranks + bins->ranks_per_row - 1) / bins->ranks_per_row;
    FORWARD_IF_ERROR(new_rows(bins, bin_count, status));
    states->locks = memory_new(bins->row_count, sizeof *states->locks);
    RETURN_ERROR_IF(states->locks == NULL, status, STATUS_MEMORY, "out of memory for time bins");
    for (uint32_t row = 0; row < bins->row_count; row++)
        atomic_flag_clear(&states->locks[row]);
    engine->is_observed = true;
    return STATUS_OK;
}

void rank_states_free(struct replay_engine *engine) {
    struct rank_states *states = engine->rank_states;
    if (states == NULL) return;
    replay_rank_bins_free(states->bins);
    free(states->locks);
    free(states);
    engine->rank_states = NULL;
}

void rank_states_take(struct replay_engine *engine, struct replay_rank_bins **taken) {
    struct rank_states *states = engine->rank_states;
    *taken = NULL;
    if (states == NULL) return;
    struct replay_rank_bins *bins = *taken = states->bins;
    states->bins = NULL;
    int64_t width_ps = 0;
    for (uint32_t row = 0; row < bins->row_count; row++)
        if (bins->rows[row].width_ps > width_ps) width_ps = bins->rows[row].width_ps;
    for (uint32_t row = 0; row < bins->row_count; row++)
        time_bins_widen(&bins->rows[row], width_ps);
}

void rank_states_record(struct engine_domain *domain, uint32_t rank, replay_state state,
                        int64_t until_ps, int64_t time_ps) {
    struct rank_states *states = domain->engine->rank_states;
    if (states == NULL || time_ps <= 0) return;
    uint32_t row = rank / states->bins->ranks_per_row;
    atomic_flag *lock = &states->locks[row];
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        compiler_hint_spin();
    time_bins_add_span(&states->bins->rows[row], state, until_ps - time_ps, until_ps);
    atomic_flag_clear_explicit(lock, memory_order_release);
}

/* ---------------------------------------------------------------- waits */

struct wait_of_rank {
    struct engine_domain *domain;
    uint32_t rank;
    const replay_state *state_of; /* [wait_part] */
};

static void take_part(void *context, wait_part part, int64_t from_ps, int64_t until_ps) {
    const struct wait_of_rank *wait = context;
    rank_states_record(wait->domain, wait->rank, wait->state_of[part], until_ps,
                       until_ps - from_ps);
}

void rank_states_wait(struct engine_domain *domain, uint32_t rank, int64_t from_ps,
                      const struct engine_transfer_end *end) {
    static const replay_state state_of[] = {REPLAY_STATE_LATE_SENDER, REPLAY_STATE_LATE_RECEIVER,
                                            REPLAY_STATE_TRANSIT, REPLAY_STATE_QUEUEING,
                                            REPLAY_STATE_LATE_RECEIVER};
    struct wait_of_rank wait = {domain, rank, state_of};
    if (domain->engine->rank_states != NULL) wait_divide(end, from_ps, take_part, &wait);
}

void rank_states_wait_in_collective(struct engine_domain *domain, uint32_t rank, int64_t from_ps,
                                    const struct engine_transfer_end *end) {
    static const replay_state state_of[] = {
        REPLAY_STATE_COLLECTIVE_LATE, REPLAY_STATE_COLLECTIVE_LATE, REPLAY_STATE_COLLECTIVE_TRANSIT,
        REPLAY_STATE_COLLECTIVE_QUEUEING};
    struct wait_of_rank wait = {domain, rank, state_of};
    if (domain->engine->rank_states != NULL) wait_divide(end, from_ps, take_part, &wait);
}

void rank_states_wait_for_collective(struct engine_domain *domain, uint32_t rank, int64_t until_ps,
                                     const struct replay_collective_wait *wait) {
    const int64_t parts_ps[] = {wait->late_ps, wait->transit_ps, wait->queueing_ps, wait->other_ps};
    int64_t at_ps = until_ps;
    for (unsigned i = 0; i < 4; i++)
        at_ps -= parts_ps[i];
    for (unsigned i = 0; i < 4; i++) {
        at_ps += parts_ps[i];
        rank_states_record(domain, rank, (replay_state)(REPLAY_STATE_COLLECTIVE_LATE + i), at_ps,
                           parts_ps[i]);
    }
}

/* ---------------------------------------------------------------- several processes */

/* Adds the bins of a row that another process has kept. */
static bool take_row(struct processes_unpacking *block, struct time_bins *row) {
    const int64_t *width_ps = processes_unpack(block, sizeof *width_ps);
    const size_t bytes = (size_t)row->count * row->series * sizeof *row->sums;
    const void *sums = processes_unpack(block, bytes);
    if (width_ps == NULL || sums == NULL) return false;
    struct time_bins other = *row;
    other.width_ps = *width_ps;
    other.sums = memory_new((size_t)row->count * row->series, sizeof *other.sums);
    if (other.sums == NULL) return false;
    memcpy(other.sums, sums, bytes);
    time_bins_merge(row, &other);
    free(other.sums);
    return true;
}

status_code rank_states_gather(struct replay_engine *engine, struct status *status) {
    struct processes *processes = engine->transport->processes;
    if (processes == NULL || engine->rank_states == NULL) return STATUS_OK;
    struct replay_rank_bins *bins = engine->rank_states->bins;
    struct processes_packing own = {0};
    struct processes_unpacking *blocks = NULL;
    const bool is_first = processes_number(processes) == 0;
    for (uint32_t row = 0; row < bins->row_count && !is_first; row++) {
        const struct time_bins *of = &bins->rows[row];
        processes_pack(&own, &of->width_ps, sizeof of->width_ps);
        processes_pack(&own, of->sums, (size_t)of->count * of->series * sizeof *of->sums);
    }
    status_code code = processes_gather(processes, &own, &blocks, status);
    bool is_there = true;
    for (unsigned process = 1; process < processes_count(processes) && is_first; process++)
        for (uint32_t row = 0; row < bins->row_count && code == STATUS_OK && is_there; row++)
            is_there = take_row(&blocks[process], &bins->rows[row]);
    if (!is_there) code = status_set(status, STATUS_MEMORY, "out of memory for time bins");
    processes_pack_free(&own);
    free(blocks);
    return code;
}
