/*
 * Placing programs on the configured machine: what replays and placements have in common. Knows
 * the rooms below; must not know results or texts.
 */
#ifndef ANAX_API_PLACE_H
#define ANAX_API_PLACE_H

#include "api/api.h"

static inline struct placement_machine place_machine(const struct network_config *config) {
    return (struct placement_machine){
        .node_count = (uint32_t)network_config_nodes(config),
        .nodes_per_router = (uint32_t)config->nodes_per_router,
        .nodes_per_group = (uint32_t)(config->nodes_per_router * config->routers_per_group)};
}

/* Nodes that cannot take ranks. */
struct place_nodes {
    bool *taken;  /* [node]: by jobs, also ones that are not simulated (placement.occupied) */
    bool *failed; /* [node]: in no rail has its router worked on; those are taken, too */
};

/* Those of the machine before anything is placed on it. On failure there is nothing to free. */
status_code place_nodes_find(struct place_nodes *nodes, const anax_config *config,
                             struct status *status);
void place_nodes_free(struct place_nodes *nodes);

/* What the ranks of a program send to each other; replay_traffic_free. */
status_code place_traffic(struct placement_traffic *traffic, const anax_config *config,
                          const struct program *program, struct status *status);

/* Places a program beside what is taken, by settings of its own. traffic: NULL where it is not
 * known yet; it is found if the policy needs it. */
status_code place_beside(struct placement **placement, const anax_config *config,
                         const struct placement_config *own, const struct program *program,
                         uint64_t seed, const struct place_nodes *nodes,
                         const struct placement_traffic *traffic, struct status *status);

#endif
