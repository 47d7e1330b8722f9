/* The commands that inform: `anax list` and `anax help`. */
#include "cli/run.h"

int command_list(const struct invocation *invocation) {
    const char *family = invocation->argument_count > 0 ? invocation->arguments[0] : NULL;
    anax_error error = ANAX_ERROR_INIT;
    char *text = NULL;
    anax_code code = invocation->json ? anax_list_json(family, &text, &error)
                                      : anax_list_text(family, &text, &error);
    return code == ANAX_OK ? run_print(text) : run_failed(&error);
}

int command_help(const struct invocation *invocation) {
    if (invocation->argument_count == 0) {
        help_overview();
        return 0;
    }
    const struct command *command = command_find(invocation->arguments[0]);
    if (command == NULL) {
        command_unknown(invocation->arguments[0]);
        return EXIT_USAGE;
    }
    help_command(command);
    return 0;
}
