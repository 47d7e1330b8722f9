/*
 * Runs jobs. Each job is placed on nodes that the jobs before it have left free. The programs are
 * joined into one, which is replayed. Before that, each job is replayed alone on its nodes if
 * jobs.alone is on and anything else runs on the machine.
 *
 * Invariant: one job without background traffic is replayed without a copy of its program, and only
 * once. Only one network exists at a time.
 */
#include "api/api_progress.h"
#include "api/run/divided_programs.h"
#include "api/run/hosts_files.h"
#include "api/run/jobs.h"
#include "api/run/place.h"
#include "api/run/region_times.h"
#include "api/run/run_checkpoint.h"
#include "api/run/watched_links.h"
#include "core/base/digest.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "network/topology/failures.h"
#include "traces/program/file/program_division.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BACKGROUND_TIMER 1

struct jobs_work {
    anax_replay_result *result;
    const anax_jobs *jobs;
    const anax_options *options;
    struct replay_config replay; /* settings of the joined program, and of each job alone */
    struct placement **placements;
    struct place_nodes nodes;
    int64_t *start_ps;          /* [rank of all jobs]; NULL if all jobs start at 0 */
    uint32_t *job_ends;         /* per job: number of its last rank plus one */
    uint8_t *traffic_classes;   /* [rank of all jobs]; NULL if all have mpi.class */
    struct background *traffic; /* NULL: none */
    struct replay_hosts *hosts;
    struct watched_links links;
    struct checkpoint *checkpoint; /* simulations: each job alone, by its number, then all; NULL */
};

static status_code describe_jobs(struct jobs_work *work, struct status *status) {
    anax_replay_result *result = work->result;
    const anax_jobs *jobs = work->jobs;
    uint64_t ranks = 0;
    result->jobs = memory_new(jobs->count, sizeof *result->jobs);
    RETURN_ERROR_IF(result->jobs == NULL, status, STATUS_MEMORY, "out of memory for jobs");
    for (; result->job_count < jobs->count; result->job_count++) {
        const struct job *job = jobs->jobs[result->job_count];
        struct api_job_result *entry = &result->jobs[result->job_count];
        *entry = (struct api_job_result){.program = job->trace->program,
                                         .policy = job->placement.policy,
                                         .seed = job->seed,
                                         .start_ps = job->start_ps,
                                         .traffic_class = job->traffic_class,
                                         .first_rank = (uint32_t)ranks,
                                         .alone_ps = -1};
        FORWARD_IF_ERROR(memory_copy_text(&entry->name, job->name, status));
        ranks += job->trace->program->rank_count;
        RETURN_ERROR_IF(ranks > UINT32_MAX, status, STATUS_USAGE, "%" PRIu64 " ranks are too many",
                        ranks);
    }
    return STATUS_OK;
}

/* Puts "job b: ..." before the error text if there are several jobs. */
static status_code prefix_job_name(const anax_replay_result *result, size_t index, status_code code,
                                   struct status *status) {
    if (code != STATUS_OK && result->job_count > 1)
        status_prefix(status, "job %s", result->jobs[index].name);
    return code;
}

static status_code place_job(struct jobs_work *work, size_t index, struct status *status) {
    const struct job *job = work->jobs->jobs[index];
    struct placement **placement = &work->placements[index];
    if (job->node_of_rank != NULL)
        return placement_from_nodes(placement, job->node_of_rank, job->trace->program->rank_count,
                                    place_machine(&work->result->run.config->network).node_count,
                                    status);
    FORWARD_IF_ERROR(divided_place(placement, work->result->run.config, job, &work->nodes,
                                   api_processes(work->options), status));
    for (uint32_t rank = 0; rank < (*placement)->rank_count; rank++)
        work->nodes.taken[(*placement)->node_of_rank[rank]] = true;
    return STATUS_OK;
}

/* Places all jobs. Jobs whose files name nodes are placed first, the others on the remaining
 * nodes. */
