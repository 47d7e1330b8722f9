/*
 * Collectives in which members only exchange messages with their neighbours: round a ring
 * (allgather, allreduce, reduce_scatter, barrier), alternately with both neighbours (allgather),
 * and from the first member to the last (scan).
 *
 * Sources: Thakur, Rabenseifner, Gropp (2005); Patarasuk, Yuan, "Bandwidth optimal all-reduce
 * algorithms for clusters of workstations" (2009) for allreduce; Chen, Zhang, Zhang, Yuan,
 * "Performance evaluation of allgather algorithms on terascale Linux cluster with fast Ethernet"
 * (2005) for the exchange with neighbours.
 */
#include "replay/collectives/collective_families.h"

uint32_t collective_ring_allgather_steps(const struct collective_call *call) {
    return call->size - 1;
}

void collective_ring_allgather_step(const struct collective_call *call, uint32_t number,
                                    struct collective_step *step) {
    step->to = collective_ahead(call, 1);
    step->from = collective_behind(call, 1);
    step->tag = number;
    step->send = (struct collective_blocks){collective_behind(call, number), 1};
    step->receive = (struct collective_blocks){collective_behind(call, number + 1), 1};
}

uint32_t collective_ring_allreduce_steps(const struct collective_call *call) {
    return 2 * (call->size - 1);
}

/* Fills in a step of a ring allreduce. The slices go round the ring once to be combined, and once
 * more to spread the results. After the first time, slice me + 1 is complete at member me. */
static void ring_allreduce(const struct collective_call *call, uint32_t number, uint32_t segment,
                           uint32_t segments, struct collective_step *step) {
    bool spreads = number >= call->size - 1;
    uint32_t send = collective_behind(call, number), receive = collective_behind(call, number + 1);
    uint32_t count = spreads ? segments : 1;
    step->to = collective_ahead(call, 1);
    step->from = collective_behind(call, 1);
    step->slice_count = call->size * segments;
    step->send = (struct collective_blocks){send * segments + segment, count};
    step->receive = (struct collective_blocks){receive * segments + segment, count};
    step->combine = spreads ? 0 : 1;
}

void collective_ring_allreduce_step(const struct collective_call *call, uint32_t number,
                                    struct collective_step *step) {
    ring_allreduce(call, number, 0, 1, step);
    step->tag = number;
}

/* Returns the number of segments in each slice. */
static uint32_t slice_segments(const struct collective_call *call) {
    uint32_t segments = collective_segments(call);
    return segments / call->size + (segments % call->size != 0);
}

uint32_t collective_segmented_ring_allreduce_steps(const struct collective_call *call) {
    return (slice_segments(call) + 1) * (call->size - 1);
}

/* The segments of all slices are combined round the ring one after another; then whole slices are
 * spread. */
void collective_segmented_ring_allreduce_step(const struct collective_call *call, uint32_t number,
                                              struct collective_step *step) {
    uint32_t segments = slice_segments(call), round = call->size - 1;
    if (number < segments * round)
        ring_allreduce(call, number % round, number / round, segments, step);
    else
        ring_allreduce(call, number - (segments - 1) * round, 0, segments, step);
    step->tag = number;
}

uint32_t collective_ring_reduce_scatter_steps(const struct collective_call *call) {
    return call->size - 1;
}

/* A block starts at the member after its owner and reaches its owner last. */
void collective_ring_reduce_scatter_step(const struct collective_call *call, uint32_t number,
                                         struct collective_step *step) {
    step->to = collective_ahead(call, 1);
    step->from = collective_behind(call, 1);
    step->tag = number;
    step->send = (struct collective_blocks){collective_behind(call, number + 1), 1};
    step->receive = (struct collective_blocks){collective_behind(call, number + 2), 1};
    step->combine = 1;
}

uint32_t collective_neighbour_allgather_steps(const struct collective_call *call) {
    return call->size % 2 == 1 ? collective_ring_allgather_steps(call) : call->size / 2;
}

/* Pairs (0, 1), (2, 3), … exchange their blocks. Then each member exchanges the two blocks it
 * received last with its neighbours on alternating sides. */
void collective_neighbour_allgather_step(const struct collective_call *call, uint32_t number,
                                         struct collective_step *step) {
    if (call->size % 2 == 1) {
        collective_ring_allgather_step(call, number, step);
        return;
    }
    bool up = (call->own_member % 2 == 0) == (number % 2 == 0);
    step->to = step->from = up ? collective_ahead(call, 1) : collective_behind(call, 1);
    step->tag = number;
    if (number == 0) {
        step->send = (struct collective_blocks){call->own_member, 1};
        step->receive = (struct collective_blocks){step->from, 1};
        return;
    }
    /* Odd steps bring blocks that are ever further away on one side, even steps those on the other
     * side. */
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t at = number - i, distance = at % 2 == 1 ? at + 1 : at;
        bool even = call->own_member % 2 == 0, down = even == (at % 2 == 1);
        struct collective_call pair = *call;
        pair.own_member = call->own_member & ~1u;
        uint32_t first =
            down ? collective_behind(&pair, distance) : collective_ahead(&pair, distance);
        *(i == 0 ? &step->receive : &step->send) = (struct collective_blocks){first, 2};
    }
}

uint32_t collective_double_ring_barrier_steps(const struct collective_call *call) {
    return call->size == 1 ? 0 : 4;
}

/* Member 0 sends the signal and receives it back, twice; the others pass it on. */
void collective_double_ring_barrier_step(const struct collective_call *call, uint32_t number,
                                         struct collective_step *step) {
    bool sends = (number % 2 == 0) == (call->own_member == 0);
    if (sends)
        step->to = collective_ahead(call, 1);
    else
        step->from = collective_behind(call, 1);
    step->tag = number / 2;
}

uint32_t collective_linear_scan_steps(const struct collective_call *call) {
    uint32_t first = call->own_member == 0, last = call->own_member == call->size - 1;
    return 2 - first - last;
}

/* Each member combines its own data with the result of the member before it. */
void collective_linear_scan_step(const struct collective_call *call, uint32_t number,
                                 struct collective_step *step) {
    step->send = step->receive = (struct collective_blocks){0, 1};
    if (call->own_member > 0 && number == 0) {
        step->from = call->own_member - 1;
        step->combine =
            call->kind == PROGRAM_COLLECTIVE_SCAN || call->own_member + 1 < call->size ? 1 : 0;
        return;
    }
    step->to = call->own_member + 1;
}
