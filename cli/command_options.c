/* The options of each command, as tables. Knows no command. */
#include "cli/command_options.h"

#include <stddef.h>

#define OPTION_ROW_MACHINE                                                                         \
    {                                                                                              \
        .name = "machine", .letter = 'm', .action = OPTION_MACHINE, .argument = "NAME",            \
        .family = "machines", .help = "named machine (anax list machines) or machine file (.yaml)" \
    }
#define OPTION_ROW_ROUTING                                                                         \
    {                                                                                              \
        .name = "routing", .letter = 'r', .action = OPTION_SETTING, .argument = "NAME",            \
        .setting = "network.routing", .family = "routing",                                         \
        .help = "routing policy (anax list routing)"                                               \
    }
#define OPTION_ROW_MISROUTING                                                                      \
    {                                                                                              \
        .name = "misrouting", .action = OPTION_SETTING, .argument = "NAME",                        \
        .setting = "network.misrouting", .family = "misrouting",                                   \
        .help = "links of non-minimal paths (anax list misrouting)"                                \
    }
#define OPTION_ROW_FROM                                                                            \
    {                                                                                              \
        .name = "from", .action = OPTION_SETTING, .argument = "REGION[#n]",                        \
        .setting = "trace.from",                                                                   \
        .help = "leave out what comes before: each rank begins where it enters the region, for "   \
                "the n-th time (default: first); or a time"                                        \
    }
#define OPTION_ROW_TO                                                                              \
    {                                                                                              \
        .name = "to", .action = OPTION_SETTING, .argument = "REGION[#n]", .setting = "trace.to",   \
        .help = "leave out what follows: each rank ends where it leaves the region, for the n-th " \
                "time (default: last); or a time"                                                  \
    }
#define OPTION_ROW_REPEAT                                                                          \
    {                                                                                              \
        .name = "repeat", .action = OPTION_SETTING, .argument = "REGION[#n]*N",                    \
        .setting = "trace.repeat",                                                                 \
        .help = "carry out what lies in the region N times: from its first entering to its last "  \
                "leaving, or only the n-th time, on all ranks"                                     \
    }
#define OPTION_ROW_SEED                                                                            \
    {                                                                                              \
        .name = "seed", .letter = 's', .action = OPTION_SETTING, .argument = "N",                  \
        .setting = "seed", .help = "number that all random choices follow from"                    \
    }
#define OPTION_ROW_CONFIG                                                                          \
    {                                                                                              \
        .name = "config", .letter = 'c', .action = OPTION_CONFIG, .argument = "FILE",              \
        .help = "read settings from a YAML file; may be repeated"                                  \
    }
#define OPTION_ROW_SET                                                                             \
    {                                                                                              \
        .name = "set", .action = OPTION_PAIR, .argument = "NAME=VALUE", .family = "settings",      \
        .help = "set one setting (anax list settings); may be repeated"                            \
    }
#define OPTION_ROW_PRINT_CONFIG                                                                    \
    {                                                                                              \
        .name = "print-config", .action = OPTION_PRINT_CONFIG,                                     \
        .help = "print the effective settings as a file for --config, and stop"                    \
    }
#define OPTION_ROW_PRINT_MACHINE                                                                   \
    {                                                                                              \
        .name = "print-machine", .action = OPTION_PRINT_MACHINE,                                   \
        .help = "print the machine, with all changes, as a file for --machine, and stop"           \
    }
#define OPTION_ROW_THREADS                                                                         \
    {                                                                                              \
        .name = "threads", .letter = 't', .action = OPTION_THREADS, .argument = "N",               \
        .help = "threads to use (default: as many as make it faster at the time, of the "          \
                "processors that it may use); results are the same for any number"                 \
    }
#define OPTION_ROWS_CHECKPOINT                                                                     \
    {.name = "checkpoint",                                                                         \
     .action = OPTION_CHECKPOINT,                                                                  \
     .argument = "DIR",                                                                            \
     .help = ("write the state of the simulation into this folder again and again, and at the "    \
              "signals SIGUSR1 and, before ending, SIGTERM")},                                     \
        {.name = "every",                                                                          \
         .action = OPTION_EVERY,                                                                   \
         .argument = "TIME",                                                                       \
         .help = "time between two checkpoints, as 30s, 10min or 1h (default: 10min)"},            \
    {                                                                                              \
        .name = "resume", .action = OPTION_RESUME, .argument = "DIR",                              \
        .help = "go on from the checkpoint in this folder, with any number of threads and "        \
                "processes"                                                                        \
    }
