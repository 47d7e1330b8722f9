/*
 * The escape ring: a circle of channels through all routers. Packets of an in-transit adaptive
 * policy can enter it at every router and can always move in it. It is either embedded, as a
 * virtual channel of existing channels, or physical, with two additional ports per router.
 *
 * Source: Garcia et al. 2013, section 2, on OFAR; docs/model.md, 6.4, has the argument.
 */
#ifndef ANAX_NETWORK_RING_H
#define ANAX_NETWORK_RING_H

#include "network/engine/state/state.h"

/* ports that a physical ring adds to every router: to the next router and from the previous one */
#define RING_PORTS 2

typedef enum ring_kind { RING_EMBEDDED, RING_PHYSICAL } ring_kind;
/* Returns the names of the kinds of rings, ending with NULL. */
const char *const *network_ring_names(void);

/* Returns whether the configuration's routing policy needs a ring. */
bool ring_is_needed(const struct network_config *config);

/* Returns whether the configuration's routing policy needs a ring with channels of its own. */
bool ring_is_physical(const struct network_config *config);

/* Finds the ring of every rail and fills ring_output_of_input of its rail groups. STATUS_MEMORY:
 * out of memory. */
status_code ring_new(struct network *network, struct status *status);

#endif
