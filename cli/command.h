/*
 * The commands of `anax` and their options, as tables. The parser, the help texts, the manual pages
 * and the shell completion read these tables.
 *
 * A command is one row of the table in commands.c and one function. An option is one row of a table
 * in command_options.c or sweep_options.c. Of the library this room includes the public header and
 * api/command_support.h only.
 */
#ifndef ANAX_CLI_COMMAND_H
#define ANAX_CLI_COMMAND_H

#include <anax/anax.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_action {
    OPTION_SETTING, /* sets the setting named in the row */
    OPTION_SWITCH,  /* turns the setting named in the row on */
    OPTION_PAIR,    /* sets name=value */
    OPTION_MACHINE,
    OPTION_CONFIG,
    OPTION_LOADS,
    OPTION_TRACE,
    OPTION_ROUTINGS,
    OPTION_JOB_LIST,
    OPTION_POINTS_AT_ONCE,
    OPTION_FACTOR, /* the setting named in the row takes several values */
    OPTION_VARY,   /* so does name=a,b,c */
    OPTION_SEEDS,
    OPTION_POINTS,
    OPTION_SATURATION,
    OPTION_PART,
    OPTION_EMIT,
    OPTION_PART_COUNT,
    OPTION_NEGLIGIBLE,
    OPTION_LIMIT,
    OPTION_THREADS,
    OPTION_CHECKPOINT,
    OPTION_EVERY,
    OPTION_RESUME,
    OPTION_OUTPUT,
    OPTION_TIMELINE,
    OPTION_PERFETTO,
    OPTION_PERFETTO_RANKS,
    OPTION_JSON,
    OPTION_FORMAT,
    OPTION_DOT,
    OPTION_GCC_CONJECTURE,
    OPTION_RIVALS,
    OPTION_ARRANGEMENTS,
    OPTION_TIME_LIMIT,
    OPTION_CSV,
    OPTION_SVG,
    OPTION_REPORT,
    OPTION_FIGURES,
    OPTION_PRINT_CONFIG,
    OPTION_PRINT_MACHINE,
    OPTION_ADVISE,
    OPTION_EXPLAIN,
    OPTION_PATH_STEPS,
    OPTION_MAPPING,
    OPTION_FORCE,
    OPTION_KEEP,
    OPTION_QUIET,
    OPTION_HELP
} option_action;

struct option_row {
    const char *name; /* NULL ends a table */
    char letter;      /* 0: none */
    option_action action;
    const char *argument; /* the argument's name in help; NULL: no argument */
    const char *setting;  /* OPTION_SETTING */
    const char *family;   /* its names complete the argument (anax list FAMILY), or NULL */
    const char *help;
};

/* One change of the configuration, in the order of the command line. */
struct assignment {
    const char *setting; /* NULL: value is a pair name=value */
    const char *value;
};

/* An option as it was given. */
struct given_option {
    const struct option_row *row;
    const char *argument; /* NULL: it takes none */
};

struct command;

/* A parsed command line. */
struct invocation {
    const struct command *command;
    const struct command *all_commands; /* for suggestions; the last row has the name NULL */
    const char *const *arguments;
    size_t argument_count;
    const char *machine;
    const char **configs;
    size_t config_count;
    struct assignment *assignments;
    size_t assignment_count;
    struct assignment *factors; /* settings that `anax compare`, `anax search` and `anax traffic`
                                   vary; their values are lists */
    size_t factor_count;
    struct given_option *given; /* all options, in the order of the command line */
    size_t given_count;
    const char *loads;
    const char *trace;
    const char *jobs_file;
    const char *routings; /* a list of several routing policies; a single one is an assignment */
    const char *arrangements; /* one or several arrangements of `anax bisection` */
    const char *csv_path;
    const char *svg_path;
    const char *output;
    const char *timeline;
    const char *report_path;
    const char *pictures_folder;
    const char *perfetto_path;
    uint32_t first_rank, rank_count; /* ranks of --perfetto; rank_count 0: up to 256 */
    const char *format;
    unsigned threads;
    unsigned points_at_once;
    unsigned seeds; /* 0: none given */
    const char *points_folder;
    const char *saturation;
    const char *negligible; /* a share */
    const char **limits;    /* of `anax search` */
    size_t limit_count;
    unsigned part, parts;  /* part 1 … parts; 0: all */
    const char *emit;      /* slurm or commands */
    unsigned part_count;   /* number of parts that --emit prints; 0: none given */
    unsigned time_limit_s; /* 0: none given */
    const char *checkpoint_folder;
    const char *resume_folder;
    uint64_t every_s;  /* seconds between checkpoints; 0: none given */
    size_t path_steps; /* steps of the critical path to keep; ANAX_PATH_STEPS_ALL: all; 0: none
                          given */
    bool json;
    bool dot;
    bool gcc_conjecture;
    bool rivals;
    bool print_config;  /* print a configuration, and stop */
    bool explain;       /* find critical path, efficiencies and sensitivity */
    bool mapping;       /* print the ranks of each node */
    bool advise;        /* replay with the recommended change, too */
    bool print_machine; /* with print_config: the machine alone */
    bool force;
    bool keep; /* keep the folder of a recording */
    bool quiet;
    bool help;
};

