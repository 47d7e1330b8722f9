/*
 * Collectives whose distances double from step to step: the dissemination barrier, Bruck's
 * allgather, allreduce and scan by recursive doubling.
 *
 * Sources: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization" (1988); Bruck et
 * al., "Efficient algorithms for all-to-all communications" (1997); Thakur, Rabenseifner, Gropp,
 * "Optimization of collective communication operations in MPICH" (2005).
 */
#include "replay/collectives.h"

/* Smallest n with 2^n >= size. */
static uint32_t doublings(uint32_t size) {
    uint32_t count = 0;
    while (1u << count < size)
        count++;
    return count;
}

uint32_t collective_dissemination_steps(const collective_call *call) {
    return doublings(call->size);
}

void collective_dissemination_step(const collective_call *call, uint32_t number,
                                   collective_step *step) {
    uint32_t distance = 1u << number;
    step->to = (call->me + distance) % call->size;
    step->from = (call->me + call->size - distance) % call->size;
}

uint32_t collective_bruck_allgather_steps(const collective_call *call) {
    return doublings(call->size);
}

/* Before the step with distance d, a member holds the d blocks from its own on. */
void collective_bruck_allgather_step(const collective_call *call, uint32_t number,
                                     collective_step *step) {
    uint32_t distance = 1u << number, left = call->size - distance;
    uint32_t count = distance < left ? distance : left;
    step->to = (call->me + call->size - distance) % call->size;
    step->from = (call->me + distance) % call->size;
    step->send = (collective_blocks){call->me, count};
    step->receive = (collective_blocks){step->from, count};
}

/* Recursive doubling needs a power of two: of the first 2·extra members, the odd ones take in their
 * even neighbours' data first and give them the result at last. */
typedef struct doubling_fold {
    uint32_t power;
    uint32_t rounds;
    uint32_t extra;
} doubling_fold;

static doubling_fold fold_of(const collective_call *call) {
    doubling_fold fold = {1, 0, 0};
    while (fold.power * 2 <= call->size) {
        fold.power *= 2;
        fold.rounds++;
    }
    fold.extra = call->size - fold.power;
    return fold;
}

uint32_t collective_doubling_allreduce_steps(const collective_call *call) {
    doubling_fold fold = fold_of(call);
    if (call->me >= 2 * fold.extra) return fold.rounds;
    return call->me % 2 == 0 ? 2 : fold.rounds + 2;
}

void collective_doubling_allreduce_step(const collective_call *call, uint32_t number,
                                        collective_step *step) {
    doubling_fold fold = fold_of(call);
    bool folded = call->me < 2 * fold.extra;
    step->send = step->receive = (collective_blocks){0, 1};
    if (folded && call->me % 2 == 0) {
        if (number == 0)
            step->to = call->me + 1;
        else
            step->from = call->me + 1;
        return;
    }
    if (folded && number == 0) {
        step->from = call->me - 1;
        step->combine = 1;
        return;
    }
    if (folded && number == fold.rounds + 1) {
        step->to = call->me - 1;
        return;
    }
    uint32_t place = folded ? call->me / 2 : call->me - fold.extra;
    uint32_t partner = place ^ (1u << (number - folded));
    step->to = step->from = partner < fold.extra ? 2 * partner + 1 : partner + fold.extra;
    step->combine = 1;
}

uint32_t collective_doubling_scan_steps(const collective_call *call) {
    return doublings(call->size);
}

/* What comes joins the running value of the member's own block of 2^number; what comes from lower
 * members joins its result too (which, in an exscan, it may start). */
void collective_doubling_scan_step(const collective_call *call, uint32_t number,
                                   collective_step *step) {
    uint32_t distance = 1u << number, partner = call->me ^ distance;
    if (partner >= call->size) return;
    step->to = step->from = partner;
    step->send = step->receive = (collective_blocks){0, 1};
    bool starts = call->kind == PROGRAM_EXSCAN && (call->me & (distance - 1)) == 0;
    step->combine = partner < call->me && !starts ? 2 : 1;
}
