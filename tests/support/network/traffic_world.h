/*
 * A point of synthetic traffic under test. A run that does not finish fails the test.
 *
 * Header only.
 */
#ifndef ANAX_TESTS_TRAFFIC_WORLD_H
#define ANAX_TESTS_TRAFFIC_WORLD_H

#include "network/network_choices.h"
#include "tests/support/network/network_world.h"

#include "network/routing/misrouting.h"
#include "network/routing/routing.h"
#include "network/traffic/traffic.h"

/* Single messages of one packet. */
static inline struct traffic_config traffic_world_config(const char *pattern, int64_t warmup_ps,
                                                         int64_t measure_ps, int64_t drain_ps) {
    return (struct traffic_config){.pattern = (char *)(uintptr_t)pattern,
                                   .warmup_ps = warmup_ps,
                                   .measure_ps = measure_ps,
                                   .drain_ps = drain_ps,
                                   .burst_messages = 1};
}

/* *network: to be looked at and freed by the caller; NULL: it is not wanted. */
static inline struct traffic_point traffic_world_run(const struct network_config *config,
                                                     const struct traffic_config *traffic,
                                                     int64_t load_millionths, uint64_t seed,
                                                     const struct traffic_options *options,
                                                     struct network **network) {
    struct network *run = NULL;
    struct traffic_point point;
    struct status status = STATUS_INIT;
    if (traffic_run(&point, &run, config, traffic, load_millionths, seed, options, &status) !=
        STATUS_OK)
        fail_msg("%s, %s, %s, seed %llu, %u threads: %s", network_routing_names()[config->routing],
                 network_misrouting_names()[config->misrouting], traffic->pattern,
                 (unsigned long long)seed, options->threads, status.text);
    if (network != NULL)
        *network = run;
    else
        network_free(run);
    return point;
}

#endif
