/*
 * The table of the settings of `anax calibrate`: facts that the outputs of benchmarks do not
 * contain.
 */
#include "api/calibrate/calibrate_config.h"

#define MEMBER(name) offsetof(struct calibrate_config, name)

/* The names are in the order of calibrate_distance. */
SETTING_CHOICES(distance_names, "same-router", "same-group", "other-group", "same-node")

const struct setting_row calibrate_setting_rows[] = {
    {.name = "calibrate.distance",
     .kind = SETTING_CHOICE,
     .offset = MEMBER(distance),
     .initial = "same-router",
     .choices = distance_names,
     .help = "where the two nodes of a benchmark are: on one router, on neighbouring routers of a "
             "group, or in different groups; same-node: its processes ran on one node"},
    {.name = "calibrate.window",
     .kind = SETTING_COUNT,
     .offset = MEMBER(window),
     .minimum = 1,
     .maximum = 65536,
     .initial = "64",
     .help = "number of messages in flight, for bandwidth benchmarks whose output does not state "
             "it (-W of OSU's)"},
    {.name = "calibrate.ranks",
     .kind = SETTING_COUNT,
     .offset = MEMBER(ranks),
     .maximum = 1 << 20,
     .initial = "0",
     .help = "number of processes, for benchmarks of collectives whose output does not state it; "
             "0: not known"},
};
const size_t calibrate_setting_count =
    sizeof calibrate_setting_rows / sizeof *calibrate_setting_rows;

const char *calibrate_distance_name(int32_t distance) {
    return distance_names()[distance];
}
