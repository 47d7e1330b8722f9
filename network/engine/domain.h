/*
 * A domain: its memory, and the processing of its events in order.
 */
#ifndef ANAX_NETWORK_DOMAIN_H
#define ANAX_NETWORK_DOMAIN_H

#include "network/engine/state.h"

/* Returns zeroed memory for network->lines, which the caller frees; NULL: out of memory. */
char *domain_lines_new(const struct network *network);
/* Makes domain `index` of the network, whose memory is zeroed; domains are numbered rail by rail,
 * and in each rail group by group. STATUS_MEMORY. domain_free frees the domain's memory, also after
 * an error. */
status_code domain_new(struct network_domain *domain, struct network *network, uint32_t index,
                       struct status *status);
void domain_free(struct network_domain *domain);

/* Processes all events before end_ps of a group, in all rails. `home` is the group's domain in
 * the first rail. */
void domain_run(struct network_domain *home, int64_t end_ps);

#endif
