/*
 * Predicted times of the user regions of a replay. Inside of the api room.
 */
#ifndef ANAX_API_REGION_TIMES_H
#define ANAX_API_REGION_TIMES_H

#include "api/api.h"

struct region_time {
    const char *name; /* lives as long as the program */
    uint64_t count;   /* times it was entered, over all ranks */
    uint32_t ranks;   /* that entered it */
    wide time_ps;     /* spent in it, over all ranks; inside itself it counts once */
    wide mpi_ps;      /* of it, in MPI calls */
    int64_t most_ps;  /* of the rank that spent most in it */
    uint32_t most_rank;
    size_t job; /* whose region it is */
};

/* Whether a program holds user regions, and somebody asked for them: a timeline takes 8 bytes for
 * every begin and end of a call, which large runs had better not spend unasked. */
bool region_times_wanted(const struct program *program, const struct traces_config *config);

/* In the order of the program's regions, without those that nobody entered; to be freed. The replay
 * must have kept its timeline. */
status_code region_times_of(const struct program *program, const struct replay_timeline *timeline,
                            struct region_time **times, uint32_t *count, struct status *status);

#endif
