/*
 * The allocator of routers that allocate all their outputs together: those with crossbar input or
 * vc, whose inputs are limited, and those whose policy routes in transit. It is separable,
 * input first, and runs a configured number of rounds. In a round every free input proposes one of
 * its input VCs that could go at once, and every output takes one of the proposals made to it. With
 * the ideal crossbar an input proposes all such input VCs, and rounds go on until no packet can go.
 *
 * Inputs choose the input VC with the least service_order (or, under oldest-first arbitration,
 * the oldest packet), and of several traffic classes the class that goes first; outputs arbitrate
 * as configured.
 */
#include "network/engine/router/router.h"

#include "core/base/compiler_hints.h"
#include "network/engine/flow_control/outputs.h"
#include "network/engine/flow_control/requests.h"
#include "network/engine/flow_control/sleepers.h"
#include "network/engine/flow_control/wakeups.h"
#include "network/engine/router/arbiter.h"
#include "network/engine/router/crossbar.h"
#include "network/engine/router/vc_allocation.h"

/* The proposals of a round, with the best one for each output port. */
struct proposals {
    bool any;
    uint64_t touched[NETWORK_RADIX_MAX / 64]; /* output ports with a proposal; 0 between rounds */
    uint64_t several[NETWORK_RADIX_MAX / 64]; /* outputs with several proposals; 0 between rounds */
    struct network_input_vc *winner[NETWORK_RADIX_MAX];
};

/* The input VCs of a router. */
struct router_input_vcs {
    const struct network_hop_features *features;
    struct network_input_vc *first;
    const struct network_input_position *positions;
    const uint64_t *request_bits;
    const uint64_t *asleep_bits; /* NULL: the policy does not route in transit */
    uint32_t words;
    uint32_t first_output;
    bool in_transit; /* the policy routes in transit; a constant for the compiler */
};

static inline struct router_input_vcs input_vcs_of(const struct rail_group *rail_group,
                                                   const struct network_hop_features *features,
                                                   uint32_t router, bool in_transit) {
    const struct network *network = rail_group->network;
    uint32_t words = network_request_words(network, features);
    uint32_t first_output = router * network->topology.radix;
    size_t first_word = (size_t)router * words;
    return (struct router_input_vcs){
        .features = features,
        .first = &rail_group->input_vcs[(size_t)first_output * network->vcs.per_port],
        .positions = &network->tables.positions[(size_t)first_output * network->vcs.per_port],
        .request_bits = &rail_group->allocation.request_bits[first_word],
        .asleep_bits =
            in_transit ? &rail_group->allocation.sleepers->asleep_bits[first_word] : NULL,
        .words = words,
        .first_output = first_output,
        .in_transit = in_transit,
    };
}

/* Returns the bits of a word for the input VCs that have a request and do not sleep. */
static inline uint64_t input_vcs_to_see(const struct router_input_vcs *input_vcs, size_t word) {
    uint64_t requests = input_vcs->request_bits[word];
    return input_vcs->in_transit ? requests & ~input_vcs->asleep_bits[word] : requests;
}

static inline int64_t find_output(struct rail_group *rail_group,
                                  const struct network_input_vc *requester) {
    return rail_group->network->routing.find_output(rail_group,
                                                    (uint32_t)(requester - rail_group->input_vcs));
}

/* Returns when the first packet of an input VC could go: now_ps at the earliest. EVENT_NEVER:
 * credits must come that are not yet on their way. */
static inline int64_t could_go_ps(struct rail_group *rail_group,
                                  const struct router_input_vcs *input_vcs,
                                  const struct network_input_vc *requester, uint32_t input) {
    const struct network_hop_features *features = input_vcs->features;
    int64_t now_ps = rail_group->now_ps;
    int64_t input_ps = rail_group->allocation.input_free_ps[input];
    if (input_vcs->in_transit)
        return input_ps > now_ps ? input_ps : find_output(rail_group, requester);
    const struct network_packet *packet = input_vc_packet(rail_group, requester);
    uint32_t output = input_vcs->first_output + packet->output_port;
    uint32_t port_vc = packet_port_vc(rail_group->network, features, packet, output);
    int64_t at_ps = output_accepts_ps(rail_group, features, output, port_vc, packet->size_bytes);
    if (input_ps > at_ps) at_ps = input_ps;
    if (at_ps > now_ps) return at_ps;
    if (credits_are_available(rail_group, features, port_vc, packet->size_bytes)) return now_ps;
    output_begin_stall(rail_group, output);
    return credits_at_ps(rail_group, port_vc, packet->size_bytes);
}

