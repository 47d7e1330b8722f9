/* Jobs and background traffic in results: text. */
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "core/base/plural.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdio.h>

enum { JOB_NAME_WIDTH = 21 };

/* Returns whether all jobs are placed by one policy. */
static bool is_one_policy(const anax_replay_result *result) {
    for (size_t i = 1; i < result->job_count; i++)
        if (result->jobs[i].policy != result->jobs[0].policy) return false;
    return true;
}

static void add_job(struct text_buffer *text, const struct api_job_result *job, bool policy) {
    char start[32], time[32], alone[32] = "", slowdown[16] = "";
    units_time_human(job->start_ps, start, sizeof start);
    units_time_human(job->time_ps, time, sizeof time);
    if (job->alone_ps >= 0) units_time_human(job->alone_ps, alone, sizeof alone);
    if (job->alone_ps > 0)
        snprintf(slowdown, sizeof slowdown, "%.3f", (double)job->time_ps / (double)job->alone_ps);
    text_add(text, "  ");
    text_add_cut_name(text, job->name, JOB_NAME_WIDTH);
    text_add(text, " %6" PRIu32 " %6" PRIu32 "  %-9s  %-9s  %-9s  %s\n", job->program->rank_count,
             job->first_rank, start, time, alone, slowdown);
    if (policy) text_add(text, "    placement %s\n", placement_policy_names()[job->policy]);
}

static void add_background(struct text_buffer *text, const anax_replay_result *result) {
    const struct background_totals *background = &result->background;
    const struct api_jobs_config *config = &result->run.config->jobs;
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

void report_jobs_text(struct text_buffer *text, const anax_replay_result *result) {
    bool beside = result->background.nodes > 0;
    if (result->job_count > 1 || beside) {
        const bool one = is_one_policy(result);
        text_add(
            text, "\nJobs%s%s\n  %-*s  ranks  first  start      time       alone      slowdown\n",
            one ? ", placement " : "", one ? placement_policy_names()[result->jobs[0].policy] : "",
            JOB_NAME_WIDTH, "name");
        for (size_t i = 0; i < result->job_count; i++)
            add_job(text, &result->jobs[i], !one);
    }
    if (beside) add_background(text, result);
    if (result->job_count > 1 || beside) text_add(text, "\nWhere the ranks' time went\n");
}
