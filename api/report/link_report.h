/*
 * Figures about links for reports: the busiest ones, tables of all, sums per pair of groups.
 *
 * Knows the network only. Invariant: every order is total (ties are broken by the network's own
 * order of links), so equal runs give equal reports.
 */
#ifndef ANAX_API_LINK_REPORT_H
#define ANAX_API_LINK_REPORT_H

#include "network/network.h"

#include <stdio.h>

enum { LINK_REPORT_BUSIEST = 10 };

struct link_report_busiest {
    struct network_link links[LINK_REPORT_BUSIEST]; /* busiest first; only links that were used */
    size_t count;
};

void link_report_busiest(const struct network *network, struct link_report_busiest *busiest);

/* "terminal", "local" or "global". */
const char *link_report_level(const struct network_link *link);

/* "node 12", "router 7": the ends of a link, as text of at most size bytes. */
void link_report_source(const struct network_link *link, char *text, size_t size);
void link_report_destination(const struct network_link *link, char *text, size_t size);

/* CSV tables, header line included. False when a write failed. measure_ps: of the measurement, or 0
 * if there was none; then the columns about it are left out. */
bool link_report_write_links(const struct network *network, int64_t measure_ps, FILE *file);

/* Sums over the global links from one group to another. */
status_code link_report_write_groups(const struct network *network, FILE *file,
                                     struct status *status);

#endif