#define OPTION_ROW_JOBS                                                                            \
    {                                                                                              \
        .name = "jobs", .action = OPTION_JOBS, .argument = "N",                                    \
        .help = "points that run at once, sharing the threads (default: one per thread; one in "   \
                "all on machines of more than 32768 nodes, for their memory)"                      \
    }
#define OPTION_ROW_MACHINES                                                                        \
    {                                                                                              \
        .name = "machine", .letter = 'm', .action = OPTION_MACHINE, .argument = "NAMES",           \
        .family = "machines", .help = "named machines or machine files, separated by commas"       \
    }
#define OPTION_ROW_VARY                                                                            \
    {                                                                                              \
        .name = "vary", .action = OPTION_VARY, .argument = "NAME=VALUES", .family = "settings",    \
        .help = "any other setting and its values, separated by commas; may be repeated"           \
    }
#define OPTION_ROWS_PARTS                                                                          \
    {.name = "part",                                                                               \
     .action = OPTION_PART,                                                                        \
     .argument = "K/N",                                                                            \
     .help = "only compute the points of part K of N, keep them, and print a summary; the "        \
             "command without --part then merges the parts"},                                      \
        {.name = "emit",                                                                           \
         .action = OPTION_EMIT,                                                                    \
         .argument = "FORM",                                                                       \
         .help = "print the commands of all parts, and of merging them, and stop: slurm (a "       \
                 "script that submits an array) or commands (a line for each, for parallel)"},     \
    {                                                                                              \
        .name = "parts", .action = OPTION_PART_COUNT, .argument = "N",                             \
        .help = "how many parts --emit makes (default: parts of 5 minutes or more by the times "   \
                "of kept points)"                                                                  \
    }
#define OPTION_ROW_TIME_BINS                                                                       \
    {                                                                                              \
        .name = "time-bins", .action = OPTION_SETTING, .argument = "N",                            \
        .setting = "record.time_bins",                                                             \
        .help = "keep what ranks do and what channels carry over time, in at most N bins"          \
    }
#define OPTION_ROW_LINKS                                                                           \
    {                                                                                              \
        .name = "links", .action = OPTION_SETTING, .argument = "NAMES", .setting = "record.links", \
        .help = "count who sends over these links, and who waits behind whom: names such as 5-17 " \
                "(routers), n3-0 and 0-n3 (nodes), or, of replays, hottest:N (in a second run)"    \
    }
#define OPTION_ROW_JSON                                                                            \
    { .name = "json", .letter = 'j', .action = OPTION_JSON, .help = "print JSON, see anax-json(5)" }
#define OPTION_ROWS_REPORT                                                                         \
    {.name = "report",                                                                             \
     .action = OPTION_REPORT,                                                                      \
     .argument = "FILE",                                                                           \
     .help = "write a report with pictures and their numbers, as one HTML file for browsers"},     \
    {                                                                                              \
        .name = "figures", .action = OPTION_FIGURES, .argument = "DIR",                            \
        .help = "write the report's pictures as SVG files into a new folder"                       \
    }
#define OPTION_ROW_FORCE                                                                           \
    {                                                                                              \
        .name = "force", .action = OPTION_FORCE,                                                   \
        .help = "replace a file that exists already by the one that is written; folders never are" \
    }
#define OPTION_ROW_QUIET                                                                           \
    { .name = "quiet", .letter = 'q', .action = OPTION_QUIET, .help = "show no progress" }
#define OPTION_ROW_HELP                                                                            \
    { .name = "help", .letter = 'h', .action = OPTION_HELP, .help = "explain this command" }
#define OPTION_ROW_END                                                                             \
    { .action = OPTION_HELP }

#define OPTION_ROW_PLACEMENT                                                                       \
    {                                                                                              \
        .name = "placement", .letter = 'p', .action = OPTION_SETTING, .argument = "NAME",          \
        .setting = "placement.policy", .family = "placement",                                      \
        .help = "which node each rank runs on (anax list placement)"                               \
    }
