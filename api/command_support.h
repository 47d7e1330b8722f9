/*
 * Functions of the library for the command `anax` alone. This header is neither installed nor
 * exported: the command is linked with the static library. The rules of anax/anax.h apply.
 *
 * This is the only header of api/ that cli/ may include. It must include nothing but anax/anax.h,
 * so that the command sees no more of the library than this.
 */
#ifndef ANAX_API_COMMAND_SUPPORT_H
#define ANAX_API_COMMAND_SUPPORT_H

#include "anax/anax.h"

/* Returns the candidate nearest to a mistyped word, or NULL if none is near. */
const char *api_nearest(const char *word, const char *const *candidates, size_t count);

/* Calls visit for the words that a setting takes, such as its choices, or on and off. For unknown
 * settings, and those without such words, it is not called. */
void api_visit_setting_choices(const char *setting, void (*visit)(void *context, const char *word),
                               void *context);

/* Returns whether a setting is the path of a file; false for unknown settings. */
bool api_setting_is_path(const char *setting);

/* Returns whether a synthetic application depends on a setting; false for unknown patterns or
 * settings. */
bool api_pattern_uses(const char *pattern, const char *setting);

/* Checks that writing to `path`, a file or a folder, does not touch an input, under any name or
 * link. Inputs are the files that config (may be NULL) was read from or that its settings name, the
 * files or folders of `inputs`, and the archives that these are or contain. ANAX_ERROR_USAGE:
 * `path` is an input, or lies in the folder of an input archive's events. Inputs that do not exist
 * are ignored. */
anax_code api_check_apart(const char *path, const anax_config *config, const char *const *inputs,
                          size_t input_count, anax_error *error);

/* Returns ANAX_ERROR_USAGE if `path`, to be written, is inside `folder`, whose files the command
 * reads.
 */
anax_code api_check_outside(const char *path, const char *folder, anax_error *error);

/* Returns how many ranks of a recording do not reach MPI_Finalize; 0 for other traces. */
uint64_t api_trace_count_cut_ranks(const anax_trace *trace);

/* Returns what to know before a trace is replayed with config, one warning per line: that the
 * replay takes long, and settings that do not suit the trace. "" if there is nothing. The caller
 * frees the text. */
char *api_warnings_before(const anax_config *config, const anax_trace *trace);

/* Does the same for all jobs. */
char *api_jobs_warnings_before(const anax_config *config, const anax_jobs *jobs);

/* Returns the number of ranks of all jobs together. */
uint32_t api_jobs_count_ranks(const anax_jobs *jobs);

/* Follows the symbolic links of `path` and returns the path that they lead to, whether or not a
 * file exists there; the caller frees it. NULL: `path` is an open file of this process
 * (/dev/stdout), it has too many links, or memory ran out. */
char *api_follow_output(const char *path);

/* Removes the unfinished output of this process at `path`, a file or a folder, when a signal ends
 * the command. Other threads may still be writing to the output, so the process should end at once.
 * Must not be called in a signal handler, but in a thread of its own. */
void api_abandon(const char *path);

/* Removes the unfinished points that anax_compare writes into a folder; the rules of api_abandon
 * apply. */
void api_abandon_points(const char *folder);

/* Removes the unfinished file of this process in a folder of checkpoints; the rules of api_abandon
 * apply. */
void api_abandon_checkpoint(const char *folder);
/* Returns whether a folder has a checkpoint. */
bool api_has_checkpoint(const char *folder);

/* Sets *parts to the number of parts into which a comparison is best cut: at most 1000 parts, which
 * take 5 minutes or more each if the missing points take as long as those in the plan's folder.
 * Without points in the folder it is the number of points, and at most 100. Errors as for
 * anax_compare. */
anax_code api_compare_count_parts(unsigned *parts, const anax_compare_plan *plan,
                                  const anax_options *options, anax_error *error);

/* Does the same for a sweep of traffic. Errors as for anax_traffic_sweep. */
anax_code api_traffic_count_parts(unsigned *parts, const anax_traffic_plan *plan,
                                  const anax_options *options, anax_error *error);

/* Does the same for the first stage of a search. Errors as for anax_search_run. */
anax_code api_search_count_parts(unsigned *parts, const anax_search_plan *plan,
                                 const anax_options *options, anax_error *error);

/* Computes cables and cost of dragonflies, flattened butterflies, folded Clos networks and 3-D tori
 * of 1K to 64K nodes, after Kim et al. 2008, Figure 19, with the settings floor.*, price.* and
 * network.global.bandwidth. Sets *text and *json (schema anax.rivals/2), which the caller frees. */
anax_code api_compute_rivals(char **text, char **json, const anax_config *config,
                             anax_error *error);

/* Verifies by computation that the arrangements nautilus and helix form one global connected
 * component on full machines, for the sizes of Belka et al. 2017, section 4. Takes some seconds.
 * Sets *text and *json (schema anax.gcc-conjectures/1), which the caller frees. ANAX_ERROR_RUN:
 * there is an exception, and *text and *json are set as on success. ANAX_ERROR_STOPPED:
 * options.progress stopped the run, and they are NULL. */
anax_code api_components_conjectures(char **text, char **json, const anax_options *options,
                                     anax_error *error);

/* Returns whether this process has failed and could not tell the others, so that it has to print
 * its error itself; false for NULL. */
bool api_cannot_tell(const anax_processes *processes);

/* Returns whether processes of the launcher that started this one can find each other. */
bool api_launch_joins(void);

/* Lets the launcher end all processes, after anax_processes_begin has failed in this one. */
void api_give_up(int exit_code);

/* Returns how many reads and writes of files a trace has. */
uint64_t api_trace_count_file_accesses(const anax_trace *trace);

/* Writes the path of the library that `anax record` preloads. Returns false if there is none. */
bool api_find_recorder(char *path, size_t path_bytes);

#endif