static status_code place_jobs(struct jobs_work *work, struct status *status) {
    anax_replay_result *result = work->result;
    FORWARD_IF_ERROR(place_nodes_find(&work->nodes, result->run.config, status));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < result->job_count; i++) {
            bool named = placement_policies()[result->jobs[i].policy].reads_file;
            if (named == (pass == 0))
                FORWARD_IF_ERROR(prefix_job_name(result, i, place_job(work, i, status), status));
        }
    }
    if (result->job_count == 1) {
        result->placement = work->placements[0];
        return STATUS_OK;
    }
    return placement_join(&result->placement, (const struct placement *const *)work->placements,
                          result->job_count, status);
}

static status_code join_programs(struct jobs_work *work, struct status *status) {
    anax_replay_result *result = work->result;
    if (result->job_count == 1) {
        result->trace = work->jobs->jobs[0]->trace;
        return STATUS_OK;
    }
    result->trace = &result->joined;
    return divided_join(result, work->options, status);
}

static status_code list_starts(struct jobs_work *work, struct status *status) {
    const anax_replay_result *result = work->result;
    bool any = false;
    for (size_t i = 0; i < result->job_count; i++)
        any = any || result->jobs[i].start_ps > 0;
    if (!any) return STATUS_OK;
    work->start_ps = memory_new(result->trace->program->rank_count, sizeof *work->start_ps);
    RETURN_ERROR_IF(work->start_ps == NULL, status, STATUS_MEMORY, "out of memory for jobs");
    for (size_t i = 0; i < result->job_count; i++)
        for (uint32_t rank = 0; rank < result->jobs[i].program->rank_count; rank++)
            work->start_ps[result->jobs[i].first_rank + rank] = result->jobs[i].start_ps;
    return STATUS_OK;
}

/* Lists where the ranks of each job end. */
static status_code list_ends(struct jobs_work *work, struct status *status) {
    const anax_replay_result *result = work->result;
    work->job_ends = memory_new(result->job_count, sizeof *work->job_ends);
    RETURN_ERROR_IF(work->job_ends == NULL, status, STATUS_MEMORY, "out of memory for jobs");
    for (size_t i = 0; i < result->job_count; i++)
        work->job_ends[i] = result->jobs[i].first_rank + result->jobs[i].program->rank_count;
    return STATUS_OK;
}

static status_code list_classes(struct jobs_work *work, struct status *status) {
    const anax_replay_result *result = work->result;
    const anax_config *config = result->run.config;
    bool any = false;
    for (size_t i = 0; i < result->job_count; i++) {
        int64_t traffic_class = work->jobs->jobs[i]->traffic_class;
        any = any || traffic_class != config->replay.traffic_class;
        FORWARD_IF_ERROR(prefix_job_name(
            result, i, api_check_class(config, "class", traffic_class, status), status));
    }
    if (!any) return STATUS_OK;
    work->traffic_classes =
        memory_new(result->trace->program->rank_count, sizeof *work->traffic_classes);
    RETURN_ERROR_IF(work->traffic_classes == NULL, status, STATUS_MEMORY, "out of memory for jobs");
    for (size_t i = 0; i < result->job_count; i++)
        memset(work->traffic_classes + result->jobs[i].first_rank,
               (int)work->jobs->jobs[i]->traffic_class, result->jobs[i].program->rank_count);
    return STATUS_OK;
}

/* Creates the background traffic among the nodes without ranks, which include the nodes of jobs
 * that are not simulated (placement.occupied). */
static status_code new_background(struct jobs_work *work, struct status *status) {
    const anax_replay_result *result = work->result;
    const anax_config *config = result->run.config;
    if (config->jobs.background_millionths == 0) return STATUS_OK;
    const struct placement *placement = result->placement;
    for (uint32_t node = 0; node < placement->node_count; node++)
        work->nodes.taken[node] = work->nodes.failed[node] ||
                                  placement->first_rank[node] < placement->first_rank[node + 1];
    FORWARD_IF_ERROR(place_storage_take(&work->nodes, config, status));
    status_code code =
        background_new(&work->traffic, &config->network, &config->jobs.background,
                       config->jobs.background_millionths, work->nodes.taken,
                       (uint64_t)config->run.seed, REPLAY_COMPANION, BACKGROUND_TIMER, status);
    if (code != STATUS_OK) status_prefix(status, "background traffic");
    return code;
}

