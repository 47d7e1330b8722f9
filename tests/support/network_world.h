/*
 * A network under test: settings as text, messages given beforehand, deliveries written down.
 *
 * Header only, because the tests on the ideal network link without the network room. Must not know
 * how the network works. Invariant: deliveries are written down in order only on one thread; with
 * more, only their totals are looked at.
 */
#ifndef ANAX_TESTS_NETWORK_WORLD_H
#define ANAX_TESTS_NETWORK_WORLD_H

#include "core/config_file.h"
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
    assert_int_equal(settings_defaults(&settings, NULL), STATUS_OK);
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
    assert_int_equal(settings_defaults(&settings, NULL), STATUS_OK);
    network_world_set(&config, pairs);
    return config;
}

static inline void network_world_note(void *context, struct network_domain *domain, int64_t now_ps,
                                      const struct network_delivery *delivery) {
    (void)domain;
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

/* The cookie of a message is its number, from 1 on. */
static inline void network_world_send(struct network_world *world, uint32_t source,
                                      uint32_t destination, uint64_t size_bytes, int64_t ready_ps) {
    struct network_message message = {
        .source_node = source,
        .destination_node = destination,
        .size_bytes = size_bytes,
        .cookie = {{++world->sent, 0, 0}},
    };
    network_send(network_domain_of_node(world->network, source), ready_ps, &message);
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

static inline void network_world_free(struct network_world *world) {
    network_free(world->network);
    free(world->deliveries);
    memset(world, 0, sizeof *world);
}

#endif
