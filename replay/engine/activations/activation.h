/*
 * Activations: a collective in progress on one rank.
 */
#ifndef ANAX_REPLAY_ACTIVATION_H
#define ANAX_REPLAY_ACTIVATION_H

#include "replay/engine/state/engine_state.h"

/* Starts the collective that is operation `index` of the program on a rank, at at_ps. Returns true
 * if the rank's part is complete without waiting, at *done_ps; otherwise sets *handle to its
 * activation and returns false. Running out of memory fails the domain. */
bool activation_start(struct engine_domain *domain, uint32_t rank, uint64_t index, int64_t at_ps,
                      int64_t *done_ps, uint32_t *handle);
/* Marks an activation that a test in the trace found complete: its rank goes on without it and
 * waits for it only at its own end. */
void activation_detach(struct engine_domain *domain, uint32_t handle);
/* The algorithm and steps of a collective on one rank, without carrying it out. */
struct activation_plan {
    uint32_t rank;
    struct program_operation operation;
    struct collective_call call;
    const struct collective_algorithm *algorithm;
    uint32_t steps;
};
/* Fills *plan for operation `operation` of the program, a collective of the rank. Returns false if
 * it has no steps. */
bool activation_describe(const struct replay_engine *engine, uint32_t rank, uint64_t operation,
                         struct activation_plan *plan);
/* Finds what the pointers of a domain's activations point to, after they have come from another
 * process or from a file. */
void activation_renew(struct engine_domain *domain);
/* The messages of a rank in one step of a plan. The rank posts the receive first. */
struct activation_step {
    uint32_t to; /* world rank of the receiver; PROGRAM_NONE: nothing is sent */
    uint32_t from;
    uint32_t send_tag;
    uint32_t receive_tag;
    uint64_t send_bytes;
    uint64_t receive_bytes;
    int64_t combine_ps;         /* CPU time for combining, once all steps so far are complete */
    bool completes_before_next; /* whether the next step waits for this one and all before it */
};
/* Fills in *messages with step `number` (< plan->steps) of a plan. */
void activation_fill_step(const struct replay_engine *engine, const struct activation_plan *plan,
                          uint32_t number, struct activation_step *messages);
/* Continues a non-blocking collective at at_ps, when its rank has entered an MPI call. */
void activation_resume(struct engine_domain *domain, uint32_t activation_index, int64_t at_ps);
/* Handles the end of a transfer that belongs to an activation. */
void activation_transfer_done(struct engine_domain *domain, uint32_t activation_index,
                              const struct engine_transfer_end *end);

#endif
