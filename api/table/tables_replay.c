/* The tables of a replay. */
#include "api/results/verdict.h"
#include "api/run/region_times.h"
#include "api/table/tables.h"

/* ---- ranks ---- */

struct rank_row {
    struct replay_rank_result rank;
    int64_t mpi_ps;
    uint64_t job, job_rank;
};

static status_code visit_ranks(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    const anax_replay_result *result = source->result;
    for (size_t job = 0; job < result->job_count; job++) {
        for (uint32_t i = 0; i < result->jobs[job].program->rank_count; i++) {
            struct rank_row row = {.rank = source->replay->ranks[result->jobs[job].first_rank + i],
                                   .job = job,
                                   .job_rank = i};
            row.mpi_ps = row.rank.time_ps - row.rank.compute_ps;
            table_add(sink, &row);
        }
    }
    return STATUS_OK;
}

static const struct table_column rank_columns[] = {
    TABLE_COLUMN(rank_row, rank.rank, "rank", "", "number of the rank"),
    TABLE_COLUMN(rank_row, rank.node, "node", "", "node that it runs on"),
    TABLE_COLUMN(rank_row, rank.time_ps, "time_ps", "ps",
                 "from the start of its job to its end; the parts compute_ps, the overheads, "
                 "reduction_ps, the waits and collective_ps add up to it exactly"),
    TABLE_COLUMN(rank_row, rank.compute_ps, "compute_ps", "ps", "computation, scaled"),
    TABLE_COLUMN(rank_row, mpi_ps, "mpi_ps", "ps", "time_ps less compute_ps"),
    TABLE_COLUMN(rank_row, rank.send_overhead_ps, "send_overhead_ps", "ps", "host costs of sends"),
    TABLE_COLUMN(rank_row, rank.receive_overhead_ps, "receive_overhead_ps", "ps",
                 "host costs of receives"),
    TABLE_COLUMN(rank_row, rank.reduction_ps, "reduction_ps", "ps",
                 "combining data in collectives"),
    TABLE_COLUMN(rank_row, rank.wait_late_sender_ps, "wait_late_sender_ps", "ps",
                 "waiting until the sender was ready"),
    TABLE_COLUMN(rank_row, rank.wait_late_receiver_ps, "wait_late_receiver_ps", "ps",
                 "a sender's waiting until the receiver was ready"),
    TABLE_COLUMN(rank_row, rank.wait_transit_ps, "wait_transit_ps", "ps",
                 "waiting for the network as if it were idle"),
    TABLE_COLUMN(rank_row, rank.wait_queueing_ps, "wait_queueing_ps", "ps",
                 "waiting for the network beyond that"),
    TABLE_COLUMN(rank_row, rank.collective_ps, "collective_ps", "ps",
                 "inside blocking collectives, but for overheads and reduction"),
    TABLE_COLUMN(rank_row, rank.sent_messages, "sent_messages", "", "point-to-point messages sent"),
    TABLE_COLUMN(rank_row, rank.sent_bytes, "sent_bytes", "bytes", "payload of these messages"),
    TABLE_COLUMN(rank_row, job, "job", "", "number of its job, from 0"),
    TABLE_COLUMN(rank_row, job_rank, "job_rank", "", "its number in the job"),
    TABLE_COLUMN(rank_row, rank.collective.late_ps, "collective_late_ps", "ps",
                 "of collective_ps: until the partners were ready; this and the next three add up "
                 "to it"),
    TABLE_COLUMN(rank_row, rank.collective.transit_ps, "collective_transit_ps", "ps",
                 "of collective_ps: for the network as if it were idle"),
    TABLE_COLUMN(rank_row, rank.collective.queueing_ps, "collective_queueing_ps", "ps",
                 "of collective_ps: for the network beyond that"),
    TABLE_COLUMN(rank_row, rank.collective.other_ps, "collective_other_ps", "ps",
                 "of collective_ps: for CPU time in non-blocking collectives, and for collectives "
                 "that a test found complete"),
    TABLE_COLUMN(rank_row, rank.wait_storage_ps, "wait_storage_ps", "ps",
                 "of wait_late_receiver_ps: for I/O nodes"),
};

static const struct table ranks = {
    .name = "ranks",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(rank_columns),
    .condition = &tables_completed,
    .visit = visit_ranks,
    .help = "an MPI rank, and where its time went",
};

/* ---- jobs ---- */

struct job_row {
    uint64_t job, first_rank, ranks, sent_messages;
    wide sent_bytes;
    const char *name, *path, *hash, *placement;
    int64_t seed, start_ps, time_ps, end_ps, alone_ps, slowdown, traffic_class;
};

