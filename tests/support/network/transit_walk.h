/*
 * What packets may do under a policy that decides in transit, found by letting the policy look at
 * them with every output of their router but one closed; and the escape ring.
 *
 * Header only. Must not know how the policies decide.
 */
#ifndef ANAX_TESTS_TRANSIT_WALK_H
#define ANAX_TESTS_TRANSIT_WALK_H

#include "tests/support/network/network_face.h"

#include "network/network_choices.h"
#include "network/routing/misrouting.h"
#include "network/topology/failures.h"

#include <stdbool.h>

static inline struct network_config shaped(const int64_t shape[3], int32_t arrangement,
                                           const char *pairs) {
    struct network_config config = network_world_config("nodes_per_router=1 packet=256B header=0");
    network_world_set(&config, pairs);
    config.routers_per_group = shape[0];
    config.globals_per_router = shape[1];
    config.groups = shape[2];
    config.arrangement = arrangement;
    return config;
}

/* The router (in the machine) at the other end of an output. */
static inline uint32_t behind(const struct network *network, uint32_t group, uint32_t number,
                              uint32_t *end) {
    return face_router_behind(face_rail_group(network, group), number, end);
}

/* A circle of channels past every router that works, no channel twice; returns how many they are.
 */
static inline uint32_t check_ring(const struct network *network) {
    const struct topology *topology = &network->topology;
    uint32_t routers = topology->groups * topology->routers_per_group, length = 0;
    bool *seen = calloc(routers, sizeof *seen);
    bool *used = calloc((size_t)topology->groups * network->tables.ports, sizeof *used);
    uint32_t first = 0;
    while (!failures_router_works(topology, first))
        first++;
    uint32_t group = first / topology->routers_per_group;
    uint32_t input = first % topology->routers_per_group * topology->radix;
    for (;;) {
        uint32_t number = input / topology->radix * topology->radix +
                          face_ring_port(face_rail_group(network, group), input);
        if (used[group * network->tables.ports + number]) break;
        used[group * network->tables.ports + number] = true;
        uint32_t here = group * topology->routers_per_group + input / topology->radix;
        seen[here] = true;
        uint32_t end, back;
        uint32_t next = behind(network, group, number, &end);
        assert_int_equal(behind(network, next / topology->routers_per_group, end, &back), here);
        assert_int_equal(back, number); /* credits find their way */
        group = next / topology->routers_per_group;
        input = end;
        length++;
    }
    for (uint32_t i = 0; i < routers; i++)
        assert_int_equal(seen[i], failures_router_works(topology, i));
    assert_int_equal(group * topology->routers_per_group + input / topology->radix, first);
    assert_int_equal(face_ring_port(face_rail_group(network, group), input),
                     face_ring_port(face_rail_group(network, group),
                                    first % topology->routers_per_group * topology->radix));
    free(seen);
    free(used);
    return length;
}

/* Whether the ring leads from a channel back to it: what is not of the ring leads into it for good.
 */
static inline bool is_of_ring(const struct network *network, uint32_t router, uint32_t port) {
    const struct topology *topology = &network->topology;
    uint32_t here = router, way = port;
    for (uint32_t i = 0; i < 2 * topology->groups * topology->routers_per_group; i++) {
        if (way < topology->endpoints_per_router) return false;
        uint32_t group = here / topology->routers_per_group, input;
        here = behind(network, group, here % topology->routers_per_group * topology->radix + way,
                      &input);
        way = face_ring_port(face_rail_group(network, here / topology->routers_per_group), input);
        if (here == router && way == port) return true;
    }
    return false;
}

/* ---------------------------------------------------------------- all that packets may do */

struct walker {
    struct network *network;
    bool *edges; /* [channel·channels + channel] */
    uint32_t channels;
    unsigned max_hops;
    unsigned max_globals;
    uint64_t states;
};

static inline void set_output(struct rail_group *rail_group, uint32_t number, bool open) {
    face_set_channel_free(rail_group, number, open ? 0 : INT64_MAX / 4);
}

static inline void set_router(struct network *network, struct rail_group *rail_group,
                              uint32_t router, bool open) {
    for (uint32_t port = 0; port < network->topology.radix; port++)
        set_output(rail_group, face_output(network, router, port), open);
}

static inline void walk(struct walker *walker, uint32_t group, uint32_t port_vc,
                        const struct network_packet *what, uint32_t last, unsigned hops,
                        unsigned globals);

