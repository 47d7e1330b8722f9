/*
 * The allocator of routers whose inputs make one transfer at a time: separable, input first, in a
 * given number of rounds. In a round every free input proposes one of its port VCs that could go at
 * once, and every output takes one of the proposals made to it.
 *
 * Inputs choose the port VC served longest ago (or, under oldest-first arbitration, the oldest
 * packet); outputs arbitrate as configured.
 */
#include "network/engine/router.h"

#include "network/engine/arbiter.h"
#include "network/engine/crossbar.h"
#include "network/engine/outputs.h"
#include "network/engine/sleepers.h"
#include "network/engine/wakeups.h"

/* The proposals of a round: the best one for each output port. */
struct proposals {
    bool any;
    uint64_t touched[RADIX_MAX / 64]; /* output ports that were proposed to; 0 between rounds */
    uint64_t several[RADIX_MAX / 64]; /* those that were proposed to more than once; likewise */
    struct input_vc *winner[RADIX_MAX];
};

static inline int64_t find_output(struct network_domain *domain, const struct input_vc *asking) {
    return domain->network->find_output(domain, (uint32_t)(asking - domain->input_vcs));
}

/* When a port VC's first packet could go: now_ps at the earliest, EVENT_NEVER if credits must come.
 */
static inline int64_t could_go_ps(struct network_domain *domain, const struct input_vc *asking,
                                  bool looks) {
    int64_t now_ps = domain->now_ps;
    int64_t input_ps = domain->input_free_ps[asking->input];
    if (looks) return input_ps > now_ps ? input_ps : find_output(domain, asking);
    int64_t at_ps = output_accepts_ps(domain, asking);
    if (input_ps > at_ps) at_ps = input_ps;
    if (at_ps > now_ps) return at_ps;
    if (output_has_credits(domain, asking)) return now_ps;
    output_note_stall(domain, asking->output);
    return credits_time(domain, asking->output_port_vc, asking->size_bytes);
}

static inline void propose(struct network_domain *domain, struct proposals *made,
                           struct input_vc *asking, uint32_t port) {
    made->any = true;
    uint64_t bit = UINT64_C(1) << (port % 64);
    if (made->touched[port / 64] & bit) {
        made->several[port / 64] |= bit;
        made->winner[port] = arbiter_better(domain, made->winner[port], asking);
    } else {
        made->touched[port / 64] |= bit;
        made->winner[port] = asking;
    }
}

/* Whether an input's port VC is to be preferred to another one; of equals the lower stays. */
static bool preferred(const struct network_domain *domain, const struct input_vc *a,
                      const struct input_vc *b) {
    if (domain->network->config.arbitration == NETWORK_OLDEST)
        return arbiter_older(&domain->packets.items[a->first], &domain->packets.items[b->first]);
    return a->eligible_ps < b->eligible_ps;
}

/* A port VC's first packet cannot go before at_ps. */
static inline void defer(struct network_domain *domain, const struct input_vc *asking, bool looks,
                         int64_t at_ps, int64_t *wake_ps) {
    if (looks) sleepers_sleep(domain, asking, at_ps);
    if (at_ps < *wake_ps) *wake_ps = at_ps;
}

/* A router's port VCs. */
struct router_port_vcs {
    struct input_vc *first;
    const uint64_t *asking_bits;
    const uint64_t *asleep_bits; /* only where looks decide */
    uint32_t words;
    uint32_t first_output;
    bool looks; /* constant where these are made */
};

static inline struct router_port_vcs port_vcs_of(const struct network_domain *domain,
                                                 uint32_t router, bool looks) {
    const struct network *network = domain->network;
    uint32_t words = network->request_words;
    uint32_t first_output = router * network->topology.radix;
    size_t first_word = (size_t)router * words;
    return (struct router_port_vcs){
        .first = &domain->input_vcs[(size_t)first_output * network->vcs],
        .asking_bits = &domain->request_bits[first_word],
        .asleep_bits = looks ? &domain->sleepers->asleep_bits[first_word] : NULL,
        .words = words,
        .first_output = first_output,
        .looks = looks,
    };
}

/* A word of them: those that may be able to go. */
static inline uint64_t port_vcs_to_see(const struct router_port_vcs *port_vcs, size_t word) {
    uint64_t asking = port_vcs->asking_bits[word];
    return port_vcs->looks ? asking & ~port_vcs->asleep_bits[word] : asking;
}

/* Input ports in order: returns the last one's best port VC of those that could go now, or NULL;
 * those of ports before it are proposed. *wake_ps: the earliest time at which one of the others
 * could. */