#define OPTION_ROW_RANKS_PER_NODE                                                                  \
    {                                                                                              \
        .name = "ranks-per-node", .letter = 'n', .action = OPTION_SETTING, .argument = "N",        \
        .setting = "placement.ranks_per_node", .help = "ranks that share a node"                   \
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
    {.name = "jobs",
     .action = OPTION_JOB_LIST,
     .argument = "FILE",
     .help = "replay the jobs that a YAML file lists, instead of TRACE"},
    {.name = "background",
     .action = OPTION_SETTING,
     .argument = "PATTERN",
     .setting = "background.pattern",
     .family = "traffic",
     .help = "whom nodes without ranks send to (anax list traffic); needs --background-load"},
    {.name = "background-load",
     .action = OPTION_SETTING,
     .argument = "LOAD",
     .setting = "background.load",
     .help = "offered load of nodes without ranks, a share of the injection bandwidth"},
    OPTION_ROW_SEED,
    OPTION_ROWS_PART,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_PRINT_MACHINE,
    {.name = "explain",
     .action = OPTION_EXPLAIN,
     .help = "find the critical path, the efficiencies, and which settings would change the time; "
             "takes about twice the time"},
    {.name = "per-iteration",
     .action = OPTION_SETTING,
     .argument = "REGION",
     .setting = "trace.per_iteration",
     .help = "the efficiencies of each iteration of a user region; explains as --explain does"},
    {.name = "path-steps",
     .action = OPTION_PATH_STEPS,
     .argument = "N",
     .help = "how many of the last steps of the critical path to list (default: 20), or all; "
             "explains as --explain does"},
    {.name = "advise",
     .action = OPTION_ADVISE,
     .help =
         "if the verdict recommends a change, replay with it as well, and state the gain; takes "
         "twice the time and memory"},
    OPTION_ROW_TIME_BINS,
    OPTION_ROW_LINKS,
    {.name = "matrix",
     .action = OPTION_SETTING,
     .argument = "BY",
     .setting = "record.matrix",
     .help = "count messages between ranks, or the nodes, routers or groups of ranks: rank, node, "
             "router or group"},
    OPTION_ROW_JSON,
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "DIR",
     .help = "write CSV tables per rank, MPI call, link and pair of groups into a new folder"},
    {.name = "timeline",
     .action = OPTION_TIMELINE,
     .argument = "DIR",
     .help = "write the predicted run as an OTF2 archive into a new folder"},
    OPTION_ROWS_CHECKPOINT,
    OPTION_ROWS_REPORT,
    {.name = "perfetto",
     .action = OPTION_PERFETTO,
     .argument = "FILE",
     .help = "write the predicted run as a trace for ui.perfetto.dev: calls, regions, computation "
             "and messages of the first 256 ranks"},
    {.name = "perfetto-ranks",
     .action = OPTION_PERFETTO_RANKS,
     .argument = "A-B",
     .help = "of these ranks instead (A-B, or one rank)"},
    OPTION_ROW_FORCE,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row place_options[] = {
    {.name = "trace",
     .letter = 'T',
     .action = OPTION_TRACE,
     .argument = "TRACE",
     .help = "the trace, instead of as an argument"},
    OPTION_ROW_MACHINE,
    OPTION_ROW_PLACEMENT,
    OPTION_ROW_RANKS_PER_NODE,
    OPTION_ROW_SEED,
    OPTION_ROWS_PART,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_PRINT_MACHINE,
    {.name = "mapping",
     .action = OPTION_MAPPING,
     .help = "also print which ranks each node has (--json and --output always do)"},
    OPTION_ROW_JSON,
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "FILE",
     .help = "write the mapping as a rank file, for --placement rankfile"},
    OPTION_ROWS_REPORT,
    OPTION_ROW_FORCE,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

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
     .help = "who sends to whom (anax list traffic)"},
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
     .help = "instead of loads: search the saturation load of each curve by bisection, until it "
             "is known to WIDTH, as 0.01"},
    OPTION_ROW_VARY,
    {.name = "seeds",
     .action = OPTION_SEEDS,
     .argument = "N",
     .help = "how many seeds each load is run with: that of --seed and those after it (default: "
             "1); several give means with intervals"},
    OPTION_ROW_SEED,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_PRINT_MACHINE,
    OPTION_ROW_LINKS,
    OPTION_ROW_TIME_BINS,
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
     .help = "folder in which finished points are kept and found again (default: none)"},
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
        .help = "which node each rank runs on (anax list placement), separated by commas"          \
    }

