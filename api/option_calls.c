/* Which call reads which members of anax_options, in the order of the table in anax/options.h. */
#include "api/option_calls.h"

#include <string.h>

enum {
    OPENS = CALL_READS_THREADS | CALL_READS_PROGRESS | CALL_READS_PROCESSES,
    WORKS = CALL_READS_THREADS | CALL_READS_PROGRESS,
    REPLAYS = WORKS | CALL_READS_PROCESSES | CALL_READS_TIMELINE | CALL_READS_ADVISE |
              CALL_READS_EXPLAIN | CALL_READS_CHECKPOINTS,
    SWEEPS = WORKS | CALL_READS_POINTS_AT_ONCE,
    TRAFFIC = SWEEPS | CALL_READS_PROCESSES | CALL_READS_ASCII_ONLY | CALL_READS_CHECKPOINTS
};

const struct option_call option_calls[] = {
    {"anax_trace_open", NULL, OPENS},
    {"anax_trace_write_program", NULL, CALL_READS_THREADS | CALL_READS_REPLACE},
    {"anax_trace_export_file", NULL, CALL_READS_REPLACE},
    {"anax_jobs_add", NULL, OPENS},
    {"anax_jobs_load", NULL, OPENS},
    {"anax_replay", "a replay", REPLAYS},
    {"anax_jobs_replay", "a replay", REPLAYS},
    {"anax_replay_result_write_perfetto", NULL, CALL_READS_REPLACE},
    {"anax_traffic", "traffic", TRAFFIC},
    {"anax_traffic_curves", "traffic", TRAFFIC},
    {"anax_traffic_sweep", "traffic", TRAFFIC},
    {"anax_traffic_part", "a part of traffic", SWEEPS | CALL_READS_CHECKPOINTS},
    {"anax_compare", "a comparison", SWEEPS | CALL_READS_ASCII_ONLY},
    {"anax_compare_part", "a part of a comparison", SWEEPS},
    {"anax_search_run", "a search", SWEEPS | CALL_READS_ASCII_ONLY},
    {"anax_search_part", "a part of a search", SWEEPS},
    {"anax_place", "a placement", WORKS},
    {"anax_placement_write_rank_file", NULL, CALL_READS_REPLACE},
    {"anax_bisection_new", "a bisection", WORKS},
    {"anax_bisection_write_curves", NULL, CALL_READS_REPLACE},
    {"anax_calibrate", "a calibration", WORKS},
    {"anax_extrapolate", "an extrapolation", WORKS},
    {"anax_text_write", NULL, CALL_READS_REPLACE},
    {"anax_file_check", NULL, CALL_READS_REPLACE},
    /* functions for the command alone */
    {"api_search_count_parts", "a search", SWEEPS},
    {"api_components_conjectures", NULL, WORKS},
};

const size_t option_call_count = sizeof option_calls / sizeof *option_calls;

const struct option_call *option_call_find(const char *name) {
    for (size_t i = 0; i < option_call_count; i++)
        if (strcmp(option_calls[i].name, name) == 0) return &option_calls[i];
    return NULL;
}
