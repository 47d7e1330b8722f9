/* Where the flow of a watched link comes from and goes to: nodes, ranks, job, MPI call and user
 * region. */
#ifndef ANAX_API_FLOW_ENDS_H
#define ANAX_API_FLOW_ENDS_H

#include "api/api.h"

/* Numbers that a flow does not have are INT64_MIN (TABLE_NONE), and texts NULL. */
struct flow_ends {
    int64_t source_node, destination_node;
    int64_t source_rank, destination_rank;
    int64_t job;
    int64_t minimal;    /* 1: minimal paths, as far as decided at the link; 0: others */
    const char *call;   /* MPI call in which the messages were sent */
    const char *region; /* innermost user region */
};

/* Finds the ends of a flow over a watched link. result: of the replay, to which the texts belong;
 * NULL for traffic, whose flows go from node to node alone. */
struct flow_ends flow_ends_find(const anax_replay_result *result,
                                const struct network_link_flow *flow);

#endif
