/*
 * The table of placement policies, and what all of them share: ranks of a node, the inverse, and
 * the check. Must not know what a node is. See placement.h for the invariant.
 */
#include "mapping/placement.h"

#include "core/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* name, what it is, whether it reads placement.file, one of the two functions */
#define ROWS(X)                                                                                    \
    X("block", "ranks take the nodes in order of their numbers", false, placement_block_choose,    \
      NULL)                                                                                        \
    X("random", "ranks take nodes of the whole machine at random (seeded)", false,                 \
      placement_random_choose, NULL)                                                               \
    X("nodes", "ranks take the nodes in the order of placement.file, one node or range per line",  \
      true, placement_nodes_choose, NULL)                                                          \
    X("rankfile", "placement.file says the node of every rank, one line `rank node` each", true,   \
      NULL, placement_rankfile_assign)

#define ROW(name, ...)  {name, __VA_ARGS__},
#define NAME(name, ...) name,
static const placement_policy table[] = {ROWS(ROW){NULL, NULL, false, NULL, NULL}};
static const char *const names[] = {ROWS(NAME) NULL};
#define POLICIES (sizeof table / sizeof *table - 1)
#undef ROWS
#undef ROW
#undef NAME

const placement_policy *placement_policies(void) {
    return table;
}

const char *const *placement_policy_names(void) {
    return names;
}

const setting_row placement_setting_rows[] = {
    {"placement.policy", SETTING_CHOICE, offsetof(placement_config, policy), 0, 0, "block",
     placement_policy_names, "which nodes the ranks run on"},
    {"placement.ranks_per_node", SETTING_COUNT, offsetof(placement_config, ranks_per_node), 1,
     1 << 20, "1", NULL, "how many ranks share a node, next to each other in rank order"},
    {"placement.file", SETTING_TEXT, offsetof(placement_config, file), 0, 0, "", NULL,
     "node list or rank file, for the policies nodes and rankfile"},
};
const size_t placement_setting_count =
    sizeof placement_setting_rows / sizeof placement_setting_rows[0];

static status_code check_request(const placement_config *config, const placement_machine *machine,
                                 uint32_t rank_count, status *status) {
    RETURN_ERROR_IF(config->policy < 0 || config->policy >= (int32_t)POLICIES, status, STATUS_USAGE,
                    "placement.policy is out of range");
    const placement_policy *policy = &table[config->policy];
    RETURN_ERROR_IF(config->ranks_per_node < 1, status, STATUS_USAGE,
                    "placement.ranks_per_node must be at least 1");
    RETURN_ERROR_IF(policy->reads_file && config->file == NULL, status, STATUS_USAGE,
                    "placement %s needs a file; set placement.file", policy->name);
    RETURN_ERROR_IF(!policy->reads_file && config->file != NULL, status, STATUS_USAGE,
                    "placement.file is set, but placement %s reads no file; set placement.policy "
                    "to nodes or rankfile",
                    policy->name);
    RETURN_ERROR_IF(rank_count == 0, status, STATUS_USAGE, "there are no ranks to place");
    RETURN_ERROR_IF(machine->node_count == 0, status, STATUS_USAGE, "the machine has no nodes");
    /* compared as nodes needed, so that no product can overflow */
    uint64_t per_node = (uint64_t)config->ranks_per_node;
    uint64_t needed = (rank_count + per_node - 1) / per_node;
    RETURN_ERROR_IF(needed > machine->node_count, status, STATUS_USAGE,
                    "%" PRIu32 " ranks do not fit: the machine has %" PRIu32
                    " nodes and takes %" PRIu64 " ranks with placement.ranks_per_node=%" PRIu64
                    "; set that to %" PRIu32 " or more, or choose a larger machine",
                    rank_count, machine->node_count, machine->node_count * per_node, per_node,
                    (rank_count - 1) / machine->node_count + 1);
    return STATUS_OK;
}

/* Spreads the chosen nodes over the ranks: rank r is on nodes[r / ranks_per_node]. */
static status_code choose_nodes(placement *placement, const placement_config *config,
                                const placement_machine *machine, uint64_t seed, status *status) {
    /* more ranks per node than ranks are no different from as many */
    uint32_t per_node = config->ranks_per_node < placement->rank_count
                            ? (uint32_t)config->ranks_per_node
                            : placement->rank_count;
    uint32_t count = (placement->rank_count - 1) / per_node + 1;
    uint32_t *nodes = memory_new(count, sizeof *nodes);
    RETURN_ERROR_IF(nodes == NULL, status, STATUS_MEMORY, "out of memory for %" PRIu32 " nodes",
                    count);
    status_code code = table[config->policy].choose(config, machine, seed, nodes, count, status);
    for (uint32_t rank = 0; code == STATUS_OK && rank < placement->rank_count; rank++)
        placement->node_of_rank[rank] = nodes[rank / per_node];
    free(nodes);
    return code;
}

