/* The table of placement policies, and everything that the policies share: the ranks of each node,
 * the inverse, and the checks. Must not know what is in a node. */
#include "mapping/placement.h"

#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/simulation/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(X)                                                                                    \
    X("block", .help = "ranks take the nodes in order of their numbers",                           \
      .choose = placement_block_choose)                                                            \
    X("random", .help = "ranks take nodes of the whole machine at random (seeded)",                \
      .is_seeded = true, .choose = placement_random_choose)                                        \
    X("nodes",                                                                                     \
      .help = "ranks take the nodes in the order of placement.file, one node or range per line",   \
      .reads_file = true, .choose = placement_nodes_choose)                                        \
    X("rankfile", .help = "placement.file says the node of every rank, one line `rank node` each", \
      .reads_file = true, .assign = placement_rankfile_assign)                                     \
    X("random-routers",                                                                            \
      .help = "ranks fill the routers one after the other, in a random order (seeded)",            \
      .is_seeded = true, .choose = placement_random_routers_choose)                                \
    X("random-groups",                                                                             \
      .help = "ranks fill whole groups one after the other, in a random order (seeded)",           \
      .is_seeded = true, .choose = placement_random_groups_choose)                                 \
    X("round-robin-routers", .help = "the routers give one node each in turn",                     \
      .choose = placement_round_robin_routers_choose)                                              \
    X("round-robin-groups", .help = "the groups give one node each in turn",                       \
      .choose = placement_round_robin_groups_choose)                                               \
    X("strided",                                                                                   \
      .help = "ranks take every placement.stride-th node, then the nodes after those, "            \
              "and so on",                                                                         \
      .choose = placement_strided_choose)                                                          \
    X("hybrid",                                                                                    \
      .help = "ranks take random nodes (seeded) of the smallest block of groups in "               \
              "which they need at most placement.share of the free nodes",                         \
      .is_seeded = true, .choose = placement_hybrid_choose)                                        \
    X("contiguous",                                                                                \
      .help = "ranks take the smallest run of free nodes that is large enough, or else "           \
              "the largest runs, as Slurm's best fit does; see placement.occupied",                \
      .choose = placement_contiguous_choose)                                                       \
    X("greedy",                                                                                    \
      .help = "ranks that send each other most go together: onto one node, one router, "           \
              "one group",                                                                         \
      .reads_traffic = true, .assign = placement_greedy_assign)                                    \
    X("partition",                                                                                 \
      .help = "graph partitioning (METIS): least traffic between groups, then between "            \
              "routers, then between nodes",                                                       \
      .reads_traffic = true, .is_seeded = true, .assign = placement_partition_assign)

#define ROW(first, ...)  {.name = first, __VA_ARGS__},
#define NAME(first, ...) first,
static const struct placement_policy table[] = {ROWS(ROW){.name = NULL}};
static const char *const names[] = {ROWS(NAME) NULL};
#define POLICIES (sizeof table / sizeof *table - 1)
#undef ROWS
#undef ROW
#undef NAME

const struct placement_policy *placement_policies(void) {
    return table;
}

const char *const *placement_policy_names(void) {
    return names;
}

SETTING_CHOICES(order_names, "block", "cyclic")

