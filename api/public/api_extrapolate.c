/* Extrapolations through the public interface. */
#include "api/caller_struct.h"
#include "api/report/report_extrapolation.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"
#include "traces/program/edit/program_without_files.h"
#include "traces/program/file/program_division.h"

#include <stdlib.h>
#include <string.h>

/* Reads extents such as "16x16x8". */
static status_code read_grid(uint32_t grid[4], const char *text, struct status *status) {
    if (text == NULL) return STATUS_OK;
    const char *rest = text;
    for (size_t d = 0; *rest != '\0'; d++) {
        char *end;
        const unsigned long extent = strtoul(rest, &end, 10);
        RETURN_ERROR_IF(d == 4 || end == rest || *rest == '-' || *rest == '+' || extent == 0 ||
                            extent > 1 << 24 || (*end != '\0' && (*end != 'x' || end[1] == '\0')),
                        status, STATUS_USAGE,
                        "extrapolate.grid=%s is not a grid of two to four extents, such as 16x16x8",
                        text);
        grid[d] = (uint32_t)extent;
        rest = *end == 'x' ? end + 1 : end;
    }
    RETURN_ERROR_IF(*text != '\0' && grid[1] == 0, status, STATUS_USAGE,
                    "extrapolate.grid=%s is not a grid of two to four extents, such as 16x16x8",
                    text);
    return STATUS_OK;
}

/* The caller's options, and how often an extrapolation has called progress. */
struct watch {
    const anax_options *options;
    uint64_t calls;
};

static bool report_progress(void *context) {
    struct watch *watch = context;
    const anax_progress progress = {.phase = "looking for rules", .done = watch->calls++};
    return watch->options->progress(watch->options->progress_context, &progress);
}

static status_code extrapolate(anax_extrapolation *made, const anax_extrapolate_plan *plan,
                               const anax_options *options, struct status *status) {
    const unsigned threads = options->threads;
    const anax_config *config = plan->config;
    const size_t count = plan->trace_count;
    RETURN_ERROR_IF(config == NULL, status, STATUS_USAGE,
                    "an extrapolation needs settings: set plan.config");
    RETURN_ERROR_IF(plan->traces == NULL && count > 0, status, STATUS_USAGE,
                    "an extrapolation needs traces: set plan.traces");
    struct watch watch = {.options = options};
    struct extrapolate_config wanted = {
        .ranks = (uint32_t)config->extrapolate.ranks,
        .approximate = config->extrapolate.approximate,
        .scaling = (extrapolate_scaling)config->extrapolate.scaling,
        .seed = (uint64_t)config->run.seed,
        .threads = threads,
        .progress = options->progress != NULL ? report_progress : NULL,
        .progress_context = &watch,
    };
    RETURN_ERROR_IF(wanted.ranks == 0, status, STATUS_USAGE,
                    "extrapolate.ranks is not set: the ranks of the new program");
    FORWARD_IF_ERROR(read_grid(wanted.grid, config->extrapolate.grid, status));
    const struct program **programs = memory_new(count, sizeof *programs);
    struct program **copies = memory_new(count, sizeof *copies);
    status_code code = STATUS_OK;
    if (programs == NULL || copies == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for a series");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        const struct program *program = programs[i] = plan->traces[i]->program;
        code = program_division_load_all(program->division, status);
        if (program->file_count == 0 || code != STATUS_OK) continue;
        struct program_totals totals;
        program_totals_compute(program, &totals);
        wanted.accesses += totals.file_accesses[0] + totals.file_accesses[1];
        code = program_without_files(&copies[i], program, threads, status);
        programs[i] = copies[i];
    }
    if (code == STATUS_OK)
        code = traces_extrapolate(&made->trace.program, &made->report, programs, (uint32_t)count,
                                  &wanted, status);
    for (size_t i = 0; copies != NULL && i < count; i++)
        program_free(copies[i]);
    free(copies);
    free(programs);
    return code;
}

anax_code anax_extrapolate(anax_extrapolation **extrapolation, const anax_extrapolate_plan *plan,
                           const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_extrapolate_plan own_plan = ANAX_EXTRAPOLATE_PLAN_INIT;
    status_code code = caller_read_options(&own, options, __func__, &status);
    if (code == STATUS_OK)
        code = caller_struct_read(&own_plan, plan, &caller_extrapolate_plan_struct, &status);
    *extrapolation = memory_new(1, sizeof **extrapolation);
    if (*extrapolation == NULL)
        code = status_set(&status, STATUS_MEMORY, "out of memory for an extrapolation");
    if (code == STATUS_OK) code = extrapolate(*extrapolation, &own_plan, &own, &status);
    if (code != STATUS_OK) {
        anax_extrapolation_free(*extrapolation);
        *extrapolation = NULL;
    }
    return api_return(&status, error);
}

void anax_extrapolation_free(anax_extrapolation *extrapolation) {
    if (extrapolation == NULL) return;
    program_free(extrapolation->trace.program);
    extrapolate_report_free(&extrapolation->report);
    free(extrapolation);
}

const anax_trace *anax_extrapolation_trace(const anax_extrapolation *extrapolation) {
    return &extrapolation->trace;
}

char *anax_extrapolation_warnings(const anax_extrapolation *extrapolation) {
    return report_extrapolation_warnings(extrapolation);
}

char *anax_extrapolation_text(const anax_extrapolation *extrapolation) {
    return report_extrapolation_text(extrapolation);
}

char *anax_extrapolation_json(const anax_extrapolation *extrapolation) {
    const struct table_source source = {.extrapolation = extrapolation};
    return table_json(&tables_extrapolation, &source);
}

anax_code anax_extrapolation_table(anax_table **table, const anax_extrapolation *extrapolation,
                                   const char *name, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = {.extrapolation = extrapolation};
    table_collect(table, &tables_extrapolation, name, &source, &status);
    return api_return(&status, error);
}
