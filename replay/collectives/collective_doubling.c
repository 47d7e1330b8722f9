/*
 * Collectives whose distances double from step to step: the dissemination barrier, Bruck's
 * allgather and alltoall, and barrier, allgather, bcast, allreduce and scan by recursive doubling.
 *
 * Sources: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization" (1988); Bruck et
 * al., "Efficient algorithms for all-to-all communications" (1997); Thakur, Rabenseifner, Gropp,
 * "Optimization of collective communication operations in MPICH" (2005).
 */
#include "replay/collectives/collective_families.h"

uint32_t collective_dissemination_steps(const struct collective_call *call) {
    return collective_doublings(call->size);
}

void collective_dissemination_step(const struct collective_call *call, uint32_t number,
                                   struct collective_step *step) {
    step->to = collective_ahead(call, 1u << number);
    step->from = collective_behind(call, 1u << number);
}

uint32_t collective_doubling_barrier_steps(const struct collective_call *call) {
    struct collective_fold fold = collective_fold_of(call->size);
    if (call->own_member >= fold.power) return 2;
    return fold.rounds + (call->own_member < fold.extra ? 2 : 0);
}

/* A member beyond the power of two signals through the member whose number is lower by the power.
 */
void collective_doubling_barrier_step(const struct collective_call *call, uint32_t number,
                                      struct collective_step *step) {
    struct collective_fold fold = collective_fold_of(call->size);
    uint32_t outside = call->own_member < fold.extra;
    step->tag = number;
    if (call->own_member >= fold.power) {
        if (number == 0)
            step->to = call->own_member - fold.power;
        else
            step->from = call->own_member - fold.power;
        step->tag = number == 0 ? 0 : fold.rounds + 1;
    } else if (outside && number == 0) {
        step->from = call->own_member + fold.power;
    } else if (number == fold.rounds + outside) {
        step->to = call->own_member + fold.power;
    } else {
        step->tag = number + 1 - outside;
        step->to = step->from = call->own_member ^ (1u << (number - outside));
    }
}

uint32_t collective_bruck_allgather_steps(const struct collective_call *call) {
    return collective_doublings(call->size);
}

/* Before the step with distance d, a member holds d blocks, beginning with its own. */
void collective_bruck_allgather_step(const struct collective_call *call, uint32_t number,
                                     struct collective_step *step) {
    uint32_t distance = 1u << number, left = call->size - distance;
    uint32_t count = distance < left ? distance : left;
    step->to = collective_behind(call, distance);
    step->from = collective_ahead(call, distance);
    step->send = (struct collective_blocks){call->own_member, count};
    step->receive = (struct collective_blocks){step->from, count};
}

uint32_t collective_bruck_alltoall_steps(const struct collective_call *call) {
    return collective_doublings(call->size);
}

/* A block for the member j further on travels the powers of two that add up to j. The step with
 * distance d sends the blocks whose j contains d. Only the number of blocks matters, since all have
 * one size. */
void collective_bruck_alltoall_step(const struct collective_call *call, uint32_t number,
                                    struct collective_step *step) {
    uint32_t distance = 1u << number, rest = (uint32_t)(call->size % (UINT64_C(2) * distance));
    uint32_t count = (call->size - rest) / 2 + (rest > distance ? rest - distance : 0);
    step->to = collective_ahead(call, distance);
    step->from = collective_behind(call, distance);
    step->send = (struct collective_blocks){call->own_member, count};
    step->receive = (struct collective_blocks){step->from, count};
}

/* Members are numbered from the root. In the round with distance d, neighbouring groups of d
 * members exchange all their blocks, member by member. If the upper group has fewer than d members,
 * some members of the lower group have no partner and get the blocks of the upper group along a
 * tree, from the members that have a partner. */
