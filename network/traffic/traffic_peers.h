/*
 * The peers: the nodes that send synthetic traffic to each other, and the destinations of each.
 *
 * This file uses numbers only. Patterns see the peers numbered consecutively, so that every peer
 * is as likely as it would be on a machine of that many nodes. adv+N is about groups, so it keeps
 * the machine's groups: its destination is in the group N further on, or in the next group that
 * has peers.
 */
#ifndef ANAX_NETWORK_TRAFFIC_PEERS_H
#define ANAX_NETWORK_TRAFFIC_PEERS_H

#include "network/traffic/traffic_pattern.h"

struct traffic_peers {
    uint32_t *nodes;    /* peers in ascending order */
    uint32_t *position; /* [node]: index in `nodes` of the node, or of the next peer */
    uint32_t *first; /* [group]: index in `nodes` of the group's first peer; groups + 1 entries */
    uint32_t count;
    bool are_all; /* all nodes are peers: a peer's number is its node's, so that destinations need
                     no table, which would be out of the cache on large machines */
    uint32_t nodes_per_group;   /* nodes per group of the machine */
    struct traffic_space space; /* the peers as the pattern sees them */
    traffic_destination *destination;
};

/* Numbers the peers. left_out[node] is true for nodes of the machine that take no part; NULL:
 * all take part. The caller calls traffic_peers_clear, also after errors. STATUS_MEMORY. */
status_code traffic_peers_make(struct traffic_peers *peers, const struct network_config *config,
                               const bool *left_out, struct status *status);

/* Frees what traffic_peers_make has made. */
void traffic_peers_clear(struct traffic_peers *peers);

/* Sets the pattern of the peers. Parameters and errors are those of traffic_pattern_find. A
 * hotspot must be a peer. */
status_code traffic_peers_choose(struct traffic_peers *peers, const struct traffic_config *traffic,
                                 const char *setting, uint64_t seed, struct status *status);

/* Returns whether a peer is offered more than all of its channels carry, at a load in millionths of
 * their bandwidth. This follows from the pattern alone, without chance: it is exact. */
bool traffic_peers_are_overloaded(const struct traffic_peers *peers,
                                  const struct traffic_config *traffic, int64_t load_millionths);

/* Returns the destination, another peer, of arrival number `count` of a peer. */
uint32_t traffic_peers_destination(const struct traffic_peers *peers, uint32_t node, uint64_t count,
                                   struct random_block draw);

#endif
