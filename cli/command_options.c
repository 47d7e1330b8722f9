/* The options of each command, as tables. Knows no command. */
#include "cli/command_options.h"

#include <stddef.h>

#define OPTION_ROW_MACHINE                                                                         \
    {                                                                                              \
        "machine", 'm', OPTION_MACHINE, "NAME", NULL, "machines",                                  \
            "named machine (anax list machines) or machine file (.yaml)"                           \
    }
#define OPTION_ROW_ROUTING                                                                         \
    {                                                                                              \
        "routing", 'r', OPTION_SETTING, "NAME", "network.routing", "routing",                      \
            "routing policy (anax list routing)"                                                   \
    }
#define OPTION_ROW_MISROUTING                                                                      \
    {                                                                                              \
        "misrouting", 0, OPTION_SETTING, "NAME", "network.misrouting", "misrouting",               \
            "links of non-minimal paths (anax list misrouting)"                                    \
    }
#define OPTION_ROW_FROM                                                                            \
    {                                                                                              \
        "from", 0, OPTION_SETTING, "REGION[#n]", "trace.from", NULL,                               \
            "leave out what comes before: each rank begins where it enters the region, for the "   \
            "n-th time (default: first); or a time"                                                \
    }
#define OPTION_ROW_TO                                                                              \
    {                                                                                              \
        "to", 0, OPTION_SETTING, "REGION[#n]", "trace.to", NULL,                                   \
            "leave out what follows: each rank ends where it leaves the region, for the n-th "     \
            "time (default: last); or a time"                                                      \
    }
#define OPTION_ROW_REPEAT                                                                          \
    {                                                                                              \
        "repeat", 0, OPTION_SETTING, "REGION[#n]*N", "trace.repeat", NULL,                         \
            "carry out what lies in the region N times: from its first entering to its last "      \
            "leaving, or only the n-th time, on all ranks"                                         \
    }
#define OPTION_ROW_SEED                                                                            \
    { "seed", 's', OPTION_SETTING, "N", "seed", NULL, "number that all random choices follow from" }
#define OPTION_ROW_CONFIG                                                                          \
    {                                                                                              \
        "config", 'c', OPTION_CONFIG, "FILE", NULL, NULL,                                          \
            "read settings from a YAML file; may be repeated"                                      \
    }
#define OPTION_ROW_SET                                                                             \
    {                                                                                              \
        "set", 0, OPTION_PAIR, "NAME=VALUE", NULL, "settings",                                     \
            "set one setting (anax list settings); may be repeated"                                \
    }
#define OPTION_ROW_PRINT_CONFIG                                                                    \
    {                                                                                              \
        "print-config", 0, OPTION_PRINT_CONFIG, NULL, NULL, NULL,                                  \
            "print the effective settings as a file for --config, and stop"                        \
    }
#define OPTION_ROW_THREADS                                                                         \
    {                                                                                              \
        "threads", 't', OPTION_THREADS, "N", NULL, NULL,                                           \
            "threads to use (default: as many as help); results are the same for any number"       \
    }
#define OPTION_ROW_JOBS                                                                            \
    {                                                                                              \
        "jobs", 0, OPTION_JOBS, "N", NULL, NULL,                                                   \
            "points that run at once, sharing the threads (default: one per thread; one in all "   \
            "on machines of more than 32768 nodes, for their memory)"                              \
    }
#define OPTION_ROW_JSON                                                                            \
    { "json", 'j', OPTION_JSON, NULL, NULL, NULL, "print JSON, see anax-json(5)" }
#define OPTION_ROW_FORCE                                                                           \
    {                                                                                              \
        "force", 0, OPTION_FORCE, NULL, NULL, NULL,                                                \
            "replace a file that exists already by the one that is written; folders never are"     \
    }
#define OPTION_ROW_QUIET                                                                           \
    { "quiet", 'q', OPTION_QUIET, NULL, NULL, NULL, "show no progress" }
