/*
 * The object behind anax_placement, and the numbers of its texts. Knows every room's numbers; must
 * not know the command line.
 */
#ifndef ANAX_API_PLACEMENT_NUMBERS_H
#define ANAX_API_PLACEMENT_NUMBERS_H

#include "api/api.h"
#include "network/analysis/expected_load.h"

/* The distance between the two ends of a message. */
enum placement_distance {
    PLACEMENT_SAME_NODE,
    PLACEMENT_SAME_ROUTER, /* on different nodes of a router */
    PLACEMENT_SAME_GROUP,  /* on different routers of a group */
    PLACEMENT_OTHER_GROUP,
    PLACEMENT_DISTANCES
};

/* What a search by exchange of ranks did; `start` is the placement of the policy. */
struct placement_search_numbers {
    uint64_t placements;               /* measured by the loads of links; 0: there was no search */
    wide start_busiest_ps, busiest_ps; /* longest time of a link for its expected bytes */
    wide start_bytes, bytes;           /* expected on all links */
    uint64_t replays;                  /* placements compared by replays */
    int64_t start_time_ps, time_ps;    /* times of full replays; -1: there were none */
    uint64_t found, damaged;           /* replays in the folder of points */
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
    struct placement_search_numbers search;
};

extern const char *const placement_distance_names[PLACEMENT_DISTANCES];
extern const char *const placement_link_names[EXPECTED_KINDS];

/* Returns the time in ps that the busiest link of a kind needs for its expected bytes, rounded
 * up. */
wide placement_link_time_ps(const struct expected_links *links);

/* Adds the expected bytes of the messages between all ranks to a load. */
void placement_add_load(struct expected_load *load, const struct network_config *network,
                        const struct placement *placement, const struct placement_traffic *traffic);

#endif