static inline void propose(struct rail_group *rail_group, struct proposals *made,
                           const struct router_input_vcs *input_vcs,
                           struct network_input_vc *requester) {
    uint32_t port = input_vc_packet(rail_group, requester)->output_port;
    made->any = true;
    uint64_t bit = UINT64_C(1) << (port % 64);
    if (made->touched[port / 64] & bit) {
        made->several[port / 64] |= bit;
        made->winner[port] =
            arbiter_better(rail_group, input_vcs->features, input_vcs->first_output + port,
                           made->winner[port], requester);
    } else {
        made->touched[port / 64] |= bit;
        made->winner[port] = requester;
    }
}

/* Returns whether input VC a is preferred to b, an input VC of the same port. Of equals, neither
 * is preferred. */
static inline bool preferred(const struct rail_group *rail_group,
                             const struct network_hop_features *features,
                             const struct network_input_vc *a, const struct network_input_vc *b) {
    if (!features->is_basic && rail_group->network->routers.orders_inputs) {
        const struct network *network = rail_group->network;
        int order = network->vcs.virtual_networks > 1 || rail_group->limits.shares != NULL
                        ? arbiter_compare_classes(rail_group, a, b)
                        : 0;
        if (order != 0) return order < 0;
        if (rail_group->network->config.arbitration == NETWORK_OLDEST)
            return arbiter_is_older(&rail_group->packets.items[a->first],
                                    &rail_group->packets.items[b->first]);
    }
    return a->service_order < b->service_order;
}

/* Records that the first packet of an input VC cannot go before at_ps: lowers *wake_ps to that,
 * and puts the input VC to sleep if the policy routes in transit. */
static inline void defer(struct rail_group *rail_group, const struct network_input_vc *requester,
                         bool in_transit, int64_t at_ps, int64_t *wake_ps) {
    if (in_transit) sleepers_put_to_sleep(rail_group, requester, at_ps);
    if (at_ps < *wake_ps) *wake_ps = at_ps;
}

/* Visits the input ports in order and proposes the best input VC of each that could go now,
 * except for the last port: returns its best input VC, or NULL if no input VC can go. Lowers
 * *wake_ps to the earliest time at which one of the others could go. */
static inline struct network_input_vc *gather_proposals(struct rail_group *rail_group,
                                                        struct proposals *made,
                                                        const struct router_input_vcs *input_vcs,
                                                        int64_t *wake_ps) {
    const bool busy_inputs = input_vcs->features->crossbar != NETWORK_CROSSBAR_IDEAL;
    struct network_input_vc *best = NULL;
    uint32_t best_input = 0;
    for (size_t word = 0; word < input_vcs->words; word++) {
        uint64_t bits = input_vcs_to_see(input_vcs, word);
        for (; bits != 0; bits &= bits - 1) {
            struct network_input_vc *requester =
                input_vcs->first + word * 64 + __builtin_ctzll(bits);
            uint32_t input = input_vcs->positions[requester - input_vcs->first].input;
            int64_t at_ps = could_go_ps(rail_group, input_vcs, requester, input);
            if (at_ps > rail_group->now_ps) {
                defer(rail_group, requester, input_vcs->in_transit, at_ps, wake_ps);
            } else if (best == NULL || !busy_inputs || best_input != input) {
                if (best != NULL) propose(rail_group, made, input_vcs, best);
                best = requester;
                best_input = input;
            } else if (preferred(rail_group, input_vcs->features, requester, best)) {
                best = requester;
            }
        }
    }
    return best;
}

/* Runs one round. Returns whether a packet was moved; if not, *wake_ps is lowered as by
 * gather_proposals. */
