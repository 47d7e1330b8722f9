/* The options of the commands that run many points: traffic, compare and search. */
#include "cli/option_rows.h"

const struct option_row traffic_options[] = {
    OPTION_ROW_MACHINES,
    {.name = "routing",
     .letter = 'r',
     .action = OPTION_ROUTINGS,
     .argument = "NAMES",
     .setting = "network.routing",
     .family = "routing",
     .help = "routing policy, or several for a curve of each: minimal,ugal-l (anax list routing)"},
    OPTION_ROW_MISROUTING,
    {.name = "pattern",
     .letter = 'p',
     .action = OPTION_SETTING,
     .argument = "NAME",
     .setting = "traffic.pattern",
     .family = "traffic",
     .help = "pattern of the traffic (anax list traffic)"},
    {.name = "load",
     .letter = 'l',
     .action = OPTION_LOADS,
     .argument = "LOAD",
     .help = "offered load as a share of the injection bandwidth, more than 0 and at most 1"},
    {.name = "loads",
     .action = OPTION_LOADS,
     .argument = "LIST",
     .help = "several: 0.1,0.5 or first:last:step (default: 0.1:0.9:0.2)"},
    {.name = "saturation",
     .action = OPTION_SATURATION,
     .argument = "WIDTH",
     .help = "instead of loads: search for the saturation load of each curve by bisection, until "
             "it is known to within WIDTH, such as 0.01"},
    OPTION_ROW_VARY,
    {.name = "seeds",
     .action = OPTION_SEEDS,
     .argument = "N",
     .help = "number of seeds for each load: that of --seed and the following ones (default: 1); "
             "with several, results are means with confidence intervals"},
    OPTION_ROW_SEED,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_PRINT_MACHINE,
    OPTION_ROW_LINKS(""),
    OPTION_ROW_TIME_BINS("the load of channels"),
    OPTION_ROW_JSON,
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "DIR",
     .help = "write CSV tables of the points (of a single one also of links, routers and "
             "latencies) into a new folder"},
    {.name = "points",
     .action = OPTION_POINTS,
     .argument = "DIR",
     .help = "folder of finished points, which later runs reuse (default: none)"},
    OPTION_ROWS_PARTS,
    OPTION_ROWS_CHECKPOINT,
    OPTION_ROW_THREADS,
    OPTION_ROW_JOBS,
    OPTION_ROWS_REPORT,
    OPTION_ROW_FORCE,
    OPTION_ROWS_LAST,
};

/* What varies among the candidates of `anax compare` and `anax search`. */
#define OPTION_ROWS_FACTORS                                                                        \
    {.name = "arrangement",                                                                        \
     .letter = 'a',                                                                                \
     .action = OPTION_FACTOR,                                                                      \
     .argument = "NAMES",                                                                          \
     .setting = "network.arrangement",                                                             \
     .family = "arrangements",                                                                     \
     .help = "arrangements of the global links (anax list arrangements), separated by "            \
             "commas"},                                                                            \
        {.name = "routing",                                                                        \
         .letter = 'r',                                                                            \
         .action = OPTION_FACTOR,                                                                  \
         .argument = "NAMES",                                                                      \
         .setting = "network.routing",                                                             \
         .family = "routing",                                                                      \
         .help = "routing policies (anax list routing), separated by commas"},                     \
    {                                                                                              \
        .name = "placement", .letter = 'p', .action = OPTION_FACTOR, .argument = "NAMES",          \
        .setting = "placement.policy", .family = "placement",                                      \
        .help = "placements of ranks on nodes (anax list placement), separated by commas"          \
    }

const struct option_row compare_options[] = {
    OPTION_ROW_MACHINES,
    OPTION_ROWS_FACTORS,
    OPTION_ROW_VARY,
    {.name = "seeds",
     .action = OPTION_SEEDS,
     .argument = "N",
     .help = "number of seeds for each candidate: that of --seed and the following ones "
             "(default: 5)"},
    OPTION_ROW_SEED,
    OPTION_ROW_RANKS_PER_NODE,
    OPTION_ROWS_PART,
    OPTION_ROW_CONFIG,
    OPTION_ROW_SET,
    OPTION_ROW_JSON,
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "DIR",
     .help = "write CSV tables of the candidates and of the points into a new folder"},
    {.name = "negligible",
     .action = OPTION_NEGLIGIBLE,
     .argument = "SHARE",
     .help = "differences below this share of a time are called negligible (default: 0.5%)"},
    OPTION_ROW_KEPT_POINTS,
    OPTION_ROWS_PARTS,
    OPTION_ROW_THREADS,
    OPTION_ROW_JOBS,
    OPTION_ROWS_REPORT,
    OPTION_ROW_FORCE,
    OPTION_ROWS_LAST,
};

const struct option_row search_options[] = {
    OPTION_ROW_MACHINES,
    OPTION_ROWS_FACTORS,
    OPTION_ROW_VARY,
    {.name = "limit",
     .action = OPTION_LIMIT,
     .argument = "FIGURE=LIMITS",
     .help =
         "leave out candidates whose FIGURE exceeds MOST, or is outside LEAST:MOST; figures are "
         "nodes, radix (ports of a router) and cost (dollars, by the settings price.*); may be "
         "repeated"},
    {.name = "seeds",
     .action = OPTION_SEEDS,
     .argument = "N",
     .help = "seeds of the last stage: that of --seed and those after it (default: 5)"},
    OPTION_ROW_SEED,
    OPTION_ROW_RANKS_PER_NODE,
    OPTION_ROWS_PART,
    OPTION_ROW_CONFIG,
    OPTION_ROW_SET,
    OPTION_ROW_JSON,
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "DIR",
     .help = "write CSV tables of the candidates and of the stages into a new folder"},
    OPTION_ROW_KEPT_POINTS,
    OPTION_ROWS_PARTS,
    OPTION_ROW_THREADS,
    OPTION_ROW_JOBS,
    OPTION_ROWS_REPORT,
    OPTION_ROW_FORCE,
    OPTION_ROWS_LAST,
};
