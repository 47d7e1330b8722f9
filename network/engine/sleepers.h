/*
 * Which input VCs a router that allocates all its outputs together need not check. An input VC
 * sleeps when its first packet has been found unable to go. It wakes at the time that was found
 * then, or when an output that it waits for sends a packet or gets credits that were not known to
 * be on their way. All other events can only make an output worse for the packets that ask for it.
 *
 * Invariant: a port VC that sleeps asks, and could not go now.
 */
#ifndef ANAX_NETWORK_SLEEPERS_H
#define ANAX_NETWORK_SLEEPERS_H

#include "network/engine/state.h"

struct sleepers {
    uint64_t *asleep_bits; /* [router·request_words]: port VCs that need not be looked at */
    uint64_t
        *wait_bits; /* [port·request_words]: port VCs of its router that hang on this output … */
    bool *any_waits;  /* [port]: … if any does */
    int64_t *wake_ps; /* [port VC]: until when one sleeps at most */
    int64_t *next_ps; /* [router]: the earliest of these, or earlier */
};

/* NULL: out of memory. */
struct sleepers *sleepers_new(const struct network *network);
void sleepers_free(struct sleepers *sleepers);

/* A port VC's first packet cannot go before wake_ps, unless an output that it waits for changes. */
static inline void sleepers_sleep(struct network_domain *domain, const struct input_vc *asking,
                                  int64_t wake_ps) {
    struct sleepers *sleepers = domain->sleepers;
    sleepers->asleep_bits[asking->request / 64] |= UINT64_C(1) << (asking->request % 64);
    sleepers->wake_ps[asking - domain->input_vcs] = wake_ps;
    if (wake_ps < sleepers->next_ps[asking->router]) sleepers->next_ps[asking->router] = wake_ps;
}

/* What is found out about a port VC now hangs on that output of its router. */
static inline void sleepers_wait(struct network_domain *domain, const struct input_vc *asking,
                                 uint32_t output) {
    uint32_t words = domain->network->request_words;
    domain->sleepers->any_waits[output] = true;
    domain->sleepers->wait_bits[(size_t)output * words + asking->bit / 64] |= UINT64_C(1)
                                                                              << (asking->bit % 64);
}

/* Something has been sent by an output, or credits for it have come. */
static inline void sleepers_wake(struct network_domain *domain, uint32_t output) {
    const struct sleepers *sleepers = domain->sleepers;
    if (!sleepers->any_waits[output]) return;
    sleepers->any_waits[output] = false;
    const struct network *network = domain->network;
    uint32_t words = network->request_words;
    uint64_t *waiting = &sleepers->wait_bits[(size_t)output * words];
    uint64_t *asleep = &sleepers->asleep_bits[(size_t)network->wiring[output].router * words];
    for (uint32_t word = 0; word < words; word++) {
        if (waiting[word] == 0) continue;
        asleep[word] &= ~waiting[word];
        waiting[word] = 0;
    }
}

/* Port VCs of a router whose time has come wake. */
void sleepers_wake_in_time(struct network_domain *domain, uint32_t router);
static inline void sleepers_check_clock(struct network_domain *domain, uint32_t router) {
    if (domain->sleepers->next_ps[router] <= domain->now_ps) sleepers_wake_in_time(domain, router);
}

#endif
