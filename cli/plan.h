/*
 * What `anax compare`, `anax search` and `anax traffic` have in common: several machines, settings
 * that vary, the folder of kept points, and parts of the work.
 */
#ifndef ANAX_CLI_PLAN_H
#define ANAX_CLI_PLAN_H

#include "cli/run.h"

/* Of what a plan is made: what its members point to. */
struct plan_inputs {
    char *machine_names; /* the list of machines, split in place */
    anax_config **machines;
    size_t machine_count;
    char **factors;
    size_t factor_count;
    anax_trace **traces;
    size_t trace_count;
    char *folder; /* folder of kept points; NULL: none */
};

/* Frees what the inputs of a plan own. */
void plan_free(struct plan_inputs *inputs);

/* What one of these commands does. */
struct plan_kind {
    bool has_traces; /* its arguments are traces, and finished points are kept without --points */
    /* Sets *count to the number of parts that kept times suggest. */
    anax_code (*count_parts)(unsigned *count, const struct plan_inputs *inputs,
                             const struct invocation *invocation, const anax_options *options,
                             anax_error *error);
    /* Runs all points, or those of a part, and prints the result or a summary. Returns the exit
     * code. */
    int (*run)(const struct plan_inputs *inputs, const struct invocation *invocation,
               const anax_options *options, struct run_progress *progress);
};

/* Makes the plan of an invocation, and runs it or prints the commands of its parts. Returns the
 * exit code. */
int plan_run(const struct invocation *invocation, const struct plan_kind *command);

/* Chooses the folder of kept points: that of --points, otherwise a cache if cached, otherwise none.
 * If no cache can be made, no points are kept, and a message says so. */
void plan_choose_folder(struct plan_inputs *inputs, const struct invocation *invocation,
                        bool cached);

/* Checks the folder of points: it must be none of the inputs, and not inside the folder of the
 * tables. Also checks that --part and --emit have a folder. */
anax_code plan_check_folder(const struct plan_inputs *inputs, const struct invocation *invocation,
                            anax_error *error);

/* Checks which of --part, --emit, --parts and the outputs go together. Prints an error. */
bool plan_check_options(const struct invocation *invocation);

/* What an interruptible run needs while it shows its progress. */
struct plan_watch {
    const anax_options *shown; /* shows progress */
    bool tells_wait; /* progress is not shown, and a wait for other processes has not been told */
};
/* Sets the options so that a run stops after a first signal, with its points kept. `shown` shows
 * progress. Both it and the watch, which the function sets, outlive the run. */
void plan_begin_interruptible(struct plan_watch *watch, anax_options *options,
                              const anax_options *shown, const struct plan_inputs *inputs,
                              const struct invocation *invocation);
/* Ends what plan_begin_interruptible began. */
void plan_end_interruptible(void);

/* Prints how many points were found or damaged, to the standard error. */
void plan_print_found(size_t points, size_t found, size_t damaged,
                      const struct invocation *invocation);

/* Prints the summary of a part. Returns the exit code; needs_all: not 0 if a point has failed. */
int plan_print_part(const anax_sweep_part *part, const struct plan_inputs *inputs,
                    const struct invocation *invocation, bool needs_all);

/* Prints the commands of all parts, as --emit asks for. count: number of parts that kept times
 * suggest. Returns the exit code. */
int plan_emit(const struct invocation *invocation, const struct plan_inputs *inputs,
              unsigned count);

#endif
