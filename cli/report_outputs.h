/* The outputs --report and --figures, which all commands with a result have. */
#ifndef ANAX_CLI_REPORT_OUTPUTS_H
#define ANAX_CLI_REPORT_OUTPUTS_H

#include "cli/command.h"

/* Checks before a run that the report and the folder of pictures can be written, and that they are
 * none of the other outputs. config may be NULL. */
anax_code report_outputs_check(const struct invocation *invocation, const anax_config *config,
                               anax_error *error);

/* Tells whether the command line asks for a report or for pictures. */
bool report_outputs_wanted(const struct invocation *invocation);

/* Lets a replay keep what its report shows over time, unless the command line says how many time
 * bins to keep. Runs with checkpoints keep none. */
anax_code report_outputs_keep_bins(const struct invocation *invocation, anax_config *config,
                                   anax_error *error);

/* Writes what the command line asks for from the JSON of a result, which it frees. NULL: out of
 * memory. */
anax_code report_outputs_write(const struct invocation *invocation, char *json, anax_error *error);

/* Does the same with a report that is drawn already. */
anax_code report_outputs_write_drawn(const struct invocation *invocation, const anax_report *report,
                                     anax_error *error);

#endif
