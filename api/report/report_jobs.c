/* What results tell of jobs and of what ran beside them: text, JSON and table. */
#include "api/report/csv.h"
#include "api/report/json_build.h"
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "core/plural.h"
#include "core/units.h"

#include <inttypes.h>

static void add_job(struct text_buffer *text, const struct api_job_result *job) {
    char start[32], time[32], alone[32] = "", slowdown[16] = "";
    units_time_human(job->start_ps, start, sizeof start);
    units_time_human(job->time_ps, time, sizeof time);
    if (job->alone_ps >= 0) units_time_human(job->alone_ps, alone, sizeof alone);
    if (job->alone_ps > 0)
        snprintf(slowdown, sizeof slowdown, "%.3f", (double)job->time_ps / (double)job->alone_ps);
    text_add(text, "%8" PRIu32 "%9" PRIu32 "  %-10s  %-10s  %-10s  %-8s  %-19s  ",
             job->program->rank_count, job->first_rank, start, time, alone, slowdown,
             placement_policy_names()[job->policy]);
    text_add_name(text, job->name, 0);
    text_add(text, "\n");
}

static void add_background(struct text_buffer *text, const anax_result *result) {
    const struct background_totals *background = &result->background;
    const struct api_jobs_config *config = &result->config->jobs;
    char size[32];
    units_size_human(background->bytes, size, sizeof size);
    text_add(text, "\nBackground traffic\n");
    report_row(text, 2, "pattern");
    text_add(text, "%s at load %.6g, among %" PRIu32 " node%s without ranks\n",
             config->background.pattern, (double)config->background_millionths / 1e6,
             background->nodes, plural(background->nodes));
    report_row(text, 2, "messages");
    text_add(text, "%" PRIu64 ", %s", background->messages, size);
    if (background->refused > 0)
        text_add(text, "; %" PRIu64 " more refused by nodes that could not send them",
                 background->refused);
    text_add(text, "\n");
}

void report_jobs_text(struct text_buffer *text, const anax_result *result) {
    bool beside = result->background.nodes > 0;
    if (result->job_count > 1 || beside) {
        text_add(text, "\nJobs\n   ranks    first  start       time        alone       slowdown  "
                       "placement            name\n");
        for (size_t i = 0; i < result->job_count; i++)
            add_job(text, &result->jobs[i]);
    }
    if (beside) add_background(text, result);
    if (result->job_count > 1 || beside) text_add(text, "\nWhere the ranks' time went\n");
}

static void put_job(struct json_object *array, const anax_result *result,
                    const struct api_job_result *job) {
    struct json_object *object = json_append_object(array);
    uint64_t messages = 0;
    wide bytes = 0;
    for (uint32_t k = 0; k < job->program->rank_count; k++) {
        messages += result->replay->ranks[job->first_rank + k].messages_sent;
        bytes += result->replay->ranks[job->first_rank + k].bytes_sent;
    }
    json_put_text(object, "name", job->name);
    json_put_text(object, "path", program_text(job->program, job->program->source));
    json_put_hash(object, "hash", job->program->content_hash);
    json_put_count(object, "first_rank", job->first_rank);
    json_put_count(object, "rank_count", job->program->rank_count);
    json_put_text(object, "placement", placement_policy_names()[job->policy]);
    json_put_int(object, "seed", job->seed);
    json_put_int(object, "start_ps", job->start_ps);
    json_put_int(object, "time_ps", job->time_ps);
    json_put_int(object, "end_ps", job->start_ps + job->time_ps);
    if (job->alone_ps >= 0) {
        json_put_int(object, "alone_ps", job->alone_ps);
        json_put_ratio(object, "slowdown", (uint64_t)job->time_ps, (uint64_t)job->alone_ps);
    }
    json_put_count(object, "messages_sent", messages);
    json_put_sum(object, "bytes_sent", bytes);
}

void report_json_jobs(struct json_object *object, const anax_result *result) {
    struct json_object *jobs = json_put_array(object, "jobs");
    for (size_t i = 0; i < result->job_count; i++)
        put_job(jobs, result, &result->jobs[i]);
    if (result->background.nodes == 0) return;
    struct json_object *background = json_put_object(object, "background");
    json_put_text(background, "pattern", result->config->jobs.background.pattern);
    json_put_millionths(background, "load", result->config->jobs.background_millionths);
    json_put_count(background, "nodes", result->background.nodes);
    json_put_count(background, "messages", result->background.messages);
    json_put_sum(background, "bytes", result->background.bytes);
    json_put_count(background, "refused", result->background.refused);
}

void report_write_jobs(const anax_result *result, FILE *file) {
    fputs("job,first_rank,ranks,placement,seed,start_ps,time_ps,alone_ps,name\n", file);
    for (size_t i = 0; i < result->job_count; i++) {
        const struct api_job_result *job = &result->jobs[i];
        fprintf(file, "%zu,%" PRIu32 ",%" PRIu32 ",%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",", i,
                job->first_rank, job->program->rank_count, placement_policy_names()[job->policy],
                job->seed, job->start_ps, job->time_ps);
        if (job->alone_ps >= 0) fprintf(file, "%" PRId64, job->alone_ps);
        fputc(',', file);
        csv_write_quoted(file, job->name);
        fputc('\n', file);
    }
}
