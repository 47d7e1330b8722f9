/* Appends findings to reports. Findings that differ only in the ranks and values of examples become
 * one finding with a count. */
#include "traces/extrapolate/output/series_findings.h"

#include "core/memory/memory.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

/* Returns where an example at the beginning of a text ends, such as ": 13 on rank 0, not 17"; the
 * text itself: it does not begin with one. */
static const char *skip_example(const char *text) {
    static const char digits[] = "-0123456789", none[] = "no whole number", on[] = " on rank ";
    const char *end = text + 2;
    if (strncmp(text, ": ", 2) != 0) return text;
    end += strncmp(end, none, sizeof none - 1) == 0 ? sizeof none - 1 : strspn(end, digits);
    if (strncmp(end, on, sizeof on - 1) != 0) return text;
    end += sizeof on - 1;
    end += strspn(end, digits);
    if (strncmp(end, ", not ", 6) == 0) end += 6 + strspn(end + 6, digits);
    return end;
}

/* Returns whether two texts differ at most in examples. */
static bool is_same_fit(const char *left, const char *right) {
    for (;; left++, right++) {
        left = skip_example(left);
        right = skip_example(right);
        if (*left != *right) return false;
        if (*left == '\0') return true;
    }
}

status_code series_report_add(struct series *series, const char *subject, const char *where,
                              const char *law, const char *fit, uint64_t count, bool uncertain,
                              struct status *status) {
    struct extrapolate_report *report = series->findings.report;
    uint64_t hash = content_hash_text(uncertain, subject);
    hash = content_hash_text(content_hash_text(hash, where), law);
    for (;; hash++) {
        const uint32_t number = key_table_find(&series->findings.index, hash);
        if (number == KEY_TABLE_NONE) break;
        struct extrapolate_finding *known = &report->findings[number];
        if (known->uncertain != uncertain || strcmp(known->subject, subject) != 0 ||
            strcmp(known->where, where) != 0 || strcmp(known->law, law) != 0 ||
            !is_same_fit(known->fit, fit))
            continue;
        known->count += count;
        return STATUS_OK;
    }
    FORWARD_IF_ERROR(
        key_table_insert(&series->findings.index, hash, (uint32_t)report->finding_count, status));
    FORWARD_IF_ERROR(memory_grow((void **)&report->findings, &report->finding_capacity,
                                 report->finding_count + 1, sizeof *report->findings, status));
    struct extrapolate_finding *finding = &report->findings[report->finding_count++];
    *finding =
        (struct extrapolate_finding){.subject = subject, .count = count, .uncertain = uncertain};
    FORWARD_IF_ERROR(memory_copy_text(&finding->where, where, status));
    FORWARD_IF_ERROR(memory_copy_text(&finding->law, law, status));
    return memory_copy_text(&finding->fit, fit, status);
}

/* Returns whether a report has a finding with the same texts. */
static bool is_known(const struct extrapolate_report *report,
                     const struct extrapolate_finding *finding) {
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct extrapolate_finding *other = &report->findings[i];
        if (strcmp(other->subject, finding->subject) == 0 &&
            strcmp(other->where, finding->where) == 0 && strcmp(other->law, finding->law) == 0 &&
            strcmp(other->fit, finding->fit) == 0)
            return true;
    }
    return false;
}

status_code series_findings_move(struct extrapolate_report *report, struct extrapolate_report *of,
                                 struct status *status) {
    report->has_fits = report->has_fits || of->has_fits;
    for (size_t i = 0; i < of->finding_count; i++) {
        if (is_known(report, &of->findings[i])) continue;
        FORWARD_IF_ERROR(memory_grow((void **)&report->findings, &report->finding_capacity,
                                     report->finding_count + 1, sizeof *report->findings, status));
        report->findings[report->finding_count++] = of->findings[i];
        of->findings[i].where = of->findings[i].law = of->findings[i].fit = NULL;
    }
    return STATUS_OK;
}

status_code series_finding_add(struct extrapolate_report *report,
                               const struct extrapolate_finding *texts, struct status *status) {
    struct extrapolate_finding finding = {
        .subject = texts->subject, .count = texts->count, .uncertain = texts->uncertain};
    status_code code = memory_copy_text(&finding.where, texts->where, status);
    if (code == STATUS_OK) code = memory_copy_text(&finding.law, texts->law, status);
    if (code == STATUS_OK) code = memory_copy_text(&finding.fit, texts->fit, status);
    if (code == STATUS_OK)
        code = memory_grow((void **)&report->findings, &report->finding_capacity,
                           report->finding_count + 1, sizeof *report->findings, status);
    if (code == STATUS_OK) {
        report->findings[report->finding_count++] = finding;
        return code;
    }
    free(finding.where);
    free(finding.law);
    free(finding.fit);
    return code;
}

status_code series_report_programs(const struct series *series, const struct program *program,
                                   struct status *status) {
    struct extrapolate_report *report = series->findings.report;
    struct program_totals totals;
    program_totals_compute(program, &totals);
    report->target_ranks = series->target_ranks;
    report->operations = program->operation_count;
    report->messages = totals.messages;
    report->bytes = (uint64_t)totals.message_bytes;
    report->ranks = memory_new(series->program_count, sizeof *report->ranks);
    report->sources = memory_new(series->program_count, sizeof *report->sources);
    RETURN_ERROR_IF(report->ranks == NULL || report->sources == NULL, status, STATUS_MEMORY,
                    "out of memory for a report");
    report->program_count = series->program_count;
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct program *from = series->programs[k].program;
        report->ranks[k] = from->rank_count;
        FORWARD_IF_ERROR(
            memory_copy_text(&report->sources[k], program_text(from, from->source), status));
    }
    return STATUS_OK;
}
