/*
 * The input VCs that the allocator of a router can skip, if the policy routes in transit.
 * An input VC sleeps after its first packet has been found unable to go. It wakes at the time found
 * then, or earlier when an output that it depends on sends a packet or gets credits that were not
 * known to be on their way. All other events can only make an output worse for the packets that
 * request it.
 *
 * Invariant: an input VC that sleeps has a request, and could not go now.
 */
#ifndef ANAX_NETWORK_SLEEPERS_H
#define ANAX_NETWORK_SLEEPERS_H

#include "network/engine/state/state.h"

struct sleepers {
    uint64_t *asleep_bits; /* [router·request_words]: input VCs that sleep */
    uint64_t *wait_bits;   /* [port·request_words]: input VCs that depend on this output */
    bool *any_waits;       /* [port]: whether any input VC depends on this output */
    int64_t *wake_ps;      /* [input VC]: latest time at which it wakes */
    int64_t *next_ps;      /* [router]: lower bound of wake_ps of its sleeping input VCs */
};

/* Returns the state of a rail group's sleeping input VCs, which sleepers_free frees; NULL: out of
 * memory. */
struct sleepers *sleepers_new(const struct network *network);

/* Frees what sleepers_new has made. */
void sleepers_free(struct sleepers *sleepers);

/* Puts an input VC to sleep: its first packet cannot go before wake_ps unless an output that it
 * depends on changes. */
static inline void sleepers_put_to_sleep(struct rail_group *rail_group,
                                         const struct network_input_vc *requester,
                                         int64_t wake_ps) {
    struct sleepers *sleepers = rail_group->allocation.sleepers;
    const struct network_input_position *position = input_vc_position(rail_group, requester);
    size_t first = (size_t)position->router * rail_group->network->routers.request_words;
    sleepers->asleep_bits[first + position->bit / 64] |= UINT64_C(1) << (position->bit % 64);
    sleepers->wake_ps[requester - rail_group->input_vcs] = wake_ps;
    int64_t *next_ps = &sleepers->next_ps[position->router];
    if (wake_ps < *next_ps) *next_ps = wake_ps;
}

/* Records that the time found for an input VC depends on this output of its router. */
static inline void sleepers_wait(struct rail_group *rail_group,
                                 const struct network_input_vc *requester, uint32_t output) {
    uint32_t words = rail_group->network->routers.request_words;
    uint16_t bit = input_vc_position(rail_group, requester)->bit;
    rail_group->allocation.sleepers->any_waits[output] = true;
    rail_group->allocation.sleepers->wait_bits[(size_t)output * words + bit / 64] |= UINT64_C(1)
                                                                                     << (bit % 64);
}

/* Wakes the input VCs that depend on an output, which has sent a packet or got credits. */
static inline void sleepers_wake(struct rail_group *rail_group, uint32_t output) {
    const struct sleepers *sleepers = rail_group->allocation.sleepers;
    if (!sleepers->any_waits[output]) return;
    sleepers->any_waits[output] = false;
    const struct network *network = rail_group->network;
    uint32_t words = network->routers.request_words;
    uint64_t *waiting = &sleepers->wait_bits[(size_t)output * words];
    uint64_t *asleep =
        &sleepers->asleep_bits[(size_t)network->tables.wiring[output].router * words];
    for (uint32_t word = 0; word < words; word++) {
        if (waiting[word] == 0) continue;
        asleep[word] &= ~waiting[word];
        waiting[word] = 0;
    }
}

/* Wakes the input VCs of a router whose wake_ps has come. */
void sleepers_wake_in_time(struct rail_group *rail_group, uint32_t router);
/* Calls sleepers_wake_in_time if an input VC of the router may have to wake. */
static inline void sleepers_check_clock(struct rail_group *rail_group, uint32_t router) {
    if (rail_group->allocation.sleepers->next_ps[router] <= rail_group->now_ps)
        sleepers_wake_in_time(rail_group, router);
}

#endif