const struct setting_row placement_setting_rows[] = {
    {.name = "placement.policy",
     .kind = SETTING_CHOICE,
     .offset = offsetof(struct placement_config, policy),
     .initial = "block",
     .choices = placement_policy_names,
     .help = "which nodes the ranks run on"},
    {.name = "placement.ranks_per_node",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct placement_config, ranks_per_node),
     .minimum = 1,
     .maximum = 1 << 20,
     .initial = "1",
     .help = "how many ranks share a node"},
    {.name = "placement.file",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct placement_config, file),
     .initial = "",
     .help = "node list or rank file, for the policies nodes and rankfile"},
    {.name = "placement.order",
     .kind = SETTING_CHOICE,
     .offset = offsetof(struct placement_config, order),
     .initial = "block",
     .choices = order_names,
     .help = "which ranks share a node; block: consecutive ones; cyclic: ranks are dealt to the "
             "nodes in turn"},
    {.name = "placement.stride",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct placement_config, stride),
     .minimum = 1,
     .maximum = UINT32_MAX,
     .initial = "2",
     .help = "distance between nodes that are taken one after another, for the policy strided"},
    {.name = "placement.share",
     .kind = SETTING_RATIO,
     .offset = offsetof(struct placement_config, share_millionths),
     .minimum = 1,
     .maximum = 1000000,
     .initial = "0.5",
     .help = "largest share of the free nodes of a block of groups that the policy hybrid takes"},
    {.name = "placement.occupied",
     .kind = SETTING_RATIO,
     .offset = offsetof(struct placement_config, occupied_millionths),
     .maximum = 999999,
     .initial = "0",
     .help = "share of all nodes that other jobs hold, in runs of nodes at random places (seeded)"},
};
const size_t placement_setting_count =
    sizeof placement_setting_rows / sizeof placement_setting_rows[0];

static status_code check_policy(const struct placement_request *request, struct status *status) {
    const struct placement_config *config = request->config;
    RETURN_ERROR_IF(config->policy < 0 || config->policy >= (int32_t)POLICIES, status, STATUS_USAGE,
                    "placement.policy is out of range");
    const struct placement_policy *policy = &table[config->policy];
    RETURN_ERROR_IF(config->ranks_per_node < 1, status, STATUS_USAGE,
                    "placement.ranks_per_node must be at least 1");
    RETURN_ERROR_IF(policy->reads_file && config->file == NULL, status, STATUS_USAGE,
                    "placement %s needs a file; set placement.file", policy->name);
    RETURN_ERROR_IF(!policy->reads_file && config->file != NULL, status, STATUS_USAGE,
                    "placement.file is set, but placement %s reads no file; set placement.policy "
                    "to nodes or rankfile",
                    policy->name);
    RETURN_ERROR_IF(policy->assign != NULL && config->order != PLACEMENT_ORDER_BLOCK, status,
                    STATUS_USAGE,
                    "placement.order is set, but placement %s decides itself which ranks share a "
                    "node; set placement.order=block",
                    policy->name);
    RETURN_ERROR_IF(policy->reads_traffic && request->traffic == NULL, status, STATUS_USAGE,
                    "placement %s needs the traffic between the ranks", policy->name);
    RETURN_ERROR_IF(policy->reads_traffic && request->traffic->rank_count != request->rank_count,
                    status, STATUS_USAGE,
                    "placement %s: traffic of %" PRIu32 " ranks for %" PRIu32 " ranks",
                    policy->name, request->traffic->rank_count, request->rank_count);
    return STATUS_OK;
}

void placement_write_reasons(char text[PLACEMENT_REASONS_BYTES], uint32_t failed, uint32_t others) {
    int length = 0;
    text[0] = '\0';
    if (failed > 0)
        length = snprintf(text, PLACEMENT_REASONS_BYTES, "%" PRIu32 " %s failed", failed,
                          failed == 1 ? "has" : "have");
    if (others > 0)
        snprintf(text + length, PLACEMENT_REASONS_BYTES - (size_t)length,
                 "%s%" PRIu32 " %s taken by others", failed > 0 ? " and " : "", others,
                 others == 1 ? "is" : "are");
}

static uint32_t count_of(const bool *nodes, uint32_t node_count) {
    uint32_t count = 0;
    for (uint32_t node = 0; nodes != NULL && node < node_count; node++)
        count += nodes[node];
    return count;
}

