/*
 * Predicted times of the user regions of a replay, and recorded ones of a trace. Private to the api
 * room.
 */
#ifndef ANAX_API_REGION_TIMES_H
#define ANAX_API_REGION_TIMES_H

#include "api/api.h"

struct region_time {
    const char *name; /* lives as long as the program */
    uint64_t count;   /* number of entries, over all ranks */
    uint32_t ranks;   /* number of ranks that entered it */
    wide time_ps;     /* time in it, over all ranks; nested entries of itself count once */
    wide mpi_ps;      /* part of time_ps in MPI calls */
    int64_t max_ps;   /* time of the rank that spent most in it */
    uint32_t max_rank;
    size_t job; /* index of the job that it belongs to */
};

/* Returns whether a program has user regions and the settings ask for their times. Times need a
 * timeline, which takes 8 bytes for each begin and end of a call, so they are not computed by
 * default. */
bool region_times_are_wanted(const struct program *program, const struct traces_config *config);

/* Computes the times of the user regions that were entered, in the order of the program's regions.
 * The caller frees *times. The replay must have kept its timeline. */
status_code region_times_compute(const struct program *program,
                                 const struct replay_timeline *timeline, struct region_time **times,
                                 uint32_t *count, struct status *status);

/* Computes the recorded times of the user regions, from the times of the trace. */
status_code region_times_compute_recorded(const struct program *program, struct region_time **times,
                                          uint32_t *count, struct status *status);

#endif
