/*
 * Background traffic: a pattern of synthetic traffic among the nodes that a simulation leaves free.
 * Messages come up as in `anax traffic` (arrivals.h), each with a destination that is free too.
 *
 * Knows nodes and bytes; must not know ranks, nor when it ends: whoever passes its timers on
 * decides that. Invariant: state of a node is touched only in callbacks of its domain.
 */
#ifndef ANAX_NETWORK_BACKGROUND_H
#define ANAX_NETWORK_BACKGROUND_H

#include "network/network.h"
#include "network/traffic/traffic.h"

/* A node with so many messages waiting in its NIC refuses more: beyond saturation memory would grow
 * for as long as the run lasts. */
#define BACKGROUND_WAITING 64

struct background;

struct background_totals {
    uint32_t nodes;
    uint64_t messages; /* handed to NICs, but for those dropped at the end */
    wide bytes;        /* their payload */
    uint64_t refused;  /* messages that came up while too many waited */
};

/* used: per node, whether it takes no part. cookie: what its messages carry; timer: data of its
 * timers. STATUS_USAGE: fewer than two free nodes, an unknown pattern, a hotspot that is not free.
 */
status_code background_new(struct background **background, const struct network_config *config,
                           const struct traffic_config *traffic, int64_t load_millionths,
                           const bool *used, uint64_t seed, uint64_t cookie, uint64_t timer,
                           struct status *status);
void background_free(struct background *background); /* NULL allowed */

/* Sets the first timers; and what the sink of the network passes its timers on to. */
void background_start(void *background, struct network *network);
void background_timer(void *background, struct network_domain *domain, int64_t now_ps,
                      uint32_t node, uint64_t data);
/* In place of background_timer once no more traffic is wanted: drops what the nodes of the domain
 * have not begun to send. */
void background_over(void *background, struct network_domain *domain, uint32_t node);
void background_totals_of(const struct background *background, struct background_totals *totals);

#endif