static inline struct input_vc *gather(struct network_domain *domain, struct proposals *made,
                                      const struct router_port_vcs *port_vcs, int64_t *wake_ps) {
    bool busy_inputs = domain->network->config.crossbar != NETWORK_CROSSBAR_IDEAL;
    struct input_vc *best = NULL;
    for (size_t word = 0; word < port_vcs->words; word++) {
        uint64_t bits = port_vcs_to_see(port_vcs, word);
        for (; bits != 0; bits &= bits - 1) {
            struct input_vc *asking = port_vcs->first + word * 64 + __builtin_ctzll(bits);
            int64_t at_ps = could_go_ps(domain, asking, port_vcs->looks);
            if (at_ps > domain->now_ps) {
                defer(domain, asking, port_vcs->looks, at_ps, wake_ps);
            } else if (best == NULL || !busy_inputs || best->input != asking->input) {
                if (best != NULL)
                    propose(domain, made, best, best->output - port_vcs->first_output);
                best = asking;
            } else if (preferred(domain, asking, best)) {
                best = asking;
            }
        }
    }
    return best;
}

static inline bool run_round(struct network_domain *domain, struct proposals *made,
                             const struct router_port_vcs *port_vcs, int64_t *wake_ps) {
    made->any = false;
    struct input_vc *last = gather(domain, made, port_vcs, wake_ps);
    if (last == NULL) return false;
    if (!made->any) { /* mostly only one asks */
        crossbar_transfer(domain, last);
        return true;
    }
    propose(domain, made, last, last->output - port_vcs->first_output);
    uint32_t words = domain->network->port_words;
    for (uint32_t word = 0; word < words; word++) {
        uint64_t several = made->several[word];
        for (; several != 0; several &= several - 1)
            arbiter_pass_turn(domain, made->winner[word * 64 + (uint32_t)__builtin_ctzll(several)]);
        uint64_t bits = made->touched[word];
        made->touched[word] = made->several[word] = 0;
        for (; bits != 0; bits &= bits - 1)
            crossbar_transfer(domain, made->winner[word * 64 + (uint32_t)__builtin_ctzll(bits)]);
    }
    return true;
}

/* The earliest time at which one of the port VCs that still ask could go; what could go now has to
 * wait for the next cycle. */
static inline int64_t next_chance_ps(struct network_domain *domain, uint32_t router,
                                     const struct router_port_vcs *port_vcs) {
    int64_t wake_ps = EVENT_NEVER;
    for (size_t word = 0; word < port_vcs->words; word++) {
        uint64_t bits = port_vcs_to_see(port_vcs, word);
        for (; bits != 0; bits &= bits - 1) {
            const struct input_vc *asking = port_vcs->first + word * 64 + __builtin_ctzll(bits);
            int64_t at_ps = could_go_ps(domain, asking, port_vcs->looks);
            if (at_ps > domain->now_ps) {
                defer(domain, asking, port_vcs->looks, at_ps, &wake_ps);
                continue;
            }
            at_ps = domain->now_ps +
                    (port_vcs->looks ? domain->network->rest_ps : domain->network->cycle_ps);
            if (port_vcs->looks) domain->resume_ps[router] = at_ps;
            if (at_ps < wake_ps) wake_ps = at_ps;
        }
    }
    return wake_ps;
}

/* looks is constant where this is called. */
static inline void allocate(struct network_domain *domain, uint32_t router, bool looks) {
    const struct network *network = domain->network;
    int64_t rounds = network->config.crossbar != NETWORK_CROSSBAR_IDEAL
                         ? network->config.allocation_rounds
                         : INT64_MAX;
    struct proposals made;
    made.touched[0] = made.several[0] = 0;
    for (uint32_t word = 1; word < network->port_words; word++)
        made.touched[word] = made.several[word] = 0;
    int64_t wake_ps = EVENT_NEVER;
    int64_t round = 0;
    if (looks) sleepers_look_at_clock(domain, router);
    struct router_port_vcs port_vcs = port_vcs_of(domain, router, looks);
    while (round < rounds && run_round(domain, &made, &port_vcs, &wake_ps)) {
        round++;
        wake_ps = EVENT_NEVER; /* the transfers have changed everything */
    }
    if (round == rounds) wake_ps = next_chance_ps(domain, router, &port_vcs);
    if (looks && domain->sleepers->next_ps[router] < wake_ps)
        wake_ps = domain->sleepers->next_ps[router];
    if (wake_ps != EVENT_NEVER) wakeup_set(domain, port_vcs.first_output, wake_ps);
}

void separable_allocate(struct network_domain *domain, uint32_t router) {
    if (domain->resume_ps == NULL) {
        allocate(domain, router, false);
    } else if (domain->resume_ps[router] > domain->now_ps) {
        /* Where looks decide, a router whose rounds are used up rests for the cycle: else it would
         * hang on what else wakes it when the next look is. */
        wakeup_set(domain, router * domain->network->topology.radix, domain->resume_ps[router]);
    } else {
        allocate(domain, router, true);
    }
}
