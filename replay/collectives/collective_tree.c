/*
 * Collectives along binomial trees, as in MPICH: bcast, scatter, gather, reduce.
 *
 * Members are renumbered so that the root is 0. Let low(v) be the lowest set bit of v (for the
 * root: the smallest power of two >= size). The children of v are the numbers v + m below size for
 * all powers of two m < low(v). Its parent is v - low(v), and its subtree is v … v + low(v) - 1.
 */
#include "replay/collectives/collective_families.h"

struct tree_place {
    uint32_t from_root; /* number of the member, counted from the root */
    uint32_t low;
    uint32_t children;
};

static struct tree_place tree_place_of(const struct collective_call *call) {
    struct tree_place place = {(call->own_member + call->size - call->root) % call->size, 1, 0};
    if (place.from_root != 0)
        place.low = place.from_root & (~place.from_root + 1);
    else
        while (place.low < call->size)
            place.low <<= 1;
    while (1u << place.children < place.low &&
           place.from_root + (1u << place.children) < call->size)
        place.children++;
    return place;
}

static uint32_t member_of(const struct collective_call *call, uint32_t number) {
    return (number + call->root) % call->size;
}

/* Returns the blocks of the subtree of `number`, whose lowest set bit is low. */
static struct collective_blocks subtree(const struct collective_call *call, uint32_t number,
                                        uint32_t low) {
    uint32_t left = call->size - number;
    return (struct collective_blocks){member_of(call, number), low < left ? low : left};
}

uint32_t collective_binomial_scatter_steps(const struct collective_call *call) {
    struct tree_place place = tree_place_of(call);
    return place.children + (place.from_root != 0);
}

/* A member receives from its parent, then sends to its children, the largest subtree first. */
void collective_binomial_scatter_step(const struct collective_call *call, uint32_t number,
                                      struct collective_step *step) {
    struct tree_place place = tree_place_of(call);
    if (place.from_root != 0 && number == 0) {
        step->from = member_of(call, place.from_root - place.low);
        step->receive = subtree(call, place.from_root, place.low);
        return;
    }
    uint32_t low = 1u << (place.children - 1 - (number - (place.from_root != 0)));
    step->to = member_of(call, place.from_root + low);
    step->send = subtree(call, place.from_root + low, low);
}

uint32_t collective_binomial_gather_steps(const struct collective_call *call) {
    return collective_binomial_scatter_steps(call);
}

/* A member receives from its children, the smallest subtree first, then sends to its parent. */
void collective_binomial_gather_step(const struct collective_call *call, uint32_t number,
                                     struct collective_step *step) {
    struct tree_place place = tree_place_of(call);
    if (number == place.children) {
        step->to = member_of(call, place.from_root - place.low);
        step->send = subtree(call, place.from_root, place.low);
        return;
    }
    step->from = member_of(call, place.from_root + (1u << number));
    step->receive = subtree(call, place.from_root + (1u << number), 1u << number);
}

COLLECTIVE_AS_SCATTER(binomial_bcast, binomial_scatter)

COLLECTIVE_AS_GATHER(binomial_reduce, binomial_gather)

/* Van de Geijn's bcast for long vectors: slices are scattered along the tree, then gathered by a
 * ring allgather. */
uint32_t collective_scatter_allgather_bcast_steps(const struct collective_call *call) {
    return collective_binomial_scatter_steps(call) + collective_ring_allgather_steps(call);
}

void collective_scatter_allgather_bcast_step(const struct collective_call *call, uint32_t number,
                                             struct collective_step *step) {
    uint32_t scatter = collective_binomial_scatter_steps(call);
    if (number < scatter) {
        collective_binomial_scatter_step(call, number, step);
        return;
    }
    collective_ring_allgather_step(call, number - scatter, step);
    step->tag++; /* the scatter has tag 0 */
}
