/* Destinations of synthetic traffic: one row per pattern. This file uses numbers only. */
#ifndef ANAX_NETWORK_TRAFFIC_PATTERN_H
#define ANAX_NETWORK_TRAFFIC_PATTERN_H

#include "core/base/status.h"
#include "core/simulation/random.h"
#include "network/traffic/traffic.h"

struct traffic_space {
    uint32_t nodes;
    uint32_t nodes_per_group;
    uint32_t groups;
    uint32_t distance; /* N of adv+N */
    uint32_t hotspot_node;
    int64_t hotspot_millionths;
    uint64_t seed;
    uint32_t *permutation; /* [node]: destination of the node, for `permutation`; else NULL */
};

/* Returns the destination of a node's arrival number `count`. `draw` holds random numbers of
 * this arrival; patterns use words 2 and 3. */
typedef uint32_t traffic_destination(const struct traffic_space *space, uint32_t node,
                                     uint64_t count, struct random_block draw);

/* Returns whether the pattern prefers one node, traffic_config.hotspot_node. `name` may be NULL. */
bool traffic_pattern_has_hotspot(const char *name);

/* Finds a pattern by name and prepares the space. `setting` names the setting in error messages.
 * The caller frees space->permutation. STATUS_USAGE: unknown names (the message lists the valid
 * ones), fewer than two nodes, and machines on which the pattern makes no sense. STATUS_MEMORY. */
status_code traffic_pattern_find(const struct traffic_config *traffic, const char *setting,
                                 struct traffic_space *space, traffic_destination **destination,
                                 struct status *status);

#endif
