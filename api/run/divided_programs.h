/*
 * Programs of jobs that processes divide among them (traces/program/file/program_division.h): each
 * process has in memory the operations of the ranks that it simulates. What needs the operations of
 * all ranks, process 0 alone does for all. Knows jobs, placements and processes; must not know what
 * is simulated.
 *
 * For programs that are not divided, these functions do what one process would do, except that
 * divided_gather_times gathers the times of all replays by several processes.
 */
#ifndef ANAX_API_DIVIDED_PROGRAMS_H
#define ANAX_API_DIVIDED_PROGRAMS_H

#include "api/result.h"
#include "api/run/jobs.h"
#include "api/run/place.h"

/* Makes sure that the ranks which this process simulates under a placement are in memory, and no
 * others, unless all are in a temporary file because packing does not pay. */
status_code divided_load_own(const struct program *program, const struct placement *placement,
                             const struct network_config *network, struct processes *processes,
                             struct status *status);
/* Gives up the ranks that are in memory, if the program is divided. */
status_code divided_load_none(const struct program *program, struct status *status);

/* Gives process 0 the times of all ranks of a result with a timeline. */
status_code divided_gather_times(const anax_replay_result *result, struct processes *processes,
                                 struct status *status);

/* Joins the programs of the result's jobs to result->joined. If the program of any job is divided,
 * so is what it makes. */
status_code divided_join(anax_replay_result *result, const anax_options *options,
                         struct status *status);

/* Places a job as place_on_free_nodes does. */
status_code divided_place(struct placement **placement, const anax_config *config,
                          const struct job *job, const struct place_nodes *nodes,
                          struct processes *processes, struct status *status);

#endif
