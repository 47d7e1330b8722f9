/* Tables that several kinds of results share: the run, machine, settings, trace, notes, and the
 * computation. */
#include "api/compare/comparison.h"
#include "api/config/changed_settings.h"
#include "api/results/run_policies.h"
#include "api/results/warnings.h"
#include "api/table/tables.h"
#include "api/traffic/sweep.h"
#include "network/network_choices.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

bool tables_is_complete(const struct table_source *source) {
    return source->run->completed;
}

const struct table_condition tables_completed = {tables_is_complete, "if the run finished"};

bool tables_is_single_point(const struct table_source *source) {
    return source->run->completed && source->traffic->sweep != NULL &&
           source->traffic->sweep->points_wanted == 1;
}

const struct table_condition tables_single_point = {tables_is_single_point, "with a single point"};

/* ---- the result itself ---- */

enum { GROUP_REPLAY = 1, GROUP_TRAFFIC = 2 };

struct result_row {
    int64_t completed, time_ps, seed, seeds;
    const char *digest, *failure, *placement, *pattern, *routing, *misrouting;
};

static status_code visit_result(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    const struct api_run *run = source->run;
    const struct traffic_sweep *sweep = source->traffic != NULL ? source->traffic->sweep : NULL;
    char digest[17];
    char *routing = run_policies(run, false), *misrouting = run_policies(run, true);
    const struct result_row row = {
        .completed = run->completed,
        .digest = run->completed ? table_hash(run->digest, digest) : NULL,
        .failure = run->completed         ? NULL
                   : run->failure != NULL ? run->failure
                                          : "",
        .time_ps = source->result != NULL && run->completed ? source->replay->time_ps : TABLE_NONE,
        .placement = placement_policy_names()[run->config->placement.policy],
        .pattern = run->config->traffic.pattern,
        .routing = routing,
        .misrouting = misrouting,
        .seed = run->config->run.seed,
        .seeds = sweep != NULL ? sweep->seed_count : TABLE_NONE,
    };
    const bool good = routing != NULL && misrouting != NULL;
    if (good) table_add(sink, &row);
    free(routing);
    free(misrouting);
    RETURN_ERROR_IF(!good, status, STATUS_MEMORY, "out of memory for a result");
    return STATUS_OK;
}

static const struct table_column result_columns[] = {
    TABLE_FLAG(result_row, completed, "completed",
               "whether the run finished; if not, there are no numbers"),
    TABLE_NAME(result_row, digest, "digest",
               "digest; equal results have equal ones, on any computer"),
    TABLE_COLUMN(result_row, failure, "failure", "",
                 "what could not go on; null if the run finished"),
    TABLE_GROUPED(GROUP_REPLAY, result_row, time_ps, "time_ps", "ps", "when the last rank ends"),
    TABLE_GROUPED_NAME(GROUP_REPLAY, result_row, placement, "placement", "placement policy"),
    TABLE_GROUPED_NAME(GROUP_TRAFFIC, result_row, pattern, "pattern", "traffic pattern"),
    TABLE_NAME(result_row, routing, "routing",
               "routing policy; of traffic under several, their names separated by commas"),
    TABLE_NAME(result_row, misrouting, "misrouting",
               "misrouting policy; none if the routing policy knows only minimal paths"),
    TABLE_COLUMN(result_row, seed, "seed", "", "number that all random choices follow from"),
    TABLE_GROUPED(GROUP_TRAFFIC, result_row, seeds, "seeds", "",
                  "number of seeds that each load is run with: seed and those after it"),
};

#define RESULT(groups)                                                                             \
    {                                                                                              \
        .name = "result", .form = TABLE_KEYS, TABLE_LIST(result_columns), .left_out = (groups),    \
        .visit = visit_result, .help = "the run",                                                  \
    }
const struct table table_replay_result = RESULT(GROUP_TRAFFIC);
const struct table table_traffic_result = RESULT(GROUP_REPLAY);

/* ---- machine ---- */

