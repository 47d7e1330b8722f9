/*
 * Numbers about links for reports: the busiest ones, and those between groups.
 *
 * Knows the network only. Invariant: every order is total (ties are broken by the network's own
 * order of links), so equal runs give equal reports.
 */
#ifndef ANAX_API_LINK_NUMBERS_H
#define ANAX_API_LINK_NUMBERS_H

#include "network/network.h"

#include <stddef.h>

enum { LINK_NUMBERS_BUSIEST = 10 };

struct link_numbers_busiest {
    struct network_link links[LINK_NUMBERS_BUSIEST]; /* used links, busiest first */
    size_t count;
};

/* Finds the busiest links of a network after a run. */
void link_numbers_busiest(const struct network *network, struct link_numbers_busiest *busiest);

/* Returns the time, in ps, that shares of busy and stalled links refer to: until the end of a
 * replay, or until the last channel is idle if that is later. */
int64_t link_numbers_span_ps(const struct network *network, int64_t time_ps);
/* Returns the name of this span in texts: "the run", unless it is longer than time_ps. */
const char *link_numbers_span_name(int64_t span_ps, int64_t time_ps);

/* Returns the kind of a link: "injection", "ejection", "local" or "global". */
const char *link_numbers_kind(const struct network_link *link);

/* Writes the source of a link, such as "node 12" or "router 7", into at most size bytes. */
void link_numbers_source(const struct network_link *link, char *text, size_t size);

/* Writes the destination of a link into at most size bytes. */
void link_numbers_destination(const struct network_link *link, char *text, size_t size);

/* Finds the global links between groups, sorted so that links between the same two groups are
 * adjacent. The caller frees *links. */
status_code link_numbers_globals(const struct network *network, struct network_link **links,
                                 size_t *count, struct status *status);

#endif
