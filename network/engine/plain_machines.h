/*
 * The plain machines for which the code of a hop is compiled apart (machine.h). Each is a row here,
 * a function in crossbar.c and a function in domain_run.c.
 */
#ifndef ANAX_NETWORK_PLAIN_MACHINES_H
#define ANAX_NETWORK_PLAIN_MACHINES_H

#include "network/engine/crossbar.h"
#include "network/engine/machine.h"
#include "network/network_config.h"

/* Ideal crossbars, and neither output buffers nor a time for allocation. */
static const struct network_machine network_plain_ideal = {
    .plain = true,
    .crossbar = NETWORK_CROSSBAR_IDEAL,
    .transfer = crossbar_transfer_ideal,
};

/* Crossbars with one way in for each port, output buffers, and a time for allocation. */
static const struct network_machine network_plain_input = {
    .plain = true,
    .by_router = true,
    .output_buffers = true,
    .allocation_times = true,
    .crossbar = NETWORK_CROSSBAR_INPUT,
    .transfer = crossbar_transfer_input,
};

#endif