static bool wants_regions(const struct jobs_work *work) {
    return region_times_are_wanted(work->result->trace->program, &work->result->run.config->traces);
}

/* Returns whether the replay keeps the times of its time stamps. */
static bool keeps_times(const struct jobs_work *work) {
    return work->options->timeline || wants_regions(work);
}

/* Returns whether the iterations of the run have efficiencies of their own. */
static bool has_iterations(const anax_config *config) {
    return config->traces.per_iteration != NULL && *config->traces.per_iteration != '\0';
}

/* Replaces an eager threshold that is to be found. Of several processes, process 0 alone finds it,
 * since that takes all ranks. */
static status_code settle_threshold(struct jobs_work *work, struct status *status) {
    const struct program *program = work->result->trace->program;
    const struct network_config *network_config = &work->result->run.config->network;
    struct processes *processes = api_processes(work->options);
    int64_t *threshold_bytes = &work->replay.eager_threshold_bytes;
    if (processes == NULL || *threshold_bytes != REPLAY_EAGER_AUTO)
        return replay_settle_threshold(&work->replay, program, network_config, status);
    status_code code = STATUS_OK;
    if (processes_number(processes) == 0) {
        code = program_division_load_all(program->division, status);
        if (code == STATUS_OK)
            code = replay_settle_threshold(&work->replay, program, network_config, status);
    }
    FORWARD_IF_ERROR(processes_agree(processes, code, status));
    return processes_broadcast(processes, threshold_bytes, sizeof *threshold_bytes, status);
}

/* Returns whether this process needs all ranks: process 0 explains times, divides them by regions,
 * and counts accesses to files, all of which read the operations of all ranks. */
static bool needs_all_ranks(const struct jobs_work *work) {
    const anax_config *config = work->result->run.config;
    return processes_number(api_processes(work->options)) == 0 &&
           (work->options->explain || has_iterations(config) || wants_regions(work) ||
            work->result->trace->program->file_count > 0);
}

/* Makes sure that the ranks which this process needs are in memory, and no others. */
static status_code hold_ranks(const struct jobs_work *work, struct status *status) {
    const anax_replay_result *result = work->result;
    const struct program *program = result->trace->program;
    return needs_all_ranks(work)
               ? program_division_load_all(program->division, status)
               : divided_load_own(program, result->placement, &result->run.config->network,
                                  api_processes(work->options), status);
}

/* Adds what a job is to the facts of the run. Its name, which may be that of a file, decides
 * nothing.
 */
static void add_job_facts(struct checkpoint_facts *facts, size_t number,
                          const struct api_job_result *job) {
    char name[64];
    snprintf(name, sizeof name, "the trace of job %zu", number);
    checkpoint_add_fact(facts, name, "%u ranks, hash %016" PRIx64, job->program->rank_count,
                        job->program->content_hash);
    snprintf(name, sizeof name, "the start and class of job %zu", number);
    checkpoint_add_fact(facts, name, "%" PRId64 " ps, %" PRId64, job->start_ps, job->traffic_class);
}

/* Refuses what a run with checkpoints does not keep. */
static status_code check_checkpoints(const struct jobs_work *work, struct status *status) {
    const anax_replay_result *result = work->result;
    const struct anax_options *options = work->options;
    const bool iterates = has_iterations(result->run.config);
    RETURN_ERROR_IF(options->explain || options->advise || iterates, status, STATUS_USAGE,
                    "a run with checkpoints can neither explain its time nor advise: remove %s",
                    options->explain  ? "anax_options.explain"
                    : options->advise ? "anax_options.advise"
                                      : "trace.per_iteration");
    return run_checkpoint_check_settings(result->run.config, status);
}

static uint32_t path_steps_of(const anax_options *options) {
    size_t steps = options->path_steps == 0 ? ANAX_PATH_STEPS_DEFAULT : options->path_steps;
    return steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX;
}

/* A hash of what decides, besides settings, which figures processes send to each other. */
static uint64_t hash_of_wanted(const struct jobs_work *work) {
    const anax_config *config = work->result->run.config;
    const uint64_t explains = work->options->explain || has_iterations(config);
    const uint64_t bins_hash = digest_mix(api_time_bins(config), (uint64_t)config->jobs.matrix);
    return digest_mix(digest_mix(explains, path_steps_of(work->options)), bins_hash);
}

