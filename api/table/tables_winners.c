/* The tables of a comparison that say which candidate is best, and what the network did. */
#include "api/compare/comparison.h"
#include "api/table/tables_compare.h"
#include "api/text/text_buffer.h"
#include "core/memory/memory.h"

#include <stdlib.h>

/* ---- winners ---- */

struct winner_row {
    const char *trace, *winner, *runner_up, *why;
    int64_t difference_ps, holm_p, significant, negligible, exact;
};

static bool add_winner(const anax_comparison *comparison, size_t trace,
                       const struct table_sink *sink) {
    const struct compare_winner *winner = &comparison->winners[trace];
    struct text_buffer text = TEXT_BUFFER_INIT;
    comparison_add_why(&text, comparison, trace);
    char *why = text_take(&text), *best = candidate_set_label(&comparison->set, winner->winner);
    char *next = candidate_set_label(&comparison->set, winner->runner_up);
    const bool good = why != NULL && best != NULL && next != NULL;
    const struct winner_row row = {
        .trace = comparison->names[trace],
        .winner = best,
        .runner_up = next,
        .why = why,
        .difference_ps = winner->difference.mean,
        .holm_p = winner->holm_p >= 0 ? (int64_t)(winner->holm_p * 1e6 + 0.5) : TABLE_NONE,
        .significant = winner->holm_p >= 0 ? winner->significant : TABLE_NONE,
        .negligible = winner->negligible,
        .exact = winner->exact,
    };
    if (good) table_add(sink, &row);
    free(why);
    free(best);
    free(next);
    return good;
}

static status_code visit_winners(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    const anax_comparison *comparison = source->comparison;
    for (size_t i = 0; i < comparison->trace_count; i++)
        RETURN_ERROR_IF(comparison->winners[i].known && !add_winner(comparison, i, sink), status,
                        STATUS_MEMORY, "out of memory for a comparison");
    return STATUS_OK;
}

static const struct table_column winner_columns[] = {
    TABLE_COLUMN(winner_row, trace, "trace", "", "name of the trace"),
    TABLE_COLUMN(winner_row, winner, "winner", "",
                 "the first candidate of rank 1: its values of the factors that vary"),
    TABLE_COLUMN(winner_row, runner_up, "runner_up", "", "the candidate after it"),
    TABLE_COLUMN(winner_row, difference_ps, "difference_mean_ps", "ps",
                 "mean difference of the runner-up to the winner, paired by seed, rounded"),
    TABLE_SHARE(winner_row, holm_p, "holm_p", "",
                "p of this difference, corrected after Holm for comparing the winner with all "
                "others; null of one seed"),
    TABLE_FLAG(winner_row, significant, "significant", "whether holm_p is significant"),
    TABLE_FLAG(winner_row, negligible, "negligible",
               "whether the difference is below the share that is negligible"),
    TABLE_FLAG(winner_row, exact, "exact", "whether both candidates are exact"),
    TABLE_COLUMN(winner_row, why, "why", "", "what decides, as sentences"),
};

const struct table table_winners = {
    .name = "winners",
    .form = TABLE_ARRAY,
    TABLE_LIST(winner_columns),
    .visit = visit_winners,
    .help = "a trace of which at least two candidates have a rank, and its best candidate",
};

/* ---- links ---- */

struct link_row {
    const char *trace, *candidate, *name;
    int64_t busy_ps, stalled_ps;
};

static status_code visit_links(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    const anax_comparison *comparison = source->comparison;
    for (size_t i = 0; i < comparison->point_count; i += comparison->seed_count) {
        const struct compare_point *point = &comparison->points[i];
        const size_t item = i / comparison->seed_count;
        char *label = candidate_set_label(&comparison->set, item % comparison->set.candidate_count);
        RETURN_ERROR_IF(label == NULL, status, STATUS_MEMORY, "out of memory for a comparison");
        for (uint32_t k = 0; k < point->link_count; k++)
            table_add(sink, &(struct link_row){
                                .trace = comparison->names[item / comparison->set.candidate_count],
                                .candidate = label,
                                .name = point->links[k].name,
                                .busy_ps = point->links[k].busy_ps,
                                .stalled_ps = point->links[k].stalled_ps});
        free(label);
    }
    return STATUS_OK;
}

static const struct table_column link_columns[] = {
    TABLE_COLUMN(link_row, trace, "trace", "", "name of the trace"),
    TABLE_COLUMN(link_row, candidate, "candidate", "",
                 "the candidate: its values of the factors that vary"),
    TABLE_COLUMN(link_row, name, "link", "", "kind and both ends of the link"),
    TABLE_COLUMN(link_row, busy_ps, "busy_ps", "ps", "time for which it carried packets"),
    TABLE_COLUMN(
        link_row, stalled_ps, "stalled_ps", "ps",
        "time during which it was idle though a packet waited for it, for lack of credits"),
};

const struct table table_compare_links = {
    .name = "busiest_links",
    .form = TABLE_ARRAY,
    TABLE_LIST(link_columns),
    .visit = visit_links,
    .help = "one of the three busiest links of a candidate with the first seed",
};
