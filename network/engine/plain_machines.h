/*
 * The plain machines for which the code of a hop is compiled separately (machine.h). To add one,
 * add a row; crossbar.c and domain_run.c make a function of each.
 */
#ifndef ANAX_NETWORK_PLAIN_MACHINES_H
#define ANAX_NETWORK_PLAIN_MACHINES_H

#include "network/engine/machine.h"
#include "network/network_config.h"

/* In these rows, routers with ideal crossbars have neither output buffers nor a time for
 * allocation. Each input port of the others has one input of the crossbar. */
#define NETWORK_PLAIN_MACHINES(X)                                                                  \
    X(ideal, .crossbar = NETWORK_CROSSBAR_IDEAL)                                                   \
    X(ideal_narrow, .crossbar = NETWORK_CROSSBAR_IDEAL, .narrow = true)                            \
    X(input_narrow, .crossbar = NETWORK_CROSSBAR_INPUT, .by_router = true, .narrow = true,         \
      .output_buffers = true, .allocation_times = true)                                            \
    X(ideal_narrow_observed, .crossbar = NETWORK_CROSSBAR_IDEAL, .narrow = true, .observed = true)

#define NETWORK_PLAIN_MACHINE(name, ...)                                                           \
    void crossbar_transfer_##name(struct network_domain *domain, struct network_input_vc *from,    \
                                  uint32_t output);                                                \
    static const struct network_machine network_plain_##name = {                                   \
        .plain = true, .transfer = crossbar_transfer_##name, __VA_ARGS__};
NETWORK_PLAIN_MACHINES(NETWORK_PLAIN_MACHINE)

#endif