static status_code visit_jobs(const struct table_source *source, const struct table_sink *sink,
                              struct status *status) {
    (void)status;
    for (size_t i = 0; i < source->result->job_count; i++) {
        const struct api_job_result *job = &source->result->jobs[i];
        const bool alone = job->alone_ps >= 0;
        char hash[17];
        struct job_row row = {
            .job = i,
            .first_rank = job->first_rank,
            .ranks = job->program->rank_count,
            .name = job->name,
            .path = program_text(job->program, job->program->source),
            .hash = table_hash(job->program->content_hash, hash),
            .placement = placement_policy_names()[job->policy],
            .seed = job->seed,
            .start_ps = job->start_ps,
            .time_ps = job->time_ps,
            .end_ps = job->start_ps + job->time_ps,
            .traffic_class = job->traffic_class,
            .alone_ps = alone ? job->alone_ps : TABLE_NONE,
            .slowdown =
                alone ? table_ratio((uint64_t)job->time_ps, (uint64_t)job->alone_ps) : TABLE_NONE,
        };
        for (uint32_t k = 0; k < job->program->rank_count; k++) {
            row.sent_messages += source->replay->ranks[job->first_rank + k].sent_messages;
            row.sent_bytes += source->replay->ranks[job->first_rank + k].sent_bytes;
        }
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column job_columns[] = {
    TABLE_COLUMN(job_row, job, "job", "", "number of the job, from 0"),
    TABLE_COLUMN(job_row, first_rank, "first_rank", "", "the first of its ranks"),
    TABLE_COLUMN(job_row, ranks, "ranks", "", "number of its ranks, which follow each other"),
    TABLE_NAME(job_row, placement, "placement", "its placement policy"),
    TABLE_COLUMN(job_row, seed, "seed", "", "seed of its placement"),
    TABLE_COLUMN(job_row, start_ps, "start_ps", "ps", "when it starts"),
    TABLE_COLUMN(job_row, time_ps, "time_ps", "ps", "from its start to the end of its last rank"),
    TABLE_COLUMN(job_row, alone_ps, "alone_ps", "ps",
                 "the same time alone on the machine; null if it was not replayed alone too"),
    TABLE_COLUMN(job_row, name, "name", "", "name of the job"),
    TABLE_COLUMN(job_row, path, "path", "", "where its trace is"),
    TABLE_NAME(job_row, hash, "hash", "hash of the trace's content"),
    TABLE_COLUMN(job_row, end_ps, "end_ps", "ps", "when its last rank ends"),
    TABLE_SHARE(job_row, slowdown, "slowdown", "", "time_ps divided by alone_ps, or null"),
    TABLE_COLUMN(job_row, sent_messages, "sent_messages", "", "point-to-point messages sent"),
    TABLE_COLUMN(job_row, sent_bytes, "sent_bytes", "bytes", "payload of these messages"),
    TABLE_COLUMN(job_row, traffic_class, "class", "", "traffic class of its messages"),
};

static const struct table jobs = {
    .name = "jobs",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(job_columns),
    .condition = &tables_completed,
    .visit = visit_jobs,
    .help = "a job",
};

/* ---- calls and regions ---- */

static status_code visit_calls(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    for (uint32_t i = 0; i < source->replay->mpi_function_count; i++)
        table_add(sink, &source->replay->mpi_functions[i]);
    return STATUS_OK;
}

static const struct table_column call_columns[] = {
    TABLE_NAME(replay_mpi_function_result, name, "name", "name of the MPI call"),
    TABLE_COLUMN(replay_mpi_function_result, count, "count", "",
                 "how often it was called, over all ranks"),
    TABLE_COLUMN(replay_mpi_function_result, time_ps, "time_ps", "ps",
                 "time in it, over all ranks"),
    TABLE_COLUMN(replay_mpi_function_result, wait_ps, "wait_ps", "ps",
                 "waiting in it, over all ranks"),
};

static const struct table calls = {
    .name = "calls",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(call_columns),
    .condition = &tables_completed,
    .visit = visit_calls,
    .help = "an MPI call, over all ranks",
};

struct region_row {
    struct region_time time;
    uint64_t job;
};

static status_code visit_regions(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    for (uint32_t i = 0; i < source->result->region_count; i++) {
        const struct region_time *time = &source->result->regions[i];
        table_add(sink, &(struct region_row){*time, time->job});
    }
    return STATUS_OK;
}

static const struct table_column region_columns[] = {
    TABLE_COLUMN(region_row, time.count, "count", "",
                 "times that it was entered, over all ranks; being in it where a part of the trace "
                 "begins is one"),
    TABLE_COLUMN(region_row, time.ranks, "ranks", "", "ranks that entered it"),
    TABLE_COLUMN(region_row, time.time_ps, "time_ps", "ps",
                 "between entering and leaving it, over all ranks, with all that is inside"),
    TABLE_COLUMN(region_row, time.mpi_ps, "mpi_ps", "ps", "of it, in MPI calls"),
    TABLE_COLUMN(region_row, time.max_ps, "most_ps", "ps",
                 "time of the rank that spent most in it"),
    TABLE_COLUMN(region_row, time.max_rank, "most_rank", "", "that rank"),
    TABLE_COLUMN(region_row, time.name, "name", "", "name of the region"),
    TABLE_COLUMN(region_row, job, "job", "",
                 "number of its job: regions of two jobs are two, whatever their names"),
};

static const struct table regions = {
    .name = "regions",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(region_columns),
    .condition = &tables_completed,
    .visit = visit_regions,
    .help = "a user region, if the trace was read with trace.user_regions=on",
};

/* ---- the verdict ---- */

struct verdict_row {
    const char *text, *rule;
};

static status_code visit_verdict(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    struct verdict verdict;
    verdict_find(&verdict, source->result);
    for (size_t i = 0; i < verdict.count; i++)
        table_add(sink,
                  &(struct verdict_row){verdict.sentences[i].text, verdict.sentences[i].rule});
    return STATUS_OK;
}

static const struct table_column verdict_columns[] = {
    TABLE_COLUMN(verdict_row, text, "text", "", "the sentence, with its numbers"),
    TABLE_NAME(verdict_row, rule, "rule",
               "the rule that it follows from; docs/model.md, 9.14, states the rules"),
};

static const struct table verdict_table = {
    .name = "verdict",
    .form = TABLE_TEXTS,
    TABLE_LIST(verdict_columns),
    .condition = &tables_completed,
    .visit = visit_verdict,
    .help = "a sentence on the bound of the run, the possible gain, or a change to try",
};

/* ---- messages and background traffic ---- */

struct messages_row {
    int64_t eager_threshold_bytes;
    uint64_t eager, rendezvous, collective, one_sided;
};

static status_code visit_messages(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    (void)status;
    const struct replay_result *replay = source->replay;
    const struct messages_row row = {replay->eager_threshold_bytes, replay->eager_messages,
                                     replay->rendezvous_messages, replay->collective_messages,
                                     replay->rma_operations};
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column messages_columns[] = {
    TABLE_COLUMN(messages_row, eager_threshold_bytes, "eager_threshold_bytes", "bytes",
                 "the eager threshold in force"),
    TABLE_COLUMN(messages_row, eager, "eager", "", "point-to-point messages sent eagerly"),
    TABLE_COLUMN(messages_row, rendezvous, "rendezvous", "",
                 "point-to-point messages sent by rendezvous"),
    TABLE_COLUMN(messages_row, collective, "collective", "", "messages of collective operations"),
    TABLE_COLUMN(messages_row, one_sided, "one_sided", "",
                 "one-sided operations; each is a message there and an answer"),
};

static const struct table messages = {
    .name = "messages",
    .form = TABLE_OBJECT,
    TABLE_LIST(messages_columns),
    .condition = &tables_completed,
    .visit = visit_messages,
    .help = "the messages of the application by protocol",
};

struct background_row {
    const char *pattern;
    int64_t load;
    struct background_totals totals;
};

static bool has_background(const struct table_source *source) {
    return source->result->run.completed && source->result->background.nodes > 0;
}

static const struct table_condition background_runs = {has_background, "with background.load"};

static status_code visit_background(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    const struct api_jobs_config *config = &source->config->jobs;
    const struct background_row row = {config->background.pattern, config->background_millionths,
                                       source->result->background};
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column background_columns[] = {
    TABLE_NAME(background_row, pattern, "pattern", "traffic pattern"),
    TABLE_SHARE(background_row, load, "load", "", "offered load of a node"),
    TABLE_COLUMN(background_row, totals.nodes, "nodes", "", "nodes without ranks, which send it"),
    TABLE_COLUMN(background_row, totals.messages, "messages", "",
                 "messages that their network interfaces have sent; part of network, too"),
    TABLE_COLUMN(background_row, totals.bytes, "bytes", "bytes", "payload of these messages"),
    TABLE_COLUMN(background_row, totals.refused, "refused", "",
                 "messages that came up at a node where too many waited"),
};

static const struct table background = {
    .name = "background",
    .form = TABLE_OBJECT,
    TABLE_LIST(background_columns),
    .condition = &background_runs,
    .visit = visit_background,
    .help = "background traffic",
};

static const struct table *const tables[] = {&table_replay_result,
                                             &verdict_table,
                                             &table_critical_path,
                                             &table_path_parts,
                                             &table_path_steps,
                                             &table_path_channels,
                                             &table_job_parts,
                                             &table_efficiency,
                                             &table_efficiency_regions,
                                             &table_efficiency_iterations,
                                             &table_sensitivity,
                                             &table_machine,
                                             &table_trace,
                                             &table_job_warnings,
                                             &ranks,
                                             &jobs,
                                             &calls,
                                             &regions,
                                             &messages,
                                             &background,
                                             &table_io_nodes,
                                             &table_network,
                                             &table_classes,
                                             &table_packets_by_hops,
                                             &table_busiest_links,
                                             &table_links,
                                             &table_groups,
                                             &table_state_bins,
                                             &table_rank_bins,
                                             &table_channel_bins,
                                             &table_matrix,
                                             &table_link_flows,
                                             &table_link_waits,
                                             &table_longest_waits,
                                             &table_group_pairs,
                                             &table_group_channels,
                                             &table_link_shares,
                                             &table_latency_bins,
                                             &table_configuration,
                                             &table_mpi_of_machine,
                                             &table_settings_changed,
                                             &table_simulation,
                                             &table_not_modelled,
                                             &table_assumed,
                                             NULL};

const struct table_schema tables_replay = {"replay", "anax.replay/2", tables};
