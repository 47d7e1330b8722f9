/*
 * The options of each command, as tables that end with a row without a name. The parser of command
 * lines, the help texts, the manual pages and the shell completion all read these tables.
 */
#ifndef ANAX_CLI_COMMAND_OPTIONS_H
#define ANAX_CLI_COMMAND_OPTIONS_H

#include "cli/command.h"

extern const struct option_row replay_options[];
extern const struct option_row place_options[];
extern const struct option_row traffic_options[];
extern const struct option_row compare_options[], search_options[];
extern const struct option_row diff_options[];
extern const struct option_row report_options[];
extern const struct option_row info_options[];
extern const struct option_row convert_options[];
extern const struct option_row record_options[], extrapolate_options[];
extern const struct option_row export_options[];
extern const struct option_row generate_options[];
extern const struct option_row topology_options[];
extern const struct option_row bisection_options[];
extern const struct option_row calibrate_options[];
extern const struct option_row list_options[];
extern const struct option_row help_options[];

#endif
