/* Lists of jobs: adding an empty job, naming one, and freeing them with their traces. */
#include "api/run/jobs.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct setting_row job_rows[] = {
    {.name = "trace",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct job, path),
     .initial = "",
     .help = "the trace to replay"},
    {.name = "name",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct job, name),
     .initial = "",
     .help = "what to call the job"},
    {.name = "start",
     .kind = SETTING_TIME,
     .offset = offsetof(struct job, start_ps),
     .maximum = INT64_C(1000000000000000),
     .initial = "0",
     .help = "when its ranks start"},
    {.name = "seed",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct job, seed),
     .maximum = INT64_MAX,
     .initial = "1",
     .help = "what random choices of its placement follow from"},
    {.name = "class",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct job, traffic_class),
     .maximum = NETWORK_CLASSES_MAX - 1,
     .initial = "0",
     .help = "traffic class of its messages"},
};

/* The short form `placement: random` of `placement: {policy: random}`. */
static const struct setting_row job_placement_rows[] = {
    {.name = "placement",
     .kind = SETTING_CHOICE,
     .offset = offsetof(struct placement_config, policy),
     .initial = "block",
     .choices = placement_policy_names,
     .help = "which nodes its ranks run on"},
};

void anax_trace_free(anax_trace *trace) {
    if (trace == NULL) return;
    program_free(trace->program);
    free(trace);
}

static void free_job(struct job *job) {
    if (job == NULL) return;
    if (!job->is_borrowed) anax_trace_free(job->trace);
    free(job->path);
    free(job->name);
    free(job->placement.file);
    free(job);
}

void anax_jobs_free(anax_jobs *jobs) {
    if (jobs == NULL) return;
    for (size_t i = 0; i < jobs->count; i++)
        free_job(jobs->jobs[i]);
    free(jobs->jobs);
    free(jobs);
}

struct job *jobs_append(anax_jobs *jobs, const anax_config *config) {
    void *array = jobs->jobs;
    if (memory_grow(&array, &jobs->capacity, jobs->count + 1, sizeof *jobs->jobs, NULL) !=
        STATUS_OK)
        return NULL;
    jobs->jobs = array;
    struct job *added = memory_new(1, sizeof *added);
    if (added == NULL) return NULL;
    added->seed = (int64_t)(((uint64_t)config->run.seed + jobs->count) & INT64_MAX);
    added->traffic_class = config->replay.traffic_class;
    added->placement = config->placement;
    added->placement.file = config->placement.file != NULL ? strdup(config->placement.file) : NULL;
    if (config->placement.file != NULL && added->placement.file == NULL) {
        free_job(added);
        return NULL;
    }
    /* without the last row, placement.occupied, which is about the machine */
    const struct setting_section sections[] = {
        {job_rows, sizeof job_rows / sizeof *job_rows, added},
        {job_placement_rows, 1, &added->placement},
        {placement_setting_rows, placement_setting_count - 1, &added->placement},
    };
    memcpy(added->sections, sections, sizeof sections);
    added->settings = (struct settings){added->sections, sizeof sections / sizeof *sections};
    jobs->jobs[jobs->count++] = added;
    return added;
}

void jobs_truncate(anax_jobs *jobs, size_t count) {
    while (jobs->count > count)
        free_job(jobs->jobs[--jobs->count]);
}

/* Uses the folder's name if the file is called "traces", as in "runs/a/traces.otf2". */
char *jobs_name(const char *path) {
    char *copy = strdup(path);
    if (copy == NULL) return NULL;
    for (size_t length = strlen(copy); length > 1 && copy[length - 1] == '/'; length--)
        copy[length - 1] = '\0';
    char *slash = strrchr(copy, '/');
    if (slash != NULL && strcmp(slash, "/traces.otf2") == 0) *slash = '\0';
    slash = strrchr(copy, '/');
    char *start = slash != NULL && slash[1] != '\0' ? slash + 1 : copy;
    char *dot = strrchr(start, '.');
    if (dot != NULL && dot > start) *dot = '\0';
    char *name = strdup(start);
    free(copy);
    return name;
}