const struct option_row compare_options[] = {
    OPTION_ROW_MACHINES,
    OPTION_ROWS_FACTORS,
    OPTION_ROW_VARY,
    {.name = "seeds",
     .action = OPTION_SEEDS,
     .argument = "N",
     .help = "how many seeds each candidate is run with: that of --seed and those after it "
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
    {.name = "points",
     .action = OPTION_POINTS,
     .argument = "DIR",
     .help = "folder in which finished points are kept and found again (default: anax/points in "
             "$XDG_CACHE_HOME or ~/.cache)"},
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
     .help = "leave out candidates beyond MOST or outside LEAST:MOST; figures are nodes, radix "
             "(ports of a router) and cost (dollars, by the settings price.*); may be repeated"},
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
    {.name = "points",
     .action = OPTION_POINTS,
     .argument = "DIR",
     .help = "folder in which finished points are kept and found again (default: anax/points in "
             "$XDG_CACHE_HOME or ~/.cache)"},
    OPTION_ROW_THREADS,
    OPTION_ROW_JOBS,
    OPTION_ROWS_LAST,
};

const struct option_row info_options[] = {
    OPTION_ROWS_PART, OPTION_ROW_JSON, OPTION_ROW_SET, OPTION_ROW_THREADS, OPTION_ROWS_LAST,
};

const struct option_row convert_options[] = {
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "FILE",
     .help = "the program file to write, NAME.anax"},
    OPTION_ROW_FORCE,
    OPTION_ROWS_PART,
    OPTION_ROW_SET,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row record_options[] = {
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "FILE",
     .help = "the program file to write, NAME.anax"},
    {.name = "keep",
     .action = OPTION_KEEP,
     .help = "keep the recording itself, the folder NAME.anax.recording"},
    OPTION_ROW_FORCE,
    OPTION_ROWS_PART,
    OPTION_ROW_SET,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row export_options[] = {
    {.name = "format",
     .letter = 'f',
     .action = OPTION_FORMAT,
     .argument = "NAME",
     .family = "formats",
     .help = "what to write (anax list formats): goal, json or dot"},
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "FILE",
     .help = "the file to write (default: the standard output)"},
    OPTION_ROW_FORCE,
    OPTION_ROWS_PART,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row generate_options[] = {
    {.name = "ranks",
     .letter = 'n',
     .action = OPTION_SETTING,
     .argument = "N",
     .setting = "generate.ranks",
     .help = "number of ranks (default 16)"},
    {.name = "iterations",
     .letter = 'i',
     .action = OPTION_SETTING,
     .argument = "N",
     .setting = "generate.iterations",
     .help = "iterations of the main loop (default 10)"},
    {.name = "size",
     .action = OPTION_SETTING,
     .argument = "SIZE",
     .setting = "generate.size",
     .help = "size of a message (default 8KiB); patterns with several sizes derive them"},
    {.name = "compute",
     .action = OPTION_SETTING,
     .argument = "TIME",
     .setting = "generate.compute",
     .help = "computation per rank and iteration (default 10us)"},
    {.name = "neighbours",
     .action = OPTION_SETTING,
     .argument = "N",
     .setting = "generate.neighbours",
     .help = "neighbours of a rank in halo3d: 6 (default) or 26"},
    {.name = "root",
     .action = OPTION_SETTING,
     .argument = "RANK",
     .setting = "generate.root",
     .help = "the rank that the others send to, in patterns that have one"},
    {.name = "window",
     .action = OPTION_SETTING,
     .argument = "N",
     .setting = "generate.window",
     .help = "messages sent at once in stream, both-ways and random-access (default 64)"},
    {.name = "edge",
     .action = OPTION_SETTING,
     .argument = "N",
     .setting = "generate.edge",
     .help = "points, cells or elements on the side of a rank's part, in motifs of proxy "
             "applications (default 0: as published)"},
    {.name = "model",
     .action = OPTION_SETTING,
     .argument = "NAME",
     .setting = "training.model",
     .family = "models",
     .help = "the model that training trains (default gpt2-124m); settings training.* have more"},
    OPTION_ROW_SEED,
    {.name = "output",
     .letter = 'o',
     .action = OPTION_OUTPUT,
     .argument = "PATH",
     .help = "a new folder for an OTF2 archive, or NAME.anax for a program file"},
    OPTION_ROW_FORCE,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_THREADS,
    OPTION_ROWS_LAST,
};

