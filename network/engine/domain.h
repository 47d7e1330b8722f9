/*
 * A domain: its memory, and its events in their order.
 */
#ifndef ANAX_NETWORK_DOMAIN_H
#define ANAX_NETWORK_DOMAIN_H

#include "network/engine/state.h"

/* The memory of network->lines; NULL: out of memory. */
char *domain_lines_new(const struct network *network);
/* Domain `index` of the network (rail by rail, in each group by group). STATUS_MEMORY. */
status_code domain_new(struct network_domain *domain, struct network *network, uint32_t index,
                       struct status *status);
void domain_free(struct network_domain *domain);

/* Handles all events before end_ps of a group, in all rails. */
void domain_run(struct network_domain *home, int64_t end_ps);

#endif
