/*
 * The table of the settings of `anax calibrate`: facts that the outputs of benchmarks do not
 * contain.
 */
#include "api/calibrate/calibrate_config.h"

#define MEMBER(name) offsetof(struct calibrate_config, name)

/* The names are in the order of calibrate_distance. */
SETTING_CHOICES(distance_names, "same-router", "same-group", "other-group", "same-node")

const struct setting_row calibrate_setting_rows[] = {
    {"calibrate.distance", SETTING_CHOICE, MEMBER(distance), 0, 0, "same-router", distance_names,
     "where the two nodes of a benchmark are: on one router, on neighbouring routers of a group, "
     "or "
     "in different groups; or that its processes ran on one node",
     false},
    {"calibrate.window", SETTING_COUNT, MEMBER(window), 1, 65536, "64", NULL,
     "messages in flight, of bandwidth benchmarks whose output does not say it (-W of OSU's)",
     false},
    {"calibrate.ranks", SETTING_COUNT, MEMBER(ranks), 0, 1 << 20, "0", NULL,
     "processes of collective benchmarks whose output does not say it; 0: not known", false},
};
const size_t calibrate_setting_count =
    sizeof calibrate_setting_rows / sizeof *calibrate_setting_rows;

const char *calibrate_distance_name(int32_t distance) {
    return distance_names()[distance];
}