#define OPTION_ROW_HELP                                                                            \
    { "help", 'h', OPTION_HELP, NULL, NULL, NULL, "explain this command" }
#define OPTION_ROW_END                                                                             \
    { NULL, 0, OPTION_HELP, NULL, NULL, NULL, NULL }

#define OPTION_ROW_PLACEMENT                                                                       \
    {                                                                                              \
        "placement", 'p', OPTION_SETTING, "NAME", "placement.policy", "placement",                 \
            "which node each rank runs on (anax list placement)"                                   \
    }
#define OPTION_ROW_RANKS_PER_NODE                                                                  \
    {                                                                                              \
        "ranks-per-node", 'n', OPTION_SETTING, "N", "placement.ranks_per_node", NULL,              \
            "ranks that share a node"                                                              \
    }

/* Groups of rows that several commands share. */
#define OPTION_ROWS_PART   OPTION_ROW_FROM, OPTION_ROW_TO, OPTION_ROW_REPEAT
#define OPTION_ROWS_CONFIG OPTION_ROW_CONFIG, OPTION_ROW_SET, OPTION_ROW_PRINT_CONFIG
#define OPTION_ROWS_LAST   OPTION_ROW_QUIET, OPTION_ROW_HELP, OPTION_ROW_END

const struct option_row replay_options[] = {
    OPTION_ROW_MACHINE,
    OPTION_ROW_ROUTING,
    OPTION_ROW_MISROUTING,
    OPTION_ROW_PLACEMENT,
    OPTION_ROW_RANKS_PER_NODE,
    {"jobs", 0, OPTION_JOB_LIST, "FILE", NULL, NULL,
     "replay the jobs that a YAML file lists, instead of TRACE"},
    {"background", 0, OPTION_SETTING, "PATTERN", "background.pattern", "traffic",
     "whom nodes without ranks send to (anax list traffic); needs --background-load"},
    {"background-load", 0, OPTION_SETTING, "LOAD", "background.load", NULL,
     "offered load of nodes without ranks, a share of the injection bandwidth"},
    OPTION_ROW_SEED,
    OPTION_ROWS_PART,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_JSON,
    {"output", 'o', OPTION_OUTPUT, "DIR", NULL, NULL,
     "write CSV tables per rank, MPI call, link and pair of groups into a new folder"},
    {"timeline", 0, OPTION_TIMELINE, "DIR", NULL, NULL,
     "write the predicted run as an OTF2 archive into a new folder"},
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row place_options[] = {
    {"trace", 'T', OPTION_TRACE, "TRACE", NULL, NULL, "the trace, instead of as an argument"},
    OPTION_ROW_MACHINE,
    OPTION_ROW_PLACEMENT,
    OPTION_ROW_RANKS_PER_NODE,
    OPTION_ROW_SEED,
    OPTION_ROWS_PART,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_JSON,
    {"output", 'o', OPTION_OUTPUT, "FILE", NULL, NULL,
     "write the mapping as a rank file, for --placement rankfile"},
    OPTION_ROW_FORCE,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row traffic_options[] = {
    OPTION_ROW_MACHINE,
    {"routing", 'r', OPTION_ROUTINGS, "NAMES", "network.routing", "routing",
     "routing policy, or several for a curve of each: minimal,ugal-l (anax list routing)"},
    OPTION_ROW_MISROUTING,
    {"pattern", 'p', OPTION_SETTING, "NAME", "traffic.pattern", "traffic",
     "who sends to whom (anax list traffic)"},
    {"load", 'l', OPTION_LOADS, "LOAD", NULL, NULL,
     "offered load as a share of the injection bandwidth, more than 0 and at most 1"},
    {"loads", 0, OPTION_LOADS, "LIST", NULL, NULL,
     "several: 0.1,0.5 or first:last:step (default: 0.1:0.9:0.2)"},
    OPTION_ROW_SEED,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_JSON,
    {"output", 'o', OPTION_OUTPUT, "DIR", NULL, NULL,
     "write CSV tables of the points (of a single one also of links, routers and latencies) into a "
     "new folder"},
    OPTION_ROW_THREADS,
    OPTION_ROW_JOBS,
    OPTION_ROWS_LAST,
};

const struct option_row compare_options[] = {
    {"machine", 'm', OPTION_MACHINE, "NAMES", NULL, "machines",
     "named machines or machine files, separated by commas"},
    {"arrangement", 'a', OPTION_FACTOR, "NAMES", "network.arrangement", "arrangements",
     "how the groups' global channels are paired (anax list arrangements), separated by commas"},
    {"routing", 'r', OPTION_FACTOR, "NAMES", "network.routing", "routing",
     "routing policies (anax list routing), separated by commas"},
    {"placement", 'p', OPTION_FACTOR, "NAMES", "placement.policy", "placement",
     "which node each rank runs on (anax list placement), separated by commas"},
    {"vary", 0, OPTION_VARY, "NAME=VALUES", NULL, "settings",
     "any other setting and its values, separated by commas; may be repeated"},
    {"seeds", 0, OPTION_SEEDS, "N", NULL, NULL,
     "how many seeds each candidate is run with: that of --seed and those after it (default: 5)"},
    OPTION_ROW_SEED,
    OPTION_ROW_RANKS_PER_NODE,
    OPTION_ROWS_PART,
    OPTION_ROW_CONFIG,
    OPTION_ROW_SET,
    OPTION_ROW_JSON,
    {"output", 'o', OPTION_OUTPUT, "DIR", NULL, NULL,
     "write CSV tables of the candidates and of the points into a new folder"},
    {"points", 0, OPTION_POINTS, "DIR", NULL, NULL,
     "folder in which finished points are kept and found again (default: anax/points in "
     "$XDG_CACHE_HOME or ~/.cache)"},
    OPTION_ROW_THREADS,
    OPTION_ROW_JOBS,
    OPTION_ROWS_LAST,
};

const struct option_row info_options[] = {
    OPTION_ROWS_PART, OPTION_ROW_JSON, OPTION_ROW_SET, OPTION_ROW_THREADS, OPTION_ROWS_LAST,
};

const struct option_row convert_options[] = {
    {"output", 'o', OPTION_OUTPUT, "FILE", NULL, NULL, "the program file to write, NAME.anax"},
    OPTION_ROW_FORCE,
    OPTION_ROWS_PART,
    OPTION_ROW_SET,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row export_options[] = {
    {"format", 'f', OPTION_FORMAT, "NAME", NULL, "formats",
     "what to write (anax list formats): goal, json or dot"},
    {"output", 'o', OPTION_OUTPUT, "FILE", NULL, NULL,
     "the file to write (default: the standard output)"},
    OPTION_ROW_FORCE,
    OPTION_ROWS_PART,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row generate_options[] = {
    {"ranks", 'n', OPTION_SETTING, "N", "generate.ranks", NULL, "number of ranks (default 16)"},
    {"iterations", 'i', OPTION_SETTING, "N", "generate.iterations", NULL,
     "iterations of the main loop (default 10)"},
    {"size", 0, OPTION_SETTING, "SIZE", "generate.size", NULL,
     "size of a message (default 8KiB); patterns with several sizes derive them"},
    {"compute", 0, OPTION_SETTING, "TIME", "generate.compute", NULL,
     "computation per rank and iteration (default 10us)"},
    {"neighbours", 0, OPTION_SETTING, "N", "generate.neighbours", NULL,
     "neighbours of a rank in halo3d: 6 (default) or 26"},
    {"root", 0, OPTION_SETTING, "RANK", "generate.root", NULL,
     "the rank that the others send to, in patterns that have one"},
    OPTION_ROW_SEED,
    {"output", 'o', OPTION_OUTPUT, "PATH", NULL, NULL,
     "a new folder for an OTF2 archive, or NAME.anax for a program file"},
    OPTION_ROW_FORCE,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row topology_options[] = {
    OPTION_ROW_MACHINE,
    {"arrangement", 'a', OPTION_SETTING, "NAME", "network.arrangement", "arrangements",
     "how the groups' global channels are paired (anax list arrangements)"},
    OPTION_ROWS_CONFIG,
    OPTION_ROW_JSON,
    {"dot", 0, OPTION_DOT, NULL, NULL, NULL,
     "print the routers and their channels as a graph for Graphviz"},
    {"rivals", 0, OPTION_RIVALS, NULL, NULL, NULL,
     "compare dragonflies of 1K to 64K nodes with other topologies, and stop"},
    {"gcc-conjecture", 0, OPTION_GCC_CONJECTURE, NULL, NULL, NULL,
     "verify that nautilus and helix form one global connected component, and stop"},
    OPTION_ROWS_LAST,
};

/* Here -h is the number of global links, the h of (p, a, h), so --help has no letter. */
const struct option_row bisection_options[] = {
    {"routers", 'a', OPTION_SETTING, "N", "network.routers_per_group", NULL,
     "a: switches in a group"},
    {"globals", 'h', OPTION_SETTING, "N", "network.globals_per_router", NULL,
     "h: global links of a switch"},
    {"groups", 'g', OPTION_SETTING, "N", "network.groups", NULL,
     "groups (default with -a or -h: all that fit, a*h + 1)"},
    {"arrangement", 0, OPTION_ARRANGEMENTS, "LIST", NULL, "arrangements",
     "how the groups' global channels are paired (anax list arrangements); several, "
     "separated by commas, are computed one after the other"},
    OPTION_ROW_MACHINE,
    OPTION_ROWS_CONFIG,
    {"time-limit", 0, OPTION_TIME_LIMIT, "SECONDS", NULL, NULL,
     "stop proving after so long (each arrangement), and tell the bounds (default: 3600, "
     "and no proof for more than 128 switches)"},
    OPTION_ROW_JSON,
    {"csv", 0, OPTION_CSV, "FILE", NULL, NULL, "write the lines as a table"},
    {"svg", 0, OPTION_SVG, "FILE", NULL, NULL, "draw the bandwidth over alpha"},
    OPTION_ROW_FORCE,
    OPTION_ROW_THREADS,
    OPTION_ROW_QUIET,
    {"help", 0, OPTION_HELP, NULL, NULL, NULL, "explain this command"},
    OPTION_ROW_END,
};

const struct option_row calibrate_options[] = {
    OPTION_ROW_MACHINE,
    {"distance", 'd', OPTION_SETTING, "NAME", "calibrate.distance", NULL,
     "where the two nodes were: same-router (default), same-group (neighbouring routers) or "
     "other-group"},
    {"window", 'W', OPTION_SETTING, "N", "calibrate.window", NULL,
     "messages in flight of osu_bw and osu_bibw, whose output does not say it (default 64)"},
    {"ranks", 'n', OPTION_SETTING, "N", "calibrate.ranks", NULL,
     "processes of osu_allreduce, whose output does not say it"},
    OPTION_ROWS_CONFIG,
    {"output", 'o', OPTION_OUTPUT, "FILE", NULL, NULL,
     "write the calibrated machine, for --machine (FILE.yaml)"},
    {"svg", 0, OPTION_SVG, "FILE", NULL, NULL, "draw measured against modelled times by size"},
    OPTION_ROW_JSON,
    OPTION_ROW_FORCE,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row list_options[] = {OPTION_ROW_JSON, OPTION_ROW_HELP, OPTION_ROW_END};
const struct option_row help_options[] = {OPTION_ROW_HELP, OPTION_ROW_END};