void tables_fill_machine(struct tables_machine_row *row, const anax_config *config,
                         const char *name) {
    const struct network_config *network = &config->network;
    const bool plain = network->group_dimensions == 0 && network->group_links == 1;
    *row = (struct tables_machine_row){
        .name = name,
        .changed = config->run.machine != NULL &&
                   changed_network_differs(&config->network, &config->machine_network),
        .nodes = network_config_nodes(network),
        .groups = network->groups,
        .routers = network_config_routers(network),
        .nodes_per_router = network->nodes_per_router,
        .routers_per_group = network->routers_per_group,
        .globals_per_router = network->globals_per_router,
        .rails = network->rails,
        .nics_per_node = network_config_nics(network),
        .routers_per_node = network_config_node(network).routers_per_node,
        .injection_bytes_per_s = network_config_injection_bytes_per_s(network),
        .arrangement = network_arrangement_names()[network->arrangement],
    };
    units_dimensions_text(network->group_dimensions, row->text[0], sizeof row->text[0]);
    units_dimensions_text(network->group_links, row->text[1], sizeof row->text[1]);
    if (network->group_dimensions != 0) row->group_dimensions = row->text[0];
    if (!plain) row->group_links = row->text[1];
}

static status_code visit_machine(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    struct tables_machine_row row;
    char *name = changed_machine_name(source->config);
    RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory for a machine");
    tables_fill_machine(&row, source->config, name);
    table_add(sink, &row);
    free(name);
    return STATUS_OK;
}

static const struct table_column machine_columns[] = {TABLES_MACHINE_COLUMNS(tables_machine_row, )};

const struct table table_machine = {
    .name = "machine",
    .form = TABLE_OBJECT,
    TABLE_LIST(machine_columns),
    .visit = visit_machine,
    .help = "the simulated machine",
};

/* ---- settings ---- */

static status_code visit_settings(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    struct setting_section subset[API_SECTIONS];
    struct settings settings;
    api_config_find_scope(source->config, source->scope, subset, &settings);
    for (size_t s = 0; s < settings.section_count; s++) {
        for (size_t r = 0; r < subset[s].row_count; r++) {
            struct tables_settings_row row = {.name = subset[s].rows[r].name};
            const bool policies = source->run != NULL && strcmp(row.name, "network.routing") == 0;
            char *value = policies ? run_policies(source->run, false)
                                   : api_config_value(source->config, row.name);
            RETURN_ERROR_IF(value == NULL, status, STATUS_MEMORY, "out of memory for settings");
            row.value = value;
            table_add(sink, &row);
            free(value);
        }
    }
    return STATUS_OK;
}

static const struct table_column configuration_columns[] = {
    TABLE_NAME(tables_settings_row, name, "name", "name of a setting that has an effect"),
    TABLE_COLUMN(tables_settings_row, value, "value", "", "its value, as --set takes it")};

const struct table table_configuration = {
    .name = "configuration",
    .form = TABLE_MAP,
    TABLE_LIST(configuration_columns),
    .visit = visit_settings,
    .help = "every setting that has an effect",
};

static status_code visit_machine_mpi(const struct table_source *source,
                                     const struct table_sink *sink, struct status *status) {
    struct changed_settings settings;
    FORWARD_IF_ERROR(changed_settings_find_machine_values(&settings, source->config, status));
    for (size_t i = 0; i < settings.count; i++) {
        const struct tables_settings_row row = {.name = settings.list[i].name,
                                                .value = settings.list[i].value};
        table_add(sink, &row);
    }
    changed_settings_free(&settings);
    return STATUS_OK;
}

static const struct table_column machine_mpi_columns[] = {
    TABLE_NAME(tables_settings_row, name, "name", "name of a setting mpi.*"),
    TABLE_COLUMN(tables_settings_row, value, "value", "",
                 "the machine's value; if the run has another one, settings_changed says so")};

const struct table table_mpi_of_machine = {
    .name = "mpi_of_machine",
    .form = TABLE_MAP,
    TABLE_LIST(machine_mpi_columns),
    .visit = visit_machine_mpi,
    .help = "the settings of MPI that go with the machine",
};

