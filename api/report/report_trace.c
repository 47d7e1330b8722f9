/* The contents of a trace, as JSON (schema anax.info/1) and for people. anax-json(5) describes the
 * keys. */
#include "api/api.h"
#include "api/report/report_layout.h"
#include "api/results/warnings.h"
#include "api/run/region_times.h"
#include "api/table/tables.h"
#include "core/base/plural.h"
#include "core/settings/units.h"
#include "traces/program/file/program_division.h"
#include "traces/program/program_topology.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns the largest size in class k of program_totals.size_histogram. */
static uint64_t class_limit(unsigned k) {
    return UINT64_C(1) << k;
}

/* Makes the source of a trace's rows, which borrows from the trace and from *totals. The caller
 * frees *regions. STATUS_MEMORY. */
static status_code make_source(struct table_source *source, const anax_trace *trace,
                               struct program_totals *totals, struct region_time **regions,
                               struct status *status) {
    uint32_t count;
    FORWARD_IF_ERROR(program_division_load_all(trace->program->division, status));
    program_totals_compute(trace->program, totals);
    FORWARD_IF_ERROR(region_times_compute_recorded(trace->program, regions, &count, status));
    *source = (struct table_source){
        .program = trace->program,
        .has_storage = trace->has_storage,
        .totals = totals,
        .regions = *regions,
        .region_count = count,
    };
    return STATUS_OK;
}

char *anax_trace_json(const anax_trace *trace) {
    struct table_source source;
    struct program_totals totals;
    struct region_time *regions;
    if (make_source(&source, trace, &totals, &regions, NULL) != STATUS_OK) return NULL;
    char *json = table_json(&tables_info, &source);
    free(regions);
    return json;
}

anax_code anax_trace_table(anax_table **table, const anax_trace *trace, const char *name,
                           anax_error *error) {
    struct status status = STATUS_INIT;
    struct table_source source;
    struct program_totals totals;
    struct region_time *regions;
    *table = NULL;
    if (make_source(&source, trace, &totals, &regions, &status) == STATUS_OK) {
        table_collect(table, &tables_info, name, &source, &status);
        free(regions);
    }
    return api_return(&status, error);
}

static void add_sizes(struct text_buffer *text, const struct program_totals *totals) {
    text_add(text, "\nMessage sizes\n");
    for (unsigned k = 0; k < 64; k++) {
        char human[32], label[48];
        if (totals->size_histogram[k] == 0) continue;
        units_size_human(class_limit(k), human, sizeof human);
        snprintf(label, sizeof label, "up to %s", human);
        report_row(text, 2, label);
        text_add(text, "%10" PRIu64 "  %5.1f %%\n", totals->size_histogram[k],
                 percent_of(totals->size_histogram[k], totals->messages));
    }
}

static void add_collectives(struct text_buffer *text, const struct program_totals *totals) {
    bool any = false;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        for (unsigned form = 0; form < 2; form++) {
            char name[TABLES_COLLECTIVE_BYTES];
            if (totals->collectives[kind][form] == 0 || kind == PROGRAM_COLLECTIVE_WINDOW) continue;
            if (!any) text_add(text, "\nCollectives, calls over all ranks\n");
            any = true;
            tables_collective_name(kind, form == 1, name);
            report_row(text, 2, name);
            text_add(text, "%10" PRIu64 "\n", totals->collectives[kind][form]);
        }
    }
}

static void add_count(struct text_buffer *text, const char *label, uint64_t count) {
    report_row(text, 0, label);
    text_add(text, "%" PRIu64 "\n", count);
}

