/* A comparison's tables: candidates.csv and points.csv. Columns are documented in anax-json(5). */
#include "api/compare/comparison.h"
#include "api/report/csv.h"
#include "core/output_folder.h"

#include <inttypes.h>

static void write_settings(const anax_comparison *comparison, FILE *file) {
    fputs("trace", file);
    for (size_t i = 0; i < comparison->factor_count; i++)
        fprintf(file, ",%s", comparison->factors[i].setting);
}

static void write_values(const anax_comparison *comparison, size_t trace, size_t candidate,
                         FILE *file) {
    csv_write_quoted(file, comparison->names[trace]);
    for (size_t i = 0; i < comparison->factor_count; i++) {
        fputc(',', file);
        csv_write_quoted(file, comparison_value(comparison, candidate, i));
    }
}

/* Count, mean and interval; what is not known is an empty column. */
static void write_sample(const struct compare_sample *sample, FILE *file) {
    fprintf(file, ",%" PRIu32, sample->count);
    if (sample->count > 0)
        fprintf(file, ",%" PRId64, sample->mean_ps);
    else
        fputc(',', file);
    if (sample->half_ps >= 0)
        fprintf(file, ",%" PRId64 ",%" PRId64, sample->mean_ps - sample->half_ps,
                sample->mean_ps + sample->half_ps);
    else
        fputs(",,", file);
}

static void write_candidate(const struct compare_candidate *candidate, FILE *file) {
    if (candidate->rank > 0)
        fprintf(file, ",%" PRIu32, candidate->rank);
    else
        fputc(',', file);
    write_sample(&candidate->time, file);
    write_sample(&candidate->difference, file);
    if (candidate->holm_p >= 0)
        fprintf(file, ",%.6f,%.6f,%d\n", candidate->difference.p, candidate->holm_p,
                candidate->significant);
    else
        fputs(",,,\n", file);
}

static void write_candidates(const anax_comparison *comparison, FILE *file) {
    write_settings(comparison, file);
    fputs(",rank,seeds,mean_ps,low_ps,high_ps,difference_seeds,difference_ps,difference_low_ps,"
          "difference_high_ps,p,holm_p,significant\n",
          file);
    for (size_t i = 0; i < comparison->trace_count * comparison->candidate_count; i++) {
        write_values(comparison, i / comparison->candidate_count, i % comparison->candidate_count,
                     file);
        write_candidate(&comparison->candidates[i], file);
    }
}

static void write_points(const anax_comparison *comparison, FILE *file) {
    write_settings(comparison, file);
    fputs(",seed,time_ps,digest,failure\n", file);
    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct compare_point *point = &comparison->points[i];
        const size_t candidate = i / comparison->seed_count;
        write_values(comparison, candidate / comparison->candidate_count,
                     candidate % comparison->candidate_count, file);
        fprintf(file, ",%" PRId64, comparison->first_seed + (int64_t)(i % comparison->seed_count));
        if (point->finished) {
            fprintf(file, ",%" PRId64 ",%016" PRIx64 ",\n", point->time_ps, point->digest);
        } else {
            fputs(",,,", file);
            csv_write_quoted(file, point->failure != NULL ? point->failure : "");
            fputc('\n', file);
        }
    }
}

static status_code write_table(const struct output_folder *folder, const char *name,
                               void (*write)(const anax_comparison *comparison, FILE *file),
                               const anax_comparison *comparison, struct status *status) {
    FILE *file = NULL;
    FORWARD_IF_ERROR(output_folder_open(folder, name, &file, status));
    write(comparison, file);
    return output_folder_close(folder, name, file, status);
}

status_code report_comparison_tables(const anax_comparison *comparison, const char *path,
                                     struct status *status) {
    struct output_folder folder;
    FORWARD_IF_ERROR(output_folder_begin(&folder, path, status));
    status_code code = write_table(&folder, "candidates.csv", write_candidates, comparison, status);
    if (code == STATUS_OK)
        code = write_table(&folder, "points.csv", write_points, comparison, status);
    return output_folder_finish(&folder, code, status);
}