/* Adds a row for network.routing if the run has several routing policies; its value lists them all.
 */
static status_code add_policies(const anax_config *config, const struct api_run *run,
                                struct tables_settings_row row, const struct table_sink *sink,
                                struct status *status) {
    if (run == NULL || run->routing_count < 2) return STATUS_OK;
    char *value = run_policies(run, false);
    RETURN_ERROR_IF(value == NULL, status, STATUS_MEMORY, "out of memory for settings");
    row.name = "network.routing";
    row.value = value;
    row.initial = network_routing_names()[config->machine_network.routing];
    row.from = config->run.machine != NULL ? "machine" : "defaults";
    table_add(sink, &row);
    free(value);
    return STATUS_OK;
}

status_code tables_add_changes(const anax_config *config, anax_scope scope,
                               const struct api_run *run, struct tables_settings_row row,
                               const struct table_sink *sink, struct status *status) {
    struct changed_settings changes;
    FORWARD_IF_ERROR(changed_settings_find(&changes, config, scope, status));
    for (size_t i = 0; i < changes.count; i++) {
        const struct changed_setting *change = &changes.list[i];
        if (run != NULL && run->routing_count > 1 && strcmp(change->name, "network.routing") == 0)
            continue;
        row.name = change->name;
        row.value = change->value;
        row.initial = change->initial;
        row.from = change->is_of_machine ? "machine" : "defaults";
        table_add(sink, &row);
    }
    changed_settings_free(&changes);
    return add_policies(config, run, row, sink, status);
}

static status_code visit_changes(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    return tables_add_changes(source->config, source->scope, source->run,
                              (struct tables_settings_row){0}, sink, status);
}

static const struct table_column changes_columns[] = {TABLES_SETTINGS_COLUMNS};

const struct table table_settings_changed = {
    .name = "settings_changed",
    .form = TABLE_ARRAY,
    TABLE_LIST(changes_columns),
    .visit = visit_changes,
    .help = "a setting whose value is neither the machine's nor the default",
};

/* ---- trace ---- */

struct trace_row {
    const char *path, *creator, *hash;
    uint64_t ranks, events, messages, unmatched_sends, unmatched_receives;
    int64_t span_ps;
    wide message_bytes;
};

static status_code visit_trace(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    const struct program *program = source->program;
    struct program_totals *totals = malloc(sizeof *totals);
    RETURN_ERROR_IF(totals == NULL, status, STATUS_MEMORY, "out of memory for a trace's totals");
    program_totals_compute(program, totals);
    char hash[17];
    const struct trace_row row = {
        .path = program_text(program, program->source),
        .creator = program_text(program, program->creator),
        .hash = table_hash(program->content_hash, hash),
        .ranks = program->rank_count,
        .events = program->event_count,
        .span_ps = program->span_ps,
        .messages = totals->messages,
        .message_bytes = totals->message_bytes,
        .unmatched_sends = program->unmatched_sends,
        .unmatched_receives = program->unmatched_receives,
    };
    table_add(sink, &row);
    free(totals);
    return STATUS_OK;
}

static const struct table_column trace_columns[] = {
    TABLE_COLUMN(trace_row, path, "path", "", "where the trace is; of several jobs all of them"),
    TABLE_COLUMN(trace_row, creator, "creator", "", "the program that wrote it"),
    TABLE_NAME(trace_row, hash, "hash",
               "hash of its content, equal for an archive and its program file"),
    TABLE_COLUMN(trace_row, ranks, "ranks", "", "MPI ranks"),
    TABLE_COLUMN(trace_row, events, "events", "", "records read"),
    TABLE_COLUMN(trace_row, span_ps, "span_ps", "ps", "from its first to its last time stamp"),
    TABLE_COLUMN(trace_row, messages, "messages", "", "point-to-point messages"),
    TABLE_COLUMN(trace_row, message_bytes, "message_bytes", "bytes",
                 "payload of the point-to-point messages"),
    TABLE_COLUMN(trace_row, unmatched_sends, "unmatched_sends", "",
                 "sends without a receive in the trace"),
    TABLE_COLUMN(trace_row, unmatched_receives, "unmatched_receives", "",
                 "receives without a send in the trace"),
};

