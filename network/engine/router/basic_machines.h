/*
 * The basic machines for which the code of a hop is compiled separately (hop_features.h). To add
 * one, add a row; crossbar.c and rail_group_run.c make a function of each.
 */
#ifndef ANAX_NETWORK_BASIC_MACHINES_H
#define ANAX_NETWORK_BASIC_MACHINES_H

#include "network/engine/state/hop_features.h"
#include "network/network_config.h"

/* In these rows, routers with ideal crossbars have neither output buffers nor a time for
 * allocation. Each input port of the others has one input of the crossbar. */
#define NETWORK_BASIC_MACHINES(X)                                                                  \
    X(ideal, .has_basic_routing = true, .crossbar = NETWORK_CROSSBAR_IDEAL)                        \
    X(ideal_any_routing, .crossbar = NETWORK_CROSSBAR_IDEAL)                                       \
    X(ideal_one_word, .has_basic_routing = true, .crossbar = NETWORK_CROSSBAR_IDEAL,               \
      .has_one_word = true)                                                                        \
    X(ideal_one_word_any_routing, .crossbar = NETWORK_CROSSBAR_IDEAL, .has_one_word = true)        \
    X(ideal_one_word_transit, .crossbar = NETWORK_CROSSBAR_IDEAL, .has_one_word = true,            \
      .allocates_by_router = true, .keeps_allocation_times = true)                                 \
    X(input_one_word, .has_basic_routing = true, .crossbar = NETWORK_CROSSBAR_INPUT,               \
      .allocates_by_router = true, .has_one_word = true, .has_output_buffers = true,               \
      .keeps_allocation_times = true)                                                              \
    X(input_one_word_any_routing, .crossbar = NETWORK_CROSSBAR_INPUT, .allocates_by_router = true, \
      .has_one_word = true, .has_output_buffers = true, .keeps_allocation_times = true)            \
    X(ideal_one_word_observed, .has_basic_routing = true, .crossbar = NETWORK_CROSSBAR_IDEAL,      \
      .has_one_word = true, .is_observed = true)

#define NETWORK_BASIC_MACHINE(name, ...)                                                           \
    void crossbar_traverse_##name(struct rail_group *rail_group, struct network_input_vc *from,    \
                                  uint32_t output);                                                \
    static const struct network_hop_features network_basic_##name = {                              \
        .is_basic = true, .traverse = crossbar_traverse_##name, __VA_ARGS__};
NETWORK_BASIC_MACHINES(NETWORK_BASIC_MACHINE)

#endif
