/* The object behind anax_bisection. */
#ifndef ANAX_API_BISECTION_NUMBERS_H
#define ANAX_API_BISECTION_NUMBERS_H

#include "api/api.h"
#include "network/analysis/bisection/bisection.h"
#include "network/network_choices.h"

struct anax_bisection {
    anax_config *config; /* a copy */
    uint32_t routers;
    uint64_t local_links, global_links;
    struct bisection_result result;
    double wall_s;
};

/* Returns the name of the arrangement of the global links. */
static inline const char *bisection_numbers_arrangement(const anax_bisection *bisection) {
    return network_arrangement_names()[bisection->config->network.arrangement];
}

#endif
