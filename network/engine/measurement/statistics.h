/*
 * Statistics of deliveries.
 */
#ifndef ANAX_NETWORK_STATISTICS_H
#define ANAX_NETWORK_STATISTICS_H

#include "network/engine/measurement/history.h"
#include "network/engine/state/state.h"

/* Counts a message, given by its delivery and its sequence number at its source, that has been
 * delivered completely at time_ps. */
void statistics_count_message(struct rail_group *rail_group,
                              const struct network_delivery *delivery, uint32_t sequence,
                              int64_t time_ps);
/* Counts such a message in the totals of its traffic class, if the rail group has them. */
void statistics_count_class_message(struct rail_group *rail_group,
                                    const struct network_delivery *delivery,
                                    uint32_t virtual_network, int64_t time_ps);
/* Counts the time for which an output was stalled. */
HINT_NOINLINE void statistics_count_stall(struct rail_group *rail_group, uint32_t output,
                                          int64_t since_ps, int64_t until_ps);
/* Calls `visitor` for every link, as network_visit_links does, with its rail group and output. In
 * process 0 of several that includes links of groups of other processes, of which it has outputs
 * and counts after a run; other processes visit their own. */
void statistics_visit_outputs(const struct network *network,
                              void (*visitor)(void *context, struct rail_group *rail_group,
                                              uint32_t output, const struct network_link *link),
                              void *context);
/* Adds the counts of a part to totals, except those of the run: `windows`, `shared_work`,
 * `critical_work` and `threads`. */
void statistics_add(struct network_totals *totals, const struct network_totals *part);

#endif
