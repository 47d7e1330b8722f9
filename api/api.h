/*
 * Shared declarations of the api room: the objects behind the public handles.
 *
 * This room combines the other rooms and turns results into texts. It reads no arguments of the
 * command; its texts may name commands and options. Invariant: a struct status reaches callers of
 * the public interface only through api_return.
 */
#ifndef ANAX_API_API_H
#define ANAX_API_API_H

#include "anax/anax.h"
#include "api/calibrate/calibrate_config.h"
#include "api/run/efficiencies.h"
#include "core/base/status.h"
#include "core/base/wide.h"
#include "core/settings/settings.h"
#include "mapping/placement.h"
#include "network/analysis/floor_plan.h"
#include "network/network.h"
#include "network/traffic/background.h"
#include "network/traffic/traffic.h"
#include "replay/hosts/hosts.h"
#include "replay/ideal/ideal_times.h"
#include "replay/replay.h"
#include "traces/traces.h"
#include "traces/training.h"

/* Settings of a whole run. */
struct api_run_config {
    int64_t seed;
    char *description; /* description of the machine or file, for people; NULL: none */
    char *machine;     /* name or path that the machine was chosen by; NULL: none */
};

/* Settings of replays of jobs: background traffic, and replays of single jobs to compare with. */
struct api_jobs_config {
    bool replays_alone;            /* also replay each job alone */
    int32_t matrix;                /* replay_matrix_by */
    int64_t background_millionths; /* offered load of nodes without ranks; 0: none */
    struct traffic_config background;
};

/* Settings of `anax extrapolate`; see struct extrapolate_config. */
struct api_extrapolate_config {
    int64_t ranks;
    char *grid; /* extents such as 16x16x8; NULL or "": by the rule of the series */
    bool approximate;
    int32_t scaling; /* extrapolate_scaling */
};

struct api_generate_config {
    int64_t ranks;
    int64_t iterations;
    int64_t size_bytes;
    int64_t compute_ps;
    int64_t neighbours;
    int64_t root;
    int64_t window;
    int64_t edge;
    bool has_barrier;
};

/* What else a run keeps for its result. */
struct api_record_config {
    int64_t time_bins; /* most time bins; -1: none */
    int64_t rank_rows; /* most rows of ranks in time bins */
    char *links;       /* links that are watched, see watched_links.h; NULL: none */
};

/* The search for a placement by exchange of ranks (api/search/placement_search.h). */
struct api_exchange_config {
    int64_t placements; /* most placements that the search by link loads tries; 0: no search */
    int64_t replays;    /* most placements that the search by replays after it tries; 0: none */
};

extern const struct setting_row api_run_setting_rows[];
extern const size_t api_run_setting_count;
extern const struct setting_row api_jobs_setting_rows[];
extern const size_t api_jobs_setting_count;
extern const struct setting_row api_record_setting_rows[];
extern const size_t api_record_setting_count;
extern const struct setting_row api_extrapolate_setting_rows[];
extern const size_t api_extrapolate_setting_count;
extern const struct setting_row api_exchange_setting_rows[];
extern const size_t api_exchange_setting_count;
extern const struct setting_row api_generate_setting_rows[];
extern const size_t api_generate_setting_count;

enum api_section {
    API_SECTION_RUN,
    API_SECTION_NETWORK,
    API_SECTION_PLACEMENT,
    API_SECTION_REPLAY,
    API_SECTION_TRACES,
    API_SECTION_TRAFFIC,
    API_SECTION_GENERATE,
    API_SECTION_TRAINING,
    API_SECTION_FLOOR,
    API_SECTION_JOBS,
    API_SECTION_HOSTS,
    API_SECTION_CALIBRATE,
    API_SECTION_RECORD,
    API_SECTION_EXTRAPOLATE,
    API_SECTION_EXCHANGE,
    API_SECTIONS
};

struct anax_config {
    struct api_run_config run;
    struct network_config network;
    struct placement_config placement;
    struct replay_config replay;
    struct traces_config traces;
    struct traffic_config traffic;
    struct api_generate_config generate;
    struct training_config training;
    struct floor_config floor;
    struct api_jobs_config jobs;
    struct hosts_config hosts;
    struct calibrate_config calibrate;
    struct api_record_config record;
    struct api_extrapolate_config extrapolate;
    struct api_exchange_config exchange;
    struct setting_section sections[API_SECTIONS];
    struct settings settings;
    struct network_config machine_network; /* of run.machine; without one, the defaults */
    struct replay_config machine_replay;   /* its mpi.* settings, else defaults */
    bool has_read_network; /* anax_config_load has read a file that has a setting network.* */
    char **files;          /* paths of the files that the configuration was read from */
    size_t file_count, file_capacity;
};

struct anax_trace {
    struct program *program;
    bool has_storage; /* the machine of the settings with which it was opened has I/O nodes */
};

/* A job in a result. */
struct api_job_result {
    char *name;
    const struct program *program;
    int32_t policy; /* policy of its placement, an index of placement_policies() */
    int64_t seed;
    int64_t start_ps;
    int64_t traffic_class;
    uint32_t first_rank; /* first rank of the job in the result; its ranks are contiguous */
    int64_t time_ps;     /* time from the job's start to the end of its last rank */
    int64_t alone_ps;    /* time_ps of the job replayed alone; -1: not replayed alone */
};

