/*
 * Placements from files: a node list (one node or range of nodes per line, in the order in which
 * they take ranks) and a rank file (one line `rank node` for every rank). `#` starts a comment.
 *
 * Invariant: every fault of a file is told with its line, and nothing is placed if there is one.
 */
#include "core/memory.h"
#include "core/source_report.h"
#include "mapping/placement.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_SIZE_MAX ((size_t)256 << 20)
#define UNPLACED      UINT32_MAX

/* A file being read line by line. */
typedef struct list {
    source_report report;
    char *text; /* ended by a 0 */
    char *next; /* start of the next line */
    const char *line_start;
    const char *cursor; /* in the current line */
    size_t line;
} list;

static status_code list_open(list *list, const char *path, status *status) {
    size_t size;
    *list = (struct list){0};
    FORWARD_IF_ERROR(source_file_read(path, FILE_SIZE_MAX, &list->text, &size, status));
    list->report = (source_report)SOURCE_REPORT(path, list->text, size);
    list->next = list->text;
    if (!source_text_check(&list->report)) list->next += size;
    return STATUS_OK;
}

static status_code list_close(list *list, status *status) {
    status_code code = source_report_close(&list->report, status);
    free(list->text);
    return code;
}

static bool at_end(const list *list) {
    return *list->cursor == '\0' || *list->cursor == '#' || strchr("\r\n", *list->cursor) != NULL;
}

static void skip_blanks(list *list) {
    list->cursor += strspn(list->cursor, " \t");
}

/* Goes to the next line that says something; false at the end of the file. */
static bool next_line(list *list) {
    while (*list->next != '\0' && !source_report_full(&list->report)) {
        list->line_start = list->next;
        list->cursor = list->next;
        list->line++;
        list->next += strcspn(list->next, "\n");
        if (*list->next == '\n') list->next++;
        skip_blanks(list);
        if (!at_end(list)) return true;
    }
    return false;
}

#define FAULT(list, at, ...)                                                                       \
    source_fault(&(list)->report, (list)->line, (size_t)((at) - (list)->line_start) + 1, NULL,     \
                 __VA_ARGS__)

/* Reads a number below limit ("node", "rank"); false after a fault. */
static bool read_number(list *list, const char *what, uint32_t limit, uint32_t *number) {
    const char *start = list->cursor;
    uint64_t value = 0;
    for (; *list->cursor >= '0' && *list->cursor <= '9'; list->cursor++) {
        if (value <= UINT32_MAX) value = value * 10 + (uint64_t)(*list->cursor - '0');
    }
    if (list->cursor == start) {
        FAULT(list, start, "a %s number is expected here", what);
        return false;
    }
    if (value >= limit) {
        FAULT(list, start, "there is no such %s: they are numbered from 0 to %" PRIu32, what,
              limit - 1);
        return false;
    }
    *number = (uint32_t)value;
    skip_blanks(list);
    return true;
}

static bool read_end(list *list, const char *expected) {
    if (at_end(list)) return true;
    FAULT(list, list->cursor, "nothing more is expected in this line; write %s", expected);
    return false;
}

/* "8" or "8-15". */
static bool read_range(list *list, uint32_t node_count, uint32_t *first, uint32_t *last) {
    const char *start = list->cursor;
    if (!read_number(list, "node", node_count, first)) return false;
    *last = *first;
    if (*list->cursor == '-') {
        list->cursor++;
        skip_blanks(list);
        if (!read_number(list, "node", node_count, last)) return false;
    }
    if (!read_end(list, "one node (8) or one range of nodes (8-15)")) return false;
    if (*last < *first) FAULT(list, start, "the range ends before it starts");
    return *last >= *first;
}

/* Reads all lines into the pick; every node may be listed once. */
static uint32_t read_nodes(list *list, uint32_t node_count, bool *listed, placement_pick *pick) {
    uint32_t found = 0;
    while (next_line(list)) {
        const char *start = list->cursor;
        uint32_t first, last;
        if (!read_range(list, node_count, &first, &last)) continue;
        for (uint32_t node = first; node <= last; node++) {
            if (listed[node]) {
                FAULT(list, start, "node %" PRIu32 " was listed before", node);
                break;
            }
            listed[node] = true;
            found++;
            placement_offer(pick, node);
        }
    }
    return found;
}

