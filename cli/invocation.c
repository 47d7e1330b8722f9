/*
 * Parses the options of a command with getopt_long, by the command's table of options. Reports
 * errors in the command line and suggests the nearest option. Changes no configuration.
 */
#include "api/command_support.h"
#include "cli/command.h"
#include "cli/error_print.h"

#include <assert.h>
#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 48, FIRST_VALUE = 256 };

struct option_table {
    struct option longs[OPTIONS_MAX + 1];
    char letters[2 * OPTIONS_MAX + 3];
};

/* Fills in the tables of getopt_long. The value of an option is its letter, or FIRST_VALUE plus the
 * number of its row. */
static void make_table(struct option_table *table, const struct command *command) {
    const struct option_row *rows = command->options;
    memset(table, 0, sizeof *table);
    char *letter = table->letters;
    if (command->takes_command) *letter++ = '+'; /* options end at the first argument */
    *letter++ = ':'; /* getopt_long then returns ':' for a missing argument */
    for (int i = 0; rows[i].name != NULL && i < OPTIONS_MAX; i++) {
        table->longs[i].name = rows[i].name;
        table->longs[i].has_arg = rows[i].argument != NULL ? required_argument : no_argument;
        table->longs[i].val = FIRST_VALUE + i;
        if (rows[i].letter == 0) continue;
        *letter++ = rows[i].letter;
        if (rows[i].argument != NULL) *letter++ = ':';
    }
}

static const struct option_row *row_of(const struct option_row *rows, int value) {
    if (value >= FIRST_VALUE) return &rows[value - FIRST_VALUE];
    for (; rows->name != NULL; rows++)
        if (rows->letter == value) return rows;
    return NULL;
}

