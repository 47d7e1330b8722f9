/*
 * What the files of the api room share: the objects behind the public handles.
 *
 * This room puts the others together and turns results into texts. It must not know the command
 * line. Invariant: nothing of core/status.h crosses the public interface but by api_return.
 */
#ifndef ANAX_API_API_H
#define ANAX_API_API_H

#include "anax/anax.h"
#include "api/calibrate/calibrate_config.h"
#include "core/settings.h"
#include "core/status.h"
#include "core/wide.h"
#include "mapping/placement.h"
#include "network/analysis/floor_plan.h"
#include "network/network.h"
#include "network/traffic/background.h"
#include "network/traffic/traffic.h"
#include "replay/hosts.h"
#include "replay/replay.h"
#include "traces/traces.h"

/* Settings of this room: whole runs, and the options of synthetic applications. */
struct api_run_config {
    int64_t seed;
    char *description; /* of the machine or file, for people; NULL for none */
    char *machine;     /* name or path it was chosen by; NULL for none */
};

/* What runs beside a job, and with what it is compared. */
struct api_jobs_config {
    bool alone;                    /* run every job alone too */
    int64_t background_millionths; /* offered load of nodes without ranks; 0: none */
    struct traffic_config background;
};

struct api_generate_config {
    int64_t ranks;
    int64_t iterations;
    int64_t size_bytes;
    int64_t compute_ps;
    int64_t neighbours;
    int64_t root;
};

extern const struct setting_row run_setting_rows[];
extern const size_t run_setting_count;
extern const struct setting_row jobs_setting_rows[];
extern const size_t jobs_setting_count;
extern const struct setting_row generate_setting_rows[];
extern const size_t generate_setting_count;

enum api_section {
    API_SECTION_RUN,
    API_SECTION_NETWORK,
    API_SECTION_PLACEMENT,
    API_SECTION_REPLAY,
    API_SECTION_TRACES,
    API_SECTION_TRAFFIC,
    API_SECTION_GENERATE,
    API_SECTION_FLOOR,
    API_SECTION_JOBS,
    API_SECTION_HOSTS,
    API_SECTION_CALIBRATE,
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
    struct floor_config floor;
    struct api_jobs_config jobs;
    struct hosts_config hosts;
    struct calibrate_config calibrate;
    struct setting_section sections[API_SECTIONS];
    struct settings settings;
    struct network_config machine_network; /* of run.machine, of the defaults without one */
    struct replay_config machine_replay;   /* the same: mpi.*, where the machine sets some */
    bool network_read;                     /* a file gave one of its settings */
    char **files;                          /* that it was read from */
    size_t file_count, file_capacity;
};

struct anax_trace {
    struct program *program;
};

/* A job as a result knows it. */
struct api_job_result {
    char *name;
    const struct program *program;
    int32_t policy; /* of its placement */
    int64_t seed;
    int64_t start_ps;
    uint32_t first_rank; /* in the result; its ranks follow each other */
    int64_t time_ps;     /* from its start to the end of its last rank */
    int64_t alone_ps;    /* the same on a machine without others; -1: not asked for */
};

typedef enum api_result_kind { API_RESULT_REPLAY, API_RESULT_TRAFFIC } api_result_kind;

struct anax_result {
    api_result_kind kind;
    bool completed;
    char *failure;               /* the report of a run that did not complete; NULL otherwise */
    anax_config *config;         /* a copy: results outlive their configuration */
    const anax_trace *trace;     /* of several jobs: joined */
    anax_trace joined;           /* program NULL unless there are several jobs */
    struct api_job_result *jobs; /* of a replay */
    size_t job_count;
    struct placement *placement;
    struct replay_result *replay;
    struct region_time *regions; /* of user regions, if the trace has some */
    uint32_t region_count;
    struct background_totals background; /* nodes 0: none */
    struct network *network;             /* of the replay, or of a single point */
    struct network_totals totals;        /* of traffic: summed over the points */
    int32_t *routings;                   /* of traffic: the policies, and … */
    size_t routing_count;
    struct traffic_point *points; /* … for each of them a point per load */
    size_t points_wanted;
    size_t point_count;                  /* of those that were finished */
    struct traffic_histogram *histogram; /* of a single point; NULL otherwise */
    uint64_t digest;
    double wall_s;
};

/* Hands a status over to the caller of the public interface and clears it. */
anax_code api_return(struct status *status, anax_error *error);

/* Settings sections that matter for a scope. *settings borrows from the config; subset has room for
 * API_SECTIONS entries. */
void api_config_scope(const anax_config *config, anax_scope scope, struct setting_section *subset,
                      struct settings *settings);
/* What is wrong with the settings of a scope as a whole; see anax_config_check. */
status_code api_config_check(const anax_config *config, anax_scope scope, struct status *status);
status_code api_config_new(anax_config **config, struct status *status);
status_code api_config_copy(anax_config **copy, const anax_config *config, struct status *status);
void api_config_swap(anax_config *first, anax_config *second);

/* api_files.c */
/* Remembers a file that the configuration is read from. */
status_code api_config_note(anax_config *config, const char *path, struct status *status);
/* The files that settings name. */
void api_config_visit_files(const anax_config *config,
                            void (*visit)(void *context, const char *path), void *context);

/* machines.c */
/* The path of a machine's file, to be freed. */
status_code machines_find(char **path, const char *name, struct status *status);
status_code machines_visit(void (*visit)(void *context, const char *name, const char *path),
                           void *context, struct status *status);
/* Whether both are names of one file. */
bool machines_same(const char *name, const char *other);

anax_sum api_sum(wide value);

/* Seconds of a monotonic clock, for wall times. */
double api_clock_s(void);

/* The routing policy of a point of traffic. */
static inline int32_t api_point_routing(const anax_result *result, size_t point) {
    return result->routings[point / (result->points_wanted / result->routing_count)];
}

/* The machine that was chosen, whatever was changed about it; see changed_machine_name. */
static inline const char *api_machine_name(const anax_config *config) {
    return config->run.machine != NULL ? config->run.machine : "custom";
}

#endif