/* Counting sort of the ranks by their nodes. */
static void invert(placement *placement) {
    for (uint32_t rank = 0; rank < placement->rank_count; rank++)
        placement->first_rank[placement->node_of_rank[rank] + 1]++;
    for (uint32_t node = 0; node < placement->node_count; node++)
        placement->first_rank[node + 1] += placement->first_rank[node];
    /* filled from behind, first_rank[node + 1] runs down to the first rank of the node … */
    for (uint32_t rank = placement->rank_count; rank-- > 0;)
        placement->ranks[--placement->first_rank[placement->node_of_rank[rank] + 1]] = rank;
    /* … so what stands at node + 1 is now the start of node */
    for (uint32_t node = 0; node < placement->node_count; node++)
        placement->first_rank[node] = placement->first_rank[node + 1];
    placement->first_rank[placement->node_count] = placement->rank_count;
}

status_code placement_new(placement **made, const placement_config *config,
                          const placement_machine *machine, uint32_t rank_count, uint64_t seed,
                          status *status) {
    FORWARD_IF_ERROR(check_request(config, machine, rank_count, status));
    placement *placement = memory_new(1, sizeof *placement);
    RETURN_ERROR_IF(placement == NULL, status, STATUS_MEMORY, "out of memory for a placement");
    placement->rank_count = rank_count;
    placement->node_count = machine->node_count;
    placement->node_of_rank = memory_new(rank_count, sizeof(uint32_t));
    placement->ranks = memory_new(rank_count, sizeof(uint32_t));
    placement->first_rank = memory_new((size_t)machine->node_count + 1, sizeof(uint32_t));
    status_code code = STATUS_OK;
    if (!placement->node_of_rank || !placement->ranks || !placement->first_rank)
        code = status_set(status, STATUS_MEMORY,
                          "out of memory for the placement of %" PRIu32 " ranks", rank_count);
    else if (table[config->policy].assign != NULL)
        code = table[config->policy].assign(config, machine, placement->node_of_rank, rank_count,
                                            status);
    else
        code = choose_nodes(placement, config, machine, seed, status);
    if (code != STATUS_OK) {
        placement_free(placement);
        return code;
    }
    invert(placement);
    *made = placement;
    return STATUS_OK;
}

void placement_free(placement *placement) {
    if (placement == NULL) return;
    free(placement->node_of_rank);
    free(placement->first_rank);
    free(placement->ranks);
    free(placement);
}

status_code placement_check(const placement *placement, const placement_config *config,
                            const placement_machine *machine, status *status) {
    RETURN_ERROR_IF(placement->node_count != machine->node_count, status, STATUS_RUN,
                    "the placement is for %" PRIu32 " nodes, the machine has %" PRIu32,
                    placement->node_count, machine->node_count);
    uint32_t placed = 0; /* ranks found under the node they are on, each once since they ascend */
    for (uint32_t node = 0; node < placement->node_count; node++) {
        uint32_t first = placement->first_rank[node], end = placement->first_rank[node + 1];
        RETURN_ERROR_IF(first != placed || end < first || end > placement->rank_count, status,
                        STATUS_RUN, "node %" PRIu32 ": its list of ranks is broken", node);
        RETURN_ERROR_IF(end - first > config->ranks_per_node, status, STATUS_RUN,
                        "node %" PRIu32 " holds %" PRIu32 " ranks, more than %" PRId64, node,
                        end - first, config->ranks_per_node);
        for (uint32_t i = first; i < end; i++) {
            uint32_t rank = placement->ranks[i];
            RETURN_ERROR_IF(rank >= placement->rank_count ||
                                placement->node_of_rank[rank] != node ||
                                (i > first && rank <= placement->ranks[i - 1]),
                            status, STATUS_RUN,
                            "rank %" PRIu32 " is listed for node %" PRIu32 " wrongly", rank, node);
        }
        placed = end;
    }
    RETURN_ERROR_IF(placed != placement->rank_count, status, STATUS_RUN,
                    "%" PRIu32 " of %" PRIu32 " ranks are on a node", placed,
                    placement->rank_count);
    return STATUS_OK;
}