static bool refuse(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(const struct command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error_print("anax %s: ", command->name);
    error_print_list(format, arguments);
    error_print("\nTry `anax help %s`.\n", command->name);
    va_end(arguments);
    return false;
}

static bool wrong(const struct command *command, const char *what, const char *text) {
    return refuse(command, "%s%s", what, text);
}

static bool unknown_option(const struct command *command, const char *text) {
    const char *names[OPTIONS_MAX];
    size_t count = 0;
    for (const struct option_row *row = command->options; row->name != NULL; row++)
        names[count++] = row->name;
    const char *nearest = strncmp(text, "--", 2) == 0 ? api_nearest(text + 2, names, count) : NULL;
    if (nearest == NULL) return wrong(command, "there is no option ", text);
    error_print("anax %s: there is no option %s (did you mean --%s?)\nTry `anax help %s`.\n",
                command->name, text, nearest, command->name);
    return false;
}

/* Parses the argument of --threads, --jobs or --seeds. */
static bool parse_number(unsigned *number, const struct command *command,
                         const struct option_row *row, const char *text) {
    char *end = NULL;
    char what[64];
    long value = strtol(text, &end, 10), max = row->action == OPTION_SEEDS ? 1000 : 1024;
    if (end == text || *end != '\0' || value < 1 || value > max) {
        snprintf(what, sizeof what, "--%s takes a number from 1 to %ld%s, not ", row->name, max,
                 row->action == OPTION_THREADS ? " or auto" : "");
        return wrong(command, what, text);
    }
    *number = (unsigned)value;
    return true;
}

/* Parses a number at the beginning of a text; returns the rest, or NULL if there is no number from
 * 1 to most. */
static const char *parse_count(unsigned *number, const char *text, long max) {
    char *end = NULL;
    if (!isdigit((unsigned char)*text)) return NULL;
    const long value = strtol(text, &end, 10);
    if (value < 1 || value > max) return NULL;
    *number = (unsigned)value;
    return end;
}

/* Parses the argument of --perfetto-ranks. */
static bool parse_ranks(struct invocation *invocation, const struct command *command,
                        const char *text) {
    char *end = NULL;
    unsigned long first = 0, last = 0;
    bool is_right = isdigit((unsigned char)*text);
    if (is_right) {
        first = last = strtoul(text, &end, 10);
        if (*end == '-' && isdigit((unsigned char)end[1])) last = strtoul(end + 1, &end, 10);
        is_right = *end == '\0' && first <= last && last < UINT32_MAX;
    }
    if (!is_right)
        return wrong(command, "--perfetto-ranks takes two ranks such as 0-63, or one, not ", text);
    invocation->first_rank = (uint32_t)first;
    invocation->rank_count = (uint32_t)(last - first + 1);
    return true;
}

/* Parses the argument of --part. */
static bool parse_part(struct invocation *invocation, const struct command *command,
                       const char *text) {
    enum { PARTS_MAX = 1000000 };
    unsigned part = 0, parts = 0;
    const char *rest = parse_count(&part, text, PARTS_MAX);
    if (rest != NULL) rest = *rest == '/' ? parse_count(&parts, rest + 1, PARTS_MAX) : NULL;
    if (rest == NULL || *rest != '\0' || part > parts)
        return wrong(command,
                     "--part takes K/N, a part from 1 to N and how many parts there are, as 2/8, "
                     "not ",
                     text);
    invocation->part = part;
    invocation->parts = parts;
    return true;
}

/* Parses the argument of --parts. */
static bool parse_part_count(struct invocation *invocation, const struct command *command,
                             const char *text) {
    enum { EMITTED_MAX = 1000 };
    const char *rest = parse_count(&invocation->part_count, text, EMITTED_MAX);
    if (rest == NULL || *rest != '\0')
        return wrong(command, "--parts takes a number from 1 to 1000, not ", text);
    return true;
}

/* Parses the argument of --path-steps. */
static bool parse_path_steps(struct invocation *invocation, const struct command *command,
                             const char *text) {
    enum { STEPS_MAX = 1000000 };
    unsigned count = 0;
    if (strcmp(text, "all") == 0) {
        invocation->path_steps = ANAX_PATH_STEPS_ALL;
        return true;
    }
    const char *rest = parse_count(&count, text, STEPS_MAX);
    invocation->path_steps = count;
    if (rest == NULL || *rest != '\0')
        return wrong(command, "--path-steps takes a number from 1 to 1000000, or all, not ", text);
    return true;
}

static bool take_emit(struct invocation *invocation, const struct command *command,
                      const char *text) {
    if (strcmp(text, "slurm") != 0 && strcmp(text, "commands") != 0)
        return wrong(command, "--emit takes slurm or commands, not ", text);
    invocation->emit = text;
    return true;
}

/* Parses a whole number of seconds, with or without the unit s. */
static bool parse_seconds(unsigned *seconds, const struct command *command, const char *text) {
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || (*end != '\0' && strcmp(end, "s") != 0) || value < 1 || value > 10000000)
        return wrong(command,
                     "--time-limit takes whole seconds from 1 to 10000000, as 60 or 60s, not ",
                     text);
    *seconds = (unsigned)value;
    return true;
}

