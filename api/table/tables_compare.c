/* The tables of a comparison. */
#include "api/table/tables_compare.h"
#include "api/compare/comparison.h"
#include "api/config/changed_settings.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"

#include <stdlib.h>

/* ---- the comparison itself ---- */

struct comparison_row {
    int64_t completed, first_seed, confidence;
    uint64_t seeds;
    int64_t negligible;
};

static status_code visit_comparison(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    const anax_comparison *comparison = source->comparison;
    const struct comparison_row row = {comparison->failed == 0, comparison->first_seed,
                                       (int64_t)(COMPARE_CONFIDENCE * 1e6 + 0.5),
                                       comparison->seed_count, comparison->negligible_millionths};
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column comparison_columns[] = {
    TABLE_FLAG(comparison_row, completed, "completed", "whether all points have a time"),
    TABLE_COLUMN(comparison_row, first_seed, "first_seed", "", "the first seed"),
    TABLE_COLUMN(comparison_row, seeds, "seeds", "", "number of seeds"),
    TABLE_SHARE(comparison_row, confidence, "confidence", "",
                "probability of the intervals; 1 less it is the level of significance"),
    TABLE_SHARE(comparison_row, negligible, "negligible", "",
                "share of a time below which a difference is called negligible"),
};

static const struct table result = {
    .name = "result",
    .form = TABLE_KEYS,
    TABLE_LIST(comparison_columns),
    .visit = visit_comparison,
    .help = "the comparison",
};

/* ---- factors ---- */

struct factor_row {
    const char *setting, *value;
};

static status_code visit_factors(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    for (size_t i = 0; i < source->candidates->factor_count; i++) {
        const struct compare_factor *factor = &source->candidates->factors[i];
        for (size_t k = 0; k < factor->count; k++)
            table_add(sink, &(struct factor_row){factor->setting, factor->values[k]});
    }
    return STATUS_OK;
}

static const struct table_column factor_columns[] = {
    TABLE_NAME(factor_row, setting, "setting", "name of the setting that varies"),
    TABLE_COLUMN(factor_row, value, "value", "", "one of its values"),
};

static bool has_candidates(const struct table_source *source) {
    return source->candidates != NULL;
}
static const struct table_condition candidates_run = {has_candidates,
                                                      "with several machines or values"};

#define FACTOR_TABLE(when)                                                                         \
    {                                                                                              \
        .name = "factors", .form = TABLE_ARRAY, .condition = (when), TABLE_LIST(factor_columns),   \
        .visit = visit_factors, .help = "a value of a factor, the machine first",                  \
    }
const struct table table_factors = FACTOR_TABLE(NULL);
const struct table table_traffic_factors = FACTOR_TABLE(&candidates_run);

/* ---- machines ---- */

/* Visits the machines, each with its own settings, without those of the factors with several
 * values. */
static status_code visit_machines(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    const struct candidate_set *candidates = source->candidates;
    for (size_t i = 0; i < candidates->factors[0].count; i++) {
        struct tables_machine_row row;
        char *name = changed_machine_name(candidates->machines[i]);
        RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory for a machine");
        tables_fill_machine(&row, candidates->machines[i], name);
        row.machine = (int64_t)i;
        table_add(sink, &row);
        free(name);
    }
    return STATUS_OK;
}

static const struct table_column machine_columns[] = {
    TABLE_COLUMN(tables_machine_row, machine, "machine", "", "number of the machine, from 0"),
    TABLES_MACHINE_COLUMNS(tables_machine_row, )};

#define MACHINE_TABLE(when)                                                                        \
    {                                                                                              \
        .name = "machines", .form = TABLE_ARRAY, .condition = (when), TABLE_LIST(machine_columns), \
        .visit = visit_machines,                                                                   \
        .help = "a machine, before the factors with several values change some of its settings",   \
    }
const struct table table_machines = MACHINE_TABLE(NULL);
const struct table table_traffic_machines = MACHINE_TABLE(&candidates_run);

static status_code visit_changes(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    const struct candidate_set *candidates = source->candidates;
    for (size_t i = 0; i < candidates->factors[0].count; i++)
        FORWARD_IF_ERROR(tables_add_changes(candidates->machines[i], source->scope, NULL,
                                            (struct tables_settings_row){.machine = (int64_t)i},
                                            sink, status));
    return STATUS_OK;
}

static const struct table_column changes_columns[] = {
    TABLE_COLUMN(tables_settings_row, machine, "machine", "", "number of the machine"),
    TABLES_SETTINGS_COLUMNS};

#define CHANGE_TABLE(when)                                                                         \
    {                                                                                              \
        .name = "machine_settings_changed", .form = TABLE_ARRAY, .condition = (when),              \
        TABLE_LIST(changes_columns), .visit = visit_changes,                                       \
        .help = "a setting of a machine whose value is neither the machine's nor the default",     \
    }
const struct table table_machine_changes = CHANGE_TABLE(NULL);
const struct table table_traffic_machine_changes = CHANGE_TABLE(&candidates_run);

/* ---- traces ---- */

struct trace_row {
    const char *name, *path, *hash;
    uint64_t ranks;
};

static status_code visit_traces(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const anax_comparison *comparison = source->comparison;
    for (size_t i = 0; i < comparison->trace_count; i++) {
        const struct program *program = comparison->traces[i]->program;
        char hash[17];
        const struct trace_row row = {comparison->names[i], comparison->paths[i],
                                      table_hash(program->content_hash, hash), program->rank_count};
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column trace_columns[] = {
    TABLE_COLUMN(trace_row, name, "name", "", "name of the trace"),
    TABLE_COLUMN(trace_row, path, "path", "", "where it is"),
    TABLE_NAME(trace_row, hash, "hash", "hash of its content"),
    TABLE_COLUMN(trace_row, ranks, "ranks", "", "MPI ranks"),
};

const struct table table_compare_traces = {
    .name = "traces",
    .form = TABLE_ARRAY,
    TABLE_LIST(trace_columns),
    .visit = visit_traces,
    .help = "a trace, whose candidates are compared with each other",
};

/* ---- candidates ---- */

/* A mean and its interval; TABLE_NONE for unknown figures. */
struct sample_figures {
    uint64_t seeds;
    int64_t mean_ps, low_ps, high_ps;
};

struct candidate_row {
    const char *trace;
    const char *const *values;
    int64_t baseline, rank;
    struct sample_figures time, difference;
    int64_t min_ps, max_ps, share, p, holm_p, significant;
    int64_t factor, negligible, exact;
    int64_t parts_ps[COMPARE_PARTS];
    int64_t cost;
};

static struct sample_figures figures_of(const struct compare_sample *sample) {
    const bool known = sample->count > 0, interval = known && sample->half_width >= 0;
    return (struct sample_figures){
        .seeds = sample->count,
        .mean_ps = known ? sample->mean : TABLE_NONE,
        .low_ps = interval ? sample->mean - sample->half_width : TABLE_NONE,
        .high_ps = interval ? sample->mean + sample->half_width : TABLE_NONE,
    };
}

/* Returns a difference as a share in millionths, rounded towards 0. */
static int64_t share_of(const struct compare_sample *difference,
                        const struct compare_sample *baseline) {
    if (difference->count == 0 || baseline->mean <= 0) return TABLE_NONE;
    const int64_t ps = difference->mean;
    const wide size = ps < 0 ? 0 - (uint64_t)ps : (uint64_t)ps;
    const int64_t share = table_ratio(size, (uint64_t)baseline->mean);
    return ps < 0 ? -share : share;
}

/* Returns a p value in millionths; TABLE_NONE if nothing was tested. */
static int64_t probability(double p) {
    return p >= 0 ? (int64_t)(p * 1e6 + 0.5) : TABLE_NONE;
}

static void add_candidate(const anax_comparison *comparison, size_t trace, size_t index,
                          const char *const *values, const struct table_sink *sink) {
    const struct compare_candidate *all =
        &comparison->candidates[trace * comparison->set.candidate_count];
    const struct compare_candidate *candidate = &all[index];
    const bool known = candidate->time.count > 0, tested = candidate->holm_p >= 0;
    struct candidate_row row = {
        .trace = comparison->names[trace],
        .values = values,
        .baseline = index == 0,
        .rank = candidate->rank > 0 ? candidate->rank : TABLE_NONE,
        .time = figures_of(&candidate->time),
        .min_ps = known ? candidate->time.min : TABLE_NONE,
        .max_ps = known ? candidate->time.max : TABLE_NONE,
        .difference = figures_of(&candidate->difference),
        .share = share_of(&candidate->difference, &all[0].time),
        .p = tested ? probability(candidate->difference.p) : TABLE_NONE,
        .holm_p = probability(candidate->holm_p),
        .significant = tested ? candidate->significant : TABLE_NONE,
        .factor = known ? table_ratio((uint64_t)all[0].time.mean, (uint64_t)candidate->time.mean)
                        : TABLE_NONE,
        .negligible =
            index > 0 && candidate->difference.count > 0 ? candidate->negligible : TABLE_NONE,
        .exact = comparison_is_exact(comparison, trace, index),
        .cost = comparison->prices[index] >= 0 ? comparison->prices[index] : TABLE_NONE,
    };
    for (size_t i = 0; i < COMPARE_PARTS; i++)
        row.parts_ps[i] = known ? comparison_part(comparison, trace, index, i) : TABLE_NONE;
    table_add(sink, &row);
}

status_code tables_values_of(const struct candidate_set *set, size_t candidate,
                             const char ***values, struct status *status) {
    *values = memory_new(set->factor_count, sizeof **values);
    RETURN_ERROR_IF(*values == NULL, status, STATUS_MEMORY, "out of memory for a comparison");
    for (size_t i = 0; i < set->factor_count; i++)
        (*values)[i] = candidate_set_value(set, candidate, i);
    return STATUS_OK;
}

static status_code visit_candidates(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    const anax_comparison *comparison = source->comparison;
    for (size_t i = 0; i < comparison->trace_count * comparison->set.candidate_count; i++) {
        const size_t candidate = i % comparison->set.candidate_count;
        const char **values = NULL;
        FORWARD_IF_ERROR(tables_values_of(&comparison->set, candidate, &values, status));
        add_candidate(comparison, i / comparison->set.candidate_count, candidate, values, sink);
        free(values);
    }
    return STATUS_OK;
}

#define FACTORS(row)                                                                               \
    TABLE_COLUMN(row, trace, "trace", "", "name of the trace"),                                    \
        TABLE_COLUMN(row, values, "SETTING", "",                                                   \
                     "value of a factor; one column for each, named after its setting, the "       \
                     "machine first")

#define PART(index, name, help)                                                                    \
    TABLE_COLUMN(candidate_row, parts_ps[index], name, "ps",                                       \
                 help ", mean over ranks and seeds; null if no seed has a time")

static const struct table_column candidate_columns[] = {
    FACTORS(candidate_row),
    TABLE_COLUMN(candidate_row, rank, "rank", "",
                 "rank by mean time among the candidates of the trace, from 1, equal means sharing "
                 "one; null unless all seeds have a time"),
    TABLE_COLUMN(candidate_row, time.seeds, "seeds", "", "number of seeds that have a time"),
    TABLE_COLUMN(candidate_row, time.mean_ps, "mean_ps", "ps",
                 "mean time of these seeds, rounded; null if there are none"),
    TABLE_COLUMN(candidate_row, time.low_ps, "low_ps", "ps",
                 "low end of the confidence interval of the mean; null of fewer than two seeds"),
    TABLE_COLUMN(candidate_row, time.high_ps, "high_ps", "ps",
                 "high end of the confidence interval of the mean"),
    TABLE_COLUMN(candidate_row, difference.seeds, "difference_seeds", "",
                 "number of seeds in which both the candidate and the baseline have a time"),
    TABLE_COLUMN(candidate_row, difference.mean_ps, "difference_mean_ps", "ps",
                 "mean difference to the baseline in these seeds, rounded; null if there are none"),
    TABLE_COLUMN(candidate_row, difference.low_ps, "difference_low_ps", "ps",
                 "low end of the confidence interval of the mean difference"),
    TABLE_COLUMN(candidate_row, difference.high_ps, "difference_high_ps", "ps",
                 "high end of the confidence interval of the mean difference"),
    TABLE_SHARE(candidate_row, p, "p", "",
                "p of the paired t test, two-sided; null of fewer than two seeds"),
    TABLE_SHARE(candidate_row, holm_p, "holm_p", "",
                "p corrected after Holm for the candidates of the trace"),
    TABLE_FLAG(candidate_row, significant, "significant", "whether holm_p is significant"),
    TABLE_FLAG(candidate_row, baseline, "baseline", "whether it is the baseline"),
    TABLE_COLUMN(candidate_row, min_ps, "min_ps", "ps", "least time of a seed"),
    TABLE_COLUMN(candidate_row, max_ps, "max_ps", "ps", "largest time of a seed"),
    TABLE_SHARE(candidate_row, share, "difference_share", "",
                "difference_mean_ps divided by the mean time of the baseline"),
    TABLE_SHARE(candidate_row, factor, "factor", "",
                "mean time of the baseline divided by mean_ps: how many times faster it is"),
    TABLE_FLAG(candidate_row, negligible, "negligible",
               "whether difference_share is below the share that is negligible; null of the "
               "baseline"),
    TABLE_FLAG(candidate_row, exact, "exact",
               "whether no seed has an influence, so that all seeds have the same time"),
    PART(0, "compute_ps", "computation"),
    PART(1, "send_overhead_ps", "host costs of sends"),
    PART(2, "receive_overhead_ps", "host costs of receives"),
    PART(3, "reduction_ps", "combining data in collectives"),
    PART(4, "wait_late_sender_ps", "waits until the sender was ready"),
    PART(5, "wait_late_receiver_ps", "waits until the receiver was ready"),
    PART(6, "wait_transit_ps", "waits for the network as if it were idle"),
    PART(7, "wait_queueing_ps", "waits for the network beyond that"),
    PART(8, "collective_ps", "waits in collectives"),
    TABLE_SHARE(
        candidate_row, cost, "cost_dollars", "",
        "cables and routers of its machine, by the default prices (price.*) or those of its "
        "machine; null if its values do not fit together"),
};

static const struct table candidates = {
    .name = "candidates",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(candidate_columns),
    .visit = visit_candidates,
    .help = "a trace and a combination of the factors' values, the baseline first",
};

/* ---- points ---- */

struct point_row {
    const char *trace;
    const char *const *values;
    int64_t seed, completed, time_ps;
    const char *digest, *failure;
};

static void add_point(const anax_comparison *comparison, size_t number, const char *const *values,
                      const struct table_sink *sink) {
    const struct compare_point *point = &comparison->points[number];
    char digest[17];
    const size_t seeds = comparison->seed_count;
    const struct point_row row = {
        .trace = comparison->names[number / seeds / comparison->set.candidate_count],
        .values = values,
        .seed = comparison->first_seed + (int64_t)(number % seeds),
        .completed = point->finished,
        .time_ps = point->finished ? point->time_ps : TABLE_NONE,
        .digest = point->finished ? table_hash(point->digest, digest) : NULL,
        .failure = point->finished          ? NULL
                   : point->failure != NULL ? point->failure
                                            : "",
    };
    table_add(sink, &row);
}

static status_code visit_points(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    const anax_comparison *comparison = source->comparison;
    for (size_t i = 0; i < comparison->point_count; i++) {
        const char **values = NULL;
        const size_t candidate = i / comparison->seed_count % comparison->set.candidate_count;
        FORWARD_IF_ERROR(tables_values_of(&comparison->set, candidate, &values, status));
        add_point(comparison, i, values, sink);
        free(values);
    }
    return STATUS_OK;
}

static const struct table_column point_columns[] = {
    FACTORS(point_row),
    TABLE_COLUMN(point_row, seed, "seed", "", "seed"),
    TABLE_COLUMN(point_row, time_ps, "time_ps", "ps",
                 "when the last rank ends; null if the replay did not finish"),
    TABLE_NAME(point_row, digest, "digest", "digest of the replay, or null"),
    TABLE_COLUMN(point_row, failure, "failure", "", "why there is no time; null if there is one"),
    TABLE_FLAG(point_row, completed, "completed", "whether the replay finished"),
};

static const struct table points = {
    .name = "points",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(point_columns),
    .visit = visit_points,
    .help = "the replay of a candidate with a seed",
};

static const struct table *const tables[] = {&result,
                                             &table_factors,
                                             &table_machines,
                                             &table_compare_traces,
                                             &table_trace_warnings,
                                             &candidates,
                                             &points,
                                             &table_winners,
                                             &table_compare_links,
                                             &table_configuration,
                                             &table_mpi_of_machine,
                                             &table_settings_changed,
                                             &table_machine_changes,
                                             NULL};

const struct table_schema tables_compare = {"compare", "anax.compare/2", tables};
