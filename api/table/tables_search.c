/* The tables of a search. */
#include "api/search/search_state.h"
#include "api/table/tables.h"
#include "api/table/tables_compare.h"

#include <stdlib.h>

/* ---- the search itself ---- */

struct search_row {
    uint64_t candidates, left_out, points, seeds;
    int64_t first_seed, confidence, part_share;
};

static status_code visit_search(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const anax_search *search = source->search;
    const struct search_row row = {
        .candidates = search->candidate_count,
        .left_out = search->left_out,
        .points = search->point_count,
        .seeds = search->on_whole->seed_count,
        .first_seed = search->on_whole->first_seed,
        .confidence = (int64_t)(COMPARE_CONFIDENCE * 1e6 + 0.5),
        .part_share = search->on_part != NULL ? search->share_millionths : TABLE_NONE,
    };
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column search_columns[] = {
    TABLE_COLUMN(search_row, candidates, "candidate_count", "", "combinations of the values"),
    TABLE_COLUMN(search_row, left_out, "left_out", "",
                 "of them, impossible, too small for the ranks or beyond a limit"),
    TABLE_COLUMN(search_row, points, "point_count", "", "points that the stages needed"),
    TABLE_COLUMN(search_row, seeds, "seeds", "", "seeds of the last stage"),
    TABLE_COLUMN(search_row, first_seed, "first_seed", "", "the first seed"),
    TABLE_SHARE(search_row, confidence, "confidence", "",
                "probability of the intervals; 1 less it is the level of significance"),
    TABLE_SHARE(search_row, part_share, "part_share", "",
                "share of the MPI calls in the part of the trace; null if there is no part"),
};

static const struct table result = {
    .name = "result",
    .form = TABLE_KEYS,
    TABLE_LIST(search_columns),
    .visit = visit_search,
    .help = "the search",
};

/* ---- limits ---- */

struct limit_row {
    const char *figure;
    int64_t min, max;
};

static status_code visit_limits(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    for (search_figure i = 0; i < SEARCH_FIGURES; i++) {
        const struct search_limit *limit = &source->search->limits[i];
        const struct limit_row row = {search_figure_names[i], limit->min,
                                      limit->max < INT64_MAX ? limit->max : TABLE_NONE};
        if (limit->is_given) table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column limit_columns[] = {
    TABLE_NAME(limit_row, figure, "figure", "nodes, radix (ports of a router) or cost"),
    TABLE_COLUMN(limit_row, min, "least", "", "the least value; costs in millionths of a dollar"),
    TABLE_COLUMN(limit_row, max, "most", "", "the largest value, or null"),
};

static const struct table limits = {
    .name = "limits",
    .form = TABLE_ARRAY,
    TABLE_LIST(limit_columns),
    .visit = visit_limits,
    .help = "a limit of the search",
};

/* ---- stages ---- */

struct stage_row {
    uint64_t stage, seeds, candidates, kept, points;
    int64_t share;
};

static status_code visit_stages(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const anax_search *search = source->search;
    for (uint32_t i = 0; i < search->stage_count; i++) {
        const struct search_stage *stage = &search->stages[i];
        const struct stage_row row = {
            .stage = i + 1,
            .seeds = stage->seeds,
            .candidates = stage->candidates,
            .kept = stage->kept,
            .points = stage->points,
            .share = stage->part == SEARCH_OF_PART ? search->share_millionths : 1000000,
        };
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column stage_columns[] = {
    TABLE_COLUMN(stage_row, stage, "stage", "", "number of the stage, from 1"),
    TABLE_SHARE(stage_row, share, "share", "", "share of the trace's MPI calls that is replayed"),
    TABLE_COLUMN(stage_row, seeds, "seeds", "", "seeds of each candidate"),
    TABLE_COLUMN(stage_row, candidates, "candidates", "", "candidates of the stage"),
    TABLE_COLUMN(stage_row, kept, "kept", "",
                 "candidates that the stage keeps for the next one; of the last stage, those that "
                 "it would keep"),
    TABLE_COLUMN(stage_row, points, "points", "",
                 "replays of the stage that no stage before had, copies of exact ones included"),
};

static const struct table stages = {
    .name = "stages",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(stage_columns),
    .visit = visit_stages,
    .help = "a stage, which runs some of the candidates",
};

/* ---- candidates ---- */

struct candidate_row {
    const char *const *values;
    int64_t nodes, radix, cost, stage, front;
    int64_t seeds, mean_ps, low_ps, high_ps;
    int64_t rival, difference_ps, holm_p, significant, exact;
    const char *reason;
};

static void fill_time(struct candidate_row *row, const struct compare_sample *time) {
    const bool known = time->count > 0, interval = known && time->half_width >= 0;
    row->seeds = time->count;
    row->mean_ps = known ? time->mean : TABLE_NONE;
    row->low_ps = interval ? time->mean - time->half_width : TABLE_NONE;
    row->high_ps = interval ? time->mean + time->half_width : TABLE_NONE;
}

static void add_candidate(const anax_search *search, size_t index, const char *const *values,
                          const struct table_sink *sink) {
    const struct search_candidate *candidate = &search->candidates[index];
    const bool sized = candidate->figures[SEARCH_NODES] > 0, tested = candidate->holm_p >= 0;
    struct candidate_row row = {
        .values = values,
        .nodes = sized ? candidate->figures[SEARCH_NODES] : TABLE_NONE,
        .radix = sized ? candidate->figures[SEARCH_RADIX] : TABLE_NONE,
        .cost = sized ? candidate->figures[SEARCH_COST] : TABLE_NONE,
        .stage = candidate->stage > 0 ? candidate->stage : TABLE_NONE,
        .front = candidate->is_front,
        .rival = candidate->has_rival ? (int64_t)candidate->rival : TABLE_NONE,
        .difference_ps = candidate->has_rival ? candidate->difference.mean : TABLE_NONE,
        .holm_p = tested ? (int64_t)(candidate->holm_p * 1e6 + 0.5) : TABLE_NONE,
        .significant = tested ? candidate->holm_p < 1 - COMPARE_CONFIDENCE : TABLE_NONE,
        .exact = candidate->has_rival ? candidate->exact : TABLE_NONE,
        .reason = candidate->reason,
    };
    fill_time(&row, &search->on_whole->candidates[index].time);
    table_add(sink, &row);
}

static status_code visit_candidates(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    for (size_t i = 0; i < source->search->candidate_count; i++) {
        const char **values = NULL;
        FORWARD_IF_ERROR(tables_values_of(&source->search->on_whole->set, i, &values, status));
        add_candidate(source->search, i, values, sink);
        free(values);
    }
    return STATUS_OK;
}

static const struct table_column candidate_columns[] = {
    TABLE_COLUMN(candidate_row, values, "SETTING", "",
                 "value of a factor; one column for each, named after its setting, the machine "
                 "first"),
    TABLE_COLUMN(candidate_row, nodes, "nodes", "", "nodes of the machine; null if impossible"),
    TABLE_COLUMN(candidate_row, radix, "radix", "", "ports of a router"),
    TABLE_SHARE(candidate_row, cost, "cost_dollars", "", "cables and routers, by price.*"),
    TABLE_COLUMN(candidate_row, stage, "stage", "",
                 "number of the last stage that it was part of; null if it was left out"),
    TABLE_FLAG(candidate_row, front, "front",
               "whether it is in the Pareto front: of the last stage none that costs no more is "
               "faster, and none that costs less is as fast"),
    TABLE_COLUMN(candidate_row, seeds, "seeds", "", "seeds with a time of the whole trace"),
    TABLE_COLUMN(candidate_row, mean_ps, "mean_ps", "ps",
                 "mean time of these seeds, rounded; null if there are none"),
    TABLE_COLUMN(candidate_row, low_ps, "low_ps", "ps",
                 "low end of the confidence interval of the mean; null of fewer than two seeds"),
    TABLE_COLUMN(candidate_row, high_ps, "high_ps", "ps",
                 "high end of the confidence interval of the mean"),
    TABLE_COLUMN(candidate_row, rival, "rival", "",
                 "number, from 0, of the fastest other candidate of the last stage that costs no "
                 "more; null if there is none"),
    TABLE_COLUMN(candidate_row, difference_ps, "difference_ps", "ps",
                 "mean time less that of the rival"),
    TABLE_SHARE(candidate_row, holm_p, "holm_p", "",
                "p of the paired t test of this difference, corrected after Holm for the "
                "candidates of the last stage; null of fewer than two seeds"),
    TABLE_FLAG(candidate_row, significant, "significant", "whether holm_p is significant"),
    TABLE_FLAG(candidate_row, exact, "exact",
               "whether no seed has an influence on either of the two; null without a rival"),
    TABLE_COLUMN(candidate_row, reason, "reason", "",
                 "why it was left out or has no time; null otherwise"),
};

static const struct table candidates = {
    .name = "candidates",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(candidate_columns),
    .visit = visit_candidates,
    .help = "a combination of the factors' values",
};

static const struct table *const tables[] = {&result,
                                             &limits,
                                             &stages,
                                             &candidates,
                                             &table_factors,
                                             &table_machines,
                                             &table_compare_traces,
                                             &table_trace_warnings,
                                             &table_configuration,
                                             &table_mpi_of_machine,
                                             &table_settings_changed,
                                             &table_machine_changes,
                                             NULL};

const struct table_schema tables_search = {"search", "anax.search/1", tables};
