/* Help texts, made from the table of commands. */
#include "api/command_support.h"
#include "cli/command.h"
#include "cli/error_print.h"
#include "cli/option_text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_WIDTH = 26, LINE_WIDTH = 80 };

void option_write_text(const struct option_row *row, char *text, size_t size) {
    char letter[8] = "    ";
    if (row->letter != 0) snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(text, size, "%s--%s%s%s", letter, row->name, row->argument != NULL ? " " : "",
             row->argument != NULL ? row->argument : "");
}

/* Prints a text that starts at `column`. Breaks lines before LINE_WIDTH and indents all lines but
 * the first one. */
static void print_wrapped(const char *text, size_t column, size_t indent) {
    const char *between = "";
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column + strlen(between) + length > LINE_WIDTH && column > indent) {
            printf("\n%*s", (int)indent, "");
            column = indent;
            between = "";
        }
        printf("%s%.*s", between, (int)length, text);
        column += strlen(between) + length;
        between = " ";
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_option(const struct option_row *row) {
    char text[80];
    option_write_text(row, text, sizeof text);
    int printed = printf("  %-*s  ", OPTION_WIDTH, text);
    if (printed > OPTION_WIDTH + 4) printf("\n%*s", OPTION_WIDTH + 4, "");
    print_wrapped(row->help, OPTION_WIDTH + 4, OPTION_WIDTH + 4);
}

void help_print_command(const struct command *command) {
    printf("Usage: anax %s%s%s [options]\n\n%s\n\nOptions:\n", command->name,
           command->arguments[0] != '\0' ? " " : "", command->arguments, command->description);
    for (const struct option_row *row = command->options; row->name != NULL; row++)
        print_option(row);
    printf("\nExamples:\n");
    for (const struct example *row = command->examples; row->command != NULL; row++) {
        printf("  # ");
        print_wrapped(row->what, 4, 4);
        printf("  $ %s\n", row->command);
    }
}

void help_print_overview(void) {
    printf("anax %s predicts how long an MPI application runs on a dragonfly network:\n"
           "it replays the application's OTF2 trace through a packet-level simulation.\n\n"
           "Usage: anax COMMAND [arguments] [options]\n\nCommands:\n",
           anax_version());
    for (const struct command *row = commands(); row->name != NULL; row++)
        printf("  %-11s %s\n", row->name, row->summary);
    printf("\nA first replay, from the folder of anax's sources:\n"
           "  $ anax replay examples/gromacs/traces.otf2 --machine kim-1k\n"
           "\n`anax help COMMAND` or `anax COMMAND --help` explains a command with examples.\n"
           "`anax --version` prints the version. Results go to the standard output,\n"
           "everything else to the standard error. Exit codes: 0 done, 1 the run failed,\n"
           "2 wrong usage or input.\n");
}

void command_unknown(const char *name) {
    enum { COMMANDS_MAX = 64 };
    const char *names[COMMANDS_MAX];
    size_t count = 0;
    for (const struct command *row = commands(); row->name != NULL; row++) {
        assert(count < COMMANDS_MAX);
        names[count++] = row->name;
    }
    const char *nearest = api_nearest(name, names, count);
    error_print("anax: there is no command `%s`%s%s%s\nTry `anax help`.\n", name,
                nearest != NULL ? " (did you mean `" : "", nearest != NULL ? nearest : "",
                nearest != NULL ? "`?)" : "");
}