status_code placement_nodes_choose(const placement_request *request, placement_pick *pick,
                                   status *status) {
    uint32_t node_count = request->machine->node_count;
    const placement_config *config = request->config;
    list list;
    FORWARD_IF_ERROR(list_open(&list, config->file, status));
    bool *listed = memory_new(node_count, sizeof *listed);
    uint32_t found = listed != NULL ? read_nodes(&list, node_count, listed, pick) : 0;
    uint32_t open = 0;
    for (uint32_t node = 0; listed != NULL && node < node_count; node++)
        open += listed[node] && !pick->taken[node];
    bool no_memory = listed == NULL;
    free(listed);
    FORWARD_IF_ERROR(list_close(&list, status));
    RETURN_ERROR_IF(no_memory, status, STATUS_MEMORY, "out of memory for %" PRIu32 " nodes",
                    node_count);
    RETURN_ERROR_IF(found == 0, status, STATUS_INPUT,
                    "%s: holds no nodes; write one node (8) or range of nodes (8-15) per line",
                    config->file);
    char others[64] = "";
    if (open < found)
        snprintf(others, sizeof others, " (%" PRIu32 " of them taken by others)", found - open);
    RETURN_ERROR_IF(open < pick->wanted, status, STATUS_INPUT,
                    "%s: lists %" PRIu32 " nodes%s, which take %" PRIu64 " ranks at most "
                    "(placement.ranks_per_node is %" PRId64 "); %" PRIu32 " nodes are needed",
                    config->file, found, others, (uint64_t)open * (uint64_t)config->ranks_per_node,
                    config->ranks_per_node, pick->wanted);
    return STATUS_OK;
}

/* Every rank needs a line. */
static void tell_missing(list *list, const uint32_t *node_of_rank, uint32_t rank_count) {
    uint32_t missing = 0, first = 0;
    for (uint32_t rank = rank_count; rank-- > 0;) {
        if (node_of_rank[rank] == UNPLACED) missing++, first = rank;
    }
    if (missing > 0)
        source_fault(&list->report, list->line, 0, NULL,
                     "%" PRIu32 " of %" PRIu32 " ranks have no line, the first is rank %" PRIu32,
                     missing, rank_count, first);
}

status_code placement_rankfile_assign(const placement_request *request, uint32_t *node_of_rank,
                                      status *status) {
    const placement_config *config = request->config;
    const placement_machine *machine = request->machine;
    uint32_t rank_count = request->rank_count;
    list list;
    FORWARD_IF_ERROR(list_open(&list, config->file, status));
    uint32_t *held = memory_new(machine->node_count, sizeof *held);
    for (uint32_t rank = 0; rank < rank_count; rank++)
        node_of_rank[rank] = UNPLACED;
    uint64_t lines = 0;
    for (; held != NULL && next_line(&list); lines++) {
        const char *start = list.cursor;
        uint32_t rank, node;
        if (!read_number(&list, "rank", rank_count, &rank)) continue;
        if (!read_number(&list, "node", machine->node_count, &node)) continue;
        if (!read_end(&list, "a rank and its node (3 17)")) continue;
        if (node_of_rank[rank] != UNPLACED)
            FAULT(&list, start, "rank %" PRIu32 " was placed before", rank);
        else if (request->taken[node])
            FAULT(&list, start, "node %" PRIu32 " is taken by others", node);
        else if (held[node]++ == config->ranks_per_node)
            FAULT(&list, start,
                  "node %" PRIu32 " takes no more than %" PRId64
                  " ranks; raise placement.ranks_per_node",
                  node, config->ranks_per_node);
        node_of_rank[rank] = node;
    }
    bool no_memory = held == NULL;
    free(held);
    if (list.report.faults == 0 && lines > 0) tell_missing(&list, node_of_rank, rank_count);
    FORWARD_IF_ERROR(list_close(&list, status));
    RETURN_ERROR_IF(no_memory, status, STATUS_MEMORY, "out of memory for %" PRIu32 " nodes",
                    machine->node_count);
    RETURN_ERROR_IF(lines == 0, status, STATUS_INPUT,
                    "%s: holds no ranks; write a rank and its node (3 17) per line", config->file);
    return STATUS_OK;
}