/* One hop by one output, if the policy takes it when all others are closed. */
static inline bool try_hop(struct walker *walker, uint32_t group, uint32_t port_vc,
                           const struct network_packet *what, uint32_t port, uint32_t last,
                           unsigned hops, unsigned globals) {
    struct network *network = walker->network;
    struct rail_group *rail_group = network_home_of_group(network, group);
    uint32_t router = face_router_of(rail_group, port_vc);
    uint32_t number = face_output(network, router, port);
    set_router(network, rail_group, router, false);
    set_output(rail_group, number, true);
    face_put(rail_group, port_vc, what);
    bool goes = face_can_go(rail_group, port_vc);
    if (goes) {
        assert_int_equal(face_asked_output(rail_group, port_vc), number);
        face_depart(rail_group, port_vc);
    }
    struct network_packet moved = face_take(rail_group, port_vc);
    set_router(network, rail_group, router, true);
    if (!goes || face_channel_kind(network, number) == NETWORK_TERMINAL) return goes;
    assert_int_equal(face_virtual_network(network, moved.vc),
                     face_virtual_network(network, port_vc % network->vcs.per_port));
    if (face_channel_kind(network, number) == NETWORK_LOCAL)
        assert_true(failures_port_works(
            &network->topology, group * network->topology.routers_per_group + router, port));
    uint32_t channel = face_port_vc(network, group * network->tables.ports + number, moved.vc);
    if (last != NETWORK_NONE) walker->edges[(size_t)last * walker->channels + channel] = true;
    uint32_t end;
    uint32_t next = behind(network, group, number, &end);
    bool global = face_channel_kind(network, number) == NETWORK_GLOBAL;
    uint32_t next_port_vc = face_port_vc(network, end, moved.vc);
    if (global) face_cross(network, &moved);
    walk(walker, next / network->topology.routers_per_group, next_port_vc, &moved, channel,
         hops + 1, globals + global);
    return true;
}

static inline void walk(struct walker *walker, uint32_t group, uint32_t port_vc,
                        const struct network_packet *what, uint32_t last, unsigned hops,
                        unsigned globals) {
    const struct network *network = walker->network;
    uint32_t router = face_router_of(face_rail_group(network, group), port_vc);
    walker->states++;
    if (hops > walker->max_hops) walker->max_hops = hops;
    if (globals > walker->max_globals) walker->max_globals = globals;
    assert_true(hops <= 3 * network->topology.local_diameter + 5 && globals <= 2);
    bool here = group == what->target_group && router == what->target_router;
    unsigned ways = 0;
    for (uint32_t port = 0; port < network->topology.radix; port++)
        ways += try_hop(walker, group, port_vc, what, port, last, hops, globals);
    assert_true(ways > 0);
    if (here) assert_int_equal(ways, 1); /* it ends */
}

static inline bool has_circle(const struct walker *walker) {
    uint32_t n = walker->channels, count = 0, done = 0;
    uint32_t *waits_for = calloc(n, sizeof *waits_for);
    uint32_t *ready = malloc(n * sizeof *ready);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            waits_for[i] += walker->edges[(size_t)i * n + j];
        if (waits_for[i] == 0) ready[count++] = i;
    }
    while (done < count) {
        uint32_t taken = ready[done++];
        for (uint32_t i = 0; i < n; i++)
            if (walker->edges[(size_t)i * n + taken] && --waits_for[i] == 0) ready[count++] = i;
    }
    free(waits_for);
    free(ready);
    return count < n;
}

static inline struct network_packet packet_to(const struct network *network, uint32_t source,
                                              uint32_t to) {
    uint32_t routers = network->topology.routers_per_group;
    return (struct network_packet){.source = source,
                                   .destination = to,
                                   .packet_number = to,
                                   .size_bytes = 256,
                                   .message = NETWORK_NONE,
                                   .waypoint = NETWORK_NO_LINK,
                                   .target_group = (uint16_t)(to / routers),
                                   .target_router = (uint16_t)(to % routers)};
}

/* Every packet, from every router to every node, by every way that ofar-ordered may send it;
 * returns the most hops. */
