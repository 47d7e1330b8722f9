/* The size and the price of a machine, as searches and comparisons state them. */
#ifndef ANAX_API_MACHINE_FIGURES_H
#define ANAX_API_MACHINE_FIGURES_H

#include "api/api.h"

struct machine_figures {
    int64_t nodes;
    int64_t radix; /* ports of a router */
    int64_t price; /* of cables and routers, failed ones included: millionths of a dollar */
};

/* Finds the figures of a configuration's machine. Fails if the machine is impossible. */
status_code machine_figures_find(struct machine_figures *figures, const anax_config *config,
                                 struct status *status);

#endif
