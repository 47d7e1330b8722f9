/*
 * Arbitration at an output: round robin, least recent, oldest first; each with or without strict
 * priority of transit (packets from other routers) over injection. Of several traffic classes, it
 * chooses the class first (class_shares.h); responses go before all of them.
 *
 * Every VC of the output chooses among input ports separately: a packet that leaves by another VC,
 * which has credits at other times, must not change their turns. The ports from endpoints take
 * turns among themselves, regardless of the transit in between. Of the input VCs of a port that
 * request one VC, the one with the least service_order goes first; oldest first takes the one with
 * the oldest packet.
 */
#include "network/engine/router/arbiter.h"

#include "core/base/compiler_hints.h"
#include "network/engine/flow_control/class_shares.h"

#define PORT_MASK ((1u << NETWORK_PORT_BITS) - 1)

static inline bool is_transit(const struct network_input_position *position) {
    return position->channel_type != NETWORK_TERMINAL;
}

/* Returns the output VC that arbitrates the request of a packet for `output`. All VCs of an
 * ejection port arbitrate together, as VC 0. */
static inline uint32_t arbitrating_vc(const struct rail_group *rail_group,
                                      const struct network_input_vc *requester, uint32_t output) {
    const struct network *network = rail_group->network;
    const uint32_t goes_on = network->tables.wiring[output].channel_kind != NETWORK_TERMINAL;
    return output * network->vcs.per_port + (input_vc_packet(rail_group, requester)->vc & -goes_on);
}

/* Returns the number of an input VC's port within its router. */
static inline uint32_t port_in_router(const struct network *network,
                                      const struct network_input_position *position) {
    return position->input - position->router * network->topology.radix;
}

/* Returns `one` if the condition holds, else `other`, without a branch. */
static inline uint32_t select_by(bool condition, uint32_t one, uint32_t other) {
    return other ^ ((one ^ other) & -(uint32_t)condition);
}

/* Returns how many ports of the same kind (transit or not) have their turn before a port. Counting
 * starts after the port chosen last among several. */
static inline uint32_t ports_before(const struct network *network,
                                    struct network_round_robin pointers, uint32_t port,
                                    bool transit) {
    uint32_t after = port - select_by(transit, pointers.next_transit, pointers.next_terminal);
    return after + (after >> 31) * network->routers.port_counts[transit];
}

/* Returns the rank of a request; the smallest is served first. Port VCs of one port that request
 * the same VC have equal ranks. The code has no branches because the requests are random, so
 * branches would be mispredicted. */
static inline uint64_t round_robin_rank(const struct rail_group *rail_group, uint32_t output,
                                        const struct network_input_vc *requester) {
    const struct network *network = rail_group->network;
    const struct network_input_position *position = input_vc_position(rail_group, requester);
    uint32_t port_vc = arbitrating_vc(rail_group, requester, output);
    const struct network_round_robin pointers = rail_group->allocation.round_robin[port_vc];
    uint32_t vcs_before =
        port_vc - output * network->vcs.per_port - rail_group->outputs[output].turn_vc;
    vcs_before += (vcs_before >> 31) * network->vcs.per_port;
    bool transit = is_transit(position);
    uint32_t before = ports_before(network, pointers, port_in_router(network, position), transit);
    uint32_t same = transit == pointers.served_transit;
    uint32_t rounds = 1 - same + (same & (before >= pointers.ports_left)) * 2;
    return (uint64_t)vcs_before << 32 | rounds << 16 | before;
}

