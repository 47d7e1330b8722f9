/*
 * Conjectures: which arrangements of global links always have one global connected component
 * (global_components.h), and their verification on machines.
 */
#ifndef ANAX_NETWORK_COMPONENTS_CONJECTURE_H
#define ANAX_NETWORK_COMPONENTS_CONJECTURE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* One of the statements that Belka et al. verified by computer: that an arrangement has one
 * component on all full machines of some sizes. */
struct components_conjecture {
    const char *arrangement;
    uint32_t min_globals, max_globals; /* h */
    uint32_t min_routers;              /* a; if has_more_routers_than_globals, a - h */
    bool has_more_routers_than_globals;
    uint32_t max_routers;   /* a */
    bool needs_odd_routers; /* only odd a: for even a another row has the same machines */
};

/* Returns the table, which ends with a row whose arrangement is NULL. */
const struct components_conjecture *components_conjectures(void);

struct components_verdict {
    uint64_t machines;   /* machines examined */
    uint64_t exceptions; /* machines with several components */
    uint32_t routers;    /* a, h and components of the first exception */
    uint32_t globals;
    uint32_t components;
};

/* Examines the full machines of a conjecture with one value of h, in ascending order of a. */
status_code components_conjecture_verify(const struct components_conjecture *conjecture,
                                         uint32_t globals, struct components_verdict *verdict,
                                         struct status *status);

#endif
