/*
 * The checkpoints of a run through the public interface: which facts decide its results. Knows
 * settings; must not know what is simulated.
 */
#ifndef ANAX_API_RUN_CHECKPOINT_H
#define ANAX_API_RUN_CHECKPOINT_H

#include "api/api.h"
#include "core/checkpoint/checkpoint.h"

/* Returns whether the options ask for checkpoints, or to go on from one. */
static inline bool run_checkpoint_wanted(const anax_options *options) {
    return options->checkpoint_folder != NULL || options->resume_folder != NULL;
}

/* Refuses settings whose results a checkpoint does not hold, such as time bins. STATUS_USAGE. */
status_code run_checkpoint_check_settings(const anax_config *config, struct status *status);

/* Adds the facts that every run has: the build of anax, what the run does, and the settings of a
 * scope with the contents of the files that they name. */
status_code run_checkpoint_facts(struct checkpoint_facts *facts, const anax_config *config,
                                 anax_scope scope, const char *what, struct status *status);

/* Creates the checkpoint object of a run by its options and facts, and clears the facts. Sets
 * *checkpoint to NULL if the options ask for no checkpoints. Errors as for checkpoint_new. */
status_code run_checkpoint_new(struct checkpoint **checkpoint, const anax_options *options,
                               struct checkpoint_facts *facts, struct status *status);

/* Compares the facts of a run, and a hash of what else must be equal, with those of process 0.
 * Returns STATUS_USAGE in all processes if those of one are others. processes may be NULL. */
status_code run_checkpoint_same_everywhere(const struct checkpoint_facts *facts, uint64_t more_hash,
                                           struct processes *processes, struct status *status);

#endif
