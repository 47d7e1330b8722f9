/*
 * Placements from files: a node list (one node or range of nodes per line, in the order in which
 * they take ranks) and a rank file (one line `rank node` for every rank). `#` starts a comment.
 *
 * Invariant: every fault of a file is reported with its line, and a file with a fault places no
 * rank.
 */
#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/settings/line_reader.h"
#include "mapping/placement.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define UNPLACED UINT32_MAX

/* Reads all lines into the pick and returns the number of listed nodes. A node may be listed once.
 */
static uint32_t read_nodes(struct line_reader *list, uint32_t node_count, bool *listed,
                           struct placement_pick *pick) {
    uint32_t found = 0;
    while (line_reader_next(list)) {
        const char *start = list->cursor;
        uint32_t first, last;
        if (!line_reader_read_range(list, "node", node_count, &first, &last)) continue;
        if (!line_reader_expect_end(list, "one node (8) or one range of nodes (8-15)")) continue;
        for (uint32_t node = first; node <= last; node++) {
            if (listed[node]) {
                LINE_FAULT(list, start, "node %" PRIu32 " was listed before", node);
                break;
            }
            listed[node] = true;
            found++;
            placement_offer(pick, node);
        }
    }
    return found;
}

status_code placement_nodes_choose(const struct placement_request *request,
                                   struct placement_pick *pick, struct status *status) {
    uint32_t node_count = request->machine->node_count;
    const struct placement_config *config = request->config;
    struct line_reader list;
    FORWARD_IF_ERROR(line_reader_open(&list, config->file, status));
    bool *listed = memory_new(node_count, sizeof *listed);
    uint32_t found = listed != NULL ? read_nodes(&list, node_count, listed, pick) : 0;
    uint32_t open = 0, failed = 0;
    for (uint32_t node = 0; listed != NULL && node < node_count; node++) {
        open += listed[node] && !pick->taken[node];
        failed += listed[node] && request->failed != NULL && request->failed[node];
    }
    bool no_memory = listed == NULL;
    free(listed);
    FORWARD_IF_ERROR(line_reader_close(&list, status));
    RETURN_ERROR_IF(no_memory, status, STATUS_MEMORY, "out of memory for %" PRIu32 " nodes",
                    node_count);
    RETURN_ERROR_IF(found == 0, status, STATUS_INPUT,
                    "%s: holds no nodes; write one node (8) or range of nodes (8-15) per line",
                    config->file);
    char reasons[PLACEMENT_REASONS_BYTES];
    placement_write_reasons(reasons, failed, found - open - failed);
    const uint64_t room = (uint64_t)open * (uint64_t)config->ranks_per_node;
    RETURN_ERROR_IF(open < pick->wanted, status, STATUS_INPUT,
                    "%s: lists %" PRIu32 " node%s%s%s%s, which take%s %" PRIu64 " rank%s at most "
                    "(placement.ranks_per_node is %" PRId64 "); %" PRIu32 " node%s needed",
                    config->file, found, plural(found), open < found ? " (of which " : "", reasons,
                    open < found ? ")" : "", found == 1 ? "s" : "", room, plural(room),
                    config->ranks_per_node, pick->wanted, pick->wanted == 1 ? " is" : "s are");
    return STATUS_OK;
}

/* Reports how many ranks have no line. */
static void tell_missing(struct line_reader *list, const uint32_t *node_of_rank,
                         uint32_t rank_count) {
    uint32_t missing = 0, first = 0;
    for (uint32_t rank = rank_count; rank-- > 0;) {
        if (node_of_rank[rank] == UNPLACED) missing++, first = rank;
    }
    if (missing > 0)
        source_report_fault(
            &list->report, list->line, 0, NULL,
            "%" PRIu32 " of %" PRIu32 " rank%s %s no line, the first is rank %" PRIu32
            "; write a line for each",
            missing, rank_count, plural(rank_count), missing == 1 ? "has" : "have", first);
}

status_code placement_rankfile_assign(const struct placement_request *request,
                                      uint32_t *node_of_rank, struct status *status) {
    const struct placement_config *config = request->config;
    const struct placement_machine *machine = request->machine;
    uint32_t rank_count = request->rank_count;
    struct line_reader list;
    FORWARD_IF_ERROR(line_reader_open(&list, config->file, status));
    uint32_t *rank_counts = memory_new(machine->node_count, sizeof *rank_counts);
    for (uint32_t rank = 0; rank < rank_count; rank++)
        node_of_rank[rank] = UNPLACED;
    uint64_t lines = 0;
    for (; rank_counts != NULL && line_reader_next(&list); lines++) {
        const char *start = list.cursor;
        uint32_t rank, node;
        if (!line_reader_read_number(&list, "rank", rank_count, &rank)) continue;
        if (!line_reader_read_number(&list, "node", machine->node_count, &node)) continue;
        if (!line_reader_expect_end(&list, "a rank and its node (3 17)")) continue;
        if (node_of_rank[rank] != UNPLACED)
            LINE_FAULT(&list, start, "rank %" PRIu32 " was placed before; remove one of its lines",
                       rank);
        else if (request->taken[node])
            LINE_FAULT(&list, start, "node %" PRIu32 " %s", node,
                       request->failed != NULL && request->failed[node] ? "has failed"
                                                                        : "is taken by others");
        else if (rank_counts[node]++ == config->ranks_per_node)
            LINE_FAULT(&list, start,
                       "node %" PRIu32 " takes no more than %" PRId64
                       " rank%s; raise placement.ranks_per_node",
                       node, config->ranks_per_node, plural((uint64_t)config->ranks_per_node));
        node_of_rank[rank] = node;
    }
    bool no_memory = rank_counts == NULL;
    free(rank_counts);
    if (list.report.faults == 0 && lines > 0) tell_missing(&list, node_of_rank, rank_count);
    FORWARD_IF_ERROR(line_reader_close(&list, status));
    RETURN_ERROR_IF(no_memory, status, STATUS_MEMORY, "out of memory for %" PRIu32 " nodes",
                    machine->node_count);
    RETURN_ERROR_IF(lines == 0, status, STATUS_INPUT,
                    "%s: holds no ranks; write a rank and its node (3 17) per line", config->file);
    return STATUS_OK;
}
