/* The command `anax`: finds the command of the command line and runs it. */
#include "cli/complete.h"
#include "cli/interrupt.h"
#include "cli/option_advice.h"
#include "cli/parallel_command.h"
#include "cli/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_any(const char *word, const char *first, const char *second) {
    return strcmp(word, first) == 0 || strcmp(word, second) == 0;
}

/* Occupies the file descriptors 0 to 2 where they are closed. Otherwise the next file to be opened
 * would get such a number, and messages would be written into it. */
static void keep_standard_files(void) {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static int run_command(const struct invocation *invocation) {
    bool is_idle = false;
    option_advice_begin(invocation->command->options);
    interrupt_begin(invocation);
    int exit_code = parallel_command_begin(invocation->command, &is_idle);
    if (exit_code != 0 || is_idle) return exit_code;
    return parallel_command_end(invocation->command->run(invocation));
}

int main(int argc, char **argv) {
    keep_standard_files();
    /* Every process of `anax record` runs the application, whose output counts. */
    if (argc < 2 || strcmp(argv[1], "record") != 0) parallel_command_find_launch(argc, argv);
    if (argc < 2) {
        fprintf(stderr, "anax: no command given\nTry `anax help`.\n");
        return parallel_command_exit_code(EXIT_USAGE);
    }
    if (is_any(argv[1], "--version", "-V")) {
        if (argc > 2) {
            fprintf(stderr, "anax: %s takes nothing after it, but there is `%s`\n", argv[1],
                    argv[2]);
            return parallel_command_exit_code(EXIT_USAGE);
        }
        command_version(NULL);
        return run_flush();
    }
    if (strcmp(argv[1], "__complete") == 0) return complete(argc - 2, argv + 2);
    const char *name = is_any(argv[1], "--help", "-h") ? "help" : argv[1];
    const struct command *command = command_find(name);
    if (command == NULL) {
        command_unknown(name);
        return parallel_command_exit_code(EXIT_USAGE);
    }
    struct invocation invocation;
    int exit_code = invocation_parse(&invocation, command, argc - 1, argv + 1);
    if (exit_code != 0) {
        invocation_clear(&invocation);
        return parallel_command_refuse(command, exit_code);
    }
    invocation.all_commands = commands();
    if (invocation.help)
        help_print_command(command);
    else
        exit_code = run_command(&invocation);
    invocation_clear(&invocation);
    if (exit_code == 0) exit_code = run_flush();
    interrupt_wait_for_end();
    return exit_code;
}
