/*
 * Walks through all that packets can do under a routing policy, with the routing functions
 * themselves, and finds out whether channels can wait for each other in a circle.
 *
 * The queues' part in decisions is played by UGAL's bias: there are two equal networks, of which
 * one never decides for a minimal path and the other always, so that both outcomes of every
 * decision are walked, for many draws of candidates. Where policies choose among several candidates
 * of a kind by their loads, the loads are drawn at random, too.
 *
 * Header only, for tests/network.
 */
#ifndef ANAX_TESTS_PATH_WALK_H
#define ANAX_TESTS_PATH_WALK_H

#include "tests/support/network/network_face.h"

#include "core/simulation/random.h"
#include "network/arrangement/arrangement.h"
#include "network/network_choices.h"
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"
#include "network/topology/failures.h"

#include <stdbool.h>

#define DRAWS     40
#define SEQUENCES 6

struct graph {
    struct network *network; /* never minimal */
    struct network *minimal; /* the same machine, always minimal */
    uint32_t channels;
    uint64_t *edges; /* [from·words + to / 64] */
    uint32_t words;
    unsigned max_hops;
    unsigned bound;
    unsigned bound_inside; /* of paths by another router of the group */
    bool leaves;           /* a packet within a group has left it … */
    bool stays_longer;     /* … or has gone by another router, on a path that is not minimal */
    bool loads;            /* policies compare candidates by their loads, which are drawn */
    uint8_t *candidates; /* [(group·routers + router)·links + link]: drawn at the source router */
};

struct walk {
    uint32_t group;
    uint32_t router; /* of the group */
    uint32_t last;   /* channel, or NETWORK_NONE */
    unsigned hops;
    unsigned globals;
    bool entered; /* the group, just now */
    uint32_t virtual_network;
    struct network_packet packet;
};

static inline void add_edge(struct graph *graph, uint32_t from, uint32_t to) {
    if (from != NETWORK_NONE)
        graph->edges[(size_t)from * graph->words + to / 64] |= UINT64_C(1) << to % 64;
}

/* The channel that routing chose, and the packet at its end, as routers leave it. Parallel channels
 * are one: which is taken may hang on queues. */
static inline void step(struct graph *graph, struct walk *walk) {
    const struct network *network = graph->network;
    const struct topology *topology = &network->topology;
    struct network_packet *packet = &walk->packet;
    uint32_t port = packet->output_port;
    assert_true(packet->vc < network->vcs.per_port);
    walk->entered = topology_channel_kind(topology, port) == NETWORK_GLOBAL;
    uint32_t end = NETWORK_NONE, first = port;
    if (!walk->entered) {
        end = topology_local_end(topology, walk->router, port).router;
        first = topology_local_port(topology, walk->group, walk->router, end);
    }
    uint32_t output = walk->router * topology->radix + first;
    uint32_t channel =
        (walk->group * network->tables.ports + output) * network->vcs.per_port + packet->vc;
    add_edge(graph, walk->last, channel);
    assert_int_equal(face_virtual_network(network, packet->vc), walk->virtual_network);
    walk->last = channel;
    walk->hops++;
    packet->routers++;
    if (!walk->entered) {
        assert_true(failures_port_works(
            topology, walk->group * topology->routers_per_group + walk->router, port));
        walk->router = end;
        return;
    }
    uint32_t link =
        walk->router * topology->globals_per_router + port - topology->first_global_port;
    uint32_t peer = topology->link_peers[walk->group * topology->links_per_group + link];
    assert_true(peer != TOPOLOGY_UNCONNECTED);
    walk->group = peer / topology->links_per_group;
    walk->router = peer % topology->links_per_group / topology->globals_per_router;
    walk->globals++;
    face_cross(network, packet);
}

/* The router at which a packet turns, in the group behind the link by which it leaves, or where it
 * is; NETWORK_NONE if it turns at none. */
static inline uint32_t intermediate_router(const struct rail_group *rail_group,
                                           const struct network_packet *packet) {
    if (!(packet->flags & NETWORK_PACKET_TO_INTERMEDIATE)) return NETWORK_NONE;
    if (packet->flags & NETWORK_PACKET_BY_ROUTER) return packet->waypoint_router;
    uint32_t group = packet->waypoint == NETWORK_NO_LINK
                         ? network_group_number(rail_group)
                         : face_group_behind(rail_group, packet->waypoint_link);
    return routing_intermediate_router(rail_group, group, packet);
}