/* Makes sure that all processes run the same, and begins the run with checkpoints if the caller
 * wants any. */
static status_code begin_checkpoints(struct jobs_work *work, struct status *status) {
    const anax_replay_result *result = work->result;
    const struct placement *placement = result->placement;
    struct processes *processes = api_processes(work->options);
    struct checkpoint_facts facts = {0};
    if (processes == NULL && !run_checkpoint_wanted(work->options)) return STATUS_OK;
    if (run_checkpoint_wanted(work->options)) FORWARD_IF_ERROR(check_checkpoints(work, status));
    status_code code =
        run_checkpoint_facts(&facts, result->run.config, ANAX_SCOPE_REPLAY, "replay", status);
    checkpoint_add_fact(&facts, "the number of jobs", "%zu", result->job_count);
    for (size_t i = 0; i < result->job_count; i++)
        add_job_facts(&facts, i + 1, &result->jobs[i]);
    uint64_t nodes_hash = 0;
    for (uint32_t rank = 0; rank < placement->rank_count; rank++)
        nodes_hash = digest_mix(nodes_hash, placement->node_of_rank[rank]);
    checkpoint_add_fact(&facts, "the hash of the placement", "%016" PRIx64, nodes_hash);
    checkpoint_add_fact(&facts, "what a timeline or user regions need", "%s",
                        keeps_times(work) ? "kept" : "not kept");
    if (code == STATUS_OK)
        code = run_checkpoint_same_everywhere(&facts, hash_of_wanted(work), processes, status);
    if (code == STATUS_OK && run_checkpoint_wanted(work->options))
        code = run_checkpoint_new(&work->checkpoint, work->options, &facts, status);
    checkpoint_facts_clear(&facts);
    return code;
}

static struct replay_options options_of(const anax_options *options,
                                        const struct api_progress *progress) {
    return (struct replay_options){
        .threads = options->threads,
        .progress = options->progress != NULL ? api_progress_run : NULL,
        .progress_context = (void *)progress,
        .processes = api_processes(options),
    };
}

/* Replays a job whose ranks are in memory. */
static status_code replay_alone(struct jobs_work *work, size_t index, struct status *status) {
    const anax_config *config = work->result->run.config;
    struct api_job_result *job = &work->result->jobs[index];
    struct api_progress progress = {work->options, "replaying alone"};
    struct replay_options options = options_of(work->options, &progress);
    const uint64_t key = index + 1;
    checkpoint_begin(work->checkpoint, key);
    options.checkpoint = work->checkpoint;
    options.hosts = work->hosts;
    options.first_rank = job->first_rank;
    for (size_t i = 0; i < index; i++)
        options.first_file += work->result->jobs[i].program->file_count;
    if (work->traffic_classes != NULL)
        options.traffic_classes = work->traffic_classes + job->first_rank;
    struct replay_result *replay = NULL;
    struct network *network = NULL;
    status_code code =
        replay_run(&replay, &network, job->program, work->placements[index], &work->replay,
                   &config->network, (uint64_t)config->run.seed, &options, status);
    if (code == STATUS_OK) {
        job->alone_ps = replay->time_ps;
        code = checkpoint_record_result(work->checkpoint, key, &job->alone_ps, sizeof job->alone_ps,
                                        status);
    }
    if (code == STATUS_RUN || code == STATUS_STOPPED)
        status_prefix(status, "job %s, alone", job->name);
    replay_result_free(replay);
    network_free(network);
    return code;
}

static status_code run_alone(struct jobs_work *work, size_t index, struct status *status) {
    struct api_job_result *job = &work->result->jobs[index];
    const bool is_part = work->result->job_count > 1 && job->program->division != NULL;
    if (checkpoint_find_result(work->checkpoint, index + 1, &job->alone_ps, sizeof job->alone_ps))
        return STATUS_OK;
    if (is_part)
        FORWARD_IF_ERROR(divided_load_own(job->program, work->placements[index],
                                          &work->result->run.config->network,
                                          api_processes(work->options), status));
    const status_code code = replay_alone(work, index, status);
    return is_part && code == STATUS_OK ? divided_load_none(job->program, status) : code;
}