void arbiter_advance(struct rail_group *rail_group, const struct network_hop_features *features,
                     uint32_t output, const struct network_input_vc *served) {
    if (!features->is_basic && rail_group->allocation.round_robin == NULL) return;
    const struct network *network = rail_group->network;
    const struct network_input_position *position = input_vc_position(rail_group, served);
    uint32_t port_vc = arbitrating_vc(rail_group, served, output);
    struct network_round_robin pointers = rail_group->allocation.round_robin[port_vc];
    bool transit = is_transit(position);
    uint32_t port = port_in_router(network, position);
    uint32_t passed = ports_before(network, pointers, port, transit) + 1;
    bool goes_on = (transit == pointers.served_transit) & (passed <= pointers.ports_left);
    uint32_t ports = network->routers.port_counts[transit];
    pointers.ports_left = (select_by(goes_on, pointers.ports_left, ports) - passed) & PORT_MASK;
    pointers.served_transit = transit;
    uint32_t first = select_by(transit, network->routers.port_counts[false], 0);
    uint32_t next_port = select_by(port + 1 < first + ports, port + 1, first);
    pointers.next_transit = select_by(transit, next_port, pointers.next_transit) & PORT_MASK;
    pointers.next_terminal = select_by(transit, pointers.next_terminal, next_port) & PORT_MASK;
    rail_group->allocation.round_robin[port_vc] = pointers;
    rail_group->outputs[output].turn_vc = (uint16_t)(port_vc - output * network->vcs.per_port + 1);
}

static inline uint32_t *stamp_of(const struct rail_group *rail_group, uint32_t output,
                                 const struct network_input_vc *requester) {
    const struct network *network = rail_group->network;
    const struct network_input_position *position = input_vc_position(rail_group, requester);
    uint32_t radix = network->topology.radix;
    size_t port_vc = arbitrating_vc(rail_group, requester, output);
    return &rail_group->allocation.service_order[port_vc * radix + position->input -
                                                 (size_t)position->router * radix];
}

HINT_NOINLINE int arbiter_compare_classes(const struct rail_group *rail_group,
                                          const struct network_input_vc *a,
                                          const struct network_input_vc *b) {
    const struct network *network = rail_group->network;
    uint32_t vcs = network->vcs.per_virtual_network;
    uint32_t a_vc = input_vc_position(rail_group, a)->vc,
             b_vc = input_vc_position(rail_group, b)->vc;
    if (rail_group->limits.shares == NULL)
        return network_is_response_vc(network, b_vc) - network_is_response_vc(network, a_vc);
    return class_shares_compare(rail_group, input_vc_output(rail_group, a), a_vc / vcs,
                                input_vc_output(rail_group, b), b_vc / vcs);
}

struct network_input_vc *arbiter_better(const struct rail_group *rail_group,
                                        const struct network_hop_features *features,
                                        uint32_t output, struct network_input_vc *a,
                                        struct network_input_vc *b) {
    const struct network *network = rail_group->network;
    if (!features->has_basic_routing && network->routers.has_precedence) {
        int order = network->vcs.virtual_networks > 1 || rail_group->limits.shares != NULL
                        ? arbiter_compare_classes(rail_group, a, b)
                        : 0;
        if (order == 0 && network->routers.serves_transit_first)
            order = is_transit(input_vc_position(rail_group, b)) -
                    is_transit(input_vc_position(rail_group, a));
        if (order != 0) return order < 0 ? a : b;
    }
    if (!features->is_basic && network->config.arbitration == NETWORK_OLDEST) {
        const struct network_packet *packets = rail_group->packets.items;
        return arbiter_is_older(&packets[a->first], &packets[b->first]) ? a : b;
    }
    if (!features->is_basic && rail_group->allocation.service_order != NULL) {
        uint32_t a_stamp = *stamp_of(rail_group, output, a),
                 b_stamp = *stamp_of(rail_group, output, b);
        if (a_stamp != b_stamp) return a_stamp < b_stamp ? a : b;
    } else {
        uint64_t a_rank = round_robin_rank(rail_group, output, a),
                 b_rank = round_robin_rank(rail_group, output, b);
        if (a_rank != b_rank) return a_rank < b_rank ? a : b;
    }
    if (a->service_order != b->service_order &&
        input_vc_position(rail_group, a)->input == input_vc_position(rail_group, b)->input)
        return a->service_order < b->service_order ? a : b;
    return a < b ? a : b; /* both are of one router */
}

void arbiter_stamp(struct rail_group *rail_group, uint32_t output,
                   const struct network_input_vc *served) {
    /* The stamp is the number of packets that the output has served. */
    *stamp_of(rail_group, output, served) = (uint32_t)rail_group->outputs[output].packets;
}