/* But for the router at which they turn. */
static inline bool same_outcome(const struct network_packet *a, const struct network_packet *b) {
    return a->output_port == b->output_port && a->vc == b->vc && a->waypoint == b->waypoint &&
           a->vc_class == b->vc_class && a->flags == b->flags;
}

static inline void note_candidate(struct graph *graph, const struct walk *walk,
                                  const struct network_packet *packet) {
    const struct topology *topology = &graph->network->topology;
    if (walk->hops > 0 || packet->waypoint == NETWORK_NO_LINK ||
        packet->flags & NETWORK_PACKET_BY_ROUTER)
        return;
    graph->candidates[(walk->group * topology->routers_per_group + walk->router) *
                          topology->links_per_group +
                      packet->waypoint_link] = 1;
}

/* Draws what waits for the outputs of a group. */
static inline void draw_loads(const struct graph *graph, uint32_t group, uint32_t draw) {
    if (!graph->loads) return;
    struct random_block block; /* of 16 outputs, a byte each */
    for (uint32_t output = 0; output < graph->network->tables.ports; output++) {
        if (output % 16 == 0) block = random_draw(7, RANDOM_NOISE, output, draw);
        uint32_t byte = block.word[output / 4 % 4] >> 8 * (output % 4) & 0xff;
        face_set_waiting(network_home_of_group(graph->network, group), output, byte * 3 / 256 * 60);
        face_set_waiting(network_home_of_group(graph->minimal, group), output, byte * 3 / 256 * 60);
    }
}

/* Whether another number leaves a packet that has begun its way round failed links on that way. The
 * number stands for further draws, but a packet's own number never changes. */
static inline bool keeps_way_round(const struct rail_group *rail_group,
                                   const struct network_packet *before,
                                   const struct network_packet *packet) {
    if (!(before->flags & NETWORK_PACKET_TENTATIVE) ||
        !routing_needs_third_group(rail_group, before))
        return true;
    return routing_link(rail_group, before->target_group, before) ==
           routing_link(rail_group, packet->target_group, packet);
}

/* All that routing can make of a packet where it is. */
static inline unsigned outcomes(struct graph *graph, const struct walk *walk,
                                struct network_packet *found) {
    struct network *network = graph->network;
    struct rail_group *rail_group = network_home_of_group(network, walk->group);
    bool decides =
        network->routing.policy->decide != NULL && !(walk->packet.flags & NETWORK_PACKET_ROUTED);
    bool draws = decides || (walk->packet.flags & NETWORK_PACKET_TO_INTERMEDIATE && walk->entered);
    bool chooses = graph->loads && walk->packet.waypoint == NETWORK_NO_LINK;
    uint32_t turns[2 * DRAWS]; /* intermediate_router of each that is found */
    unsigned count = 0;
    for (uint32_t draw = 0; draw < (draws || chooses ? DRAWS : 1); draw++) {
        draw_loads(graph, walk->group, draw);
        for (int world = 0; world < (decides ? 2 : 1); world++) {
            struct network *other = world == 0 ? network : graph->minimal;
            struct network_packet packet = walk->packet;
            if (draws) packet.packet_number = draw;
            if (!keeps_way_round(rail_group, &walk->packet, &packet)) continue;
            routing_route(network_home_of_group(other, walk->group), walk->router, &packet);
            note_candidate(graph, walk, &packet);
            turns[count] = intermediate_router(rail_group, &packet);
            unsigned i = 0;
            while (i < count && !(same_outcome(&found[i], &packet) && turns[i] == turns[count]))
                i++;
            if (i == count) found[count++] = packet;
        }
    }
    return count;
}

