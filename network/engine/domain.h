/*
 * A domain: its memory, and the processing of its events in order.
 */
#ifndef ANAX_NETWORK_DOMAIN_H
#define ANAX_NETWORK_DOMAIN_H

#include "network/engine/state.h"

/* Returns zeroed memory for network->port_state, which the caller frees; NULL: out of memory. */
char *domain_port_state_new(const struct network *network);
/* Makes domain `index` of the network, whose memory is zeroed; domains are numbered rail by rail,
 * and in each rail group by group. STATUS_MEMORY. domain_free frees the domain's memory, also after
 * an error. */
status_code domain_new(struct network_domain *domain, struct network *network, uint32_t index,
                       struct status *status);

/* Frees what domain_new has made. */
void domain_free(struct network_domain *domain);
/* Makes the part of a domain that describes its links: their other ends and figures. Returns false
 * if out of memory. domain_new does this, and domain_free frees it. */
bool domain_describe(struct network_domain *domain);

/* Processes all events before end_ps of a group, in all rails. `home` is the group's domain in
 * the first rail. */
typedef void (*domain_runner)(struct network_domain *home, int64_t end_ps);
/* Returns the function that does so for the domains of a network: one that is compiled for such a
 * machine, if there is one. */
domain_runner domain_run_of(const struct network *network);

#endif
