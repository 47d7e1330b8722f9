/*
 * A placement as the public interface hands it out, and its texts. Knows every room's figures;
 * must not know the command line.
 */
#ifndef ANAX_API_PLACEMENT_REPORT_H
#define ANAX_API_PLACEMENT_REPORT_H

#include "api/api.h"
#include "network/analysis/expected_load.h"

/* How near the two ends of messages are. */
enum placement_distance {
    PLACEMENT_SAME_NODE,
    PLACEMENT_SAME_ROUTER, /* but another node */
    PLACEMENT_SAME_GROUP,  /* but another router */
    PLACEMENT_OTHER_GROUP,
    PLACEMENT_DISTANCES
};

struct anax_placement {
    anax_config *config; /* a copy */
    const anax_trace *trace;
    struct placement *placement;
    struct placement_traffic traffic;
    uint64_t messages[PLACEMENT_DISTANCES];
    wide bytes[PLACEMENT_DISTANCES];
    struct expected_links links[EXPECTED_KINDS];
    uint32_t nodes_used;
    uint32_t routers_used;
    uint32_t groups_used;
};

extern const char *const placement_distance_names[PLACEMENT_DISTANCES];
extern const char *const placement_link_names[EXPECTED_KINDS];

/* Time for the busiest link of a kind to carry what it is expected to, rounded up. */
wide placement_link_time_ps(const struct expected_links *links);

#endif
