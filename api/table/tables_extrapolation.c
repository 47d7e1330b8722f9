/* The tables of an extrapolation. Knows results only. */
#include "api/results/extrapolation_numbers.h"
#include "api/table/tables.h"

struct extrapolation_row {
    uint32_t ranks;
    const char *hash;
    uint64_t operations, messages, bytes;
};

static status_code visit_result(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const struct extrapolate_report *report = &source->extrapolation->report;
    char hash[17];
    const struct extrapolation_row row = {
        .ranks = report->target_ranks,
        .hash = table_hash(source->extrapolation->trace.program->content_hash, hash),
        .operations = report->operations,
        .messages = report->messages,
        .bytes = report->bytes,
    };
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column result_columns[] = {
    TABLE_COLUMN(extrapolation_row, ranks, "ranks", "", "ranks of the new program"),
    TABLE_NAME(extrapolation_row, hash, "hash", "content hash of the new program"),
    TABLE_COLUMN(extrapolation_row, operations, "operations", "", "its operations"),
    TABLE_COLUMN(extrapolation_row, messages, "messages", "", "its messages"),
    TABLE_COLUMN(extrapolation_row, bytes, "bytes", "bytes", "payload of its messages"),
};

static const struct table result = {
    .name = "result",
    .form = TABLE_KEYS,
    TABLE_LIST(result_columns),
    .visit = visit_result,
    .help = "the new program",
};

struct series_row {
    uint32_t ranks;
    const char *trace;
};

static status_code visit_series(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const struct extrapolate_report *report = &source->extrapolation->report;
    for (uint32_t i = 0; i < report->program_count; i++)
        table_add(sink, &(struct series_row){report->ranks[i], report->sources[i]});
    return STATUS_OK;
}

static const struct table_column series_columns[] = {
    TABLE_COLUMN(series_row, ranks, "ranks", "", "its ranks"),
    TABLE_COLUMN(series_row, trace, "trace", "", "its path"),
};

static const struct table series = {
    .name = "series",
    .form = TABLE_ARRAY,
    TABLE_LIST(series_columns),
    .visit = visit_series,
    .help = "a trace of the series, from few ranks to many",
};

struct finding_row {
    const char *subject, *where, *law, *fit;
    uint64_t count;
    int64_t uncertain;
};

static status_code visit_findings(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    (void)status;
    const struct extrapolate_report *report = &source->extrapolation->report;
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct extrapolate_finding *finding = &report->findings[i];
        table_add(sink, &(struct finding_row){finding->subject, finding->where, finding->law,
                                              finding->fit, finding->count, finding->uncertain});
    }
    return STATUS_OK;
}

static const struct table_column finding_columns[] = {
    TABLE_NAME(finding_row, subject, "subject",
               "what it is about: grid, communicator, topology, role, files, partner, bytes sent, "
               "scaling, "
               "..."),
    TABLE_COLUMN(finding_row, where, "where", "", "the call, role or name"),
    TABLE_COLUMN(finding_row, law, "law", "", "the law in words, or the value"),
    TABLE_COLUMN(finding_row, fit, "fit", "",
                 "exact, or the error of leaving out one program; of the scaling, what shows it"),
    TABLE_COLUMN(finding_row, count, "count", "", "steps that have it"),
    TABLE_FLAG(
        finding_row, uncertain, "uncertain",
        "whether it is known from one program alone, has an error above 5 %, is one of several "
        "that fit, is of a role whose ranks compute unlike amounts, leaves something out, or is "
        "not "
        "the scaling that was told"),
};

static const struct table findings = {
    .name = "findings",
    .form = TABLE_ARRAY,
    TABLE_LIST(finding_columns),
    .visit = visit_findings,
    .help = "a rule or law that was found",
};

static const struct table *const tables[] = {&result, &series, &findings, NULL};

const struct table_schema tables_extrapolation = {"extrapolation", "anax.extrapolation/1", tables};
