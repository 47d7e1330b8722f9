/*
 * Collectives without an algorithm to speak of: everybody sends at once what others need, and waits
 * for all at the end; and those that need no message.
 */
#include "replay/collectives.h"

uint32_t collective_linear_gather_steps(const collective_call *call) {
    return call->size == 1 ? 0 : call->me == call->root ? call->size - 1 : 1;
}

/* The number-th member but the root. */
static uint32_t other_member(const collective_call *call, uint32_t number) {
    return number < call->root ? number : number + 1;
}

void collective_linear_gather_step(const collective_call *call, uint32_t number,
                                   collective_step *step) {
    if (call->me != call->root) {
        step->to = call->root;
        step->send = (collective_blocks){call->me, 1};
        return;
    }
    step->from = other_member(call, number);
    step->receive = (collective_blocks){step->from, 1};
    step->wait = number == call->size - 2;
}

uint32_t collective_linear_scatter_steps(const collective_call *call) {
    return collective_linear_gather_steps(call);
}

void collective_linear_scatter_step(const collective_call *call, uint32_t number,
                                    collective_step *step) {
    if (call->me != call->root) {
        step->from = call->root;
        step->receive = (collective_blocks){call->me, 1};
        return;
    }
    step->to = other_member(call, number);
    step->send = (collective_blocks){step->to, 1};
    step->wait = number == call->size - 2;
}

uint32_t collective_linear_alltoall_steps(const collective_call *call) {
    return call->size - 1;
}

/* Each begins with its neighbours, so that not all begin with the same member. */
void collective_linear_alltoall_step(const collective_call *call, uint32_t number,
                                     collective_step *step) {
    step->to = (call->me + number + 1) % call->size;
    step->from = (call->me + call->size - number - 1) % call->size;
    step->send = (collective_blocks){step->to, 1};
    step->receive = (collective_blocks){call->me, 1};
    step->wait = number == call->size - 2;
}

uint32_t collective_local_steps(const collective_call *call) {
    (void)call;
    return 0;
}

void collective_local_step(const collective_call *call, uint32_t number, collective_step *step) {
    (void)call;
    (void)number;
    (void)step;
}