static status_code check_room(const struct placement_request *request, struct status *status) {
    uint32_t rank_count = request->rank_count, nodes = request->machine->node_count;
    RETURN_ERROR_IF(rank_count == 0, status, STATUS_USAGE, "there are no ranks to place");
    RETURN_ERROR_IF(nodes == 0, status, STATUS_USAGE, "the machine has no nodes");
    uint32_t taken = count_of(request->taken, nodes), left = nodes - taken;
    uint32_t failed = count_of(request->failed, nodes);
    /* compared as numbers of nodes, so that no product overflows */
    uint64_t per_node = (uint64_t)request->config->ranks_per_node;
    uint64_t needed = (rank_count + per_node - 1) / per_node;
    if (needed <= left) return STATUS_OK;
    char reasons[PLACEMENT_REASONS_BYTES];
    placement_write_reasons(reasons, failed, taken - failed);
    status_set(status, STATUS_USAGE,
               "%" PRIu32 " rank%s not fit: the machine has %" PRIu32
               " node%s%s%s%s and takes %" PRIu64 " rank%s with placement.ranks_per_node=%" PRIu64,
               rank_count, rank_count == 1 ? " does" : "s do", nodes, plural(nodes),
               taken > 0 ? ", of which " : "", reasons, taken > 0 ? "," : "", left * per_node,
               plural(left * per_node), per_node);
    if (left > 0 &&
        taken > failed) /* one number holds for all jobs, whose ranks are unknown here */
        status_append(status, "set placement.ranks_per_node higher for all jobs, or choose a "
                              "larger machine");
    else if (left > 0)
        status_append(status,
                      "set placement.ranks_per_node to %" PRIu32
                      " or more, or choose a larger machine",
                      (rank_count - 1) / left + 1);
    return STATUS_USAGE;
}

uint32_t placement_shuffle_step(uint32_t *items, uint32_t count, uint32_t i, uint64_t seed,
                                placement_draw draw) {
    struct random_block block = random_draw(seed, RANDOM_PLACEMENT, draw, i);
    uint32_t other = i + random_below(block.word[0], count - i);
    uint32_t chosen = items[other];
    items[other] = items[i];
    items[i] = chosen;
    return chosen;
}

/* Assigns the ranks to the nodes that the policy chooses. */
static status_code choose_nodes(struct placement *placement,
                                const struct placement_request *request, struct status *status) {
    const struct placement_config *config = request->config;
    /* more ranks per node than there are ranks make no difference */
    uint32_t per_node = config->ranks_per_node < placement->rank_count
                            ? (uint32_t)config->ranks_per_node
                            : placement->rank_count;
    struct placement_pick pick = {.taken = request->taken,
                                  .wanted = (placement->rank_count - 1) / per_node + 1};
    pick.nodes = memory_new(pick.wanted, sizeof *pick.nodes);
    RETURN_ERROR_IF(pick.nodes == NULL, status, STATUS_MEMORY,
                    "out of memory for %" PRIu32 " nodes", pick.wanted);
    status_code code = table[config->policy].choose(request, &pick, status);
    if (code == STATUS_OK && pick.count < pick.wanted)
        code = status_set(status, STATUS_RUN, "placement %s found %" PRIu32 " of %" PRIu32 " nodes",
                          table[config->policy].name, pick.count, pick.wanted);
    bool cyclic = config->order == PLACEMENT_ORDER_CYCLIC;
    for (uint32_t rank = 0; code == STATUS_OK && rank < placement->rank_count; rank++)
        placement->node_of_rank[rank] = pick.nodes[cyclic ? rank % pick.count : rank / per_node];
    free(pick.nodes);
    return code;
}

/* Computes first_rank and ranks from node_of_rank with a counting sort. */
static void list_ranks_of_nodes(struct placement *placement) {
    for (uint32_t rank = 0; rank < placement->rank_count; rank++)
        placement->first_rank[placement->node_of_rank[rank] + 1]++;
    for (uint32_t node = 0; node < placement->node_count; node++)
        placement->first_rank[node + 1] += placement->first_rank[node];
    /* filled from behind: first_rank[node + 1] goes down to the start of the node */
    for (uint32_t rank = placement->rank_count; rank-- > 0;)
        placement->ranks[--placement->first_rank[placement->node_of_rank[rank] + 1]] = rank;
    /* entry node + 1 holds the start of the node: it moves to entry node */
    for (uint32_t node = 0; node < placement->node_count; node++)
        placement->first_rank[node] = placement->first_rank[node + 1];
    placement->first_rank[placement->node_count] = placement->rank_count;
}