static inline void walk_on(struct graph *graph, const struct walk *from) {
    const struct topology *topology = &graph->network->topology;
    struct network_packet found[2 * DRAWS];
    unsigned count = outcomes(graph, from, found);
    for (unsigned i = 0; i < count; i++) {
        struct walk next = *from;
        next.packet = found[i];
        if (topology_channel_kind(topology, next.packet.output_port) == NETWORK_TERMINAL) {
            assert_int_equal(next.group, next.packet.target_group);
            assert_int_equal(next.router, next.packet.target_router);
            assert_int_equal(next.packet.output_port,
                             next.packet.destination % topology->endpoints_per_router);
            bool nonminimal = next.packet.flags & NETWORK_PACKET_NONMINIMAL;
            bool away = next.packet.source / topology->endpoints_per_group != next.group;
            bool by_router =
                !away && graph->network->config.intragroup_paths == NETWORK_INTRAGROUP_ROUTER;
            assert_int_equal(next.globals, nonminimal && !by_router ? 2 : away);
            graph->leaves = graph->leaves || (!away && next.globals > 0);
            graph->stays_longer = graph->stays_longer || (by_router && nonminimal);
            assert_true(!by_router || next.hops <= graph->bound_inside);
            if (next.hops > graph->max_hops) graph->max_hops = next.hops;
            continue;
        }
        step(graph, &next);
        assert_true(next.hops <= graph->bound);
        walk_on(graph, &next);
    }
}

/* Every source router, destination router, and choice among several links, in one virtual network.
 */
static inline void walk_network(struct graph *graph, uint32_t virtual_network) {
    const struct topology *topology = &graph->network->topology;
    uint32_t routers = topology->groups * topology->routers_per_group;
    uint32_t sequences = topology->links_per_group >= topology->groups ? SEQUENCES : 1;
    if (graph->loads && sequences > 2) sequences = 2; /* loads choose among links, too */
    for (uint32_t source = 0; source < routers; source++) {
        for (uint32_t target = 0; target < routers; target++) {
            if (!failures_router_works(topology, source) ||
                !failures_router_works(topology, target))
                continue;
            for (uint32_t sequence = 0; sequence < sequences; sequence++) {
                struct walk walk = {
                    .group = source / topology->routers_per_group,
                    .router = source % topology->routers_per_group,
                    .last = NETWORK_NONE,
                    .virtual_network = virtual_network,
                    .packet = {.source = source * topology->endpoints_per_router,
                               .destination = target * topology->endpoints_per_router,
                               .sequence = sequence,
                               .packet_number = sequence,
                               .target_group = (uint16_t)(target / topology->routers_per_group),
                               .target_router = (uint16_t)(target % topology->routers_per_group),
                               .waypoint = NETWORK_NO_LINK,
                               .vc_class = graph->network->routing.injection_class,
                               .flags = graph->network->routing.injection_flags},
                };
                face_set_virtual_network(graph->network, &walk.packet, virtual_network);
                walk_on(graph, &walk);
            }
        }
    }
}

static inline void walk_all(struct graph *graph) {
    for (uint32_t i = 0; i < network_config_virtual_networks(&graph->network->config); i++)
        walk_network(graph, i);
}

/* Takes away channels that wait for none until none is left; a circle stays. */
static inline bool has_circle(const struct graph *graph) {
    uint32_t n = graph->channels;
    uint32_t *waits_for = calloc(n, sizeof *waits_for);
    uint32_t *ready = malloc(n * sizeof *ready);
    uint32_t count = 0, done = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t word = 0; word < graph->words; word++)
            waits_for[i] +=
                (uint32_t)__builtin_popcountll(graph->edges[(size_t)i * graph->words + word]);
        if (waits_for[i] == 0) ready[count++] = i;
    }
    while (done < count) {
        uint32_t taken = ready[done++];
        for (uint32_t i = 0; i < n; i++) {
            bool edge = graph->edges[(size_t)i * graph->words + taken / 64] >> taken % 64 & 1;
            if (edge && --waits_for[i] == 0) ready[count++] = i;
        }
    }
    free(waits_for);
    free(ready);
    return count < n;
}

/* ---------------------------------------------------------------- machines and policies */

struct shape {
    int64_t a, h, g;
};

static inline unsigned bound_of(const struct network_config *config, unsigned inside) {
    const struct routing_policy *policy = &routing_policies()[config->routing];
    if (inside == 0) inside = 1;
    unsigned bound = 2 * inside + 1;
    if (policy->misrouting == NULL && !network_config_has_failures(config)) return bound;
    bound += inside + 1;
    if (config->valiant == NETWORK_VALIANT_ROUTER) bound += inside;
    return bound + (strcmp(policy->name, "par") == 0 ? inside : 0);
}