/* What the results of replays and of traffic have in common. */
struct api_run {
    bool completed;
    char *failure;                /* error text of a run that did not complete; NULL otherwise */
    anax_config *config;          /* a copy, because results outlive their configuration */
    struct network *network;      /* network of a replay, or of a single point of traffic */
    struct network_totals totals; /* of traffic: summed over its points */
    int32_t *routings;            /* routing policies of traffic */
    size_t routing_count;         /* 0: the policy is that of the configuration */
    uint64_t digest;              /* of a run that completed; else 0 */
    double wall_s;
    unsigned process_count;      /* number of processes that simulated together */
    struct processes *processes; /* these; NULL: one alone */
};

struct anax_replay_result {
    struct api_run run;
    const anax_trace *trace; /* trace of the replay; for several jobs: &joined */
    anax_trace joined;       /* joined program of several jobs; program is NULL otherwise */
    struct api_job_result *jobs;
    size_t job_count;
    struct placement *placement;
    struct replay_result *replay;
    struct ideal_times ideal;         /* if the replay explains its time */
    struct efficiencies efficiencies; /* likewise; empty if there are no user regions */
    struct region_time *regions;      /* times of user regions; NULL if there are none */
    uint32_t region_count;
    int64_t advised_ps;   /* shortest time with a change that the verdict tried; -1: unknown */
    uint32_t advised;     /* the change with that time: index of the advice (verdict_find_advice) */
    uint32_t not_advised; /* bit i: the replay with change i could not finish */
    struct background_totals background; /* background traffic; nodes is 0 without it */
};

/* Returns the number of the job that a rank of the result belongs to. */
static inline size_t api_job_of(const anax_replay_result *result, uint32_t rank) {
    size_t job = 0;
    while (job + 1 < result->job_count && rank >= result->jobs[job + 1].first_rank)
        job++;
    return job;
}

struct anax_traffic_result {
    struct api_run run;
    struct traffic_sweep *sweep;         /* curves and points */
    struct traffic_histogram *histogram; /* of a single point, else NULL */
    bool ascii_only;                     /* anax_options.ascii_only */
};

struct anax_processes {
    struct processes *joined; /* core/processes/processes.h */
};

/* Returns the processes that simulate a run together; NULL: this one alone. */
static inline struct processes *api_processes(const anax_options *options) {
    return options->processes != NULL ? options->processes->joined : NULL;
}

/* Moves a status into the caller's error (may be NULL), clears the status, and returns its code. */
anax_code api_return(struct status *status, anax_error *error);

/* Hands both texts of a report to the caller. If either of as_text and as_json is NULL, because
 * memory ran out, frees the other, sets neither *text nor *json, and returns STATUS_MEMORY. */
status_code api_take_report(char **text, char *as_text, char **json, char *as_json,
                            struct status *status);

/* Sets *settings to the sections of settings that have an effect in a scope. *settings borrows from
 * the config and from subset, which has room for API_SECTIONS entries. */
void api_config_find_scope(const anax_config *config, anax_scope scope,
                           struct setting_section *subset, struct settings *settings);
/* Calls visit with the name and the value of each setting that decides results in a scope. */
status_code api_config_visit(const anax_config *config, anax_scope scope,
                             void (*visit)(void *context, const char *name, const char *text),
                             void *context, struct status *status);
/* Checks the settings of a scope as a whole; see anax_config_check. */
status_code api_config_check(const anax_config *config, anax_scope scope, struct status *status);

/* Checks that the machine has a traffic class. name: the setting that gives it, for messages.
 * STATUS_USAGE. */
status_code api_check_class(const anax_config *config, const char *name, int64_t traffic_class,
                            struct status *status);
/* Returns the value of a setting as anax_config_get does; NULL: out of memory. */
char *api_config_value(const anax_config *config, const char *name);

/* Creates a configuration of defaults, which anax_config_free frees. */
status_code api_config_new(anax_config **config, struct status *status);
/* Creates a copy of a configuration. */
status_code api_config_copy(anax_config **copy, const anax_config *config, struct status *status);
/* Exchanges the contents of two configurations. */
void api_config_swap(anax_config *first, anax_config *second);

/* api_files.c: adds a file to the list of files that the configuration was read from. */
status_code api_config_add_file(anax_config *config, const char *path, struct status *status);
/* api_files.c: calls visit for each file that a setting names. */
void api_config_visit_files(const anax_config *config,
                            void (*visit)(void *context, const char *path), void *context);

/* Returns the most time bins that a run keeps; 0: none. */
static inline uint32_t api_time_bins(const anax_config *config) {
    return config->record.time_bins > 0 ? (uint32_t)config->record.time_bins : 0;
}

/* Returns a wide value as a sum of the public interface. */
anax_sum api_sum(wide value);

/* Returns the seconds of a monotonic clock, for wall times. */
double api_clock_s(void);

/* Returns the name of the chosen machine, even if settings have changed it; see
 * changed_machine_name. */
static inline const char *api_machine_name(const anax_config *config) {
    return config->run.machine != NULL ? config->run.machine : "custom";
}

#endif
