/*
 * The global connected components of the nautilus arrangement, counted without its wiring.
 */
#ifndef ANAX_NETWORK_NAUTILUS_COMPONENTS_H
#define ANAX_NETWORK_NAUTILUS_COMPONENTS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Counts the components of a full machine (g = a·h + 1). a and h are at least 1, and a·h is below
 * 2^16. by_index: nautilus-index instead of nautilus. Errors: STATUS_MEMORY. */
status_code nautilus_count_components(uint32_t routers, uint32_t globals, bool by_index,
                                      uint32_t *count, struct status *status);

#endif