/* Which of several processes that were started together carry out a command. */
typedef enum command_processes {
    COMMAND_BY_FIRST, /* the first one; the others do nothing */
    COMMAND_BY_ALL,   /* all together */
    COMMAND_BY_ONE    /* the command is not for several processes */
} command_processes;

struct example {
    const char *command; /* NULL ends a list */
    const char *what;
};

struct command {
    const char *name; /* NULL ends the table */
    const char *arguments;
    const char *summary;
    const char *description; /* lines of at most 80 characters; no blank line at the end */
    const struct option_row *options;
    const struct example *examples;
    size_t min_arguments;
    size_t max_arguments;
    const char *argument_family; /* for completion, like option_row.family */
    const char *preset;          /* NAME=VALUE: a setting's default in this command; NULL: none */
    anax_scope scope;
    bool takes_command; /* the arguments are a command: options of anax end before them */
    command_processes processes;
    int (*run)(const struct invocation *invocation); /* returns the exit code */
};

/* Returns the table of commands, which ends with a row without a name. */
const struct command *commands(void);

/* Returns the command of that name, or NULL. */
const struct command *command_find(const char *name);

/* Prints an error about a name that is no command's, with the nearest name. */
void command_unknown(const char *name);

/* Tells whether the argument of an option is a path, and in *written whether the command writes to
 * it. */
bool command_option_is_path(option_action action, bool *written);

/* The exit code for wrong usage. */
enum { EXIT_USAGE = 2 };

/* Parses the options of a command. argv[0] is the command's name. Prints an error and returns the
 * exit code, or returns 0. The caller calls invocation_clear in both cases. */
int invocation_parse(struct invocation *invocation, const struct command *command, int argc,
                     char **argv);

/* Frees what invocation_parse has made. */
void invocation_clear(struct invocation *invocation);

/* Prints what anax does and its commands to the standard output. */
void help_print_overview(void);

/* Prints the help of a command to the standard output. */
void help_print_command(const struct command *command);

/* The functions below are `run` of the commands (struct command). They are in cli/command_*.c:
 * info, convert and generate in command_trace.c, help and version in command_list.c, every other
 * one in the file of its name. Each carries out the command of its name, prints the result or
 * errors, and returns the exit code. */
int command_replay(const struct invocation *invocation);
int command_compare(const struct invocation *invocation);
int command_search(const struct invocation *invocation);
int command_place(const struct invocation *invocation);
int command_traffic(const struct invocation *invocation);
int command_export(const struct invocation *invocation);
int command_diff(const struct invocation *invocation);
int command_report(const struct invocation *invocation);
int command_info(const struct invocation *invocation);
int command_convert(const struct invocation *invocation);
int command_extrapolate(const struct invocation *invocation);
int command_record(const struct invocation *invocation);
int command_generate(const struct invocation *invocation);
int command_topology(const struct invocation *invocation);
int command_bisection(const struct invocation *invocation);
int command_calibrate(const struct invocation *invocation);
int command_list(const struct invocation *invocation);
int command_help(const struct invocation *invocation);
int command_version(const struct invocation *invocation);

#endif