static void gather_by_doubling(const struct collective_call *call, uint32_t root,
                               struct collective_cursor *cursor, struct collective_step *step) {
    uint32_t size = call->size, me = (call->own_member + size - root) % size;
    for (uint32_t round = 0, distance = 1; distance < size; round++, distance *= 2) {
        uint32_t mine = me & ~(distance - 1), partner = me ^ distance;
        uint32_t theirs = mine ^ distance;
        uint32_t have = size - mine < distance ? size - mine : distance;
        uint32_t get = theirs >= size ? 0 : size - theirs < distance ? size - theirs : distance;
        if (partner < size && collective_at(cursor)) {
            step->to = step->from = (partner + root) % size;
            step->send = (struct collective_blocks){(mine + root) % size, have};
            step->receive = (struct collective_blocks){(theirs + root) % size, get};
            step->tag = 64 * round + 1;
        }
        if (theirs < mine || get == 0 || get == distance) continue;
        for (uint32_t half = distance / 2, turn = 2; half > 0; half /= 2, turn++) {
            uint32_t limit = (me & ~(2 * half - 1)) + get, other = me ^ half;
            bool gives = me < limit && other >= limit, takes = other < limit && me >= limit;
            if ((!gives && !takes) || !collective_at(cursor)) continue;
            *(gives ? &step->to : &step->from) = (other + root) % size;
            step->send = step->receive = (struct collective_blocks){(theirs + root) % size, get};
            step->tag = 64 * round + turn;
        }
    }
}

uint32_t collective_doubling_allgather_steps(const struct collective_call *call) {
    struct collective_cursor cursor = {COLLECTIVE_NOBODY, 0};
    struct collective_step unused;
    gather_by_doubling(call, 0, &cursor, &unused);
    return cursor.count;
}

void collective_doubling_allgather_step(const struct collective_call *call, uint32_t number,
                                        struct collective_step *step) {
    gather_by_doubling(call, 0, &(struct collective_cursor){number, 0}, step);
}

uint32_t collective_scatter_doubling_bcast_steps(const struct collective_call *call) {
    struct collective_cursor cursor = {COLLECTIVE_NOBODY, 0};
    struct collective_step unused;
    gather_by_doubling(call, call->root, &cursor, &unused);
    return collective_binomial_scatter_steps(call) + cursor.count;
}

void collective_scatter_doubling_bcast_step(const struct collective_call *call, uint32_t number,
                                            struct collective_step *step) {
    uint32_t scatter = collective_binomial_scatter_steps(call);
    if (number < scatter)
        collective_binomial_scatter_step(call, number, step);
    else
        gather_by_doubling(call, call->root, &(struct collective_cursor){number - scatter, 0},
                           step);
}

uint32_t collective_doubling_allreduce_steps(const struct collective_call *call) {
    struct collective_fold fold = collective_fold_of(call->size);
    if (call->own_member >= 2 * fold.extra) return fold.rounds;
    return call->own_member % 2 == 0 ? 2 : fold.rounds + 2;
}

void collective_doubling_allreduce_step(const struct collective_call *call, uint32_t number,
                                        struct collective_step *step) {
    struct collective_fold fold = collective_fold_of(call->size);
    bool folded = call->own_member < 2 * fold.extra;
    step->send = step->receive = (struct collective_blocks){0, 1};
    if (folded && call->own_member % 2 == 0) {
        if (number == 0)
            step->to = call->own_member + 1;
        else
            step->from = call->own_member + 1;
        return;
    }
    if (folded && number == 0) {
        step->from = call->own_member - 1;
        step->combine = 1;
        return;
    }
    if (folded && number == fold.rounds + 1) {
        step->to = call->own_member - 1;
        return;
    }
    uint32_t partner = collective_place_of(fold, call->own_member) ^ (1u << (number - folded));
    step->to = step->from = collective_member_at(fold, 1, partner);
    step->combine = 1;
}

uint32_t collective_doubling_scan_steps(const struct collective_call *call) {
    return collective_doublings(call->size);
}

/* A member keeps a running value over the aligned block of 2^number members that contains it. A
 * received value is combined with it and, if it comes from lower members, with the member's result
 * too (in an exscan, the first one starts the result). */
void collective_doubling_scan_step(const struct collective_call *call, uint32_t number,
                                   struct collective_step *step) {
    uint32_t distance = 1u << number, partner = call->own_member ^ distance;
    if (partner >= call->size) return;
    step->to = step->from = partner;
    step->send = step->receive = (struct collective_blocks){0, 1};
    bool starts =
        call->kind == PROGRAM_COLLECTIVE_EXSCAN && (call->own_member & (distance - 1)) == 0;
    step->combine = partner < call->own_member && !starts ? 2 : 1;
}
