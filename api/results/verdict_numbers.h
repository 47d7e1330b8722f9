/* The numbers of a replay that the rules of the verdict (verdict.c) use. Knows no rule. */
#ifndef ANAX_API_VERDICT_NUMBERS_H
#define ANAX_API_VERDICT_NUMBERS_H

#include "api/api.h"
#include "api/results/link_numbers.h"

struct verdict_numbers {
    const anax_replay_result *result;
    const struct replay_result *replay;
    /* Sums over all ranks. */
    wide time_sum_ps, compute_sum_ps, host_sum_ps, late_sender_sum_ps, late_receiver_sum_ps,
        late_collective_sum_ps, transit_sum_ps, queueing_sum_ps, storage_sum_ps;
    wide imbalance; /* the most computation of a rank, in millionths of the mean of its job */
    uint32_t max_compute_rank;
    /* When the run could end at the earliest: when the last of all ranks would end if none waited.
     */
    int64_t earliest_end_ps;
    uint32_t earliest_end_rank;
    int64_t earliest_end_start_ps; /* when the job of that rank starts */
    int64_t storage_ps;            /* of an I/O node; no placement or network shortens it */
    struct link_numbers_busiest busiest;
    struct network_link endpoint; /* busiest channel of a node with ranks, which routing cannot
                                   * relieve; at most the run's time. busy_ps 0: not known */
    int64_t next_threshold_bytes; /* power of two that all messages fit; 0: no use or too large */
};

/* Finds the numbers of a result that completed, which they borrow from. */
void verdict_numbers_read(struct verdict_numbers *numbers, const anax_replay_result *result);

#endif
