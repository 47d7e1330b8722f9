/*
 * Collectives with simple algorithms: the root (or member 0) exchanges messages with all others, at
 * once or one after another; or no message is needed.
 */
#include "replay/collectives/collective_families.h"

/* Returns the member with that number if the root is not counted. */
static uint32_t other_member(const struct collective_call *call, uint32_t number) {
    return number < call->root ? number : number + 1;
}

uint32_t collective_linear_gather_steps(const struct collective_call *call) {
    return call->size == 1 ? 0 : call->own_member == call->root ? call->size - 1 : 1;
}

void collective_linear_gather_step(const struct collective_call *call, uint32_t number,
                                   struct collective_step *step) {
    collective_ordered_gather_step(call, number, step);
    step->completes_before_next = call->own_member != call->root || number == call->size - 2;
}

uint32_t collective_ordered_gather_steps(const struct collective_call *call) {
    return collective_linear_gather_steps(call);
}

void collective_ordered_gather_step(const struct collective_call *call, uint32_t number,
                                    struct collective_step *step) {
    if (call->own_member != call->root) {
        step->to = call->root;
        step->send = (struct collective_blocks){call->own_member, 1};
        return;
    }
    step->from = other_member(call, number);
    step->receive = (struct collective_blocks){step->from, 1};
}

uint32_t collective_synchronous_gather_steps(const struct collective_call *call) {
    return call->size == 1 ? 0 : call->own_member == call->root ? call->size - 1 : 2;
}

/* The root asks for each block by a message without data. */
void collective_synchronous_gather_step(const struct collective_call *call, uint32_t number,
                                        struct collective_step *step) {
    if (call->own_member == call->root) {
        step->to = other_member(call, number);
        collective_ordered_gather_step(call, number, step);
    } else if (number == 0) {
        step->from = call->root;
    } else {
        collective_ordered_gather_step(call, 0, step);
    }
}

uint32_t collective_linear_scatter_steps(const struct collective_call *call) {
    return collective_linear_gather_steps(call);
}

void collective_linear_scatter_step(const struct collective_call *call, uint32_t number,
                                    struct collective_step *step) {
    collective_ordered_scatter_step(call, number, step);
    step->completes_before_next = call->own_member != call->root || number == call->size - 2;
}

uint32_t collective_ordered_scatter_steps(const struct collective_call *call) {
    return collective_linear_gather_steps(call);
}

void collective_ordered_scatter_step(const struct collective_call *call, uint32_t number,
                                     struct collective_step *step) {
    if (call->own_member != call->root) {
        step->from = call->root;
        step->receive = (struct collective_blocks){call->own_member, 1};
        return;
    }
    step->to = other_member(call, number);
    step->send = (struct collective_blocks){step->to, 1};
}

COLLECTIVE_AS_SCATTER(linear_bcast, linear_scatter)

COLLECTIVE_AS_GATHER(linear_reduce, ordered_gather)

uint32_t collective_linear_barrier_steps(const struct collective_call *call) {
    return call->size == 1 ? 0 : call->own_member == 0 ? 2 * (call->size - 1) : 2;
}

void collective_linear_barrier_step(const struct collective_call *call, uint32_t number,
                                    struct collective_step *step) {
    uint32_t others = call->own_member == 0 ? call->size - 1 : 1;
    uint32_t other = call->own_member == 0 ? 1 + number % others : 0;
    *((call->own_member == 0) == (number < others) ? &step->from : &step->to) = other;
    step->completes_before_next = number % others == others - 1;
}

uint32_t collective_local_steps(const struct collective_call *call) {
    (void)call;
    return 0;
}

void collective_local_step(const struct collective_call *call, uint32_t number,
                           struct collective_step *step) {
    (void)call;
    (void)number;
    (void)step;
}