const struct table table_trace = {
    .name = "trace",
    .form = TABLE_OBJECT,
    TABLE_LIST(trace_columns),
    .visit = visit_trace,
    .help = "the trace; of several jobs all of them together",
};

/* ---- warnings ---- */

struct warning_row {
    int64_t job;
    const char *trace, *what, *why;
    int64_t share;
};

enum { GROUP_JOB = 1, GROUP_TRACE = 2 };

static void add_warning(const struct warnings_entry *warning, struct warning_row row,
                        const struct table_sink *sink) {
    row.what = warning->what;
    row.share = table_ratio(warning->part, warning->whole);
    row.why = warning->why;
    table_add(sink, &row);
}

static status_code add_warnings(const struct program *program, bool has_storage,
                                struct warning_row row, const struct table_sink *sink,
                                struct status *status) {
    struct warnings_entry warnings[WARNINGS_MAX];
    size_t count;
    RETURN_ERROR_IF(!warnings_find(program, has_storage, warnings, &count), status, STATUS_MEMORY,
                    "out of memory for warnings");
    for (size_t i = 0; i < count; i++)
        add_warning(&warnings[i], row, sink);
    return STATUS_OK;
}

static status_code visit_warnings(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    return add_warnings(source->program, source->has_storage, (struct warning_row){0}, sink,
                        status);
}

static status_code visit_job_warnings(const struct table_source *source,
                                      const struct table_sink *sink, struct status *status) {
    const anax_replay_result *result = source->result;
    for (size_t i = 0; i < result->job_count; i++)
        FORWARD_IF_ERROR(add_warnings(result->jobs[i].program,
                                      replay_has_storage(&result->run.config->replay),
                                      (struct warning_row){.job = (int64_t)i}, sink, status));
    struct warnings_entry memory;
    size_t count, job;
    RETURN_ERROR_IF(!warnings_find_memory(result, &memory, &count, &job), status, STATUS_MEMORY,
                    "out of memory for warnings");
    if (count > 0) add_warning(&memory, (struct warning_row){.job = (int64_t)job}, sink);
    return STATUS_OK;
}

static status_code visit_trace_warnings(const struct table_source *source,
                                        const struct table_sink *sink, struct status *status) {
    const anax_comparison *comparison = source->comparison;
    for (size_t i = 0; i < comparison->trace_count; i++)
        FORWARD_IF_ERROR(add_warnings(
            comparison->traces[i]->program, candidate_set_has_storage(&comparison->set),
            (struct warning_row){.trace = comparison->names[i]}, sink, status));
    return STATUS_OK;
}

static const struct table_column warning_columns[] = {
    TABLE_GROUPED(GROUP_JOB, warning_row, job, "job", "", "number of the job, from 0"),
    TABLE_GROUPED(GROUP_TRACE, warning_row, trace, "trace", "", "name of the trace"),
    TABLE_COLUMN(warning_row, what, "what", "", "what is missing or not modelled"),
    TABLE_SHARE(warning_row, share, "share", "",
                "share of the messages, calls, time or bytes that it is about"),
    TABLE_COLUMN(warning_row, why, "why", "", "what this means for the prediction"),
};

#define WARNINGS(visitor, groups)                                                                  \
    {                                                                                              \
        .name = "warnings", .form = TABLE_ARRAY, TABLE_LIST(warning_columns),                      \
        .left_out = (groups), .visit = (visitor),                                                  \
        .help = "a reason to doubt the prediction: much of the trace is not modelled, or "         \
                "messages within nodes exceed the bandwidth of their memory",                      \
    }
const struct table table_warnings = WARNINGS(visit_warnings, GROUP_JOB | GROUP_TRACE);
const struct table table_job_warnings = WARNINGS(visit_job_warnings, GROUP_TRACE);
const struct table table_trace_warnings = WARNINGS(visit_trace_warnings, GROUP_JOB);

/* ---- notes ---- */

struct note_row {
    const char *what, *why;
    uint64_t count;
};