/* Adds a row for communicators with equal topologies, unless the one is not the first of them. */
static void add_topology(struct text_buffer *text, const struct program *program, uint32_t one) {
    char sizes[PROGRAM_TOPOLOGY_TEXT], periods[PROGRAM_TOPOLOGY_TEXT], label[64];
    const struct program_topology *topology = &program->topologies[one];
    const uint32_t members = program->communicators[topology->communicator].size;
    uint64_t equal = 0;
    for (uint32_t i = 0; i < program->topology_count; i++) {
        const struct program_topology *other = &program->topologies[i];
        if (!program_topology_is_like(program, topology, other)) continue;
        if (i < one) return;
        equal++;
    }
    program_topology_write_sizes(program, topology, sizes);
    program_topology_write_periods(program, topology, periods);
    snprintf(label, sizeof label, "%s %.40s", program_topology_name(topology->kind), sizes);
    report_row(text, 2, label);
    text_add(text, "%10" PRIu64 "  %" PRIu32 " rank%s", equal, members, plural(members));
    if (*periods != '\0') text_add(text, ", periodic in %s", periods);
    if (topology->kind == PROGRAM_TOPOLOGY_GRAPH)
        text_add(text, ", %" PRIu64 " edges", program_topology_edges(program, topology));
    text_add(text, "\n");
}

static void add_topologies(struct text_buffer *text, const struct program *program) {
    if (program->topology_count == 0) return;
    text_add(text, "\nProcess topologies, communicators\n");
    for (uint32_t i = 0; i < program->topology_count; i++)
        add_topology(text, program, i);
}

static void add_regions(struct text_buffer *text, const struct program *program) {
    struct region_time *regions;
    uint32_t count;
    if (region_times_compute_recorded(program, &regions, &count, NULL) != STATUS_OK)
        text->failed = true;
    else if (count > 0)
        report_regions_text(text, regions, count, NULL);
    free(regions);
}

char *anax_trace_text(const anax_trace *trace) {
    const struct program *program = trace->program;
    struct program_totals totals;
    program_totals_compute(program, &totals);
    struct text_buffer text = TEXT_BUFFER_INIT;
    char size[32];
    units_size_human(totals.message_bytes, size, sizeof size);
    text_add_name(&text, program_text(program, program->source), 0);
    text_add(&text, " (");
    text_add_name(&text, program_text(program, program->creator), 0);
    text_add(&text, ")\n\n");
    warnings_text(&text, "Warning: ", program, trace->has_storage);
    add_count(&text, "ranks", program->rank_count);
    add_count(&text, "locations", program->location_count);
    add_count(&text, "events", program->event_count);
    report_time_row(&text, 0, "time span", program->span_ps);
    wide each_ps = program->rank_count > 0 ? totals.compute_ps / program->rank_count : 0;
    char time[WIDE_TEXT_BYTES];
    units_time_sum_human(each_ps, time, sizeof time);
    report_row(&text, 0, "computation per rank");
    text_add(&text, "%s\n", time);
    add_count(&text, "communicators", program->communicator_count);
    report_row(&text, 0, "messages");
    text_add(&text, "%" PRIu64 ", %s\n", totals.messages, size);
    if (totals.rma_operations > 0) {
        units_size_human(totals.rma_bytes, size, sizeof size);
        report_row(&text, 0, "one-sided operations");
        text_add(&text, "%" PRIu64 ", %s\n", totals.rma_operations - totals.rma_locks, size);
        if (totals.rma_locks > 0) add_count(&text, "locks and unlocks", totals.rma_locks);
        add_count(&text, "window synchronisations",
                  totals.collectives[PROGRAM_COLLECTIVE_WINDOW][0]);
    }
    report_files_text(&text, program, &totals);
    if (program->unmatched_sends + program->unmatched_receives > 0) {
        add_count(&text, "sends unmatched", program->unmatched_sends);
        add_count(&text, "receives unmatched", program->unmatched_receives);
    }
    if (totals.messages > 0) add_sizes(&text, &totals);
    add_collectives(&text, &totals);
    add_topologies(&text, program);
    add_regions(&text, program);
    report_notes_text(&text, program,
                      trace->has_storage ? 0 : totals.file_accesses[0] + totals.file_accesses[1],
                      NULL);
    return text_take(&text);
}
