/*
 * The wiring of machines between groups, small for any machine: neighbouring groups share a row.
 *
 * Invariant: on a machine of one rail the rows have all its global links, each once.
 */
#include "api/results/topology_numbers.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"

#include <stdlib.h>

enum { BINS_MAX = 64 };

struct wiring_row {
    int64_t machine;
    uint64_t group, other_group, groups, links;
};

static status_code add_wiring(const anax_topology *machine, int64_t number,
                              const struct table_sink *sink, struct status *status) {
    const struct topology *topology = &machine->topology;
    const uint64_t groups = topology->groups, of_row = (groups + BINS_MAX - 1) / BINS_MAX;
    const uint64_t rows = (groups + of_row - 1) / of_row;
    uint64_t *links = memory_new(rows * rows, sizeof *links);
    RETURN_ERROR_IF(links == NULL, status, STATUS_MEMORY, "out of memory for a table");
    for (uint64_t place = 0; place < groups * topology->links_per_group; place++) {
        const uint32_t end = topology->link_peers[place];
        if (end == TOPOLOGY_UNCONNECTED || end < place) continue;
        const uint64_t one = place / topology->links_per_group / of_row,
                       two = end / topology->links_per_group / of_row;
        links[(one < two ? one : two) * rows + (one < two ? two : one)]++;
    }
    for (uint64_t i = 0; i < rows * rows; i++)
        if (links[i] > 0)
            table_add(sink,
                      &(struct wiring_row){number, i / rows * of_row, i % rows * of_row, of_row,
                                           topology_numbers_of_rails(machine, links[i])});
    free(links);
    return STATUS_OK;
}

static status_code visit_wiring(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    for (size_t i = 0; i < source->machine_count; i++)
        FORWARD_IF_ERROR(add_wiring(source->machines[i], (int64_t)i, sink, status));
    return STATUS_OK;
}

static const struct table_column wiring_columns[] = {
    TABLE_COLUMN(wiring_row, machine, "machine", "", "number of the machine, from 0"),
    TABLE_COLUMN(wiring_row, group, "group", "", "a group, or the first of several"),
    TABLE_COLUMN(wiring_row, other_group, "other_group", "",
                 "a later group, or the first of several"),
    TABLE_COLUMN(wiring_row, groups, "groups", "",
                 "how many consecutive groups share a row: 1 on machines of up to 64 groups; the "
                 "last ones may be fewer"),
    TABLE_COLUMN(wiring_row, links, "links", "", "working global links between them"),
};

const struct table table_wiring = {
    .name = "group_wiring",
    .form = TABLE_ARRAY,
    TABLE_LIST(wiring_columns),
    .visit = visit_wiring,
    .help = "two groups that global links join, or several groups on machines of more than 64",
};
