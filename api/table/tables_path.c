/* The tables of a replay that explains its time: critical paths, efficiencies, and sensitivity. */
#include "api/table/tables.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_explained(const struct table_source *source) {
    return tables_is_complete(source) && source->replay->path_count > 0;
}

static const struct table_condition explained = {is_explained, "if the run was explained"};

static bool has_job_paths(const struct table_source *source) {
    return is_explained(source) && source->replay->path_count > 1;
}

static const struct table_condition jobs_explained = {has_job_paths,
                                                      "if a run of several jobs was explained"};

/* ---- the critical path ---- */

struct path_row {
    uint64_t messages;
    int64_t time_ps, margin_ps;
    uint32_t rank;
};

/* Returns TABLE_NONE for what has no limit. */
static int64_t limited(int64_t value) {
    return value == REPLAY_PATH_UNLIMITED ? TABLE_NONE : value;
}

static status_code visit_path(const struct table_source *source, const struct table_sink *sink,
                              struct status *status) {
    (void)status;
    const struct replay_critical_path *path = &source->replay->paths[0];
    table_add(sink, &(struct path_row){.messages = path->messages,
                                       .time_ps = path->time_ps,
                                       .margin_ps = limited(path->margin_ps),
                                       .rank = path->rank});
    return STATUS_OK;
}

static const struct table_column path_columns[] = {
    TABLE_COLUMN(path_row, rank, "rank", "", "the rank that ends last"),
    TABLE_COLUMN(path_row, time_ps, "time_ps", "ps",
                 "when it ends: the result's time_ps, and the exact sum of the parts"),
    TABLE_COLUMN(path_row, messages, "messages", "", "how often the path goes on with a message"),
    TABLE_COLUMN(path_row, margin_ps, "margin_ps", "ps",
                 "by which the path is longer than any other one, at least; none: there is no "
                 "other one; 0: nothing is known, or another one is as long"),
};

const struct table table_critical_path = {
    .name = "critical_path",
    .form = TABLE_OBJECT,
    TABLE_LIST(path_columns),
    .condition = &explained,
    .visit = visit_path,
    .help = "the chain of causes without gaps that led to the end of the last rank",
};

struct part_row {
    struct replay_path_part part;
    uint64_t job;
    uint32_t rank;
};

static void add_parts(const struct replay_critical_path *path, uint64_t job,
                      const struct table_sink *sink) {
    for (uint32_t i = 0; i < path->part_count; i++)
        table_add(sink, &(struct part_row){path->parts[i], job, path->rank});
}

static status_code visit_parts(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    add_parts(&source->replay->paths[0], 0, sink);
    return STATUS_OK;
}

static status_code visit_job_parts(const struct table_source *source, const struct table_sink *sink,
                                   struct status *status) {
    (void)status;
    for (uint32_t i = 1; i < source->replay->path_count; i++)
        add_parts(&source->replay->paths[i], i - 1, sink);
    return STATUS_OK;
}

#define PART_COLUMNS                                                                               \
    TABLE_NAME(part_row, part.kind, "kind", "what the time is; docs/model.md, 9.15, lists it"),    \
        TABLE_COLUMN(part_row, part.name, "name", "",                                              \
                     "the user region, the MPI call or the kind of channel; null if the kind has " \
                     "one part"),                                                                  \
        TABLE_COLUMN(part_row, part.time_ps, "time_ps", "ps", "its time on the path")

static const struct table_column part_columns[] = {PART_COLUMNS};

const struct table table_path_parts = {
    .name = "critical_path_parts",
    .inside = "critical_path",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(part_columns),
    .condition = &explained,
    .visit = visit_parts,
    .help = "a part of the critical path; in JSON the member parts of critical_path",
};

/* ---- its steps ---- */

struct step_row {
    struct replay_path_step step;
    int64_t from_rank, bytes, queueing_ps, routers; /* TABLE_NONE: no message */
    const char *route;
};

enum { ROUTE_BYTES = 12 * NETWORK_ROUTE_MAX + 8 };

/* Writes a route as "3 > 17 > 4"; it ends with "> ..." if it has more routers than are kept. */
static const char *route_text(char text[ROUTE_BYTES], const struct network_route *route) {
    size_t length = 0;
    uint32_t kept = route->count < NETWORK_ROUTE_MAX ? route->count : NETWORK_ROUTE_MAX;
    for (uint32_t i = 0; i < kept; i++)
        length += (size_t)snprintf(text + length, ROUTE_BYTES - length, "%s%" PRIu32,
                                   i > 0 ? ">" : "", route->routers[i]);
    if (kept < route->count) snprintf(text + length, ROUTE_BYTES - length, ">...");
    return kept > 0 ? text : NULL;
}