static inline unsigned check_ordered(const struct network_config *config) {
    struct network_world world;
    network_world_new(&world, config, 5);
    struct walker walker = {.network = world.network};
    const struct topology *topology = &world.network->topology;
    walker.channels = topology->groups * world.network->tables.ports * world.network->vcs.per_port;
    walker.edges = calloc((size_t)walker.channels * walker.channels, sizeof *walker.edges);
    uint32_t routers = topology->groups * topology->routers_per_group;
    for (uint32_t i = 0; i < topology->groups; i++)
        face_set_time(network_home_of_group(world.network, i), 1);
    for (uint32_t source = 0; source < routers; source++) {
        for (uint32_t to = 0; to < routers; to++) {
            if (!failures_router_works(topology, source) || !failures_router_works(topology, to))
                continue;
            struct network_packet packet = packet_to(world.network, source, to);
            uint32_t port = source % topology->routers_per_group * topology->radix;
            for (uint32_t i = 0; i < network_config_virtual_networks(config); i++) {
                face_set_virtual_network(world.network, &packet, i);
                walk(&walker, source / topology->routers_per_group,
                     face_port_vc(world.network, port, packet.vc), &packet, NETWORK_NONE, 0, 0);
            }
        }
    }
    if (has_circle(&walker))
        fail_msg("%s, %s, failures %lld: channels can wait for each other in a circle",
                 network_misrouting_names()[config->misrouting],
                 network_arrangement_names()[config->arrangement],
                 (long long)config->failures_seed);
    free(walker.edges);
    network_world_free(&world);
    return walker.max_hops;
}

/* With nothing free but the ring a packet goes by the ring: into it if there is room for two, on in
 * it if there is room for one. Without room it waits. */
static inline void check_escape_of(struct network *network, uint32_t source, uint32_t port,
                                   uint32_t virtual_network) {
    const struct topology *topology = &network->topology;
    uint32_t full = network->channels.full_packet_bytes;
    struct rail_group *rail_group =
        network_home_of_group(network, source / topology->routers_per_group);
    uint32_t router = source % topology->routers_per_group;
    uint32_t input = router * topology->radix + port;
    uint32_t number = router * topology->radix + face_ring_port(rail_group, input);
    struct network_packet packet = packet_to(network, source, source);
    face_set_virtual_network(network, &packet, virtual_network);
    uint32_t first_vc = packet.vc, ring_vc = first_vc + network->vcs.ring_vc;
    uint32_t ring = face_port_vc(network, number, ring_vc);
    assert_true(is_of_ring(network, source, face_ring_port(rail_group, input)));
    for (uint32_t to = 0; to < topology->groups * topology->routers_per_group; to++) {
        if (to == source || !failures_router_works(topology, to)) continue;
        for (unsigned room = 0; room < 4; room++) {
            packet = packet_to(network, source, to);
            face_set_virtual_network(network, &packet, virtual_network);
            bool inside = room % 2;
            face_set_credits(rail_group, ring, (int32_t)(full * (room / 2 + 1)));
            uint32_t port_vc = face_port_vc(network, input, inside ? ring_vc : first_vc);
            packet.routers = 1;
            face_put(rail_group, port_vc, &packet);
            bool goes = face_can_go(rail_group, port_vc);
            assert_int_equal(goes, inside || room >= 2);
            if (goes) {
                assert_int_equal(face_asked_output(rail_group, port_vc), number);
                assert_int_equal(face_take(rail_group, port_vc).vc, ring_vc);
            } else {
                face_take(rail_group, port_vc);
            }
        }
    }
    face_set_credits(rail_group, ring, 0);
    /* at its destination it leaves the ring */
    packet = packet_to(network, source, source);
    face_set_virtual_network(network, &packet, virtual_network);
    uint32_t port_vc = face_port_vc(network, input, ring_vc);
    face_put(rail_group, port_vc, &packet);
    assert_true(face_can_go(rail_group, port_vc));
    assert_int_equal(face_take(rail_group, port_vc).output_port, 0);
}

/* Whether nothing ever comes by a port: a global one without a link that works. */
static inline bool is_unwired(const struct network *network, const struct rail_group *rail_group,
                              uint32_t number) {
    uint32_t end;
    return face_channel_kind(network, number) == NETWORK_GLOBAL &&
           face_router_behind(rail_group, number, &end) == NETWORK_NONE;
}

/* The same at every port of every router, all else being full. */
static inline void check_escape(struct network_world *world) {
    struct network *network = world->network;
    const struct topology *topology = &network->topology;
    for (uint32_t source = 0; source < topology->groups * topology->routers_per_group; source++) {
        struct rail_group *rail_group =
            network_home_of_group(network, source / topology->routers_per_group);
        face_set_time(rail_group, 1);
        for (uint32_t i = 0; i < network->tables.ports * network->vcs.per_port; i++)
            if (face_channel_kind(network, i / network->vcs.per_port) != NETWORK_TERMINAL)
                face_set_credits(rail_group, i, 0);
        if (!failures_router_works(topology, source)) continue;
        uint32_t first = source % topology->routers_per_group * topology->radix;
        for (uint32_t port = topology->endpoints_per_router; port < topology->radix; port++)
            for (uint32_t i = 0; i < network_config_virtual_networks(&world->config); i++)
                if (!is_unwired(network, rail_group, first + port))
                    check_escape_of(network, source, port, i);
    }
}

#endif