const struct option_row topology_options[] = {
    OPTION_ROW_MACHINE,
    {.name = "arrangement",
     .letter = 'a',
     .action = OPTION_SETTING,
     .argument = "NAME",
     .setting = "network.arrangement",
     .family = "arrangements",
     .help = "arrangement of the global links (anax list arrangements)"},
    OPTION_ROWS_CONFIG,
    OPTION_ROW_PRINT_MACHINE,
    OPTION_ROW_JSON,
    {.name = "dot",
     .action = OPTION_DOT,
     .help = "print the routers and their channels as a graph for Graphviz"},
    {.name = "rivals",
     .action = OPTION_RIVALS,
     .help = "compare dragonflies of 1K to 64K nodes with other topologies, and stop"},
    {.name = "gcc-conjecture",
     .action = OPTION_GCC_CONJECTURE,
     .help = "verify that nautilus and helix form one global connected component, and stop"},
    OPTION_ROWS_REPORT,
    OPTION_ROW_FORCE,
    OPTION_ROWS_LAST,
};

/* Here -h is the number of global links, the h of (p, a, h), so --help has no letter. */
const struct option_row bisection_options[] = {
    {.name = "routers",
     .letter = 'a',
     .action = OPTION_SETTING,
     .argument = "N",
     .setting = "network.routers_per_group",
     .help = "a: switches in a group"},
    {.name = "globals",
     .letter = 'h',
     .action = OPTION_SETTING,
     .argument = "N",
     .setting = "network.globals_per_router",
     .help = "h: global links of a switch"},
    {.name = "groups",
     .letter = 'g',
     .action = OPTION_SETTING,
     .argument = "N",
     .setting = "network.groups",
     .help = "groups (default with -a or -h: all that fit, a*h + 1)"},
    {.name = "arrangement",
     .action = OPTION_ARRANGEMENTS,
     .argument = "LIST",
     .family = "arrangements",
     .help = "how the groups' global channels are paired (anax list arrangements); several, "
             "separated by commas, are computed one after the other"},
    OPTION_ROW_MACHINE,
    OPTION_ROWS_CONFIG,
    OPTION_ROW_PRINT_MACHINE,
    {.name = "time-limit",
     .action = OPTION_TIME_LIMIT,
     .argument = "SECONDS",
     .help = "stop proving after so long (each arrangement), and tell the bounds (default: 3600, "
             "and no proof for more than 128 switches)"},
    OPTION_ROW_JSON,
    {.name = "csv", .action = OPTION_CSV, .argument = "FILE", .help = "write the lines as a table"},
    {.name = "svg",
     .action = OPTION_SVG,
     .argument = "FILE",
     .help = "draw the bandwidth over alpha"},
    OPTION_ROWS_REPORT,
    OPTION_ROW_FORCE,
    OPTION_ROW_THREADS,
    OPTION_ROW_QUIET,
    {.name = "help", .action = OPTION_HELP, .help = "explain this command"},
    OPTION_ROW_END,
};

const struct option_row calibrate_options[] = {
    OPTION_ROW_MACHINE,
    {"distance", 'd', OPTION_SETTING, "NAME", "calibrate.distance", NULL,
     "where the two nodes were: same-router (default), same-group (neighbouring routers) or "
     "other-group; same-node: the processes ran on one node"},
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

const struct option_row report_options[] = {OPTION_ROWS_REPORT, OPTION_ROW_FORCE, OPTION_ROW_HELP,
                                            OPTION_ROW_END};

const struct option_row diff_options[] = {OPTION_ROW_JSON, OPTION_ROW_HELP, OPTION_ROW_END};
const struct option_row list_options[] = {OPTION_ROW_JSON, OPTION_ROW_HELP, OPTION_ROW_END};
const struct option_row help_options[] = {OPTION_ROW_HELP, OPTION_ROW_END};
