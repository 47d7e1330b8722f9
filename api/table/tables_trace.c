/* The tables of the contents of a trace. */
#include "api/run/region_times.h"
#include "api/table/tables.h"
#include "traces/program/program_topology.h"

#include <stdio.h>

/* ---- the trace itself ---- */

struct info_row {
    const char *path, *creator, *hash;
    uint32_t ranks, communicators;
    uint64_t locations, events, messages, unmatched_sends, unmatched_receives;
    int64_t span_ps;
    wide compute_ps, message_bytes;
};

static status_code visit_info(const struct table_source *source, const struct table_sink *sink,
                              struct status *status) {
    (void)status;
    const struct program *program = source->program;
    char hash[17];
    const struct info_row row = {
        .path = program_text(program, program->source),
        .creator = program_text(program, program->creator),
        .hash = table_hash(program->content_hash, hash),
        .ranks = program->rank_count,
        .locations = program->location_count,
        .communicators = program->communicator_count,
        .events = program->event_count,
        .messages = source->totals->messages,
        .unmatched_sends = program->unmatched_sends,
        .unmatched_receives = program->unmatched_receives,
        .span_ps = program->span_ps,
        .compute_ps = source->totals->compute_ps,
        .message_bytes = source->totals->message_bytes,
    };
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column info_columns[] = {
    TABLE_COLUMN(info_row, path, "path", "", "where the trace is"),
    TABLE_COLUMN(info_row, creator, "creator", "", "what wrote the trace"),
    TABLE_NAME(info_row, hash, "hash",
               "hash of its content, equal for an archive and its program file"),
    TABLE_COLUMN(info_row, ranks, "ranks", "", "MPI ranks"),
    TABLE_COLUMN(info_row, locations, "locations", "", "event streams"),
    TABLE_COLUMN(info_row, events, "events", "", "records"),
    TABLE_COLUMN(info_row, span_ps, "span_ps", "ps", "from the first to the last time stamp"),
    TABLE_COLUMN(info_row, compute_ps, "compute_ps", "ps", "time outside MPI, over all ranks"),
    TABLE_COLUMN(info_row, communicators, "communicators", "", "number of communicators"),
    TABLE_COLUMN(info_row, messages, "messages", "", "point-to-point messages"),
    TABLE_COLUMN(info_row, message_bytes, "message_bytes", "bytes", "their payload"),
    TABLE_COLUMN(info_row, unmatched_sends, "unmatched_sends", "",
                 "sends without a receive in the trace"),
    TABLE_COLUMN(info_row, unmatched_receives, "unmatched_receives", "",
                 "receives without a send in the trace"),
};

static const struct table info = {
    .name = "trace",
    .form = TABLE_KEYS,
    TABLE_LIST(info_columns),
    .visit = visit_info,
    .help = "the trace",
};

/* ---- one-sided operations ---- */

struct one_sided_row {
    uint64_t operations, synchronisations, locks;
    wide bytes;
};

static status_code visit_one_sided(const struct table_source *source, const struct table_sink *sink,
                                   struct status *status) {
    (void)status;
    const struct program_totals *totals = source->totals;
    const struct one_sided_row row = {totals->rma_operations,
                                      totals->collectives[PROGRAM_COLLECTIVE_WINDOW][0],
                                      totals->rma_locks, totals->rma_bytes};
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column one_sided_columns[] = {
    TABLE_COLUMN(one_sided_row, operations, "operations", "",
                 "puts, gets, atomic operations, and locks and unlocks of one rank"),
    TABLE_COLUMN(one_sided_row, bytes, "bytes", "bytes", "bytes that they move"),
    TABLE_COLUMN(one_sided_row, synchronisations, "window_synchronisations", "",
                 "synchronisations of windows, as calls over all ranks"),
    TABLE_COLUMN(one_sided_row, locks, "locks", "",
                 "of the operations, those that take or release a lock and move no bytes"),
};

static const struct table one_sided = {
    .name = "one_sided",
    .form = TABLE_OBJECT,
    TABLE_LIST(one_sided_columns),
    .visit = visit_one_sided,
    .help = "one-sided operations",
};

/* ---- sizes of messages ---- */

struct size_row {
    uint64_t up_to_bytes, messages;
};

static status_code visit_sizes(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    for (unsigned k = 0; k < 64; k++) {
        const struct size_row row = {UINT64_C(1) << k, source->totals->size_histogram[k]};
        if (row.messages > 0) table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column size_columns[] = {
    TABLE_COLUMN(size_row, up_to_bytes, "up_to_bytes", "bytes",
                 "largest size of the class; classes are powers of two"),
    TABLE_COLUMN(size_row, messages, "messages", "", "messages of the class"),
};

static const struct table sizes = {
    .name = "message_sizes",
    .form = TABLE_ARRAY,
    TABLE_LIST(size_columns),
    .visit = visit_sizes,
    .help = "a class of sizes that messages have",
};

/* ---- collectives ---- */

struct collective_row {
    const char *name;
    uint64_t calls;
};

static status_code visit_collectives(const struct table_source *source,
                                     const struct table_sink *sink, struct status *status) {
    (void)status;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        for (unsigned form = 0; form < 2; form++) {
            char name[TABLES_COLLECTIVE_BYTES];
            const uint64_t calls = source->totals->collectives[kind][form];
            if (calls == 0 || kind == PROGRAM_COLLECTIVE_WINDOW) continue;
            tables_collective_name(kind, form == 1, name);
            table_add(sink, &(struct collective_row){name, calls});
        }
    }
    return STATUS_OK;
}

static const struct table_column collective_columns[] = {
    TABLE_NAME(collective_row, name, "name",
               "kind of the collective, I:KIND for its non-blocking form"),
    TABLE_COLUMN(collective_row, calls, "calls", "", "calls over all ranks"),
};

static const struct table collectives = {
    .name = "collectives",
    .form = TABLE_MAP,
    TABLE_LIST(collective_columns),
    .visit = visit_collectives,
    .help = "a kind of collective",
};

/* ---- process topologies ---- */

struct topology_row {
    const char *communicator, *kind, *dimensions, *periodic;
    uint64_t ranks, edges;
};

static bool has_topologies(const struct table_source *source) {
    return source->program->topology_count > 0;
}

static const struct table_condition topologies_made = {
    has_topologies, "if a communicator of the trace has a process topology"};

static status_code visit_topologies(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    const struct program *program = source->program;
    for (uint32_t i = 0; i < program->topology_count; i++) {
        char name[PROGRAM_COMMUNICATOR_TEXT];
        char dimensions[PROGRAM_TOPOLOGY_TEXT], periods[PROGRAM_TOPOLOGY_TEXT];
        const struct program_topology *topology = &program->topologies[i];
        program_write_communicator(program, topology->communicator, name);
        program_topology_write_sizes(program, topology, dimensions);
        program_topology_write_periods(program, topology, periods);
        const struct topology_row row = {
            .communicator = name,
            .kind = program_topology_name(topology->kind),
            .dimensions = dimensions,
            .periodic = periods,
            .ranks = program->communicators[topology->communicator].size,
            .edges = program_topology_edges(program, topology),
        };
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column topology_columns[] = {
    TABLE_COLUMN(topology_row, communicator, "communicator", "", "the communicator"),
    TABLE_NAME(topology_row, kind, "kind", "\"cartesian\" or \"graph\""),
    TABLE_COLUMN(topology_row, ranks, "ranks", "", "its members"),
    TABLE_COLUMN(topology_row, dimensions, "dimensions", "",
                 "sizes of its dimensions, such as \"4x2\"; empty for a graph"),
    TABLE_COLUMN(topology_row, periodic, "periodic", "",
                 "numbers of its periodic dimensions from 0, such as \"0,1\""),
    TABLE_COLUMN(topology_row, edges, "edges", "", "edges of a graph; 0 for a Cartesian one"),
};

static const struct table topologies = {
    .name = "topologies",
    .form = TABLE_ARRAY,
    TABLE_LIST(topology_columns),
    .condition = &topologies_made,
    .visit = visit_topologies,
    .help = "a communicator with a process topology",
};

/* ---- user regions ---- */

static status_code visit_regions(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    for (uint32_t i = 0; i < source->region_count; i++)
        table_add(sink, &source->regions[i]);
    return STATUS_OK;
}

static const struct table_column region_columns[] = {
    TABLE_COLUMN(region_time, name, "name", "", "name of the region"),
    TABLE_COLUMN(region_time, count, "count", "", "times that it was entered, over all ranks"),
    TABLE_COLUMN(region_time, ranks, "ranks", "", "ranks that entered it"),
    TABLE_COLUMN(region_time, time_ps, "time_ps", "ps",
                 "recorded time between entering and leaving it, over all ranks, with all that is "
                 "inside"),
    TABLE_COLUMN(region_time, mpi_ps, "mpi_ps", "ps", "of it, in MPI calls"),
    TABLE_COLUMN(region_time, max_ps, "most_ps", "ps", "time of the rank that spent most in it"),
    TABLE_COLUMN(region_time, max_rank, "most_rank", "", "that rank"),
};

static const struct table regions = {
    .name = "regions",
    .form = TABLE_ARRAY,
    TABLE_LIST(region_columns),
    .visit = visit_regions,
    .help = "a user region that was entered",
};

void tables_collective_name(uint32_t kind, bool non_blocking, char name[TABLES_COLLECTIVE_BYTES]) {
    snprintf(name, TABLES_COLLECTIVE_BYTES, "%s%s", non_blocking ? "I:" : "",
             program_collective_name((program_collective_kind)kind));
}

static const struct table *const tables[] = {
    &info,    &one_sided,      &table_files,        &sizes,         &collectives, &topologies,
    &regions, &table_warnings, &table_not_modelled, &table_assumed, NULL};

const struct table_schema tables_info = {"info", "anax.info/1", tables};
