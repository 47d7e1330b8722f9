/*
 * Networks under test on machines with failures. Header only, as network_world.h.
 */
#ifndef ANAX_TESTS_FAILING_WORLD_H
#define ANAX_TESTS_FAILING_WORLD_H

#include "tests/support/core/scratch_file.h"
#include "tests/support/network/network_face.h"

#include "network/topology/failures.h"

#include <unistd.h>

/* To be unlinked. */
static inline struct network_config with_file(const char *lines, const char *settings) {
    char path[SCRATCH_FOLDER_BYTES];
    assert_true(scratch_file_of_text(path, lines));
    struct network_config config = network_world_config(settings);
    snprintf(config.failures_file, sizeof config.failures_file, "%s", path);
    return config;
}

/* Nothing has gone by what has failed. */
static inline void check_failed(const struct network *network) {
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        const struct rail_group *rail_group = face_rail_group(network, i);
        const struct topology *topology = face_topology(network, i);
        for (uint32_t output = 0; output < network->tables.ports; output++) {
            uint32_t inside = output / topology->radix, port = output % topology->radix;
            uint32_t router = i % topology->groups * topology->routers_per_group + inside;
            bool works = failures_router_works(topology, router);
            if (topology_channel_kind(topology, port) == NETWORK_LOCAL)
                works = failures_port_works(topology, router, port);
            if (topology_channel_kind(topology, port) == NETWORK_GLOBAL)
                works =
                    face_group_behind(rail_group, inside * topology->globals_per_router + port -
                                                      topology->first_global_port) != NETWORK_NONE;
            if (!works) assert_int_equal(face_packets_sent(rail_group, output), 0);
        }
    }
}

/* All pairs of nodes that work: at once, or one after the other on the idle network. */
static inline uint64_t send_all(const struct network_config *config, unsigned threads, bool idle) {
    struct network_world world;
    network_world_new(&world, config, 3);
    uint32_t nodes = network_node_count(world.network), working = 0;
    for (uint32_t source = 0; source < nodes; source++) {
        working += network_node_works(world.network, source);
        for (uint32_t to = 0; to < nodes; to++)
            if (network_node_works(world.network, source) && network_node_works(world.network, to))
                network_world_send(&world, source, to, 2500,
                                   idle ? (int64_t)world.sent * INT64_C(100000000) : 0);
    }
    assert_int_equal(working, network_working_nodes(world.network));
    network_world_run(&world, threads);
    struct network_totals totals;
    network_fill_totals(world.network, &totals);
    assert_int_equal(totals.messages + totals.memory_messages, world.sent);
    check_failed(world.network);
    for (size_t i = 0; idle && i < world.count; i++)
        assert_int_equal(world.deliveries[i].time_ps - world.deliveries[i].delivery.ready_ps,
                         world.deliveries[i].delivery.zero_load_ps);
    network_world_free(&world);
    return totals.digest;
}

#endif