/* Parses the argument of --every. */
static bool parse_every(uint64_t *seconds, const struct command *command, const char *text) {
    static const struct {
        const char *unit;
        uint64_t seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    enum { SECONDS_MAX = 1000 * 3600 };
    char *end = NULL;
    const long value = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
    for (size_t i = 0; i < sizeof units / sizeof *units && value > 0 && value <= SECONDS_MAX; i++) {
        if (strcmp(end, units[i].unit) != 0) continue;
        *seconds = (uint64_t)value * units[i].seconds;
        if (*seconds <= SECONDS_MAX) return true;
    }
    return wrong(command,
                 "--every takes a whole number of s, min or h up to 1000h, e.g. 10min, not ", text);
}

/* Takes the argument of --routing. A single policy is a setting; a list gives one curve per
 * policy. */
static void take_routings(struct invocation *invocation, const struct option_row *row,
                          const char *text) {
    if (strchr(text, ',') != NULL)
        invocation->routings = text;
    else
        invocation->assignments[invocation->assignment_count++] =
            (struct assignment){row->setting, text};
}

/* Returns the member that keeps the argument of an option as text, or NULL if the argument needs
 * more than that. */
static const char **text_of(struct invocation *invocation, option_action action) {
    switch (action) {
    case OPTION_MACHINE:
        return &invocation->machine;
    case OPTION_TRACE:
        return &invocation->trace;
    case OPTION_JOB_LIST:
        return &invocation->jobs_file;
    case OPTION_LOADS:
        return &invocation->loads;
    case OPTION_ARRANGEMENTS:
        return &invocation->arrangements;
    case OPTION_FORMAT:
        return &invocation->format;
    case OPTION_OUTPUT:
        return &invocation->output;
    case OPTION_TIMELINE:
        return &invocation->timeline;
    case OPTION_PERFETTO:
        return &invocation->perfetto_path;
    case OPTION_POINTS:
        return &invocation->points_folder;
    case OPTION_SATURATION:
        return &invocation->saturation;
    case OPTION_NEGLIGIBLE:
        return &invocation->negligible;
    case OPTION_CSV:
        return &invocation->csv_path;
    case OPTION_SVG:
        return &invocation->svg_path;
    case OPTION_CHECKPOINT:
        return &invocation->checkpoint_folder;
    case OPTION_RESUME:
        return &invocation->resume_folder;
    case OPTION_REPORT:
        return &invocation->report_path;
    case OPTION_FIGURES:
        return &invocation->pictures_folder;
    default:
        return NULL;
    }
}

/* Returns the member that an option without an argument sets, or NULL. */
static bool *switch_of(struct invocation *invocation, option_action action) {
    switch (action) {
    case OPTION_JSON:
        return &invocation->json;
    case OPTION_DOT:
        return &invocation->dot;
    case OPTION_GCC_CONJECTURE:
        return &invocation->gcc_conjecture;
    case OPTION_RIVALS:
        return &invocation->rivals;
    case OPTION_PRINT_CONFIG:
        return &invocation->print_config;
    case OPTION_PRINT_MACHINE:
        return &invocation->print_machine;
    case OPTION_EXPLAIN:
        return &invocation->explain;
    case OPTION_ADVISE:
        return &invocation->advise;
    case OPTION_MAPPING:
        return &invocation->mapping;
    case OPTION_FORCE:
        return &invocation->force;
    case OPTION_KEEP:
        return &invocation->keep;
    case OPTION_QUIET:
        return &invocation->quiet;
    case OPTION_HELP:
        return &invocation->help;
    default:
        return NULL;
    }
}

static bool apply_option(struct invocation *invocation, const struct command *command,
                         const struct option_row *row, const char *argument) {
    const char **text = text_of(invocation, row->action);
    bool *is_on = switch_of(invocation, row->action);
    if (text != NULL) *text = argument;
    if (is_on != NULL) *is_on = true;
    invocation->print_config |= invocation->print_machine;
    switch (row->action) {
    case OPTION_SETTING:
    case OPTION_PAIR:
        invocation->assignments[invocation->assignment_count++] =
            (struct assignment){row->action == OPTION_PAIR ? NULL : row->setting, argument};
        return true;
    case OPTION_SWITCH:
        invocation->assignments[invocation->assignment_count++] =
            (struct assignment){row->setting, "on"};
        return true;
    case OPTION_FACTOR:
    case OPTION_VARY:
        invocation->factors[invocation->factor_count++] =
            (struct assignment){row->action == OPTION_VARY ? NULL : row->setting, argument};
        return true;
    case OPTION_CONFIG:
        invocation->configs[invocation->config_count++] = argument;
        return true;
    case OPTION_ROUTINGS:
        take_routings(invocation, row, argument);
        return true;
    case OPTION_SEEDS:
        return parse_number(&invocation->seeds, command, row, argument);
    case OPTION_THREADS:
        invocation->threads = 0;
        if (strcmp(argument, "auto") == 0) return true;
        return parse_number(&invocation->threads, command, row, argument);
    case OPTION_POINTS_AT_ONCE:
        return parse_number(&invocation->points_at_once, command, row, argument);
    case OPTION_LIMIT:
        invocation->limits[invocation->limit_count++] = argument;
        return true;
    case OPTION_PART:
        return parse_part(invocation, command, argument);
    case OPTION_PART_COUNT:
        return parse_part_count(invocation, command, argument);
    case OPTION_EMIT:
        return take_emit(invocation, command, argument);
    case OPTION_EVERY:
        return parse_every(&invocation->every_s, command, argument);
    case OPTION_PERFETTO_RANKS:
        return parse_ranks(invocation, command, argument);
    case OPTION_PATH_STEPS:
        return parse_path_steps(invocation, command, argument);
    case OPTION_TIME_LIMIT:
        return parse_seconds(&invocation->time_limit_s, command, argument);
    default:
        assert(text != NULL || is_on != NULL);
        return true;
    }
}

/* Tells whether an option may stand here: --set, --vary, --limit, --config and options without an
 * argument may be repeated, all other options may not. --load and --loads count as one option.
 * Prints an error if it may not. */
static bool is_first(const bool *given, const struct command *command,
                     const struct option_row *row) {
    if (row->argument == NULL || row->action == OPTION_PAIR || row->action == OPTION_CONFIG ||
        row->action == OPTION_VARY || row->action == OPTION_LIMIT)
        return true;
    char text[128];
    for (size_t i = 0; command->options[i].name != NULL; i++) {
        const struct option_row *other = &command->options[i];
        if (!given[i] || other->action != row->action) continue;
        if (other == row)
            snprintf(text, sizeof text, "--%s is given twice; remove one", row->name);
        else if (row->action != OPTION_SETTING && row->action != OPTION_FACTOR)
            snprintf(text, sizeof text, "--%s and --%s exclude each other", other->name, row->name);
        else
            continue;
        return wrong(command, text, "");
    }
    return true;
}

bool command_option_is_path(option_action action, bool *written) {
    *written = action == OPTION_OUTPUT || action == OPTION_TIMELINE || action == OPTION_PERFETTO ||
               action == OPTION_CSV || action == OPTION_SVG || action == OPTION_POINTS ||
               action == OPTION_CHECKPOINT || action == OPTION_REPORT || action == OPTION_FIGURES;
    return *written || action == OPTION_CONFIG || action == OPTION_JOB_LIST ||
           action == OPTION_TRACE || action == OPTION_RESUME;
}

/* Refuses arguments such as those of "-o --json" and "-o=x", which are mistakes and would create a
 * file of that name. is_word: the argument is a separate word of the command line. */
static bool is_argument(const struct command *command, const struct option_row *row,
                        const char *argument, bool is_word, bool by_letter) {
    bool written, path = command_option_is_path(row->action, &written);
    const bool option =
        argument[0] == '-' && (argument[1] == '-' || isalpha((unsigned char)argument[1]) ||
                               (argument[1] == '\0' && written));
    if (path && *argument == '\0')
        return refuse(command, "the argument of --%s is empty: name what to %s", row->name,
                      written ? "write" : "read");
    if (is_word && option && path)
        return refuse(command,
                      "--%s is followed by %s, which looks like an option; for a file or folder of "
                      "that name, write ./%s",
                      row->name, argument, argument);
    if (is_word && option)
        return refuse(command,
                      "--%s is followed by %s, which looks like an option; if it is meant, write "
                      "--%s=%s",
                      row->name, argument, row->name, argument);
    if (!is_word && by_letter && *argument == '=')
        return refuse(command, "-%c%s: write -%c %s, or --%s%s", row->letter, argument, row->letter,
                      argument + 1, row->name, argument);
    return true;
}

static bool parse_options(struct invocation *invocation, const struct command *command, int argc,
                          char **argv) {
    struct option_table table;
    bool given[OPTIONS_MAX] = {false};
    make_table(&table, command);
    opterr = 0;
    optind = 1;
    for (int value; (value = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1;) {
        const struct option_row *row =
            value == '?' || value == ':' ? NULL : row_of(command->options, value);
        const char *text = argv[optind - 1];
        char letter[] = {'-', (char)optopt, '\0'};
        if (value == ':')
            return wrong(command, "an argument is missing after ",
                         optopt >= FIRST_VALUE ? text : letter);
        if (row == NULL && optopt >= FIRST_VALUE)
            return wrong(command, "this option takes no argument: ", text);
        if (row == NULL) return unknown_option(command, optopt != 0 ? letter : text);
        if (!is_first(given, command, row)) return false;
        if (optarg != NULL &&
            !is_argument(command, row, optarg, optarg == text, value < FIRST_VALUE))
            return false;
        given[row - command->options] = true;
        invocation->given[invocation->given_count++] = (struct given_option){row, optarg};
        if (!apply_option(invocation, command, row, optarg)) return false;
    }
    return true;
}

/* Checks the number of arguments and prints an error if it is wrong. */
static bool check_arguments(const struct invocation *invocation, const struct command *command) {
    if (invocation->argument_count > command->max_arguments)
        return wrong(command,
                     "one argument too many: ", invocation->arguments[command->max_arguments]);
    for (size_t i = 0; i < invocation->argument_count; i++)
        if (invocation->arguments[i][0] == '\0' && !(command->takes_command && i > 0))
            return wrong(command, "an argument is empty: ", command->arguments);
    if (invocation->every_s > 0 && invocation->checkpoint_folder == NULL)
        return wrong(command, "--every needs a folder for the checkpoints: ", "--checkpoint DIR");
    if (invocation->jobs_file != NULL && invocation->argument_count > 0)
        return wrong(command, "--jobs and a trace exclude each other: ", invocation->arguments[0]);
    if (invocation->argument_count < command->min_arguments && !invocation->print_config &&
        invocation->jobs_file == NULL)
        return wrong(command,
                     invocation->argument_count == 0 ? "missing argument: "
                                                     : "too few arguments; it takes ",
                     command->arguments);
    return true;
}

int invocation_parse(struct invocation *invocation, const struct command *command, int argc,
                     char **argv) {
    memset(invocation, 0, sizeof *invocation);
    invocation->command = command;
    invocation->assignments = calloc((size_t)argc + 1, sizeof *invocation->assignments);
    invocation->configs = calloc((size_t)argc + 1, sizeof *invocation->configs);
    invocation->factors = calloc((size_t)argc + 1, sizeof *invocation->factors);
    invocation->limits = calloc((size_t)argc + 1, sizeof *invocation->limits);
    /* letters may share a word, so there may be more options than words */
    size_t max = (size_t)argc + 1;
    for (int i = 0; i < argc; i++)
        max += strlen(argv[i]);
    invocation->given = calloc(max, sizeof *invocation->given);
    if (invocation->assignments == NULL || invocation->configs == NULL ||
        invocation->factors == NULL || invocation->limits == NULL || invocation->given == NULL) {
        fprintf(stderr, "anax: out of memory for the command line\n");
        return anax_code_exit_code(ANAX_ERROR_MEMORY);
    }
    if (!parse_options(invocation, command, argc, argv)) return EXIT_USAGE;
    if (invocation->help) return 0;
    invocation->arguments = (const char *const *)argv + optind;
    invocation->argument_count = (size_t)(argc - optind);
    return check_arguments(invocation, command) ? 0 : EXIT_USAGE;
}

void invocation_clear(struct invocation *invocation) {
    free(invocation->assignments);
    free(invocation->configs);
    free(invocation->factors);
    free(invocation->limits);
    free(invocation->given);
}
