/* The size and the price of a machine, as searches and comparisons state them. */
#ifndef ANAX_API_MACHINE_NUMBERS_H
#define ANAX_API_MACHINE_NUMBERS_H

#include "api/api.h"

struct machine_numbers {
    int64_t nodes;
    int64_t radix; /* ports of a router */
    int64_t price; /* of cables and routers, failed ones included: millionths of a dollar */
};

/* Finds the numbers of a configuration's machine. Fails if the machine is impossible. */
status_code machine_numbers_find(struct machine_numbers *numbers, const anax_config *config,
                                 struct status *status);

#endif
