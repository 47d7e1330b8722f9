/* Rows of options that several commands share. Only the files of the tables of options include it.
 */
#ifndef ANAX_CLI_OPTION_ROWS_H
#define ANAX_CLI_OPTION_ROWS_H

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
        .help = "begin each rank where it enters the region for the n-th time (default: the "      \
                "first), or at a time such as 2s; earlier calls are left out"                      \
    }
#define OPTION_ROW_TO                                                                              \
    {                                                                                              \
        .name = "to", .action = OPTION_SETTING, .argument = "REGION[#n]", .setting = "trace.to",   \
        .help = "end each rank where it leaves the region for the n-th time (default: the last), " \
                "or at a time such as 2s; later calls are left out"                                \
    }
#define OPTION_ROW_REPEAT                                                                          \
    {                                                                                              \
        .name = "repeat", .action = OPTION_SETTING, .argument = "REGION[#n]*N",                    \
        .setting = "trace.repeat",                                                                 \
        .help = "repeat a region N times on all ranks: its n-th instance, or, without #n, all "    \
                "from where a rank first enters it to where it last leaves it"                     \
    }
#define OPTION_ROW_PROGRAM_FILE                                                                    \
    {                                                                                              \
        .name = "output", .letter = 'o', .action = OPTION_OUTPUT, .argument = "FILE",              \
        .help = "the program file to write, NAME.anax"                                             \
    }
#define OPTION_ROW_SEED                                                                            \
    {                                                                                              \
        .name = "seed", .letter = 's', .action = OPTION_SETTING, .argument = "N",                  \
        .setting = "seed", .help = "seed of all random choices"                                    \
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
        .help = "number of threads, or auto (default): as many of the available processors as "    \
                "currently make the run faster; results are the same for any number"               \
    }
#define OPTION_ROWS_CHECKPOINT                                                                     \
    {.name = "checkpoint",                                                                         \
     .action = OPTION_CHECKPOINT,                                                                  \
     .argument = "DIR",                                                                            \
     .help = ("write checkpoints of the simulation into this folder: regularly (--every), at the " \
              "signal SIGUSR1, and before a signal ends the run")},                                \
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
        .name = "jobs", .action = OPTION_POINTS_AT_ONCE, .argument = "N",                          \
        .help = "how many points run at once, sharing the threads (default: one per thread, but "  \
                "only one on machines of more than 32768 nodes, to save memory)"                   \
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
/* states: what of the run is kept over time. */
#define OPTION_ROW_TIME_BINS(states)                                                               \
    {                                                                                              \
        .name = "time-bins", .action = OPTION_SETTING, .argument = "N",                            \
        .setting = "record.time_bins", .help = "keep " states " over time, in at most N bins"      \
    }
/* more: further names of links. */
#define OPTION_ROW_LINKS(more)                                                                     \
    {                                                                                              \
        .name = "links", .action = OPTION_SETTING, .argument = "NAMES", .setting = "record.links", \
        .help = "list the flows over these links, and the flows behind which others wait: names "  \
                "such as 5-17 (routers), n3-0 and 0-n3 (nodes)" more                               \
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
        .help = "replace existing files; existing folders are never replaced"                      \
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
        .help = "placement of ranks on nodes (anax list placement)"                                \
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

#define OPTION_ROW_KEPT_POINTS                                                                     \
    {                                                                                              \
        .name = "points", .action = OPTION_POINTS, .argument = "DIR",                              \
        .help = "folder of finished points, which later runs reuse (default: anax/points "         \
                "in $XDG_CACHE_HOME or ~/.cache)"                                                  \
    }

#endif