/* Every candidate that the misrouting policy names has been drawn, by every router. */
static inline void check_candidates(const struct graph *graph) {
    const struct network *network = graph->network;
    const struct topology *topology = &network->topology;
    unsigned kind = network->routing.misrouting->injected;
    if (kind == MISROUTING_GROUP && topology->links_per_group >= topology->groups)
        return; /* a link to each group for a message, more than are walked */
    for (uint32_t group = 0; group < topology->groups; group++) {
        for (uint32_t router = 0; router < topology->routers_per_group; router++) {
            for (uint32_t link = 0; link < topology->links_per_group; link++) {
                if (face_group_behind(face_rail_group(network, group), link) == NETWORK_NONE)
                    continue;
                bool own = link / topology->globals_per_router == router;
                bool wanted = kind == MISROUTING_CURRENT     ? own
                              : kind == MISROUTING_NEIGHBOUR ? !own
                                                             : true;
                assert_int_equal(graph->candidates[(group * topology->routers_per_group + router) *
                                                       topology->links_per_group +
                                                   link],
                                 wanted);
            }
        }
    }
}

/* Walks all; returns whether there is a circle. */
static inline bool explore(const struct network_config *config, bool whole, unsigned *max_hops) {
    struct network_config never = *config, always = *config;
    never.routing_bias_byte_hops = -(1 << 30);
    always.routing_bias_byte_hops = 1 << 30;
    struct network_world world, minimal;
    network_world_new(&world, &never, 5);
    network_world_new(&minimal, &always, 5);
    struct network *network = world.network;
    struct graph graph = {.network = network,
                          .minimal = minimal.network,
                          .bound = bound_of(config, network->topology.local_diameter),
                          .loads = network->routing.uses_candidates};
    bool par = strcmp(network->routing.policy->name, "par") == 0;
    graph.bound_inside = (par ? 3 : 2) * network->topology.local_diameter;
    graph.channels = network->topology.groups * network->tables.ports * network->vcs.per_port;
    graph.words = (graph.channels + 63) / 64;
    graph.edges = calloc((size_t)graph.channels * graph.words, sizeof *graph.edges);
    graph.candidates =
        calloc((size_t)network->topology.groups * network->topology.routers_per_group *
                       network->topology.links_per_group +
                   1,
               1);
    walk_all(&graph);
    if (whole && network->routing.misrouting != NULL && config->groups > 3)
        check_candidates(&graph);
    bool decides = network->routing.policy->decide != NULL && config->groups > 1;
    assert_int_equal(graph.leaves,
                     decides && config->intragroup_paths == NETWORK_INTRAGROUP_POLICY);
    assert_int_equal(graph.stays_longer,
                     network->routing.policy->decide != NULL &&
                         config->intragroup_paths == NETWORK_INTRAGROUP_ROUTER &&
                         config->routers_per_group > 2);
    bool circle = has_circle(&graph);
    *max_hops = graph.max_hops;
    free(graph.edges);
    free(graph.candidates);
    network_world_free(&world);
    network_world_free(&minimal);
    return circle;
}

static inline struct network_config config_of(const struct shape *shape, int32_t routing) {
    struct network_config config = network_world_config("nodes_per_router=1");
    config.routers_per_group = shape->a;
    config.globals_per_router = shape->h;
    config.groups = shape->g;
    config.routing = routing;
    return config;
}

/* Policies that decide in transit have walks of their own: test_ofar.c. */
static inline bool is_valid(const struct network_config *config) {
    if (routing_policies()[config->routing].transit != NULL) return false;
    struct status status = STATUS_INIT;
    bool valid = network_config_check(config, &status) == STATUS_OK;
    status_clear(&status);
    return valid;
}

static inline void check_free_of_circles(const struct network_config *config) {
    unsigned max_hops;
    if (!explore(config, true, &max_hops)) return;
    fail_msg("%s, %s, %s, a=%lld h=%lld g=%lld: channels can wait for each other in a circle",
             network_routing_names()[config->routing],
             network_misrouting_names()[config->misrouting],
             network_arrangement_names()[config->arrangement], (long long)config->routers_per_group,
             (long long)config->globals_per_router, (long long)config->groups);
}

#endif