static struct placement *new_empty(uint32_t rank_count, uint32_t node_count,
                                   struct status *status) {
    struct placement *made = memory_new(1, sizeof *made);
    if (made != NULL) {
        made->rank_count = rank_count;
        made->node_count = node_count;
        made->node_of_rank = memory_new(rank_count, sizeof(uint32_t));
        made->ranks = memory_new(rank_count, sizeof(uint32_t));
        made->first_rank = memory_new((size_t)node_count + 1, sizeof(uint32_t));
        if (made->node_of_rank && made->ranks && made->first_rank) return made;
    }
    placement_free(made);
    status_set(status, STATUS_MEMORY, "out of memory for the placement of %" PRIu32 " ranks",
               rank_count);
    return NULL;
}

static status_code place_ranks(struct placement *placement, const struct placement_request *request,
                               struct status *status) {
    const struct placement_policy *policy = &table[request->config->policy];
    FORWARD_IF_ERROR(policy->assign != NULL
                         ? policy->assign(request, placement->node_of_rank, status)
                         : choose_nodes(placement, request, status));
    list_ranks_of_nodes(placement);
    return STATUS_OK;
}

status_code placement_new(struct placement **made, const struct placement_request *request,
                          struct status *status) {
    FORWARD_IF_ERROR(check_policy(request, status));
    FORWARD_IF_ERROR(check_room(request, status));
    struct placement_request full = *request;
    bool *all_free =
        request->taken == NULL ? memory_new(request->machine->node_count, sizeof(bool)) : NULL;
    if (request->taken == NULL) full.taken = all_free;
    struct placement *placement = NULL;
    status_code code = STATUS_MEMORY;
    if (full.taken == NULL)
        status_set(status, code, "out of memory for a placement");
    else
        placement = new_empty(request->rank_count, request->machine->node_count, status);
    if (placement != NULL) code = place_ranks(placement, &full, status);
    free(all_free);
    if (code != STATUS_OK) {
        placement_free(placement);
        return code;
    }
    *made = placement;
    return STATUS_OK;
}

status_code placement_from_nodes(struct placement **made, const uint32_t *node_of_rank,
                                 uint32_t rank_count, uint32_t node_count, struct status *status) {
    struct placement *placement = new_empty(rank_count, node_count, status);
    if (placement == NULL) return STATUS_MEMORY;
    memcpy(placement->node_of_rank, node_of_rank, rank_count * sizeof *node_of_rank);
    list_ranks_of_nodes(placement);
    *made = placement;
    return STATUS_OK;
}

status_code placement_join(struct placement **made, const struct placement *const *parts,
                           size_t count, struct status *status) {
    uint64_t rank_count = 0;
    for (size_t i = 0; i < count; i++)
        rank_count += parts[i]->rank_count;
    RETURN_ERROR_IF(rank_count > UINT32_MAX, status, STATUS_USAGE, "%" PRIu64 " ranks are too many",
                    rank_count);
    struct placement *joined = new_empty((uint32_t)rank_count, parts[0]->node_count, status);
    if (joined == NULL) return STATUS_MEMORY;
    for (size_t i = 0, rank = 0; i < count; rank += parts[i++]->rank_count)
        memcpy(&joined->node_of_rank[rank], parts[i]->node_of_rank,
               parts[i]->rank_count * sizeof(uint32_t));
    list_ranks_of_nodes(joined);
    *made = joined;
    return STATUS_OK;
}

uint32_t placement_local_rank(const struct placement *placement, uint32_t rank, uint32_t *count) {
    uint32_t node = placement->node_of_rank[rank], first = placement->first_rank[node];
    uint32_t low = first, high = placement->first_rank[node + 1];
    *count = high - first;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (placement->ranks[middle] <= rank)
            low = middle;
        else
            high = middle;
    }
    return low - first;
}

void placement_free(struct placement *placement) {
    if (placement == NULL) return;
    free(placement->node_of_rank);
    free(placement->first_rank);
    free(placement->ranks);
    free(placement);
}