static status_code visit_steps(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    const struct replay_critical_path *path = &source->replay->paths[0];
    char text[ROUTE_BYTES];
    for (uint64_t i = 0; i < path->step_count; i++) {
        const struct replay_path_step *step = &path->steps[i];
        struct step_row row = {*step, TABLE_NONE, TABLE_NONE, TABLE_NONE, TABLE_NONE, NULL};
        if (step->is_message) {
            row.from_rank = step->from_rank;
            row.bytes = (int64_t)step->size_bytes;
            row.queueing_ps = step->queueing_ps;
            row.routers = step->route.count;
            row.route = route_text(text, &step->route);
        }
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column step_columns[] = {
    TABLE_COLUMN(step_row, step.rank, "rank", "",
                 "the rank that computes or works, or for which the message is"),
    TABLE_COLUMN(step_row, step.name, "name", "",
                 "the user region of a computation, else the MPI call that the rank is in; null "
                 "outside user regions"),
    TABLE_COLUMN(step_row, step.from_ps, "from_ps", "ps", "when the step begins"),
    TABLE_COLUMN(step_row, step.to_ps, "to_ps", "ps", "when it ends, and the next one begins"),
    TABLE_NAME(step_row, step.cause, "cause",
               "what happens in between: late_start, computation, send, receive, work, "
               "nic_collective, departure, rendezvous or message; docs/model.md, 9.15"),
    TABLE_COLUMN(step_row, from_rank, "from_rank", "", "the rank that sent the message"),
    TABLE_COLUMN(step_row, bytes, "bytes", "bytes", "payload of the message"),
    TABLE_COLUMN(step_row, queueing_ps, "queueing_ps", "ps",
                 "the part of the time that the message waited for others"),
    TABLE_COLUMN(step_row, routers, "routers", "",
                 "routers that the message's last packet passed; 0 within a node, and until it "
                 "has left its network interface"),
    TABLE_COLUMN(step_row, route, "route", "",
                 "these routers in order, the first 11 of them: 3>17>4"),
};

const struct table table_path_steps = {
    .name = "critical_path_steps",
    .inside = "critical_path",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(step_columns),
    .condition = &explained,
    .visit = visit_steps,
    .help = "one of the last steps of the critical path, in order; in JSON the member steps of "
            "critical_path",
};

/* ---- the channels that it waited for ---- */

static status_code visit_channels(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    (void)status;
    const struct replay_critical_path *path = &source->replay->paths[0];
    for (uint32_t i = 0; i < path->channel_count; i++)
        table_add(sink, &path->channels[i]);
    return STATUS_OK;
}

static const struct table_column channel_columns[] = {
    TABLE_NAME(replay_path_channel, kind, "kind",
               "ejection (router to node), local or global; or nic, where messages waited in a "
               "network interface"),
    TABLE_COLUMN(replay_path_channel, source, "source", "", "router number; of nic the node"),
    TABLE_COLUMN(replay_path_channel, destination, "destination", "",
                 "router number; of ejection and nic the node"),
    TABLE_COLUMN(replay_path_channel, time_ps, "time_ps", "ps",
                 "what messages of the path waited there for others: exact up to 32 channels, "
                 "otherwise at most a 33rd of all queueing less than exact"),
};

const struct table table_path_channels = {
    .name = "critical_path_channels",
    .inside = "critical_path",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(channel_columns),
    .condition = &explained,
    .visit = visit_channels,
    .help =
        "one of the at most ten channels that the critical path waited for longest; in JSON the "
        "member channels of critical_path",
};

static const struct table_column job_part_columns[] = {
    TABLE_COLUMN(part_row, job, "job", "", "number of the job, from 0"),
    TABLE_COLUMN(part_row, rank, "rank", "", "the rank of the job that ends last"),
    PART_COLUMNS,
};

const struct table table_job_parts = {
    .name = "job_critical_paths",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(job_part_columns),
    .condition = &jobs_explained,
    .visit = visit_job_parts,
    .help = "a part of a job's critical path, of several jobs; the parts of a job add up to its "
            "end_ps",
};

/* ---- sensitivity ---- */

struct sensitivity_row {
    const char *setting, *unit;
    signed_wide derivative; /* millionths */
    int64_t elasticity, effect_ps;
    int64_t holds_up, holds_down;
};

static int64_t signed_ratio(int64_t numerator, int64_t denominator) {
    int64_t ratio =
        table_ratio((uint64_t)(numerator < 0 ? -numerator : numerator), (uint64_t)denominator);
    return numerator < 0 && ratio != TABLE_NONE ? -ratio : ratio;
}

static status_code visit_sensitivity(const struct table_source *source,
                                     const struct table_sink *sink, struct status *status) {
    (void)status;
    const struct replay_critical_path *path = &source->replay->paths[0];
    const signed_wide million = 1000000;
    for (uint32_t i = 0; i < path->setting_count; i++) {
        const struct replay_path_setting *setting = &path->settings[i];
        bool counted = setting->count != REPLAY_PATH_UNCOUNTED;
        int64_t effect_ps = setting->is_inverse ? -setting->effect_ps : setting->effect_ps;
        table_add(sink,
                  &(struct sensitivity_row){.setting = setting->setting,
                                            .unit = counted ? "ps" : "percent",
                                            .derivative = counted ? setting->count * million
                                                                  : effect_ps * million / 100,
                                            .elasticity = signed_ratio(effect_ps, path->time_ps),
                                            .effect_ps = effect_ps,
                                            .holds_up = limited(setting->holds_up_millionths),
                                            .holds_down = limited(setting->holds_down_millionths)});
    }
    return STATUS_OK;
}

static const struct table_column sensitivity_columns[] = {
    TABLE_NAME(sensitivity_row, setting, "setting", "name of the setting"),
    TABLE_LONG_SHARE(sensitivity_row, derivative, "derivative", "",
                     "change of the predicted time in ps, if the setting grows by one unit"),
    TABLE_NAME(sensitivity_row, unit, "unit",
               "that unit: `ps`, of all values if the setting depends on the message size, or "
               "`percent` of the setting"),
    TABLE_SHARE(sensitivity_row, elasticity, "elasticity", "",
                "relative change of the predicted time, divided by the small relative change of "
                "the setting that causes it"),
    TABLE_COLUMN(sensitivity_row, effect_ps, "effect_ps", "ps",
                 "time of the path that is proportional to the setting; negative if it is "
                 "inversely proportional"),
    TABLE_SHARE(sensitivity_row, holds_up, "holds_up", "",
                "relative growth of the setting up to which the critical path certainly stays the "
                "same without contention; none: however large; 0: nothing is known"),
    TABLE_SHARE(sensitivity_row, holds_down, "holds_down", "",
                "the same if the setting becomes smaller"),
};

const struct table table_sensitivity = {
    .name = "sensitivity",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(sensitivity_columns),
    .condition = &explained,
    .visit = visit_sensitivity,
    .help = "a setting that acts along the critical path, as long as the path stays the same",
};

/* ---- efficiencies ---- */

struct efficiency_row {
    const char *region;
    int64_t iteration;
    uint32_t ranks;
    int64_t load_balance, serialisation, transfer, parallel, hosts, distance, contention;
    struct ideal_times times;
    int64_t time_ps;
};

/* Fills a row from the computation of the ranks and the times of a part. */
static void set_factors(struct efficiency_row *row, wide sum_ps, uint64_t max_ps) {
    const struct ideal_times *times = &row->times;
    const wide time_ps = (uint64_t)row->time_ps;
    row->load_balance = table_ratio(sum_ps, (wide)max_ps * row->ranks);
    row->serialisation = table_ratio(max_ps, (uint64_t)times->ideal_ps);
    row->transfer = table_ratio((uint64_t)times->ideal_ps, time_ps);
    row->parallel = table_ratio(sum_ps, time_ps * row->ranks);
    row->hosts = table_ratio((uint64_t)times->ideal_ps, (uint64_t)times->hosts_ps);
    row->distance = table_ratio((uint64_t)times->hosts_ps, (uint64_t)times->distance_ps);
    row->contention = table_ratio((uint64_t)times->distance_ps, time_ps);
}

static status_code visit_efficiency(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    const struct replay_result *replay = source->replay;
    wide sum_ps = 0;
    uint64_t max_ps = 0;
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        uint64_t compute_ps = (uint64_t)replay->ranks[i].compute_ps;
        sum_ps += compute_ps;
        if (compute_ps > max_ps) max_ps = compute_ps;
    }
    struct efficiency_row row = {
        .ranks = replay->rank_count, .times = source->result->ideal, .time_ps = replay->time_ps};
    set_factors(&row, sum_ps, max_ps);
    table_add(sink, &row);
    return STATUS_OK;
}

static void add_part(const struct efficiencies_part *part, const struct table_sink *sink) {
    const int64_t *time_ps = part->time_ps;
    struct efficiency_row row = {
        .region = part->region,
        .iteration = (int64_t)part->iteration,
        .ranks = part->ranks,
        .times = {time_ps[IDEAL_FREE], time_ps[IDEAL_HOSTS], time_ps[IDEAL_DISTANCE]},
        .time_ps = time_ps[EFFICIENCIES_PREDICTED]};
    set_factors(&row, part->compute_ps, (uint64_t)part->max_compute_ps);
    table_add(sink, &row);
}

static status_code visit_region_efficiencies(const struct table_source *source,
                                             const struct table_sink *sink, struct status *status) {
    (void)status;
    const struct efficiencies *all = &source->result->efficiencies;
    for (uint32_t i = 0; i < all->program->region_count; i++)
        if (all->regions[i].ranks > 0) add_part(&all->regions[i], sink);
    return STATUS_OK;
}

static status_code visit_iterations(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    const struct efficiencies *all = &source->result->efficiencies;
    for (size_t i = 0; i < all->iteration_count; i++)
        add_part(&all->iterations[i], sink);
    return STATUS_OK;
}

static bool has_regions(const struct table_source *source) {
    return is_explained(source) && source->result->efficiencies.program != NULL;
}

static const struct table_condition regions_explained = {
    has_regions, "if the run was explained, with trace.user_regions"};

static bool has_iterations(const struct table_source *source) {
    return has_regions(source) && source->result->efficiencies.iterated != PROGRAM_NONE;
}

static const struct table_condition iterations_explained = {
    has_iterations, "if the run was explained, with trace.per_iteration"};

#define FACTOR_COLUMNS                                                                             \
    TABLE_SHARE(efficiency_row, load_balance, "load_balance", "",                                  \
                "mean computation of the ranks, divided by the largest"),                          \
        TABLE_SHARE(efficiency_row, serialisation, "serialisation", "",                            \
                    "the largest computation of a rank, divided by ideal_ps"),                     \
        TABLE_SHARE(efficiency_row, transfer, "transfer", "", "ideal_ps divided by the time"),     \
        TABLE_SHARE(efficiency_row, parallel, "parallel", "",                                      \
                    "the product of these three: mean computation, divided by the time"),          \
        TABLE_SHARE(                                                                               \
            efficiency_row, hosts, "transfer_hosts", "",                                           \
            "factor of transfer that is due to CPU time in MPI: ideal_ps divided by hosts_ps"),    \
        TABLE_SHARE(efficiency_row, distance, "transfer_distance", "",                             \
                    "factor due to the idle network: hosts_ps divided by distance_ps"),            \
        TABLE_SHARE(efficiency_row, contention, "transfer_contention", "",                         \
                    "factor due to contention: distance_ps divided by the time"),                  \
        TABLE_COLUMN(efficiency_row, times.ideal_ps, "ideal_ps", "ps",                             \
                     "predicted time if neither MPI nor the network took time"),                   \
        TABLE_COLUMN(efficiency_row, times.hosts_ps, "hosts_ps", "ps",                             \
                     "predicted time if the network took none"),                                   \
        TABLE_COLUMN(efficiency_row, times.distance_ps, "distance_ps", "ps",                       \
                     "predicted time if no message waited for another one")

static const struct table_column efficiency_columns[] = {FACTOR_COLUMNS};

const struct table table_efficiency = {
    .name = "efficiency",
    .form = TABLE_OBJECT,
    TABLE_LIST(efficiency_columns),
    .condition = &explained,
    .visit = visit_efficiency,
    .help = "the efficiencies of POP, from replays on ideal machines",
};

static const struct table_column region_columns[] = {
    TABLE_COLUMN(efficiency_row, region, "name", "", "name of the region"),
    TABLE_COLUMN(efficiency_row, ranks, "ranks", "", "ranks that entered it"),
    TABLE_COLUMN(efficiency_row, time_ps, "time_ps", "ps",
                 "time of the rank that spent most in it, as in regions"),
    FACTOR_COLUMNS,
};

const struct table table_efficiency_regions = {
    .name = "efficiency_regions",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(region_columns),
    .condition = &regions_explained,
    .visit = visit_region_efficiencies,
    .help = "the efficiencies of a user region",
};

static const struct table_column iteration_columns[] = {
    TABLE_COLUMN(efficiency_row, iteration, "iteration", "", "its number, from 1"),
    TABLE_COLUMN(efficiency_row, ranks, "ranks", "", "ranks that take part in it"),
    TABLE_COLUMN(efficiency_row, time_ps, "time_ps", "ps",
                 "until the last rank has left the region, since the iteration before; they add up "
                 "to the predicted time"),
    FACTOR_COLUMNS,
};

const struct table table_efficiency_iterations = {
    .name = "efficiency_iterations",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(iteration_columns),
    .condition = &iterations_explained,
    .visit = visit_iterations,
    .help = "the efficiencies of an iteration of the region of --per-iteration",
};
