/*
 * When an output is to allocate, or the router that allocates all its outputs together.
 */
#ifndef ANAX_NETWORK_WAKEUPS_H
#define ANAX_NETWORK_WAKEUPS_H

#include "network/engine/state.h"

/* At time_ps, or earlier if that is set already. */
void wakeup_set(struct network_domain *domain, uint32_t output, int64_t time_ps);

/* In this time stamp. */
void wakeup_mark(struct network_domain *domain, uint32_t output);

#endif
