/* Traces through the public interface: opening, generating, writing. */
#include "api/api.h"
#include "api/api_progress.h"
#include "api/caller_struct.h"
#include "api/command_support.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "core/processes/processors.h"
#include "traces/program/file/program_division.h"

#include <stdlib.h>
#include <string.h>

/* Puts the program into a new trace if `code` is STATUS_OK. */
static status_code wrap_program(anax_trace **trace, struct program *program, status_code code,
                                struct status *status) {
    *trace = NULL;
    if (code != STATUS_OK) return code;
    *trace = memory_new(1, sizeof **trace);
    if (*trace == NULL) {
        program_free(program);
        return status_set(status, STATUS_MEMORY, "out of memory for a trace");
    }
    (*trace)->program = program;
    return STATUS_OK;
}

static status_code with_defaults(anax_trace **trace, const anax_config *config,
                                 status_code (*make)(anax_trace **trace, const anax_config *config,
                                                     const void *argument, struct status *status),
                                 const void *argument, struct status *status) {
    if (config != NULL) return make(trace, config, argument, status);
    anax_config *defaults = NULL;
    anax_error error = ANAX_ERROR_INIT;
    if (anax_config_new(&defaults, &error) != ANAX_OK)
        return status_take(status, (status_code)error.code, error.text);
    status_code code = make(trace, defaults, argument, status);
    anax_config_free(defaults);
    return code;
}

struct open_request {
    const char *path;
    const anax_options *options;
};

static status_code open_trace(anax_trace **trace, const anax_config *config, const void *argument,
                              struct status *status) {
    const struct open_request *request = argument;
    struct api_progress progress = {request->options, "reading"};
    struct program *program = NULL;
    struct traces_config traces = config->traces; /* a copy that borrows its texts from config */
    unsigned threads = request->options->threads;
    traces.processes = api_processes(request->options);
    if (threads == 0)
        threads = processes_max_threads(traces.processes, processors_in_set(), processors_quota());
    status_code code = traces_open(&program, request->path, &traces, threads,
                                   request->options->progress != NULL ? api_progress_read : NULL,
                                   &progress, status);
    FORWARD_IF_ERROR(wrap_program(trace, program, code, status));
    (*trace)->has_storage = replay_has_storage(&config->replay);
    return STATUS_OK;
}

anax_code anax_trace_open(anax_trace **trace, const char *path, const anax_config *config,
                          const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    struct open_request request = {path, &own};
    *trace = NULL;
    if (*path == '\0')
        status_set(&status, STATUS_USAGE, "the trace has no name");
    else if (caller_read_options(&own, options, __func__, &status) == STATUS_OK)
        with_defaults(trace, config, open_trace, &request, &status);
    return api_return(&status, error);
}

static status_code generate(anax_trace **trace, const anax_config *config, const void *argument,
                            struct status *status) {
    const struct api_generate_config *options = &config->generate;
    struct traces_pattern_config pattern = {
        .rank_count = (uint32_t)options->ranks,
        .iterations = (uint32_t)options->iterations,
        .size_bytes = (uint64_t)options->size_bytes,
        .compute_ps = options->compute_ps,
        .neighbours = (uint32_t)options->neighbours,
        .root = (uint32_t)options->root,
        .window = (uint32_t)options->window,
        .edge = (uint32_t)options->edge,
        .has_barrier = options->has_barrier,
        .seed = (uint64_t)config->run.seed,
        .training = &config->training,
        .traces = &config->traces,
    };
    struct program *program = NULL;
    status_code code = traces_generate(&program, argument, &pattern, status);
    return wrap_program(trace, program, code, status);
}

bool api_pattern_uses(const char *pattern, const char *setting) {
    static const struct {
        const char *setting;
        unsigned bit;
    } particular[] = {
        {"generate.neighbours", TRACES_USES_NEIGHBOURS},
        {"generate.root", TRACES_USES_ROOT},
        {"generate.window", TRACES_USES_WINDOW},
        {"generate.edge", TRACES_USES_EDGE},
    };
    const struct traces_pattern *row = traces_patterns();
    while (row->name != NULL && strcmp(row->name, pattern) != 0)
        row++;
    if (row->name == NULL) return false;
    for (size_t i = 0; i < sizeof particular / sizeof *particular; i++)
        if (strcmp(particular[i].setting, setting) == 0)
            return (row->uses & particular[i].bit) != 0;
    bool trains = (row->uses & TRACES_USES_TRAINING) != 0;
    for (size_t i = 0; i < training_setting_count; i++)
        if (strcmp(training_setting_rows[i].name, setting) == 0) return trains;
    if (strcmp(setting, "generate.size") == 0)
        return !trains && (row->uses & TRACES_USES_EDGE) == 0;
    if (strcmp(setting, "generate.compute") == 0) return !trains;
    for (size_t i = 0; i < api_generate_setting_count; i++)
        if (strcmp(api_generate_setting_rows[i].name, setting) == 0) return true;
    return false;
}

anax_code anax_trace_generate(anax_trace **trace, const char *pattern, const anax_config *config,
                              anax_error *error) {
    struct status status = STATUS_INIT;
    *trace = NULL;
    with_defaults(trace, config, generate, pattern, &status);
    return api_return(&status, error);
}

anax_code anax_trace_write_program(const anax_trace *trace, const char *path,
                                   const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        program_division_load_all(trace->program->division, &status) == STATUS_OK)
        traces_write_program(trace->program, path, own.replace, own.threads, &status);
    return api_return(&status, error);
}

anax_code anax_trace_write_otf2(const anax_trace *trace, const char *folder, anax_error *error) {
    struct status status = STATUS_INIT;
    struct traces_times times = {0};
    if (program_division_load_all(trace->program->division, &status) == STATUS_OK &&
        traces_compute_nominal_times(trace->program, &times, &status) == STATUS_OK) {
        traces_write_otf2(trace->program, &times, folder, &status);
        traces_times_free(&times);
    }
    return api_return(&status, error);
}

anax_code anax_trace_get_info(anax_trace_info *info, const anax_trace *trace, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct program *program = trace->program;
    struct program_totals totals;
    program_totals_compute(program, &totals);
    const anax_trace_info own = {
        .ranks = program->rank_count,
        .locations = program->location_count,
        .events = program->event_count,
        .messages = totals.messages,
        .message_bytes = api_sum(totals.message_bytes),
        .unmatched_sends = program->unmatched_sends,
        .unmatched_receives = program->unmatched_receives,
        .span_ps = program->span_ps,
        .compute_ps = api_sum(totals.compute_ps),
        .hash = program->content_hash,
    };
    caller_struct_write(info, &own, &caller_info_struct, &status);
    return api_return(&status, error);
}

uint64_t api_trace_count_cut_ranks(const anax_trace *trace) {
    const struct program *program = trace->program;
    for (uint32_t i = 0; i < program->note_count; i++)
        if (strcmp(program_text(program, program->notes[i].what), TRACES_CUT_RANKS) == 0)
            return program->notes[i].count;
    return 0;
}

uint64_t api_trace_count_file_accesses(const anax_trace *trace) {
    struct program_totals totals;
    if (trace->program->file_count == 0) return 0;
    program_totals_compute(trace->program, &totals);
    return totals.file_accesses[0] + totals.file_accesses[1];
}
