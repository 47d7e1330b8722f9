/*
 * Commands and options of `anax`: tables that feed parsing, help, manual pages and completion.
 *
 * This room sees the public header only. A command is one row of the table in commands.c and one
 * function; an option is one row of a table there.
 */
#ifndef ANAX_CLI_COMMAND_H
#define ANAX_CLI_COMMAND_H

#include <anax/anax.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum option_action {
    OPTION_SETTING, /* sets the setting named in the row */
    OPTION_PAIR,    /* sets name=value */
    OPTION_MACHINE,
    OPTION_CONFIG,
    OPTION_LOADS,
    OPTION_TRACE,
    OPTION_ROUTINGS,
    OPTION_JOB_LIST,
    OPTION_JOBS,
    OPTION_FACTOR, /* the setting named in the row takes several values */
    OPTION_VARY,   /* so does name=a,b,c */
    OPTION_SEEDS,
    OPTION_POINTS,
    OPTION_THREADS,
    OPTION_OUTPUT,
    OPTION_TIMELINE,
    OPTION_JSON,
    OPTION_FORMAT,
    OPTION_DOT,
    OPTION_GCC_CONJECTURE,
    OPTION_RIVALS,
    OPTION_ARRANGEMENTS,
    OPTION_TIME_LIMIT,
    OPTION_CSV,
    OPTION_SVG,
    OPTION_PRINT_CONFIG,
    OPTION_FORCE,
    OPTION_QUIET,
    OPTION_HELP
} option_action;

typedef struct option_row {
    const char *name; /* NULL ends a table */
    char letter;      /* 0: none */
    option_action action;
    const char *argument; /* its name in help; NULL: takes none */
    const char *setting;  /* OPTION_SETTING */
    const char *family;   /* whose names completion offers (anax list FAMILY), or NULL */
    const char *help;
} option_row;

/* One change of the configuration, in the order of the command line. */
typedef struct assignment {
    const char *setting; /* NULL: value is a pair name=value */
    const char *value;
} assignment;

struct command;

/* A parsed command line. */
typedef struct invocation {
    const struct command *command;
    const char *const *arguments;
    size_t argument_count;
    const char *machine;
    const char **configs;
    size_t config_count;
    assignment *assignments;
    size_t assignment_count;
    assignment *factors; /* of `anax compare`; values are lists */
    size_t factor_count;
    const char *loads;
    const char *trace;
    const char *job_list;
    const char *routings;     /* of a list; a single one is an assignment */
    const char *arrangements; /* one or a list, of `anax bisection` */
    const char *csv;
    const char *svg;
    const char *output;
    const char *timeline;
    const char *format;
    unsigned threads;
    unsigned jobs;
    unsigned seeds;        /* 0: none given */
    const char *points;    /* a folder */
    unsigned time_limit_s; /* 0: none given */
    bool json;
    bool dot;
    bool gcc_conjecture;
    bool rivals;
    bool print_config;
    bool force;
    bool quiet;
    bool help;
} invocation;

typedef struct example {
    const char *command; /* NULL ends a list */
    const char *what;
} example;

typedef struct command {
    const char *name; /* NULL ends the table */
    const char *arguments;
    const char *summary;
    const char *description; /* lines of at most 80 characters; no blank line at the end */
    const option_row *options;
    const example *examples;
    size_t least_arguments;
    size_t most_arguments;
    const char *argument_family; /* for completion, like option_row.family */
    anax_scope scope;
    int (*run)(const invocation *invocation); /* returns the exit code */
} command;

const command *commands(void);

/* NULL when there is none; then command_unknown says so on stderr, with the nearest. */
const command *command_find(const char *name);
void command_unknown(const char *name);

/* Exit code of the command for wrong usage. */
enum { EXIT_USAGE = 2 };

/* Parses the options of a command; argv[0] is the command's name. Says what is wrong on stderr;
 * returns the exit code, 0: nothing is. invocation_clear in any case. */
int invocation_parse(invocation *invocation, const command *command, int argc, char **argv);
void invocation_clear(invocation *invocation);

/* Help texts, to stdout. */
void help_overview(void);
void help_command(const command *command);

int command_replay(const invocation *invocation);
int command_compare(const invocation *invocation);
int command_place(const invocation *invocation);
int command_traffic(const invocation *invocation);
int command_export(const invocation *invocation);
int command_info(const invocation *invocation);
int command_convert(const invocation *invocation);
int command_generate(const invocation *invocation);
int command_topology(const invocation *invocation);
int command_bisection(const invocation *invocation);
int command_list(const invocation *invocation);
int command_help(const invocation *invocation);

#endif
