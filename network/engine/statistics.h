/*
 * Counting deliveries.
 */
#ifndef ANAX_NETWORK_STATISTICS_H
#define ANAX_NETWORK_STATISTICS_H

#include "network/engine/state.h"

/* A message of that sequence number at its source has been delivered completely at time_ps. */
void statistics_message(struct network_domain *domain, const struct network_delivery *delivery,
                        uint32_t sequence, int64_t time_ps);

#endif
