/*
 * Alltoall in a random order of partners, a few messages at a time.
 *
 * The members get shuffled numbers by a random permutation, and the distances 1 … n-1 a random
 * order d. In round i the member with the shuffled number x sends to the member with the shuffled
 * number x + d(i), and receives from the one with x - d(i), modulo n. This has three properties:
 * - In each round every member sends one message and receives one, and none to or from itself.
 * - Each member has an order of partners of its own.
 * - All members count the rounds alike, so none waits for a message of a later round.
 *
 * The permutation and the order are functions of the call's seed and need no tables. They are
 * Feistel networks of four rounds (Luby, Rackoff 1988) over a power of four. A result that is out
 * of range goes through the network again, until one is in range (Black, Rogaway 2002).
 */
#include "replay/collectives/collective_families.h"

#include "core/base/digest.h"

#define ROUNDS 4

/* A permutation of the numbers below `size`. */
struct shuffle {
    uint64_t seed;
    uint32_t size;
    unsigned half; /* bits of a half */
};

static struct shuffle shuffle_of(const struct collective_call *call, uint64_t stream,
                                 uint32_t size) {
    struct shuffle shuffle = {digest_mix(call->seed, stream), size, 1};
    while ((UINT64_C(1) << 2 * shuffle.half) < size)
        shuffle.half++;
    return shuffle;
}

static uint32_t mask_of(const struct shuffle *shuffle) {
    return (UINT32_C(1) << shuffle->half) - 1;
}

static uint32_t round_of(const struct shuffle *shuffle, uint32_t round, uint32_t half) {
    return (uint32_t)digest_mix(shuffle->seed, (uint64_t)round << 32 | half) & mask_of(shuffle);
}

static uint32_t shuffled(const struct shuffle *shuffle, uint32_t number) {
    do {
        uint32_t left = number >> shuffle->half, right = number & mask_of(shuffle);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            uint32_t next = left ^ round_of(shuffle, round, right);
            left = right;
            right = next;
        }
        number = left << shuffle->half | right;
    } while (number >= shuffle->size);
    return number;
}

static uint32_t unshuffled(const struct shuffle *shuffle, uint32_t number) {
    do {
        uint32_t left = number >> shuffle->half, right = number & mask_of(shuffle);
        for (uint32_t round = ROUNDS; round-- > 0;) {
            uint32_t next = right ^ round_of(shuffle, round, left);
            right = left;
            left = next;
        }
        number = left << shuffle->half | right;
    } while (number >= shuffle->size);
    return number;
}

uint32_t collective_random_alltoall_steps(const struct collective_call *call) {
    return call->size - 1;
}

void collective_random_alltoall_step(const struct collective_call *call, uint32_t number,
                                     struct collective_step *step) {
    struct shuffle members = shuffle_of(call, 0, call->size);
    struct shuffle distances = shuffle_of(call, 1, call->size - 1);
    uint64_t distance = UINT64_C(1) + shuffled(&distances, number);
    uint64_t me = shuffled(&members, call->own_member), size = call->size;
    step->to = unshuffled(&members, (uint32_t)((me + distance) % size));
    step->from = unshuffled(&members, (uint32_t)((me + size - distance) % size));
    step->send = (struct collective_blocks){step->to, 1};
    step->receive = (struct collective_blocks){call->own_member, 1};
    uint32_t at_a_time = collective_throttle(call);
    step->completes_before_next = number == call->size - 2 || number % at_a_time == at_a_time - 1;
}
