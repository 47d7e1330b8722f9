/*
 * The escape ring: a circle of channels past all routers that packets of an in-transit adaptive
 * policy can always reach, and in which they can always move. It is either embedded, as a virtual
 * channel of channels that are there anyway, or physical, with two ports more per router.
 *
 * Source: Garcia et al. 2013, section 2, on OFAR; docs/model.md has the argument.
 */
#ifndef ANAX_NETWORK_RING_H
#define ANAX_NETWORK_RING_H

#include "network/engine/state.h"

/* Ports that the ring adds to every router: to the next router and from the one before. */
#define RING_PORTS 2

typedef enum ring_kind { RING_EMBEDDED, RING_PHYSICAL } ring_kind;
const char *const *network_ring_names(void);

/* Whether the configuration's routing needs a ring, and one of channels of its own. */
bool ring_needed(const struct network_config *config);
bool ring_physical(const struct network_config *config);

/* Finds the ring of every rail and fills its domains' ring_ports. */
status_code ring_new(struct network *network, struct status *status);

#endif
