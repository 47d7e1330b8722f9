/*
 * When an output, or the router that allocates for it as a whole, is to be looked at.
 */
#ifndef ANAX_NETWORK_WAKEUPS_H
#define ANAX_NETWORK_WAKEUPS_H

#include "network/engine/state.h"

/* At time_ps, or earlier if that is set already. */
void wakeup_set(struct network_domain *domain, uint32_t output, int64_t time_ps);

/* In this time stamp. */
void wakeup_mark(struct network_domain *domain, uint32_t output);

#endif