/* Adds the accesses to files that a replay on the machine of a trace's settings would leave out. */
static void add_free_accesses(const struct table_source *source, const struct table_sink *sink) {
    const uint64_t *accesses = source->totals->file_accesses;
    const struct note_row row = {REPLAY_FREE_ACCESSES, REPLAY_FREE_ACCESSES_WHY,
                                 accesses[0] + accesses[1]};
    if (row.count > 0 && !source->has_storage) table_add(sink, &row);
}

static status_code add_notes(const struct table_source *source, bool assumed,
                             const struct table_sink *sink) {
    const struct program *program = source->program;
    const struct replay_result *replay = source->replay;
    for (uint32_t i = 0; i < program->note_count; i++) {
        const struct program_note *note = &program->notes[i];
        if ((note->is_assumed != 0) != assumed) continue;
        const struct note_row row = {program_text(program, note->what),
                                     program_text(program, note->why), note->count};
        table_add(sink, &row);
    }
    for (uint32_t i = 0; replay != NULL && i < replay->note_count; i++) {
        const struct replay_note *note = &replay->notes[i];
        if (note->is_assumed != assumed) continue;
        const struct note_row row = {note->what, note->why, note->count};
        table_add(sink, &row);
    }
    if (replay == NULL && source->totals != NULL && !assumed) add_free_accesses(source, sink);
    return STATUS_OK;
}

static status_code visit_left_out(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    (void)status;
    return add_notes(source, false, sink);
}

static status_code visit_assumed(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    return add_notes(source, true, sink);
}

static const struct table_column note_columns[] = {
    TABLE_COLUMN(note_row, what, "what", "", "the call, or what it is about"),
    TABLE_COLUMN(note_row, why, "why", "", "the reason"),
    TABLE_COLUMN(note_row, count, "count", "", "how often"),
};

const struct table table_not_modelled = {
    .name = "not_modelled",
    .form = TABLE_ARRAY,
    TABLE_LIST(note_columns),
    .visit = visit_left_out,
    .help = "a part of the trace that the result leaves out",
};

const struct table table_assumed = {
    .name = "assumed",
    .form = TABLE_ARRAY,
    TABLE_LIST(note_columns),
    .visit = visit_assumed,
    .help = "a fact that the trace does not state, and the assumption in its place",
};

/* ---- the computation ---- */

struct simulation_row {
    uint64_t events, windows;
    int64_t wall_millionths, peak_rss_bytes, threads, processes, limit_millionths;
};

static status_code visit_simulation(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const struct network_totals *totals = &source->run->totals;
    const struct simulation_row row = {totals->events,
                                       totals->windows,
                                       (int64_t)(source->run->wall_s * 1e6 + 0.5),
                                       (int64_t)usage.ru_maxrss * 1024,
                                       (int64_t)totals->threads,
                                       source->run->process_count,
                                       network_parallel_limit_millionths(totals)};
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column simulation_columns[] = {
    TABLE_COLUMN(simulation_row, events, "events", "", "events simulated"),
    TABLE_COLUMN(simulation_row, windows, "windows", "", "conservative windows simulated"),
    TABLE_SHARE(simulation_row, wall_millionths, "wall_s", "s", "time that the simulation took"),
    TABLE_COLUMN(simulation_row, peak_rss_bytes, "peak_rss_bytes", "bytes",
                 "largest memory of the process"),
    TABLE_COLUMN(simulation_row, threads, "threads", "", "threads used, of each process"),
    TABLE_COLUMN(simulation_row, processes, "processes", "",
                 "processes that simulated together; the largest memory is that of the first"),
    TABLE_SHARE(simulation_row, limit_millionths, "parallel_limit", "",
                "best speed-up that any number of threads could have: all events over the sum of "
                "the events of the busiest group in each window; equal for any number of threads"),
};

const struct table table_simulation = {
    .name = "simulation",
    .form = TABLE_OBJECT,
    TABLE_LIST(simulation_columns),
    .visit = visit_simulation,
    .help = "the computation; it depends on the computer and may depend on the number of threads",
};
