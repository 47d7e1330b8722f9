/* The tables of a diff of two results. */
#include "api/diff/result_diff.h"
#include "api/table/tables.h"
#include "api/table/tables_compare.h"

struct summary_row {
    const char *path, *trace, *machine, *placement, *routing;
    int64_t time_ps;
    uint64_t ranks;
};

static status_code visit_results(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    for (int i = 0; i < 2; i++) {
        const struct result_summary *summary = &source->diff->results[i];
        table_add(sink, &(struct summary_row){source->diff->paths[i], summary->trace,
                                              summary->machine, summary->placement,
                                              summary->routing, summary->time_ps, summary->ranks});
    }
    return STATUS_OK;
}

static const struct table_column result_columns[] = {
    TABLE_COLUMN(summary_row, path, "path", "", "file of the result, or its name"),
    TABLE_COLUMN(summary_row, trace, "trace", "", "path of its trace"),
    TABLE_COLUMN(summary_row, machine, "machine", "", "name of its machine"),
    TABLE_COLUMN(summary_row, placement, "placement", "", "its placement policy"),
    TABLE_COLUMN(summary_row, routing, "routing", "", "its routing policy"),
    TABLE_COLUMN(summary_row, time_ps, "time_ps", "ps", "its predicted time"),
    TABLE_COLUMN(summary_row, ranks, "ranks", "", "its ranks"),
};

static const struct table results = {
    .name = "results",
    .form = TABLE_ARRAY,
    TABLE_LIST(result_columns),
    .visit = visit_results,
    .help = "a result, the first one first",
};

struct change_row {
    const char *by, *name;
    signed_wide first_ps, second_ps, difference_ps;
};

static signed_wide known_time(const struct result_entry *entry, int which) {
    return entry->is_known[which] ? (signed_wide)entry->time_ps[which] : TABLE_NO_BALANCE;
}

static status_code visit_changes(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    for (size_t i = 0; i < source->diff->count; i++) {
        const struct result_entry *entry = &source->diff->entries[i];
        const struct change_row row = {
            .by = result_group_name(entry->group),
            .name = entry->name,
            .first_ps = known_time(entry, 0),
            .second_ps = known_time(entry, 1),
            .difference_ps = result_entry_compares(entry)
                                 ? result_subtract(entry->time_ps[0], entry->time_ps[1])
                                 : TABLE_NO_BALANCE,
        };
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column change_columns[] = {
    TABLE_NAME(change_row, by, "by",
               "what the time is about: cause (summed over all ranks), rank, call, region, or "
               "link kind (busy time of those of the busiest links)"),
    TABLE_COLUMN(change_row, name, "name", "", "which one"),
    TABLE_COLUMN(change_row, first_ps, "first_ps", "ps",
                 "time in the first result; null if it has none"),
    TABLE_COLUMN(change_row, second_ps, "second_ps", "ps",
                 "time in the second result; null if it has none"),
    TABLE_COLUMN(change_row, difference_ps, "difference_ps", "ps",
                 "second_ps less first_ps; null if one of them is null"),
};

static const struct table changes = {
    .name = "changes",
    .form = TABLE_ARRAY,
    TABLE_LIST(change_columns),
    .visit = visit_changes,
    .help = "a time of both results",
};

static const struct table *const tables[] = {&results, &changes, NULL};

const struct table_schema tables_diff = {"diff", "anax.diff/1", tables};