static inline bool run_round(struct rail_group *rail_group, struct proposals *made,
                             const struct router_input_vcs *input_vcs, int64_t *wake_ps) {
    made->any = false;
    struct network_input_vc *last = gather_proposals(rail_group, made, input_vcs, wake_ps);
    if (last == NULL) return false;
    const uint32_t first_output = input_vcs->first_output;
    if (!made->any) { /* the usual case: a single proposal */
        input_vcs->features->traverse(
            rail_group, last, first_output + input_vc_packet(rail_group, last)->output_port);
        return true;
    }
    propose(rail_group, made, input_vcs, last);
    const uint32_t words = network_port_words(rail_group->network, input_vcs->features);
    for (uint32_t word = 0; word < words; word++) {
        uint64_t several = made->several[word];
        for (; several != 0; several &= several - 1) {
            uint32_t port = word * 64 + (uint32_t)__builtin_ctzll(several);
            arbiter_advance(rail_group, input_vcs->features, first_output + port,
                            made->winner[port]);
        }
        uint64_t bits = made->touched[word];
        made->touched[word] = made->several[word] = 0;
        for (; bits != 0; bits &= bits - 1) {
            uint32_t port = word * 64 + (uint32_t)__builtin_ctzll(bits);
            input_vcs->features->traverse(rail_group, made->winner[port], first_output + port);
        }
    }
    return true;
}

/* Returns the earliest time at which one of the input VCs with a request could go. A packet that
 * could go now has to wait for the next cycle, because the rounds are used up. */
static inline int64_t next_chance_ps(struct rail_group *rail_group, uint32_t router,
                                     const struct router_input_vcs *input_vcs) {
    int64_t wake_ps = EVENT_NEVER;
    for (size_t word = 0; word < input_vcs->words; word++) {
        uint64_t bits = input_vcs_to_see(input_vcs, word);
        for (; bits != 0; bits &= bits - 1) {
            const struct network_input_vc *requester =
                input_vcs->first + word * 64 + __builtin_ctzll(bits);
            uint32_t input = input_vcs->positions[requester - input_vcs->first].input;
            int64_t at_ps = could_go_ps(rail_group, input_vcs, requester, input);
            if (at_ps > rail_group->now_ps) {
                defer(rail_group, requester, input_vcs->in_transit, at_ps, &wake_ps);
                continue;
            }
            at_ps = rail_group->now_ps + (input_vcs->in_transit
                                              ? rail_group->network->routers.allocation_pause_ps
                                              : rail_group->network->channels.cycle_ps);
            if (input_vcs->in_transit) rail_group->allocation.resume_ps[router] = at_ps;
            if (at_ps < wake_ps) wake_ps = at_ps;
        }
    }
    return wake_ps;
}

/* Allocates the outputs of a router. Every call passes a constant for `in_transit`, so that the
 * compiler makes two functions of this one. */
static inline void allocate_outputs(struct rail_group *rail_group,
                                    const struct network_hop_features *features, uint32_t router,
                                    bool in_transit) {
    const struct network *network = rail_group->network;
    int64_t rounds = features->crossbar != NETWORK_CROSSBAR_IDEAL
                         ? network->config.allocation_rounds
                         : INT64_MAX;
    struct proposals made;
    made.touched[0] = made.several[0] = 0;
    for (uint32_t word = 1; word < network_port_words(network, features); word++)
        made.touched[word] = made.several[word] = 0;
    int64_t wake_ps = EVENT_NEVER;
    int64_t round = 0;
    if (in_transit) sleepers_check_clock(rail_group, router);
    struct router_input_vcs input_vcs = input_vcs_of(rail_group, features, router, in_transit);
    while (round < rounds && run_round(rail_group, &made, &input_vcs, &wake_ps)) {
        round++;
        wake_ps = EVENT_NEVER; /* the traversals have changed the times found before */
    }
    if (round == rounds) wake_ps = next_chance_ps(rail_group, router, &input_vcs);
    if (in_transit && rail_group->allocation.sleepers->next_ps[router] < wake_ps)
        wake_ps = rail_group->allocation.sleepers->next_ps[router];
    if (wake_ps != EVENT_NEVER) wakeup_set(rail_group, input_vcs.first_output, wake_ps);
}

void separable_allocate(struct rail_group *rail_group, const struct network_hop_features *features,
                        uint32_t router) {
    if (features->has_basic_routing || rail_group->allocation.resume_ps == NULL) {
        allocate_outputs(rail_group, features, router, false);
    } else if (rail_group->allocation.resume_ps[router] > rail_group->now_ps) {
        /* A router that has used up its rounds waits for the next cycle. Otherwise the time of its
         * next allocation would depend on which other event wakes it. */
        wakeup_set(rail_group, router * rail_group->network->topology.radix,
                   rail_group->allocation.resume_ps[router]);
    } else if (!features->is_basic && rail_group->allocation.vc_allocation != NULL) {
        vc_allocation_allocate(rail_group, router);
    } else {
        allocate_outputs(rail_group, features, router, true);
    }
}
