/* The command `anax`: finds the command of the command line and runs it. */
#include "cli/interrupt.h"
#include "cli/run.h"

#include <stdio.h>
#include <string.h>

static bool is_any(const char *word, const char *first, const char *second) {
    return strcmp(word, first) == 0 || strcmp(word, second) == 0;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "anax: no command given\nTry `anax help`.\n");
        return EXIT_USAGE;
    }
    if (is_any(argv[1], "--version", "-V")) {
        if (argc > 2) {
            fprintf(stderr, "anax: %s takes nothing after it, but there is `%s`\n", argv[1],
                    argv[2]);
            return EXIT_USAGE;
        }
        printf("anax %s\n", anax_version());
        return run_flush();
    }
    const char *name = is_any(argv[1], "--help", "-h") ? "help" : argv[1];
    const command *command = command_find(name);
    if (command == NULL) {
        command_unknown(name);
        return EXIT_USAGE;
    }
    invocation invocation;
    int exit_code = EXIT_USAGE;
    if (invocation_parse(&invocation, command, argc - 1, argv + 1)) {
        exit_code = 0;
        if (invocation.help) {
            help_command(command);
        } else {
            interrupt_begin(&invocation);
            exit_code = command->run(&invocation);
        }
    }
    invocation_clear(&invocation);
    if (exit_code == 0) exit_code = run_flush();
    interrupt_hold();
    return exit_code;
}
