/*
 * Collectives in which every member exchanges one block with every other member: alltoall,
 * allgather and reduce_scatter in pairs, with all messages at once, with some at once, or one
 * exchange after another.
 *
 * Sources: Thakur, Rabenseifner, Gropp (2005); MPICH's alltoall posts a few messages at a time.
 */
#include "replay/collectives/collective_families.h"

uint32_t collective_pairwise_alltoall_steps(const struct collective_call *call) {
    return call->size - 1;
}

/* If the size is a power of two, the two members of a pair exchange blocks. Otherwise each member
 * sends to the member `distance` ahead and receives from the one `distance` behind. */
void collective_pairwise_alltoall_step(const struct collective_call *call, uint32_t number,
                                       struct collective_step *step) {
    uint32_t distance = number + 1;
    bool power = (call->size & (call->size - 1)) == 0;
    step->to = power ? call->own_member ^ distance : collective_ahead(call, distance);
    step->from = power ? call->own_member ^ distance : collective_behind(call, distance);
    step->send = (struct collective_blocks){step->to, 1};
    step->receive = (struct collective_blocks){call->own_member, 1};
}

uint32_t collective_linear_alltoall_steps(const struct collective_call *call) {
    return call->size - 1;
}

/* Each member begins with its neighbours, so that not all begin with the same member. */
void collective_linear_alltoall_step(const struct collective_call *call, uint32_t number,
                                     struct collective_step *step) {
    step->to = collective_ahead(call, number + 1);
    step->from = collective_behind(call, number + 1);
    step->send = (struct collective_blocks){step->to, 1};
    step->receive = (struct collective_blocks){call->own_member, 1};
    step->completes_before_next = number == call->size - 2;
}

uint32_t collective_linear_allgather_steps(const struct collective_call *call) {
    return call->size - 1;
}

void collective_linear_allgather_step(const struct collective_call *call, uint32_t number,
                                      struct collective_step *step) {
    collective_linear_alltoall_step(call, number, step);
    step->send = (struct collective_blocks){call->own_member, 1};
    step->receive = (struct collective_blocks){step->from, 1};
}

uint32_t collective_scattered_alltoall_steps(const struct collective_call *call) {
    return call->size - 1;
}

void collective_scattered_alltoall_step(const struct collective_call *call, uint32_t number,
                                        struct collective_step *step) {
    collective_linear_alltoall_step(call, number, step);
    uint32_t at_a_time = collective_throttle(call);
    step->completes_before_next = number == call->size - 2 || number % at_a_time == at_a_time - 1;
}

uint32_t collective_ordered_alltoall_steps(const struct collective_call *call) {
    return call->size - 1;
}

/* In place there is room for one block only. Each member exchanges with members 0, 1, … in this
 * order. Both sides of each exchange keep this order, so the exchanges never block. */
void collective_ordered_alltoall_step(const struct collective_call *call, uint32_t number,
                                      struct collective_step *step) {
    step->to = step->from = number < call->own_member ? number : number + 1;
    step->send = (struct collective_blocks){step->to, 1};
    step->receive = (struct collective_blocks){call->own_member, 1};
}

uint32_t collective_pairwise_reduce_scatter_steps(const struct collective_call *call) {
    return call->size - 1;
}

void collective_pairwise_reduce_scatter_step(const struct collective_call *call, uint32_t number,
                                             struct collective_step *step) {
    step->to = collective_behind(call, number + 1);
    step->from = collective_ahead(call, number + 1);
    step->send = (struct collective_blocks){step->to, 1};
    step->receive = (struct collective_blocks){call->own_member, 1};
    step->combine = 1;
}
