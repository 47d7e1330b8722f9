/*
 * A network under test: settings as text, messages given beforehand, deliveries written down.
 *
 * Header only. Must not know how the network works. Invariant: deliveries are written down in order
 * only on one thread; with more, only their totals are looked at.
 */
#ifndef ANAX_TESTS_NETWORK_WORLD_H
#define ANAX_TESTS_NETWORK_WORLD_H

#include "core/settings/config_file.h"
#include "network/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world_delivery {
    int64_t time_ps;
    struct network_delivery delivery;
};

struct network_world {
    struct network_config config;
    struct network *network;
    unsigned threads;
    uint64_t sent;
    struct world_delivery *deliveries;
    size_t count;
    size_t capacity;
};

/* Blank-separated `name=value` pairs, without the `network.` in front, over the defaults. */
static inline void network_world_set(struct network_config *config, const char *pairs) {
    struct setting_section section = {network_setting_rows, network_setting_count, config};
    struct settings settings = {&section, 1};
    char copy[1024], *rest = NULL;
    assert_true(strlen(pairs) < sizeof copy);
    strcpy(copy, pairs);
    for (char *pair = strtok_r(copy, " ", &rest); pair != NULL; pair = strtok_r(NULL, " ", &rest)) {
        char full[128];
        snprintf(full, sizeof full, "network.%s", pair);
        struct status status = STATUS_INIT;
        if (settings_set_pair(&settings, full, &status) != STATUS_OK) fail_msg("%s", status.text);
    }
}

/* The machine of machines/NAME.yaml. */
static inline struct network_config network_world_machine(const char *name, const char *pairs) {
    struct network_config config;
    struct setting_section section = {network_setting_rows, network_setting_count, &config};
    struct settings settings = {&section, 1};
    char path[256];
    struct status status = STATUS_INIT;
    memset(&config, 0, sizeof config);
    assert_int_equal(settings_set_defaults(&settings, NULL), STATUS_OK);
    snprintf(path, sizeof path, "%s/machines/%s.yaml", ANAX_SOURCE_DIR, name);
    if (config_file_read(&settings, path, &status) != STATUS_OK) fail_msg("%s", status.text);
    network_world_set(&config, pairs);
    return config;
}

static inline struct network_config network_world_config(const char *pairs) {
    struct network_config config;
    struct setting_section section = {network_setting_rows, network_setting_count, &config};
    struct settings settings = {&section, 1};
    memset(&config, 0, sizeof config);
    assert_int_equal(settings_set_defaults(&settings, NULL), STATUS_OK);
    network_world_set(&config, pairs);
    return config;
}

/* Checks that a configuration is refused, and that the error says why. */
static inline void network_world_refused(const char *pairs, const char *expected) {
    struct network_config config = network_world_config(pairs);
    struct status status = STATUS_INIT;
    if (network_config_check(&config, &status) != STATUS_USAGE ||
        strstr(status.text, expected) == NULL)
        fail_msg("%s: %s", pairs, status.text != NULL ? status.text : "accepted");
    status_clear(&status);
}

static inline void network_world_note(void *context, struct rail_group *rail_group, int64_t now_ps,
                                      const struct network_delivery *delivery) {
    (void)rail_group;
    struct network_world *world = context;
    if (world->threads != 1) return;
    if (world->count == world->capacity) {
        world->capacity = world->capacity > 0 ? 2 * world->capacity : 64;
        world->deliveries = realloc(world->deliveries, world->capacity * sizeof *world->deliveries);
    }
    world->deliveries[world->count++] = (struct world_delivery){now_ps, *delivery};
}

static inline void network_world_new(struct network_world *world,
                                     const struct network_config *config, uint64_t seed) {
    struct status status = STATUS_INIT;
    memset(world, 0, sizeof *world);
    world->config = *config;
    world->threads = 1;
    struct network_sink sink = {.context = world, .delivered = network_world_note};
    if (network_new(&world->network, config, seed, &sink, &status) != STATUS_OK)
        fail_msg("%s", status.text);
}

