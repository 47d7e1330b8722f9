/*
 * Placing programs on the configured machine: the shared part of replays and placements. Knows the
 * rooms below; must not know results or texts.
 */
#ifndef ANAX_API_PLACE_H
#define ANAX_API_PLACE_H

#include "api/api.h"
#include "network/network.h"

/* Returns the nodes of a machine as placements see them. */
static inline struct placement_machine place_machine(const struct network_config *config) {
    const struct node_shape shape = network_config_node(config);
    return (struct placement_machine){.node_count = (uint32_t)network_config_nodes(config),
                                      .nodes_per_router = shape.nodes_per_set,
                                      .nodes_per_group = shape.nodes_per_group};
}

/* Returns the NIC of a rank as network_message names it. */
static inline uint32_t place_nic(const struct network_config *config,
                                 const struct placement *placement, uint32_t rank) {
    if (network_config_nics(config) == 1) return NETWORK_NIC_ANY;
    uint32_t count, index = placement_local_rank(placement, rank, &count);
    return network_nic_of_process(config, index, count);
}

/* Nodes that cannot take ranks. */
struct place_nodes {
    bool *taken; /* [node]: taken by jobs, also by jobs that are not simulated (placement.occupied),
                    or failed */
    uint32_t storage; /* I/O nodes among those that are taken */
    bool *failed;     /* [node]: the routers of all its NICs have failed in every rail */
};

/* Finds the nodes that can take no ranks even if no job is placed yet: those of
 * placement.occupied, and failed ones. The caller ends with place_nodes_free; after a failure there
 * is nothing to free. */
status_code place_nodes_find(struct place_nodes *nodes, const anax_config *config,
                             struct status *status);

/* Frees what place_nodes_find has made. */
void place_nodes_free(struct place_nodes *nodes);

/* Marks the I/O nodes, which neither jobs nor background traffic may use, and counts them. */
status_code place_storage_take(struct place_nodes *nodes, const anax_config *config,
                               struct status *status);

/* Finds the messages between the ranks of a program; replay_traffic_free frees them. */
status_code place_find_traffic(struct placement_traffic *traffic, const anax_config *config,
                               const struct program *program, struct status *status);

/* Places a program on the nodes that are not taken, by the placement settings `own`. traffic: the
 * program's messages; NULL: they are not known yet, and are found if the policy needs them. The
 * caller frees *placement. */
status_code place_on_free_nodes(struct placement **placement, const anax_config *config,
                                const struct placement_config *own, const struct program *program,
                                uint64_t seed, const struct place_nodes *nodes,
                                const struct placement_traffic *traffic, struct status *status);

#endif
