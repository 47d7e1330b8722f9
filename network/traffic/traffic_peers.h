/*
 * The nodes that send synthetic traffic to each other, and whom each of them sends to.
 *
 * Knows numbers only. Patterns see these nodes numbered through, so that every one of them is as
 * likely as it would be on a machine of that many nodes. adv+N is about groups, and keeps them: a
 * node of the group that is N further on, or of the next one that has any.
 */
#ifndef ANAX_NETWORK_TRAFFIC_PEERS_H
#define ANAX_NETWORK_TRAFFIC_PEERS_H

#include "network/traffic/traffic_pattern.h"

struct traffic_peers {
    uint32_t *nodes; /* ascending */
    uint32_t *place; /* [node]: its place there, or that of the next one */
    uint32_t *first; /* [group]: the place of its first one; groups + 1 entries */
    uint32_t count;
    uint32_t nodes_per_group;   /* of the machine */
    struct traffic_space space; /* what the pattern sees */
    traffic_destination *destination;
};

/* left_out: per node of the machine, whether it takes no part; NULL: all do. Clear also after
 * errors. */
status_code traffic_peers_make(struct traffic_peers *peers, const struct network_config *config,
                               const bool *left_out, struct status *status);
void traffic_peers_clear(struct traffic_peers *peers);

/* setting: see traffic_pattern_find, and for its errors. The hotspot is one of the peers. */
status_code traffic_peers_choose(struct traffic_peers *peers, const struct traffic_config *traffic,
                                 const char *setting, uint64_t seed, struct status *status);

/* Of message number `count` of a peer; another peer. */
uint32_t traffic_peers_destination(const struct traffic_peers *peers, uint32_t node, uint64_t count,
                                   struct random_block draw);

#endif