/* Adds to an error text which ranks belong to which job. */
static void append_job_ranks(const anax_replay_result *result, struct status *status) {
    for (size_t i = 0; i < result->job_count && result->job_count > 1; i++)
        status_append(status, "ranks %" PRIu32 " to %" PRIu32 " are those of job %s",
                      result->jobs[i].first_rank,
                      result->jobs[i].first_rank + result->jobs[i].program->rank_count - 1,
                      result->jobs[i].name);
}

/* Finds the job of each region. Each job has regions of its own, even if their names are equal. */
static void set_region_jobs(anax_replay_result *result) {
    for (uint32_t i = 0; i < result->region_count; i++) {
        struct region_time *region = &result->regions[i];
        while (region->job + 1 < result->job_count &&
               region->max_rank >= result->jobs[region->job + 1].first_rank)
            region->job++;
    }
}

static status_code inspect_ideal(void *context, unsigned run, const struct replay_result *replay,
                                 struct status *status) {
    return efficiencies_add(context, run, replay, status);
}

/* Replays on ideal machines, and finds the efficiencies of regions if their times are known. */
static status_code explain_efficiencies(struct jobs_work *work,
                                        const struct replay_options *options, bool regions,
                                        struct status *status) {
    anax_replay_result *result = work->result;
    const anax_config *config = result->run.config;
    const struct program *program = result->trace->program;
    const struct ideal_watch watch = {inspect_ideal, &result->efficiencies};
    if (regions) {
        FORWARD_IF_ERROR(efficiencies_new(&result->efficiencies, program,
                                          config->traces.per_iteration, work->start_ps, status));
        FORWARD_IF_ERROR(efficiencies_add(&result->efficiencies, EFFICIENCIES_PREDICTED,
                                          result->replay, status));
    }
    return ideal_times_compute(&result->ideal, result->run.network, program, result->placement,
                               &work->replay, &config->network, (uint64_t)config->run.seed, options,
                               regions ? &watch : NULL, status);
}

static status_code run_together(struct jobs_work *work, struct status *status) {
    anax_replay_result *result = work->result;
    const anax_config *config = result->run.config;
    struct api_progress progress = {work->options, "replaying"};
    struct replay_companion companion = {work->traffic, background_start, background_handle_timer,
                                         background_abandon, background_save_or_restore};
    struct replay_options options = options_of(work->options, &progress);
    const bool regions = wants_regions(work);
    options.timeline = keeps_times(work);
    options.checkpoint = work->checkpoint;
    checkpoint_begin(work->checkpoint, 0);
    options.start_ps = work->start_ps;
    options.traffic_classes = work->traffic_classes;
    options.hosts = work->hosts;
    options.explain = work->options->explain || has_iterations(config);
    options.time_bins = api_time_bins(config);
    options.rank_rows = (uint32_t)config->record.rank_rows;
    options.links = work->links.names;
    options.link_count = work->links.count;
    options.has_victim = work->links.has_victim;
    options.victim = work->links.victim;
    options.matrix = (replay_matrix_by)config->jobs.matrix;
    options.path_steps = path_steps_of(work->options);
    options.job_ends = work->job_ends;
    options.job_count = (uint32_t)result->job_count;
    if (work->traffic != NULL) options.companion = &companion;
    double start_s = api_clock_s();
    status_code code =
        replay_run(&result->replay, &result->run.network, result->trace->program, result->placement,
                   &work->replay, &config->network, (uint64_t)config->run.seed, &options, status);
    result->run.wall_s = api_clock_s() - start_s;
    const bool is_first = processes_number(options.processes) == 0;
    if (code == STATUS_OK && regions)
        code = divided_gather_times(result, options.processes, status);
    if (code == STATUS_OK && regions && is_first)
        code = region_times_compute(result->trace->program, result->replay->timeline,
                                    &result->regions, &result->region_count, status);
    if (code == STATUS_OK && options.explain && is_first)
        code = explain_efficiencies(work, &options, regions, status);
    set_region_jobs(result);
    if (result->run.network != NULL) network_fill_totals(result->run.network, &result->run.totals);
    if (work->traffic != NULL) background_totals_of(work->traffic, &result->background);
    if (work->traffic != NULL && code == STATUS_OK)
        code = processes_combine(api_processes(work->options), &result->background,
                                 sizeof result->background, background_add, status);
    if (code == STATUS_RUN) append_job_ranks(result, status);
    return code;
}