/* A machine of a test and a case's settings over it. */
static inline void network_world_open(struct network_world *world, const char *machine,
                                      const char *settings) {
    struct network_config config = network_world_config(machine);
    network_world_set(&config, settings);
    network_world_new(world, &config, 1);
}

/* The cookie of a message is its number, from 1 on. */
static inline void network_world_send(struct network_world *world, uint32_t source,
                                      uint32_t destination, uint64_t size_bytes, int64_t ready_ps) {
    struct network_message message = {
        .source_node = source,
        .destination_node = destination,
        .size_bytes = size_bytes,
        .cookie = {{++world->sent, 0, 0}},
    };
    network_send(network_home_of_node(world->network, source), ready_ps, &message);
}

/* The time of a message between two nodes on an idle network. */
static inline int64_t network_world_zero_load_ps(const struct network *network, uint32_t source,
                                                 uint32_t destination, uint64_t size_bytes) {
    struct network_message message = {
        .source_node = source, .destination_node = destination, .size_bytes = size_bytes};
    return network_zero_load_ps(network, &message);
}

static inline status_code network_world_try(struct network_world *world, unsigned threads,
                                            struct status *status) {
    world->threads = threads;
    struct network_run_options options = {.threads = threads};
    return network_run(world->network, &options, status);
}

static inline void network_world_run(struct network_world *world, unsigned threads) {
    struct status status = STATUS_INIT;
    if (network_world_try(world, threads, &status) != STATUS_OK) fail_msg("%s", status.text);
}

/* Settings of one router with four nodes: a packet takes 100 ns on a channel, and the way without
 * bytes takes 70 ns. */
#define NETWORK_WORLD_STAR                                                                         \
    "nodes_per_router=4 routers_per_group=1 globals_per_router=0 groups=1 routing=minimal "        \
    "packet=1000B header=0 terminal.bandwidth=10GB/s terminal.latency=10ns router.latency=50ns "   \
    "terminal.buffer=64KiB "

/* When the message of this number was delivered; -1: not yet. */
static inline int64_t network_world_delivered_ps(const struct network_world *world,
                                                 uint64_t number) {
    for (size_t i = 0; i < world->count; i++)
        if (world->deliveries[i].delivery.cookie.word[0] == number)
            return world->deliveries[i].time_ps;
    return -1;
}

static inline void network_world_free(struct network_world *world) {
    network_free(world->network);
    free(world->deliveries);
    memset(world, 0, sizeof *world);
}

/* The digest of messages of many sizes between all nodes, so many that they queue; with `incast`,
 * every third of them goes to node 0. Checks that all are delivered. */
static inline uint64_t network_world_digest(const struct network_config *config, uint32_t messages,
                                            bool incast, unsigned threads) {
    struct network_world world;
    network_world_new(&world, config, 1);
    const uint32_t nodes = network_node_count(world.network);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < messages; i++) {
        const uint32_t source = i % nodes, size = i * 37 % 9000;
        const uint32_t other = (source + 1 + i / nodes * 7 % (nodes - 1)) % nodes;
        const uint32_t destination = incast && i % 3 == 0 ? 0 : other;
        network_world_send(&world, source, destination, size, (int64_t)(i / nodes) * 1000);
        if (source != destination) bytes += size;
    }
    network_world_run(&world, threads);
    struct network_totals totals;
    network_fill_totals(world.network, &totals);
    assert_int_equal(totals.messages + totals.memory_messages, world.sent);
    assert_int_equal(totals.bytes, bytes);
    network_world_free(&world);
    return totals.digest;
}

/* The same digest on one to three threads. */
static inline uint64_t network_world_same_digest(const struct network_config *config,
                                                 uint32_t messages, bool incast) {
    const uint64_t digest = network_world_digest(config, messages, incast, 1);
    for (unsigned threads = 2; threads <= 3; threads++)
        assert_int_equal(network_world_digest(config, messages, incast, threads), digest);
    return digest;
}

#endif
