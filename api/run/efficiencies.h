/*
 * Times of parts of a replay, for their efficiencies: of each user region, and of each iteration of
 * one region (trace.per_iteration). The times come from the timelines of the replay and of its
 * replays on ideal machines. Private to the api room.
 */
#ifndef ANAX_API_EFFICIENCIES_H
#define ANAX_API_EFFICIENCIES_H

#include "core/base/wide.h"
#include "replay/ideal/ideal_times.h"

/* Numbers of the replays: those on ideal machines have theirs of ideal_times.h; the replay on the
 * described machine follows. */
enum { EFFICIENCIES_PREDICTED = IDEAL_RUNS, EFFICIENCIES_RUNS };

/* A user region, or one iteration of it. */
struct efficiencies_part {
    const char *region;                 /* lives as long as the program */
    uint64_t iteration;                 /* from 1; 0: the region as a whole */
    uint32_t ranks;                     /* number of ranks that enter it */
    wide compute_ps;                    /* computation, summed over its ranks */
    int64_t max_compute_ps;             /* computation of the rank that computes most */
    int64_t time_ps[EFFICIENCIES_RUNS]; /* its time in each replay */
};

struct efficiencies_open;

struct efficiencies {
    const struct program *program;
    const int64_t *start_ps;           /* [rank] start of its job; NULL: all start at 0 */
    uint32_t iterated;                 /* region with times of iterations; PROGRAM_NONE: none */
    struct efficiencies_part *regions; /* [region of the program] */
    struct efficiencies_part *iterations;
    size_t iteration_count, iteration_capacity;
    struct efficiencies_open *open; /* [region]: state on the rank whose timeline is being read */
};

/* Prepares *all without times. The caller clears it with efficiencies_clear, also after an error.
 * iterated: name of the region whose iterations get times; NULL or "": none. *all borrows start_ps.
 * STATUS_MEMORY. */
status_code efficiencies_new(struct efficiencies *all, const struct program *program,
                             const char *iterated, const int64_t *start_ps, struct status *status);
/* Adds the times of replay number `run`, which must have kept its timeline. STATUS_MEMORY. */
status_code efficiencies_add(struct efficiencies *all, unsigned run,
                             const struct replay_result *replay, struct status *status);

/* Frees the times; none are left. */
void efficiencies_clear(struct efficiencies *all);

#endif
