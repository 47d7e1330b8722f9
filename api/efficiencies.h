/*
 * Efficiencies of parts of a replay: of each user region, and of each iteration of one
 * (trace.per_iteration). A replay that explains its time and its replays on ideal machines give the
 * times of each part. Private to the api room.
 */
#ifndef ANAX_API_EFFICIENCIES_H
#define ANAX_API_EFFICIENCIES_H

#include "core/base/wide.h"
#include "replay/ideal_times.h"

/* The replays, and the predicted one. */
enum { EFFICIENCIES_PREDICTED = IDEAL_RUNS, EFFICIENCIES_RUNS };

struct efficiencies_part {
    const char *region; /* lives as long as the program */
    uint64_t iteration; /* from 1; 0: the region as a whole */
    uint32_t ranks;     /* that are in it */
    wide compute_ps;    /* computation, over all ranks */
    int64_t most_compute_ps;
    int64_t time_ps[EFFICIENCIES_RUNS];
};

struct efficiencies_open;

struct efficiencies {
    const struct program *program;
    const int64_t *start_ps;           /* per rank; NULL: all at 0 */
    uint32_t iterated;                 /* the region; PROGRAM_NONE: none */
    struct efficiencies_part *regions; /* per region of the program; ranks is 0: nobody enters it */
    struct efficiencies_part *iterations;
    size_t iteration_count, iteration_capacity;
    struct efficiencies_open *open; /* per region: on the rank that is looked at */
};

/* Prepares an empty *all, to be cleared with efficiencies_clear also after errors. iterated is the
 * name of a region that the program has, NULL or "". STATUS_MEMORY. */
status_code efficiencies_new(struct efficiencies *all, const struct program *program,
                             const char *iterated, const int64_t *start_ps, struct status *status);
/* Takes the times of a replay that kept its timeline. STATUS_MEMORY. */
status_code efficiencies_add(struct efficiencies *all, unsigned run,
                             const struct replay_result *replay, struct status *status);
void efficiencies_clear(struct efficiencies *all);

#endif
