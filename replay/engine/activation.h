/*
 * A collective in progress on one rank.
 */
#ifndef ANAX_REPLAY_ACTIVATION_H
#define ANAX_REPLAY_ACTIVATION_H

#include "replay/engine/engine_state.h"

/* Starts operation `index` of a rank at at_ps; true when it is done at once, at
 * *done_ps, else *handle is set. */
bool activation_start(struct engine_domain *domain, uint32_t rank, uint64_t index, int64_t at_ps,
                      int64_t *done_ps, uint32_t *handle);
/* Its rank does not wait for it where a test found it complete. */
void activation_tested(struct engine_domain *domain, uint32_t handle);
/* A collective as it would be carried out. */
struct activation_plan {
    uint32_t rank;
    const struct program_operation *operation;
    struct collective_call call;
    const struct collective_algorithm *algorithm;
    uint32_t steps;
};
/* Plans operation `operation`, a collective of a rank. False: it consists of nothing. */
bool activation_describe(const struct engine *engine, uint32_t rank, uint64_t operation,
                         struct activation_plan *plan);
/* One of the plan's steps: the messages of a rank, which posts the receive first. */
struct activation_step {
    uint32_t to; /* world ranks; PROGRAM_NONE: nobody */
    uint32_t from;
    uint32_t send_tag;
    uint32_t receive_tag;
    uint64_t send_bytes;
    uint64_t receive_bytes;
    int64_t combine_ps; /* once this and all before it are complete */
    bool wait;          /* for which the next step waits */
};
void activation_messages(const struct engine *engine, const struct activation_plan *plan,
                         uint32_t number, struct activation_step *messages);
/* Goes on with a non-blocking collective whose rank has entered an MPI call. */
void activation_resume(struct engine_domain *domain, uint32_t activation, int64_t at_ps);
void activation_transfer_done(struct engine_domain *domain, uint32_t activation,
                              const struct transfer_end *end);

#endif