/* Adds up the figures of an MPI call over all jobs. */
static void merge_calls(struct replay_result *replay) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < replay->mpi_function_count; i++) {
        const struct replay_mpi_function_result *call = &replay->mpi_functions[i];
        uint32_t same = 0;
        while (same < kept && strcmp(replay->mpi_functions[same].name, call->name) != 0)
            same++;
        if (same == kept) {
            replay->mpi_functions[kept++] = *call;
            continue;
        }
        replay->mpi_functions[same].count += call->count;
        replay->mpi_functions[same].time_ps += call->time_ps;
        replay->mpi_functions[same].wait_ps += call->wait_ps;
    }
    replay->mpi_function_count = kept;
}

static void keep_times(anax_replay_result *result) {
    result->run.completed = true;
    result->run.digest = result->replay->digest;
    for (size_t i = 0; i < result->job_count; i++) {
        struct api_job_result *job = &result->jobs[i];
        for (uint32_t k = 0; k < job->program->rank_count; k++) {
            int64_t time_ps = result->replay->ranks[job->first_rank + k].time_ps;
            if (time_ps > job->time_ps) job->time_ps = time_ps;
        }
    }
    if (result->job_count > 1) merge_calls(result->replay);
}

static status_code run_jobs(struct jobs_work *work, struct status *status) {
    anax_replay_result *result = work->result;
    const anax_config *config = result->run.config;
    FORWARD_IF_ERROR(api_config_check(config, ANAX_SCOPE_REPLAY, status));
    FORWARD_IF_ERROR(watched_links_read(&work->links, config, ANAX_SCOPE_REPLAY, status));
    FORWARD_IF_ERROR(describe_jobs(work, status));
    FORWARD_IF_ERROR(join_programs(work, status));
    FORWARD_IF_ERROR(watched_links_check(&work->links, result->trace->program->rank_count, status));
    FORWARD_IF_ERROR(place_jobs(work, status));
    FORWARD_IF_ERROR(list_starts(work, status));
    FORWARD_IF_ERROR(list_ends(work, status));
    FORWARD_IF_ERROR(list_classes(work, status));
    FORWARD_IF_ERROR(new_background(work, status));
    FORWARD_IF_ERROR(hosts_read(&work->hosts, &config->hosts, result->placement, status));
    work->replay = config->replay;
    FORWARD_IF_ERROR(settle_threshold(work, status));
    FORWARD_IF_ERROR(begin_checkpoints(work, status));
    FORWARD_IF_ERROR(hold_ranks(work, status));
    bool beside = result->job_count > 1 || work->traffic != NULL;
    for (size_t i = 0; i < result->job_count && beside && config->jobs.replays_alone; i++)
        FORWARD_IF_ERROR(run_alone(work, i, status));
    FORWARD_IF_ERROR(run_together(work, status));
    keep_times(result);
    return STATUS_OK;
}

status_code jobs_run(anax_replay_result *result, const anax_jobs *jobs, const anax_options *options,
                     struct status *status) {
    struct jobs_work work = {.result = result, .jobs = jobs, .options = options};
    RETURN_ERROR_IF(jobs->count == 0, status, STATUS_USAGE, "there are no jobs to replay");
    work.placements = memory_new(jobs->count, sizeof(struct placement *));
    RETURN_ERROR_IF(work.placements == NULL, status, STATUS_MEMORY, "out of memory for jobs");
    status_code code = run_jobs(&work, status);
    for (size_t i = 0; i < jobs->count; i++)
        if (work.placements[i] != result->placement) placement_free(work.placements[i]);
    free(work.placements);
    place_nodes_free(&work.nodes);
    free(work.start_ps);
    free(work.job_ends);
    free(work.traffic_classes);
    background_free(work.traffic);
    hosts_free(work.hosts);
    watched_links_free(&work.links);
    checkpoint_free(work.checkpoint);
    return code;
}
